import { parseAtomFeed } from "feedsmith";
import ICAL from "ical.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { documentOf, loadFiles } from "../support/documents.ts";
import type { Person } from "../support/people.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { grant, SavedSearches } from "./service.ts";

/** Saved searches that look into the documents of opportunities. */

let service: TestService;
let searches: SavedSearches;
let ada: Person;
let key: string;

const query = "search=zither&search_in=documents";
const both = "search=zither&search_in=all";

beforeAll(async () => {
  service = await openTestService();
  searches = new SavedSearches(service);
  ada = await searches.client.newSubscriber();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

/** Titles of the grants that a list finds. */
async function listed(parameters: string): Promise<string[]> {
  const response = await service.fetch(`/grants-api?${parameters}`, { headers: bearer(key) });
  const { results } = (await response.json()) as { results: { title: string }[] };
  return results.map(({ title }) => title).sort();
}

test("a search in documents counts, feeds, mails and dates the records that the list finds", async () => {
  const saved = await searches.save(ada, `${query}&sort_by=title&limit=5`);
  const all = await searches.save(ada, both);
  expect(saved).toMatchObject({ query: `${query}&sort_by=title`, filter: query, new_records: { count: 0 } });
  const { token } = await searches.issue(ada, saved.id);
  const dated = { deadline_date: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10) };
  await searches.load(
    "grants",
    grant("said", { title: "Said in a document", ...dated }),
    grant("other", { title: "Another document", ...dated }),
    grant("named", { title: "Zither makers", ...dated }),
  );
  const rows = await service.connection.query<{ id: string; source_id: string }>(
    "select id, source_id from funding.grants where source = 'saved'",
  );
  const idOf = (name: string) => rows.find(({ source_id }) => source_id === name)?.id ?? "";
  expect((await searches.read(ada, saved.id)).new_records).toEqual({ count: 0, is_capped: false });
  await loadFiles(
    service.connection,
    { url: "https://a.example/1.pdf", of: [idOf("said")], documents: [documentOf("Letters name the zither.")] },
    { url: "https://a.example/2.pdf", of: [idOf("other")], documents: [documentOf("Letters name the harp.")] },
  );

  const counted = await searches.read(ada, saved.id);
  expect(counted.new_records?.count).toBe(1);
  expect((await searches.read(ada, all.id)).new_records?.count).toBe(2);
  // The address that the dashboard opens for the number.
  const since = `&first_seen_after=${counted.seen_until}`;
  expect(await listed(counted.query + since)).toEqual(["Said in a document"]);
  expect(await listed(both + since)).toEqual(["Said in a document", "Zither makers"]);
  const titles = async (id: string) =>
    (
      await queryOne<{ records: { title: string }[] }>(
        service.connection,
        "select funding.digest_records(search, '-infinity', 'infinity') as records from funding.saved_searches as search where id = $1",
        [id],
      )
    ).records.map(({ title }) => title);
  expect(await titles(saved.id)).toEqual(["Said in a document"]);
  expect((await titles(all.id)).toSorted()).toEqual(["Said in a document", "Zither makers"]);
  const feed = parseAtomFeed(await (await searches.get(token, "feed.atom")).text());
  expect(feed.entries?.map(({ title }) => title?.value)).toEqual(["Said in a document"]);
  const calendar = new ICAL.Component(ICAL.parse(await (await searches.get(token, "deadlines.ics")).text()));
  const events = calendar.getAllSubcomponents("vevent");
  expect(events.map((event) => event.getFirstPropertyValue("summary"))).toEqual(["Said in a document"]);
});

test("a document that is read later makes no seen record new", async () => {
  const saved = await searches.save(ada, "search=clavichord&search_in=documents");
  const { id } = await queryOne<{ id: string }>(
    service.connection,
    "select id from funding.grants where source = 'saved' and source_id = 'other'",
  );
  await loadFiles(service.connection, {
    ...{ url: "https://a.example/3.pdf", of: [id] },
    documents: [documentOf("A clavichord.")],
  });
  expect(await listed(saved.query)).toEqual(["Another document"]);
  expect((await searches.read(ada, saved.id)).new_records?.count).toBe(0);
});

test("search_in needs a search, as in lists", async () => {
  const body = { name: "Nothing", dataset: "grants", query: "search_in=all" };
  const refusal = await searches.ask<{ errors: { parameter: string }[] }>(ada, "POST", "/saved-searches", body, 400);
  expect(refusal.errors.map(({ parameter }) => parameter)).toEqual(["query.search_in"]);
});
