import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPGlite } from "../../database/pglite.ts";
import { listenForPostgresClients } from "../../local/embedded/postgres-socket.ts";
import { SessionLock } from "../../local/embedded/session.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { pipedZip } from "../unit/ingest/archives.ts";

/** `npm run import` as an operator runs it, with a data folder of its own. */

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "import-command-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(...words: string[]) {
  const environment: NodeJS.ProcessEnv = { ...process.env, DATA_DIR: join(folder, "data") };
  delete environment.DATABASE_URL;
  const command = [join(root, "local/deno.mjs"), join(root, "cli/import.ts"), ...words, "--no-fit"];
  // A group of its own, so that a kill reaches Deno and not only what started it.
  const child = spawn(process.execPath, command, { cwd: folder, env: environment, detached: true });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => {
    output.stdout += data;
  });
  child.stderr.on("data", (data) => {
    output.stderr += data;
  });
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (status) => resolve({ status, ...output })),
  );
  return { child, ended, output };
}

function run(input: string | Uint8Array, ...words: string[]) {
  const { child, ended } = start(...words);
  // A command that was called wrongly does not read what it is given.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return ended;
}

/** The numbers of a summary, by name. */
function countsIn(stdout: string): Record<string, number> {
  const lines = [...stdout.matchAll(/^ {2}(\w+) +([\d,]+)$/gm)];
  return Object.fromEntries(lines.map(([, name = "", count = ""]) => [name, Number(count.replaceAll(",", ""))]));
}

const rowOf = (id: number, title = `Grant ${id}`) => `${id},${title},Water Office\n`;
const rows = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => rowOf(first + index)).join("");
const header = "id,title,funder\n";
const csv = ["csv", "-", "--type", "grants", "--source", "agency", "--rejects", "rejects.ndjson"];

