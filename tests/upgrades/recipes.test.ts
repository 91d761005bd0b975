import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeBackup } from "../../database/backup/write.ts";
import { type Connection, closeAfter, queryOne } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { readSchemaFaults } from "../../database/schema-faults.ts";
import { loadDemoData } from "../../local/demo/load.ts";
import { createSecretBox } from "../../shared/webhooks/secret-box.ts";
import { recipe } from "../docs/blocks.ts";
import { demoSize, readSecrets } from "./fixture.ts";

/** The recipes of docs/operate/back-up.md, run as they stand there, on a database that has lived. */

const databaseUrl = process.env.DATABASE_URL ?? "";
/** A database of another cluster, with the roles of a project and without our schema. */
const newDatabaseUrl = process.env.NEW_DATABASE_URL ?? "";
const restoredDatabaseUrl = newDatabaseUrl.replace(/[^/]+$/, "restored");
const secrets = readSecrets();

let folder: string;
let content: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-recipes-"));
  content = await readContent(databaseUrl);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Everything that a database holds, line by line, without the line that says when that was. */
async function readContent(url: string): Promise<string[]> {
  return closeAfter(await connectPostgres(url), async (connection) => {
    const chunks: Uint8Array[] = [];
    const about = { version: "", created_at: "", files: {} };
    const report = { table: () => undefined, leftOut: () => undefined };
    await connection.transaction(async (transaction) => {
      for await (const chunk of writeBackup(transaction, about, report)) chunks.push(chunk);
    });
    return Buffer.concat(chunks).toString().split("\n").slice(2);
  });
}

/** Runs the block of docs/operate/back-up.md that has this mark, in a folder of its own. */
async function follow(mark: string): Promise<string> {
  const env = {
    ...process.env,
    NEW_SERVER_URL: newDatabaseUrl,
    NEW_DATABASE_URL: newDatabaseUrl,
    RESTORED_DATABASE_URL: restoredDatabaseUrl,
    // As a shell in the project's folder, whose files go elsewhere.
    INIT_CWD: folder,
  };
  const text = recipe(mark).replaceAll(/\b(funding\.(?:sql\.gz|dump)|roles\.sql)\b/g, `${folder}/$1`);
  const { stdout, stderr } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", text], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout + stderr;
}

async function expectTheSame(url: string): Promise<void> {
  const restored = await readContent(url);
  expect(restored.length).toBe(content.length);
  expect(restored.findIndex((line, index) => line !== content[index])).toBe(-1);
  await closeAfter(await connectPostgres(url), async (connection) => {
    expect(await readSchemaFaults(connection)).toEqual([]);
    expect(await sealedSecret(connection)).toBe(secrets.webhook.secret);
    const before = (await changes(connection)) as { changes: number };
    await loadDemoData(connection, demoSize, () => undefined);
    const after = (await changes(connection)) as { changes: number };
    // Of the release's records, it fills the details, which were not known.
    expect(after.changes, "the next import changes no record").toEqual(before.changes);
    await loadDemoData(connection, demoSize, () => undefined);
    expect(await changes(connection), "and the one after it nothing at all").toEqual(after);
  });
}

async function sealedSecret(connection: Connection): Promise<string> {
  const { secret } = await queryOne<{ secret: string }>(
    connection,
    "select secret from funding.webhook_endpoints where id = $1",
    [secrets.webhook.id],
  );
  return createSecretBox(secrets.webhook_secrets_key).open(secret, secrets.webhook.id);
}

const changes = (connection: Connection) =>
  queryOne(
    connection,
    `select (select count(*)::int from funding.record_changes) as changes,
            (select jsonb_agg(v order by v::text) from funding.data_versions as v) as versions`,
  );

test("a Supabase project: npm run backup, and npm run restore into another", async () => {
  const output = await follow("recipe-project");
  expect(output).toContain("restored; the schema is what its migrations made");
  await expectTheSame(newDatabaseUrl);
});

test("a database that was used: emptied, and restored into", async () => {
  await closeAfter(await connectPostgres(newDatabaseUrl), (connection) => connection.execute(recipe("recipe-empty")));
  await rm(join(folder, "funding.sql.gz"));
  const output = await follow("recipe-project");
  expect(output).toContain("removed what the dropped schema had left");
  expect(output).toContain("restored; the schema is what its migrations made");
  await expectTheSame(newDatabaseUrl);
});

test("a Postgres of one's own: pg_dump, and pg_restore into another server", async () => {
  const output = await follow("recipe-postgres");
  expect(output).toContain("no migration is missing\nthe schema is what its migrations made");
  await expectTheSame(restoredDatabaseUrl);
});
