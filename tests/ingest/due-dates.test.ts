import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Connection, queryOne } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { unknownPast } from "../../ingest/record.ts";
import { runs } from "../support/properties.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { setWallClock } from "../support/wall-clock.ts";

let connection: Connection;
beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
  await connection.query(
    "select funding.set_time_zone(source, zone) from unnest($1::text[], $2::text[]) as given(source, zone)",
    [zones.map(sourceIn), zones],
  );
});
beforeEach(() =>
  connection.execute(
    "truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes, funding.imports",
  ),
);
afterAll(() => connection.close());

const zones = ["America/New_York", "America/Los_Angeles", "Pacific/Honolulu", "America/Puerto_Rico", "Pacific/Guam"];
const sourceIn = (zone: string) => zone.toLowerCase().replaceAll(/[^a-z]/g, "-");

interface State {
  status: string;
  archived_at: string | null;
}

function record(dataset: "grants" | "contracts", changes: object) {
  return {
    source: sourceIn("America/New_York"),
    source_id: "1",
    title: "Cleaner lakes",
    description: "",
    amount_min: null,
    amount_max: null,
    deadline_date: null,
    project_end_date: null,
    status: "open",
    classification: "opportunity",
    geography: null,
    states: [],
    is_national: true,
    funder_name: "Office of Lakes",
    funder_source_id: null,
    listing_url: null,
    created_at: "2026-01-05T00:00:00Z",
    categories: [],
    identifiers: [],
    archived_at: null,
    details: {},
    ...(dataset === "contracts"
      ? { document_url: null, naics: null, primary_contact_email: null, set_aside_code: null }
      : {}),
    ...changes,
  };
}

async function setClock(moment: string): Promise<void> {
  await setWallClock(connection, `'${moment}'::timestamptz`);
  await connection.execute("select funding.confirm_clock()");
}

const load = (dataset: string, ...records: object[]) =>
  queryOne<{ inserted: number; updated: number; unchanged: number }>(
    connection,
    "select (counts->>'inserted')::int as inserted, (counts->>'updated')::int as updated, (counts->>'unchanged')::int as unchanged from funding.upsert_records($1, $2::jsonb) as counts",
    [dataset, JSON.stringify(records)],
  );

async function applyDueDates(): Promise<number> {
  const { result } = await queryOne<{ result: { records: number } }>(
    connection,
    "select public.apply_due_dates(1000) as result",
  );
  return result.records;
}

const stateOf = (dataset: string, sourceId = "1") =>
  queryOne<State>(
    connection,
    `select status, to_char(archived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as archived_at from funding.${dataset} where source_id = $1`,
    [sourceId],
  );

const changesOf = (dataset: string) =>
  connection.query<{ previous: object }>(
    "select previous from funding.record_changes where dataset = $1 order by changed_at, id",
    [dataset],
  );

