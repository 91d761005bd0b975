import { afterAll, beforeAll, expect, test } from "vitest";
import { normalized, type Vector } from "../../../shared/embeddings/vector.ts";
import { model, secretKey } from "../../embeddings/records.ts";
import { type EmbeddingServer, right, startEmbeddingServer, vectorOf } from "../../embeddings/server.ts";
import { searchedVectors } from "../../support/vectors.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { type DispatcherProcess, startDispatcher } from "./dispatcher.ts";
import { loadGrants, type NativeDatabase, openNative } from "./native.ts";

const records = 1_500;
const prefix = `embeddings-${Date.now()}`;

let database: NativeDatabase;
let provider: EmbeddingServer;
const running: DispatcherProcess[] = [];

beforeAll(async () => {
  database = await openNative();
  provider = await startEmbeddingServer();
  provider.always((seen, response) => setTimeout(() => right(seen, response), 30));
  await database.set("embedding_model", model);
});
afterAll(async () => {
  await Promise.all(running.map((dispatcher) => dispatcher.kill()));
  await database.query("delete from funding.grants where source = 'webhook-proof'");
  await database.query("delete from funding.embedding_queue");
  await provider.close();
  await database.close();
});

const start = () => startDispatcher(database.secretsKey, { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: secretKey });
const textsAsked = () =>
  provider.requests.flatMap(({ texts }) => texts).filter((text) => text.startsWith("Clean water for town"));
const waiting = () => database.value<number>("select count(*)::integer from funding.embedding_queue");

/** Titles of the records whose vector is not that of their text. */
async function wrongTitles(): Promise<string[]> {
  const rows = await database.query<{ title: string; embedding: string | null }>(
    `select record.title, known.embedding::text as embedding from funding.grants as record
     left join ${searchedVectors("grants")} as known on known.slot = record.slot where record.source = 'webhook-proof'`,
  );
  expect(rows).toHaveLength(records);
  return rows.flatMap(({ title, embedding }) => {
    const stored = JSON.parse(embedding ?? "[]") as Vector;
    const expected = normalized(vectorOf(title)) ?? [];
    return expected.every((value, index) => Math.abs(value - (stored[index] ?? 9)) < 1e-3) ? [] : [title];
  });
}

test("two dispatchers embed each record once, and none is lost when records are edited and dispatchers killed meanwhile", async () => {
  await loadGrants(database, prefix, records);
  // Their funder is new, too.
  expect(await waiting()).toBeGreaterThanOrEqual(records);
  running.push(start(), start());
  await waitUntil(async () => (await waiting()) === 0, "all records have vectors");
  expect(await wrongTitles()).toEqual([]);
  expect([textsAsked().length, new Set(textsAsked()).size]).toEqual([records, records]);

  provider.requests.length = 0;
  const edit = async (round: number) => {
    for (let part = 0; part < 5; part++) {
      await database.query(
        `update funding.grants set title = title || $2 where source = 'webhook-proof' and substr(md5(source_id), 1, 1) = any ($1)`,
        [["0123", "456", "789", "abc", "def"][part]?.split(""), ` ${round}`],
      );
    }
  };
  for (let round = 1; round <= 4; round++) {
    await edit(round);
    const asked = provider.requests.length;
    await waitUntil(() => provider.requests.length > asked, "records are being embedded");
    await running.shift()?.kill();
    running.push(start());
  }
  // The claims of those that were killed end.
  await waitUntil(async () => {
    await database.query("update funding.dispatch_clock set dispatch_time = dispatch_time + interval '1 second'");
    return (await waiting()) === 0;
  }, "all records have vectors again");
  expect(await wrongTitles()).toEqual([]);
  // A text is embedded twice where a dispatcher was killed among a hundred, and never otherwise.
  expect(textsAsked().length - new Set(textsAsked()).size).toBeLessThanOrEqual(4 * 100);
  expect(
    await database.value<number>("select count(*)::integer from funding.embedding_queue where refusal is not null"),
  ).toBe(0);
});
