import { afterAll, beforeAll, expect, test } from "vitest";
import { takeClock } from "./clock.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.end());

test("a request is seen as it comes, found by its problem, opened, and sent again in the explorer", async () => {
  const { page, complaints } = await dashboard.visitSignedIn();
  const key = dashboard.server.ready.api_key;
  const send = (path: string) =>
    fetch(`${dashboard.origin}/functions/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  await page.getByRole("link", { name: "Requests", exact: true }).click();
  await page.getByRole("checkbox", { name: "Live" }).click();
  await page.waitForURL("**/requests?live=on");
  await send("/grants-api?states=OH&limit=3&search=clean%20water");
  const refused = await send("/grants-api?limit=0");
  const id = refused.headers.get("x-request-id") ?? "";
  await page.getByRole("row", { name: /limit must be/ }).waitFor();
  const listed = page.getByRole("row", { name: /limit=3 states=OH search=… \(11 characters\)/ });
  expect(await listed.innerText()).toMatch(/\d:\d\d:\d\d\.\d{3} [AP]M/);
  const text = page.getByRole("searchbox", { name: "Text", exact: true });
  await text.fill("oh 200");
  await page.getByRole("row", { name: /limit must be/ }).waitFor({ state: "detached" });
  await listed.waitFor();
  await text.fill("oh nothing-of-this");
  await page.getByText(/None of the \d+ requests that were read has this text/).waitFor();
  await text.fill("");
  await page.getByLabel("Status").selectOption("2xx");
  await page.getByRole("row", { name: /limit must be/ }).waitFor({ state: "detached" });
  await page.waitForURL("**/requests?live=on&status=2xx");

  await page.getByRole("link", { name: "GET /grants-api" }).first().click();
  await page.getByText("11 characters, not kept").waitFor();
  const command = await page.getByRole("region", { name: "request as curl" }).innerText();
  expect(command).toContain(`'${dashboard.server.ready.base_url}/grants-api?limit=3&states=OH'`);
  await page.getByText("Add search, whose text is not kept.").waitFor();
  await page.getByRole("link", { name: "Open in the explorer" }).click();
  await page.waitForURL(/\/explorer\?dataset=grants&/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ dataset: "grants", states: "OH", limit: "3" });

  await page.goto(`${dashboard.origin}/requests?request_id=${id}`);
  await page.getByRole("row", { name: /limit must be/ }).waitFor();
  expect(await page.getByRole("row").count()).toBe(2);
  await page.goto(`${dashboard.origin}/requests/${id}`);
  await page.getByText("invalid-parameters").waitFor();
  await page.getByText("X-RateLimit-Remaining").waitFor();
  const twice = await send("/grants-api?offset=-1&states=XX");
  await page.goto(`${dashboard.origin}/requests/${twice.headers.get("x-request-id")}`);
  await page.getByRole("listitem").getByText("states").waitFor();
  await page.getByRole("listitem").getByText("offset").waitFor();
  // A name of the API in a sentence is code, without its backticks.
  const marked = await send(`/grants-api/${crypto.randomUUID()}/changes?cursor=x`);
  expect(await marked.text()).toContain("must be `next` of");
  await page.goto(`${dashboard.origin}/requests/${marked.headers.get("x-request-id")}`);
  await page.getByText("cursor must be next of the previous page").waitFor();
  await page.goto(`${dashboard.origin}/explorer?dataset=grants&cursor=x`);
  await page.getByRole("button", { name: "Send request" }).click();
  await page.locator(".field-error").getByText("must be pagination.next of the previous page").waitFor();
  await page.goto(`${dashboard.origin}/requests?status=5xx`);
  await page.getByText("No such requests").waitFor();
  await page.goto(`${dashboard.origin}/requests?status=4xx`);
  const hour = page.getByRole("region", { name: "The last hour" });
  await hour.getByRole("button", { name: "Show as a table" }).click();
  const countOfErrors = async () => {
    const rows = await hour
      .getByRole("region", { name: /as a table/ })
      .getByRole("row")
      .allInnerTexts();
    return rows.slice(1).reduce((all, row) => all + Number(row.split("\t")[2]), 0);
  };
  await expect.poll(countOfErrors, { message: "the 4xx of all minutes", timeout: 90_000 }).toBe(4);
  // The list of the last hour begins where it did when that was chosen, also after a minute.
  const begins = new Set<string | null>();
  page.on("request", (request) => {
    if (request.url().includes("/requests?since=")) begins.add(new URL(request.url()).searchParams.get("since"));
  });
  const putForward = await takeClock(page);
  await page.goto(`${dashboard.origin}/requests?hours=1`);
  await page.getByRole("row", { name: /limit must be/ }).waitFor();
  await send("/grants-api?offset=-1");
  await putForward("01:30");
  await expect
    .poll(async () => {
      await putForward("00:16");
      return page.getByRole("row", { name: /offset must be/ }).count();
    })
    .toBe(1);
  await putForward("00:16");
  await page.waitForLoadState("networkidle");
  expect([...begins]).toHaveLength(1);

  await page.goto(dashboard.origin);
  await page.getByRole("region", { name: "Latest requests" }).getByRole("link", { name: "All requests" }).click();
  await page.waitForURL("**/requests");
  expect(complaints).toEqual([]);
});