describe.each(["grants", "contracts"] as const)("dates of %s act when they come", (dataset) => {
  test("an open record is closed once its deadline has passed, with one change, and the same file changes nothing", async () => {
    const open = record(dataset, { deadline_date: "2026-11-28", status: dataset === "grants" ? "posted" : "open" });
    await setClock("2026-11-29T04:59:59Z");
    await load(dataset, open);
    expect(await applyDueDates()).toBe(0);
    expect(await stateOf(dataset)).toEqual({ status: open.status, archived_at: null });
    await setClock("2026-11-29T05:00:00Z");
    expect(await applyDueDates()).toBe(1);
    expect(await stateOf(dataset)).toEqual({ status: "closed", archived_at: null });
    expect(await changesOf(dataset)).toEqual([{ previous: { status: open.status } }]);
    expect(await applyDueDates()).toBe(0);
    expect(await load(dataset, open)).toEqual({ inserted: 0, updated: 0, unchanged: 1 });
    expect(await changesOf(dataset)).toHaveLength(1);
  });

  test("a deadline that is moved opens the record again, also by a part of a record", async () => {
    await setClock("2026-11-01T00:00:00Z");
    await load(dataset, record(dataset, { deadline_date: "2026-11-15" }));
    await setClock("2026-11-20T00:00:00Z");
    await applyDueDates();
    const { source, source_id } = record(dataset, {});
    await load(dataset, { source, source_id, deadline_date: "2026-12-15" });
    expect(await stateOf(dataset)).toEqual({ status: "open", archived_at: null });
  });

  test("a record without a deadline stays open", async () => {
    await load(dataset, record(dataset, {}));
    await setClock("2031-01-01T00:00:00Z");
    expect(await applyDueDates()).toBe(0);
    expect((await stateOf(dataset)).status).toBe("open");
  });

  test("a forecast is closed after the deadline that was expected, and an award or a cancelled record is left alone", async () => {
    await setClock("2026-11-01T00:00:00Z");
    const others = dataset === "contracts" ? ["cancelled", "awarded"] : ["closed"];
    await load(
      dataset,
      record(dataset, { source_id: "forecast", status: "forecasted", deadline_date: "2026-03-01" }),
      record(dataset, { source_id: "award", classification: "awarded_project", status: "closed" }),
      ...others.map((status) => record(dataset, { source_id: status, status, deadline_date: "2026-03-01" })),
    );
    expect((await stateOf(dataset, "forecast")).status).toBe("closed");
    expect((await stateOf(dataset, "award")).status).toBe("closed");
    for (const status of others) expect((await stateOf(dataset, status)).status).toBe(status);
  });

  test("a planned archive date leaves the record in the catalogue until the day begins where its publisher is", async () => {
    await setClock("2026-11-28T12:00:00Z");
    await load(dataset, record(dataset, { deadline_date: "2027-01-15", archived_at: "2027-02-14T00:00:00.000Z" }));
    expect(await stateOf(dataset)).toEqual({ status: "open", archived_at: null });
    await setClock("2027-02-14T04:59:59Z");
    await applyDueDates();
    expect(await stateOf(dataset)).toEqual({ status: "closed", archived_at: null });
    await setClock("2027-02-14T05:00:00Z");
    expect(await applyDueDates()).toBe(1);
    expect(await stateOf(dataset)).toEqual({ status: "closed", archived_at: "2027-02-14T00:00:00Z" });
    expect(await changesOf(dataset)).toEqual([{ previous: { status: "open" } }, { previous: { archived_at: null } }]);
  });

  test("a part of a record that says that it is open keeps the archive date that is planned", async () => {
    await setClock("2026-11-28T12:00:00Z");
    await load(dataset, record(dataset, { archived_at: "2027-02-14T00:00:00.000Z" }));
    const { source, source_id } = record(dataset, {});
    await load(dataset, { source, source_id, status: "open", archived_at: null });
    await setClock("2027-02-15T00:00:00Z");
    expect(await applyDueDates()).toBe(1);
    // After the date, the publisher's word counts.
    await load(dataset, { source, source_id, status: "open", archived_at: null });
    expect(await stateOf(dataset)).toEqual({ status: "open", archived_at: null });
  });

  test("an archived record without a date is archived since the first import that said so", async () => {
    const archived = record(dataset, { status: "closed", archived_at: unknownPast, deadline_date: "2027-06-01" });
    await setClock("2026-11-28T12:00:00Z");
    await load(dataset, archived);
    await setClock("2026-12-28T12:00:00Z");
    expect(await load(dataset, archived)).toMatchObject({ unchanged: 1 });
    await load(dataset, { ...archived, title: "Cleaner rivers" });
    expect(await stateOf(dataset)).toEqual({ status: "closed", archived_at: "2026-11-28T12:00:00Z" });
  });

  test("a record that is posted later is upcoming until then", async () => {
    await setClock("2026-11-28T12:00:00Z");
    await load(dataset, record(dataset, { created_at: "2026-12-05T00:00:00Z" }));
    expect((await stateOf(dataset)).status).toBe("upcoming");
    await setClock("2026-12-05T05:00:00Z");
    expect(await applyDueDates()).toBe(1);
    expect((await stateOf(dataset)).status).toBe("open");
  });

  test("a record that its list no longer has stays archived when its deadline passes", async () => {
    await setClock("2026-11-01T00:00:00Z");
    const open = record(dataset, { deadline_date: "2026-12-15" });
    await load(dataset, open);
    await connection.query("select funding.archive_records($1, $2, $3)", [dataset, open.source, ["1"]]);
    const before = await stateOf(dataset);
    await setClock("2027-01-01T00:00:00Z");
    expect(await applyDueDates()).toBe(0);
    expect(await stateOf(dataset)).toEqual(before);
    await setClock("2026-11-02T00:00:00Z");
    await load(dataset, open);
    expect(await stateOf(dataset)).toEqual({ status: "open", archived_at: null });
  });
});

