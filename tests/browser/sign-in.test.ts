import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { generateKeyPair, SignJWT } from "jose";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BrowserContext, Page, Route } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard, sessionKey } from "./dashboard.ts";

let dashboard: DashboardUnderTest;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.end());

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true, level: 1 });

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

const question = "Sign in with this link?";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("an unknown address tells anybody that there is nothing, and where to go", async () => {
  const { page } = await dashboard.visit();
  const response = await page.goto(`${dashboard.origin}/webhook`);
  expect(response?.status()).toBe(404);
  await heading(page, "Page not found").waitFor();
  await page.getByRole("link", { name: "Read the reference" }).click();
  await page.waitForURL("**/reference");
});

test("the printed link asks, signs in, and its token is neither in the address nor in the history", async () => {
  const { page, complaints } = await dashboard.visit();
  const link = dashboard.server.ready.sign_in_link;
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash") ?? "";
  const verified: string[] = [];
  page.on("request", (request) => void (request.url().includes("/verify") && verified.push(request.url())));
  await page.goto(link);
  await heading(page, question).waitFor();
  expect(page.url()).toBe(`${dashboard.origin}/`);
  expect([await storedSession(page), verified], "nothing happens by itself").toEqual([null, []]);
  await button(page, "Sign in").click();
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
  await button(page, "Sign in").click();
  await heading(page, "Overview").waitFor();
  expect(page.url()).toBe(`${dashboard.origin}/`);
});

describe("a link that does not sign in says why, and leaves nothing in the address", () => {
  test("used already", async () => {
    const link = await dashboard.link();
    const first = await dashboard.visit();
    await first.page.goto(link);
    await button(first.page, "Sign in").click();
    await heading(first.page, "Overview").waitFor();
    const second = await dashboard.visit();
    await second.page.goto(link);
    await button(second.page, "Sign in").click();
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
    await button(page, "Sign in").click();
    await page.getByRole("alert").getByText("This link has expired").waitFor();
  });

  test("unknown, in a tab where the dashboard is already", async () => {
    const { page } = await dashboard.visit();
    await page.goto(`${dashboard.origin}/`);
    await heading(page, "Sign in").waitFor();
    await page.goto(`${dashboard.origin}/#token_hash=forged&type=email`);
    await button(page, "Sign in").click();
    await page.getByRole("alert").getByText("This link is not valid").waitFor();
    expect(page.url()).toBe(`${dashboard.origin}/`);
  });
});

