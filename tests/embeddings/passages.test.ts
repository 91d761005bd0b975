import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { queryValue } from "../../database/connection.ts";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { searchedVectors } from "../support/vectors.ts";
import { addGrants, embedRecords, model, platformAt } from "./records.ts";
import { answer, type Behaviour, type EmbeddingServer, startEmbeddingServer, vectorOf } from "./server.ts";

/** Long texts, whose passages have vectors of their own under an external model. */

let server: EmbeddingServer;
let service: TestService;
let key: string;

/** A vector by the different words of the whole text, and not of its title alone. */
const ofAllWords = (text: string, size: number | undefined) => {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return vectorOf([...words].join(" "), size);
};
const byAllWords: Behaviour = ({ texts, dimensions }, response) =>
  answer(
    response,
    texts.map((text) => ofAllWords(text, dimensions)),
    texts.reduce((sum, { length }) => sum + Math.ceil(length / 3), 0),
  );

/** Sentences that say nothing, of so many characters. */
const filler = (length: number) => "The applicant shall follow these instructions for each form. ".repeat(length / 60);
const kelp = "Lantern divers harvest bull kelp beside sunken ferries near Astoria.";

beforeAll(async () => {
  server = await startEmbeddingServer();
  server.always(byAllWords);
  service = await openTestService(createQueryEmbedder(platformAt(server.url)));
  await service.connection.execute(`
    update funding.settings set value = '100' where name = 'vector_index_minimum';
    delete from funding.contracts;
    delete from funding.grants where id not in (select id from funding.grants order by id limit 150)`);
  await embedRecords(service.connection, server.url);
  ({ key } = await service.newKey());
});
afterAll(async () => {
  await service.close();
  await server.close();
});
beforeEach(async () => {
  await service.connection.execute("delete from funding.grants where source = 'test'");
  server.reset();
  server.always(byAllWords);
});

async function add(title: string, description: string): Promise<string> {
  const [id = ""] = await addGrants(service.connection, [{ title, description }]);
  return id;
}

const embed = () => dispatch({ ...service.runtime, embedding: platformAt(server.url), budgetMs: 60_000 });

/** Numbers of the passages of a grant that are searched. */
async function passagesOf(id: string): Promise<number[]> {
  const rows = await service.connection.query<{ passage: number }>(
    `select known.passage from ${searchedVectors("grants")} as known join funding.grants as record on record.slot = known.slot
     where record.id = $1 order by known.passage`,
    [id],
  );
  return rows.map(({ passage }) => passage);
}

interface Found {
  id: string;
  highlights?: { description: { text: string; offset: number } };
}

async function search(query: string, more = ""): Promise<{ results: Found[]; pagination: { total: number } }> {
  const path = `/grants-api?search=${encodeURIComponent(query)}&search_mode=semantic&limit=100${more}`;
  const response = await service.fetch(path, { headers: bearer(key) });
  expect(response.status).toBe(200);
  return (await response.json()) as { results: Found[]; pagination: { total: number } };
}

interface Part {
  start: number;
  length: number;
}

const split = (text: string) =>
  service.connection.query<Part>("select start, length from funding.passages($1) order by start", [text]);

