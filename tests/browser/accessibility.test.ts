import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults, Result, RunOptions } from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectPostgres } from "../../database/postgres.ts";
import { samples } from "../../shared/webhooks/samples.ts";
import { addCheck, type History } from "../../status/history.ts";
import { statusPage } from "../../status/page.ts";
import { bucketCount } from "../../status/response-times.ts";
import { testStripeKey } from "../support/stripe-server.ts";
import type { Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard, type Visit } from "./dashboard.ts";

const sampleTitle = String(samples["grant.created"].data.title);

let dashboard: DashboardUnderTest;
let visitor: Visit;
let page: Page;
let axe: string;

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  dashboard = await openDashboard({ STRIPE_WEBHOOK_SECRET: "whsec_1", STRIPE_SECRET_KEY: testStripeKey });
  const connection = await connectPostgres(dashboard.server.ready.database_url);
  await connection.query(
    "select funding.set_price('price_1', 'limited'), funding.attach_customer('developer@demo.example', 'cus_1')",
  );
  await connection.close();
  visitor = await dashboard.visitSignedIn();
  page = visitor.page;
  await fetch(`${dashboard.server.ready.base_url}/grants-api?limit=1`, {
    headers: { authorization: `Bearer ${dashboard.server.ready.api_key}` },
  });
});
afterAll(() => dashboard.end());

// Colours do not depend on the width, nor the layout on the colours: two looks find what four would.
const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const;

/** Serious and critical findings of axe, light and wide and then dark and narrow, and elements that overflow sideways. */
async function faults(shown = page): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, width } of looks) {
    await shown.setViewportSize({ width, height: 844 });
    await shown.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await shown.evaluate(() => new Promise(requestAnimationFrame));
    const violations = await runAxe(shown);
    const look = `${colorScheme} ${width}`;
    for (const { id, impact, nodes } of violations) {
      if (impact === "serious" || impact === "critical") {
        found.push(...nodes.map((node) => `${look}: ${id}: ${node.target} ${node.failureSummary}`));
      }
    }
    const overhang = await shown.evaluate(() => {
      const dialogs = [...document.querySelectorAll("[role=dialog]")].map(
        (dialog) => dialog.getBoundingClientRect().right,
      );
      return Math.max(document.documentElement.scrollWidth, ...dialogs) - innerWidth;
    });
    if (overhang > 0) found.push(`${look}: ${overhang} pixels stick out`);
  }
  await shown.setViewportSize({ width: 1280, height: 844 });
  return found;
}

/** Violations that axe finds by all of its rules. Its script is evaluated and not added: the page's policy allows none but its own. */
async function runAxe(shown: Page): Promise<Result[]> {
  const isThere = await shown.evaluate(() => "axe" in globalThis);
  if (!isThere) await shown.evaluate(axe);
  return await shown.evaluate(async () => {
    // Checks that pass are not gathered: gathering them takes half of the time.
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ["violations"] });
    return violations;
  });
}

interface Axe {
  run(options: RunOptions): Promise<AxeResults>;
}

async function open(path: string, heading: string): Promise<void> {
  await page.goto(`${dashboard.origin}${path}`);
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
}

