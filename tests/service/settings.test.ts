import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { silentLog } from "../../shared/log/log.ts";
import { runs, share } from "../support/properties.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** The part of JSON Schema that settings are described in. */
interface Schema {
  type: "number" | "integer" | "string" | "array" | "object";
  minimum: number;
  maximum: number;
  items: Schema;
  minItems: number;
  maxItems: number;
  properties?: Record<string, Schema>;
  additionalProperties: Schema;
}

interface Setting {
  name: string;
  value: unknown;
  default_value: unknown;
  unit: string | null;
  schema: Schema | null;
  description: string;
}

let service: TestService;
let key: string;
let settings: Setting[];
beforeAll(async () => {
  service = await openTestService(undefined, silentLog);
  ({ key } = await service.newKey());
  settings = await service.connection.query<Setting>("select * from funding.settings order by name");
  await storeRecords();
});
afterEach(() =>
  service.connection.execute(`
    update funding.settings set value = '1' where name in ('fusion_keyword_weight', 'fusion_semantic_weight');
    update funding.settings set value = default_value`),
);
afterAll(() => service.close());

const set = (name: string, value: unknown) =>
  service.connection.query("update funding.settings set value = $2::jsonb where name = $1", [
    name,
    JSON.stringify(value),
  ]);
const fitAgain = () => fitLexicon(service.connection, () => undefined, 16);

/** Records with words of the title alone, of the text alone, of both, and of neither; short ones and a long one. */
const texts = [
  { title: "wug", body: "" },
  { title: "wug dax", body: "frob" },
  { title: "frob", body: "wug" },
  { title: "dax", body: "blorp blorp wug" },
  { title: "blorp", body: `${"frob ".repeat(300)}` },
  { title: "blorp dax", body: `${"quux ".repeat(200)}wug` },
  { title: "quux", body: "dax" },
  { title: "abel baker charl dog easy fox georg howe item jigg king love mike nan", body: "" },
];

function grant(sourceId: string, { title, body }: { title: string; body: string }): object {
  return {
    source: "test",
    source_id: sourceId,
    title,
    description: body,
    status: "open",
    classification: "opportunity",
    states: [],
    is_national: true,
    categories: [],
    identifiers: [],
    funder_name: "Fund",
    funder_source_id: "fund",
  };
}

async function importGrants(...grants: object[]): Promise<void> {
  await service.connection.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify(grants)]);
}

async function storeRecords(): Promise<void> {
  await service.connection.execute("truncate funding.grants, funding.contracts, funding.funders");
  await importGrants(...texts.map((text, index) => grant(String(index), text)));
}

interface Answer {
  results: { id: string; title: string; relevance_score: number | null }[];
  pagination: { total: number };
  facets?: Record<string, { count: number }[]>;
}

async function list(parameters: Record<string, string>): Promise<Answer> {
  const query = new URLSearchParams({ limit: "100", ...parameters });
  const response = await service.fetch(`/grants-api?${query}`, { headers: bearer(key) });
  const body = await response.text();
  expect(response.status, `${query}: ${body}`).toBe(200);
  expect(body).not.toMatch(/NaN|Infinity/);
  return JSON.parse(body) as Answer;
}

const titles = ({ results }: Answer) => results.map(({ title }) => title).sort();
const long = texts[7]?.title ?? "";
const queries: readonly string[] = ["wug", "dax", "blorp frob", "wug -dax", "quux", "unheard", long];

/** The titles that a keyword search has to find, by a look at the words. */
function having(query: string, records: typeof texts): string[] {
  const asked = query.split(" ");
  const says = ({ title, body }: (typeof texts)[number], word: string) => `${title} ${body}`.split(" ").includes(word);
  const passes = (record: (typeof texts)[number]) =>
    asked.every((word) => (word.startsWith("-") ? !says(record, word.slice(1)) : says(record, word)));
  return records
    .filter(passes)
    .map(({ title }) => title)
    .sort();
}

/** Exact lists, totals and facets, and rankings that have all of them: what no weight may change. */
async function expectSameSets(records: typeof texts, asked = queries, candidates = 1_000): Promise<void> {
  for (const query of asked) {
    const expected = having(query, records);
    const found = await list({ search: query, search_mode: "keyword", facets: "status" });
    expect(titles(found), query).toEqual(expected);
    expect(found.pagination.total, query).toBe(expected.length);
    expect(found.facets?.status?.reduce((sum, { count }) => sum + count, 0) ?? 0, query).toBe(expected.length);
    for (const mode of ["keyword", "hybrid"]) {
      const ranked = await list({ search: query, search_mode: mode, sort_by: "relevance" });
      expect(ranked.pagination.total).toBe(ranked.results.length);
      if (candidates < records.length) continue;
      expect(titles(ranked), `${mode} ${query}`).toEqual(expect.arrayContaining(expected));
    }
  }
}