test("passages follow each other through the whole text, overlap, and are no longer than the setting says", async () => {
  const words = fc.array(fc.constantFrom("a", "grant", "ends.", "Why?", "ünïcode", "🦭", "\n\n", "x".repeat(700)), {
    minLength: 200,
    maxLength: 1_200,
  });
  await fc.assert(
    fc.asyncProperty(words, async (some) => {
      const text = some.join(" ");
      const characters = [...text];
      const parts = await split(text);
      if (characters.length <= 2_400) return expect(parts).toEqual([]);
      let end = 0;
      for (const { start, length } of parts) {
        expect(start - 1).toBeLessThanOrEqual(end);
        expect(start - 1 + length).toBeGreaterThan(end);
        expect(length).toBeLessThanOrEqual(1_800);
        end = start - 1 + length;
      }
      expect(parts.length === 64 || end === characters.length).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("passages begin and end at sentences, else between words, and there are 64 at most", async () => {
  const cut = async (text: string) => (await split(text)).map(({ start, length }) => text.substr(start - 1, length));
  for (const passage of await cut(filler(6_000))) expect(passage.trim()).toMatch(/^The applicant[\s\S]*form\.$/);
  const unpunctuated = await cut("several words ".repeat(400));
  expect(unpunctuated.length).toBeGreaterThan(3);
  for (const passage of unpunctuated) expect(passage).toMatch(/^(?:several|words)[\s\S]*(?:several|words) ?$/);
  expect(await split("x".repeat(200_000))).toHaveLength(64);
  expect(await split("")).toEqual([]);
});

test("what a long text says at its end finds the record by meaning, once, and is what its highlight shows", async () => {
  const long = await add("Notice of funding", `${filler(9_000)}${kelp} ${filler(3_000)}`);
  const other = await add("Another notice of funding", filler(12_000));
  await embed();
  const numbers = await passagesOf(long);
  expect(numbers).toEqual(numbers.map((_, index) => index));
  expect(numbers.length).toBeGreaterThan(7);
  expect(await passagesOf(other)).toHaveLength(numbers.length);

  const { results, pagination } = await search("lantern divers harvest kelp", "&highlight=true");
  expect(results[0]?.id).toBe(long);
  const ids = results.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(pagination.total).toBe(ids.length);
  expect(results[0]?.highlights?.description.text).toContain("Lantern divers");

  // Words that the text does not have: its nearest passage is shown.
  const near = await search("sunken ferries zzyzx");
  expect(near.results[0]?.id).toBe(long);
  const similar = await service.fetch(`/grants-api?similar_to=${long}&limit=1`, { headers: bearer(key) });
  expect(((await similar.json()) as { results: Found[] }).results[0]?.id).toBe(other);
});

test("filters and the vector index find a record by its passage as the comparison of all vectors does", async () => {
  expect(await queryValue(service.connection, "select funding.has_vector_index('grants')")).toBe(true);
  const many = await Promise.all(
    Array.from({ length: 8 }, (_, index) => add(`Long notice ${index}`, `${filler(20_000)}${kelp}`)),
  );
  await embed();
  const first = (await search("bull kelp beside sunken ferries")).results.slice(0, 8).map(({ id }) => id);
  expect(first.toSorted()).toEqual(many.toSorted());
  const filtered = (await search("bull kelp beside sunken ferries", "&status=open")).results.slice(0, 8);
  expect(filtered.map(({ id }) => id).toSorted()).toEqual(many.toSorted());
});

test("a text that changes replaces its passages, and one that goes takes them along", async () => {
  const id = await add("Notice", `${filler(6_000)}${kelp}`);
  await embed();
  const before = (await passagesOf(id)).length;
  expect(before).toBeGreaterThan(3);
  const set = (text: string) =>
    service.lock.run((database) =>
      database.query("update funding.grants set description = $2 where id = $1", [id, text]),
    );
  await set(`A short text now. ${kelp}`);
  expect(await passagesOf(id)).toEqual([]);
  server.requests.length = 0;
  await embed();
  expect(await passagesOf(id)).toEqual([0]);
  expect(server.requests.flatMap(({ texts }) => texts)).toHaveLength(1);
  await set(filler(6_000));
  await embed();
  expect((await passagesOf(id)).length).toBeGreaterThan(3);
  await service.connection.query("delete from funding.grants where id = $1", [id]);
  expect(
    await queryValue(
      service.connection,
      `select count(*)::int from ${searchedVectors("grants")} as known where known.passage > 0`,
    ),
  ).toBe(0);
  expect(await queryValue(service.connection, "select count(*)::int from funding.embedding_queue")).toBe(0);
});

test("a passage that the provider refuses is set aside by itself: the record is found by the others", async () => {
  const id = await add("Notice", `${kelp} ${filler(4_200)}${"Zebra crossings are painted here. ".repeat(60)}`);
  server.always((seen, response) => {
    // Not the record's own text, which is longer than a passage.
    const isRefused = seen.texts.some((text) => text.includes("Zebra") && text.length < 2_000);
    if (isRefused) response.writeHead(400, { "content-type": "application/json" }).end("{}");
    else byAllWords(seen, response);
  });
  await embed();
  const refused = await service.connection.query<{ passage: number }>(
    "select passage from funding.embedding_queue where record_id = $1 and refusal is not null order by passage",
    [id],
  );
  expect(refused.length).toBeGreaterThan(0);
  const all = [...(await passagesOf(id)), ...refused.map(({ passage }) => passage)].toSorted(
    (one, other) => one - other,
  );
  expect(all).toEqual(all.map((_, index) => index));
  expect(await passagesOf(id)).toContain(0);
  expect((await search("bull kelp beside sunken ferries")).results[0]?.id).toBe(id);
});

test("another model and back keeps the vectors of passages, and embeds none again", async () => {
  const id = await add("Notice", `${filler(6_000)}${kelp}`);
  await embed();
  const before = await passagesOf(id);
  await embedRecords(service.connection, server.url, "openai/test-model@512");
  expect(await passagesOf(id)).toEqual(before);
  server.requests.length = 0;
  await embedRecords(service.connection, server.url);
  expect(server.requests).toEqual([]);
  expect(await passagesOf(id)).toEqual(before);
  await service.connection.query("select funding.adopt_embedding_model('lexicon')");
  expect(await passagesOf(id)).toEqual([0]);
  await embedRecords(service.connection, server.url, model);
  expect(await passagesOf(id)).toEqual(before);
});

test("without passages, by the setting or where titles alone are embedded, a record has one vector", async () => {
  for (const [name, value] of [
    ["embedding_passage_characters", 0],
    ["embedding_text", "title"],
  ] as const) {
    await service.connection.query("update funding.settings set value = $2::jsonb where name = $1", [
      name,
      JSON.stringify(value),
    ]);
    try {
      const id = await add("Notice", filler(6_000));
      await embed();
      expect(await passagesOf(id)).toEqual([0]);
    } finally {
      await service.connection.query("update funding.settings set value = default_value where name = $1", [name]);
    }
  }
});
