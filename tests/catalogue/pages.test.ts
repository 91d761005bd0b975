import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queryOne, queryValue } from "../../database/connection.ts";
import { createGateway } from "../../local/embedded/gateway.ts";
import { ConcurrencyLimit } from "../../shared/overload/concurrency-limit.ts";
import { VisitorLimit } from "../../shared/overload/visitor-limit.ts";
import { hostile } from "../support/every-detail.ts";
import { bearer, openTestService, type TestService, testBaseUrl, testOrigin } from "../support/service.ts";
import { Page } from "./page.ts";
import { grantOf, loadGrants } from "./records.ts";

let service: TestService;
let key: string;
let ids: Record<string, string>;

const hostileTitle = `<script>alert(1)</script> "quoted" & 'single' </title> שלום ${"x".repeat(200)}`;
const longText = `${"A sentence with &lt;b&gt;markup&lt;/b&gt; of &amp;amp; its publisher. ".repeat(600)}\n\n<p>The end &nbsp; of it.</p>`;

const tide = { agency: ["Tide Office"], assistance_listings: [{ number: "99.123", title: null }] };
const awarded = { classification: "awarded_project", status: "closed", deadline_date: null };

beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  ids = await loadGrants(service.connection, [
    grantOf("plain"),
    grantOf("hostile", { title: hostileTitle, description: hostile, listing_url: "javascript:alert(1)" }),
    grantOf("long", { title: "Long text", description: longText }),
    grantOf("nameless", { title: "日本語", listing_url: null, deadline_date: null, details: {} }),
    grantOf("withdrawn", { title: "Gone grant", archived_at: "2026-01-01T00:00:00Z" }),
    grantOf("numbered", { title: "Numbered grant", details: { ...tide, opportunity_number: "TIDE-26-1" } }),
    grantOf("programme", { title: "Programme grant", details: tide }),
    ...Array.from({ length: 6 }, (_, index) =>
      grantOf(`award-${index}`, {
        ...awarded,
        title: `Tide award ${index}`,
        created_at: `202${index}-05-01T00:00:00Z`,
        details: {
          ...tide,
          opportunity_number: "TIDE-26-1",
          recipient: { name: `Harbour <${index}>` },
          obligated_amount: 1_000,
        },
      }),
    ),
    grantOf("rare topic", {
      ...awarded,
      title: "Rare topic",
      categories: ["Health", "Trade of one award"],
      details: {},
    }),
    grantOf("long over", { title: "Long over", status: "closed", deadline_date: "2020-01-01", details: {} }),
    ...["older", "newer"].map((name, index) =>
      grantOf(name, {
        title: "Twin notice",
        created_at: `202${index + 5}-05-01T00:00:00Z`,
        details: { ...tide, opportunity_number: "TWIN-26-1" },
      }),
    ),
    grantOf("closed", { title: "Closed grant", status: "closed", deadline_date: "2026-01-01", details: {} }),
  ]);
});
afterAll(() => service.close());

const ask = (path: string, init?: RequestInit) => service.send(new Request(`${testOrigin}${path}`, init));

async function open(path: string): Promise<Page> {
  const response = await ask(path);
  const markup = await response.text();
  expect([response.status, path], markup).toEqual([200, path]);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  return new Page(markup);
}

const pathOf = (id: string, slug: string) => `/grants/${slug}-${ids[id]}`;
const plainPath = () => pathOf("plain", "lunch-all-summer-program");

