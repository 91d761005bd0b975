import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.end());

const palette = (page: Page) => page.getByRole("dialog", { name: /^Search pages/ });
const field = (page: Page) => palette(page).getByRole("combobox");
const entries = (page: Page) => palette(page).getByRole("option");
const isFocused = (page: Page, name: string) =>
  page.getByLabel(name, { exact: true }).evaluate((element) => element === document.activeElement);

test("Ctrl+K finds a page by its name and goes there, by the keyboard alone", async () => {
  const { page, complaints } = await dashboard.visitSignedIn();
  await page.keyboard.press("Control+k");
  await expect.poll(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await entries(page).count()).toBeGreaterThan(8);
  await page.keyboard.type("sear");
  await expect.poll(() => entries(page).first().innerText()).toBe("Saved searches");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const active = page.locator(`[id="${await field(page).getAttribute("aria-activedescendant")}"]`);
  expect(await active.innerText()).toBe("Saved searches");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Saved searches" }).waitFor();
  await palette(page).waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("Escape closes it, and the focus returns to where it was; it does not open over another dialog", async () => {
  const { page } = await dashboard.visitSignedIn({ path: "/keys" });
  const create = page.getByRole("button", { name: "Create key" });
  await create.focus();
  await page.keyboard.press("Control+k");
  await field(page).fill("water");
  await page.keyboard.press("Escape");
  await palette(page).waitFor({ state: "detached" });
  await expect.poll(() => create.evaluate((button) => button === document.activeElement)).toBe(true);
  await create.click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Control+k");
  expect(await palette(page).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("on a Mac the shortcut is ⌘K, and the page says so", async () => {
  const { page } = await dashboard.visitSignedIn();
  await page.addInitScript(() => Object.defineProperty(navigator, "platform", { get: () => "MacIntel" }));
  await page.reload();
  await page.getByText("⌘K").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Meta+k");
  await field(page).waitFor();
  await palette(page).getByRole("button", { name: "Close" }).click();
  await palette(page).waitFor({ state: "detached" });
});

test("its script is loaded when it is opened for the first time", async () => {
  const { page } = await dashboard.visitSignedIn();
  await page.waitForLoadState("networkidle");
  const loaded = page.waitForRequest(/\/assets\/palette-.*\.js$/);
  await page.getByRole("button", { name: "Search everything" }).click();
  await loaded;
  await field(page).waitFor();
});

test("a slash goes to the explorer's search, is typed in a field, and elsewhere opens the palette", async () => {
  const { page } = await dashboard.visitSignedIn({ path: "/explorer" });
  await page.getByRole("heading", { name: "Explorer" }).click();
  await page.keyboard.press("/");
  expect(await isFocused(page, "Search")).toBe(true);
  await page.getByLabel("Search", { exact: true }).fill("and");
  await page.keyboard.type("/or");
  expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("and/or");
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await page.keyboard.press("/");
  await field(page).waitFor();
});

test("keys and requests are found by the sign-in alone, and no key is made for it", async () => {
  const { base_url, api_key } = dashboard.server.ready;
  const answer = await fetch(`${base_url}/grants-api?limit=1`, { headers: { authorization: `Bearer ${api_key}` } });
  const id = answer.headers.get("x-request-id") ?? "";
  const { page } = await dashboard.visitSignedIn();
  let made = 0;
  page.on("request", (request) => {
    if (/explorer-key|grants-api\?/.test(request.url())) made++;
  });
  await page.getByRole("button", { name: "Search everything" }).click();
  await field(page).fill(id);
  const request = entries(page).filter({ hasText: "GET /grants-api" });
  await request.waitFor();
  await field(page).fill("demo");
  const key = palette(page).getByRole("group", { name: "Keys" }).getByRole("option").first();
  await key.click();
  await page.locator("tr[aria-current=true]").waitFor();
  expect(made).toBe(0);
  await page.keyboard.press("Control+k");
  await field(page).fill(id);
  await request.click();
  await page.getByRole("heading", { name: "Request", exact: true }).waitFor();
  await page.getByText(id).first().waitFor();
});

test("records are searched for in the explorer, and listed once it has a key", async () => {
  const { page } = await dashboard.visitSignedIn();
  await page.keyboard.press("Control+k");
  await field(page).fill("water");
  await entries(page).filter({ hasText: "Search grants for “water”" }).click();
  await page.getByText("200 OK").waitFor();
  const [title = ""] = await page.locator(".results-title").allInnerTexts();
  await page.keyboard.press("Control+k");
  await field(page).fill("water");
  const record = entries(page).filter({ hasText: /, / }).first();
  const name = await record.locator(".palette-entry-name").innerText();
  await record.click();
  await page.getByRole("heading", { name, level: 3 }).waitFor();
  await page.goBack();
  await expect.poll(() => page.locator(".results-title").first().innerText()).toBe(title);
});

test("with forced colours the entry that Enter takes has an outline", async () => {
  const { page } = await dashboard.visitSignedIn({ forcedColors: "active" });
  await page.keyboard.press("Control+k");
  await entries(page).first().waitFor();
  const outline = await page
    .locator(".palette-entry[data-highlighted]")
    .evaluate((entry) => getComputedStyle(entry).outlineStyle);
  expect(outline).toBe("solid");
});
