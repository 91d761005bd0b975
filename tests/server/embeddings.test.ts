import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connection, closeAfter, queryOne } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { startCommand, startEmbed } from "../embeddings/command.ts";
import { secretKey, wrongVectors } from "../embeddings/records.ts";
import {
  type Behaviour,
  type EmbeddingServer,
  failWith,
  resets,
  right,
  startEmbeddingServer,
} from "../embeddings/server.ts";
import { waitUntil } from "../support/wait-until.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";

const model = "openai/text-embedding-3-small";

let folder: string;
let data: string;
let provider: EmbeddingServer;
let server: ServerProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-embeddings-"));
  data = await copyDemoFolder(join(folder, "data"));
  provider = await startEmbeddingServer();
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}): Promise<ServerProcess> {
  return startServer({
    DATA_DIR: data,
    PORT: String(await freePort()),
    OPENAI_BASE_URL: provider.url,
    OPENAI_API_KEY: secretKey,
    ...environment,
  });
}

async function withDatabase<Result>({ ready }: ServerProcess, work: (connection: Connection) => Promise<Result>) {
  return closeAfter(await connectPostgres(ready.database_url), work);
}

/** Imports grants from a CSV file, as an operator does beside a running server. */
async function importGrants(name: string, titles: readonly string[]): Promise<void> {
  const file = join(folder, `${name}.csv`);
  const rows = titles.map((title, at) => `${name}-${at},${title},Harbour Office\n`);
  await writeFile(file, `id,title,funder\n${rows.join("")}`);
  const words = ["csv", file, "--type", "grants", "--source", name, "--no-fit"];
  const { status, output } = await startCommand("import", provider.url, words, { DATA_DIR: data }).done;
  expect(status, output).toBe(0);
}

async function search(query: string, mode: string): Promise<string[]> {
  const { base_url, api_key } = server?.ready ?? { base_url: "", api_key: "" };
  const response = await fetch(
    `${base_url}/grants-api?search=${encodeURIComponent(query)}&search_mode=${mode}&limit=100`,
    {
      headers: { authorization: `Bearer ${api_key}` },
    },
  );
  const { results } = (await response.json()) as { results: { title: string }[] };
  return results.map(({ title }) => title);
}

const waiting = (running: ServerProcess) =>
  withDatabase(running, (connection) =>
    queryOne<{ waiting: number; refused: number; failures: number }>(
      connection,
      `select (select count(*)::int from funding.embedding_queue where refusal is null) as waiting,
              (select count(*)::int from funding.embedding_queue where refusal is not null) as refused,
              (select failures::int from funding.embedding_state) as failures`,
    ),
  );

const none = (running: ServerProcess) =>
  waitUntil(async () => (await waiting(running)).waiting === 0, "no record waits for its vector");

test("imported records get their vectors without a command, also after the provider, the server or a text failed", async () => {
  server = await start();
  const running = server;
  const { status, output } = await startEmbed(running.ready.database_url, provider.url, [
    "--provider",
    "openai",
    "--yes",
  ]).done;
  expect(status, output).toBe(0);

  const boats = Array.from({ length: 120 }, (_, at) => `Zanzibar gondola ${at}`);
  const poison: Behaviour = (seen, response) =>
    seen.texts.some((text) => text.includes("unspeakable")) ? failWith(400)(seen, response) : right(seen, response);
  provider.reset();
  provider.always(poison);
  await importGrants("boats", [...boats, "Zanzibar unspeakable"]);
  expect((await search("Zanzibar gondola", "hybrid")).length).toBeGreaterThan(90);
  await none(running);
  expect((await search("Zanzibar gondola 7", "semantic"))[0]).toBe("Zanzibar gondola 7");
  expect(await waiting(running)).toMatchObject({ refused: 1, failures: 0 });
  await withDatabase(running, async (connection) =>
    expect(await wrongVectors(connection, model)).toEqual(["Zanzibar unspeakable"]),
  );
  expect(running.output.stderr).toContain("set aside: the provider answered 400");

  // The provider stops. What comes meanwhile waits, and is found by its words.
  provider.always(resets);
  await importGrants("ferries", ["Marseille ferry terminals", "Marseille ferry boats"]);
  await waitUntil(async () => (await waiting(running)).failures > 0, "the provider was asked");
  expect(await search("Marseille ferry", "keyword")).toHaveLength(2);

  // A record is edited while its old text is being embedded.
  let isEdited = false;
  provider.always(async (seen, response) => {
    if (!isEdited && seen.texts.some((text) => text.startsWith("Marseille ferry boats"))) {
      isEdited = true;
      await importGrants("ferries", ["Marseille ferry terminals", "Marseille ferry songs"]);
    }
    poison(seen, response);
  });
  await waitUntil(() => isEdited, "the record is edited");
  await waitUntil(
    async () => (await search("Marseille ferry songs", "semantic"))[0] === "Marseille ferry songs",
    "the new text has a vector",
  );
  await none(running);
  await withDatabase(running, async (connection) =>
    expect(await wrongVectors(connection, model)).toEqual(["Zanzibar unspeakable"]),
  );

  // A server that is killed in the middle of a request.
  let isAsked = false;
  provider.always(() => {
    isAsked = true;
  });
  await importGrants("trams", ["Lisbon tram lines"]);
  await waitUntil(() => isAsked, "the provider is asked");
  // Kills npm; the watchdog ends the server outright.
  await running.end("SIGKILL");
  provider.reset();
  provider.always(poison);
  server = await start();
  const next = server;
  await withDatabase(next, (connection) =>
    // The claim of the killed server: two minutes of the dispatcher's time.
    connection.query("update funding.dispatch_clock set dispatch_time = dispatch_time + interval '3 minutes'"),
  );
  await none(next);
  expect((await search("Lisbon tram lines", "semantic"))[0]).toBe("Lisbon tram lines");
  await withDatabase(next, async (connection) => {
    const { tokens, embedded } = await queryOne<{ tokens: number; embedded: number }>(
      connection,
      "select tokens::int as tokens, records::int as embedded from funding.embedding_state",
    );
    expect(tokens).toBeGreaterThan(0);
    expect(embedded).toBe(124);
  });

  // A copy of a service sends nothing.
  await next.end("SIGTERM");
  provider.reset();
  server = await start({ DISPATCH: "off" });
  await importGrants("quiet", ["Quiet harbours"]);
  expect(await waiting(server)).toMatchObject({ waiting: 1 });
  expect(provider.requests).toEqual([]);
});
