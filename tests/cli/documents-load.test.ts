import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenForPostgresClients, type PostgresSocket } from "../../local/embedded/postgres-socket.ts";
import { grantOf, loadGrants } from "../catalogue/records.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { pipedZip } from "../unit/ingest/archives.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

let service: TestService;
let socket: PostgresSocket;
let folder: string;
let headers: Record<string, string>;

const byAddress = "https://files.example.org/notice.txt";
const ofArchive = "https://files.example.org/all.zip";
const missing = "https://files.example.org/missing.pdf";
const documents = (...urls: string[]) => ({
  details: { documents: urls.map((url) => ({ name: null, url, type: null, size: null, updated_at: null })) },
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "documents-"));
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
  socket = await listenForPostgresClients(service.lock, 0, { password: "postgres" });
  await service.connection.execute("truncate funding.grants, funding.contracts, funding.funders");
  await loadGrants(service.connection, [
    grantOf("addressed", { title: "addressed", ...documents(byAddress, ofArchive, missing) }),
    grantOf("numbered", {
      title: "numbered",
      details: { opportunity_number: "EX-2027-001" },
      identifiers: ["EX-2027-001"],
    }),
  ]);
});
afterAll(async () => {
  socket.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Loads the folder as an operator does. */
async function load(...words: string[]): Promise<{ status: number; output: string }> {
  const url = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  const args = ["local/deno.mjs", "cli/documents.ts", "load", "--folder", folder, ...words];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: root,
      env: { ...process.env, DATABASE_URL: url },
    });
    return { status: 0, output: stdout.trim() };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { status: code, output: stderr.trim() };
  }
}

const put = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content);

/** Passages that a search in documents finds: the record's title, the document, the text. */
async function found(search: string): Promise<[string, string | null, string][]> {
  const query = new URLSearchParams({ search, search_in: "documents", passages: "true" });
  const response = await service.fetch(`/grants-api?${query}`, { headers });
  const { results } = (await response.json()) as {
    results: { title: string; passages: { name: string | null; url: string | null; text: string }[] }[];
  };
  return results.flatMap(({ title, passages }) =>
    passages.map(({ name, url, text }): [string, string | null, string] => [title, name ?? url, text]),
  );
}

test("a folder's files are found by address, by number, and in archives", async () => {
  await put(encodeURIComponent(byAddress), "Letters of intent name the oboe project.");
  await put("list.zip", pipedZip([{ name: "budget.txt", content: "The oboe budget has no limit." }]));
  await put("extra.html", "<h1>Oboe questions</h1><p>Ask them by the end of May.</p>");
  await put("strange.bin", new Uint8Array([0, 1, 2, 3, 255, 254]));
  await put("unknown.txt", "Nobody says what this oboe is of.");
  await put(
    "documents.json",
    JSON.stringify([
      { file: "list.zip", url: ofArchive },
      { file: "extra.html", records: ["ex 2027 001"] },
      { file: "strange.bin", records: ["EX-2027-001"] },
    ]),
  );
  const first = await load();
  expect(first.output.split("\n")).toEqual([
    "read 4 files: 4 documents with 3 passages; 0 files are as they were",
    "1 files could not be had or read in full; 0 are left for the next run",
    "0 files are of no current opportunity",
    "1 files were passed over, since neither their names nor documents.json say of which address or record they are: unknown.txt",
  ]);
  expect((await found("oboe")).toSorted()).toEqual([
    ["addressed", "budget.txt", "The oboe budget has no limit."],
    ["addressed", byAddress, "Letters of intent name the oboe project."],
    ["numbered", "extra.html", "Oboe questions\nAsk them by the end of May."],
  ]);
  const response = await service.fetch("/grants-api?fields=documents_read&sort_by=title&order=asc", { headers });
  const { results } = (await response.json()) as {
    results: { details: { documents_read: { name: string | null; problem: string | null }[] } }[];
  };
  expect(results[1]?.details.documents_read).toMatchObject([
    { name: "extra.html", url: null, problem: null },
    { name: "strange.bin", url: null, problem: expect.stringMatching(/\.$/) },
  ]);
});