async function expectScores(asked = queries): Promise<void> {
  for (const query of asked) {
    for (const mode of ["keyword", "semantic", "hybrid"]) {
      const { results } = await list({ search: query, search_mode: mode, sort_by: "relevance" });
      for (const { relevance_score } of results) {
        expect(typeof relevance_score).toBe("number");
        expect(relevance_score).toBeGreaterThanOrEqual(0);
        expect(relevance_score).toBeLessThanOrEqual(1);
      }
    }
  }
}

/** Runs what reads the settings of webhooks and of remembered vectors, for which there is no search. */
async function expectSettingsRead(): Promise<void> {
  await service.connection.query(
    `select funding.retry_wait(failures, 500, null), funding.backoff_seconds(failures),
            funding.disabling_reason(failures, interval '10 years', false)
     from unnest(array[0, 1, 60, 1000000, 2000000]) as failures`,
  );
  await service.connection.query(
    "select funding.tick(), public.claim_deliveries(10, 10), public.prune_table('events', 10)",
  );
  await service.connection.query(
    "select funding.cache_query_vector('test', sha256('a'), array_fill(1, array[384])::extensions.halfvec)",
  );
}

/** The least and the greatest value that a schema allows. */
function edges(schema: Schema, fallback: unknown): [unknown, unknown] {
  switch (schema.type) {
    case "number":
    case "integer":
      return [schema.minimum, schema.maximum];
    case "array": {
      const [least, most] = edges(schema.items, 0);
      return [Array(schema.minItems).fill(least), Array(schema.maxItems).fill(most)];
    }
    case "object": {
      const members = Object.entries(
        schema.properties ?? { lexicon: schema.additionalProperties, default: schema.additionalProperties },
      ).map(([name, member]) => [name, edges(member, 0)] as const);
      return [0, 1].map((end) => Object.fromEntries(members.map(([name, both]) => [name, both[end]]))) as [
        unknown,
        unknown,
      ];
    }
    case "string":
      return [fallback, fallback];
  }
}

/** Values that a schema does not allow. */
function refused(schema: Schema): unknown[] {
  const always = [null, "no", true, [{}], { x: "y" }];
  switch (schema.type) {
    case "integer":
      return [...always, schema.minimum - 1, schema.maximum + 1, schema.minimum + 0.5, 1e30];
    case "number":
      return [...always, schema.minimum - 1e-3, schema.maximum * 1.001, 1e-300, 1e300];
    case "array":
      return [...always, Array(schema.maxItems + 1).fill(schema.items.minimum), ...refused(schema.items)];
    case "object":
      return [...always, [], ...refused(schema.additionalProperties || { type: "number", minimum: 0, maximum: 0 })];
    case "string":
      return [null, 1, "", "a b", "Zu\u00e9: 1", ["lexicon"]];
  }
}

test("every setting has a default that is in its range, a unit and a description", () => {
  expect(settings.length).toBeGreaterThanOrEqual(31);
  for (const { name, value, default_value, unit, schema, description } of settings) {
    expect({ name, value, unit, schema, description }).toEqual({
      name,
      value: default_value,
      unit: expect.any(String),
      schema: expect.objectContaining({ type: expect.any(String) }),
      description: expect.stringMatching(/\.$/),
    });
  }
});

