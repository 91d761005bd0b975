import { afterAll, beforeAll, expect, test } from "vitest";
import { measureFirstLoad } from "../../bench/first-load/measure.ts";
import { closeAfter } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import type { Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.end());

async function execute(sql: string): Promise<void> {
  await closeAfter(await connectPostgres(dashboard.server.ready.database_url), (connection) => connection.execute(sql));
}

const titles = (page: Page) => page.locator(".funding-title");

test("real funding is in the first view, beside the quota, in two columns", async () => {
  const { page, complaints } = await dashboard.visitSignedIn();
  await titles(page).nth(6).waitFor();
  await page.getByText("Nothing needs you.").waitFor();
  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    const bottoms = await titles(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    expect(bottoms.filter((bottom) => bottom < height).length).toBeGreaterThanOrEqual(6);
    const [left, right] = await page
      .locator(".overview-columns > *")
      .evaluateAll((columns) => columns.map((one) => one.getBoundingClientRect().top));
    expect(left).toBe(right);
  }
  expect(complaints).toEqual([]);
});

test("in a narrow window there is one column, and nothing sticks out", async () => {
  const { page } = await dashboard.visitSignedIn();
  await titles(page).first().waitFor();
  for (const width of [390, 768, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const lefts = await page
      .locator(".overview-columns > *")
      .evaluateAll((columns) => columns.map((one) => one.getBoundingClientRect().left));
    expect(new Set(lefts).size, `columns at ${width}`).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }
});

test("a title opens the record in the explorer, which asks for it at once, and not again at a reload", async () => {
  const { page } = await dashboard.visitSignedIn();
  const title = titles(page).first();
  const text = await title.innerText();
  await title.click();
  await page.getByText("200 OK").waitFor();
  await page.locator(".record-fields").waitFor();
  await page.getByRole("main").getByText(text).first().waitFor();
  await page.reload();
  await page.getByText("The answer appears here").waitFor();
});

test("what came since the last visit is marked as new, until the visit after", async () => {
  const { page } = await dashboard.visitSignedIn();
  await page.getByText(/came in the last 7 days|Nothing new in the last 7 days/).waitFor();
  const awayForAnHour = () =>
    page.evaluate(() => {
      const visits = JSON.parse(localStorage.getItem("funding-dashboard-visits") ?? "{}");
      localStorage.setItem("funding-dashboard-visits", JSON.stringify({ ...visits, at: visits.at - 3_600_000 }));
    });
  await expect.poll(() => page.evaluate(() => localStorage.getItem("funding-dashboard-visits"))).toContain("seenUntil");
  await execute(
    `update funding.grants set first_seen_at = now()
     where id = (select id from funding.grants where classification = 'opportunity' and status = 'open' and archived_at is null
                 order by created_at limit 1)`,
  );
  await awayForAnHour();
  await page.reload();
  await page.getByText(/^1 grant came since your last visit/).waitFor();
  await page.locator(".funding-row").first().getByText("New", { exact: true }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: "1 grant", exact: true }).click();
  await page.getByText("200 OK").waitFor();
  await page.getByText("1 of 1 that match").waitFor();
  await page.goBack();
  await awayForAnHour();
  await page.reload();
  await page.getByText(/^Nothing new since your last visit/).waitFor();
});

test("what needs the owner is told: a disabled webhook, a quota that is nearly used up, a key that expires", async () => {
  const account = "funding.account_id('limited@demo.example')";
  await execute(
    `insert into funding.webhook_endpoints (id, account_id, url, secret, events, state, disabled_reason)
     values (gen_random_uuid(), ${account}, 'https://hooks.example.org/a', 'whsec_1', '{grant.created}', 'disabled', 'It answered 410.')`,
  );
  await execute(
    `update funding.api_keys set expires_at = now() + interval '2 days 1 hour' where account_id = ${account}`,
  );
  const { base_url, limited_api_key } = dashboard.server.ready;
  for (let request = 0; request < 80; request++) {
    await fetch(`${base_url}/funders-api?limit=1`, { headers: { authorization: `Bearer ${limited_api_key}` } });
  }
  const { page } = await dashboard.visitSignedIn({ email: "limited@demo.example" });
  const needs = page.getByRole("region", { name: "Needs attention" });
  await needs.getByText("The webhook to hooks.example.org is disabled").waitFor();
  await needs.getByText("80% of today’s quota is used").waitFor();
  await needs.getByText(/expires in 2 days/).waitFor();
  await needs.getByRole("link", { name: "Open the webhook" }).click();
  await page.getByText("It answered 410.").waitFor();
});

