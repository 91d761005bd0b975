import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pagePaths } from "../../../shared/dashboard/pages.ts";
import type { Page } from "../chromium.ts";
import { type DashboardUnderTest, openDashboard } from "../dashboard.ts";
import { fillAccount, inventUsage, sendRequests } from "./traffic.ts";

/**
 * Pictures of every page at three widths, light and dark, and a sheet of each width and scheme to look at: in the folder SCREENSHOTS, by
 * default .data/screenshots. `npm run pages:screenshots`.
 */
const folder = resolve(process.env.SCREENSHOTS ?? ".data/screenshots");
const widths = [1440, 1024, 390] as const;
const schemes = ["light", "dark"] as const;
/** Height of a picture at most, in CSS pixels. */
const mostHeight = 2400;

const signedInPaths: Readonly<Record<string, string>> = {
  overview: "/",
  explorer: "/explorer?dataset=grants&search=summer+meals&search_mode=hybrid&facets=category",
  "saved-searches": "/saved-searches",
  keys: "/keys",
  usage: "/usage",
  requests: "/requests",
  webhooks: "/webhooks",
  account: "/account",
  "audit-log": pagePaths.auditLog,
};

let dashboard: DashboardUnderTest;
let publicPaths: Record<string, string>;

beforeAll(async () => {
  dashboard = await openDashboard();
  await mkdir(folder, { recursive: true });
  await inventUsage(dashboard);
  await sendRequests(dashboard);
  await fillAccount(dashboard);
  const link = async (path: string, pattern: RegExp) =>
    pattern.exec(await (await fetch(`${dashboard.origin}${path}`)).text())?.[0] ?? "/nothing";
  publicPaths = {
    funding: "/funding",
    "funding-search": "/funding?search=school+gardens&states=VT&include_national=true",
    grant: await link("/funding", /\/grants\/[^"?]+/),
    contract: await link("/funding?dataset=contracts", /\/contracts\/[^"?]+/),
    funder: await link(await link("/funding", /\/grants\/[^"?]+/), /\/funders\/[^"?]+/),
    topic: await link("/funding", /\/topics\/[^"?]+/),
    state: "/states/OH",
    reference: "/reference",
    "reference-list": "/reference/listGrants",
    changelog: "/changelog",
    status: "/status",
    "not-found": "/nothing/here",
  };
});
afterAll(() => dashboard.end());

/** Writes the picture of a page, from its top, as WebP. */
async function takePicture(page: Page, name: string): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const width = page.viewportSize()?.width ?? 0;
  await page.setViewportSize({ width, height: Math.min(Math.max(height, 900), mostHeight) });
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, "base64"));
}

describe.each(widths.flatMap((width) => schemes.map((colorScheme) => ({ width, colorScheme }))))(
  "at $width pixels, $colorScheme",
  ({ width, colorScheme }) => {
    test("every page is loaded, and nothing sticks out", async () => {
      const look = { viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" } as const;
      const names: string[] = [];
      const overhangs: string[] = [];
      const take = async (page: Page, name: string, path: string) => {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${dashboard.origin}${path}`, { waitUntil: "networkidle" });
        if (name === "explorer") {
          await page.getByRole("button", { name: "Send request" }).click();
          await page.getByText("200 OK").waitFor();
        }
        const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overhang > 0) overhangs.push(`${path}: ${overhang} px`);
        names.push(`${name}-${width}-${colorScheme}`);
        await takePicture(page, names.at(-1) ?? "");
      };
      // In a narrow window, what shows that somebody is signed in is behind a button.
      const { page } = await dashboard.visitSignedIn({ ...look, viewport: { width: 1440, height: 900 } });
      for (const [name, path] of Object.entries(signedInPaths)) await take(page, name, path);
      const visitor = await dashboard.visit(look);
      for (const [name, path] of Object.entries({ "sign-in": "/", ...publicPaths }))
        await take(visitor.page, name, path);
      expect(overhangs).toEqual([]);
      await writeSheet(visitor.page, `sheet-${width}-${colorScheme}`, names);
    });
  },
);

/** Writes an HTML page with the tops of all pictures of one width, and pictures of it, six to look at in each. */
async function writeSheet(page: Page, name: string, names: readonly string[]): Promise<void> {
  const figures = names.map(
    (each) => `<figure><figcaption>${each}</figcaption><img src="${each}.webp" alt=""></figure>`,
  );
  const style =
    "body{margin:0;display:grid;grid-template-columns:repeat(3,1fr);gap:12px;font:14px sans-serif}figure{margin:0;height:640px;overflow:hidden}img{width:100%}";
  await writeFile(
    join(folder, `${name}.html`),
    `<!doctype html><title>${name}</title><style>${style}</style>${figures.join("")}`,
  );
  await page.setViewportSize({ width: 1920, height: 1304 });
  await page.goto(`file://${join(folder, `${name}.html`)}`, { waitUntil: "networkidle" });
  for (let sheet = 0; sheet * 6 < names.length; sheet++) {
    await page.evaluate((top) => scrollTo(0, top), sheet * 1304);
    await writeFile(join(folder, `${name}-${sheet + 1}.png`), await page.screenshot());
  }
}
