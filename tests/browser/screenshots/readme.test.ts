import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "../chromium.ts";
import { type DashboardUnderTest, openDashboard } from "../dashboard.ts";
import { inventUsage, sendRequests } from "./traffic.ts";

/** Where the README looks for them. */
const folder = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
const search = "kids who go hungry in summer";

let dashboard: DashboardUnderTest;

beforeAll(async () => {
  dashboard = await openDashboard();
  await mkdir(folder, { recursive: true });
  await inventUsage(dashboard);
  await sendRequests(dashboard);
});
afterAll(() => dashboard.end());

/** Writes a page as it is shown, in both colour schemes, as WebP: a third of PNG's size. */
async function takePictures(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
    await writeFile(`${folder}${name}-${colorScheme}.webp`, Buffer.from(data, "base64"));
  }
}

test("the overview, with a month of usage", async () => {
  const { page } = await dashboard.visitSignedIn({ viewport: { width: 1280, height: 900 } });
  await page.getByText("in 30 days").waitFor();
  await page.getByText("answered 4xx").waitFor();
  await page.waitForLoadState("networkidle");
  await takePictures(page, "overview");
});

test("the explorer, with a hybrid search", async () => {
  const { page } = await dashboard.visitSignedIn({ viewport: { width: 1440, height: 900 } });
  const query = new URLSearchParams({ dataset: "grants", search, search_mode: "hybrid" });
  await page.goto(`${dashboard.origin}/explorer?${query}`);
  await page.getByRole("button", { name: "Send request" }).click();
  await page.getByText("200 OK").waitFor();
  expect(await page.locator(".results-title").count()).toBeGreaterThan(3);
  await page.waitForLoadState("networkidle");
  await takePictures(page, "explorer");
});
