import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unfinishedName } from "../../local/unfinished.ts";

/** The commands as a person at a terminal calls them: rightly, wrongly, and from another folder. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const commands = [
  "account",
  "backup",
  "clock",
  "documents",
  "embed",
  "import",
  "key",
  "lexicon",
  "migrate",
  "restore",
  "seed",
  "snapshot",
  "status",
  "tier",
  "test-stack",
];
const measuring = [
  "bench",
  "bench-import",
  "bench-retention",
  "bench-webhooks",
  "calibrate",
  "relevance",
  "stand-in-model",
];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "commands-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command in the project's folder, as npm does, with the caller in a folder of its own. */
function run(command: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    INIT_CWD: folder,
    DATA_DIR: "data",
    DATABASE_URL: "",
    ...environment,
  };
  const program = command === "start" ? "local/start.ts" : `cli/${command}.ts`;
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

/** Every file with this ending below a folder of the project. */
function sourcesIn(path: string): string[] {
  return readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(path, name));
}

describe("every command", () => {
  test.each([...commands, ...measuring])("%s explains itself, and what it does not know", async (command) => {
    expect(await run(command, ["--help"])).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringContaining("--"),
    });
    expect(await run(command, ["--no-such-option"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("See --help."),
    });
  });

  test("reads arguments in one way: negative numbers are values, and empty values count as missing", () => {
    const others = sourcesIn("cli").filter((path) =>
      /parseArgs } from "node:util"/.test(readFileSync(join(root, path), "utf8")),
    );
    expect(others).toEqual([]);
  });

  test("takes an empty variable of the environment for one that is not set", () => {
    // Finds variables that are read as they are. Those passed on to other processes, or read by a helper, do not match.
    const direct = /process\.env\.\w+\b(?! (?:\|\||===|!==) )/g;
    const found = [...sourcesIn("cli"), ...sourcesIn("local"), ...sourcesIn("status")].flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(direct)].map(([text]) => `${path}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});

/** Calls that are wrong, and a part of what is said of each. */
const wrong: [command: string, words: string[], message: string][] = [
  ["seed", ["--grants", "999999999999"], "--grants must be at most 999999999."],
  ["seed", ["--grants", "-1"], "--grants must be a whole number of at least 0."],
  ["seed", ["--grants", "1.5"], "--grants must be a whole number of at least 0."],
  ["seed", ["--funders", "0"], "--funders must be a whole number of at least 1."],
  ["seed", ["--seed", "9007199254740992"], "--seed must be at most 9007199254740991."],
  ["seed", ["--database-url", ""], "--database-url has an empty value."],
  ["tier", ["add", "x", "--quota", "-2"], "--quota must be a number of requests a day, or -1 for unlimited."],
  ["tier", ["add", "x", "--quota", "9007199254740992"], "--quota must be at most 9007199254740991."],
  ["tier", ["add", "x", "--access", "maybe"], "--access must be yes or no."],
  ["key", ["rotate", "00000000-0000-0000-0000-000000000000", "--overlap-hours", "-1"], "from 0 to 720"],
  ["key", ["rotate", "00000000-0000-0000-0000-000000000000", "--overlap-hours", "721"], "from 0 to 720"],
  ["key", ["create", "you@example.org", "--expires", "2027-02-30"], "--expires must be a date, for example 2027-01-31"],
  ["key", ["create", "you@example.org", "--expires", "2027-01-31T12:00"], "--expires must be a date"],
  ["account", ["change", "you@example.org", "--period-end", "2027-02-30"], "--period-end must be a date"],
  ["lexicon", ["--dimensions", "15"], "from 16 to 384"],
  ["lexicon", ["--dimensions", "385"], "from 16 to 384"],
  ["embed", ["--provider", "openai", "--batch", "0"], "from 1 to 2048"],
  ["embed", ["--provider", "openai", "--dimensions", "255"], "from 256 to 3072"],
  ["embed", ["--provider", "supabase", "--dimensions", "512"], "the vectors of supabase have 384."],
  ["embed", ["--provider", "openai", "--model", "x@512"], "--dimensions says it"],
  ["relevance", [".", "--model", "supabase/gte-small"], "--model must be openai/NAME"],
  ["relevance", [], "Name a folder, or say --judged or --records."],
  ["stand-in-model", [".", "--size", "100"], "from 256 to 3072"],
  ["embed", ["--provider", "openai", "--concurrency", "33"], "from 1 to 32"],
  ["embed", ["--provider", "openai", "--price", "-1"], "--price must be US dollars"],
  ["import", ["csv", "missing.csv", "--type", "grants"], "missing.csv does not exist."],
  ["import", ["csv", ".", "--type", "grants"], "is a folder, not a file."],
  ["import", ["csv", "missing.csv", "--type", "grants", "--dates", "ydm"], "--dates must be one of iso, dmy, mdy"],
  ["import", ["360giving", "missing.json", "--dates", "dmy"], "--dates is for ndjson and csv"],
  ["relevance", ["missing"], "missing"],
  ["bench", ["--json", "no/such/folder.json"], "--json no/such/folder.json cannot be written there."],
  ["migrate", [], "Say which database"],
  ["migrate", ["--functions", "--anew"], "Say either --functions or --anew."],
  ["backup", [], "Say which file"],
  ["backup", ["a", "b"], "Say which file"],
  ["snapshot", ["a", "b"], "There is one TARGET"],
  ["snapshot", ["r2:catalogue"], "give --database-url or DATABASE_URL"],
  ["snapshot", ["r2:A"], "A bucket's name has 3 to 63"],
  ["snapshot", ["supabase:catalogue", "--database-url", "postgresql://127.0.0.1:1/x"], "needs SUPABASE_URL"],
  ["snapshot", ["a", "--keep", "0"], "--keep must be a number from 1."],
  ["restore", [], "Say which file"],
  ["restore", ["missing.sql.gz"], "There is no file"],
  ["status", ["--base-url", "https://example.org"], "--out FOLDER"],
  ["status", ["--out", "page"], "--base-url is missing"],
  ["status", ["--out", "page", "--base-url", "example.org"], "--base-url is not an address"],
  ["status", ["--out", "page", "--base-url", "https://a:b@example.org"], "must have no user, password"],
  [
    "status",
    ["--out", "page", "--base-url", "http://example.org", "--metrics-secret", "x"],
    "must begin with https://",
  ],
  ["test-stack", ["no-address"], "no-address is not an address"],
];

describe("a call that is wrong ends with status 2, before anything is done", () => {
  test.each(wrong)("%s %j", async (command, words, message) => {
    const { status, stderr } = await run(command, words);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(join(folder, "data"))).toBe(false);
  });
});

test("what killed backups to files of such a name left is removed after an hour", async () => {
  const backups = join(folder, "backups");
  mkdirSync(backups);
  const write = (name: string, ageSeconds: number) => {
    const path = join(backups, name);
    writeFileSync(path, "");
    utimesSync(path, Date.now() / 1000 - ageSeconds, Date.now() / 1000 - ageSeconds);
    return name;
  };
  const left = [
    write(unfinishedName("nightly-2026-11-28.sql.gz"), 7_200),
    write(unfinishedName("nightly-2026-11-27.sql.gz"), 7_200),
  ];
  const others = [
    write(unfinishedName("nightly-2026-11-28.sql.gz"), 60),
    write(unfinishedName("weekly-2026-11-28.sql.gz"), 7_200),
    write("nightly-2026-11-28.sql.gz.notes.unfinished", 7_200),
    write("nightly-2026-11-26.sql.gz", 7_200),
  ];
  const { status, stderr } = await run("backup", ["backups/nightly-2026-11-28.sql.gz"], { DATA_DIR: "none" });
  expect(status).toBe(1);
  for (const name of left) expect(stderr).toContain(`removed ${name}: `);
  expect(stderr).toMatch(/has no database.*\n$/);
  expect(readdirSync(backups).sort()).toEqual(others.sort());
});

describe("from another folder", () => {
  test("files, rejects and DATA_DIR are in the caller's", async () => {
    mkdirSync(join(folder, "deep"), { recursive: true });
    writeFileSync(join(folder, "deep", "grants.csv"), "id,title,funder\n1,One,F\n2,,F\n");
    const words = ["csv", "deep/grants.csv", "--type", "grants", "--no-fit"];
    expect(await run("import", words)).toMatchObject({ status: 3 });
    expect(existsSync(join(folder, "grants.csv.rejects.ndjson"))).toBe(true);
    expect(existsSync(join(folder, "data", "postgres"))).toBe(true);
    expect(await run("import", [...words, "--rejects", "deep/rejects.ndjson"])).toMatchObject({ status: 3 });
    expect(existsSync(join(folder, "deep", "rejects.ndjson"))).toBe(true);
  });

  test("a tier without a limit, as the help has it", async () => {
    expect(await run("tier", ["add", "endless", "--quota", "-1"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/endless.*-1|endless.*unlimited/),
    });
  });

  test("embedding nothing without a key changes no model, and fails", async () => {
    const environment = { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", DATA_DIR: "empty" };
    const call = ["--provider", "openai", "--yes"];
    expect(await run("embed", call, environment)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("OPENAI_API_KEY is not set"),
    });
    expect(await run("embed", ["--provider", "lexicon", "--yes"], environment)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("uses the lexicon already"),
    });
  });

  test("text that is no address is refused as such", async () => {
    for (const url of [
      "nowhere",
      "jdbc:postgresql://user:hunter2@host/name",
      "postgresql://user:hunter2@host:port/name",
    ]) {
      const { status, stderr } = await run("lexicon", ["--database-url", url]);
      expect([status, stderr]).toEqual([
        1,
        "The database's address must be postgresql://USER:PASSWORD@HOST:PORT/NAME: the one that was given has another form\n",
      ]);
    }
    const missing = "postgresql://user:hunter2@host/name?sslmode=verify-full&sslrootcert=missing.crt";
    expect((await run("lexicon", ["--database-url", missing])).stderr).toMatch(/^ENOENT: .* 'missing\.crt'\n$/);
  });

  test("an empty PORT counts as unset, and a wrong one is refused", async () => {
    expect(await run("start", ["--help"], { PORT: "" })).toMatchObject({ status: 0 });
    expect(await run("start", [], { PORT: "70000" })).toMatchObject({
      status: 1,
      stderr: 'PORT must be a number from 1 to 65534, not "70000".\n',
    });
  });
});
