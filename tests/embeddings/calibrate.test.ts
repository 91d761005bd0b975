import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listenForPostgresClients, type PostgresSocket } from "../../local/embedded/postgres-socket.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { startCommand } from "./command.ts";
import { platformAt } from "./records.ts";
import { type EmbeddingServer, startEmbeddingServer } from "./server.ts";

let folder: string;
let server: EmbeddingServer;
let service: TestService;
let socket: PostgresSocket;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "funding-calibrate-"));
  const lines = (values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
  const subjects = ["salmon rivers", "county roads", "school meals", "rural clinics"];
  writeFileSync(
    join(folder, "corpus.jsonl"),
    // Twice each: a word of one record has no place in the fitted space.
    lines(subjects.flatMap((text, index) => ["a", "b"].map((copy) => ({ _id: `d${index}${copy}`, title: "", text })))),
  );
  writeFileSync(join(folder, "queries.jsonl"), lines(subjects.map((text, index) => ({ _id: `q${index}`, text }))));
  mkdirSync(join(folder, "qrels"));
  writeFileSync(
    join(folder, "qrels", "test.tsv"),
    `query-id\tcorpus-id\tscore\n${subjects.map((_, index) => `q${index}\td${index}a\t1\nq${index}\td${index}b\t1\n`).join("")}`,
  );
  server = await startEmbeddingServer();
  service = await openTestService(createQueryEmbedder(platformAt(server.url)));
  socket = await listenForPostgresClients(service.lock, 0, { password: "postgres" });
});
afterAll(async () => {
  socket.close();
  await service.close();
  await server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => server.reset());

const calibrate = (...words: string[]) => startCommand("calibrate", server.url, [folder, ...words]).done;

/** The settings that calibration writes. */
async function settings(): Promise<Record<string, unknown>> {
  const rows = await service.connection.query<{ name: string; value: unknown }>(
    "select name, value from funding.settings where name like 'fusion%' or name = 'floor_similarity'",
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

const floorIn = (output: string, model: string) =>
  Number(new RegExp(`floor_similarity of ${model}: ([\\d.]+)`).exec(output)?.[1]);

test("the lexicon is calibrated, and nothing is written unless asked", async () => {
  const before = await settings();
  const { status, output } = await calibrate();
  expect({ status, output }).toMatchObject({ status: 0 });
  expect(floorIn(output, "lexicon")).toBeGreaterThan(0.5);
  expect(output).toMatch(/^k +sum_weight +semantic_weight +similarity_weight +ndcg_10 +least_share$/m);
  expect(output).toMatch(/^collection +keyword +semantic +fitted +left_out +of_better_leg$/m);
  expect(server.requests).toEqual([]);
  expect(await settings()).toEqual(before);
});

test("a model outside the database is asked for every text, and --apply writes its floor beside those of other models", async () => {
  const to = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  const { status, output } = await calibrate("--model", "openai/some-model", "--apply", "--to", to);
  expect({ status, output }).toMatchObject({ status: 0 });
  const asked = server.requests.flatMap(({ texts }) => texts);
  expect(asked).toHaveLength(13); // Eight documents, their funder and four queries.
  expect(asked).toContain("salmon rivers");
  const written = await settings();
  expect(written.floor_similarity).toMatchObject({
    lexicon: expect.any(Number),
    "openai/some-model": floorIn(output, "openai/some-model"),
  });
  expect(written.fusion_similarity_weight).toMatchObject({
    lexicon: expect.any(Number),
    "openai/some-model": expect.any(Number),
  });
  expect(written.fusion_semantic_weight).toBeGreaterThan(0);
});

test("relevance by a model stands beside that of the words and of the lexicon", async () => {
  const run = await startCommand("relevance", server.url, [folder, "--model", "openai/some-model@512"]).done;
  expect(run).toMatchObject({ status: 0 });
  for (const mode of [
    "keyword",
    "semantic",
    "hybrid",
    "semantic, openai/some-model@512",
    "hybrid, openai/some-model@512",
  ]) {
    expect(run.output).toMatch(new RegExp(`^funding-calibrate-\\w+ +${mode} +[01] `, "m"));
  }
  expect(new Set(server.requests.map(({ dimensions }) => dimensions))).toEqual(new Set([512]));
});

test("the service's own records are a collection, in which a record is found by what was taken out of it", async () => {
  const from = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  const run = await startCommand("relevance", server.url, ["--records", "--from", from]).done;
  expect(run).toMatchObject({ status: 0 });
  expect(run.output).toMatch(/^records: \d{3} documents, \d+ queries$/m);
  const [, ndcg] = /^records +hybrid +([\d.]+)/m.exec(run.output) ?? [];
  expect(Number(ndcg)).toBeGreaterThan(0.1);
});

test.each([
  ["a model that cannot be asked", ["--model", "supabase/gte-small"], "--model must be openai/NAME"],
  ["a folder that is not there", ["nowhere"], "There is no folder nowhere."],
])("%s is refused", async (_, words, message) => {
  const { status, output } = await calibrate(...words);
  expect(status).not.toBe(0);
  expect(output).toContain(message);
});
