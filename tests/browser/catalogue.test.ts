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
  // What closes next has a deadline.
  const list = await (await fetch(`${dashboard.origin}/funding`)).text();
  const [record = ""] = /\/grants\/[^"]+/.exec(list) ?? [];
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

test.each([320, 1280])("the search field suggests pages as one types, at %s pixels", async (width) => {
  const { page, complaints } = await dashboard.visit({ viewport: { width, height: 800 } });
  await page.goto(`${dashboard.origin}/funding`);
  const field = page.getByRole("combobox", { name: "Search grants" });
  await field.pressSequentially("agri");
  const options = page.getByRole("option");
  await options.first().waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  const agency = options.filter({ hasText: "Agency" }).first();
  const name = await agency.locator("span").first().textContent();
  const place = (await options.allTextContents()).findIndex((text) => text.startsWith(name ?? ""));
  for (let key = 0; key <= place; key++) await page.keyboard.press("ArrowDown");
  expect(await field.getAttribute("aria-activedescendant")).toBe(await agency.getAttribute("id"));
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("agency") === name);

  await page.getByRole("combobox").pressSequentially("wa");
  await options.first().waitFor();
  await page.keyboard.press("Escape");
  expect(await options.count()).toBe(0);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("search") === "wa");
  expect(complaints).toEqual([]);
});

test("the list follows what somebody types and chooses, and Back and Forward lead through it", async () => {
  const { page, complaints } = await dashboard.visit();
  await page.goto(`${dashboard.origin}/funding`);
  await page.evaluate(() => Object.assign(globalThis, { isFirstPage: true }));
  const field = page.getByRole("combobox", { name: "Search grants" });
  const heading = page.getByRole("heading", { level: 2 }).first();
  const all = await heading.textContent();
  const shows = (text: string | null) =>
    page.waitForFunction((wanted) => document.querySelector("#results")?.textContent === wanted, text);
  await field.pressSequentially("wat", { delay: 20 });
  await page.waitForURL("**/funding?search=wat");
  await field.pressSequentially("er", { delay: 20 });
  await page.waitForURL("**/funding?search=water");
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  const water = await heading.textContent();
  await page.keyboard.press("Escape");
  const state = page.getByRole("region", { name: "States" }).getByRole("link").first();
  const name = await state.locator("[dir]").textContent();
  await state.click();
  await page.waitForURL(/\/funding\?search=water&states=[A-Z]{2}$/);
  const inState = await heading.textContent();
  expect(new Set([all, water, inState]).size).toBe(3);
  expect(await page.locator(":focus [dir]").textContent()).toBe(name);
  expect(await page.getByRole("status").allTextContents()).toContain(inState);
  await page.goBack();
  await shows(water);
  expect(await field.inputValue()).toBe("water");
  await page.goBack();
  await shows(all);
  expect(await field.inputValue()).toBe("");
  await page.goForward();
  await page.goForward();
  await shows(inState);
  await page.getByRole("link", { name: /States: .*remove/ }).click();
  await shows(water);
  expect(await page.title()).toContain("water");
  expect(await page.evaluate(() => "isFirstPage" in globalThis)).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.goto(`${dashboard.origin}/states/OH`);
  const trail = page.getByRole("navigation", { name: "Breadcrumbs" });
  expect(await trail.count()).toBe(1);
  await field.pressSequentially("river", { delay: 20 });
  await page.waitForURL("**/funding?**search=river**");
  expect(await trail.count()).toBe(0);
  await page.goBack();
  await trail.waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Grants in Ohio");
  await page.getByRole("navigation", { name: "Catalogue" }).getByRole("link", { name: "Contracts" }).click();
  await page.waitForURL("**/funding?dataset=contracts");
  await page.getByLabel("Search contracts").waitFor();
  expect(complaints).toEqual([]);
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
