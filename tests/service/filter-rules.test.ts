import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Connection, queryOne } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { filters, measuredFields, valueFields } from "../../shared/catalogue/filters.ts";
import type { Comparison, Filter, ValueField } from "../../shared/catalogue/rules.ts";
import { runs } from "../support/properties.ts";
import { openTestDatabase } from "../support/service.ts";

/**
 * Every filter and every pair of them, on random records: the records that it finds are the same by an oracle in TypeScript, by its predicate and by the
 * bitmaps. A filter that is declared without an oracle or values here fails.
 */

type Row = Record<string, unknown> & { id: string; details: Record<string, unknown> | null };
type Given = Record<string, unknown>;

const days = ["2026-12-01", "2026-12-31", "2027-01-01", "2027-03-05"];
const moments = ["2026-10-01T00:00:00.000Z", "2026-10-01T00:00:00.001Z", "2026-11-20T14:00:00.000Z"];
const numbers = [0, 1, 49_999.5, 50_000, 250_000];
const funderIds = ["00000000-0000-8000-a000-000000000001", "00000000-0000-8000-a000-000000000002"];
const words = ["water", "kelp", "bridge", "harbor"];

/** Values that records have, by column and by detail. All are among those that filters ask for. */
const columns: Record<string, fc.Arbitrary<unknown>> = {
  title: fc.subarray(words).map((some) => `Title ${some.join(" ")}`),
  description: fc.constant("A description"),
  status: fc.constantFrom("open", "posted", "closed", "forecasted", "upcoming"),
  project_end_date: fc.constantFrom(null, ...days),
  classification: fc.constantFrom("opportunity", "opportunity", "awarded_project"),
  archived_at: fc.constantFrom(null, null, null, "2026-01-01T00:00:00Z"),
  superseded_by: fc.constantFrom(null, null, null, "00000000-0000-8000-a000-000000000001"),
  amount_min: fc.constantFrom(null, ...numbers),
  deadline_date: fc.constantFrom(null, ...days),
  geography: fc.constantFrom(null, "Ohio", "Ohio and 10% of Texas"),
  states: fc.subarray(["OH", "PA", "TX"]),
  is_national: fc.boolean(),
  categories: fc.subarray(["Health", "HEALTH", "Education", 'it\'s = "x"']),
  funder_id: fc.constantFrom(...funderIds),
  created_at: fc.constantFrom(...moments),
  updated_at: fc.constantFrom(...moments),
  first_seen_at: fc.constantFrom(null, ...moments),
  source: fc.constantFrom("one", "One", "two"),
  naics: fc.constantFrom(null, "541511", "541990", "237110"),
  set_aside_code: fc.constantFrom(null, "8A", "8a", "HZC", "Élan"),
};
const details: Record<string, fc.Arbitrary<unknown>> = {
  applicant_types: fc.subarray(["individual", "government_county", "unrestricted"]),
  agency: fc.subarray(["Department of Health", "DEPARTMENT  of health", "Départment of Health", "???"]),
  assistance_listings: fc
    .subarray(["10.557", "84.305A"])
    .map((some) => some.map((number) => ({ number, title: null }))),
  funding_instrument: fc.subarray(["grant", "other"]),
  cost_sharing: fc.boolean(),
  psc: fc.constantFrom("R499", "R425", "Z", "J0"),
  recipient: fc.record({
    name: fc.constantFrom(null, "Ohio State", "OHIO  STATE,", "Jones & Sons"),
    uei: fc.constantFrom(null, "QZ5ACLXM1PL5", "AAAAAAAAAAAA"),
    state: fc.constantFrom(null, "OH", "oh", "TX", "Ontario"),
  }),
  expected_awards: fc.constantFrom(...numbers),
  total_funding: fc.constantFrom(...numbers),
  obligated_amount: fc.constantFrom(...numbers),
  project_start_date: fc.constantFrom(...days),
};

const contractColumns = ["naics", "set_aside_code"];
const isOf = (dataset: string) => (name: string) => dataset === "contracts" || !contractColumns.includes(name);

