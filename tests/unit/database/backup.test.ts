import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { BackupError } from "../../../database/backup/format.ts";
import { readBackup } from "../../../database/backup/read.ts";
import { restoreBackup } from "../../../database/backup/restore.ts";
import { writeBackup } from "../../../database/backup/write.ts";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { linkDocuments, storeDocuments } from "../../../database/documents.ts";
import { DroppedSchemaError, NewerDatabaseError, requireMigrated } from "../../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../../database/pglite.ts";
import { readSchemaFaults } from "../../../database/schema-faults.ts";
import { createAuthTables } from "../../../local/auth/tables.ts";
import { loadDemoData } from "../../../local/demo/load.ts";
import { recipe } from "../../docs/blocks.ts";
import { runs } from "../../support/properties.ts";
import { openEmptyDatabase, openTestDatabase } from "../../support/service.ts";
import { testSize } from "../../support/template.ts";

const about = { version: "9.8.7", created_at: "2026-11-23T00:00:00Z", files: { "webhook-secrets-key": "k" } };
const silent = { step: () => undefined, table: () => undefined, leftOut: () => undefined };

async function backUp(
  connection: Connection,
  leftOut: (name: string) => void = () => undefined,
  hasDocuments = true,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const report = { table: () => undefined, leftOut };
  for await (const chunk of writeBackup(connection, about, report, hasDocuments)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** The bytes in chunks of that length. */
async function* inChunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const restore = async (connection: Connection, bytes: Uint8Array, chunkLength = 65_536) =>
  restoreBackup(connection, await readBackup(inChunks(bytes, chunkLength)), silent);

/** A backup without the lines that say when it was made. */
const content = (bytes: Uint8Array) => Buffer.from(bytes).toString().split("\n").slice(2).join("\n");

const hasSchema = async (connection: Connection) =>
  (await queryOne<{ there: boolean }>(connection, "select to_regnamespace('funding') is not null as there")).there;

/** Counts that tell whether an import changed anything. */
const changes = (connection: Connection) =>
  queryOne(
    connection,
    `select (select count(*)::int from funding.record_changes) as changes, (select count(*)::int from funding.grants) as grants,
            (select jsonb_agg(v order by v::text) from funding.data_versions as v) as versions`,
  );

/** Texts that would end a row, a block or the file, if they were not escaped. */
const awkward = [
  "\\.",
  "\n\\.\n",
  "\\N",
  "\t",
  "\r\n",
  '-- {"rows":{}}',
  "COPY x (y) FROM stdin;",
  "\b\f\v",
  "'\"",
  "é🧪".repeat(3000),
];

let source: Connection;
let target: Connection;
let bytes: Uint8Array;

/** Gives the first grant a document. */
async function addDocument(connection: Connection): Promise<void> {
  const grant = await queryOne<{ id: string }>(connection, "select id from funding.grants order by id limit 1");
  const file = { url: "https://files.example.org/a.pdf", file: null };
  const passage = { number: 1, first_page: 1, last_page: 1, heading: "", body: "An oboe's \\ budget." };
  const document = { member: null, media_type: "application/pdf", pages: 1, is_cut: false, reason: null, facts: [] };
  const checked_at = "2026-11-01T00:00:00Z";
  const documents = [{ ...document, passages: [passage] }];
  await storeDocuments(connection, [{ ...file, sha256: "1", reader: 1, fetched_at: null, checked_at, documents }]);
  await linkDocuments(connection, [{ ...file, records: [{ dataset: "grants", id: grant.id }] }]);
}

beforeAll(async () => {
  source = pgliteConnection(await openTestDatabase());
  await createAuthTables(source);
  await addDocument(source);
  await source.execute(`
    insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ann@example.org');
    insert into funding.accounts (email, auth_user_id) values ('ann@example.org', '00000000-0000-4000-8000-000000000001');
    insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000002', 'ben@example.org');
    insert into funding.members (account_id, user_id, email, role)
      values (funding.account_id('ann@example.org'), '00000000-0000-4000-8000-000000000002', 'ben@example.org', 'owner');
    insert into funding.invitations (account_id, email, role) values (funding.account_id('ann@example.org'), 'carl@example.org', 'member')`);
  await source.query(
    "update funding.grants set description = $1 where id = (select min(id::text)::uuid from funding.grants)",
    [awkward.join("\n")],
  );
  bytes = await backUp(source);
  target = pgliteConnection(await openPGlite());
  await createAuthTables(target);
  await restore(target, bytes, 1000);
});

afterAll(async () => {
  await source.close();
  await target.close();
});

test("what was restored gives the same backup, and has the schema that the migrations make", async () => {
  expect(content(await backUp(target))).toBe(content(bytes));
  expect(await readSchemaFaults(target)).toEqual([]);
});

test("without documents it has everything else", async () => {
  const text = content(await backUp(source, undefined, false));
  const blocks = (of: string) => [...of.matchAll(/^COPY (\S+)/gm)].map(([, name = ""]) => name);
  const isOfDocuments = (name: string) => name.startsWith("funding.document") && name !== "funding.document_renewals";
  expect(blocks(content(bytes)).filter(isOfDocuments)).toHaveLength(5);
  expect(blocks(text)).toEqual(blocks(content(bytes)).filter((name) => !isOfDocuments(name)));
  const copy = pgliteConnection(await openPGlite());
  await createAuthTables(copy);
  await restore(copy, await backUp(source, undefined, false));
  const withoutCounts = (of: string) => of.slice(0, of.lastIndexOf("-- {"));
  expect(withoutCounts(content(await backUp(copy)))).toBe(withoutCounts(text));
  await copy.close();
});

test("a database that was emptied as the docs say takes a backup as a new one does", async () => {
  const used = pgliteConnection(await openTestDatabase());
  await createAuthTables(used);
  await used.execute(recipe("recipe-empty"));
  const steps: string[] = [];
  const report = { ...silent, step: (text: string) => steps.push(text) };
  const cut = await readBackup(inChunks(bytes.subarray(0, bytes.length - 500), 65_536));
  await expect(restoreBackup(used, cut, report)).rejects.toThrow(BackupError);
  await expect(requireMigrated(used), "it is as it was").rejects.toThrow(DroppedSchemaError);
  await restoreBackup(used, await readBackup(inChunks(bytes, 65_536)), report);
  expect(steps[0]).toMatch(
    /^removed what the dropped schema had left: the record of \d\d+ migrations, and \d\d+ functions of public$/,
  );
  expect(content(await backUp(used))).toBe(content(bytes));
  expect(await readSchemaFaults(used)).toEqual([]);
  await used.close();
});

test("the same import as before changes nothing in it", async () => {
  const before = await changes(target);
  await loadDemoData(target, { ...testSize, today: new Date(inject("templateDate")) }, () => undefined);
  expect(await changes(target)).toEqual(before);
});

test("a record that is new gets an id that no other has, and is announced as before", async () => {
  const add = (connection: Connection) =>
    queryOne<{ counts: object }>(
      connection,
      `select funding.upsert_records('funders', '[{"source": "t", "source_id": "1", "name": "New"}]') as counts`,
    );
  expect(await add(target)).toEqual(await add(source));
});

test("a record that is new gets a slot in indexes that no other has", async () => {
  // The fit of these records gave out slots beyond the highest, which no sequence remembers.
  for (const dataset of ["funders", "grants", "contracts"]) {
    const { slot, highest } = await queryOne<{ slot: number; highest: number }>(
      target,
      `select nextval('funding.${dataset}_slots')::int as slot, greatest(max(slot), funding.sealed_end('${dataset}') - 1) as highest
       from funding.${dataset}`,
    );
    expect(slot).toBeGreaterThan(highest);
  }
});

test("a table that no migration made is left out, and named", async () => {
  const small = pgliteConnection(await openEmptyDatabase());
  await small.execute("create table funding.notes (note text); insert into funding.notes values ('of the operator')");
  const left: string[] = [];
  expect(content(await backUp(small, (name) => left.push(name)))).not.toContain("of the operator");
  expect(left).toEqual(["funding.notes"]);
  await small.close();
});

test("a sequence or a column that no migration made is left out and named, and all else is restored", async () => {
  const lived = pgliteConnection(await openEmptyDatabase());
  const tiers = (connection: Connection) =>
    connection.query(`select to_jsonb(tier) - 'Note, of ours' as tier from funding.tiers as tier order by name`);
  await lived.execute(`
    create table funding.notes (id integer generated always as identity, note text);
    insert into funding.notes (note) values ('first');
    create sequence funding.unused;
    alter table funding.tiers add column "Note, of ours" text default E'of the\toperator\n\\\\.';
    insert into funding.tiers (name, api_access, daily_quota) values ('later', true, 5)`);
  const left: string[] = [];
  const written = Buffer.from(await backUp(lived, (name) => left.push(name))).toString();
  expect(left).toEqual(["funding.notes", "funding.notes_id_seq"]);
  expect(written).not.toContain("notes");
  // As an earlier version wrote it.
  const setval = "SELECT pg_catalog.setval('funding.notes_id_seq', 1, true);\n";
  const backup = Buffer.from(written.replace(/^-- \{"rows"/m, (end) => `${setval}${end}`));
  const elsewhere = pgliteConnection(await openPGlite());
  const report = { ...silent, leftOut: (name: string) => left.push(name) };
  await restoreBackup(elsewhere, await readBackup(inChunks(backup, 1000)), report);
  expect(left.slice(2)).toEqual(['funding.tiers."Note, of ours"', "funding.notes_id_seq"]);
  expect(await tiers(elsewhere)).toEqual(await tiers(lived));
  expect(await readSchemaFaults(elsewhere)).toEqual([]);
  await elsewhere.close();
  await lived.close();
});

test("a database that does not say what its migrations made is not backed up as empty", async () => {
  const small = pgliteConnection(await openEmptyDatabase());
  await small.execute("truncate funding.schema_objects");
  await expect(backUp(small)).rejects.toThrow(BackupError);
  await small.close();
});

test("accounts of users that the database does not have wait for their owners", async () => {
  const elsewhere = pgliteConnection(await openPGlite());
  await restore(elsewhere, bytes);
  expect(
    await queryOne(elsewhere, "select auth_user_id from funding.accounts where email = 'ann@example.org'"),
  ).toEqual({ auth_user_id: null });
  expect(await elsewhere.query("select email from funding.members")).toEqual([]);
  expect(await elsewhere.query("select email from funding.invitations")).toEqual([{ email: "carl@example.org" }]);
  await elsewhere.close();
});

test("text of any kind is restored as it was", async () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: "binary" })), maxLength: 8 });
  const small = pgliteConnection(await openEmptyDatabase());
  await small.execute(`create table funding.texts (at integer, value text);
    insert into funding.schema_objects (kind, name, digest) values ('table', 'funding.texts', '')`);
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 20 }), fc.integer({ min: 1, max: 4096 }), async (texts, length) => {
      const values = texts.map((value) => value.replaceAll("\0", ""));
      await small.execute("truncate funding.texts");
      await small.query(
        "insert into funding.texts select at, value from unnest($1::text[]) with ordinality as given(value, at)",
        [values],
      );
      const backup = await readBackup(inChunks(await backUp(small), length));
      await small.execute("truncate funding.texts");
      for await (const part of backup.parts) {
        if (part.kind === "rows" && part.table === "funding.texts") {
          await small.copyFrom(`${part.table} (${part.columns.join(", ")})`, part.data);
        } else if (part.kind === "rows") for await (const _chunk of part.data);
      }
      const rows = await small.query<{ value: string }>("select value from funding.texts order by at");
      expect(rows.map(({ value }) => value)).toEqual(values);
    }),
    { numRuns: runs(20) },
  );
  await small.close();
});

