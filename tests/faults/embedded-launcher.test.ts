import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort, run, type ServerProcess, startServer } from "../server/server-process.ts";
import { waitUntil } from "../support/wait-until.ts";
import { prepareFolder } from "./embedded-server.ts";

/** The launcher itself, without npm: so that a signal hits it. */
const launcher = ["node", "local/deno.mjs", "local/start.ts"];

let data: string;
let port: number;
let server: ServerProcess | undefined;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "funding-launcher-"));
  port = await freePort();
  await prepareFolder(data, 10);
});
afterEach(async () => {
  await server?.end("SIGTERM");
  server = undefined;
  await rm(data, { recursive: true, force: true });
});

const start = async (environment: Record<string, string> = {}) => {
  server = await startServer({ DATA_DIR: data, PORT: String(port), ...environment }, launcher);
  return server;
};
const processOf = async () => JSON.parse(await readFile(join(data, "server.json"), "utf8")).process_id as number;
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const list = ({ ready }: ServerProcess) =>
  fetch(`${ready.base_url}/contracts-api?limit=1`, { headers: { authorization: `Bearer ${ready.api_key}` } });
const isAnswering = ({ ready }: ServerProcess) =>
  fetch(`${ready.base_url}/health`, { signal: AbortSignal.timeout(500) }).then(
    () => true,
    () => false,
  );
/** Has the database begin a statement that never ends. */
const block = async (blocked: ServerProcess) => {
  const client = new pg.Client({ connectionString: blocked.ready.database_url });
  client.on("error", () => undefined);
  await client.connect();
  client.query("do $$ begin loop end loop; end $$").catch(() => undefined);
  await waitUntil(async () => !(await isAnswering(blocked)), "the server is blocked");
};

// Regression: the server went on, and the next start said that the port was taken, and not by whom.
test("a server whose launcher is killed stops, and the next one starts", async () => {
  const { end } = await start();
  const pid = await processOf();
  await end("SIGKILL");
  await waitUntil(async () => !isRunning(pid), "the server has stopped");
  expect((await list(await start())).status).toBe(200);
});

test("a start that finds its port or its folder taken says by which process", async () => {
  await start();
  const pid = await processOf();
  const samePort = run({ DATA_DIR: data, PORT: String(port) }, launcher);
  expect(await samePort.exit).toBe(1);
  expect(samePort.output.stderr).toContain(
    `Port ${port} is taken by the server that runs on ${data} (process ${pid}): stop what uses it`,
  );
  const sameFolder = run({ DATA_DIR: data, PORT: String(await freePort()) }, launcher);
  expect(await sameFolder.exit).toBe(1);
  expect(sameFolder.output.stderr).toContain(`in use by the server at http://127.0.0.1:${port}/ (process ${pid})`);
});

test("a server whose thread is blocked for good is ended with a status, and the launcher says why", async () => {
  const blocked = await start({ WATCHDOG_SECONDS: "3" });
  const ended = new Promise((resolve) => blocked.process.once("close", resolve));
  await block(blocked);
  expect(await ended).toBe(70);
  expect(blocked.output.stderr).toMatch(/thread is blocked: it has used \d+ s of processor time, .* start again/);
  expect((await list(await start())).status).toBe(200);
});

test("a server that is blocked and told to stop is ended", async () => {
  const blocked = await start({ WATCHDOG_SECONDS: "5" });
  await block(blocked);
  expect(await blocked.end("SIGTERM")).toBe(70);
  expect(blocked.output.stderr).toContain("blocked");
});

test("a server that is stopped like a laptop's in its sleep is not ended, however long", async () => {
  const asleep = await start({ WATCHDOG_SECONDS: "2" });
  const pid = await processOf();
  process.kill(pid, "SIGSTOP");
  const since = performance.now();
  await waitUntil(async () => performance.now() - since > 6_000, "three times the limit have passed");
  process.kill(pid, "SIGCONT");
  expect((await list(asleep)).status).toBe(200);
  expect(asleep.output.stderr).not.toContain("blocked");
});
