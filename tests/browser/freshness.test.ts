import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeAfter } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let dashboard: DashboardUnderTest;

beforeAll(async () => {
  dashboard = await openDashboard({ STATUS_URL: "https://status.example" });
});
afterAll(() => dashboard.end());

const isAccountApi = (url: URL) => url.pathname.includes("/account-api");
const call = () =>
  fetch(`${dashboard.server.ready.base_url}/grants-api?limit=1`, {
    headers: { authorization: `Bearer ${dashboard.server.ready.api_key}` },
  });

test("the first request is noticed on the open page, without a reload", async () => {
  const { page } = await dashboard.visitSignedIn();
  await page.getByText("Waiting for your first request").waitFor();
  expect((await call()).status).toBe(200);
  await page.getByText(/It arrived: 1 request so far/).waitFor();
  await page.getByRole("figure", { name: "Requests by day" }).waitFor();
  await page.goto(`${dashboard.origin}/usage`);
  const requests = page.locator(".stat").filter({ hasText: "Requests" }).locator(".stat-value");
  await expect.poll(() => requests.innerText()).toBe("1");
  await call();
  await expect.poll(() => requests.innerText(), { timeout: 120_000 }).toBe("2");
});

test.each([
  ["/", "Overview"],
  ["/keys", "API keys"],
])("a page that cannot be refreshed says so, and when it can be again: %s", async (path, heading) => {
  const { page } = await dashboard.visitSignedIn({ path });
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await page
    .getByRole("main")
    .getByText(/no daily limit|demo/)
    .first()
    .waitFor();
  expect(await page.getByText("not up to date").count()).toBe(0);
  await page.route(isAccountApi, (route) => route.abort());
  await page.getByText("This page is not up to date").waitFor({ timeout: 120_000 });
  const notice = page.getByText(/The API cannot be reached. What you see is as of/);
  await notice.waitFor();
  expect(await notice.getByRole("link", { name: "See the status page" }).getAttribute("href")).toBe(
    "https://status.example",
  );
  await page.unroute(isAccountApi);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This page is not up to date").waitFor({ state: "detached" });
});

test("usage keeps its range and its key in the address", async () => {
  const { page } = await dashboard.visitSignedIn({ path: "/usage" });
  await page.getByRole("button", { name: "90 days" }).click();
  const key = page.getByLabel("Key", { exact: true });
  await key.selectOption({ index: 1 });
  const chosen = await key.inputValue();
  await page.reload();
  await expect.poll(() => key.inputValue()).toBe(chosen);
  expect(await page.getByRole("button", { name: "90 days" }).getAttribute("aria-pressed")).toBe("true");
});

test("usage of any days is shown beside that of the days before, day by day, and as CSV", async () => {
  expect((await call()).status).toBe(200);
  const { page } = await dashboard.visitSignedIn({ path: "/usage?range=7" });
  const requests = page.locator(".stat").first();
  await requests.getByText(/the 7 days before$/).waitFor();
  await page.getByRole("button", { name: "Custom" }).click();
  const [first, last] = [page.getByLabel("First day"), page.getByLabel("Last day")];
  const today = await last.inputValue();
  await last.fill("2020-01-01");
  await page.getByText("The first day is after the last. The last 30 days are shown.").waitFor();
  await last.fill(today);

  await page.getByRole("button", { name: "Show as a table" }).first().click();
  await page.getByRole("region", { name: "Requests by day, as a table" }).getByRole("link").last().click();
  await expect.poll(() => first.inputValue()).toBe(today);
  await requests.getByText(/the day before$/).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV", exact: true }).click(),
  ]);
  const [header, ...lines] = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(header).toMatch(/^hour,requests,/);
  expect(lines.at(0)).toMatch(new RegExp(`^${today}T00:00:00.000Z,`));
  expect(lines.at(-2)).toMatch(new RegExp(`^${today}T\\d\\d:00:00.000Z,[1-9]`));
  expect(lines.at(-1)).toBe("");

  await page.getByRole("link", { name: "Requests answered with 200" }).click();
  await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
  expect(await page.getByLabel("Status").inputValue()).toBe("2xx");
});

