import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { generateKeyPair, SignJWT } from "jose";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

let dashboard: DashboardUnderTest;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.end());

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true, level: 1 });

/** Where supabase-js's part for sign-in keeps the session. */
const sessionKey = "funding-dashboard-session";

interface StoredSession {
  access_token: string;
  refresh_token: string;
  expires_at: number;
}

const storedSession = (page: Page) =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? "null") as StoredSession | null, sessionKey);

/** Changes the stored session, then loads the page anew. */
async function reloadWith(page: Page, changes: Partial<StoredSession>): Promise<void> {
  const session = { ...(await storedSession(page)), ...changes };
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [sessionKey, JSON.stringify(session)] as const);
  await page.reload();
}

test("the printed link signs in, and its token is neither in the address nor in the history", async () => {
  const { page, complaints } = await dashboard.visit();
  const link = dashboard.server.ready.sign_in_link;
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash") ?? "";
  await page.goto(link);
  await heading(page, "Overview").waitFor();
  expect(page.url()).toBe(`${dashboard.origin}/`);
  expect(await page.getByText("developer@demo.example").first().isVisible()).toBe(true);
  await page.goBack();
  expect(page.url()).not.toContain(token);
  await page.goForward();
  expect(page.url()).toBe(`${dashboard.origin}/`);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toContain(token);
  expect(complaints).toEqual([]);
});

test("a link works by the name localhost, too", async () => {
  const { page } = await dashboard.visit();
  await page.goto((await dashboard.link()).replace("127.0.0.1", "localhost"));
  await heading(page, "Overview").waitFor();
  expect(page.url()).toBe(`${dashboard.origin}/`);
});

describe("a link that does not sign in says why, and leaves nothing in the address", () => {
  test("used already", async () => {
    const link = await dashboard.link();
    const first = await dashboard.visit();
    await first.page.goto(link);
    await heading(first.page, "Overview").waitFor();
    const second = await dashboard.visit();
    await second.page.goto(link);
    await second.page.getByRole("alert").getByText("This link was used already").waitFor();
    expect(second.page.url()).toBe(`${dashboard.origin}/`);
  });

  test("expired", async () => {
    const link = await dashboard.link();
    const database = new pg.Client({ connectionString: dashboard.server.ready.database_url });
    await database.connect();
    await database.query(
      "update auth.sign_in_links set expires_at = now() - interval '1 second' where used_at is null",
    );
    await database.end();
    const { page } = await dashboard.visit();
    await page.goto(link);
    await page.getByRole("alert").getByText("This link has expired").waitFor();
  });

  test("unknown, in a tab where the dashboard is already", async () => {
    const { page } = await dashboard.visit();
    await page.goto(`${dashboard.origin}/`);
    await heading(page, "Sign in").waitFor();
    await page.goto(`${dashboard.origin}/#token_hash=forged&type=email`);
    await page.getByRole("alert").getByText("This link is not valid").waitFor();
    expect(page.url()).toBe(`${dashboard.origin}/`);
  });
});

