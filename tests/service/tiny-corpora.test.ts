import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { silentLog } from "../../shared/log/log.ts";
import { runs } from "../support/properties.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { searchedVectors, setVectors } from "../support/vectors.ts";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService(undefined, silentLog);
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

/** Words that the stemmer leaves as they are, too short to be taken for misspelt, and one that it drops. */
const words = ["blorp", "wug", "dax", "frob", "the"] as const;
const fund = "00000000-0000-8000-a000-0000000000f1";

interface Text {
  title: string;
  body: string;
}

interface Corpus {
  funder: Text;
  grants: Text[];
  contracts: Text[];
}

const text = (minimum: number) =>
  fc.array(fc.constantFrom(...words), { minLength: minimum, maxLength: 6 }).map((said) => said.join(" "));
const record: fc.Arbitrary<Text> = fc.record({
  title: fc.oneof(text(1), fc.constant("-")),
  body: fc.oneof(text(0), text(0), fc.constant("wug ".repeat(400))),
});
const corpus: fc.Arbitrary<Corpus> = fc.oneof(
  fc.record({
    funder: record,
    grants: fc.array(record, { minLength: 1, maxLength: 5 }),
    contracts: fc.array(record, { maxLength: 2 }),
  }),
  // Copies of one record, in which every word is spread evenly.
  fc.tuple(record, fc.integer({ min: 1, max: 4 })).map(([one, copies]) => ({
    funder: one,
    grants: Array.from({ length: copies }, () => one),
    contracts: [one],
  })),
);

/** Queries: known words, words in every record, words in none, and no word at all. */
const queries = ["blorp", "wug", "dax frob", "blorp wug dax frob", "zork", "zork blorp", "the", "-", "blorp -wug"];

async function store(table: "grants" | "contracts", index: number, { title, body }: Text): Promise<void> {
  await service.connection.query(
    `insert into funding.${table} (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
     values (gen_random_uuid(), $1, $2, 'open', 'opportunity', $3, now(), 'test', $4, '')`,
    [title, body, fund, String(index)],
  );
}

async function storeCorpus({ funder, grants, contracts }: Corpus): Promise<void> {
  await service.connection.execute(`
    truncate funding.grants, funding.contracts, funding.funders, funding.lexicon, funding.postings;
    update funding.lexicon_fit set documents = 0, average_length = 100, dimensions = 0, fitted_at = null`);
  await service.connection.query(
    `insert into funding.funders (id, name, summary, created_at, source, source_id, content_hash)
     values ($1, $2, $3, now(), 'test', 'f', '')`,
    [fund, funder.title, funder.body],
  );
  for (const [index, one] of grants.entries()) await store("grants", index, one);
  for (const [index, one] of contracts.entries()) await store("contracts", index, one);
}

interface Answer {
  status: number;
  body: string;
  results: { id: string; title: string; relevance_score: number }[];
}

async function answerOf(response: Response): Promise<Answer> {
  const body = await response.text();
  const { results = [] } = JSON.parse(body) as Partial<Answer>;
  return { status: response.status, body, results };
}

async function search(route: string, query: string, mode: string): Promise<Answer> {
  if (route === "semantic-search") {
    return answerOf(
      await service.fetch("/semantic-search", {
        method: "POST",
        headers: { ...bearer(key), "content-type": "application/json" },
        body: JSON.stringify({ query, limit: 50 }),
      }),
    );
  }
  const parameters = new URLSearchParams({ search: query, search_mode: mode, sort_by: "relevance", limit: "100" });
  return answerOf(await service.fetch(`/${route}?${parameters}`, { headers: bearer(key) }));
}

const asked = [
  ...["grants-api", "contracts-api"].flatMap((route) =>
    ["keyword", "semantic", "hybrid"].map((mode) => ({ route, mode })),
  ),
  { route: "semantic-search", mode: "semantic" },
];

/** Expects valid scores in every answer to every query. */
async function searchAll(isFitted: boolean): Promise<void> {
  for (const query of queries) {
    for (const { route, mode } of asked) {
      const { status, body, results } = await search(route, query, mode);
      const where = `${route} ${mode} "${query}": ${body}`;
      const lacksVectors = !isFitted && status === 503 && mode === "semantic";
      if (!lacksVectors) expect(status, where).toBe(200);
      expect(body).not.toMatch(/NaN|Infinity/);
      const scores = results.map(({ relevance_score }) => relevance_score);
      for (const score of scores) {
        expect(typeof score, where).toBe("number");
        expect(score, where).toBeGreaterThanOrEqual(0);
        expect(score, where).toBeLessThanOrEqual(1);
      }
      expect(scores, where).toEqual(scores.toSorted((one, other) => other - one));
      for (const score of mode === "semantic" ? scores : []) expect(score, where).toBeGreaterThanOrEqual(0.21);
    }
  }
}

