import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
let axe: string;
let paths: { list: string; record: string };

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  dashboard = await openDashboard();
  const sitemap = await (await fetch(`${dashboard.origin}/sitemap.xml`)).text();
  const record = /<loc>[^<]*?(\/grants\/[^<]+)<\/loc>/.exec(sitemap)?.[1] ?? "";
  paths = { list: "/funding?search=water&states=OH&states=PA&past=yes", record };
});
afterAll(() => dashboard.end());

interface Axe {
  run(options: RunOptions): Promise<AxeResults>;
}

/** What axe finds, by the rules of WCAG 2.2 AA and its own good practice. Its script is evaluated and not added: the page's policy allows none. */
async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ["violations"] }),
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}

const looks = [320, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

describe.each(looks)("at $width pixels, $colorScheme", ({ width, colorScheme }) => {
  test.each(["/funding", "list", "record", "/grants/nothing"])("%s can be read by anybody", async (name) => {
    const { page, complaints } = await dashboard.visit({ viewport: { width, height: 800 }, colorScheme });
    await page.goto(`${dashboard.origin}${name === "list" || name === "record" ? paths[name] : name}`);
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await violations(page)).toEqual([]);
    expect(overhang).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });
});

test("a search and a filter work without JavaScript, by the keyboard alone", async () => {
  const { page } = await dashboard.visit({ javaScriptEnabled: false });
  await page.goto(`${dashboard.origin}/funding`);
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").textContent()).toBe("Skip to the content");
  await page.getByLabel("Search grants").focus();
  await page.keyboard.type("water");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/funding?search=water");
  await page.getByRole("region", { name: "States" }).getByRole("link").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/funding\?search=water&states=[A-Z]{2}$/);
  await page.getByRole("link", { name: /States: .*remove/ }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/funding?search=water");
});

test("a record leads to its funder, and to its deadline as a calendar's file", async () => {
  const { page } = await dashboard.visit({ javaScriptEnabled: false });
  await page.goto(`${dashboard.origin}${paths.record}`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Put the deadline in a calendar" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.ics$/);
  await page.locator("header .from a").click();
  await page.waitForURL("**/funders/**");
  expect(await page.getByRole("heading", { level: 2 }).count()).toBeGreaterThan(0);
});
