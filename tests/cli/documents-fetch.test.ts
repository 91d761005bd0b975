import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { currentDocuments } from "../../database/documents.ts";
import { denoBinary } from "../../local/deno-command.mjs";
import { listenForPostgresClients, type PostgresSocket } from "../../local/embedded/postgres-socket.ts";
import { grantOf, loadGrants } from "../catalogue/records.ts";
import { openTestService, type TestService } from "../support/service.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

let service: TestService;
let socket: PostgresSocket;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "documents-"));
  service = await openTestService();
  socket = await listenForPostgresClients(service.lock, 0, { password: "postgres" });
  await service.connection.execute("truncate funding.grants, funding.contracts, funding.funders");
});
afterAll(async () => {
  socket.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command as an operator does. */
async function run(...words: string[]): Promise<{ status: number; output: string }> {
  const url = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  const args = ["local/deno.mjs", "cli/documents.ts", ...words, "--folder", folder];
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

const documents = (...urls: string[]) => ({
  details: { documents: urls.map((url) => ({ name: null, url, type: null, size: null, updated_at: null })) },
});

test("the documents of current opportunities are fetched, each once, and never from a private network", async () => {
  await loadGrants(service.connection, [
    grantOf("open", documents("http://127.0.0.1:1/a.pdf", "http://intranet/b.pdf")),
    grantOf("other", documents("http://intranet/b.pdf", "ftp://files.example.org/c.pdf")),
    grantOf("closed", { ...documents("http://intranet/closed.pdf"), status: "closed" }),
    grantOf("archived", { ...documents("http://intranet/archived.pdf"), archived_at: "2026-01-01T00:00:00Z" }),
  ]);
  expect(await currentDocuments(service.connection)).toEqual(["http://127.0.0.1:1/a.pdf", "http://intranet/b.pdf"]);
  const { status, output } = await run("fetch");
  expect(output.split("\n")).toEqual([
    "fetched 0 documents (0.0 MB); 0 are as they were",
    "2 could not be had: npm run documents -- failed; 0 are closed to programs",
    "0 are left for the next run; 0 that no current opportunity has were removed",
  ]);
  expect(status).toBe(0);
  expect((await run("failed")).output.split("\n")).toEqual([
    "http://127.0.0.1:1/a.pdf has the port 1",
    "http://intranet/b.pdf is not on the public internet",
  ]);
  const { documents: known } = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  expect(Object.keys(known)).toEqual(["http://127.0.0.1:1/a.pdf", "http://intranet/b.pdf"]);
});

test("what was looked at today is left", async () => {
  expect((await run("fetch")).output).toContain("0 could not be had");
});

// Regression: a run at the same hour of each day began before a day had passed since the last look, and left everything.
test("what was looked at in yesterday's run is looked at again, even if that took hours", async () => {
  const manifest = join(folder, "manifest.json");
  const text = await readFile(manifest, "utf8");
  const yesterday = new Date(Date.now() - 21 * 3_600_000).toISOString();
  await writeFile(manifest, text.replaceAll(/"checked_at": "[^"]*"/g, `"checked_at": "${yesterday}"`));
  expect((await run("fetch")).output).toContain("2 could not be had");
});

test("a folder is for one run at a time; the lock of a run that was killed holds up none", async () => {
  const script = `Deno.openSync(${JSON.stringify(join(folder, ".lock"))}, { create: true, write: true }).lockSync(true); console.log("locked"); setInterval(() => {}, 1000)`;
  const other = spawn(denoBinary() ?? "", ["eval", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(other.stdout, "data");
  try {
    for (const action of ["fetch", "load"]) {
      const { status, output } = await run(action);
      expect(output).toBe(
        `Another fetch or load has the folder ${folder}. Nothing was changed: run the same command again when it has ended.`,
      );
      expect(status).toBe(1);
    }
  } finally {
    other.kill("SIGKILL");
    await once(other, "close");
  }
  expect(await run("fetch")).toMatchObject({ status: 0 });
});

test("a folder and whole numbers are needed", async () => {
  expect(await run("fetch", "--minutes", "soon")).toMatchObject({ status: 2 });
  expect(await run("fetch", "x")).toMatchObject({ status: 2 });
});
