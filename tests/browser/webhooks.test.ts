import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { samples } from "../../shared/webhooks/samples.ts";
import type { Page, Request } from "./chromium.ts";
import { takeClock } from "./clock.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
let receiver: Server;
let status: number;
let received: { event: string; data: { id: string; title?: string } }[];

beforeAll(async () => {
  dashboard = await openDashboard({ WEBHOOKS_ALLOW_LOOPBACK: "true" });
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push(JSON.parse(body));
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
beforeEach(() => {
  status = 200;
  received = [];
});
afterAll(async () => {
  await dashboard.end();
  receiver.close();
});

/** An address of the receiver, by which a test knows its own webhook. */
const addressOf = (name: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${name}`;
const dialog = (page: Page) => page.getByRole("dialog");
const box = (page: Page, name: string) => dialog(page).getByRole("checkbox", { name, exact: true });

/** Shows the filters of the form as query strings. */
async function asQueryStrings(page: Page): Promise<void> {
  for (const button of await dialog(page).getByRole("button", { name: "Query string" }).all()) await button.click();
}

async function openForm(name: string): Promise<Page> {
  const { page } = await dashboard.visitSignedIn({ path: "/webhooks" });
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByLabel("Address").fill(addressOf(name));
  return page;
}

/** Saves the form of a new webhook, and opens its page. */
async function add(page: Page, name: string): Promise<Request> {
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/webhooks"));
  await dialog(page).getByRole("button", { name: "Add webhook" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("link", { name: addressOf(name) }).click();
  await page.getByRole("button", { name: "Send a test" }).waitFor();
  return sent;
}

/** Opens the form of the webhook that is shown, changes it, and saves it. @returns what is sent. */
async function edit(page: Page, change: () => Promise<void>): Promise<unknown> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  await change();
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await dialog(page).waitFor({ state: "detached" });
  return (await sent).postDataJSON();
}

async function sendTest(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByRole("button", { name: "Send test" }).click();
  await dialog(page).waitFor({ state: "detached" });
}

test("a webhook that an answer of 410 disables says so on its open page, and offers to start it", async () => {
  const page = await openForm("gone");
  await add(page, "gone");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  status = 410;
  await sendTest(page);
  await page.getByText("This webhook is disabled").waitFor();
  await page.getByRole("button", { name: "Activate" }).waitFor();
  await page.getByText("The receiver answered 410 Gone. Fix your program, activate").waitFor();
});

test("a filter without parameters outlives an edit of something else, and goes only when it is taken away", async () => {
  const page = await openForm("defaults");
  await box(page, "Leave out awarded projects and archived grants").click();
  expect((await add(page, "defaults")).postDataJSON()).toMatchObject({ filters: { grants: "" } });
  await page.getByText("the list’s defaults").waitFor();
  const rename = () => page.getByLabel("Description").fill("Renamed");
  expect(await edit(page, rename)).toEqual({ description: "Renamed" });
  await page.getByRole("heading", { name: "Renamed" }).waitFor();
  await page.getByText("the list’s defaults").waitFor();
  const takeAway = () => box(page, "Leave out awarded projects and archived grants").click();
  expect(await edit(page, takeAway)).toEqual({ filters: {} });
  await page.getByText("the list’s defaults").waitFor({ state: "detached" });
});

test("every wrong filter is named, each beside its field, and a message goes with its correction", async () => {
  const page = await openForm("wrong");
  await box(page, "contract.created").click();
  await asQueryStrings(page);
  const [grants, contracts] = [page.getByLabel("Only grants that match"), page.getByLabel("Only contracts that match")];
  await grants.fill("states=Ohio&min_amount=much");
  await contracts.fill("states=Texas");
  await dialog(page).getByRole("button", { name: "Add webhook" }).click();
  const message = (field: typeof grants) =>
    field.locator("xpath=ancestor::div[contains(@class, 'field')][1]").locator(".field-error");
  await message(contracts).waitFor();
  expect(await message(grants).innerText()).toMatch(/states .*; min_amount /i);
  await grants.fill("states=OH");
  await message(grants).waitFor({ state: "detached" });
  expect(await contracts.getAttribute("aria-invalid")).toBe("true");
  await contracts.fill("");
  expect(await dialog(page).locator(".field-error").count()).toBe(0);

  await grants.fill("states=Ohio");
  await dialog(page).getByRole("button", { name: "Add webhook" }).click();
  await message(grants).waitFor();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Add webhook" }).click();
  await asQueryStrings(page);
  await grants.waitFor();
  expect(await dialog(page).locator(".field-error").count(), "in the next form").toBe(0);
});

test("a filter is chosen in a form, which keeps what it has no field for, and shows the refusal of a value", async () => {
  const page = await openForm("chosen");
  const queryString = page.getByLabel("Only grants that match");
  await asQueryStrings(page);
  await queryString.fill("include_versions=true&unknown=1");
  await page.getByRole("button", { name: "Form", exact: true }).click();
  await page.getByText("The query string also has unknown.").waitFor();
  await page.getByLabel("Search", { exact: true }).fill("clean water");
  await page.getByRole("button", { name: "Filters (1)" }).waitFor();
  await page.getByLabel("States", { exact: true }).fill("Ohio");
  await page.getByLabel("Category", { exact: true }).fill("Food, Nutrition | Health");
  await asQueryStrings(page);
  expect([...new URLSearchParams(await queryString.inputValue())]).toEqual([
    ["include_versions", "true"],
    ["unknown", "1"],
    ["search", "clean water"],
    ["states", "Ohio"],
    ["category", "Food, Nutrition"],
    ["category", "Health"],
  ]);
  await queryString.fill((await queryString.inputValue()).replace("&unknown=1", ""));
  await page.getByRole("button", { name: "Form", exact: true }).click();
  await dialog(page).getByRole("button", { name: "Add webhook" }).click();
  await dialog(page)
    .getByText(/states must be/)
    .waitFor();
  await page.getByLabel("States", { exact: true }).fill("OH, PA");
  await page.getByLabel("Category", { exact: true }).fill("");
  await dialog(page)
    .getByText(/states must be/)
    .waitFor({ state: "detached" });
  const filters = { grants: "include_versions=true&search=clean+water&states=OH,+PA" };
  expect((await add(page, "chosen")).postDataJSON()).toMatchObject({ filters });
});

test("an edit leaves what somebody else changes meanwhile, and has no error of an earlier change", async () => {
  const page = await openForm("shared");
  await add(page, "shared");
  const isWebhook = (url: URL) => url.href === page.url().replace("/webhooks/", "/functions/v1/account-api/webhooks/");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(isWebhook, async (route) => {
    if (route.request().method() === "PATCH") return route.abort();
    await held;
    await route.continue();
  });
  // The page reads the webhook again after a change, also after one that failed.
  const reading = page.waitForRequest((request) => request.method() === "GET" && isWebhook(new URL(request.url())));
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("The API cannot be reached").waitFor();
  const changed = await fetch((await reading).url(), {
    method: "PATCH",
    headers: { ...(await (await reading).allHeaders()), "content-type": "application/json" },
    body: JSON.stringify({ description: "Changed elsewhere" }),
  });
  expect(changed.status).toBe(200);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  await page.getByLabel("Address").fill(addressOf("moved"));
  const form = page.locator("[role=dialog]:not(.toast)");
  expect(await form.getByRole("alert").count()).toBe(0);
  release();
  await page.locator("h1", { hasText: "Changed elsewhere" }).waitFor();
  await page.unroute(isWebhook);
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "detached" });
  expect((await sent).postDataJSON()).toEqual({ url: addressOf("moved") });
});

test("the form says how many deliveries saving sends at once, and so many are sent", async () => {
  const page = await openForm("deadlines");
  await box(page, "grant.created").click();
  await box(page, "grant.deadline_approaching").click();
  await page.getByLabel("Days before a deadline").fill("30");
  const said = page.getByText(/Saving sends \d+ deliveries at once/);
  const count = Number(/\d+/.exec(await said.innerText())?.[0]);
  expect(count).toBeGreaterThan(1);
  await asQueryStrings(page);
  await page.getByLabel("Only grants that match").fill("states=OH");
  await page.getByText(`Saving sends ${count} deliveries`).waitFor({ state: "detached" });
  await page.getByLabel("Only grants that match").fill("");
  await page.getByText(`Saving sends ${count} deliveries`).waitFor();
  await add(page, "deadlines");
  await expect.poll(() => received.length, { timeout: 120_000 }).toBe(count);
});

test("a webhook asks for the updates that move a deadline, and for details", async () => {
  const page = await openForm("fields");
  await box(page, "grant.updated").click();
  await page.getByLabel("Send updates").selectOption("When a deadline moves");
  await box(page, "Send records with their details").click();
  expect((await add(page, "fields")).postDataJSON()).toMatchObject({
    updated_fields: ["deadline_date", "deadline_at"],
    expand: ["details"],
  });
  await page.getByText("deadline_date, deadline_at").waitFor();
  const chooseNone = async () => {
    await page.getByLabel("Send updates").selectOption("When one of these fields changed");
    for (const name of ["deadline_date", "deadline_at"]) await box(page, name).click();
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByText("choose at least one field").waitFor();
    await box(page, "status").click();
  };
  expect(await edit(page, chooseNone)).toEqual({ updated_fields: ["status"] });
});

describe("the log of deliveries", () => {
  test("tells deliveries apart: record, event, test, answer, duration and date", async () => {
    const page = await openForm("log");
    await add(page, "log");
    status = 500;
    await sendTest(page);
    const row = page.getByRole("row", { name: String(samples["grant.created"].data.title) });
    await row.getByText(/500 in [\d,]+ ms/).waitFor();
    expect(await row.innerText()).toMatch(/grant\.created\s+Test/);
    const today = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" }).format(new Date());
    expect(await row.innerText()).toContain(today);
    await row.getByRole("button").click();
    await dialog(page).waitFor();
    // The receiver's answer to the attempt that failed is open.
    await dialog(page).getByRole("region", { name: "answer" }).getByText("500").waitFor();
    // Its address leads to it again.
    await page.reload();
    await dialog(page)
      .getByText(/The next attempt is (due now|in )/)
      .waitFor();
    const [attempt, payload] = await Promise.all(
      [dialog(page).getByText("Attempt 1"), dialog(page).getByRole("region", { name: "payload" })].map((part) =>
        part.boundingBox(),
      ),
    );
    expect(attempt?.y, "the attempt is above the payload").toBeLessThan(payload?.y ?? 0);
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await row.getByText(/Next attempt (due now|in )/).waitFor();
    await page.getByRole("button", { name: "Waiting (1)" }).waitFor();
    await page.getByRole("button", { name: "Python", exact: true }).click();
    await page.getByRole("region", { name: "verification in Python" }).getByText("verify_webhook(body").waitFor();
  });

  test("of a paused webhook is read no faster for what waits there, and from the second page on by its reader alone", async () => {
    const page = await openForm("paused");
    const { authorization = "" } = await (await add(page, "paused")).allHeaders();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("This webhook is paused").waitFor();
    const api = page.url().replace("/webhooks/", "/functions/v1/account-api/webhooks/");
    for (let count = 0; count < 21; count++) {
      const headers = { authorization, "content-type": "application/json" };
      const body = JSON.stringify({ event: "grant.created" });
      expect((await fetch(`${api}/test`, { method: "POST", headers, body })).ok).toBe(true);
    }
    let reads = 0;
    page.on("request", (request) => {
      // Those of the list: the counts on its tabs are read each minute.
      if (request.url().startsWith(`${api}/deliveries?limit=20`)) reads += 1;
    });
    const rows = page.getByRole("row");
    const putForward = await takeClock(page);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1 + 20);
    // Every 15 seconds. Every 3 seconds it would be 8 times.
    for (let jump = 0; jump < 8; jump++) await putForward("00:04");
    await expect.poll(() => reads).toBeGreaterThan(1);
    expect(reads).toBeLessThan(6);

    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rows.count()).toBe(1 + 21);
    reads = 0;
    for (let jump = 0; jump < 4; jump++) await putForward("00:16");
    expect(reads).toBe(0);
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect.poll(() => reads).toBe(2);
  });
});

test("the list tells the share of deliveries that arrived, and when the last one was made", async () => {
  const page = await openForm("share");
  await add(page, "share");
  await sendTest(page);
  await page.getByRole("row", { name: /200 in/ }).waitFor();
  await page.getByRole("link", { name: "All webhooks" }).click();
  const row = page.getByRole("row", { name: addressOf("share") });
  await row.getByText("100% arrived").waitFor();
  expect(await row.innerText()).toMatch(/just now|minutes? ago/);
});

test("an account without webhooks is told so before the form, and not after it", async () => {
  const { page } = await dashboard.visitSignedIn({ email: "newcomer@demo.example", path: "/webhooks" });
  await page.getByText("The free tier has no webhooks").waitFor();
  await page.getByText("No webhooks yet").waitFor();
  expect(await page.getByRole("button", { name: "Add webhook" }).count()).toBe(0);
});
