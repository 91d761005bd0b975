import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Connection, closeAfter, queryOne } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { endlessPdf } from "../support/endless-pdf.ts";
import { waitUntil } from "../support/wait-until.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, run, type ServerProcess, startServer } from "./server-process.ts";

let folder: string;
let data: string;
let documents: string;
let server: ServerProcess | undefined;

/** The launcher itself, without npm: so that a signal hits it. */
const launcher = ["node", "local/deno.mjs", "local/start.ts"];
/** On this machine, at a port that is never asked: no test asks the network. */
const address = "http://127.0.0.1:1/a.pdf";

async function start(command?: string[]): Promise<ServerProcess> {
  const settings = { DATA_DIR: data, DOCUMENTS_DIR: documents, LOG_LEVEL: "info" };
  // A database that the commands must not take for the server's.
  const other = { DATABASE_URL: "postgresql://postgres@127.0.0.1:1/other" };
  server = await startServer({ ...settings, ...other, PORT: String(await freePort()) }, command);
  return server;
}

const noteRun = (ageMs: number) =>
  writeFile(join(documents, ".last-run"), `${new Date(Date.now() - ageMs).toISOString()} ${data}\n`);

async function change(work: (connection: Connection) => Promise<unknown>): Promise<void> {
  const { ready, end } = await start();
  await closeAfter(await connectPostgres(ready.database_url), work);
  await end("SIGTERM");
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-documents-"));
  data = await copyDemoFolder(join(folder, "data"));
  documents = join(folder, "before");
  await mkdir(documents);
  await noteRun(0);
  await change(async (connection) => {
    await connection.execute("update funding.grants set details = details - 'documents' where details ? 'documents'");
    await connection.execute(
      "update funding.contracts set details = details - 'documents', document_url = null where document_url is not null or details ? 'documents'",
    );
    await connection.query("select funding.upsert_records('grants', $1::jsonb)", [
      JSON.stringify([
        {
          ...{ source: "tests", source_id: "1", title: "Bridges", description: "Repairs of bridges.", status: "open" },
          ...{ classification: "opportunity", funder_name: "Bridge Office", states: ["OH"], is_national: false },
          ...{ categories: [], identifiers: ["EX-2027-001"], created_at: "2026-10-01T00:00:00Z" },
          details: {
            opportunity_number: "EX-2027-001",
            documents: [{ name: null, url: address, type: null, size: null, updated_at: null }],
          },
        },
      ]),
    ]);
  });
});
beforeEach(async () => {
  documents = await mkdtemp(join(folder, "documents-"));
});
afterEach(async () => {
  await server?.end("SIGTERM");
  server = undefined;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a server that starts a day after the last run fetches documents and makes them searchable", async () => {
  await noteRun(25 * 3_600_000);
  const { output, ready } = await start();
  await waitUntil(() => /command=load| error function=documents/.test(output.stderr), "documents are loaded");
  expect(output.stderr).toMatch(/ info function=documents command=fetch message="fetched 0 documents .*; 1 could not/);
  expect(output.stderr).toMatch(/ info function=documents command=load message="read 1 files: /);
  const { reason } = await closeAfter(await connectPostgres(ready.database_url), (connection) =>
    queryOne<{ reason: string }>(connection, "select reason from funding.documents where url = $1", [address]),
  );
  expect(reason).toBe("The address has the port 1.");
  await waitUntil(
    async () =>
      Date.now() - Date.parse((await readFile(join(documents, ".last-run"), "utf8")).split(" ")[0] ?? "") < 3_600_000,
    "the run is noted",
  );
});

test("a server that starts again within the day fetches nothing", async () => {
  await noteRun(23 * 3_600_000);
  const { output } = await start();
  await waitUntil(() => output.stderr.includes("the next is a day later"), "the last run is told");
  expect(await readdir(documents)).toEqual([".last-run"]);
});

test("a folder that is a file is refused at the start", async () => {
  documents = join(documents, "file");
  await writeFile(documents, "");
  const started = run({ DATA_DIR: data, DOCUMENTS_DIR: documents, PORT: String(await freePort()) });
  expect(await started.exit).toBe(1);
  expect(started.output.stderr).toContain(`DOCUMENTS_DIR must be a folder, and ${documents} is a file.`);
});

test.each(["SIGTERM", "SIGKILL"] as const)("whatever reads a document ends with the launcher (%s)", async (signal) => {
  await writeFile(join(documents, "endless.pdf"), endlessPdf());
  await writeFile(
    join(documents, "documents.json"),
    JSON.stringify([{ file: "endless.pdf", records: ["EX-2027-001"] }]),
  );
  const { process: parent, end } = await start(launcher);
  const reader = () =>
    descendants(parent.pid ?? 0).find((pid) => commandOf(pid).includes("documents/process/child.ts"));
  await waitUntil(() => reader() !== undefined, "a document is read");
  const pids = descendants(parent.pid ?? 0);
  expect(pids.length).toBeGreaterThanOrEqual(4);
  expect(getPriority(reader())).toBe(10);
  await end(signal);
  await waitUntil(() => pids.every((pid) => commandOf(pid) === ""), "all have ended");
  expect((await stat(documents)).isDirectory()).toBe(true);
});

/** Command line of a process; empty where it has ended. */
function commandOf(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`);
}

/** Processes that a process started, and those that they started. */
function descendants(pid: number): number[] {
  const running = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  const children = running.filter((each) => parentOf(each) === pid);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function parentOf(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`);
  // The program's name, in brackets, may have spaces.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