test("docs/operate/settings.md has every setting with its default, and no other", async () => {
  const docs = await readFile(new URL("../../docs/operate/settings.md", import.meta.url), "utf8");
  // In a row of a table, or in a list of some that are alike.
  const listed = [...docs.matchAll(/^\| `(\w+)` \| `([^`]+)`|`(\w+_(?:days|limit_\w+))` (-?\d+)/gm)].map(
    ([, name, value, inList, number]) => [name ?? inList, value ?? number],
  );
  const rows = await service.connection.query<{ name: string; value: string }>(
    "select name, default_value::text as value from funding.settings",
  );
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
});

test("every setting refuses what is out of its range, and says its name, its range and its default", async () => {
  for (const { name, schema, default_value } of settings) {
    if (schema === null) throw new Error(`${name} has no schema`);
    for (const value of refused(schema)) {
      const change = set(name, value);
      await expect(change, `${name} ${JSON.stringify(value)}`).rejects.toMatchObject({
        code: "PT400",
        message: expect.stringMatching(new RegExp(`^The setting ${name} must be .+ is not\\. Its default is `)),
      });
    }
    await set(name, default_value);
  }
  await set("fusion_semantic_weight", 0);
  await expect(set("fusion_keyword_weight", 0)).rejects.toThrow("cannot be 0 while the other");
});

/** Settings that no import, fit, list or search reads. */
const notOfSearch =
  /^(audit_log|deadline_notice|idempotency_key|import|invitation|maximum|quota|record_change|request_log|saved_search|stripe_event|usage|webhook|write_limit)_|^saved_searches_/;

test("at each end of its range a setting of accounts or webhooks is read without an error", async () => {
  const others = settings.filter(({ name }) => notOfSearch.test(name));
  expect(others.length).toBeGreaterThan(40);
  for (const { name, schema, default_value } of others) {
    if (schema === null) throw new Error(`${name} has no schema`);
    for (const value of edges(schema, default_value)) {
      await set(name, value);
      await expectSettingsRead();
    }
    await set(name, default_value);
  }
});

test("at each end of the range of every other setting an import, a fit, lists and searches in every mode are right", async () => {
  let recordNumber = 100;
  for (const [index, { name, schema, default_value }] of settings
    .filter((one) => !notOfSearch.test(one.name))
    .entries()) {
    if (schema === null) throw new Error(`${name} has no schema`);
    for (const value of share(edges(schema, default_value), index)) {
      await storeRecords();
      await set(name, value);
      const added = [0, 1].map((half) => ({ title: `wug ${name.replaceAll("_", "")} ${half}`, body: "dax" }));
      const records = [...texts, ...added];
      const where = `${name} ${JSON.stringify(value)}`;
      const candidates = name.startsWith("search_candidates") ? Number(value) : 400;
      try {
        // One before the fit and one since.
        for (const one of added) {
          await importGrants(grant(String(recordNumber++), one));
          if (one === added[0]) await fitAgain();
        }
        const asked = share(queries, recordNumber);
        await expectSameSets(records, asked, candidates);
        await expectScores(asked);
        await expectSettingsRead();
      } catch (error) {
        throw new Error(`${where}: ${String(error)}`, { cause: error });
      }
    }
    await set(name, default_value);
  }
}, 900_000);

describe("weights", () => {
  const ends = (...values: number[]) => fc.constantFrom(...values);
  const weights = fc.record({
    bm25_k1: ends(0, 1e-6, 1.5, 100),
    bm25_b: ends(0, 0.6, 1),
    bm25_title_weight: ends(0, 1e-6, 0.5, 1, 100),
    bm25_k3: ends(0, 8, 1000),
    fusion: fc.constantFrom("reciprocal_rank", "sum"),
    fusion_k: ends(0, 20, 1000),
    fusion_sum_weight: ends(0, 1e-6, 4, 100),
    fusion_similarity_weight: fc.constantFrom({ lexicon: 0 }, { lexicon: 1 }, { default: 100 }),
    feedback_weight: fc.constantFrom({ lexicon: 0 }, { lexicon: 1 }, { default: 10 }),
    fusion_keyword_weight: ends(0, 1e-6, 1, 100),
    fusion_semantic_weight: ends(1e-6, 1, 100),
    synonym_weight: ends(0, 1e-6, 1),
  });

  test("change the order alone: lists, totals, facets and what a ranking finds stay, before a fit and after", async () => {
    await storeRecords();
    await fitAgain();
    await fc.assert(
      fc.asyncProperty(weights, async (given) => {
        for (const [name, value] of Object.entries(given)) await set(name, value);
        await expectSameSets(texts);
        await fitAgain();
        await expectSameSets(texts);
        await expectScores();
      }),
      { numRuns: runs(12), interruptAfterTimeLimit: 120_000 },
    );
  });

  test("of BM25 are the fit's: a record written after a change scores like one written before it", async () => {
    await storeRecords();
    await fitAgain();
    /** Different scores of the twins. */
    const scores = async () =>
      (
        await service.connection.query<{ score: number }>(
          `select distinct round(found.score::numeric, 4)::real as score
           from funding.keyword_candidates(funding.scope_of('grants', '{}'), funding.analyze_query('blorp wug dax'), 100) as leg,
                unnest(leg.slots, leg.scores) as found(slot, score)
           join funding.grants as record on record.slot = found.slot
           where record.source_id like 'twin%'`,
        )
      ).map(({ score }) => score);
    const twin = { title: "blorp wug", body: "wug dax dax" };
    await importGrants(grant("twin-1", twin));
    for (const [name, value] of Object.entries({ bm25_k1: 0.2, bm25_b: 0, bm25_title_weight: 9 }))
      await set(name, value);
    await importGrants(grant("twin-2", twin));
    const before = await scores();
    expect(before).toHaveLength(1);

    await fitAgain();
    const after = await scores();
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    await importGrants(grant("twin-3", twin));
    expect(await scores()).toEqual(after);
  });
});
