import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Locator, Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let dashboard: DashboardUnderTest;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.end());

const isAccountApi = (url: URL) => url.pathname.includes("/account-api");
const call = () =>
  fetch(`${dashboard.server.ready.base_url}/grants-api?limit=1`, {
    headers: { authorization: `Bearer ${dashboard.server.ready.api_key}` },
  });

/** Whether all of an element's height is in the window. */
async function isInView(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

async function openExplorer(width: number, height = 900): Promise<Page> {
  const { page } = await dashboard.visitSignedIn(undefined, { viewport: { width, height } });
  await page.goto(`${dashboard.origin}/explorer`);
  await page.getByLabel("API key").fill(dashboard.server.ready.api_key);
  return page;
}

/** Pages are refreshed every 15 seconds. */
const patience = { timeout: 120_000 };

test("the first request is noticed on the open page, without a reload", patience, async () => {
  const { page } = await dashboard.visitSignedIn();
  await page.getByText("Waiting for your first request").waitFor();
  expect((await call()).status).toBe(200);
  await page.getByText(/It arrived: 1 request so far/).waitFor();
  await page.getByRole("figure", { name: "Requests by day" }).waitFor();
  await page.goto(`${dashboard.origin}/usage`);
  const requests = page.locator(".stat").filter({ hasText: "Requests" }).locator(".stat-value");
  await expect.poll(() => requests.innerText()).toBe("1");
  await call();
  await expect.poll(() => requests.innerText(), { timeout: 40_000 }).toBe("2");
});

test.each([
  ["/", "Overview"],
  ["/keys", "API keys"],
])("a page that cannot be refreshed says so, and when it can be again: %s", patience, async (path, heading) => {
  const { page } = await dashboard.visitSignedIn();
  await page.goto(`${dashboard.origin}${path}`);
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await page
    .getByRole("main")
    .getByText(/no daily limit|demo/)
    .first()
    .waitFor();
  expect(await page.getByText("not up to date").count()).toBe(0);
  await page.route(isAccountApi, (route) => route.abort());
  await page.getByText("This page is not up to date").waitFor({ timeout: 40_000 });
  await page.getByText(/The API cannot be reached. What you see is as of/).waitFor();
  await page.unroute(isAccountApi);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This page is not up to date").waitFor({ state: "detached" });
});

describe("the explorer", () => {
  test("shows what became of a request without scrolling, with the filters open at 1440x900", async () => {
    const page = await openExplorer(1440);
    await page.getByRole("button", { name: "Filters and paging" }).click();
    await page.getByLabel("States").fill("Ohio");
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("400 Bad Request").waitFor();
    expect(await isInView(page.getByText("400 Bad Request"))).toBe(true);
    await page.getByLabel("States").fill("OH");
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("200 OK").waitFor();
    expect(await isInView(page.getByText("200 OK"))).toBe(true);
  });

  test("scrolls to the answer where it is below the form", async () => {
    const page = await openExplorer(390, 844);
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("200 OK").waitFor();
    await expect.poll(() => isInView(page.getByText("200 OK"))).toBe(true);
  });

  test("marks the field that an answer names, opens the filters for it, and takes the mark away with a correction", async () => {
    const page = await openExplorer(1440);
    await page.getByRole("button", { name: "Filters and paging" }).click();
    await page.getByLabel("States").fill("Ohio");
    await page.getByRole("button", { name: "Filters and paging" }).click();
    await page.getByLabel("States").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Send request" }).click();
    const states = page.getByLabel("States");
    await expect.poll(() => states.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => states.evaluate((field) => field === document.activeElement)).toBe(true);
    await page
      .locator(".field-error")
      .getByText(/two-letter USPS state codes/)
      .waitFor();
    await states.fill("OH");
    expect(await states.getAttribute("aria-invalid")).not.toBe("true");
  });

  test("keeps its form in the address, and the key out of it", async () => {
    const page = await openExplorer(1440);
    await page.getByRole("button", { name: "Contracts" }).click();
    await page.getByLabel("Search", { exact: true }).fill("roof & gutters");
    await page.getByRole("button", { name: "Filters and paging" }).click();
    await page.getByLabel("States").fill("OH");
    await page.waitForURL(/states=OH/);
    expect(page.url()).not.toContain(dashboard.server.ready.api_key);
    await page.reload();
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("roof & gutters");
    await page.getByText("/contracts-api?search=roof+%26+gutters").waitFor();
    await page.getByRole("button", { name: "Filters and paging (2)" }).waitFor();
    await page.getByRole("link", { name: "Explorer" }).click();
    await page.waitForURL(/states=OH/);
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("roof & gutters");
  });
});

test("usage keeps its range and its key in the address", async () => {
  const { page } = await dashboard.visitSignedIn();
  await page.goto(`${dashboard.origin}/usage`);
  await page.getByRole("button", { name: "90 days" }).click();
  const key = page.getByLabel("Key", { exact: true });
  await key.selectOption({ index: 1 });
  const chosen = await key.inputValue();
  await page.reload();
  await expect.poll(() => key.inputValue()).toBe(chosen);
  expect(await page.getByRole("button", { name: "90 days" }).getAttribute("aria-pressed")).toBe("true");
});

test("charts that the keyboard comes to have a name", async () => {
  expect((await call()).status).toBe(200);
  const { page } = await dashboard.visitSignedIn();
  await page.goto(`${dashboard.origin}/usage`);
  for (const name of ["Requests by day", "Response times by day"]) {
    const chart = page.getByRole("application", { name });
    await chart.waitFor();
    expect(await chart.getAttribute("tabindex")).toBe("0");
  }
});

test("no figure stands alone in a row of the others, at any width", async () => {
  const { page } = await dashboard.visitSignedIn();
  await page.goto(`${dashboard.origin}/usage`);
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

test("the button that copies code covers none of it on a phone", async () => {
  const page = await openExplorer(390, 844);
  const code = await page.getByRole("region", { name: "request as curl" }).boundingBox();
  const button = await page.getByRole("button", { name: "Copy request as curl" }).boundingBox();
  expect((code?.x ?? 0) + (code?.width ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(button?.x ?? 0);
});