describe("the end of a deadline", () => {
  /** First second at which the wall clock of a zone shows the day after. */
  function endOf(day: string, zone: string): number {
    const format = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    const noon = Date.parse(`${day}T12:00:00Z`);
    let [low, high] = [noon - 86_400_000, noon + 2 * 86_400_000];
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000;
      if (format.format(middle) > day) high = middle;
      else low = middle;
    }
    return high;
  }

  // The last two days are those on which clocks change in most of the US.
  test.each(["2026-07-15", "2026-12-31", "2027-02-28", "2027-03-14", "2027-11-07"])(
    "%s is the end of the day where the publisher is, in five zones",
    async (day) => {
      for (const zone of zones) {
        const end = endOf(day, zone);
        await connection.execute("truncate funding.grants");
        await setClock(new Date(end - 30 * 86_400_000).toISOString());
        await load("grants", record("grants", { source: sourceIn(zone), deadline_date: day }));
        await setClock(new Date(end - 1_000).toISOString());
        await applyDueDates();
        expect([zone, (await stateOf("grants")).status]).toEqual([zone, "open"]);
        const today = "select funding.today_of($1)::text as today";
        expect((await queryOne<{ today: string }>(connection, today, [sourceIn(zone)])).today).toBe(day);
        await setClock(new Date(end).toISOString());
        await applyDueDates();
        expect([zone, (await stateOf("grants")).status]).toEqual([zone, "closed"]);
        expect((await queryOne<{ today: string }>(connection, today, [sourceIn(zone)])).today > day).toBe(true);
      }
    },
  );

  test.each([
    ["an hour with its offset", { deadline_at: "2027-02-10T10:00:00+09:00" }, "2027-02-10T01:00:00Z"],
    ["midnight, which programs write for a day", { deadline_at: "2027-02-10T00:00:00-05:00" }, "2027-02-11T05:00:00Z"],
    [
      "an hour that is assumed",
      { deadline_at: "2027-02-10T23:59:00-05:00", deadline_assumed: true },
      "2027-02-11T05:00:00Z",
    ],
    ["an hour of another day", { deadline_at: "2027-02-09T10:00:00-05:00" }, "2027-02-11T05:00:00Z"],
  ])("with %s", async (_what, details, end) => {
    await setClock("2026-11-28T12:00:00Z");
    await load("grants", record("grants", { deadline_date: "2027-02-10", details }));
    await setClock(new Date(Date.parse(end) - 1_000).toISOString());
    expect(await applyDueDates()).toBe(0);
    await setClock(end);
    expect(await applyDueDates()).toBe(1);
  });
});

test("a record imported before its dates came is what it would be if it were imported after them", async () => {
  const day = fc
    .integer({ min: 0, max: 40 })
    .map((days) => new Date(Date.UTC(2026, 10, 1 + days)).toISOString().slice(0, 10));
  const moment = fc
    .integer({ min: 0, max: 40 * 24 })
    .map((hours) => new Date(Date.UTC(2026, 10, 1, hours)).toISOString());
  const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
  const item = fc.record({
    source: fc.constantFrom(...zones.map(sourceIn)),
    status: fc.constantFrom("open", "posted", "forecasted", "upcoming", "closed"),
    deadline_date: orNull(day),
    archived_at: orNull(
      fc.oneof(
        day.map((text) => `${text}T00:00:00.000Z`),
        moment,
      ),
    ),
    created_at: fc.oneof(
      day.map((text) => `${text}T00:00:00.000Z`),
      moment,
    ),
    hour: fc.integer({ min: 0, max: 23 }),
    offset: fc.constantFrom("-05:00", "+09:00", "-10:00"),
    hasHour: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 20 }),
      fc.array(moment, { minLength: 2, maxLength: 5 }),
      async (items, moments) => {
        const records = items.map(({ hour, offset, hasHour, ...given }, index) =>
          record("grants", {
            ...given,
            source_id: String(index),
            details:
              hasHour && given.deadline_date !== null
                ? { deadline_at: `${given.deadline_date}T${String(hour).padStart(2, "0")}:00:00${offset}` }
                : {},
          }),
        );
        const [first = "", ...later] = moments.toSorted();
        const last = later.at(-1) ?? first;
        const states = () =>
          connection.query(
            'select source_id, status, archived_at::text from funding.grants order by source_id collate "C"',
          );
        await connection.execute("truncate funding.grants");
        await setClock(last);
        await load("grants", ...records);
        const expected = await states();
        await connection.execute("truncate funding.grants");
        await setClock(first);
        await load("grants", ...records);
        for (const at of later) {
          await setClock(at);
          await applyDueDates();
        }
        expect(await states()).toEqual(expected);
        expect(await applyDueDates()).toBe(0);
        expect(await load("grants", ...records)).toEqual({ inserted: 0, updated: 0, unchanged: records.length });
      },
    ),
    { numRuns: runs(200) },
  );
});
