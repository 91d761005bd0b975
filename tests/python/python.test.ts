import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDemoFolder } from "../server/demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "../server/server-process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = join(root, "packages/python/src");
const execute = promisify(execFile);

let data: string;
let server: ServerProcess;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "funding-python-"));
  server = await startServer({
    DATA_DIR: await copyDemoFolder(join(data, "data")),
    PORT: String(await freePort()),
  });
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(data, { recursive: true, force: true });
});

test("its types are those of the OpenAPI document", async () => {
  await execute("node", ["local/deno.mjs", "scripts/python-types.ts", "--check"], { cwd: root });
});

test("its own types, and those of a program that uses it, pass mypy --strict", async () => {
  const { stdout } = await execute("/usr/bin/mypy", ["--strict", source, join(root, "tests/python/consumer.py")], {
    cwd: data,
    env: { ...process.env, MYPYPATH: source },
  });
  expect(stdout).toMatch(/^Success: no issues found in \d+ source files\n$/);
});

test("it passes its tests against the server", async () => {
  const { stderr } = await execute("/usr/bin/python3", ["-W", "error", join(root, "tests/python/test_client.py")], {
    cwd: data,
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: source,
      PYTHONDONTWRITEBYTECODE: "1",
      FUNDING_BASE_URL: server.ready.base_url,
      FUNDING_API_KEY: server.ready.api_key,
      FREE_API_KEY: server.ready.free_api_key,
    },
  });
  expect(stderr).toMatch(/Ran [2-9]\d tests[\s\S]*\nOK\n$/);
});

test("its README's examples run", async () => {
  await execute("/usr/bin/python3", [join(root, "tests/python/readme.py"), join(root, "packages/python/README.md")], {
    cwd: data,
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: source,
      PYTHONDONTWRITEBYTECODE: "1",
      FUNDING_BASE_URL: server.ready.base_url,
      FUNDING_API_KEY: server.ready.api_key,
    },
  });
});