describe("a link that somebody else sent", () => {
  const statusOf = async (token: string | undefined) =>
    (await fetch(`${dashboard.server.ready.base_url}/account-api`, { headers: { authorization: `Bearer ${token}` } }))
      .status;

  test("signs nobody in who does not want it, and is not used up", async () => {
    const link = await dashboard.link("attacker@demo.example");
    const { page } = await dashboard.visit();
    await page.goto(link);
    await button(page, "Not now").click();
    await heading(page, "Sign in").waitFor();
    await page.reload();
    await heading(page, "Sign in").waitFor();
    expect(await storedSession(page)).toBeNull();
    const { page: own } = await dashboard.visit();
    await own.goto(link);
    await button(own, "Sign in").click();
    await heading(own, "Overview").waitFor();
  });

  test.each(["in the same tab", "in another tab"])(
    "leaves a session as it is until its person says so: %s",
    async (where) => {
      const { page: first, context } = await dashboard.visitSignedIn();
      const before = await storedSession(first);
      const page = where === "in the same tab" ? first : await context.newPage();
      await page.goto(await dashboard.link("attacker@demo.example"));
      await heading(page, question).waitFor();
      await page.getByText("You are signed in as developer@demo.example").waitFor();
      expect(page.url()).toBe(`${dashboard.origin}/`);
      expect((await storedSession(page))?.access_token).toBe(before?.access_token);
      await button(page, "Stay signed in").click();
      await heading(page, "Overview").waitFor();
      expect(await page.getByText("developer@demo.example").first().isVisible()).toBe(true);
      expect(await statusOf(before?.access_token)).toBe(200);
    },
  );

  test("takes a session's place, when its person says so, with nothing of it left: not on the server, not in another tab", async () => {
    const { page, context } = await dashboard.visitSignedIn();
    const before = await storedSession(page);
    await page.getByRole("link", { name: "Webhooks" }).click();
    await heading(page, "Webhooks").waitFor();
    const other = await context.newPage();
    await other.goto(`${dashboard.origin}/keys`);
    await other.getByRole("row", { name: /demo/ }).waitFor();

    const link = await dashboard.link("limited@demo.example");
    // As a link in the tab where the dashboard is.
    await page.evaluate((hash) => location.assign(hash), new URL(link).hash);
    await page.getByText("You are signed in as developer@demo.example").waitFor();
    expect(page.url()).toBe(`${dashboard.origin}/webhooks`);
    await button(page, "Sign out and use the link").click();
    await heading(page, "Overview").waitFor();
    expect(page.url()).toBe(`${dashboard.origin}/`);
    expect(await statusOf(before?.access_token)).toBe(401);
    const after = await storedSession(page);
    expect(await statusOf(after?.access_token)).toBe(200);

    await other.getByText("limited@demo.example").first().waitFor();
    const last = dashboard.server.ready.limited_api_key.slice(-4);
    await other.getByRole("row", { name: new RegExp(last) }).waitFor();
    for (const shown of [page, other]) expect(await shown.locator("body").innerText()).not.toContain("developer@demo");
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    for (const text of ["developer@demo", before?.refresh_token ?? ""]) expect(stored).not.toContain(text);
    expect((await storedSession(other))?.access_token, "a late 401 of the old one ends nothing").toBe(
      after?.access_token,
    );
  });

  describe("in another tab whose storage shows the sign-in late", () => {
    /** Opens a second tab on the account's keys. Its storage shows the session of now until `catchUp`. */
    async function openLateTab(context: BrowserContext): Promise<{ other: Page; catchUp(): Promise<void> }> {
      const other = await context.newPage();
      await other.goto(`${dashboard.origin}/keys`);
      await other.getByRole("row", { name: /demo/ }).waitFor();
      await other.evaluate((key) => {
        const read = Storage.prototype.getItem;
        const old = localStorage.getItem(key);
        Storage.prototype.getItem = function (name) {
          return name === key ? old : read.call(this, name);
        };
        Object.assign(window, { catchUp: () => (Storage.prototype.getItem = read) });
      }, sessionKey);
      return { other, catchUp: () => other.evaluate("void window.catchUp()") };
    }

    async function signInAgain(page: Page, email: string): Promise<void> {
      await page.evaluate((hash) => location.assign(hash), new URL(await dashboard.link(email)).hash);
      await button(page, "Sign out and use the link").click();
      await heading(page, "Overview").waitFor();
    }

    test("another account's requests have that account's token", async () => {
      const { page, context } = await dashboard.visitSignedIn();
      const { other, catchUp } = await openLateTab(context);
      await signInAgain(page, "limited@demo.example");
      const last = dashboard.server.ready.limited_api_key.slice(-4);
      await other.getByRole("row", { name: new RegExp(last) }).waitFor();
      await catchUp();
      const after = (await storedSession(page))?.access_token;
      expect((await storedSession(other))?.access_token).toBe(after);
      expect(await statusOf(after)).toBe(200);
    });

    test("a request that is refused for the ended session is sent again with the new one", async () => {
      const { page, context } = await dashboard.visitSignedIn();
      const before = (await storedSession(page))?.access_token;
      const { other, catchUp } = await openLateTab(context);
      // From before the session ends: the page refreshes what it shows, and may be the first to be refused.
      const refused: (string | undefined)[] = [];
      other.on("response", (response) => {
        if (response.status() === 401) refused.push(response.request().headers().authorization);
      });
      await signInAgain(page, "developer@demo.example");
      expect(await statusOf(before)).toBe(401);
      await other.getByRole("link", { name: "Webhooks" }).click();
      await other.getByText("No webhooks yet").waitFor();
      expect(refused.length).toBeGreaterThan(0);
      expect(new Set(refused)).toEqual(new Set([`Bearer ${before}`]));
      await catchUp();
      expect(await statusOf((await storedSession(other))?.access_token)).toBe(200);
    });
  });

  test("says who is signed in, also when another tab signs in meanwhile", async () => {
    const { page, context } = await dashboard.visit();
    await page.goto(await dashboard.link("attacker@demo.example"));
    await heading(page, question).waitFor();
    const other = await context.newPage();
    await other.goto(await dashboard.link());
    await button(other, "Sign in").click();
    await heading(other, "Overview").waitFor();
    await page.getByText("You are signed in as developer@demo.example").waitFor();
    await button(page, "Stay signed in").click();
    await heading(page, "Overview").waitFor();
  });

  test("and does not hold leaves the session that there is", async () => {
    const { page } = await dashboard.visitSignedIn();
    await page.goto(`${dashboard.origin}/#token_hash=forged&type=email`);
    await button(page, "Sign out and use the link").click();
    await page.getByRole("alert").getByText("This link is not valid").waitFor();
    await page.getByRole("alert").getByText("You are still signed in as developer@demo.example").waitFor();
    await button(page, "Stay signed in").click();
    await heading(page, "Overview").waitFor();
    await page.goto(`${dashboard.origin}/#error=access_denied&error_description=expired`);
    await page.getByRole("alert").waitFor();
    await page.reload();
    await heading(page, "Overview").waitFor();
  });
});