function rows(dataset: string): fc.Arbitrary<Row> {
  return fc
    .record({
      ...Object.fromEntries(Object.entries(columns).filter(([name]) => isOf(dataset)(name))),
      id: fc.uuid(),
      details: fc.option(fc.record(details, { requiredKeys: [] })),
      more: fc.constantFrom(null, 0, 1, 200_000),
    })
    .map(({ more, ...row }) => {
      const least = (row as Row).amount_min;
      const amount_max = more === null ? null : ((least as number | null) ?? 0) + more;
      // An awarded project has no deadline.
      const isOpportunity = (row as Row).classification === "opportunity";
      const deadline_date = isOpportunity ? (row as Row).deadline_date : null;
      const project_end_date = isOpportunity ? null : (row as Row).project_end_date;
      // A national record names no state.
      const states = (row as Row).is_national === true ? [] : (row as Row).states;
      return { ...row, amount_max, deadline_date, project_end_date, states } as unknown as Row;
    });
}

const entries = Object.entries<Filter>(filters);

const sameStatus = [
  ["open", "posted"],
  ["forecasted", "upcoming"],
];

/** Values of a record's field that is looked for, in the form in which they are compared. */
function valuesOf(row: Row, field: ValueField): (string | undefined)[] {
  const steps = field.path
    ?.replace("$.", "")
    .split(/\[\*\]\.?|\./)
    .filter((step) => step !== "");
  const [name = "", member] = steps ?? [field.column];
  const value = field.path === undefined ? row[name] : row.details?.[name];
  const items = (Array.isArray(value) ? value : [value]).filter((item) => item !== null && item !== undefined);
  return items.map((item) => formed(field, String(member === undefined ? item : item[member])));
}

function formed({ form }: ValueField, value: string): string {
  if (form === "status") return sameStatus.find((both) => both.includes(value))?.[0] ?? value;
  if (form === "lower") return value.toLowerCase();
  if (form === "upper") return value.toUpperCase();
  if (form !== "agency") return value;
  return value
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim();
}

function measured(row: Row, name: string): number | undefined {
  const value = row[name] ?? row.details?.[name];
  if (value === null || value === undefined) return undefined;
  return typeof value === "number" ? value : Date.parse(String(value));
}
function isInRange(value: number, range: unknown): boolean {
  const { operator, min, max } = range as { operator: string; min: unknown; max: unknown };
  const isWithin = value >= size(min) && value <= size(max);
  return operator === "outside" ? !isWithin : isWithin;
}

/** A day that is relative to today, as the filter has it while sources have different days. */
interface SourceDays {
  day: string;
  of: Record<string, string>;
}
const dayOf = (row: Row, day: unknown) =>
  typeof day === "object" && day !== null
    ? ((day as SourceDays).of[String(row.source)] ?? (day as SourceDays).day)
    : day;

const size = (value: unknown) => (typeof value === "number" ? value : Date.parse(String(value)));

const has = (list: unknown, ...wanted: unknown[]) => Array.isArray(list) && wanted.some((one) => list.includes(one));