describe("axe finds nothing serious, light and dark, wide and narrow:", () => {
  test.each([
    ["/", "Overview"],
    ["/keys", "API keys"],
    ["/usage", "Usage"],
    ["/requests", "Requests"],
    ["/explorer", "Explorer"],
    ["/saved-searches", "Saved searches"],
    ["/webhooks", "Webhooks"],
    ["/account", "Account"],
    ["/account?checkout=done", "Account"],
    ["/account/audit-log", "Audit log"],
    ["/status", "Status"],
    ["/nothing-here", "Page not found"],
  ])("%s", async (path, heading) => {
    await open(path, heading);
    expect(await faults()).toEqual([]);
  });

  test("the palette, with the pages, and with entries of several kinds", async () => {
    await open("/", "Overview");
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: /^Search pages/ });
    await field.waitFor();
    expect(await faults()).toEqual([]);
    await field.fill("k");
    await page.getByRole("group", { name: "Records" }).waitFor();
    expect(await faults()).toEqual([]);
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
  });

  test("saved searches, and their dialogs", async () => {
    await open("/explorer?dataset=grants&search=water&search_mode=hybrid&states=OH,PA", "Explorer");
    await page.getByRole("button", { name: "Save this search" }).click();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Save search" }).click();
    await open("/saved-searches", "Saved searches");
    expect(await faults()).toEqual([]);
    const choose = async (entry: string) => {
      await page.getByRole("button", { name: "Actions for water" }).click();
      await page.getByRole("menuitem", { name: entry }).click();
    };
    await choose("E-mails…");
    await page.getByLabel("Send").selectOption("Every week");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Next on /).waitFor();
    expect(await faults()).toEqual([]);
    await choose("Feed and calendar…");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Make addresses" }).click();
    await page.getByLabel("Calendar", { exact: true }).waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "I have saved them" }).click();
    await choose("Revoke feed and calendar…");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Keep them" }).click();
  });

  test("the status page that npm run status writes, of a service that was up and is down", async () => {
    const { page: customer } = await dashboard.visit();
    const times = ["2026-11-24T10:00:00Z", "2026-11-25T10:00:00Z", "2026-11-26T10:00:00Z", "2026-11-26T10:05:00Z"];
    let history: History | undefined;
    for (const [number, time] of times.entries()) {
      const isUp = number !== 1 && number !== times.length - 1;
      history = addCheck(history, dashboard.server.ready.base_url, {
        at: new Date(time),
        outcome: isUp ? "ready" : "unreachable",
        detail: isUp ? undefined : "It could not be reached.",
        responseMs: isUp ? 80 : undefined,
        metrics: {
          counters: new Map([["grants-api", new Array<number>(bucketCount).fill(number)]]),
          dataAges: new Map([["grants", 7_200]]),
        },
        metricsProblem: undefined,
      });
      await customer.setContent(await statusPage(history));
      await customer.locator("details").evaluate((details) => details.setAttribute("open", ""));
      if (number >= 2) expect(await faults(customer)).toEqual([]);
    }
  });

  test("signing in, and a link that is refused", async () => {
    const { page: stranger } = await dashboard.visit();
    await stranger.goto(`${dashboard.origin}/`);
    await stranger.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await faults(stranger)).toEqual([]);
    await stranger.goto(`${dashboard.origin}/#token_hash=forged&type=email`);
    await stranger.getByRole("heading", { name: "Sign in with this link?" }).waitFor();
    expect(await faults(stranger)).toEqual([]);
    await stranger.getByRole("button", { name: "Sign in", exact: true }).click();
    await stranger.getByRole("alert").waitFor();
    expect(await faults(stranger)).toEqual([]);
  });

  test("a link that is opened while somebody is signed in, and is refused", async () => {
    const { page: other } = await dashboard.visitSignedIn();
    await other.goto(`${dashboard.origin}/#token_hash=forged&type=email`);
    await other.getByRole("heading", { name: "Sign in with this link?" }).waitFor();
    expect(await faults(other)).toEqual([]);
    await other.keyboard.press("Tab");
    expect(await other.evaluate(() => document.activeElement?.textContent)).toBe("Sign out and use the link");
    await other.keyboard.press("Enter");
    await other.getByRole("alert").waitFor();
    expect(await faults(other)).toEqual([]);
    await other.getByRole("button", { name: "Stay signed in" }).click();
    await other.getByRole("heading", { name: "Overview" }).waitFor();
  });

  test("the dialogs of keys", async () => {
    await open("/keys", "API keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").waitFor();
    await page.getByRole("dialog").getByText("Limits", { exact: true }).click();
    expect(await faults()).toEqual([]);
    await page.getByLabel("Name").fill("axe");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByText("Your new key").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "I have saved it" }).click();
    await page.getByRole("button", { name: "Actions for axe" }).click();
    expect(await faults()).toEqual([]);
    await page.getByRole("menuitem", { name: "Limits…" }).click();
    await page.getByLabel("Addresses").fill("2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff\n10.0.0.1/8");
    await page.getByRole("button", { name: "Save limits" }).click();
    await page.getByText("Range 2 must be").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByLabel("Addresses").fill("2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff");
    await page.getByRole("button", { name: "Save limits" }).click();
    await page.getByText("Only from 2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff", { exact: true }).waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Actions for axe" }).click();
    await page.getByRole("menuitem", { name: "Revoke…" }).click();
    await page.getByRole("dialog", { name: "Revoke axe?" }).waitFor();
    expect(await faults()).toEqual([]);
  });

  test("changes of the audit log, opened", async () => {
    await open("/account/audit-log", "Audit log");
    const opened = page.locator("summary");
    for (const summary of await opened.all()) await summary.click();
    expect(await page.locator("details[open]").count()).toBeGreaterThan(1);
    expect(await faults()).toEqual([]);
  });

  test("members of an account, and those who are invited", async () => {
    await open("/account", "Account");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("dialog").getByLabel("E-mail address").fill("not an address");
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.locator("[aria-invalid=true]").first().waitFor();
    expect(await faults()).toEqual([]);
    await page
      .getByRole("dialog")
      .getByLabel("E-mail address")
      .fill("somebody-with-a-long-name-who-is-invited@people.example");
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.getByRole("button", { name: /^Actions for the invitation/ }).click();
    await page.getByRole("menuitem", { name: "Withdraw…" }).waitFor();
    expect(await faults()).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await faults()).toEqual([]);
    const invited = await dashboard.visitSignedIn({
      email: "somebody-with-a-long-name-who-is-invited@people.example",
      path: "/account",
    });
    await invited.page.getByText("You are invited to the account").waitFor();
    expect(await faults(invited.page)).toEqual([]);
    await invited.page.getByRole("button", { name: "Accept" }).click();
    await invited.page.getByRole("combobox", { name: "Account" }).selectOption({ index: 1 });
    await invited.page.getByText("You are a member of this account.").waitFor();
    expect(await faults(invited.page)).toEqual([]);
  });

  test("the form of a webhook", async () => {
    await open("/webhooks", "Webhooks");
    await page.getByRole("button", { name: "Add webhook" }).click();
    await page.getByLabel("Address").fill("not an address");
    for (const event of ["grant.deadline_approaching", "grant.updated"])
      await page.getByRole("checkbox", { name: event }).check();
    await page.getByLabel("Send updates").selectOption("chosen");
    await page.getByText("Saving sends").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByText("deadline_date").click();
    await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
    await page.locator("[aria-invalid=true]").first().waitFor();
    expect(await faults()).toEqual([]);
  });

  test("a webhook, and one of its deliveries", async () => {
    await open("/webhooks", "Webhooks");
    await page.getByRole("button", { name: "Add webhook" }).click();
    await page.getByLabel("Address").fill("https://hooks.example.org/funding");
    await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
    await page.getByRole("button", { name: "I have saved it" }).click();
    await page.getByRole("link", { name: "https://hooks.example.org/funding" }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByRole("button", { name: sampleTitle }).waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: sampleTitle }).click();
    await page.getByRole("region", { name: "payload" }).waitFor();
    expect(await faults()).toEqual([]);
  });

  test("an answer in the explorer, with facets", async () => {
    await open("/explorer", "Explorer");
    await page.getByRole("button", { name: "states", exact: true }).click();
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByRole("region", { name: "Facet states" }).waitFor();
    expect(await faults()).toEqual([]);
  });

  test("that answer as JSON", async () => {
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    expect(await faults()).toEqual([]);
  });

  test("a record in the explorer, and another key", async () => {
    await page.getByRole("button", { name: "Table", exact: true }).click();
    await page.locator(".results-title").first().click();
    await page.locator(".record-fields").waitFor();
    await page.getByRole("button", { name: "Use another key" }).click();
    expect(await faults()).toEqual([]);
  });

  test("the menu of a phone", async () => {
    await open("/", "Overview");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Usage" }).waitFor();
    const violations = await runAxe(page);
    expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
    await page.getByRole("dialog").getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Usage" }).waitFor();
  });
});

test("the keyboard alone creates a key: skip link, navigation, form", async () => {
  await page.setViewportSize({ width: 1280, height: 844 });
  await open("/", "Overview");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.getByRole("link", { name: "API keys" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await page.getByRole("button", { name: "Create key" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  await page.keyboard.type("typed");
  await page.keyboard.press("Enter");
  await page.getByText("Your new key").waitFor();
});

test("the colours that were chosen stay at the next visit", async () => {
  await open("/account", "Account");
  await page.emulateMedia({ colorScheme: "light" });
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await page.getByRole("button", { name: "Dark" }).first().click();
  expect(await scheme()).toBe("dark");
  await page.reload();
  expect(await scheme()).toBe("dark");
});

test("no page violated its policy or reported an error", () => {
  expect(visitor.complaints).toEqual([]);
});
