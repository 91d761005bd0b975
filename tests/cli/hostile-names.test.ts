import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listenForPostgresClients, type PostgresSocket } from "../../local/embedded/postgres-socket.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { pipedZip } from "../unit/ingest/archives.ts";

/** Commands print names that contain terminal escape sequences harmlessly. */

const root = fileURLToPath(new URL("../../", import.meta.url));

/** One of each kind: C0, ESC sequences, DEL, C1, line breaks, marks of direction, what has no width. */
const hostile =
  "h\x1b[2J\x1b]0;owned\x07\r\x08\x7f\x85\x9b31m\t\u202egnp\u2066\u2069\u200e\u200f\u061c\u200b\u200d\ufeff\u2028\u2029\nforged=line";
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

let service: TestService;
let socket: PostgresSocket;
let remote: Server;
let folder: string;
let keyId: string;
const email = `eve@${hostile.toLowerCase()}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hostile-"));
  service = await openTestService();
  socket = await listenForPostgresClients(service.lock, 0, { password: "postgres" });
  remote = createServer((_request, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: hostile, type: hostile, code: hostile } }));
  });
  await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
  ({ keyId } = await service.newKey());
  await spoilEveryName();
});
afterAll(async () => {
  socket.close();
  remote.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Puts the hostile text into every text column that takes it, as a database may hold from before it was refused. */
async function spoilEveryName(): Promise<void> {
  const columns = await service.connection.query<{ relation: string; name: string }>(
    `select table_name as relation, column_name as name from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = 'funding' and data_type = 'text' and is_generated = 'NEVER' and table_type = 'BASE TABLE'
       and table_name in ('accounts', 'api_keys', 'subscriptions', 'tiers', 'stripe_prices', 'stripe_customers', 'imports')`,
  );
  await service.connection.query("select funding.set_price('price_spoiled', 'developer')");
  for (const { relation, name } of columns) {
    await service.connection
      .query(`update funding.${relation} set ${name} = ${name} || $1`, [hostile.toLowerCase()])
      .catch(() => undefined);
  }
  await service.connection.query(
    "update funding.accounts set email = $1 where id = (select account_id from funding.api_keys where id = $2)",
    [email, keyId],
  );
  const spoiled = await service.connection.query(
    "select from funding.api_keys join funding.accounts on accounts.id = account_id where name like '%forged=line' and display like '%forged=line' and email like '%forged=line'",
  );
  expect(spoiled.length).toBeGreaterThan(0);
}

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

function run(program: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const url = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  const env = { ...process.env, DATABASE_URL: url, INIT_CWD: folder, ...environment };
  const child = spawn(process.execPath, ["local/deno.mjs", program, ...words], { cwd: root, env });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => {
    output.stdout += data;
  });
  child.stderr.on("data", (data) => {
    output.stderr += data;
  });
  child.stdin.end();
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, ...output })));
}

/** A file of the caller's folder. */
function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const quoted = `"${hostile}"`;
const csv = `id,title,funder,${quoted}\n1,${quoted},${quoted},${quoted}\n2,,${quoted},${quoted}\n3,"One","F","x"\n`;
const pathName = "p\x1b[31m\u202e\nforged=line.csv";

/** Calls, and what a part of it is shown as. */
const calls: [
  what: string,
  program: string,
  words: () => string[],
  shown: string,
  environment?: () => NodeJS.ProcessEnv,
][] = [
  ["accounts", "cli/account.ts", () => ["list"], "eve@h\\u001b[2j"],
  ["an account", "cli/account.ts", () => ["show", email], "eve@h\\u001b[2j"],
  ["no account", "cli/account.ts", () => ["show", `mallory@${hostile.replaceAll(/\s/g, "")}`], "mallory@h\\u001b[2"],
  ["tiers", "cli/tier.ts", () => ["list"], "\\u001b[2j"],
  ["no tier", "cli/tier.ts", () => ["remove", hostile], "h\\u001b[2J"],
  ["keys", "cli/key.ts", () => ["list", email], "\\nforged=line"],
  ["a word too many", "cli/key.ts", () => ["list", email, hostile], "h\\u001b[2J"],
  ["an option that is none", "cli/key.ts", () => [`--${hostile}`], "h\\u001b[2J"],
  [
    "columns not used",
    "cli/import.ts",
    () => ["csv", file("a.csv", csv), "--type", "grants", "--no-fit"],
    "Columns not used: h\\u001b",
  ],
  [
    "a path",
    "cli/import.ts",
    () => ["csv", file(pathName, csv), "--type", "grants", "--no-fit", "--source", "x"],
    "rows are in",
  ],
  [
    "no such file",
    "cli/import.ts",
    () => ["csv", `no-${pathName}`, "--type", "grants", "--source", "x"],
    "no-p\\u001b",
  ],
  [
    "no such column",
    "cli/import.ts",
    () => ["csv", file("b.csv", csv), "--type", "grants", "--map", "title=Title of it"],
    "title",
  ],
  [
    "a row that is no JSON",
    "cli/import.ts",
    () => ["ndjson", file("c.ndjson", `{"id": "${hostile.replace("\n", "")}\n`), "--type", "grants"],
    "has no row",
  ],
  [
    "a file in an archive",
    "cli/import.ts",
    () => [
      "csv",
      file("d.zip", damaged(pipedZip([{ name: `${hostile}.csv`, content: csv }]))),
      "--type",
      "grants",
      "--dry-run",
    ],
    "is damaged",
  ],
  [
    "a refusal by a server",
    "cli/embed.ts",
    () => ["--provider", "openai", "--yes"],
    "Stopped",
    () => ({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: `http://127.0.0.1:${(remote.address() as AddressInfo).port}/v1` }),
  ],
  ["an address that is none", "cli/lexicon.ts", () => ["--database-url", hostile], "has another form"],
  ["a folder that is none", "cli/relevance.ts", () => [hostile.replace("\0", "")], "h\\u001b[2J"],
  ["a port that is none", "local/start.ts", () => [], "h\\u001b[2J", () => ({ PORT: hostile })],
  [
    "a data folder that cannot be",
    "local/start.ts",
    () => [],
    "\\u001b[2J",
    () => ({ PORT: "24871", DATA_DIR: `/dev/null/${hostile}` }),
  ],
];

function damaged(archive: Buffer): Buffer {
  const size = archive.lastIndexOf("PK\x01\x02") - 4;
  archive.writeUInt32LE(1, size);
  return archive;
}

describe("a command prints no character that steers a terminal, and no line that is not its own", () => {
  test.each(calls)("%s", async (_what, program, words, shown, environment) => {
    const { stdout, stderr } = await run(program, words(), environment?.());
    const printed = stdout + stderr;
    expect(printed).toContain(shown);
    expect(printed.replaceAll("\n", "").match(unprintable) ?? []).toEqual([]);
    expect(printed).not.toMatch(/^\W*forged/m);
  });
});

test("a reject file is JSON without such characters, and says what was there", async () => {
  await run("cli/import.ts", ["csv", file("e.csv", csv), "--type", "grants", "--no-fit"]);
  const text = readFileSync(join(folder, "e.csv.rejects.ndjson"), "utf8");
  expect(text.replaceAll("\n", "").match(unprintable) ?? []).toEqual([]);
  expect(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).row.funder),
  ).toContain(hostile);
});