/** What no rule expresses, once more in TypeScript. */
const own: Record<string, (row: Row, given: Given) => boolean> = {
  search: (row, { search }) => String(row.title).split(" ").includes(String(search)),
  opportunity_type: ({ classification }, { opportunity_type: type = "open" }) =>
    type === "all" || classification === (type === "open" ? "opportunity" : "awarded_project"),
  include_archived: ({ archived_at }, { include_archived }) => include_archived === true || archived_at === null,
  include_versions: ({ superseded_by }, { include_versions }) => include_versions === true || superseded_by === null,
  states: ({ states, is_national }, given) =>
    has(states, ...(given.states as string[])) || (given.include_national === true && is_national === true),
  geography: ({ geography }, given) =>
    typeof geography === "string" && geography.toLowerCase().includes(String(given.geography).toLowerCase()),
  applicant_type: ({ details: known }, given) =>
    has(
      known?.applicant_types,
      ...(given.applicant_type as string[]),
      ...(given.include_unrestricted === false ? [] : ["unrestricted"]),
    ),
  updated_after: ({ updated_at }, given) => size(updated_at) > size(given.updated_after),
  updated_before: ({ updated_at }, given) => size(updated_at) < size(given.updated_before),
  first_seen_after: ({ first_seen_at }, given) =>
    first_seen_at !== null && size(first_seen_at) > size(given.first_seen_after),
  first_seen_before: ({ first_seen_at }, given) =>
    first_seen_at !== null && size(first_seen_at) < size(given.first_seen_before),
  awarded_amount_range: (row, given) => {
    const amount = measured(row, "obligated_amount") ?? measured(row, "amount_max");
    return amount !== undefined && isInRange(amount, given.awarded_amount_range);
  },
  // No record here names the number of an opportunity.
  awarded_under: (_, given) => (given.awarded_under as { operator: string }).operator === "notIn",
  runs_on: ({ project_end_date: end }, { runs_on }) => end === null || String(end) >= String(runs_on),
  closing_within: (row, given) => {
    const { from, upto } = given.closing_within as { from: unknown; upto: unknown };
    const { deadline_date, status } = row;
    return (
      has(["open", "posted"], status) &&
      typeof deadline_date === "string" &&
      deadline_date >= String(dayOf(row, from)) &&
      deadline_date <= String(dayOf(row, upto))
    );
  },
};

/** Whether a record meets a filter. */
function meets(row: Row, name: string, compare: Comparison, given: Given): boolean {
  const wanted = given[name];
  switch (compare.kind) {
    case "modifier":
      return true;
    case "own":
    case "condition": {
      const oracle = own[name];
      if (oracle === undefined) throw new Error(`no oracle knows the filter ${name}`);
      return oracle(row, given);
    }
    case "value": {
      const field = (valueFields as Record<string, ValueField>)[compare.field] as ValueField;
      const keys = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => formed(field, String(one)));
      const isMet = valuesOf(row, field).some((value) =>
        keys.some(
          (key) => value === key || (field.beginnings?.includes(key.length) === true && value?.startsWith(key)),
        ),
      );
      return isMet !== (compare.isExcluding === true);
    }
    default: {
      const value = measured(row, compare.field);
      if (value === undefined) return false;
      if (compare.kind === "within") return isInRange(value, wanted);
      const bound = size(dayOf(row, wanted));
      return { from: value >= bound, upto: value <= bound, above: value > bound, below: value < bound }[compare.kind];
    }
  }
}

/** One of the values, or several of them. */
const some = (...values: readonly string[]) =>
  fc.oneof(fc.constantFrom(...values), fc.subarray([...values], { minLength: 2 }));

/** A day, or two. */
const sourceDays = fc.oneof(
  fc.constantFrom(...days),
  fc.record({ day: fc.constantFrom(...days), of: fc.record({ one: fc.constantFrom(...days) }) }),
);