test("a check that fails is told, and hides nothing of the others", async () => {
  await execute(
    `update funding.api_keys set expires_at = now() + interval '2 days 1 hour' where account_id = funding.account_id('developer@demo.example')`,
  );
  const { page } = await dashboard.visitSignedIn({ path: "/explorer" });
  await page.route("**/account-api/webhooks*", (route) => route.fulfill({ status: 403, json: {} }));
  await page.goto(dashboard.origin);
  const needs = page.getByRole("region", { name: "Needs attention" });
  await needs.getByText("Not checked: webhooks.").waitFor();
  await needs
    .getByText(/in 2 days/)
    .first()
    .waitFor();
  await page.unroute("**/account-api/webhooks*");
  await needs.getByRole("button", { name: "Try again" }).click();
  await needs.getByText("Not checked").waitFor({ state: "hidden" });
  expect(await needs.getByText(/in 2 days/).count()).toBeGreaterThan(0);
});

test("alerts of a kind are one line, which can be put off and shown again", async () => {
  const account = "funding.account_id('limited@demo.example')";
  await execute(
    `insert into funding.webhook_endpoints (id, account_id, url, description, secret, events, state, disabled_reason)
     select gen_random_uuid(), ${account}, 'https://hooks.example.org/b', name, 'whsec_1', '{grant.created}', 'disabled', 'It answered 410.'
     from unnest(array['To Slack', 'To the list']) as name`,
  );
  const { page } = await dashboard.visitSignedIn({ email: "limited@demo.example" });
  const needs = page.getByRole("region", { name: "Needs attention" });
  const line = needs.getByRole("listitem").filter({ hasText: /webhooks are disabled/ });
  await line.getByText(/“To Slack”/).waitFor();
  await line.getByRole("button", { name: /^Put off a day/ }).click();
  await line.waitFor({ state: "detached" });
  expect(await needs.evaluate((section) => section === document.activeElement)).toBe(true);
  await page.reload();
  await needs.getByText(/alerts? put off for a day/).waitFor();
  expect(await line.count()).toBe(0);
  await needs.getByRole("button", { name: "Show again" }).click();
  await line.waitFor();
  await line.getByRole("link", { name: "Open the webhooks" }).click();
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
});

test("what closes next is opened in full, by dataset", async () => {
  const { page } = await dashboard.visitSignedIn();
  const card = page.getByRole("region", { name: "Closing soon" });
  const rows = card.locator(".funding-row");
  const isGrant = /^Grant/;
  const texts = await rows.locator(".funding-beside").allInnerTexts();
  const all = await rows.locator(".funding-title").allInnerTexts();
  const grants = all.filter((_, index) => isGrant.test(texts[index] ?? ""));
  await card.getByRole("link", { name: "All grants" }).click();
  await page.getByText("200 OK").waitFor();
  const listed = await page.locator(".results-title").allInnerTexts();
  expect(listed.slice(0, grants.length)).toEqual(grants);
});

test("a first visit loads less than 250 kB, the requests of a month included", async () => {
  const { base_url, api_key } = dashboard.server.ready;
  await fetch(`${base_url}/funders-api?limit=1`, { headers: { authorization: `Bearer ${api_key}` } });
  const { context } = await dashboard.visitSignedIn();
  const { bytes } = await measureFirstLoad(context, `${dashboard.origin}/`, undefined, async (page) => {
    await page.getByRole("figure", { name: "Requests by day" }).waitFor();
    await titles(page).first().waitFor();
    await page.waitForLoadState("networkidle");
  });
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(250_000);
});
