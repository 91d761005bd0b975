import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { measureFirstLoad } from "../../bench/first-load/measure.ts";
import { pages } from "../../functions/openapi/pages.generated.ts";
import type { Locator, Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard, type Visit } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
let stranger: Visit;
let page: Page;
/** Addresses on other servers that a page asked for. */
const elsewhere: string[] = [];

beforeAll(async () => {
  dashboard = await openDashboard();
  stranger = await dashboard.visit();
  page = stranger.page;
  page.on("request", (request) => {
    if (!request.url().startsWith(`${dashboard.origin}/`)) elsewhere.push(request.url());
  });
});
afterAll(() => dashboard.end());

const heading = (shown: Page, name: string) => shown.getByRole("heading", { name, level: 1, exact: true });
const open = async (path: string, name: string) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${dashboard.origin}${path}`);
  await page.getByRole("navigation", { name: "Dashboard" }).waitFor();
  await heading(page, name).waitFor();
};

describe("/reference, for somebody who is not signed in", () => {
  test("stands in the dashboard's shell, and leads to each operation and event", async () => {
    await open("/reference", "API reference");
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    const current = page.getByRole("navigation", { name: "Dashboard" }).locator("[aria-current=page]");
    expect(await current.innerText()).toBe("API reference");
    const document = (await (await fetch(`${dashboard.server.ready.base_url}/openapi`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
      webhooks: Record<string, unknown>;
    };
    const ids = [
      ...Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId)),
      ...Object.keys(document.webhooks),
    ];
    const links = await page
      .locator("main li a[href^='/reference/']")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const others = ["errors", "headers", "mcp", "clients", ...pages.map(({ name }) => `guide-${name}`)];
    expect(new Set(links)).toEqual(new Set([...others, ...ids].map((id) => `/reference/${id}`)));
  });

  test("shows of an operation its parameters, answers, problems and samples", async () => {
    await open("/reference/listGrants", "List grants");
    const search = page.locator("#search_mode");
    expect(await search.innerText()).toMatch(
      /search_mode\s+string[\s\S]*Default\s+keyword[\s\S]*keyword, semantic, hybrid/,
    );
    expect(await page.locator("#limit").innerText()).toMatch(/integer[\s\S]*1 to 100/);
    const answers = page.getByRole("region", { name: "Answers" });
    expect(await answers.innerText()).toMatch(/results\s+array of Grant[\s\S]*text\/csv/);
    await answers.getByText("Fields of results").first().click();
    await answers.getByText("deadline_date").first().waitFor();
    const problems = await page.getByRole("region", { name: "Problems" }).innerText();
    expect(problems).toContain("urn:funding-opportunities:problem:quota-exceeded");
    const samples = {
      curl: /^curl -H "Authorization: Bearer \$FUNDING_API_KEY"/,
      TypeScript: /client\.grants\.list/,
      Python: /with Client/,
    };
    for (const [language, code] of Object.entries(samples)) {
      await page.getByRole("button", { name: language, exact: true }).click();
      expect(await page.getByRole("region", { name: `request in ${language}` }).innerText()).toMatch(code);
    }
    // The next operation is shown in the same language.
    await page.getByRole("navigation", { name: "Operations" }).getByRole("link", { name: "Get a grant" }).click();
    await page.getByRole("region", { name: "request in Python" }).getByText("client.grants.get").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  });

  test.each([1000, 1024, 1280, 1440])(
    "the sample stands beside the text of a window of %d px, also further down",
    async (width) => {
      await open("/reference/listGrants", "List grants");
      await page.setViewportSize({ width, height: 800 });
      const sample = page.getByRole("region", { name: "request in curl" });
      const box = () => sample.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
      const text = await page.locator("#search").evaluate((element) => element.getBoundingClientRect().right);
      const first = await box();
      expect(first.bottom).toBeLessThan(800);
      expect(first.left).toBeGreaterThan(text);
      expect(first.width).toBeGreaterThan(300);
      await page.locator("#limit").evaluate((element) => element.scrollIntoView());
      const later = await box();
      expect(later.top).toBeGreaterThanOrEqual(0);
      expect(later.bottom).toBeLessThan(800);
    },
  );

  test.each([390, 820, 999])("the sample comes before the parameters in a window of %d px", async (width) => {
    await open("/reference/listGrants", "List grants");
    await page.setViewportSize({ width, height: 800 });
    const box = (shown: Locator) => shown.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
    const sample = await box(page.getByRole("region", { name: "request in curl" }));
    expect(sample.bottom).toBeLessThan(800);
    expect(sample.bottom).toBeLessThan((await box(page.locator("#search"))).top);
  });

  test("the sample in curl is answered by the server", async () => {
    await open("/reference/getLiveness", "Ask whether the service is live");
    const code = await page.getByRole("region", { name: "request in curl" }).innerText();
    const answer = await fetch(/'(http[^']+)'/.exec(code)?.[1] ?? "");
    expect(await answer.json()).toMatchObject({ status: "live" });
  });

  test.each([
    ["Retry-After", "header of answers", "Headers", "/reference/headers#Retry-After"],
    ["set_aside", "parameter of List contracts", "List contracts", "/reference/listContracts#set_aside"],
    ["quota_exceeded", "error 429", "Errors", "/reference/errors#quota-exceeded"],
    ["/mcp", "page", "MCP server", "/reference/mcp"],
  ])("Enter leads from a search for %s, and the result says %s", async (typed, kind, title, to) => {
    await open("/reference", "API reference");
    const operations = page.getByRole("navigation", { name: "Operations" });
    await operations.getByRole("searchbox").fill(typed);
    expect(await operations.locator(".reference-hit").first().innerText()).toContain(kind);
    await page.keyboard.press("Enter");
    await heading(page, title).waitFor();
    const { pathname, hash } = new URL(page.url());
    expect(pathname + hash).toBe(to);
    if (hash === "") return;
    const place = page.locator(`[id="${hash.slice(1)}"]`);
    await expect.poll(() => place.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(700);
    expect(await place.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  });

  test("arrows go through what a search found, also to a field of an answer on the same page", async () => {
    await open("/reference/listGrants", "List grants");
    const operations = page.getByRole("navigation", { name: "Operations" });
    await operations.getByRole("searchbox").fill("listing_url");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("listing_urlfield of Grant");
    await page.keyboard.press("Enter");
    const field = page.locator('[id="answer.results.listing_url"]');
    await field.waitFor();
    await expect.poll(() => field.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(700);
    // The same place once more, after the reader has scrolled away.
    await page.evaluate(() => scrollTo(0, 0));
    await operations.getByRole("searchbox").fill("listing_url");
    await page.keyboard.press("Enter");
    await expect.poll(() => field.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(700);
    await operations.getByRole("searchbox").fill("zeppelin quarks");
    await operations.getByText("Nothing has all of these words").waitFor();
    await page.keyboard.press("Escape");
    expect(await operations.getByRole("searchbox").inputValue()).toBe("");
  });

  test("says how to connect a client of /mcp, and has its tools", async () => {
    await open("/reference/mcp", "MCP server");
    const settings = await page.getByRole("region", { name: "settings of an MCP client" }).innerText();
    const { url } = (JSON.parse(settings) as { mcpServers: { funding: { url: string } } }).mcpServers.funding;
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${dashboard.server.ready.api_key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    const names = [...(await response.text()).matchAll(/"name":"(\w+)","title"/g)].map(([, name]) => name);
    const shown = await page.locator("main .reference-name code").allInnerTexts();
    expect(shown).toEqual(names);
    expect(shown.length).toBeGreaterThan(5);
  });

  test("has the guides, whose headings a search leads to and which lead to each other", async () => {
    await open("/reference", "API reference");
    const operations = page.getByRole("navigation", { name: "Operations" });
    await operations.getByRole("searchbox").fill("statistics of a funder");
    await page.keyboard.press("Enter");
    await heading(page, "The API").waitFor();
    const section = page.getByRole("heading", { name: "Statistics of a funder" });
    await expect.poll(() => section.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(700);
    await page.getByRole("main").locator("a[href='/reference/guide-paging#changes-of-a-record']").first().click();
    await heading(page, "Paging and changes").waitFor();
    expect(new URL(page.url()).hash).toBe("#changes-of-a-record");
  });

  test("names each way to authenticate", async () => {
    await open("/reference", "API reference");
    const names = page.getByRole("region", { name: "Authentication" }).locator(".reference-name");
    expect(await names.allInnerTexts()).toEqual(["API key", "X-API-Key", "Sign-in token"]);
  });

  test("leads from a sample to how its client is installed", async () => {
    await open("/reference/listGrants", "List grants");
    expect(await page.getByRole("link", { name: /^Install the/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Python", exact: true }).click();
    await page.getByRole("link", { name: "Install the Python client" }).click();
    await heading(page, "Client libraries").waitFor();
    await page.getByText("pip install ./packages/python").waitFor();
  });

  test.each([
    ["/reference/listGrants#applicant_type", "List grants", "#applicant_type"],
    ["/reference/grant.created", "A grant was added", undefined],
    ["/reference/", "API reference", undefined],
    ["/reference#listGrants", "API reference", "#listGrants"],
  ])("%s is an address that keeps", async (path, name, anchor) => {
    await open(path, name);
    if (anchor !== undefined) {
      const top = () => page.locator(anchor).evaluate((element) => element.getBoundingClientRect().top);
      await expect.poll(top).toBeLessThan(400);
    }
  });

  test("an address of the reference before leads to the same operation", async () => {
    await page.goto("about:blank");
    await open("/reference#tag/contracts/GET/contracts-api/{id}", "Get a contract");
    expect(new URL(page.url()).pathname).toBe("/reference/getContract");
  });

  test("a name that no operation has is said so", async () => {
    await open("/reference/listGrunts", "No such operation");
    await page.getByRole("link", { name: "Go to the introduction" }).click();
    await heading(page, "API reference").waitFor();
  });

  test("no word is broken in the middle, however narrow the page is", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const id of ["listGrants", "downloadSnapshotFile", "createWebhook"]) {
      await page.goto(`${dashboard.origin}/reference/${id}`);
      await page.locator(".reference-name").first().waitFor();
      const heights = await page
        .locator(".reference-name, .reference-field-head .badge, .method")
        .evaluateAll((all) => all.map((element) => [element.textContent, element.getClientRects().length]));
      expect(heights.filter(([, lines]) => Number(lines) > 1)).toEqual([]);
    }
  });
});

describe("the reference without JavaScript", () => {
  test("has an introduction that leads to each operation, and pages with their text, fields and samples", async () => {
    const { page: plain, complaints } = await dashboard.visit({ javaScriptEnabled: false });
    await plain.goto(`${dashboard.origin}/reference`);
    await heading(plain, "API reference").waitFor();
    await plain.locator("#listGrants a").click();
    await heading(plain, "List grants").waitFor();
    expect(await plain.locator("#search_mode").innerText()).toMatch(
      /Default\s+keyword[\s\S]*keyword, semantic, hybrid/,
    );
    await plain.locator('[id="answer.results"] summary').first().click();
    expect(await plain.locator('[id="answer.results.deadline_date"]').isVisible()).toBe(true);
    await plain.goto(`${dashboard.origin}/reference/guide-csv`);
    await plain.getByText("RFC 4180").waitFor();
    await plain.goBack();
    for (const language of ["curl", "TypeScript", "Python"])
      expect(await plain.getByRole("region", { name: `request in ${language}` }).isVisible()).toBe(true);
    expect(await plain.getByText("JavaScript").count()).toBe(0);
    // Nothing that would need a script.
    for (const control of await plain.locator("button, input").all()) expect(await control.isVisible()).toBe(false);
    await plain.setViewportSize({ width: 320, height: 800 });
    const overhang = await plain.locator("html").evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(overhang).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("has a file for every operation and event, which its policy allows", async () => {
    const { paths, webhooks } = (await (await fetch(`${dashboard.server.ready.base_url}/openapi`)).json()) as Record<
      "paths" | "webhooks",
      Record<string, Record<string, { operationId: string; summary: string }>>
    >;
    const pages = [
      ...Object.values(paths).flatMap((item) => Object.values(item)),
      ...Object.entries(webhooks).flatMap(([operationId, item]) =>
        Object.values(item).map(({ summary }) => ({ operationId, summary })),
      ),
    ];
    for (const { operationId, summary } of pages) {
      const response = await fetch(`${dashboard.origin}/reference/${operationId}`, {
        headers: { accept: "text/html" },
      });
      const html = await response.text();
      expect(html.replaceAll("&#x27;", "'")).toContain(`tabindex="-1">${summary.replace(/\.$/, "")}</h1>`);
      expect(html).not.toMatch(/ style=|<script>/);
    }
    expect(pages.length).toBeGreaterThan(80);
  });
});

test("what is painted before the scripts are there stays until they show the same", async () => {
  const { page: reader } = await dashboard.visit();
  await reader.addInitScript(() => {
    const shown: (string | null)[] = [];
    Object.assign(globalThis, { shown });
    new MutationObserver(() => {
      const root = document.getElementById("root");
      if (root !== null) shown.push(root.querySelector("#limit .reference-type")?.textContent ?? null);
    }).observe(document, { subtree: true, childList: true });
  });
  await reader.goto(`${dashboard.origin}/reference/listGrants`);
  await reader.getByRole("link", { name: "Sign in" }).waitFor();
  const shown = await reader.evaluate(() => (globalThis as unknown as { shown: (string | null)[] }).shown);
  const first = shown.indexOf("integer");
  expect(shown.slice(first).every((text) => text === "integer")).toBe(true);
  expect(shown.length - first).toBeGreaterThan(1);
});

describe('"Try it" sends an operation\'s request from its page', () => {
  const tryIt = async (shown: Page) => {
    await shown.getByRole("button", { name: "Try it", exact: true }).click();
    return shown.getByRole("region", { name: "Try it" });
  };

  test("for a visitor, with a key that is kept in memory alone", async () => {
    const { page: visitor, context } = await dashboard.visit();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await visitor.goto(`${dashboard.origin}/reference/listGrants`);
    const panel = await tryIt(visitor);
    expect(await panel.getByLabel("search", { exact: true }).inputValue()).toBe("summer meals");
    await panel.getByLabel("limit", { exact: true }).fill("2");
    const key = dashboard.server.ready.api_key;
    await panel.getByLabel("API key").fill(key);
    await panel.getByRole("button", { name: "Send request" }).click();
    await panel.getByText("200 OK").waitFor();
    expect(JSON.parse(await panel.getByRole("region", { name: "answer" }).innerText())).toMatchObject({
      pagination: { returned: 2 },
    });
    expect(await panel.innerText()).toMatch(/\d ms · [\d,]+ bytes[\s\S]*X-RateLimit-Remaining[\s\S]*X-Request-Id/);
    await panel.getByRole("button", { name: "Copy as curl" }).click();
    await panel.getByText("Copied").waitFor();
    const copied = await visitor.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`'${dashboard.server.ready.base_url}/grants-api?search=summer+meals&limit=2'`);
    const kept = await visitor.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
    );
    expect(copied + kept).not.toContain(key);
    // Other operations take it as well.
    await visitor
      .getByRole("navigation", { name: "Operations" })
      .getByRole("link", { name: "List funders GET" })
      .click();
    await heading(visitor, "List funders").waitFor();
    expect(await (await tryIt(visitor)).getByLabel("API key").inputValue()).toBe(key);
  });

  test("whose body is text, and whose answer is refused", async () => {
    await open("/reference/semanticSearch", "Find grants and contracts by meaning");
    const panel = await tryIt(page);
    await panel.getByLabel("API key").fill("fo_live_wrong");
    await panel.getByLabel("Body").fill('{ "query": "lakes" }');
    const sent = page.waitForRequest((request) => request.url().endsWith("/semantic-search"));
    await panel.getByRole("button", { name: "Send request" }).click();
    expect((await sent).postData()).toBe('{ "query": "lakes" }');
    await panel.getByText("401 Unauthorized").waitFor();
    await panel.getByText("Missing or invalid API key").first().waitFor();
  });

  test("and shows at a field what the answer says of it", async () => {
    await open("/reference/listGrants", "List grants");
    const panel = await tryIt(page);
    await panel.getByLabel("API key").fill(dashboard.server.ready.api_key);
    await panel.getByText(/More parameters/).click();
    await panel.getByLabel("deadline_after", { exact: true }).fill("soon");
    await panel.getByText(/More parameters/).click();
    await panel.getByRole("button", { name: "Send request" }).click();
    await panel.getByText("400 Bad Request").waitFor();
    const field = panel.getByLabel("deadline_after", { exact: true });
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("2026-12-01");
    expect(await field.getAttribute("aria-invalid")).toBe(null);
    await page.keyboard.press("Control+Enter");
    await panel.getByText("200 OK").waitFor();
  });

  test("whose answer is a table of text", async () => {
    await open("/reference/listFunders", "List funders");
    const panel = await tryIt(page);
    await panel.getByLabel("API key").fill(dashboard.server.ready.api_key);
    await panel.getByText(/More parameters/).click();
    await panel.getByLabel("search", { exact: true }).fill("");
    await panel.getByLabel("format", { exact: true }).selectOption("csv");
    await panel.getByRole("button", { name: "Send request" }).click();
    await panel.getByText("200 OK").waitFor();
    expect(await panel.getByRole("region", { name: "answer" }).innerText()).toMatch(/^id,name/);
    await panel.getByText("text/csv").waitFor();
  });

  test("without a key, where it needs none", async () => {
    await open("/reference/getLiveness", "Ask whether the service is live");
    const panel = await tryIt(page);
    expect(await panel.getByLabel("API key").count()).toBe(0);
    await panel.getByRole("button", { name: "Send request" }).click();
    await panel.getByText('"live"').waitFor();
  });

  test("but not of an account to a visitor, who is told to sign in", async () => {
    await open("/reference/listKeys", "List the account's keys, the newest first");
    const panel = await tryIt(page);
    await panel.getByText("Sign in to try it").waitFor();
    expect(await panel.getByRole("button", { name: "Send request" }).count()).toBe(0);
    await panel.getByRole("button", { name: "Close" }).click();
    await page.getByRole("region", { name: "request in curl" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Try it");
  });

  test("with the sign-in, where somebody is signed in, and asks before a DELETE", async () => {
    const { page: signedIn } = await dashboard.visitSignedIn({ path: "/reference/listKeys" });
    const keys = await tryIt(signedIn);
    await keys.getByRole("button", { name: "Send request" }).click();
    await keys.getByText("200 OK").waitFor();
    await signedIn.goto(`${dashboard.origin}/reference/deleteSavedSearch`);
    await signedIn.getByRole("button", { name: "Sign out" }).waitFor();
    const panel = await tryIt(signedIn);
    await panel.getByText("This is no dry run").waitFor();
    const sent: string[] = [];
    signedIn.on("request", (request) => request.method() === "DELETE" && sent.push(request.url()));
    await panel.getByRole("button", { name: "Send request" }).click();
    await signedIn.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await signedIn.getByRole("dialog").waitFor({ state: "hidden" });
    expect(sent).toEqual([]);
    await panel.getByRole("button", { name: "Send request" }).click();
    await signedIn.getByRole("button", { name: "Send DELETE" }).click();
    await panel.getByText("404 Not Found").waitFor();
    expect(sent).toHaveLength(1);
  });
});

test('the explorer opens with what "Try it" has, and the typed key is not lost on the way', async () => {
  const { page: signedIn } = await dashboard.visitSignedIn();
  await signedIn.getByRole("link", { name: "Explorer", exact: true }).click();
  await signedIn.getByRole("button", { name: "Use another key" }).click();
  await signedIn.getByLabel("API key").fill(dashboard.server.ready.api_key);
  await signedIn.getByRole("link", { name: "API reference" }).click();
  await heading(signedIn, "API reference").waitFor();
  await signedIn.getByText("developer@demo.example").waitFor();
  await signedIn
    .getByRole("navigation", { name: "Operations" })
    .getByRole("link", { name: "List funders GET" })
    .click();
  await signedIn.getByRole("button", { name: "Try it", exact: true }).click();
  await signedIn.getByRole("link", { name: "Open in the explorer" }).click();
  await heading(signedIn, "Explorer").waitFor();
  const answered = signedIn.waitForResponse((response) => response.url().includes("/funders-api"));
  await signedIn.getByRole("button", { name: "Send request" }).click();
  const response = await answered;
  expect(response.status()).toBe(200);
  expect(response.request().headers().authorization).toBe(`Bearer ${dashboard.server.ready.api_key}`);
});

describe("/changelog", () => {
  test("is a page for people, in the same shell", async () => {
    await open("/changelog", "Changelog");
    const text = await page.locator("main").innerText();
    expect(text).toMatch(/June 11, 2026[\s\S]*awarded_project[\s\S]*June 10, 2026[\s\S]*include_national/);
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "API reference" }).click();
    await heading(page, "API reference").waitFor();
  });

  test("is JSON for programs, the newest entry first", async () => {
    const answers = await Promise.all(
      ["/changelog", "/changelog.json"].map((path) => fetch(`${dashboard.origin}${path}`)),
    );
    const [one, other] = (await Promise.all(answers.map((answer) => answer.json()))) as { date: string }[][];
    expect(one).toEqual(other);
    const dates = one?.map(({ date }) => date) ?? [];
    expect(dates).toEqual([...dates].sort().reverse());
    expect(dates).toEqual(expect.arrayContaining(["2026-06-10", "2026-06-11"]));
  });
});

test("signing in from a public page leads into the dashboard, and signing out there leaves the page", async () => {
  const { page: signedIn } = await dashboard.visitSignedIn({ path: "/reference/listGrants" });
  await signedIn.getByRole("button", { name: "Sign out" }).click();
  await signedIn.getByRole("link", { name: "Sign in" }).click();
  await heading(signedIn, "Sign in").waitFor();
});

describe("axe, with all its rules, finds nothing, light and dark, wide and narrow, and nothing sticks out:", () => {
  const looks = [
    { width: 1440, scheme: "light" },
    { width: 1000, scheme: "dark" },
    { width: 320, scheme: "light" },
  ] as const;

  const faults = async (): Promise<string[]> => {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    const found: string[] = [];
    for (const { width, scheme } of looks) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.evaluate(() => new Promise(requestAnimationFrame));
      // Evaluated and not added as a script: the page's policy allows none but its own.
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
      );
      const look = `${scheme} ${width}`;
      found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${look}: ${id}: ${target}`)));
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (overhang > 0) found.push(`${look}: ${overhang} pixels stick out`);
    }
    return found;
  };

  test.each([
    ["/reference", "API reference"],
    ["/reference/listGrants", "List grants"],
    ["/reference/createWebhook", "Create a webhook"],
    ["/reference/grant.created", "A grant was added"],
    ["/reference/errors", "Errors"],
    ["/reference/mcp", "MCP server"],
    ["/reference/guide-webhooks", "Webhooks"],
    ["/changelog", "Changelog"],
    ["/status", "Status"],
  ])("%s", async (path, name) => {
    await open(path, name);
    // Folded parts are looked at, too. All of them would take minutes.
    await page.evaluate(() => {
      const folds = [...document.querySelectorAll<HTMLDetailsElement>("main details")];
      for (const fold of folds.slice(0, 3)) fold.open = true;
    });
    expect(await faults()).toEqual([]);
  });

  test("a request that was tried, and its answer", async () => {
    await open("/reference/semanticSearch", "Find grants and contracts by meaning");
    await page.getByRole("button", { name: "Try it", exact: true }).click();
    await page.getByLabel("API key").fill("fo_live_wrong");
    await page.getByText(/More parameters/).click();
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("401 Unauthorized").waitFor();
    expect(await faults()).toEqual([]);
  });

  test("forced colours show which page it is", async () => {
    await open("/reference/listGrants", "List grants");
    await page.emulateMedia({ forcedColors: "active" });
    const outline = await page
      .locator(".reference-link[aria-current=page]")
      .evaluate((link) => getComputedStyle(link).outlineStyle);
    await page.emulateMedia({ forcedColors: "none" });
    expect(outline).toBe("solid");
  });

  test("the list of operations on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${dashboard.origin}/reference`);
    await page.getByRole("button", { name: "Operations" }).click();
    await page.getByRole("navigation", { name: "Operations" }).getByRole("link", { name: "List funders GET" }).click();
    await heading(page, "List funders").waitFor();
    expect(await page.getByRole("link", { name: "List funders GET" }).isVisible()).toBe(false);
  });
});

describe("a first visit loads little", () => {
  test.each([
    ["/reference", 300],
    ["/reference/listGrants", 300],
    ["/reference/guide-filters", 270],
    ["/changelog", 300],
    ["/status", 300],
    ["/sign-in", 300],
  ])("%s: at most %d kB, compressed", async (path, maximum) => {
    const { bytes, requests } = await measureFirstLoad(stranger.context, `${dashboard.origin}${path}`);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(maximum * 1000);
    expect(requests).toBeLessThan(30);
  });
});

test("nothing came from elsewhere, and no page violated its policy or reported an error", () => {
  expect({ complaints: stranger.complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
});