describe("a record's page", () => {
  test("answers what decides", async () => {
    const page = await open(plainPath());
    const facts = page.text("main");
    expect(page.text("h1")).toBe("Lunch All Summer Program");
    for (const words of [
      "March 5, 2099, 5:00 p.m. Eastern time",
      "days left",
      "$25,000 to $250,000",
      "County governments",
      "Match requiredNo",
      "Meals for children while schools are closed.",
      'Department of AgricultureFood, and "Nutrition" Service',
      "10.557 A title; with a semicolon",
      "grants@a.example",
      "Apply at grants.example.gov",
      "PDF, 0 bytes, changed January 1, 2026",
      "From catalogue-test, updated here on",
    ]) {
      expect(facts).toContain(words);
    }
    expect(page.links()).toContain("https://grants.example.gov/notices/1?a=1&b=2");
    expect(page.links()).toContain(`${plainPath()}/deadline.ics`);
  });

  test("names up to five who got money: under the opportunity's number, or of its programme before", async () => {
    const shown = async (path: string) => (await open(path)).text("section", { "aria-labelledby": "awards" });
    const own = await shown(pathOf("numbered", "numbered-grant"));
    expect(own).toContain("Harbour <5> $1,000, 2025, awarded under this opportunity");
    expect(own.match(/awarded under this opportunity/g)).toHaveLength(5);
    expect(own).not.toContain("Harbour <0>");
    expect(await shown(pathOf("programme", "programme-grant"))).toContain(
      "$1,000, 2025, earlier award of the same programme",
    );
    expect(await shown(plainPath())).toBe("");
  });

  test("leads to the pages of its topics, where they have one", async () => {
    const page = await open(pathOf("rare topic", "rare-topic"));
    expect(page.text("main")).toContain("TopicsHealthTrade of one award");
    expect(new Set(page.links().filter((link) => link.startsWith("/topics/")))).toEqual(new Set(["/topics/health"]));
    await open("/topics/health");
  });

  test("tells search engines what it is", async () => {
    const page = await open(plainPath());
    const [grant, way] = page.data();
    expect(page.canonical()).toBe(`${testOrigin}${plainPath()}`);
    expect(page.isHidden()).toBe(false);
    expect(page.text("title")).toBe("Lunch All Summer Program · Funding Opportunities");
    expect(page.all("meta", { name: "description" })[0]?.attributes.content).toContain("Meals for children");
    expect(page.all("meta", { property: "og:title" })[0]?.attributes.content).toBe("Lunch All Summer Program");
    expect(grant).toMatchObject({
      "@type": "MonetaryGrant",
      name: "Lunch All Summer Program",
      amount: { currency: "USD", minValue: 25_000, maxValue: 250_000 },
      funder: { name: "Office of Summer Meals" },
    });
    expect(way).toMatchObject({ "@type": "BreadcrumbList" });
  });

  test("shows hostile texts as text", async () => {
    const redirect = await ask(pathOf("hostile", "x"));
    const page = await open(redirect.headers.get("location") ?? "");
    expect(page.text("h1")).toBe(hostileTitle.replaceAll(/\s+/g, " "));
    const scripts = page.all("script").filter(({ attributes }) => attributes.type !== "application/ld+json");
    expect(scripts.map(({ text }) => text)).toEqual([""]);
    expect(page.text("main")).toContain("</script>");
    expect(page.data()[0]?.name).toBe(hostileTitle);
    expect(page.links().filter((link) => link.startsWith("javascript:"))).toEqual([]);
    expect(
      page.elements.flatMap(({ attributes }) => Object.keys(attributes).filter((name) => /^on|^style$/.test(name))),
    ).toEqual([]);
  });

  test("shows a publisher's markup and entities as paragraphs, within 25 KB", async () => {
    const page = await open(pathOf("long", "long-text"));
    expect(page.text("section", { "aria-labelledby": "about" })).toContain(
      "A sentence with markup of & its publisher.",
    );
    expect(page.text("section", { "aria-labelledby": "about" })).toContain("The notice has more.");
    expect(gzipSync(page.markup).byteLength).toBeLessThan(25_000);
  });

  test("says what a publisher leaves out, and has an address without words", async () => {
    const page = await open(`/grants/${ids.nameless}`);
    expect(page.text("main")).toContain("The publisher does not say");
    expect(page.links().filter((link) => link.endsWith(".ics"))).toEqual([]);
  });

  test("tells its changes in words", async () => {
    await loadGrants(service.connection, [grantOf("changing", { title: "Changing grant" })]);
    ids = await loadGrants(service.connection, [
      grantOf("changing", { title: "Changing grant", deadline_date: "2099-04-02", amount_max: 300_000 }),
    ]);
    const history = (await open(pathOf("changing", "changing-grant"))).text("section", {
      "aria-labelledby": "history",
    });
    expect(history).toContain("Deadline: March 5, 2099 → April 2, 2099");
    expect(history).toContain("Largest amount: $250,000 → $300,000");
  });

  test.each([
    ["a wrong slug", () => `/grants/another-name-${ids.plain}`, plainPath],
    ["no slug", () => `/grants/${ids.plain}`, plainPath],
    ["an id in upper case", () => `/grants/lunch-all-summer-program-${ids.plain?.toUpperCase()}`, plainPath],
    ["a wrong slug of a calendar", () => `/grants/x-${ids.plain}/deadline.ics`, () => `${plainPath()}/deadline.ics`],
    ["a state in lower case", () => "/states/oh", () => "/states/OH"],
    ["a topic as it is called", () => "/topics/Food%20and%20Nutrition", () => "/topics/food-and-nutrition"],
  ])("%s is sent to the canonical address", async (_, path, canonical) => {
    const response = await ask(path());
    expect([response.status, response.headers.get("location")]).toEqual([301, canonical()]);
  });

  test("one that was withdrawn is gone, and one that is unknown is not found: both say where to go", async () => {
    const gone = await ask(pathOf("withdrawn", "gone-grant"));
    const unknown = await ask(`/grants/x-${crypto.randomUUID()}`);
    const nothing = await ask("/grants/nothing");
    expect([gone.status, unknown.status, nothing.status]).toEqual([410, 404, 404]);
    for (const response of [gone, unknown, nothing]) {
      const page = new Page(await response.text());
      expect(page.isHidden()).toBe(true);
      expect(page.links()).toContain("/funding");
      expect(page.all("input", { name: "search" })).toHaveLength(1);
    }
  });

  test("has its deadline as a calendar", async () => {
    const response = await ask(`${plainPath()}/deadline.ics`);
    const text = await response.text();
    expect(response.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="lunch-all-summer-program.ics"');
    expect(text).toContain("SUMMARY:Deadline: Lunch All Summer Program");
    expect(text).toContain("DTSTART:20990305T220000Z");
    expect((await ask(`/grants/${ids.nameless}/deadline.ics`)).status).toBe(404);
  });
});

test("a contract's and a funder's page are there, and what a funder gives", async () => {
  const list = await open("/funding?dataset=contracts");
  const contract = list.links().find((link) => link.startsWith("/contracts/")) ?? "";
  const { results } = (await (
    await service.fetch(`/contracts-api?ids=${contract.slice(-36)}`, { headers: bearer(key) })
  ).json()) as {
    results: { title: string; set_aside_code: string | null }[];
  };
  const shown = await open(contract);
  expect(shown.text("h1")).toBe(results[0]?.title);
  expect(shown.text("main")).toContain(`Set-aside${results[0]?.set_aside_code ?? "None named"}`);
  const record = await open(plainPath());
  const funder = record.links().find((link) => link.startsWith("/funders/")) ?? "";
  const page = await open(funder);
  expect(page.text("h1")).toBe("Office of Summer Meals");
  expect(page.links()).toContain(plainPath());
  expect(page.text("main")).not.toContain("Closed grant");
  expect((await open("/funding?search=lunch+all+summer")).links()).toContain(plainPath());
});

test("robots.txt names the sitemap, and the sitemaps name every page for search engines", async () => {
  const robots = await (await ask("/robots.txt")).text();
  expect(robots).toContain(`Sitemap: ${testOrigin}/sitemap.xml`);
  const read = async (path: string) => {
    const response = await ask(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
    return new Page(await response.text()).all("loc").map(({ text }) => text.slice(testOrigin.length));
  };
  const sitemaps = await read("/sitemap.xml");
  const addresses = (await Promise.all(sitemaps.map(read))).flat();
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(addresses).toContain("/states/OH");
  expect(addresses).toContain(plainPath());
  for (const missing of ["withdrawn", "long over", "older"]) {
    expect(addresses.filter((address) => address.includes(ids[missing] ?? "-"))).toEqual([]);
  }
  const isRecent =
    "coalesce(deadline_date, project_end_date, now()) >= (now() at time zone 'America/New_York')::date - 365";
  const { count } = await queryOne<{ count: number }>(
    service.connection,
    `select (select count(*) from funding.grants where archived_at is null and superseded_by is null and ${isRecent})::int
       + (select count(*) from funding.contracts where archived_at is null and superseded_by is null and ${isRecent})::int
       + (select count(*) from funding.funders)::int as count`,
  );
  expect(addresses.filter((address) => /^\/(?:grants|contracts|funders)\//.test(address))).toHaveLength(count);
  for (const address of addresses.filter((_, index) => index % 150 === 0)) {
    const page = await open(address);
    expect([page.canonical(), page.isHidden()]).toEqual([`${testOrigin}${address}`, false]);
  }
  expect((await ask("/sitemaps/grants-g.xml")).status).toBe(404);
  expect((await ask("/sitemaps/people-a.xml")).status).toBe(404);
});

test("search engines leave out what ended more than a year ago, and the older notice of an opportunity", async () => {
  for (const name of ["long over", "older"]) {
    const page = await open(pathOf(name, name === "older" ? "twin-notice" : "long-over"));
    expect(page.isHidden(), name).toBe(true);
  }
});

describe("an answer", () => {
  test("is anybody's to keep, and is sent again only where it changed", async () => {
    const first = await ask(plainPath());
    const tag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("public, max-age=60");
    const again = await ask(plainPath(), { headers: { "if-none-match": tag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    await loadGrants(service.connection, [grantOf("plain", { amount_min: 26_000 })]);
    const changed = await ask(plainPath(), { headers: { "if-none-match": tag } });
    expect(changed.status).toBe(200);
    await loadGrants(service.connection, [grantOf("plain")]);
  });

  test("sets no cookie, and loads its stylesheet and script alone", async () => {
    const response = await ask("/funding");
    const page = new Page(await response.text());
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    const [style] = page.all("link", { rel: "stylesheet" });
    const styles = await ask(style?.attributes.href ?? "");
    expect(styles.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(styles.headers.get("cache-control")).toContain("immutable");
    const [script, ...others] = page.all("script");
    const code = await ask(script?.attributes.src ?? "");
    expect(code.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(page.all("style").length + others.length + (script?.text ?? "").length).toBe(0);
  });

  test("to HEAD has the headers of GET, and other methods are refused", async () => {
    const head = await ask("/funding", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await ask("/funding", { method: "POST", body: "x" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "OPTIONS, GET, HEAD"]);
  });

  test("is the same at the function's own path, with links that stay there", async () => {
    const response = await service.fetch("/catalogue/funding");
    const page = new Page(await response.text());
    expect(page.canonical()).toBe(`${testBaseUrl}/catalogue/funding`);
    expect(page.links().filter((link) => !/^(#|\/functions\/v1\/catalogue\/)/.test(link))).toEqual([]);
  });

  test("is 404 where the operator did not turn the catalogue on", async () => {
    const variable = (name: string) => (name === "CATALOGUE" ? undefined : service.runtime.variable(name));
    const gateway = createGateway({ ...service.runtime, variable });
    for (const path of ["/funding", "/functions/v1/catalogue/funding", "/robots.txt"]) {
      const response = await gateway(new Request(`${testOrigin}${path}`));
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
  });
});

describe("visitors without a key", () => {
  test("have a limit by address, which comes back with time", async () => {
    let now = 0;
    const gateway = createGateway({ ...service.runtime, visitors: new VisitorLimit(() => now) });
    const visit = (address: string) => gateway(new Request(`${testOrigin}/states/XX`), address);
    const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await visit("192.0.2.1")).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    const refused = await visit("192.0.2.1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await visit("192.0.2.2")).status).toBe(404);
    now += 1_000;
    expect((await visit("192.0.2.1")).status).toBe(404);
  });

  test("of one network of IPv6 share a limit", () => {
    const limit = new VisitorLimit(() => 0);
    for (let request = 0; request < 60; request++) expect(limit.take(`2001:db8::${request.toString(16)}`)).toBe(0);
    expect(limit.take("2001:db8:0:0:ffff::1")).toBe(1);
    expect(limit.take("2001:db8:0:1::1")).toBe(0);
    expect(limit.take(undefined)).toBe(0);
  });

  test("are asked to come back where the database is too busy", async () => {
    const database: TestService["runtime"]["database"] = {
      call: async () => ({ ok: false, failure: { code: "57014", message: "", details: null, hint: null } }),
    };
    const response = await createGateway({ ...service.runtime, database })(new Request(`${testOrigin}/funding`));
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(new Page(await response.text()).text("h1")).toBe("Too busy right now");
  });

  test("have together what one key has of the database, so that keys keep their share", async () => {
    let noteAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      noteAsked = resolve;
    });
    let isServed = false;
    class WatchedLimit extends ConcurrencyLimit {
      override acquire(caller: string) {
        const permit = super.acquire(caller);
        if (caller === "catalogue") void permit.then(() => (isServed = true));
        if (caller === "catalogue") noteAsked();
        return permit;
      }
    }
    const limit = new WatchedLimit({ permits: 2, sharedPermits: 1, maxWaitMs: 30_000, activeMs: 60_000 });
    limit.noteAnswer("a key");
    const release = limit.acquireNow("catalogue");
    const page = createGateway({ ...service.runtime, limit })(new Request(`${testOrigin}/funding`), "192.0.2.3");
    await asked;
    const ofKey = await limit.acquire("a key");
    expect([ofKey !== undefined, isServed]).toEqual([true, false]);
    release();
    expect((await page).status).toBe(200);
  });

  test("see a record before search by meaning is ready", async () => {
    const database: TestService["runtime"]["database"] = {
      call: (name, parameters, ...rest) =>
        "parameters" in parameters && "similar_to" in (parameters.parameters as object)
          ? Promise.resolve({ ok: false, failure: { code: "PT503", message: "", details: null, hint: null } })
          : service.runtime.database.call(name, parameters, ...rest),
    };
    const response = await createGateway({ ...service.runtime, database })(new Request(`${testOrigin}${plainPath()}`));
    const page = new Page(await response.text());
    expect([response.status, page.text("section", { "aria-labelledby": "similar" })]).toEqual([200, ""]);
  });

  test("have no key that others could send", async () => {
    for (const guessed of ["catalogue", "fo_live_catalogue"]) {
      const response = await service.fetch("/grants-api?limit=1", { headers: bearer(guessed) });
      expect(response.status).toBe(401);
    }
  });

  test("count against no account", async () => {
    const uses = () => queryValue<number>(service.connection, "select count(*)::int from funding.daily_quota");
    const before = await uses();
    await open("/funding");
    await service.settled();
    expect(await uses()).toBe(before);
  });
});
