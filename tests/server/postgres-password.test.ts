import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, run, type ServerProcess, startServer } from "./server-process.ts";

let scratch: string;
let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "funding-password-"));
  folder = await copyDemoFolder(join(scratch, "data"));
  server = await startServer({ DATA_DIR: folder, PORT: String(await freePort()), LOG_LEVEL: "info" });
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(scratch, { recursive: true, force: true });
});

/** The address with parts of it replaced. */
function address(changes: Partial<Record<"username" | "password" | "pathname", string>> = {}): string {
  return Object.assign(new URL(server.ready.database_url), changes).href;
}

async function connect(connectionString = address()): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** Runs a program of Postgres' own: its output, what it said when it failed, or undefined where it is not installed. */
async function execute(program: string, words: string[]): Promise<string | undefined> {
  const environment = { ...process.env, PGPASSWORD: undefined };
  return promisify(execFile)(program, words, { env: environment, maxBuffer: 1e8 }).then(
    ({ stdout }) => stdout,
    (error) => (error.code === "ENOENT" ? undefined : String(error.stderr)),
  );
}

test("the printed address lets drivers and psql in", async () => {
  const client = await connect();
  expect((await client.query("select current_user as user, current_database() as database")).rows).toEqual([
    { user: "postgres", database: "postgres" },
  ]);
  await client.end();
  expect((await execute("psql", [address(), "-wAtc", "select 6 * 7"])) ?? "42\n").toBe("42\n");
});

test.each([
  ["a wrong password", { password: "wrong" }, "28P01", 'password authentication failed for user "postgres"'],
  ["another user", { username: "x" }, "28P01", 'password authentication failed for user "x"'],
  ["another database", { pathname: "/foo" }, "3D000", 'database "foo" does not exist'],
])("%s is refused in Postgres' own words", async (_name, changes, code, message) => {
  await expect(connect(address(changes))).rejects.toMatchObject({ code, message, severity: "FATAL" });
  const intrusion = "create table public.intruder (x int)";
  expect((await execute("psql", [address(changes), "-wc", intrusion])) ?? message).toContain(message);
  const client = await connect();
  expect((await client.query("select to_regclass('public.intruder') as found")).rows).toEqual([{ found: null }]);
  await client.end();
});

test("a missing password is refused", async () => {
  await expect(connect(address({ password: "" }))).rejects.toThrow(/password must be a/);
  const said = await execute("psql", [address({ password: "" }), "-wc", "select 1"]);
  expect(said ?? "no password supplied").toContain("no password supplied");
});

test("30 wrong passwords at once do not keep the owner out", async () => {
  let refused = 0;
  const guesses = Array.from({ length: 30 }, (_, guess) =>
    connect(address({ password: `guess-${guess}` })).catch((error: { code?: string }) => {
      refused += 1;
      return error.code;
    }),
  );
  const client = await connect();
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  expect(refused).toBe(0);
  await client.end();
  expect(await Promise.all(guesses)).toEqual(guesses.map(() => "28P01"));
});

test("commands find the password by themselves", async () => {
  const environment = { DATA_DIR: folder };
  const { output, exit } = run(environment, ["npm", "run", "--silent", "account", "--", "list"]);
  expect([await exit, output.stdout]).toEqual([0, expect.stringContaining("developer@demo.example")]);
});

test("the password is in the printed address and in two files of the owner's, and nowhere else", async () => {
  const { password } = new URL(server.ready.database_url);
  expect((await readFile(join(folder, "postgres-password"), "utf8")).trim()).toBe(password);
  for (const name of ["postgres-password", "server.json"]) {
    expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600]);
  }
  for (const path of ["/health", "/health?detail=all", "/metrics", "/openapi", "/nowhere"]) {
    expect(await (await fetch(server.ready.base_url + path)).text()).not.toContain(password);
  }
  const page = new URL("/config.json", server.ready.base_url);
  expect(await (await fetch(page)).text()).not.toContain(password);
  expect(server.output.stderr).not.toContain(password);
  expect(server.output.stdout.split(password)).toHaveLength(2);
});

test("refused passwords are one line in the log, without them", () => {
  const lines = server.output.stderr.split("\n").filter((line) => line.includes("wrong password"));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/warning function=postgres-port .*refused=1$/);
  expect(server.output.stderr).not.toMatch(/guess-|wrong@/);
});
