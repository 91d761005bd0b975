import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectPostgres } from "../../../database/postgres.ts";
import type { Page } from "../chromium.ts";
import { type DashboardUnderTest, openDashboard } from "../dashboard.ts";

/** Where the README looks for them. */
const folder = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
const search = "kids who go hungry in summer";

let dashboard: DashboardUnderTest;

beforeAll(async () => {
  dashboard = await openDashboard();
  await mkdir(folder, { recursive: true });
  await inventUsage();
  await sendRequests();
});
afterAll(() => dashboard.end());

/** Usage of the demo account on the 29 days before today, which no request makes any more: fewer at weekends, a few errors. */
async function inventUsage(): Promise<void> {
  const connection = await connectPostgres(dashboard.server.ready.database_url);
  await connection.query(
    `insert into funding.usage (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
     select key.id, day, call.endpoint, call.status, call.latency_bucket_ms,
            greatest(1, (call.share * (case when extract(isodow from day) > 5 then 300 else 1000 end)
                         * (0.9 + 0.012 * number) * (1 + 0.15 * sin(number * 2.3))))::bigint
     from generate_series(1, 29) as number
     cross join lateral (select (now() at time zone 'UTC')::date - 30 + number as day) as calendar
     cross join (values ('grants-api', 200, 25, .42), ('grants-api', 200, 50, .11), ('contracts-api', 200, 25, .2),
                        ('semantic-search', 200, 75, .14), ('funders-api', 200, 10, .1), ('grants-api', 400, 10, .025),
                        ('grants-api/{id}', 404, 10, .004)) as call(endpoint, status, latency_bucket_ms, share)
     cross join (select api_key.id from funding.api_keys as api_key
                 where api_key.account_id = funding.account_id('developer@demo.example') order by api_key.created_at limit 1) as key`,
  );
  await connection.close();
}

async function sendRequests(): Promise<void> {
  const { base_url, api_key } = dashboard.server.ready;
  const ask = async (path: string) => {
    await (await fetch(`${base_url}${path}`, { headers: { authorization: `Bearer ${api_key}` } })).text();
  };
  const paths = [
    "/grants-api?search=water&search_mode=hybrid&states=OH",
    "/contracts-api?set_aside=HUBZone&limit=5",
    "/funders-api?limit=5",
    "/grants-api?stats=OH",
    "/grants-api?search=soil&limit=20",
  ];
  for (let round = 0; round < 40; round++) {
    for (const path of round === 39 ? paths : paths.slice(0, 3)) await ask(path);
  }
}

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
