import { parseAtomFeed } from "feedsmith";
import ICAL from "ical.js";
import { SaxesParser } from "saxes";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SavedSearch } from "../../shared/responses/account/saved-searches.ts";
import type { Person } from "../support/people.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { grant, SavedSearches } from "./service.ts";

let service: TestService;
let searches: SavedSearches;
let ada: Person;
let kelp: SavedSearch;
let token: string;

beforeAll(async () => {
  service = await openTestService();
  searches = new SavedSearches(service);
});
beforeEach(async () => {
  ada = await searches.client.newSubscriber();
  kelp = await searches.save(ada, "search=kelp+nursery", { name: "Kelp & <Ohio>" });
  ({ token } = await searches.issue(ada, kelp.id));
});
afterEach(() => service.connection.execute("update funding.settings set value = default_value"));
afterAll(() => service.close());

async function text(document: "feed.atom" | "deadlines.ics", of = token): Promise<string> {
  const response = await searches.get(of, document);
  const body = await response.text();
  expect(response.status, body).toBe(200);
  return body;
}

/** Events of a calendar, by ical.js. */
async function events(of = token) {
  const calendar = new ICAL.Component(ICAL.parse(await text("deadlines.ics", of)));
  return calendar.getAllSubcomponents("vevent");
}

const eventOf = async (title: string) => {
  const found = (await events()).filter((event) => event.getFirstPropertyValue("summary") === title);
  expect(found).toHaveLength(1);
  return found[0] as ICAL.Component;
};

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("the feed", () => {
  test("is well-formed Atom with the records that came or changed last, the latest first", async () => {
    await searches.load("grants", grant("one"), grant("roads", { title: "Roads", description: "Roads." }));
    await searches.load("grants", grant("two", { listing_url: "https://kelp.example.gov/?a=1&b=2" }));
    const xml = await text("feed.atom");
    expect(wellFormednessErrors(xml)).toEqual([]);
    const feed = parseAtomFeed(xml);
    expect(feed).toMatchObject({ id: `urn:uuid:${kelp.id}`, title: { value: "Kelp & <Ohio>" } });
    const ours = feed.entries?.filter(({ title }) => title?.value?.match(/nursery (one|two)$/));
    expect(ours?.map(({ title }) => title?.value)).toEqual(["Kelp nursery two", "Kelp nursery one"]);
    expect(ours?.[0]).toMatchObject({
      links: [{ rel: "alternate", href: "https://kelp.example.gov/?a=1&b=2" }],
      authors: [{ name: "Office of Kelp" }],
    });
    const listed = await service.connection.query<{ id: string }>(
      "select id from funding.grants where source = 'saved' and source_id = 'two'",
    );
    expect(ours?.[0]?.id).toBe(`urn:uuid:${listed[0]?.id}`);
    expect(feed.entries?.some(({ title }) => title?.value === "Roads")).toBe(false);
  });

  test("names itself, wherever it is read and without the secret of its address", async () => {
    const xml = await text("feed.atom");
    const self = parseAtomFeed(xml).links?.filter(({ rel }) => rel === "self") ?? [];
    const address = `https://proxy.example.org/api/saved-searches/${token}/feed.atom?nocache=1`;
    expect(self.map(({ href }) => new URL(String(href), address).href)).toEqual([address.replace("?nocache=1", "")]);
    expect(xml).not.toContain(token);
  });

  test("shows a record that changed again, under the same id", async () => {
    await searches.load("grants", grant("changing"));
    const first = parseAtomFeed(await text("feed.atom")).entries?.[0];
    await searches.load("grants", grant("changing", { description: "Growing much kelp." }));
    const second = parseAtomFeed(await text("feed.atom")).entries?.[0];
    expect(second?.id).toBe(first?.id);
    expect(Date.parse(String(second?.updated))).toBeGreaterThan(Date.parse(String(first?.updated)));
  });

  test("stays well-formed whatever the records hold", async () => {
    const title = "Kelp nursery ]]> & <b>\u{1F33F}</b> \u0007\u001f\ufffe \"quoted\" 'single'";
    await searches.load("grants", grant("hostile", { title, description: "kelp nursery\r\n\u000b</content>" }));
    const xml = await text("feed.atom");
    expect(wellFormednessErrors(xml)).toEqual([]);
    const titles = parseAtomFeed(xml).entries?.map((entry) => entry.title?.value);
    expect(titles).toContain("Kelp nursery ]]> & <b>\u{1F33F}</b>  \"quoted\" 'single'");
  });

  test("has funders and contracts, and fifty entries at most", async () => {
    const funders = await searches.save(ada, "", { dataset: "funders" });
    const feed = parseAtomFeed(await text("feed.atom", (await searches.issue(ada, funders.id)).token));
    expect(feed.entries).toHaveLength(50);
    const contracts = await searches.save(ada, "opportunity_type=all", { dataset: "contracts" });
    const issued = await searches.issue(ada, contracts.id);
    expect(parseAtomFeed(await text("feed.atom", issued.token)).entries?.length).toBeGreaterThan(0);
    expect(await events((await searches.issue(ada, funders.id)).token)).toEqual([]);
  });
});