/** Values that a filter asks for: those of records, and others. A twin asks for the same. */
const asked: Record<string, fc.Arbitrary<unknown>> = {
  search: fc.constantFrom(...words),
  opportunity_type: fc.constantFrom("open", "awarded", "all"),
  include_archived: fc.boolean(),
  include_versions: fc.boolean(),
  status: some("open", "posted", "closed", "forecasted", "upcoming"),
  statuses: fc.subarray(["open", "posted", "closed", "upcoming"]),
  states: fc.subarray(["OH", "PA", "GU"], { minLength: 1 }),
  include_national: fc.boolean(),
  geography: fc.constantFrom("ohio", "10%", "%", "Texas"),
  geography_states: fc.constant(["OH"]),
  applicant_type: fc.subarray(["individual", "unrestricted", "custom"], { minLength: 1 }),
  include_unrestricted: fc.boolean(),
  funder_id: some(...funderIds),
  updated_after: fc.constantFrom(...moments),
  updated_before: fc.constantFrom(...moments),
  first_seen_after: fc.constantFrom(...moments),
  first_seen_before: fc.constantFrom(...moments),
  awarded_amount_range: fc.record({
    operator: fc.constantFrom("between", "outside"),
    min: fc.constantFrom(...numbers),
    max: fc.constantFrom(...numbers),
  }),
  runs_on: fc.constantFrom(...days),
  awarded_under: fc.record({ operator: fc.constantFrom("in", "notIn"), ids: fc.array(fc.uuid(), { maxLength: 3 }) }),
  // As `funding.with_days` writes them.
  deadline_after: sourceDays,
  deadline_before: sourceDays,
  closing_within: fc.record({ from: sourceDays, upto: sourceDays }),
  category: some("health", "Education", 'IT\'S = "X"', "none"),
  agency: some("department of health", "Dept. of Health", "???"),
  assistance_listing: some("10.557", "84.305A", "10.55", "10.", "84."),
  funding_instrument: fc.subarray(["grant", "other", "procurement_contract"], { minLength: 1 }),
  cost_sharing: fc.boolean(),
  source: some("one", "One", "three"),
  naics: some("541511", "541512", "54", "5419", "23711", "11"),
  psc: some("R499", "R4", "R42", "Z", "J01", "J"),
  recipient: some("ohio state", "Jones and Sons", "jones sons", "none"),
  uei: some("QZ5ACLXM1PL5", "BBBBBBBBBBBB"),
  recipient_state: some("OH", "TX", "VT"),
  set_aside: some("8a", "hzc", "élan", "none"),
};
const bounds = {
  number: fc.constantFrom(...numbers),
  day: fc.constantFrom(...days),
  moment: fc.constantFrom(...moments),
};

/** Filters that the search's other modes have. */
const notAsked = ["search_mode", "search_in", "passage_search", "identifier_matches", "similar_to"];

function valueFor(name: string, compare: Comparison): fc.Arbitrary<unknown> {
  const known = asked[name.replace(/^exclude_/, "")];
  if (known !== undefined) return known;
  const measure = "field" in compare ? measuredFields[compare.field] : undefined;
  if (measure === undefined) throw new Error(`no values are known for the filter ${name}`);
  const bound: fc.Arbitrary<unknown> = bounds[measure.type];
  return compare.kind === "within"
    ? fc.record({ operator: fc.constantFrom("between", "outside"), min: bound, max: bound })
    : bound;
}

let connection: Connection;
beforeAll(async () => {
  connection = pgliteConnection(await openTestDatabase());
  await connection.execute("truncate funding.grants, funding.contracts, funding.funders");
  for (const id of funderIds) {
    await connection.query(
      `insert into funding.funders (id, name, created_at, source, source_id, content_hash) values ($1::uuid, $1, now(), 'test', $1, '')`,
      [id],
    );
  }
});
afterAll(() => connection.close());

async function fill(dataset: string, records: readonly Row[]): Promise<void> {
  await connection.execute(`truncate funding.${dataset}`);
  const names = Object.keys({ ...columns, amount_max: 0, details: 0, id: 0 }).filter(isOf(dataset));
  await connection.query(
    `insert into funding.${dataset} (${names.join(", ")}, source_id, content_hash)
     select ${names.map((name) => `record.${name}`).join(", ")}, record.id::text, ''
     from jsonb_populate_recordset(null::funding.${dataset}, $1) as record`,
    [JSON.stringify(records)],
  );
  await connection.query(`select funding.seal($1, 1, 100000)`, [dataset]);
}