const wordsOf = (said: string) => said.split(/[\s-]+/).filter((word) => word !== "" && word !== "the");
const textOf = ({ title, body }: Text) => `${title} ${body}`;

/** The words that tell records apart: more than one record has them, and not all of them alike often. */
function tellingWords({ funder, grants, contracts }: Corpus): Set<string> {
  const records = [funder, ...grants, ...contracts].map((one) => wordsOf(textOf(one)));
  return new Set(
    words.filter((word) => {
      const counts = records.map((said) => said.filter((one) => one === word).length);
      return counts.filter((count) => count > 0).length >= 2 && new Set(counts).size > 1;
    }),
  );
}

describe("on any few records, whatever their words", () => {
  test("each answer has scores from 0 to 1: before a fit, after it, and after changes since", async () => {
    await fc.assert(
      fc.asyncProperty(corpus, record, async (given, change) => {
        await storeCorpus(given);
        await searchAll(false);
        await fitLexicon(service.connection, () => undefined, 16);
        await searchAll(true);
        await store("grants", 99, change);
        await service.connection.query(
          "update funding.grants set description = $1 where id = (select min(id::text)::uuid from funding.grants)",
          [change.body],
        );
        await searchAll(true);
      }),
      { numRuns: runs(8), interruptAfterTimeLimit: 180_000 },
    );
  });

  test("a record or a query without a word that tells records apart has no meaning, and is found by words alone", async () => {
    await fc.assert(
      fc.asyncProperty(corpus, async (given) => {
        await storeCorpus(given);
        await fitLexicon(service.connection, () => undefined, 16);
        const telling = tellingWords(given);
        const tells = (said: string) => wordsOf(said).some((word) => telling.has(word));
        const meaningful = new Set(given.grants.filter((one) => tells(textOf(one))).map(({ title }) => title));
        for (const query of queries) {
          const { status, body, results } = await search("grants-api", query, "semantic");
          const where = `${query}: ${body}`;
          expect(status, where).toBe(200);
          if (!tells(query.replace(/-\w+/g, " "))) expect(results, where).toEqual([]);
          for (const { title } of results) expect(meaningful, where).toContain(title);
        }
        for (const query of words.slice(0, 4)) {
          const having = given.grants.filter((one) => wordsOf(textOf(one)).includes(query)).length;
          const { results } = await search("grants-api", query, "hybrid");
          expect(results.length, query).toBeGreaterThanOrEqual(having);
        }
      }),
      { numRuns: runs(8), interruptAfterTimeLimit: 180_000 },
    );
  });
});

describe("vectors of an external model", () => {
  beforeAll(async () => {
    await storeCorpus({
      funder: { title: "dax", body: "" },
      grants: ["blorp", "wug", "dax", "frob"].map((title) => ({ title, body: "" })),
      contracts: [],
    });
    await service.connection.execute(
      `update funding.settings set value = '"openai/test-model"' where name = 'embedding_model'`,
    );
  });
  afterAll(() =>
    service.connection.execute(`update funding.settings set value = '"lexicon"' where name = 'embedding_model'`),
  );

  const component = fc.constantFrom(0, 5.9604645e-8, -5.9604645e-8, 6.1035e-5, 1, -1, 65504, -65504);
  const vector = fc
    .oneof(fc.constant<number[]>([]), fc.array(component, { maxLength: 4 }), fc.array(component, { minLength: 384 }))
    .map((values) => `[${Array.from({ length: 384 }, (_, index) => values[index] ?? 0).join(",")}]`);

  test("of any length, none and the greatest too, give scores from 0 to 1", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(vector, { minLength: 4, maxLength: 4 }), vector, async (stored, meant) => {
        for (const [index, one] of stored.entries()) {
          await setVectors(service.connection, "grants", `record.source_id = '${index}'`, one);
        }
        for (const mode of ["semantic", "hybrid"]) {
          const rows = await service.connection.query<{ score: number | null; norm: number }>(
            `select found.score::float8 as score, extensions.l2_norm(known.embedding) as norm
             from funding.ranked('grants', jsonb_build_object('search', 'blorp', 'search_mode', $1::text), $1, $2::extensions.halfvec) as found
             join funding.grants as record using (id)
             left join ${searchedVectors("grants")} as known on known.slot = record.slot`,
            [mode, meant],
          );
          for (const { score, norm } of rows) {
            expect(Number.isFinite(score)).toBe(true);
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1);
            if (mode === "semantic") expect(norm).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: runs(40) },
    );
  });
});
