import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { denoArguments, denoBinary, serverProgram } from "../../local/deno-command.mjs";
import { evaluatingModule } from "../support/evaluating-module.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const probe = fileURLToPath(new URL("permission-probe.ts", import.meta.url));

let folder: string;
let data: string;
let server: ServerProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "funding-permissions-"));
  // A comma separates paths for Deno.
  data = await copyDemoFolder(join(folder, "data, with a comma"));
  server = await startServer({ DATA_DIR: data, PORT: String(await freePort()) });
});
afterAll(async () => {
  await server.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

test("a superuser who makes the server load code gets none of it evaluated", async () => {
  const client = new pg.Client({ connectionString: server.ready.database_url });
  await client.connect();
  const proof = join(data, "evaluated");
  const library = evaluatingModule(`Deno.writeTextFileSync(${JSON.stringify(proof)}, "")`);
  await client.query("select lo_from_bytea(77777, $1)", [library]);
  await client.query("select lo_export(77777, '/tmp/library.so')");
  await expect(client.query("load '/tmp/library.so'")).rejects.toThrow(/./);
  expect(existsSync(proof)).toBe(false);
  await client.end();
  const listed = await fetch(`${server.ready.base_url}/grants-api?limit=1`, {
    headers: { authorization: `Bearer ${server.ready.api_key}` },
  });
  expect(listed.status).toBe(200);
});

test("code in the server's process has its data folder, its settings and the network, and nothing else", async () => {
  // The product's own arguments, for another program.
  const words = denoArguments([serverProgram], data).map((word) => (word === serverProgram ? probe : word));
  const { stdout } = await promisify(execFile)(denoBinary() ?? "", [...words, project, data, join(folder, "outside")], {
    cwd: project,
    env: { ...process.env, LOG_LEVEL: "info", OTHER_SECRET: "secret" },
  });
  const refused = "refused";
  expect(JSON.parse(stdout)).toEqual({
    "write in the data folder": "done",
    "read the project": "done",
    "listen on loopback": "done",
    "send a webhook": "done",
    "send a webhook by TLS": "done",
    "ask an embedding model": "done",
    "read a setting": "done",
    "run a program": refused,
    "run a program as Node does": expect.stringContaining("Command failed: touch"),
    "run Deno itself": refused,
    "end another process": refused,
    "write beside the data folder": refused,
    "write in the project": refused,
    "write in the home folder": refused,
    "write through a symbolic link": refused,
    "read elsewhere": refused,
    "read the environment's file": refused,
    "read another variable": "Error: denied",
    "read another variable as Node does": "Error: denied",
    "load a library": refused,
    "listen to the network": refused,
    "listen to the network in IPv6": refused,
    "ask for more": "Error: denied",
    "evaluate a string": expect.stringContaining("Code generation from strings disallowed"),
  });
  expect(existsSync(join(folder, "outside"))).toBe(false);
});
