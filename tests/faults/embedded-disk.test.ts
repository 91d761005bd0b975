import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, statfs, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort, run, type ServerProcess, startServer } from "../server/server-process.ts";
import { prepareFolder } from "./embedded-server.ts";
import { contract } from "./writer.ts";

const megabyte = 1024 ** 2;
const diskBytes = 512 * megabyte;
const execute = promisify(execFile);

/** A disk of its own, in memory. Root alone can mount one: without that, these tests fail. */
const disk = await mkdtemp(join(tmpdir(), "funding-disk-"));
const data = join(disk, "data");
const ballast = join(disk, "ballast");
let server: ServerProcess;

const start = async () => {
  server = await startServer({ DATA_DIR: data, PORT: String(await freePort()), LOG_LEVEL: "warning" });
};
const exit = () => new Promise<number | null>((resolve) => server.process.once("close", resolve));

/** Fills the disk up to so many bytes. */
async function leave(bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
}

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.ready.database_url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const list = () =>
  fetch(`${server.ready.base_url}/contracts-api?limit=1`, {
    headers: { authorization: `Bearer ${server.ready.api_key}` },
  });

async function signIn(): Promise<string> {
  const token_hash = new URLSearchParams(new URL(server.ready.sign_in_link).hash.slice(1)).get("token_hash");
  const response = await fetch(new URL("/auth/v1/verify", server.ready.base_url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token_hash, type: "email" }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

const createKey = (token: string) =>
  fetch(`${server.ready.base_url}/account-api/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "written" }),
  });

/** Answer to a new key, once it has this status: the server looks at the disk every 50 ms. */
const keyAnswer = (token: string, status: number) =>
  vi.waitFor(async () => {
    const response = await createKey(token);
    expect(response.status).toBe(status);
    return response;
  });

const store = (id: string) =>
  query("select funding.upsert_records('contracts', $1::jsonb)", [JSON.stringify([contract(id)])]);

beforeAll(async () => {
  await execute("mount", ["-t", "tmpfs", "-o", `size=${diskBytes},mode=700`, "tmpfs", disk]);
  await mkdir(data);
  await prepareFolder(data, 100);
  await start();
});
afterAll(async () => {
  await server?.end("SIGKILL");
  await execute("umount", [disk]);
  await rm(disk, { recursive: true, force: true });
});

test("with little room on the disk, reads go on and writes are refused in words", async () => {
  const token = await signIn();
  expect((await createKey(token)).status).toBe(201);
  await leave(100 * megabyte);

  expect((await list()).status).toBe(200);
  const refused = await keyAnswer(token, 503);
  expect(refused.headers.get("retry-after")).not.toBeNull();
  expect(((await refused.json()) as { detail: string }).detail).toContain("disk is nearly full. Reading works");
  await expect(store("refused")).rejects.toMatchObject({ code: "53100" });
  const file = join(disk, "contracts.csv");
  await writeFile(file, "source_id,title,funder_name\none,A contract,An agency\n");
  const imported = run({ DATA_DIR: data }, [
    ...["npm", "run", "--silent", "import", "--", "csv", file, "--type", "contracts", "--no-fit"],
  ]);
  expect(await imported.exit, imported.output.stderr).toBe(1);
  expect(imported.output.stderr).toContain("The disk is full: little room is left on the disk of the data folder");
  // What makes room is done all the same.
  await query("delete from funding.contracts where source_id = 'first-1'");
  expect(server.output.stderr).toContain("reads go on, and nothing new is stored until 128 MB are free");

  await rm(ballast);
  await keyAnswer(token, 201);
  await store("taken again");
});

// Regression: Postgres waited for its own lock for ever. Not even /health was answered, and SIGTERM was ignored.
test("a disk that is full within the write-ahead log ends the server, which says why", async () => {
  await store("acknowledged");
  const ended = exit();
  await leave(8 * megabyte);
  await query("create table ballast (text text)").catch(() => undefined);
  for (let attempt = 0; attempt < 200 && server.process.exitCode === null; attempt++) {
    await query("insert into ballast select repeat(md5(n::text), 60) from generate_series(1, 500) as n").catch(() =>
      query("checkpoint").catch(() => undefined),
    );
  }
  expect(await ended).toBe(70);
  expect(server.output.stderr).toMatch(/the database failed: .*free some space, and start again/);

  const { exit: refusal, output } = run({ DATA_DIR: data, PORT: String(await freePort()) });
  expect(await refusal).toBe(1);
  expect(output.stderr).toContain("Free some space, and start again: nothing is lost.");

  await truncate(ballast, 0);
  await start();
  expect(await query("select source_id from funding.contracts where source_id = 'acknowledged'")).toHaveLength(1);
  expect((await list()).status).toBe(200);
});