test("usage by hour is of at most seven days, stays in the address, and is told where hours are not kept", async () => {
  expect((await call()).status).toBe(200);
  const { page, complaints } = await dashboard.visitSignedIn({ path: "/usage" });
  await page.getByRole("button", { name: "Hours" }).click();
  await page.waitForURL("**/usage?by=hour&range=7");
  await page.getByRole("figure", { name: "Requests by hour" }).waitFor();
  await page.getByRole("figure", { name: "Response times by hour" }).waitFor();
  await page.reload();
  await page.getByRole("figure", { name: "Requests by hour" }).waitFor();
  await page.getByRole("button", { name: "Show as a table" }).first().click();
  const table = page.getByRole("region", { name: "Requests by hour, as a table" });
  expect(await table.getByRole("row").last().innerText()).toMatch(/^\w{3} \d+, \d\d:00\s+[1-9]/);

  await page.getByRole("button", { name: "30 days" }).click();
  await page.getByRole("figure", { name: "Requests by day" }).waitFor();
  expect(await page.getByRole("button", { name: "Days", exact: true }).getAttribute("aria-pressed")).toBe("true");
  await closeAfter(await connectPostgres(dashboard.server.ready.database_url), (connection) =>
    connection.execute("delete from funding.usage_hours"),
  );
  // Hours are read again every minute.
  await page.reload();
  await page.getByRole("button", { name: "Hours" }).click();
  await page.getByText("The hours of these days are not kept.").waitFor();
  await page.getByRole("figure", { name: "Requests by day" }).waitFor();
  expect(complaints).toEqual([]);
});

test("charts that the keyboard comes to have a name", async () => {
  expect((await call()).status).toBe(200);
  const { page } = await dashboard.visitSignedIn({ path: "/usage" });
  for (const name of ["Requests by day", "Response times by day"]) {
    const chart = page.getByRole("application", { name });
    await chart.waitFor();
    expect(await chart.getAttribute("tabindex")).toBe("0");
  }
});

test("no figure stands alone in a row of the others, at any width", async () => {
  const { page } = await dashboard.visitSignedIn({ path: "/usage" });
  await page.locator(".stat").first().waitFor();
  for (const width of [390, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const tops = await page
      .locator(".stat")
      .evaluateAll((figures) => figures.map((one) => one.getBoundingClientRect().y));
    const rows = [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    expect(tops).toHaveLength(6);
    expect(new Set(rows).size, `rows of ${rows} at ${width}`).toBe(1);
  }
});

test("the status page tells anybody whether the API is up, how fresh its data is, and where its history is", async () => {
  const { page, complaints } = await dashboard.visit();
  await page.goto(`${dashboard.origin}/reference`);
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Status" }).click();
  await page.getByRole("heading", { name: "The API is up" }).waitFor();
  const ready = (await (await fetch(`${dashboard.server.ready.base_url}/health/ready`)).json()) as {
    data_as_of: { grants: string };
  };
  const data = page.getByRole("region", { name: "Data" });
  expect(await data.locator("time").first().getAttribute("datetime")).toBe(ready.data_as_of.grants);
  const history = page.getByRole("region", { name: "History" });
  expect(await history.getByRole("link").getAttribute("href")).toBe("https://status.example");

  // The server has checked itself, and the call counts in p95 as soon as it is written.
  expect((await call()).status).toBe(200);
  await expect
    .poll(async () => {
      await page.reload();
      return page.locator(".stat").filter({ hasText: "p95, last hour" }).innerText();
    })
    .toMatch(/\d m?s/);
  await history.getByText("No check failed").waitFor();
  const days = history.locator(".day-bar");
  expect(await days.count()).toBe(90);
  expect(await days.evaluateAll((all) => all.filter((day) => (day as HTMLElement).tabIndex === 0).length)).toBe(1);
  await days.last().focus();
  expect(await page.locator(".day-tooltip").innerText()).toMatch(/: up in all of \d+ checks?/);
  await page.keyboard.press("ArrowLeft");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/: no data$/);
  await page.keyboard.press("Home");
  expect(await page.locator(".day-tooltip").innerText()).toMatch(/: no data$/);
  expect(complaints).toEqual([]);

  await page.route("**/health/ready", (route) => route.abort());
  await page.reload();
  await page.getByRole("heading", { name: "The API cannot be reached from here" }).waitFor();
  await page.unroute("**/health/ready");
  await closeAfter(await connectPostgres(dashboard.server.ready.database_url), async (connection) => {
    await connection.execute("create table pg_temp.fit as select fitted_at from funding.lexicon_fit");
    try {
      await connection.execute("update funding.lexicon_fit set fitted_at = null");
      // The answer is kept for a second.
      await expect
        .poll(async () => {
          await page.reload();
          return page.getByRole("heading", { name: /^The API is/ }).innerText();
        })
        .toBe("The API is not ready");
      await page.getByText("Not ready: the lexicon is not fitted").waitFor();
    } finally {
      await connection.execute("update funding.lexicon_fit set fitted_at = (select fitted_at from pg_temp.fit)");
    }
  });
});
