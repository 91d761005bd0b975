import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "./chromium.ts";
import { takeClock } from "./clock.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.end());

const dialog = (page: Page) => page.getByRole("dialog");

async function choose(page: Page, search: string, entry: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${search}` }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

test("a search is saved in the explorer, read by its secret addresses, made a webhook, and deleted", async () => {
  const { page, complaints } = await dashboard.visitSignedIn({
    path: "/explorer?dataset=grants&search=water&limit=5",
  });
  await page.getByRole("button", { name: "Save this search" }).click();
  await page.getByLabel("Name").fill("");
  await dialog(page).getByRole("button", { name: "Save search" }).click();
  await dialog(page).getByText("must not be empty").waitFor();
  await page.getByLabel("Name").fill("Clean water");
  // By the keyboard.
  await page.getByLabel("Name").press("Enter");
  await dialog(page).waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Saved searches", exact: true }).click();
  const row = page.getByRole("row", { name: /Clean water/ });
  await row.getByText("grants: search water").waitFor();
  expect(await row.getByRole("link", { name: "Clean water" }).getAttribute("href")).toBe(
    "/explorer?dataset=grants&search=water",
  );

  await choose(page, "Clean water", "E-mails…");
  expect(await dialog(page).getByLabel("Time zone").inputValue()).toBe(
    await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
  await dialog(page).getByLabel("Send").selectOption("Every week");
  await dialog(page).getByLabel("Day").selectOption("Friday");
  await dialog(page).getByLabel("Time", { exact: true }).selectOption("7:00 AM");
  await dialog(page).getByLabel("Time zone").selectOption("America/New York");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await row.getByText("Fridays").waitFor();
  await row.getByText(/^Next on /).waitFor();
  await choose(page, "Clean water", "E-mails…");
  expect(await dialog(page).getByLabel("Time", { exact: true }).inputValue()).toBe("7");
  await dialog(page).getByLabel("Send").selectOption("Never");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await row.getByText("Fridays").waitFor({ state: "detached" });

  await choose(page, "Clean water", "Feed and calendar…");
  await dialog(page).getByRole("button", { name: "Make addresses" }).click();
  const feed = (await dialog(page).getByLabel("Feed", { exact: true }).textContent()) ?? "";
  const calendar = (await dialog(page).getByLabel("Calendar", { exact: true }).textContent()) ?? "";
  expect(await (await fetch(feed)).text()).toContain("<feed ");
  expect(await (await fetch(calendar)).text()).toContain("BEGIN:VCALENDAR");
  await page.keyboard.press("Escape");
  await dialog(page).getByRole("button", { name: "I have saved them" }).click();
  expect(await page.content()).not.toContain("fo_feed_");

  await choose(page, "Clean water", "Revoke feed and calendar…");
  await dialog(page).getByRole("button", { name: "Revoke addresses" }).click();
  await dialog(page).waitFor({ state: "detached" });
  expect((await fetch(feed)).status).toBe(404);

  await choose(page, "Clean water", "Make a webhook…");
  expect(await dialog(page).getByLabel("Description").inputValue()).toBe("Clean water");
  expect(await dialog(page).getByRole("checkbox", { name: "grant.created" }).isChecked()).toBe(true);
  expect(await dialog(page).getByLabel("Search", { exact: true }).inputValue()).toBe("water");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  expect(new URL(page.url()).search).toBe("");

  await page.goto(`${dashboard.origin}/saved-searches`);
  await choose(page, "Clean water", "Delete…");
  await dialog(page).getByRole("button", { name: "Delete search" }).click();
  await page.getByText("No saved searches yet").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("page-heading");
  expect(complaints).toEqual([]);
});

test("new records are counted once a minute, and not with each refresh of a page", async () => {
  const { page } = await dashboard.visitSignedIn({ path: "/saved-searches" });
  let counts = 0;
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().endsWith("/account-api/saved-searches")) counts += 1;
  });
  const putForward = await takeClock(page);
  for (const path of ["/saved-searches", "/"]) {
    counts = 0;
    await page.goto(`${dashboard.origin}${path}`);
    await expect.poll(() => counts).toBe(1);
    await page.waitForLoadState("networkidle");
    // Every 15 seconds, it would be 4 times more.
    for (let jump = 0; jump < 4; jump++) await putForward("00:16");
    await expect.poll(() => counts).toBeGreaterThan(1);
    expect(counts).toBeLessThan(4);
  }
});
