import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { samples } from "../../shared/webhooks/samples.ts";
import type { Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

const sampleTitle = String(samples["grant.created"].data.title);

let dashboard: DashboardUnderTest;

beforeAll(async () => {
  dashboard = await openDashboard({ WEBHOOKS_ALLOW_LOOPBACK: "true" });
});
afterAll(() => dashboard.end());

const goTo = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();
const isAccountApi = (url: URL) => url.pathname.includes("/account-api");

/** Sends the explorer's request with a key that is pasted. */
async function ask(page: Page, key: string): Promise<void> {
  await goTo(page, "Explorer");
  const other = page.getByRole("button", { name: "Use another key" });
  await other.or(page.getByLabel("API key")).first().waitFor();
  if (await other.isVisible()) await other.click();
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Send request" }).click();
}

test("someone new is led to a key, and told what the free tier is", async () => {
  const { page } = await dashboard.visitSignedIn({ email: "newcomer@demo.example" });
  await page.getByText("The free tier has no API access").waitFor();
  await page.getByRole("heading", { name: "Your first request" }).waitFor();
  await page.getByText("No requests yet").waitFor();
  await page.getByRole("link", { name: "Create a key" }).click();
  await page.getByText("No keys yet").waitFor();
});

test("where nothing is sold, the account page shows what tiers include, and whom to ask for another", async () => {
  const { page, complaints } = await dashboard.visitSignedIn({ path: "/account" });
  const tiers = page.getByRole("region", { name: "Tiers" });
  await tiers.getByRole("row", { name: "free No None No" }).waitFor();
  await tiers.getByRole("row", { name: "limited Yes 100 No" }).waitFor();
  await tiers.getByRole("row", { name: "developer Yours Yes No limit Yes" }).waitFor();
  await tiers.getByText("Ask the operator of the service for another tier.").waitFor();
  expect(await tiers.getByRole("button").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("the explorer says what to do about a wrong key, and a tier without access", async () => {
  const { page } = await dashboard.visitSignedIn();
  await ask(page, "fo_live_wrong");
  await page.getByText("401 Unauthorized").waitFor();
  await ask(page, dashboard.server.ready.free_api_key);
  await page.getByText("The key is valid, but its account has no API access.").waitFor();
});

test("a quota that is used up fills today's bar, and the explorer says so", async () => {
  const { base_url, limited_api_key } = dashboard.server.ready;
  const call = () =>
    fetch(`${base_url}/funders-api?limit=1`, { headers: { authorization: `Bearer ${limited_api_key}` } });
  while ((await call()).status === 200);
  const { page } = await dashboard.visitSignedIn({ email: "limited@demo.example" });
  const meter = page.getByRole("meter");
  await meter.waitFor();
  expect(await meter.getAttribute("aria-valuetext")).toBe("100 of 100 requests used");
  await page.getByText("Requests get 429 until then").waitFor();
  await ask(page, limited_api_key);
  await page.getByText("Today’s requests are used up").waitFor();
});

// From a page that has read no webhooks: what was read before stays on show, with a notice.
describe("when the API", () => {
  test("cannot be reached, the page says so and tries again", async () => {
    const { page } = await dashboard.visitSignedIn({ path: "/keys" });
    await page.route(isAccountApi, (route) => route.abort());
    await goTo(page, "Webhooks");
    await page.getByText("The API cannot be reached").waitFor();
    await page.unroute(isAccountApi);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No webhooks yet").waitFor();
  });

  test("fails, the page shows the request's id and nothing of what went wrong inside", async () => {
    const { page } = await dashboard.visitSignedIn({ path: "/keys" });
    const problem = {
      type: "urn:funding-opportunities:problem:server-error",
      title: "Internal error",
      status: 500,
      detail: "Something went wrong on our side.",
      instance: "/functions/v1/account-api/webhooks",
      request_id: "0b7e2a8e-1111-4222-8333-444455556666",
    };
    await page.route(isAccountApi, (route) => route.fulfill({ status: 500, json: problem }));
    await goTo(page, "Webhooks");
    await page.getByText("The API had a problem").waitFor();
    await page.getByText(problem.request_id).waitFor();
  });
});

test("a page whose script is gone says so, and the others go on", async () => {
  const { page } = await dashboard.visitSignedIn();
  await page.route(/\/assets\/page-.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await goTo(page, "Explorer");
  await page.getByText("Load the page again").waitFor();
  await goTo(page, "API keys");
  await page.getByRole("row", { name: /demo/ }).waitFor();
});

test("a webhook is added, tested, shown with what it answered, and rotated", async () => {
  const received: { signature: string | undefined; body: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push({ signature: request.headers["x-service-signature"] as string | undefined, body });
      response.setHeader("content-type", "text/plain").end("thank you");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/funding`;

  const { page, complaints } = await dashboard.visitSignedIn();
  await goTo(page, "Webhooks");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByLabel("Address").fill(address);
  await page.getByRole("button", { name: "Query string" }).click();
  await page.getByLabel("Only grants that match").fill("states=Atlantis");
  await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
  await page.getByText(/two-letter USPS state codes/).waitFor();
  await page.getByLabel("Only grants that match").fill("states=OH");
  await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
  const secret = await page.getByRole("status", { name: "Secret" }).innerText();
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole("button", { name: "I have saved it" }).click();

  await page.getByRole("link", { name: address }).click();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByText("Delivered", { exact: true }).nth(1).waitFor();
  expect(JSON.parse(received[0]?.body ?? "{}")).toMatchObject({ event: "grant.created" });
  await page.getByRole("button", { name: sampleTitle }).click();
  await page.getByText("Attempt 1").click();
  await page.getByRole("region", { name: "answer", exact: true }).getByText("thank you").waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => received.length).toBe(2);
  await page.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Rotate the secret…" }).click();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  expect(await page.getByRole("status", { name: "Secret" }).innerText()).not.toBe(secret);
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("This webhook is paused").waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(complaints).toEqual([]);
  receiver.close();
});
