import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashKey } from "../../shared/auth/key.ts";
import { openReceiver, type Receiver } from "../webhooks/receiver.ts";
import { type EmbeddedServer, prepareFolder, startEmbedded } from "./embedded-server.ts";
import { type Acknowledged, contract, startWriter } from "./writer.ts";

const kills = Number(process.env.KILLS ?? 50);
/** With webhooks on, where what was under way at the end of each is waited for. */
const killsWhileSending = Math.ceil(kills / 10);
/** Servers that are killed at the same time, each on a folder of its own. */
const atATime = 2;

const folders: string[] = [];
beforeAll(async () => {
  for (let index = 0; index < atATime; index++) {
    folders.push(await mkdtemp(join(tmpdir(), "funding-kill-")));
    await prepareFolder(folders[index] ?? "", 100);
  }
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

test(`the embedded server is killed ${kills} times while it writes: it opens each time, with every acknowledged write`, async () => {
  const outcomes = await Promise.all(folders.map((folder) => killAgainAndAgain(folder, Math.ceil(kills / atATime))));
  const written = outcomes.reduce((sum, each) => sum + each.records.length + each.keys.length + each.revoked.length, 0);
  console.log(`${kills} kills, ${written} acknowledged writes: all are there`);
  expect(written).toBeGreaterThan(kills * 5);
});

test(`of ${killsWhileSending} more kills, every written record's event arrives at a webhook's receiver`, async () => {
  const receiver = await openReceiver();
  const written = await killAgainAndAgain(folders[0] ?? "", killsWhileSending, receiver);
  expect(written.records.length).toBeGreaterThan(killsWhileSending);
  await receiver.close();
});

/**
 * @param receiver is subscribed to new records, and waited for at the end.
 * @returns what was acknowledged in all.
 */
async function killAgainAndAgain(folder: string, times: number, receiver?: Receiver): Promise<Acknowledged> {
  const all: Acknowledged = { records: [], keys: [], revoked: [] };
  let token = "";
  for (let kill = 0; kill <= times; kill++) {
    const server = await startEmbedded(folder);
    try {
      if (token === "") {
        token = await signIn(server);
        // Once outside the loop, which takes every failure for the kill's.
        const first = await post(server, "/account-api/keys", token, { name: "first" });
        all.keys.push((first as { key: string }).key);
        const webhook = { url: receiver?.url, events: ["contract.created"] };
        if (receiver !== undefined) await post(server, "/account-api/webhooks", token, webhook);
      }
      await expectThere(server, all);
      if (kill < times) await writeAndKill(server, token, all);
      else if (receiver !== undefined) await untilDelivered(server, all.records, receiver);
    } finally {
      await server.kill();
    }
  }
  return all;
}

/** Waits until each record's event has arrived, at least once. */
async function untilDelivered(server: EmbeddedServer, sourceIds: string[], { received }: Receiver): Promise<void> {
  const session = await server.session();
  const { rows } = await session.query<{ id: string }>(
    "select id from funding.contracts where source = 'faults' and source_id = any($1)",
    [sourceIds],
  );
  await session.end();
  const deadline = performance.now() + 45_000;
  const missing = () => {
    const arrived = new Set(received.map(({ payload }) => payload.data.id));
    return rows.filter(({ id }) => !arrived.has(id));
  };
  while (missing().length > 0 && performance.now() < deadline) await sleep(200);
  expect(missing()).toEqual([]);
}

/** Asks, imports, creates and revokes, over HTTP and over the socket, until the server is killed at any moment of it. */
async function writeAndKill(server: EmbeddedServer, token: string, all: Acknowledged): Promise<void> {
  const writer = startWriter(server.session, "developer@demo.example");
  let isDead = false;
  const until = (work: () => Promise<void>) =>
    (async () => {
      while (!isDead) {
        await work().catch(() => sleep(5));
      }
    })();
  const importer = await server.session();
  const run = crypto.randomUUID().slice(0, 8);
  let batches = 0;
  const work = [
    until(async () => {
      await ask(server, "/contracts-api?limit=5", server.apiKey);
    }),
    until(async () => {
      const ids = Array.from({ length: 10 }, (_, index) => `${run}-batch-${batches}-${index}`);
      batches += 1;
      await importer.query("select funding.upsert_records('contracts', $1::jsonb)", [
        JSON.stringify(ids.map(contract)),
      ]);
      all.records.push(...ids);
    }),
    until(async () => {
      const created = await post(server, "/account-api/keys", token, { name: "fault" });
      const { id, key } = created as { id: string; key: string };
      if (batches % 2 === 0) {
        all.keys.push(key);
        return;
      }
      await post(server, `/account-api/keys/${id}/revoke`, token);
      all.revoked.push(key);
    }),
  ];
  const before = all.records.length;
  const least = Math.random() * 60;
  const deadline = performance.now() + 3_000;
  while (all.records.length - before < least && performance.now() < deadline) await sleep(5);
  await sleep(Math.random() * 100);
  await server.kill();
  isDead = true;
  await writer.stop();
  await importer.end().catch(() => undefined);
  await Promise.all(work);
  all.records.push(...writer.acknowledged.records);
  all.keys.push(...writer.acknowledged.keys);
  all.revoked.push(...writer.acknowledged.revoked);
}

async function expectThere(server: EmbeddedServer, { records, keys, revoked }: Acknowledged): Promise<void> {
  const session = await server.session();
  const missing = async (text: string, wanted: string[]) => {
    const { rows } = await session.query<{ found: string }>(text, [wanted]);
    const found = new Set(rows.map((row) => row.found));
    return wanted.filter((each) => !found.has(each));
  };
  const keysWhere = (condition: string) =>
    `select key_hash as found from funding.api_keys where key_hash = any($1) and ${condition}`;
  expect(
    await missing(
      "select source_id as found from funding.contracts where source = 'faults' and source_id = any($1)",
      records,
    ),
  ).toEqual([]);
  expect(await missing(keysWhere("revoked_at is null"), await Promise.all(keys.map(hashKey)))).toEqual([]);
  expect(await missing(keysWhere("revoked_at is not null"), await Promise.all(revoked.map(hashKey)))).toEqual([]);
  await session.end();
  const [key, shutOut] = [keys.at(-1), revoked.at(-1)];
  expect(await ask(server, "/contracts-api?limit=1", server.apiKey)).toBe(200);
  if (key !== undefined) expect(await ask(server, "/contracts-api?limit=1", key)).toBe(200);
  if (shutOut !== undefined) expect(await ask(server, "/contracts-api?limit=1", shutOut)).toBe(401);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function ask({ baseUrl }: EmbeddedServer, path: string, key: string): Promise<number> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
  await response.text();
  return response.status;
}

/** @throws unless it was done. */
async function post({ baseUrl }: EmbeddedServer, path: string, token: string, body?: object): Promise<unknown> {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function signIn({ baseUrl, signInLink }: EmbeddedServer): Promise<string> {
  const response = await fetch(`${new URL(baseUrl).origin}/auth/v1/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      token_hash: new URLSearchParams(new URL(signInLink).hash.slice(1)).get("token_hash"),
      type: "email",
    }),
  });
  if (!response.ok) throw new Error(`${signInLink}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