/** Reads a backup to its end, without a database. */
async function readAll(backup: Uint8Array): Promise<void> {
  for await (const part of (await readBackup(inChunks(backup, 65_536))).parts) {
    if (part.kind === "rows") for await (const _chunk of part.data);
  }
}

test("a file that was cut short anywhere is noticed, and restores nothing", async () => {
  await readAll(bytes);
  // Near the end, all rows are there, and the line that says so is not.
  const lengths = [0, 20, 300, bytes.length - 500, bytes.length - 1];
  for (let part = 1; part < 50; part += 1) lengths.push(Math.floor((bytes.length * part) / 50));
  for (const length of lengths) {
    await expect(readAll(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow(BackupError);
  }
  const empty = pgliteConnection(await openPGlite());
  await expect(restore(empty, bytes.subarray(0, bytes.length - 500))).rejects.toThrow(BackupError);
  expect(await hasSchema(empty)).toBe(false);
  await empty.close();
});

test("a backup of a newer version, of a newer format, or anything else is refused in a sentence", async () => {
  const changed = (from: string, to: string) => Buffer.from(Buffer.from(bytes).toString().replace(from, to));
  await expect(readAll(changed('"format":1', '"format":2'))).rejects.toThrow("written by version 9.8.7");
  await expect(readAll(Buffer.from("id,title\n1,x\n"))).rejects.toThrow("not a backup");
  for (const line of [
    "DROP TABLE funding.tiers; --",
    "COPY funding.tiers (id) from program 'id' --) FROM stdin;\n--",
    "SELECT pg_catalog.setval('funding.grants_slots', 1, true); drop table funding.tiers;\n--",
  ]) {
    const statement = changed("COPY funding.tiers", line);
    await expect(readAll(statement)).rejects.toThrow("a line that this version does not know");
  }
  const rowLess = Buffer.from(
    Buffer.from(bytes)
      .toString()
      .replace(/^(COPY funding\.tiers .*\n).*\n/m, "$1"),
  );
  await expect(readAll(rowLess)).rejects.toThrow("rows of funding.tiers, and should have");
  const longer = Buffer.concat([bytes, Buffer.from("more\n")]);
  await expect(readAll(longer)).rejects.toThrow("goes on after its end");
  const empty = pgliteConnection(await openPGlite());
  const newer = changed('"migrations":[', '"migrations":["29990101000000",');
  await expect(restore(empty, newer)).rejects.toThrow(NewerDatabaseError);
  const unknown = changed("COPY funding.tiers", "COPY funding.gone");
  await expect(restore(empty, unknown)).rejects.toThrow("has rows of funding.gone, which no migration makes");
  expect(await hasSchema(empty)).toBe(false);
  await empty.close();
});

test("a database that has the schema already is left as it is", async () => {
  const before = await changes(source);
  await expect(restore(source, bytes)).rejects.toThrow(
    /has the schema funding already.* run "drop schema funding cascade"/,
  );
  expect(await changes(source)).toEqual(before);
});