/** Ids of the records that a filter finds, by its predicate and by the bitmaps; undefined where these leave it to the predicate. */
async function find(dataset: string, given: Given): Promise<{ byPredicate: string[]; byBitmaps?: string[] }> {
  const { condition } = await queryOne<{ condition: string }>(
    connection,
    "select funding.predicate($1, $2) as condition",
    [dataset, given],
  );
  const found = await connection.query<{ id: string }>(
    `select record.id from funding.${dataset} as record where ${condition.replaceAll("$1", "$1::jsonb")} and $1::jsonb is not null`,
    [given],
  );
  const [answer] = await connection.query<{ unsealed: number | null; ids: string[] | null }>(
    `select (matched.found).unsealed::int as unsealed, array(
       select record.id from unnest(((matched.found).sealed).blocks, ((matched.found).sealed).bits) as matching(block, bits)
       join funding.blocks_of($1) as blocks using (block)
       cross join unnest(funding.positions_of(matching.bits)) as position
       join funding.${dataset} as record on record.slot = blocks.first_slot - 1 + position) as ids
     from (select funding.match_by_bitmaps($1, $2) as found offset 0) as matched`,
    [dataset, given],
  );
  const byPredicate = found.map(({ id }) => id).sort();
  if (answer === undefined || answer.unsealed === null) return { byPredicate };
  expect(answer.unsealed, "all records are in segments").toBe(0);
  return { byPredicate, byBitmaps: (answer.ids ?? []).sort() };
}

/** Filters by fields that have too many values for bitmaps. */
const withoutBitmaps = new Set(
  entries.flatMap(([name, { compare }]) =>
    compare.kind === "value" && (valueFields as Record<string, ValueField>)[compare.field]?.hasBitmaps === false
      ? [name]
      : [],
  ),
);

/** Filters that bitmaps need not answer. */
const leftToThePredicate = (name: string, given: Given) =>
  name === "geography" ||
  (filters as Record<string, Filter>)[name]?.compare.kind === "condition" ||
  withoutBitmaps.has(name) ||
  JSON.stringify(given[name])?.includes('"of":') ||
  (given[name] as { operator?: string } | undefined)?.operator === "outside" ||
  (Array.isArray(given[name]) && given[name].length === 0);