describe("the calendar", () => {
  test("has a deadline as a day, or as a moment in UTC where the source gives its time", async () => {
    await searches.load(
      "grants",
      grant("day", { deadline_date: inDays(10) }),
      grant("moment", { deadline_date: inDays(11), details: { deadline_at: `${inDays(11)}T17:00:00-05:00` } }),
      grant("assumed", {
        deadline_date: inDays(12),
        details: { deadline_at: `${inDays(12)}T23:59:00-05:00`, deadline_assumed: true },
      }),
    );
    const start = async (title: string) => (await eventOf(title)).getFirstProperty("dtstart");
    for (const [title, days] of [
      ["day", 10],
      ["assumed", 12],
    ] as const) {
      const day = await start(`Kelp nursery ${title}`);
      expect([day?.type, String(day?.getFirstValue())]).toEqual(["date", inDays(days)]);
    }
    const moment = await start("Kelp nursery moment");
    expect([moment?.type, String(moment?.getFirstValue())]).toEqual(["date-time", `${inDays(11)}T22:00:00Z`]);
  });

  test("is what Outlook, Google Calendar and Thunderbird take: folded lines, CRLF, and how often to come back", async () => {
    const title = `Kelp nursery; one, two \\ ${"långt öde \u{1F33F} ".repeat(20)}`.trim();
    await searches.load("grants", grant("long", { title, deadline_date: inDays(5) }));
    const ics = await text("deadlines.ics");
    expect(ics.endsWith("END:VCALENDAR\r\n")).toBe(true);
    expect(ics.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    const octets = (line: string) => new TextEncoder().encode(line).byteLength;
    expect(Math.max(...ics.split("\r\n").map(octets))).toBeLessThanOrEqual(75);
    const calendar = new ICAL.Component(ICAL.parse(ics));
    const values = (component: ICAL.Component, ...names: string[]) =>
      names.map((name) => String(component.getFirstPropertyValue(name)));
    expect(
      values(calendar, "version", "method", "refresh-interval", "x-published-ttl", "x-wr-calname", "prodid"),
    ).toEqual(["2.0", "PUBLISH", "PT4H", "PT4H", "Kelp & <Ohio>", "-//Funding Opportunities//Saved searches//EN"]);
    const event = await eventOf(title);
    for (const name of ["uid", "dtstamp", "last-modified", "sequence"]) {
      expect(event.getFirstPropertyValue(name), name).not.toBeNull();
    }
    expect(values(event, "transp")).toEqual(["TRANSPARENT"]);
  });

  test("has an address and a name that can be read, whatever characters they have", async () => {
    const name = "Kelp; reefs, back\\slashes";
    const search = await searches.save(ada, "search=kelp+nursery", { name });
    const issued = await searches.issue(ada, search.id);
    const listing_url = "https://kelp.example.gov/x;jsessionid=1?ids=1,2&path=a\\b c";
    await searches.load("grants", grant("punctuated", { listing_url, deadline_date: inDays(6) }));
    const ics = await text("deadlines.ics", issued.token);
    // A text (RFC 7986, 5.1), though ical.js gives what it does not know as it stands.
    const escaped = "Kelp\\; reefs\\, back\\\\slashes";
    expect(ics).toContain(`\r\nNAME:${escaped}\r\nX-WR-CALNAME:${escaped}\r\n`);
    const event = await eventOf("Kelp nursery punctuated");
    const url = "https://kelp.example.gov/x%3Bjsessionid=1?ids=1%2C2&path=a%5Cb%20c";
    expect(event.getFirstPropertyValue("url")).toBe(url);
    // As a reader sees it that undoes nothing.
    expect(ics.replaceAll("\r\n ", "")).toContain(`URL;VALUE=URI:${url}\r\n`);
  });

  test("has the deadlines that come next, however many have passed", async () => {
    const sponges = await searches.save(ada, "search=sponge+gardens", { name: "Sponges" });
    const issued = await searches.issue(ada, sponges.id);
    const sponge = (number: number, days: number) =>
      grant(`sponge-${number}`, {
        title: `Sponge gardens ${days}`,
        deadline_date: inDays(days),
      });
    await searches.load(
      "grants",
      ...Array.from({ length: 505 }, (_, index) => sponge(index, index < 10 ? -20 : -10)),
      ...[1, 0, 400].map((days) => sponge(1_000 + days, days)),
    );
    const titles = (await events(issued.token)).map((event) => String(event.getFirstPropertyValue("summary")));
    const count = (days: number) => titles.filter((title) => title === `Sponge gardens ${days}`).length;
    // The events left out are those that passed first. Events come in the order of their deadlines.
    expect([-20, -10, 0, 1, 400].map(count)).toEqual([2, 495, 1, 1, 1]);
    expect(titles.at(-1)).toBe("Sponge gardens 400");
  });

  test("moves an event whose deadline moved, under its UID and with a later revision", async () => {
    await searches.load("grants", grant("moving", { deadline_date: inDays(20) }));
    const facts = async () => {
      const event = await eventOf("Kelp nursery moving");
      const value = (name: string) => event.getFirstPropertyValue(name);
      return {
        uid: value("uid"),
        day: String(value("dtstart")),
        sequence: Number(value("sequence")),
        modified: String(value("last-modified")),
      };
    };
    const before = await facts();
    // Revisions are counted in seconds.
    await service.connection.execute(
      "update funding.grants set updated_at = updated_at - interval '1 minute' where source_id = 'moving'",
    );
    const dated = await facts();
    await searches.load("grants", grant("moving", { deadline_date: inDays(27) }));
    const after = await facts();
    expect(after).toMatchObject({ uid: before.uid, day: inDays(27) });
    expect(after.sequence).toBeGreaterThan(dated.sequence);
    expect(after.modified > dated.modified).toBe(true);
  });

  test("is left by records that are archived, closed before their deadline, or long over", async () => {
    const names = ["stays", "archived", "withdrawn", "ended", "long over"];
    await searches.load(
      "grants",
      ...names.map((name) =>
        grant(name, { deadline_date: inDays(name === "ended" ? -10 : name === "long over" ? -40 : 9) }),
      ),
    );
    await service.connection.query("select funding.archive_records('grants', 'saved', $1)", [["archived"]]);
    await searches.load("grants", grant("withdrawn", { deadline_date: inDays(9), status: "closed" }));
    await searches.load("grants", grant("ended", { deadline_date: inDays(-10), status: "closed" }));
    const titles = (await events()).map((event) => String(event.getFirstPropertyValue("summary")));
    const ours = names.filter((name) => titles.includes(`Kelp nursery ${name}`));
    expect(ours).toEqual(["stays", "ended"]);
  });
});

describe("a secret address", () => {
  test("needs no key, and is told apart from others by its form before the database is asked", async () => {
    service.calls.length = 0;
    for (const wrong of ["none", token.slice(0, -1), `${token}0`, token.replace("fo_feed_", "fo_live_")]) {
      expect((await searches.get(wrong, "feed.atom")).status).toBe(404);
    }
    expect(service.calls).toEqual([]);
    expect((await searches.get(token, "feed.atom")).status).toBe(200);
  });

  test("ends when it is replaced, revoked, or the search is deleted", async () => {
    const second = await searches.issue(ada, kelp.id);
    expect((await searches.get(token, "feed.atom")).status).toBe(404);
    expect((await searches.get(second.token, "feed.atom")).status).toBe(200);
    await searches.ask(ada, "POST", `/saved-searches/${kelp.id}/address/revoke`);
    expect((await searches.get(second.token, "deadlines.ics")).status).toBe(404);
    expect((await searches.read(ada, kelp.id)).address).toBeNull();
    // Revoking it again is no error.
    await searches.ask(ada, "POST", `/saved-searches/${kelp.id}/address/revoke`);
    const third = await searches.issue(ada, kelp.id);
    await searches.ask(ada, "DELETE", `/saved-searches/${kelp.id}`);
    expect((await searches.get(third.token, "feed.atom")).status).toBe(404);
  });

  test("gives nothing without API access", async () => {
    await service.connection.query("select funding.set_tier($1, 'free')", [ada.email]);
    const response = await searches.get(token, "feed.atom");
    expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([
      403,
      "urn:funding-opportunities:problem:forbidden",
    ]);
  });

  test("is repeated by no problem", async () => {
    await searches.ask(ada, "POST", `/saved-searches/${kelp.id}/address/revoke`);
    const problem = await (await searches.get(token, "feed.atom")).text();
    expect(problem).toContain("fo_feed_…");
    expect(problem).not.toContain(token);
  });

  test.each(["feed.atom", "deadlines.ics"] as const)(
    "answers 304 for an unchanged %s, by tag and by date",
    async (document) => {
      await searches.load("grants", grant(`unchanged ${document}`, { deadline_date: inDays(3) }));
      const first = await searches.get(token, document);
      const tag = first.headers.get("etag") ?? "";
      for (const sent of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const again = await searches.get(token, document, { "if-none-match": sent });
        expect([again.status, again.headers.get("etag"), await again.text()], sent).toEqual([304, tag, ""]);
      }
      const since = (headers: Record<string, string>) => searches.get(token, document, headers);
      expect((await since({ "if-modified-since": new Date(Date.now() + 5_000).toUTCString() })).status).toBe(304);
      expect((await since({ "if-modified-since": "Sat, 01 Jan 2000 00:00:00 GMT" })).status).toBe(200);

      await searches.load("grants", grant(`news ${document}`, { deadline_date: inDays(3) }));
      const changed = await searches.get(token, document, { "if-none-match": tag });
      expect(changed.status).toBe(200);
      expect(changed.headers.get("etag")).not.toBe(tag);
    },
  );

  test("takes no date for one that no calendar of four digits has", async () => {
    for (const sent of ["Fri, 01 Jan 20000 00:00:00 GMT", "Fri, 01 Jan 1000 00:00:00 GMT", "+275760-09-13", "soon"]) {
      const response = await searches.get(token, "feed.atom", { "if-modified-since": sent });
      expect(response.status, sent).toBe(200);
    }
    const far = await searches.get(token, "feed.atom", { "if-modified-since": "Fri, 31 Dec 9999 23:59:59 GMT" });
    expect(far.status).toBe(304);
  });

  test("has no Last-Modified of the last ten seconds, in which a change of before may still be committed", async () => {
    const changed = (seconds: number) =>
      service.connection.execute(`
        update funding.saved_searches set updated_at = now() - interval '${seconds} seconds';
        update funding.data_versions set changed_at = now() - interval '${seconds} seconds'`);
    await changed(2);
    expect((await searches.get(token, "feed.atom")).headers.get("last-modified")).toBeNull();
    await changed(60);
    const known = (await searches.get(token, "feed.atom")).headers.get("last-modified") ?? "";
    expect(Date.parse(known)).toBeLessThan(Date.now() - 50_000);
    expect((await searches.get(token, "feed.atom", { "if-modified-since": known })).status).toBe(304);
  });

  test("may be read so many times a day, which counts against no quota", async () => {
    await service.connection.execute("update funding.settings set value = '3' where name = 'saved_search_reads'");
    const [first, second] = [await searches.get(token, "feed.atom"), await searches.get(token, "deadlines.ics")];
    const remaining = (response: Response) => response.headers.get("x-ratelimit-remaining");
    expect([first, second].map(remaining)).toEqual(["2", "1"]);
    // An unchanged answer counts as well.
    const tag = first.headers.get("etag") ?? "";
    expect(remaining(await searches.get(token, "feed.atom", { "if-none-match": tag }))).toBe("0");
    const refused = await searches.get(token, "feed.atom");
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(((await refused.json()) as { detail: string }).detail).toContain("may be read 3 times a day");
    expect((await searches.read(ada, kelp.id)).address).toMatchObject({ reads_today: 3 });
    const { rows } = (
      await service.connection.query<{ rows: number }>(
        "select count(*)::int as rows from funding.daily_quota where account_id = funding.account_id($1)",
        [ada.email],
      )
    )[0] ?? { rows: -1 };
    expect(rows).toBe(0);
    // Yesterday's reads are no longer counted.
    await service.connection.execute("update funding.saved_searches set last_read_at = now() - interval '1 day'");
    expect((await searches.get(token, "feed.atom")).status).toBe(200);
  });

  test.each(["feed.atom", "deadlines.ics"])(
    "gives the same %s whatever a reader adds to it, which was refused",
    async (document) => {
      const plain = await (await service.fetch(`/saved-searches/${token}/${document}`)).text();
      for (const added of ["?nocache=1", "?limit=1", "?_=17&_=18", "?", "?%ff", `?${"a".repeat(20_000)}`]) {
        const response = await service.fetch(`/saved-searches/${token}/${document}${added}`);
        expect([response.status, await response.text()], added.slice(0, 20)).toEqual([200, plain]);
      }
    },
  );

  test("takes nothing but GET and HEAD", async () => {
    expect((await service.fetch(`/saved-searches/${token}/feed.atom`, { method: "POST" })).status).toBe(405);
    const head = await service.fetch(`/saved-searches/${token}/feed.atom`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  });
});

/** Errors of an XML document, by a parser that forgives nothing. */
function wellFormednessErrors(xml: string): string[] {
  const errors: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => errors.push(error.message));
  parser.write(xml).close();
  return errors;
}
