import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { refuse, type StripeServer, startStripeServer, testStripeKey } from "../support/stripe-server.ts";
import type { BrowserContext, Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let stripe: StripeServer;
let dashboard: DashboardUnderTest;
let connection: Connection;
beforeAll(async () => {
  stripe = await startStripeServer();
  dashboard = await openDashboard({
    STRIPE_SECRET_KEY: testStripeKey,
    STRIPE_WEBHOOK_SECRET: "whsec_of_the_test",
    STRIPE_API_URL: stripe.url,
  });
  connection = await connectPostgres(dashboard.server.ready.database_url);
  await connection.query("select funding.set_price('price_developer', 'developer')");
});
afterEach(() => {
  stripe.otherAnswer = undefined;
});
afterAll(async () => {
  await connection.close();
  await dashboard.end();
  await stripe.close();
});

const tiersOn = (page: Page) => page.getByRole("region", { name: "Tiers" });
const subscribe = (page: Page) => tiersOn(page).getByRole("button", { name: "Subscribe to developer" });

/** Shows a text in place of Stripe's pages. */
const standInForStripe = (context: BrowserContext) =>
  context.route(/^https:\/\/\w+\.stripe\.com\//, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>A page at Stripe</h1>" }),
  );

/** Applies Stripe's event about a subscription, which names an account: by the operator, or at a payment link. */
async function record(email: string, status: string, customer = email, is_by_operator = true) {
  const [account] = await connection.query<{ id: string }>("select funding.account_id($1) as id", [email]);
  const created = Math.floor(Date.now() / 1000);
  const name = customer.replaceAll(/\W/g, "");
  const event = {
    id: `evt_${crypto.randomUUID()}`,
    created,
    customer_id: `cus_${name}`,
    account_id: account?.id,
    is_by_operator,
    subscription: {
      id: `sub_${name}`,
      status,
      price_ids: ["price_developer"],
      current_period_end: created + 30 * 86_400,
    },
    failed_subscription_id: null,
  };
  await connection.query("select public.record_billing_event($1::jsonb)", [JSON.stringify(event)]);
}

test("an owner subscribes at Stripe, comes back, sees the tier when Stripe has told of it, and manages it at Stripe", async () => {
  const email = "buyer@people.example";
  const { context, page, complaints } = await dashboard.visitSignedIn({ email, path: "/account" });
  await standInForStripe(context);
  await page.getByText("Subscribe to a tier with API access on the account page.").waitFor();
  await tiersOn(page).getByText("You subscribe at Stripe, which shows the price before you pay.").waitFor();
  await tiersOn(page).getByRole("row", { name: "free Yours No None No" }).waitFor();
  expect(await tiersOn(page).getByRole("button").count(), "nothing is sold at no price").toBe(1);
  await subscribe(page).click();
  await page.waitForURL(/^https:\/\/checkout\.stripe\.com\/c\/pay\//);
  const { success_url = "", cancel_url } = stripe.requests.at(-1)?.form ?? {};
  expect([success_url, cancel_url]).toEqual([
    `${dashboard.origin}/account?checkout=done`,
    `${dashboard.origin}/account`,
  ]);

  await page.goto(success_url);
  await page.getByRole("status").getByText("Your subscription is being set up").waitFor();
  await tiersOn(page).getByRole("row", { name: "free Yours No None No" }).waitFor();
  expect(await subscribe(page).count(), "nobody pays again meanwhile").toBe(0);
  expect(await page.getByText("Subscribe to a tier").count()).toBe(0);
  await record(email, "active");
  await tiersOn(page).getByRole("row", { name: "developer Yours Yes No limit Yes" }).waitFor();
  await page.getByText("Your subscription is set up").waitFor();
  await page.waitForURL(`${dashboard.origin}/account`);
  await page.getByText("API access", { exact: true }).first().waitFor();
  await tiersOn(page).getByText("The subscription is paid at Stripe. Change or end it there.").waitFor();
  expect(await subscribe(page).count()).toBe(0);
  await tiersOn(page).getByRole("button", { name: "Manage subscription" }).click();
  await page.waitForURL(/^https:\/\/billing\.stripe\.com\/p\/session\//);
  expect(stripe.requests.at(-1)?.form).toEqual({
    customer: "cus_buyerpeopleexample",
    return_url: `${dashboard.origin}/account`,
  });
  expect(complaints).toEqual([]);
});

test("whoever comes back from Stripe and has not paid is not kept waiting, and may subscribe again", async () => {
  const { page } = await dashboard.visitSignedIn({ email: "undecided@people.example", path: "/account" });
  await page.clock.install();
  await page.goto(`${dashboard.origin}/account?checkout=done`);
  await page.getByText("Your subscription is being set up").waitFor();
  await page.clock.fastForward(91_000);
  await page.getByText("Your subscription is not here yet").waitFor();
  await page.getByText("Do not pay again").waitFor();
  expect(await subscribe(page).count()).toBe(0);
  await page.getByRole("button", { name: "I did not pay" }).click();
  await subscribe(page).waitFor();
  expect(page.url()).toBe(`${dashboard.origin}/account`);
});

test("where Stripe does not open the page, the card says so, and it can be tried again", async () => {
  const { context, page } = await dashboard.visitSignedIn({ email: "unlucky@people.example", path: "/account" });
  await standInForStripe(context);
  stripe.otherAnswer = refuse(500, {}, "api_error");
  await subscribe(page).click();
  await tiersOn(page).getByRole("alert").getByText("Nothing was charged. Try again").waitFor();
  stripe.otherAnswer = undefined;
  await subscribe(page).click();
  await page.waitForURL(/^https:\/\/checkout\.stripe\.com\//);
});

test("after the browser's back button the page can be used again", async () => {
  const { context, page } = await dashboard.visitSignedIn({ email: "returning@people.example", path: "/account" });
  await standInForStripe(context);
  for (const _ of [1, 2]) {
    await subscribe(page).click();
    await page.waitForURL(/^https:\/\/checkout\.stripe\.com\//);
    await page.goBack();
    await subscribe(page).waitFor();
  }
});

test("a member who is no owner sees the tiers, and who can subscribe", async () => {
  const [owner, member] = ["head@people.example", "colleague@people.example"];
  const ada = await dashboard.visitSignedIn({ email: owner, path: "/account" });
  await subscribe(ada.page).waitFor();
  const ben = await dashboard.visitSignedIn({ email: member, path: "/account" });
  await subscribe(ben.page).waitFor();
  await connection.query(
    `insert into funding.members (account_id, user_id, email, role)
     select funding.account_id($1), auth_user_id, $2, 'member' from funding.accounts where email = $2`,
    [owner, member],
  );
  await ben.page.reload();
  await ben.page.getByRole("combobox", { name: "Account" }).selectOption({ label: owner });
  await tiersOn(ben.page).getByText("Owners of the account can subscribe to a tier.").waitFor();
  await tiersOn(ben.page).getByRole("row", { name: "free Yours No None No" }).waitFor();
  expect(await tiersOn(ben.page).getByRole("button").count()).toBe(0);
  await record(owner, "past_due");
  await ben.page.reload();
  await tiersOn(ben.page)
    .getByText("The subscription is paid at Stripe. Owners of the account can change it.")
    .waitFor();
  expect(await tiersOn(ben.page).getByRole("button").count()).toBe(0);
  expect([...ada.complaints, ...ben.complaints]).toEqual([]);
});

test("a customer whom nobody entitled named is a question, which owners answer and members see", async () => {
  const email = "asked@people.example";
  const { page, complaints } = await dashboard.visitSignedIn({ email, path: "/account" });
  await tiersOn(page).getByRole("row", { name: "free Yours No None No" }).waitFor();
  await record(email, "active", "stranger", false);
  await record(email, "active", "colleague", false);
  const member = await dashboard.visitSignedIn({ email: "member@people.example", path: "/account" });
  await connection.query(
    `insert into funding.members (account_id, user_id, email, role)
     select funding.account_id($1), id, email, 'member' from auth.users where email = 'member@people.example'`,
    [email],
  );
  await member.page.reload();
  await member.page.getByRole("combobox", { name: "Account" }).selectOption({ label: email });
  const question = (at: Page, name: string) =>
    tiersOn(at).getByText(new RegExp(`The customer cus_${name} named this account`));
  await question(member.page, "stranger").waitFor();
  expect(await member.page.getByRole("button", { name: /^(Accept|Refuse)$/ }).count()).toBe(0);

  await page.reload();
  await question(page, "stranger").waitFor();
  await tiersOn(page).getByRole("row", { name: "free Yours No None No" }).waitFor();
  expect(await subscribe(page).isEnabled(), "a stranger's payment blocks no checkout").toBe(true);
  const callout = (name: string) => tiersOn(page).locator(".callout", { hasText: `cus_${name}` });
  await callout("stranger").getByRole("button", { name: "Refuse" }).click();
  await page.getByText("Customer refused").first().waitFor();
  await question(page, "stranger").waitFor({ state: "detached" });
  await callout("colleague").getByRole("button", { name: "Accept" }).click();
  await page.getByText("Customer accepted").first().waitFor();
  await question(page, "colleague").waitFor({ state: "detached" });
  await tiersOn(page).getByRole("row", { name: "developer Yours Yes No limit Yes" }).waitFor();
  const changes = page.getByRole("region", { name: "Latest changes" });
  await changes.getByText("Stripe customer “cus_stranger” refused").waitFor();
  await changes.getByText("Stripe customer “cus_colleague” accepted").waitFor();
  expect([...complaints, ...member.complaints]).toEqual([]);
});