describe.each(["grants", "contracts"] as const)("the filters of %s", (dataset) => {
  const known = entries.filter(([name, { datasets }]) => datasets.includes(dataset) && !notAsked.includes(name));
  const valuesOf = (some: typeof known) =>
    fc
      .record(Object.fromEntries(some.map(([name, { compare }]) => [name, valueFor(name, compare)])))
      // Among all, so that some are found.
      .chain((one) =>
        fc.constantFrom(one, { opportunity_type: "all", include_archived: true, include_versions: true, ...one }),
      );
  /** Each filter and each pair of two. */
  const combinations = known.flatMap((one, index) => [[one], ...known.slice(index + 1).map((other) => [one, other])]);

  /** The three answers, and whether the bitmaps may leave theirs to the predicate. */
  const answers = async (records: readonly Row[], one: Given) => {
    const applied = known.filter(([name, { compare }]) => name in one || "isAlways" in compare);
    const expected = records
      .filter((row) => applied.every(([name, { compare }]) => meets(row, name, compare, one)))
      .map(({ id }) => id)
      .sort();
    const isLeft = Object.keys(one).some((name) => leftToThePredicate(name, one));
    return { expected, isLeft, ...(await find(dataset, one)) };
  };

  test("find the same records by an oracle, by their predicates and by the bitmaps", { timeout: 600_000 }, async () => {
    const compared = { bitmaps: 0, found: 0 };
    const covered = new Set<string>();
    const asked = new Set<string>();
    const seed = fc.readConfigureGlobal()?.seed ?? Date.now() % 2 ** 31;
    // Drawn, and not shrunk: a filter says enough, and filling a database takes a second.
    const drawn = fc.sample(fc.array(rows(dataset), { minLength: 50, maxLength: 50, size: "max" }), {
      seed,
      numRuns: runs(40),
    });
    for (const [index, records] of drawn.entries()) {
      await fill(dataset, records);
      // All combinations are asked of a few databases, each of a share.
      const share = combinations.filter((_, position) => position % Math.min(drawn.length, 4) === index % 4);
      for (const [position, some] of share.entries()) {
        const [one = {}] = fc.sample(valuesOf(some), { seed: seed + index * 1_000 + position, numRuns: 1 });
        asked.add(some.map(([name]) => name).join());
        const { expected, byPredicate, byBitmaps, isLeft } = await answers(records, one);
        const what = `${JSON.stringify(one)} with the seed ${seed}`;
        expect(byPredicate, `the predicate of ${what}`).toEqual(expected);
        expect(byBitmaps, `the bitmaps of ${what}`).toEqual(isLeft ? undefined : expected);
        // A filter that never leaves a record is not tested.
        if (expected.length > 0) for (const name of Object.keys(one)) covered.add(name);
        compared.bitmaps += byBitmaps === undefined ? 0 : 1;
        compared.found += expected.length > 0 ? 1 : 0;
      }
    }
    expect([...covered].sort()).toEqual(known.map(([name]) => name).sort());
    expect(asked.size).toBe((known.length * (known.length + 1)) / 2);
    expect(compared.bitmaps).toBeGreaterThan(100);
    expect(compared.found).toBeGreaterThan(100);
  });

  describe.each(["predicate", "bitmap_conditions"])("one that %s forgets", (side) => {
    let records: Row[];
    let declared: string;
    beforeAll(async () => {
      records = fc.sample(fc.array(rows(dataset), { minLength: 200, maxLength: 200, size: "max" }), 1)[0] ?? [];
      await fill(dataset, records);
      const { definition } = await queryOne<{ definition: string }>(
        connection,
        `select pg_get_functiondef('funding.${side}(text, jsonb)'::regprocedure) as definition`,
      );
      declared = definition;
      await connection.execute(declared.replaceAll(new RegExp(`\\b${side}\\b`, "g"), `declared_${side}`));
    });
    afterAll(() => connection.execute(declared));

    /** Replaces the function by one that takes all filters but this. Without their keys, two would have their defaults. */
    const forget = (name: string) => {
      const instead = {
        opportunity_type: '{"opportunity_type": "all"}',
        include_archived: '{"include_archived": true}',
        include_versions: '{"include_versions": true}',
      };
      const header = declared.slice(0, declared.indexOf("AS $function$"));
      const given = `(filter - '${name}') || '${name in instead ? instead[name as keyof typeof instead] : "{}"}'`;
      return connection.execute(`${header} as $$ begin return funding.declared_${side}(dataset, ${given}); end $$`);
    };

    // `geography_states` counts in hybrid searches alone, and a condition reads `include_unrestricted` when it is met.
    const passedOver = ["geography_states", ...(side === "predicate" ? ["include_unrestricted"] : [])];
    const forgettable = known.filter(([name]) => !passedOver.includes(name));
    test.each(forgettable)("is found: %s", async (name, filter) => {
      await forget(name);
      const partner = { include_national: "states", include_unrestricted: "applicant_type" }[name];
      const some = known.filter(([one]) => one === name || one === partner);
      expect(some).toContainEqual([name, filter]);
      for (const one of fc.sample(valuesOf(some), 100)) {
        const { expected, byPredicate, byBitmaps, isLeft } = await answers(records, one);
        const differs = (ids?: readonly string[]) => JSON.stringify(ids) !== JSON.stringify(expected);
        if (differs(byPredicate) || (isLeft ? byBitmaps !== undefined : differs(byBitmaps))) return;
      }
      expect.unreachable(`nothing differs without ${name}`);
    });
  });
});

test("a filter on a field that segments were made without is left to the predicate until they are made anew", async () => {
  const [record] = fc.sample(rows("grants"), 1);
  await fill("grants", [
    {
      ...record,
      amount_min: 10,
      amount_max: 100,
      classification: "opportunity",
      project_end_date: null,
      archived_at: null,
    } as Row,
  ]);
  const asked = [{ min_amount: 50 }, { states: ["OH"] }];
  for (const filter of asked) expect((await find("grants", filter)).byBitmaps).toBeDefined();
  await connection.execute(
    "update funding.blocks set fields = array_remove(array_remove(fields, 'amount_max'), 'states') where dataset = 'grants'",
  );
  for (const filter of asked) expect((await find("grants", filter)).byBitmaps).toBeUndefined();
  expect((await find("grants", { max_amount: 1_000_000 })).byBitmaps).toBeDefined();
});