describe("a session that does not hold", () => {
  test("a forged access token is refused, and the page asks to sign in", async () => {
    const { page } = await dashboard.visitSignedIn();
    const { privateKey } = await generateKeyPair("ES256");
    const session = await storedSession(page);
    const claims = JSON.parse(
      atob((session?.access_token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")),
    );
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", typ: "JWT" }).sign(privateKey);
    await reloadWith(page, { access_token: forged });
    await page.getByText("Your session has ended").waitFor();
    expect(await storedSession(page)).toBeNull();
  });

  test("an access token that has run out is replaced without a word", async () => {
    const { page } = await dashboard.visitSignedIn();
    const before = await storedSession(page);
    await reloadWith(page, { expires_at: Math.floor(Date.now() / 1000) - 10 });
    await heading(page, "Overview").waitFor();
    const after = await storedSession(page);
    expect(after?.refresh_token).not.toBe(before?.refresh_token);
  });

  test("one that has run out and cannot be replaced asks to sign in", async () => {
    const { page } = await dashboard.visitSignedIn();
    await reloadWith(page, { expires_at: Math.floor(Date.now() / 1000) - 10, refresh_token: "forged" });
    await heading(page, "Sign in").waitFor();
    expect(await storedSession(page)).toBeNull();
  });

  test("one that was ended elsewhere is noticed at the next request", async () => {
    const [here, there] = [await dashboard.visitSignedIn(), await dashboard.visitSignedIn()];
    await there.page.getByRole("link", { name: "Account" }).click();
    await there.page.getByRole("button", { name: "Sign out everywhere" }).click();
    await there.page.getByText("You are signed out").waitFor();
    await here.page.getByRole("link", { name: "API keys" }).click();
    await here.page.getByText("Your session has ended").waitFor();
  });
});

test("signing out ends the session: on the server at once, and behind the back button nothing is seen", async () => {
  const { page } = await dashboard.visitSignedIn();
  const token = (await storedSession(page))?.access_token;
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("row", { name: /demo/ }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
  expect(await storedSession(page)).toBeNull();
  const answer = await fetch(`${dashboard.server.ready.base_url}/account-api`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(401);
  await page.goBack();
  await heading(page, "Sign in").waitFor();
  expect(await page.locator("body").innerText()).not.toContain("fo_live_");
});

describe("where links come by mail", () => {
  /** The page as a deployment with mail has it; mail itself is outside. */
  async function visitWithMail(answer: { status: number; json: object }): Promise<Page> {
    const { page } = await dashboard.visit();
    await page.route("**/config.json", async (route) => {
      const config = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...config, sign_in: "mail" } });
    });
    await page.route("**/auth/v1/otp**", (route) => route.fulfill(answer));
    await page.goto(`${dashboard.origin}/`);
    await page.getByLabel("E-mail address").fill("someone@demo.example");
    await page.getByRole("button", { name: "Send the link" }).click();
    return page;
  }

  test("the page asks for one, and says where to look", async () => {
    const page = await visitWithMail({ status: 200, json: {} });
    await page.getByText("Check your mail").waitFor();
    await page.getByRole("button", { name: "Use another address" }).click();
    await page.getByLabel("E-mail address").waitFor();
  });

  test("too many are refused in words", async () => {
    const json = { code: "over_email_send_rate_limit", message: "email rate limit exceeded" };
    const page = await visitWithMail({ status: 429, json });
    await page.getByText("Too many links were asked for").waitFor();
  });

  test("a refusal that comes in the address is told, and taken out of it", async () => {
    const { page } = await dashboard.visit();
    await page.goto(`${dashboard.origin}/#error=access_denied&error_code=otp_expired&error_description=expired`);
    await page.getByText("This link has expired or was used already").waitFor();
    expect(page.url()).toBe(`${dashboard.origin}/`);
  });
});

test("two accounts never see each other", async () => {
  const developer = await dashboard.visitSignedIn("developer@demo.example");
  const limited = await dashboard.visitSignedIn("limited@demo.example");
  const shown = async (page: Page) => {
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("row", { name: /demo/ }).waitFor();
    return page.locator("body").innerText();
  };
  const [ofDeveloper, ofLimited] = [await shown(developer.page), await shown(limited.page)];
  const last = (key: string) => key.slice(-4);
  expect(ofDeveloper).toContain(last(dashboard.server.ready.api_key));
  expect(ofDeveloper).not.toContain(last(dashboard.server.ready.limited_api_key));
  expect(ofLimited).toContain(last(dashboard.server.ready.limited_api_key));
  expect(ofLimited).not.toContain("developer@demo.example");
});

test("no other page may frame it", async () => {
  const elsewhere = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end(`<iframe src="${dashboard.origin}/"></iframe>`);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const { page, complaints } = await dashboard.visit();
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  await expect.poll(() => complaints.join("\n")).toMatch(/frame-ancestors 'none'/);
  expect(await page.frames()[1]?.locator("#root").count()).toBe(0);
  elsewhere.close();
});
