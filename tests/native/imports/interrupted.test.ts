import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { fitLexicon } from "../../../database/lexicon/fit.ts";
import { migrate } from "../../../database/migrate.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { type CommandRun, startEmbed } from "../../embeddings/command.ts";
import { wrongVectors } from "../../embeddings/records.ts";
import { type EmbeddingServer, startEmbeddingServer } from "../../embeddings/server.ts";
import { databaseUrl, newSession } from "../../security/native/sessions.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** Commands that wait for a transaction of somebody else, on an empty database beside the stack's. */

const root = fileURLToPath(new URL("../../../", import.meta.url));
const name = `interrupted_${process.pid}`;
const url = new URL(databaseUrl());
url.pathname = `/${name}`;

let stack: pg.Client;
let connection: Connection;
let server: EmbeddingServer;
/** Its transaction stays open, and has written to another dataset than the import does. */
let holder: pg.Client;

beforeAll(async () => {
  stack = await newSession();
  await stack.query(`create database ${name} template template0`);
  connection = await connectPostgres(url.href);
  await connection.execute("create schema extensions");
  await connection.execute(readFileSync(`${root}local/auth/schema.sql`, "utf8"));
  await migrate(connection);
  await connection.execute(`
    insert into funding.funders (id, name, created_at, source, source_id, content_hash)
    values (gen_random_uuid(), 'Held', now(), 'holder', '1', '')`);
  server = await startEmbeddingServer();
  holder = new pg.Client({ connectionString: url.href });
  await holder.connect();
});
afterEach(() => holder.query("rollback"));
afterAll(async () => {
  await holder?.end();
  await server?.close();
  await connection?.close();
  await stack.query(`drop database if exists ${name} with (force)`);
  await stack.end();
});

async function holdTransaction(): Promise<void> {
  await holder.query("begin");
  await holder.query(
    `insert into funding.contracts (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
     select gen_random_uuid(), 'Held', '', 'open', 'opportunity', id, now(), 'holder', '1', '' from funding.funders where name = 'Held'`,
  );
}

function startImport(input: string): CommandRun {
  const words = [
    "csv",
    "-",
    "--type",
    "grants",
    "--source",
    "agency",
    "--rejects",
    "/dev/null",
    "--database-url",
    url.href,
  ];
  const child = spawn(process.execPath, ["local/deno.mjs", "cli/import.ts", ...words], { cwd: root, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(input);
  return {
    done: new Promise((resolve) => child.on("close", (status) => resolve({ status, output }))),
    output: () => output,
    signal: (signal) => void process.kill(-(child.pid ?? 0), signal),
  };
}

/** Ends a command that waits for the open transaction. @throws unless it ends at once. */
async function interrupt(command: CommandRun): Promise<Awaited<CommandRun["done"]>> {
  await waitUntil(
    () => command.output().includes("waiting for another transaction to end"),
    "the command waits",
    60,
  ).catch((error: Error) => {
    command.signal("SIGKILL");
    throw new Error(`${error.message}: ${command.output()}`);
  });
  command.signal("SIGTERM");
  const guard = new Promise<never>((_, reject) => {
    setTimeout(reject, 30_000, new Error("it goes on waiting")).unref();
  });
  try {
    return await Promise.race([command.done, guard]);
  } catch (error) {
    command.signal("SIGKILL");
    throw error;
  }
}

const next = () => connection.query("select id from funding.next_fit");

// Regression: it waited for as long as the transaction was open, and neither Ctrl-C nor SIGTERM ended it.
test("an import ends on SIGTERM while its fit waits for another transaction, with all records in and nothing in a later fit's way", async () => {
  await holdTransaction();
  const rows = Array.from({ length: 60 }, (_, index) => `${index + 1},Grant ${index + 1},Water Office\n`);
  const { status, output } = await interrupt(startImport(`id,title,funder\n${rows.join("")}`));
  expect([status, output]).toEqual([1, expect.stringMatching(/inserted +60$/m)]);
  await holder.query("rollback");
  expect(await next()).toHaveLength(1);
  expect(await fitLexicon(connection, () => undefined)).toMatchObject({ documents: 62 });
  expect(await next()).toEqual([]);
});

// Regression: as above.
test("a change of search to other vectors that waits for another transaction ends on SIGTERM, and the next completes it", async () => {
  const currentModel = async () =>
    (await queryOne<{ model: string }>(connection, "select funding.setting('embedding_model')#>>'{}' as model")).model;
  const embed = () => startEmbed(url.href, server.url, ["--provider", "openai", "--yes"]);
  await holdTransaction();
  expect(await interrupt(embed())).toMatchObject({ status: 1 });
  expect(server.requests.flatMap(({ texts }) => texts).length).toBeGreaterThan(60);
  await holder.query("rollback");
  expect(await currentModel()).toBe("lexicon");

  server.reset();
  expect((await embed().done).status).toBe(0);
  // Every record has its vector, of the first run.
  expect(server.requests.flatMap(({ texts }) => texts)).toEqual(["funding"]);
  expect(await currentModel()).toBe("openai/text-embedding-3-small");
  expect(await wrongVectors(connection, "openai/text-embedding-3-small")).toEqual([]);
});