describe("npm run import", () => {
  test("that is killed is completed by another run, without duplicates", async () => {
    const { child, ended } = start(...csv);
    const rejects = join(folder, "rejects.ndjson");
    child.stdin.write(`${header}bad,,\n${rows(1, 1_700)}`);
    // The reject file says that the first batch is in.
    while (!existsSync(rejects)) await new Promise((resolve) => setTimeout(resolve, 50));
    process.kill(-(child.pid ?? 0), "SIGKILL");
    expect((await ended).status).not.toBe(0);

    const { status, stdout } = await run(`${header}bad,,\n${rows(1, 2_000)}`, ...csv);
    expect(status).toBe(3);
    const counts = countsIn(stdout);
    expect(counts).toMatchObject({ read: 2_001, updated: 0, rejected: 1 });
    expect(counts.unchanged).toBeGreaterThanOrEqual(499);
    expect((counts.inserted ?? 0) + (counts.unchanged ?? 0)).toBe(2_000);
    expect(readFileSync(rejects, "utf8")).toBe(
      '{"line":2,"source_id":"bad","reason":"title is missing","row":{"id":"bad","title":"","funder":""}}\n',
    );

    const database = await openPGlite(join(folder, "data", "postgres"));
    const { rows: found } = await database.query(
      "select count(*)::int as grants, count(distinct source_id)::int as different from funding.grants where source = 'agency'",
    );
    expect(found).toEqual([{ grants: 2_000, different: 2_000 }]);
    const { rows: runs } = await database.query(
      "select outcome, file, counts->>'read' as read from funding.imports order by id",
    );
    expect(runs).toEqual([
      { outcome: "interrupted", file: "-", read: null },
      { outcome: "completed", file: "-", read: "2001" },
    ]);
    await database.close();
  });

  test("waits while another one of the same source runs", async () => {
    const first = start(...csv.with(-1, "first.ndjson"));
    first.child.stdin.write(`${header}bad,,\n${rows(1, 1_700)}`);
    while (!existsSync(join(folder, "first.ndjson"))) await new Promise((resolve) => setTimeout(resolve, 50));
    const second = start(...csv);
    second.child.stdin.end(`${header}${rows(1, 2_000)}`);
    while (!second.output.stderr.includes("\n")) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(second.output.stderr).toBe("Another import of agency is running: this one waits for its end.\n");
    first.child.stdin.end(rows(1_701, 2_000));
    expect(await first.ended).toMatchObject({ status: 3 });
    expect(await second.ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/unchanged +2,000$/m) });
  });

  test("does not wait where all share the embedded database's session, through its socket", async () => {
    const lock = new SessionLock(await openEmptyDatabase());
    const socket = await listenForPostgresClients(lock, 0, { password: "postgres" });
    const url = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
    const both = await Promise.all(
      ["one.ndjson", "two.ndjson"].map((rejects) =>
        run(`${header}${rows(1, 1_200)}`, ...csv.with(-1, rejects), "--database-url", url),
      ),
    );
    expect(both).toMatchObject([{ status: 0 }, { status: 0 }]);
    const { rows: found } = await lock.database.query("select count(*)::int as grants from funding.grants");
    expect(found).toEqual([{ grants: 1_200 }]);
    socket.close();
    await lock.database.close();
  });

  test("archives what a full list lacks, asks before it archives much, and says so by its exit status", async () => {
    const full = [...csv, "--full"];
    expect(await run(`${header}${rows(1, 1_900)}`, ...full)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/archived +100$/m),
    });
    expect(await run(`${header}${rows(1, 100)}`, ...full)).toMatchObject({
      status: 4,
      stdout: expect.stringMatching(/unchanged +100$/m),
      stderr: expect.stringContaining("1,800 of the source's 1,900 current grants are not in the input"),
    });
    expect(await run(`${header}${rows(1, 1_899)}`, ...full)).toMatchObject({ status: 0 });
  });

  test("unpacks what it is given, and says where an archive is cut short", async () => {
    const archive = pipedZip([{ name: "grants.csv", content: `${header}${rows(1, 1_899)}` }]);
    expect(await run(archive, ...csv)).toMatchObject({ status: 0, stdout: expect.stringMatching(/read +1,899$/m) });
    expect(await run(archive.subarray(0, archive.length - 2_000), ...csv)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/read +1,\d\d\d$/m),
      stderr: expect.stringContaining("Standard input is cut short: its packed data has no end."),
    });
  });

  test("leaves a file where it is made to fill memory or disks: it says so, ends with status 1, and archives nothing", async () => {
    const zeros = deflateRawSync("0".repeat(16_000_000), { finishFlush: constants.Z_FULL_FLUSH });
    const beginning = deflateRawSync(`${header}${rows(1, 1_898)}`, { finishFlush: constants.Z_FULL_FLUSH });
    const bomb = Buffer.concat([gzipSync("").subarray(0, 10), beginning, ...Array(20).fill(zeros)]);
    expect(await run(bomb, ...csv, "--full")).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/unchanged +1,898$(?![\s\S]*archived)/m),
      stderr: expect.stringContaining("Standard input unpacks to more than 200 times its size."),
    });
    const long = `{"data": {"oppHits": [{"id": 1, "title": "T", "agency": "F"}, {"id": "${"x".repeat(20_000_000)}"}]}}`;
    expect(await run(long, "grants-gov-search2", "-", "--rejects", "rejects.ndjson", "--dry-run")).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/read +1$/m),
      stderr: expect.stringContaining("Standard input has a record of more than 16 MB near line 1."),
    });
    const archive = pipedZip([{ name: "hits.json", content: long }]);
    expect(await run(archive, "grants-gov-search2", "-", "--rejects", "rejects.ndjson", "--dry-run")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Standard input has a record of more than 16 MB near line 1, in hits.json."),
    });
    expect(await run(`${header}${rows(1, 1_899)}`, ...csv, "--full")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/unchanged +1,899$/m),
    });
  });

  test("reads the dates of a pipe by its last row, and says how", async () => {
    const dates = (...days: string[]) =>
      `id,title,funder,deadline\n${days.map((day, id) => `${id},T,F,${day}\n`).join("")}`;
    const many = dates(...Array.from({ length: 20_000 }, () => "05/06/2026"), "13/06/2026");
    expect(await run(many, ...csv, "--dry-run")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /would be imported +20,001\n[\s\S]*were read day first, as 13\/06\/2026 \(line 20,002\) shows: 20,000 could be read either way.*--dates mdy/,
      ),
    });
    expect(await run(many, ...csv, "--dry-run", "--dates", "mdy")).toMatchObject({
      status: 3,
      stdout: expect.stringMatching(/would be imported +20,000\n[\s\S]*rejected +1$/m),
    });
    expect(await run("", ...csv, "--dates", "ymd")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--dates must be one of iso, dmy, mdy, not ymd"),
    });
  });

  test.skipIf(!existsSync("/dev/full"))("fails where the reject file's disk is full", async () => {
    const words = csv.map((word) => (word === "rejects.ndjson" ? "/dev/full" : word));
    expect(await run(`${header}bad,,\n${rows(1, 10)}`, ...words)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("The disk is full: ENOSPC"),
    });
  });

  test("takes several files, and tells in which one a row is", async () => {
    writeFileSync(join(folder, "one.csv"), `${header}${rows(1, 2)}`);
    writeFileSync(join(folder, "two.csv"), `${header}bad,,\n${rows(3, 4)}`);
    const words = [
      "csv",
      "one.csv",
      "two.csv",
      "--type",
      "grants",
      "--source",
      "agency",
      "--rejects",
      "rejects.ndjson",
    ];
    expect(await run("", ...words)).toMatchObject({ status: 3, stdout: expect.stringMatching(/unchanged +4$/m) });
    expect(JSON.parse(readFileSync(join(folder, "rejects.ndjson"), "utf8"))).toMatchObject({
      file: "two.csv",
      line: 2,
    });
    expect(await run("", ...words.with(2, "three.csv"))).toMatchObject({
      status: 2,
      stderr: "three.csv does not exist.\n",
    });
  });
});
