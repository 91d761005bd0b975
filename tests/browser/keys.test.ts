import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard, type Visit } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
let visitor: Visit;
let page: Page;

beforeAll(async () => {
  dashboard = await openDashboard();
  visitor = await dashboard.visitSignedIn();
  page = visitor.page;
});
afterAll(() => dashboard.end());

const call = async (key: string) =>
  (
    await fetch(`${dashboard.server.ready.base_url}/grants-api?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
  ).status;

/** The open dialog. A toast has the same role. */
const openDialog = () => page.locator("[role=dialog]:not(.toast)");
const goTo = (name: string) => page.getByRole("link", { name, exact: true }).click();
const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });

/** Reads the key out of the dialog that shows it once, and closes it. */
async function takeIssuedKey(): Promise<string> {
  const key = await openDialog().getByRole("status", { name: "Key" }).innerText();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await openDialog().waitFor({ state: "detached" });
  return key;
}

async function createKey(name: string): Promise<string> {
  await goTo("API keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill(name);
  await openDialog().getByRole("button", { name: "Create key" }).click();
  return takeIssuedKey();
}

async function choose(keyName: string, action: string): Promise<void> {
  await page
    .getByRole("button", { name: `Actions for ${keyName}` })
    .first()
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** All that the browser keeps of this origin, and what it shows. */
async function everythingKept(): Promise<string> {
  const storage = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  return [storage, page.url(), await page.content()].join("\n");
}

test("a key is created with a name, works at once, is masked ever after and kept nowhere in the browser", async () => {
  const key = await createKey("nightly sync");
  expect(key).toMatch(/^fo_live_\w{38}$/);
  expect(await call(key)).toBe(200);
  expect(await row("nightly sync").innerText()).toContain(`${key.slice(0, 12)}…${key.slice(-4)}`);
  expect(await everythingKept()).not.toContain(key);
  await page.reload();
  await row("nightly sync").waitFor();
  expect(await everythingKept()).not.toContain(key);
});

test("a call with the key is counted, and its last use is shown", async () => {
  const key = await createKey("counted");
  for (let call = 0; call < 3; call++) {
    const answer = await fetch(`${dashboard.server.ready.base_url}/grants-api?limit=0`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(400);
  }
  await goTo("Usage");
  const counts = page.getByRole("row", { name: /^counted/ });
  await expect
    .poll(async () => {
      await page.reload();
      await counts.waitFor();
      return (await counts.locator("td").allInnerTexts()).slice(0, 3);
    })
    .toEqual(["3", "3", "0"]);
  await page
    .getByLabel("Key", { exact: true })
    .selectOption({ label: `counted (${key.slice(0, 12)}…${key.slice(-4)})` });
  await page.getByText("100%").first().waitFor();
  await goTo("API keys");
  await row("counted").getByText("3 requests").waitFor();
  await row("counted").getByText("just now").or(row("counted").getByText("minute")).first().waitFor();
});

test("a name that is missing is said beside its field", async () => {
  await goTo("API keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await openDialog().getByRole("button", { name: "Create key" }).click();
  const field = page.getByLabel("Name");
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  await page.keyboard.press("Escape");
  await openDialog().waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Create key");
});

test("an expiry is kept and shown, and without its date no key is created", async () => {
  await goTo("API keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("short");
  await page.getByLabel("Expires").selectOption("On a date…");
  const lastDay = page.getByLabel("Last day");
  await lastDay.fill("");
  await openDialog().getByRole("button", { name: "Create key" }).click();
  await openDialog().getByText("choose a date").waitFor();
  await expect.poll(() => lastDay.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByLabel("Expires").selectOption("30");
  await openDialog().getByRole("button", { name: "Create key" }).click();
  await takeIssuedKey();
  const expiry = new Date(Date.now() + 30 * 86_400_000);
  await row("short")
    .getByText(new Intl.DateTimeFormat("en-US", { dateStyle: "medium" }).format(expiry))
    .waitFor();
});

test("a new key is shown, whatever the browser's buttons do while it is created", async () => {
  await goTo("Overview");
  await goTo("API keys");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isKeys = (url: URL) => url.pathname.endsWith("/account-api/keys");
  await page.route(isKeys, async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("awaited");
  await openDialog().getByRole("button", { name: "Create key" }).click();
  await openDialog().getByRole("button", { name: "Creating…" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await openDialog().getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
  await page.goBack();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  release();
  await openDialog().getByRole("status", { name: "Key" }).waitFor();
  await page.goForward();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/keys");
  expect(await call(await takeIssuedKey())).toBe(200);
  await row("awaited").waitFor();
  await page.unroute(isKeys);
});

test("limits are set with the key, shown, and changed later", async () => {
  const statusOf = async (key: string, dataset: string) =>
    (
      await fetch(`${dashboard.server.ready.base_url}/${dataset}-api?limit=1`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status;
  await goTo("API keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = openDialog();
  await page.getByLabel("Name").fill("grants page");
  await dialog.getByText("Limits", { exact: true }).click();
  await dialog.getByRole("button", { name: "Grants" }).click();
  const quota = dialog.getByLabel("Requests a day");
  await quota.fill("many");
  // Folded again: the refusal unfolds it, and the field has the focus.
  await dialog.getByText("Limits", { exact: true }).click();
  await quota.waitFor({ state: "hidden" });
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByText(/must be a whole number of requests/i).waitFor();
  await expect.poll(() => quota.evaluate((field) => field === document.activeElement)).toBe(true);
  await dialog.getByLabel("Requests a day").fill("1,000");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await takeIssuedKey();
  await row("grants page").getByText("Only grants · 1,000 requests a day").waitFor();
  expect([await statusOf(key, "grants"), await statusOf(key, "contracts")]).toEqual([200, 403]);

  await choose("grants page", "Limits…");
  await dialog.getByRole("button", { name: "Contracts" }).click();
  await dialog.getByLabel("Requests a day").fill("");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await row("grants page").getByText("Only grants and contracts", { exact: true }).waitFor();
  expect([await statusOf(key, "contracts"), await statusOf(key, "funders")]).toEqual([200, 403]);

  await choose("grants page", "Limits…");
  await dialog.getByLabel("Addresses").fill("127.0.0.1\n\n10.0.0.1/8\n");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await dialog.getByText("Range 2 must be 10.0.0.0/8, the range that 10.0.0.1/8 is in").waitFor();
  await dialog.getByLabel("Addresses").fill("127.0.0.1\n10.0.0.0/8, 2001:db8::/32");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await row("grants page").getByText("Only grants and contracts · from 3 address ranges", { exact: true }).waitFor();
  expect(await statusOf(key, "grants")).toBe(200);

  await choose("grants page", "Limits…");
  expect(await dialog.getByLabel("Addresses").inputValue()).toBe("127.0.0.1/32\n10.0.0.0/8\n2001:db8::/32");
  await dialog.getByLabel("Addresses").fill("203.0.113.0/24");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await row("grants page").getByText("Only grants and contracts · from 203.0.113.0/24", { exact: true }).waitFor();
  expect(await statusOf(key, "grants")).toBe(403);
});

describe("rotating", () => {
  test("with an overlap, both keys work", async () => {
    const old = await createKey("overlapping");
    await choose("overlapping", "Rotate…");
    await page.getByRole("button", { name: "Rotate key" }).click();
    const next = await takeIssuedKey();
    expect([await call(old), await call(next)]).toEqual([200, 200]);
    await page.getByText("Being replaced").waitFor();
  });

  test("without one, only the new key works", async () => {
    const old = await createKey("abrupt");
    await choose("abrupt", "Rotate…");
    await page.getByLabel("The old key works").selectOption("0");
    await page.getByRole("button", { name: "Rotate key" }).click();
    const next = await takeIssuedKey();
    expect([await call(old), await call(next)]).toEqual([401, 200]);
  });
});

test("a key whose replacement is revoked is no longer being replaced, and can be rotated again", async () => {
  const old = await createKey("undecided");
  await choose("undecided", "Rotate…");
  await page.getByRole("button", { name: "Rotate key" }).click();
  const lost = await takeIssuedKey();
  await row("undecided").getByText("Being replaced").waitFor();
  // The newest is the first.
  await choose("undecided", "Revoke…");
  await page.getByRole("button", { name: "Revoke key" }).click();
  await row("undecided").getByText("Being replaced").waitFor({ state: "detached" });
  await row("undecided")
    .getByText(/^Expires (in|tomorrow)/)
    .waitFor();
  await choose("undecided", "Rotate…");
  await page.getByRole("button", { name: "Rotate key" }).click();
  const second = await takeIssuedKey();
  expect([await call(old), await call(lost), await call(second)]).toEqual([200, 401, 200]);
  await row("undecided").getByText("Being replaced").waitFor();
});

test("the keyboard alone revokes a key, and goes on at the page's title", async () => {
  await createKey("keyboard");
  await page.getByRole("button", { name: "Actions for keyboard" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Revoke…" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Revoke key" }).focus();
  await page.keyboard.press("Enter");
  await row("keyboard").waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Create key");
});

test("a revoked key is refused at once, and moves to those that ended", async () => {
  const key = await createKey("doomed");
  expect(await call(key)).toBe(200);
  await choose("doomed", "Revoke…");
  await page.getByRole("button", { name: "Revoke key" }).click();
  await page.getByText("doomed is revoked").waitFor();
  expect(await call(key)).toBe(401);
  await row("doomed").waitFor({ state: "detached" });
  await page.getByRole("button", { name: /inactive key/ }).click();
  await row("doomed").getByText("Revoked").waitFor();
});

test("the page is true to its policy and complains of nothing", () => {
  expect(visitor.complaints).toEqual([]);
});
