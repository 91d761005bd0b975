import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteLinks } from "../../database/links.ts";
import { listenForPostgresClients, type PostgresSocket } from "../../local/embedded/postgres-socket.ts";
import { openTestService, type TestService } from "../support/service.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

let service: TestService;
let socket: PostgresSocket;
beforeAll(async () => {
  service = await openTestService();
  socket = await listenForPostgresClients(service.lock, 0, { password: "postgres" });
  await service.connection.execute("truncate funding.grants, funding.contracts, funding.funders, funding.links");
  for (const website of ["http://127.0.0.1:1/", "http://intranet/", null]) {
    await service.connection.query(
      `insert into funding.funders (id, name, website, created_at, source, source_id, content_hash)
       values (gen_random_uuid(), coalesce($1, 'nowhere'), $1, now(), 'test', coalesce($1, 'nowhere'), '')`,
      [website],
    );
  }
});
afterAll(async () => {
  socket.close();
  await service.close();
});

/** Runs the command as an operator does. */
async function run(...words: string[]): Promise<{ status: number; output: string }> {
  const url = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  const args = ["local/deno.mjs", "cli/links.ts", ...words, "--database-url", url];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    return { status: 0, output: stdout.trim() };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { status: code, output: stderr.trim() };
  }
}

const stored = () => service.connection.query("select url, status, reason from funding.links order by url");

test("links are checked, never those into a private network, and what no record has any more is forgotten", async () => {
  await noteLinks(service.connection, [{ url: "https://gone.example.org/", result: "ok", reason: null }]);
  const { status, output } = await run();
  expect(output.split("\n")).toEqual([
    "checked 2 links: 0 answer, 2 do not, 0 let no program look",
    "0 are left for the next run; 1 that no record has any more were forgotten",
    "0 records have a link that failed three times in three weeks",
  ]);
  expect(status).toBe(0);
  const reason = "is not on the public internet";
  expect(await stored()).toEqual([
    { url: "http://127.0.0.1:1/", status: "failing", reason: "has the port 1" },
    { url: "http://intranet/", status: "failing", reason },
  ]);
});

test("links that were checked this week are left", async () => {
  expect((await run()).output).toContain("checked 0 links");
});

test("broken links are listed with their records", async () => {
  await service.connection.execute(
    "update funding.links set failures = 2, failed_at = failed_at - interval '7 days', checked_at = checked_at - interval '7 days'",
  );
  expect((await run("--minutes", "1")).output).toContain(
    "2 records have a link that failed three times in three weeks",
  );
  expect((await run("broken")).output.split("\n")).toEqual([
    expect.stringMatching(/^funders [\w-]{36} http:\/\/127\.0\.0\.1:1\/ has the port 1$/),
    expect.stringMatching(/^funders [\w-]{36} http:\/\/intranet\/ is not on the public internet$/),
  ]);
});

test.each([
  [["all"], "Say nothing, or broken."],
  [["--minutes", "0"], "--minutes must be a whole number from 1 to 10000."],
  [["--pause", "x"], "--pause must be a whole number from 1 to 3600."],
])("%j is refused", async (words, message) => {
  const { status, output } = await run(...words);
  expect(status).toBe(2);
  expect(output).toContain(message);
});
