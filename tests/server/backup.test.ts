import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recipe } from "../docs/blocks.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, run, type ServerProcess, startServer } from "./server-process.ts";

let folder: string;
let source: ServerProcess;

const path = (name: string) => join(folder, name);

async function command(name: string, dataFolder: string, ...words: string[]) {
  const { output, exit } = run({ DATA_DIR: dataFolder }, ["npm", "run", "--silent", name, "--", ...words]);
  return { status: await exit, ...output };
}

/** A line of a shell in the project's folder, with the source as its data folder. */
async function shell(line: string) {
  const { output, exit } = run({ DATA_DIR: path("source") }, ["bash", "-c", line]);
  return { status: await exit, ...output };
}

const get = (server: ServerProcess, address: string, key = server.ready.api_key) =>
  fetch(`${server.ready.base_url}${address}`, { headers: { authorization: `Bearer ${key}` } });

/** Digest of what a backup holds, without the line that says when it was made. */
async function digest(name: string): Promise<string> {
  const text = gunzipSync(await readFile(path(name)));
  const rows = text.subarray(text.indexOf("\n", text.indexOf("\n") + 1));
  return createHash("sha256").update(rows).digest("hex");
}

/** The answer without the time that it took. */
async function answer(response: Response): Promise<unknown> {
  const { meta, ...rest } = (await response.json()) as { meta: Record<string, unknown> };
  return { ...rest, meta: { ...meta, response_time_ms: 0 } };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-backup-"));
  source = await startServer({ DATA_DIR: await copyDemoFolder(path("source")), PORT: String(await freePort()) });
});
afterAll(async () => {
  await source.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

test("of a folder is made while its server answers, and restored it is the same service", async () => {
  const limited = source.ready.limited_api_key;
  for (let count = 0; count < 3; count += 1) await get(source, "/grants-api?limit=1", limited);

  let isOver = false;
  const statuses = new Map<number, number>();
  const asking = (async () => {
    while (!isOver) {
      const { status } = await get(source, `/grants-api?limit=1&offset=${Math.floor(Math.random() * 1000)}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  })();
  // The recipe of docs/operate/back-up.md, its files in the folder of this test.
  const text = recipe("recipe-folder").replaceAll(/\bfunding\.sql\.gz|(?<=DATA_DIR=)restored\b/g, path);
  const [backup = "", restore = "", serve = "", ...more] = text.trim().split("\n");
  expect(more).toEqual([]);
  const made = await shell(backup);
  isOver = true;
  await asking;
  expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[\d,]{6,} rows, [\d,]+ KiB/m) });
  // On a busy machine a request may be refused for overload, as always.
  const { 200: answered = 0, 503: refused = 0, ...others } = Object.fromEntries(statuses);
  expect(others).toEqual({});
  expect(answered).toBeGreaterThan(0);
  expect(refused).toBeLessThanOrEqual(1 + answered / 10);
  expect((await stat(path("funding.sql.gz"))).mode & 0o777).toBe(0o600);
  expect(await readdir(path("source"))).not.toContainEqual(expect.stringMatching(/^database-copy-/));

  expect(await shell(restore)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("restored; the schema is what its migrations made\n"),
  });
  expect(await command("backup", path("restored"), path("second.sql.gz"))).toMatchObject({ status: 0 });
  expect(await digest("second.sql.gz")).toBe(await digest("funding.sql.gz"));

  expect(serve).toBe(`PORT=54400 DISPATCH=off DATA_DIR=${path("restored")} npm start`);
  const environment = { DISPATCH: "off", DATA_DIR: path("restored"), PORT: String(await freePort()) };
  const target = await startServer(environment);
  try {
    expect(target.output.stderr).toContain("DISPATCH=off: nothing is sent");
    expect(target.ready.api_key).toBe(source.ready.api_key);
    for (const address of ["/grants-api?limit=5", "/grants-api?limit=5&search=rural+health&search_mode=hybrid"]) {
      const [before, after] = [await get(source, address), await get(target, address)];
      expect(after.status).toBe(200);
      expect(await answer(after)).toEqual(await answer(before));
    }
    const remaining = async (server: ServerProcess) =>
      (await get(server, "/grants-api?limit=1", limited)).headers.get("x-ratelimit-remaining");
    expect(await remaining(target), "three requests were counted before").toBe(await remaining(source));
    const keys = ["webhook-secrets-key", "demo-keys.json"];
    for (const name of keys) {
      expect(await readFile(join(path("restored"), name), "utf8")).toBe(
        await readFile(join(path("source"), name), "utf8"),
      );
    }
  } finally {
    await target.end("SIGTERM");
  }
});

test("overwrites no file and no database, and says so", async () => {
  await writeFile(path("there.sql.gz"), "");
  expect(await command("backup", path("source"), path("there.sql.gz"))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("is there already"),
  });
  expect(await command("restore", path("restored"), path("funding.sql.gz"))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("A backup goes into an empty one"),
  });
  expect(await command("backup", path("nowhere"), path("third.sql.gz"))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("has no database"),
  });
  expect(await readdir(folder)).not.toContain("third.sql.gz");
});

test("that was cut short restores nothing, and leaves a folder that takes another", async () => {
  const whole = await readFile(path("funding.sql.gz"));
  await writeFile(path("cut.sql.gz"), whole.subarray(0, whole.length / 2));
  // All rows are there, and a byte of the checksum is another.
  const damaged = Buffer.from(whole);
  damaged[whole.length - 6] = (whole.at(-6) ?? 0) ^ 1;
  await writeFile(path("damaged.sql.gz"), damaged);
  for (const name of ["cut.sql.gz", "damaged.sql.gz"]) {
    expect(await command("restore", path("again"), path(name))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("The file was cut short"),
    });
  }
});

test("into a folder that is not there fails in a sentence", async () => {
  expect(await command("backup", path("source"), path("no/such/folder.sql.gz"))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`There is no folder ${path("no/such")}.`),
  });
});
