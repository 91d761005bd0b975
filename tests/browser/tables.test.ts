import { afterAll, beforeAll, expect, test } from "vitest";
import { closeAfter } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import type { Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard, type Visit } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
let visitor: Visit;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { api_key, base_url, database_url } = dashboard.server.ready;
  await fetch(`${base_url}/grants-api?limit=1`, { headers: { authorization: `Bearer ${api_key}` } });
  // The longest names: of one word, and of several.
  await closeAfter(await connectPostgres(database_url), (connection) =>
    connection.execute(`
      update funding.api_keys set name = repeat('W', 100);
      update funding.api_keys set name = rpad('production reporting service of the northern region ', 100, 'long ')
      where id in (select min(id::text)::uuid from funding.api_keys group by account_id)`),
  );
  visitor = await dashboard.visitSignedIn();
});
afterAll(() => dashboard.end());

/** What is wrong with the tables on show, in words. */
function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const overflow = document.documentElement.scrollWidth - innerWidth;
    if (overflow > 0) faults.push(`the page is ${overflow} px too wide`);
    for (const table of document.querySelectorAll("table")) {
      const box = (table.closest(".table-scroll") ?? table).getBoundingClientRect();
      const card = table.closest(".card")?.getBoundingClientRect();
      if (card !== undefined && box.right > card.right + 1)
        faults.push(`a table is ${box.right - card.right} px out of its card`);
      const name = table.querySelector("tbody th")?.getBoundingClientRect();
      if (name !== undefined && name.width < 140) faults.push(`a name has ${name.width} px`);
      for (const control of table.querySelectorAll("tbody :is(a, button)")) {
        control.scrollIntoView({ block: "center" });
        // A link of several lines has a box for each.
        const { left, top, width, height } = control.getClientRects()[0] ?? new DOMRect();
        const hit = document.elementFromPoint(left + Math.min(width, 30) / 2, top + height / 2);
        const label = control.getAttribute("aria-label") ?? control.textContent;
        if (hit === null || !control.contains(hit)) faults.push(`${label} cannot be hit`);
        if (control.matches("button") && Math.min(width, height) < 24)
          faults.push(`${label} is ${width} by ${height} px`);
      }
    }
    return faults;
  });
}

test.each(["/keys", "/requests", "/usage"])(
  "%s has its tables within their cards from 320 to 1600 px",
  async (path) => {
    const { page } = visitor;
    await page.goto(`${dashboard.origin}${path}`);
    await page.getByRole("table").first().waitFor();
    for (const width of [
      320, 375, 480, 640, 768, 769, 800, 896, 897, 900, 930, 960, 961, 1024, 1100, 1200, 1201, 1280, 1440, 1600,
    ]) {
      await page.setViewportSize({ width, height: 800 });
      // A chart takes its new width with the next frame.
      await expect.poll(() => faultsOf(page), { message: `${width} px`, timeout: 3_000 }).toEqual([]);
    }
  },
);