test("the token is out of the address before the page has asked for anything", async () => {
  const { page } = await dashboard.visit();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let whenAsked = "";
  await page.route("**/config.json", async (route) => {
    whenAsked = await page.evaluate(() => location.href);
    await held;
    await route.continue();
  });
  await page.goto(`${dashboard.origin}/#token_hash=forged&type=email`);
  await expect.poll(() => whenAsked).toBe(`${dashboard.origin}/`);
  release();
  await heading(page, question).waitFor();
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

  test("a request that is refused while the user signs out does not turn it into a session that has ended", async () => {
    const { page } = await dashboard.visitSignedIn();
    await page.waitForLoadState("networkidle");
    const held: Route[] = [];
    await page.route(/\/account-api/, (route) => void held.push(route));
    await page.getByRole("link", { name: "Account" }).click();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    // The server has ended the session, the page does not know it yet, and the page's other requests are refused.
    await page.route(/\/logout/, async (route) => {
      const response = await route.fetch();
      const refused = page.waitForResponse((one) => one.status() === 401);
      await Promise.all(held.map((one) => one.continue()));
      await refused;
      await route.fulfill({ response });
    });
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await heading(page, "Sign in").waitFor();
    await page.waitForLoadState("networkidle");
    await page.getByText("You are signed out").waitFor({ timeout: 5_000 });
  });

  test("one that was ended elsewhere is noticed at the next request", async () => {
    const [here, there] = [await dashboard.visitSignedIn(), await dashboard.visitSignedIn()];
    await here.page.waitForLoadState("networkidle");
    await there.page.getByRole("link", { name: "Account" }).click();
    await there.page.getByRole("button", { name: "Sign out everywhere" }).click();
    await there.page.getByText("You are signed out").waitFor();
    // The next request is the one that this click makes, or one of those that the page makes every 15 seconds.
    const ended = here.page.getByText("Your session has ended");
    const link = here.page.getByRole("link", { name: "API keys" });
    await Promise.any([ended.waitFor(), link.click()]);
    await ended.waitFor();
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

describe("with sign-in links by e-mail", () => {
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

  test("one that this browser asked for signs in without a question, and gets one in any other browser", async () => {
    const { page } = await dashboard.visit();
    const asked: string[] = [];
    const withMail = async (visited: Page) => {
      await visited.route("**/config.json", async (route) => {
        const config = (await (await route.fetch()).json()) as object;
        await route.fulfill({ json: { ...config, sign_in: "mail" } });
      });
      await visited.route("**/auth/v1/otp**", (route) => {
        asked.push(new URL(route.request().url()).searchParams.get("redirect_to") ?? "");
        return route.fulfill({ status: 200, json: {} });
      });
      await visited.goto(`${dashboard.origin}/`);
    };
    await withMail(page);
    await page.getByLabel("E-mail address").fill("developer@demo.example");
    await button(page, "Send the link").click();
    await page.getByText("Check your mail").waitFor();
    const [redirectTo = ""] = asked;
    expect(redirectTo).toMatch(/\/\?request=[\w-]{36}$/);
    // As the mail's template puts them together.
    const mailed = async (to: string, email: string) => `${to}${new URL(await dashboard.link(email)).hash}`;

    await page.goto(await mailed(`${dashboard.origin}/`, "attacker@demo.example"));
    await heading(page, question).waitFor();
    await page.goto(await mailed(`${dashboard.origin}/?request=${crypto.randomUUID()}`, "attacker@demo.example"));
    await heading(page, question).waitFor();
    const own = await mailed(redirectTo, "developer@demo.example");
    const { page: elsewhere } = await dashboard.visit();
    await elsewhere.goto(own);
    await heading(elsewhere, question).waitFor();

    await page.goto(own);
    await heading(page, "Overview").waitFor();
    expect(page.url()).toBe(`${dashboard.origin}/`);
    // A request is good for one link.
    await button(page, "Sign out").click();
    await page.getByText("You are signed out").waitFor();
    await page.goto(await mailed(redirectTo, "attacker@demo.example"));
    await heading(page, question).waitFor();
  });

  test("too many are refused in words", async () => {
    const json = { code: "over_email_send_rate_limit", message: "email rate limit exceeded" };
    const page = await visitWithMail({ status: 429, json });
    await page.getByText("Too many links were requested").waitFor();
  });

  test("a refusal that comes in the address is told, and taken out of it", async () => {
    const { page } = await dashboard.visit();
    await page.goto(`${dashboard.origin}/#error=access_denied&error_code=otp_expired&error_description=expired`);
    await page.getByText("This link has expired or was used already").waitFor();
    expect(page.url()).toBe(`${dashboard.origin}/`);
  });
});

test("two accounts never see each other", async () => {
  const developer = await dashboard.visitSignedIn({ email: "developer@demo.example" });
  const limited = await dashboard.visitSignedIn({ email: "limited@demo.example" });
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

test("a browser that blocks site data is signed in until the page is left", async () => {
  const { page, complaints } = await dashboard.visit();
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get });
  });
  await page.goto(await dashboard.link());
  await button(page, "Sign in").click();
  await heading(page, "Overview").waitFor();
  await button(page, "Dark").click();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  await page.reload();
  await heading(page, "Sign in").waitFor();
  expect(complaints).toEqual([]);
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