test("what has not changed is not read again; a changed file is, and a removed one goes", async () => {
  expect((await load()).output).toContain("read 0 files: 0 documents with 0 passages; 4 files are as they were");
  await put("extra.html", "<p>The bassoon replaced it.</p>");
  await rm(join(folder, encodeURIComponent(byAddress)));
  const { output } = await load("--force");
  expect(output).toContain("read 1 files: 1 documents with 1 passages; 2 files are as they were");
  expect((await found("oboe")).map(([, name]) => name)).toEqual(["budget.txt"]);
  expect(await found("bassoon")).toEqual([["numbered", "extra.html", "The bassoon replaced it."]]);
});

test("what fetch could not have says why", async () => {
  await put(
    "manifest.json",
    JSON.stringify({
      version: 1,
      documents: {
        [missing]: {
          ...{ file: null, bytes: null, sha256: null, etag: null, last_modified: null, fetched_at: null },
          ...{ checked_at: "2026-11-01T00:00:00.000Z", reason: "answers 404" },
        },
      },
    }),
  );
  await load();
  const response = await service.fetch("/grants-api?fields=documents_read&sort_by=title&order=asc", { headers });
  const { results } = (await response.json()) as { results: { details: { documents_read: object[] } }[] };
  expect(results[0]?.details.documents_read).toContainEqual(
    expect.objectContaining({ url: missing, problem: "The address answers 404." }),
  );
});

test("a folder that names no document changes nothing", async () => {
  const before = await service.connection.query("select id from funding.documents order by id");
  const other = mkdtempSync(join(tmpdir(), "documents-"));
  const { status, output } = await load("--folder", other);
  rmSync(other, { recursive: true });
  expect(status).toBe(2);
  expect(output).toContain("No document was changed");
  expect(await service.connection.query("select id from funding.documents order by id")).toEqual(before);
});

// Regression: a load of a wrong folder deleted the texts of all others.
test("a folder that lacks more than a fifth of the stored files changes nothing, unless it is forced", async () => {
  const other = mkdtempSync(join(tmpdir(), "documents-"));
  const stored = () => service.connection.query("select id from funding.documents order by id");
  const before = await stored();
  await writeFile(join(other, encodeURIComponent(byAddress)), "The other folder has one file.");
  const { status, output } = await load("--folder", other);
  expect(status).toBe(1);
  expect(output).toBe(
    "The folder lacks 4 of the 4 stored files of current opportunities, which is more than a fifth: no document was changed. If it is the right folder, --force deletes them.",
  );
  expect(await stored()).toEqual(before);
  expect((await load("--folder", other, "--force")).status).toBe(0);
  expect(await stored()).toHaveLength(1);
  // What no current opportunity has goes in any case.
  await service.connection.execute("update funding.grants set status = 'closed' where title = 'addressed'");
  await rm(join(other, encodeURIComponent(byAddress)));
  await writeFile(join(other, "manifest.json"), JSON.stringify({ version: 1, documents: {} }));
  expect((await load("--folder", other)).status).toBe(0);
  expect(await stored()).toEqual([]);
  rmSync(other, { recursive: true });
});

test.each([
  ["{", "documents.json is no JSON"],
  ['[{"file": "../x", "url": "https://a.example"}]', "must be the name of a file in the folder"],
  ['[{"file": "extra.html"}]', "must have url, records or both"],
  ['[{"file": "nowhere.pdf", "records": ["1"]}]', "nowhere.pdf, which is not in the folder"],
])("documents.json that is %s is refused", async (text, message) => {
  await put("documents.json", text);
  const { status, output } = await load();
  expect(status).toBe(2);
  expect(output).toContain(message);
});
