import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-fairness-"));
  server = await startServer({ DATA_DIR: await copyDemoFolder(join(folder, "data")), PORT: String(await freePort()) });
});
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

let searches = 0;

/** Sends a search that nobody sent before. @returns the status. */
function search(agent: Agent, key: string): Promise<number | undefined> {
  const url = `${server.ready.base_url}/grants-api?search=water+${searches++}&search_mode=hybrid`;
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
      response.on("error", reject);
    }).on("error", reject);
  });
}

test("beside 32 connections of one key, another key's requests have their turn", async () => {
  const { api_key: busy, limited_api_key: single } = server.ready;
  const connections = new Agent({ keepAlive: true, maxSockets: 32 });
  let isOver = false;
  let served = 0;
  const flood = Array.from({ length: 32 }, async () => {
    while (!isOver) {
      if ((await search(connections, busy)) === 200) served += 1;
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  await waitUntil(() => served > 32, "an answer for each connection");

  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = served;
  const statuses: (number | undefined)[] = [];
  for (let request = 0; request < 10; request++) statuses.push(await search(connection, single));
  const meanwhile = served - before;
  isOver = true;
  await Promise.all(flood);
  for (const agent of [connections, connection]) agent.destroy();

  expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
  // A turn each would be 10. In the order of arrival it is 32 for each one.
  expect(meanwhile).toBeLessThan(10 * 8);
});
