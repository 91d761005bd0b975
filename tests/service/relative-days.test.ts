import { afterAll, beforeAll, expect, test } from "vitest";
import { loadBatch } from "../../ingest/load.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { setWallClock } from "../support/wall-clock.ts";

/** Deadlines of both sources. */
const days = ["2026-11-29", "2026-11-30", "2026-12-01", "2026-12-14", "2026-12-15", "2026-12-16"];

const record = (source: string, deadline_date: string) => ({
  source,
  source_id: deadline_date,
  title: `${source} ${deadline_date}`,
  description: "A description",
  states: [],
  is_national: true,
  geography: null,
  amount_min: null,
  amount_max: null,
  deadline_date,
  project_end_date: null,
  status: "open",
  classification: "opportunity",
  archived_at: null,
  funder_name: "Funder",
  funder_source_id: null,
  listing_url: null,
  created_at: "2026-01-01T00:00:00Z",
  identifiers: [],
  categories: [],
  details: {},
});

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  await service.connection.execute("truncate funding.grants");
  await setClock("2026-11-29T12:00:00Z");
  await service.connection.query("select funding.set_time_zone('guam', 'Pacific/Guam')");
  const records = ["eastern", "guam"].flatMap((source) => days.map((day) => record(source, day)));
  const { inserted, refused } = await loadBatch(service.connection, "grants", records as never);
  expect({ inserted, refused }).toEqual({ inserted: 12, refused: [] });
});
afterAll(() => service.close());

async function setClock(moment: string): Promise<void> {
  await setWallClock(service.connection, `'${moment}'::timestamptz`);
  await service.connection.execute("select funding.confirm_clock()");
}

async function ask(query: string, headers: Record<string, string> = {}) {
  const response = await service.fetch(`/grants-api?limit=100&sort_by=title&order=asc&${query}`, {
    headers: { ...bearer(key), ...headers },
  });
  const { results = [] } =
    response.status === 200 ? ((await response.json()) as { results: { title: string }[] }) : { results: [] };
  return { status: response.status, tag: response.headers.get("etag"), titles: results.map(({ title }) => title) };
}
const of = (source: string, ...wanted: string[]) => wanted.map((day) => `${source} ${day}`);

// At 03:00 in UTC it is 30 November in New York, and 1 December on Guam.
const parted = "2026-12-01T03:00:00Z";
const later = "2026-12-01T06:00:00Z";

test("days from today are those where a record's publisher is, and not in UTC", async () => {
  await setClock(parted);
  expect((await ask("deadline_after=today")).titles).toEqual([
    ...of("eastern", "2026-12-01", "2026-12-14", "2026-12-15", "2026-12-16"),
    ...of("guam", "2026-12-14", "2026-12-15", "2026-12-16"),
  ]);
  for (const sign of ["%2B", "+"]) {
    expect((await ask(`deadline_after=today-1d&deadline_before=today${sign}15d`)).titles).toEqual([
      ...of("eastern", "2026-11-30", "2026-12-01", "2026-12-14"),
      ...of("guam", "2026-12-01", "2026-12-14", "2026-12-15"),
    ]);
  }
});

test("closing_within has open opportunities from today to the last day, both included", async () => {
  await setClock(parted);
  await service.connection.execute(
    "update funding.grants set status = 'upcoming' where source = 'eastern' and deadline_date = '2026-12-01'",
  );
  expect((await ask("closing_within=14")).titles).toEqual([
    ...of("eastern", "2026-11-30", "2026-12-14"),
    ...of("guam", "2026-12-01", "2026-12-14", "2026-12-15"),
  ]);
  expect((await ask("closing_within=0")).titles).toEqual([...of("eastern", "2026-11-30"), ...of("guam", "2026-12-01")]);
});

test("a list that was answered before moves with the day, and so does its tag", async () => {
  const query = "deadline_after=today&deadline_before=2026-12-02";
  await setClock(parted);
  const before = await ask(query);
  expect(before.titles).toEqual(of("eastern", "2026-12-01"));
  expect(await ask(query)).toEqual(before);
  const absolute = await ask("deadline_after=2026-11-30&deadline_before=2026-12-02");
  await setClock(later);
  expect((await ask(query, { "if-none-match": before.tag ?? "" })).status).toBe(200);
  expect((await ask(query)).titles).toEqual([]);
  expect(await ask("deadline_after=2026-11-30&deadline_before=2026-12-02")).toEqual(absolute);
});

test.each(["tomorrow", "today+d", "today+14", "today+99999d", "2026-02-30"])("%s is no day", async (day) => {
  const response = await service.fetch(`/grants-api?deadline_after=${encodeURIComponent(day)}`, {
    headers: bearer(key),
  });
  const { errors } = (await response.json()) as { errors: object[] };
  expect([response.status, errors]).toEqual([
    400,
    [
      {
        parameter: "deadline_after",
        message: "must be a date (YYYY-MM-DD), today, or days from today such as today+14d",
      },
    ],
  ]);
});
