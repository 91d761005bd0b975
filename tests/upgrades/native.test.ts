import { execFile } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { readSchemaFaults } from "../../database/schema-faults.ts";
import { hasOutdatedDocuments } from "../../lexicon/seal.ts";
import { type FunctionProcess, kill, spawnDeno, startFunctions } from "../faults/functions.ts";
import { freePort } from "../server/server-process.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openReceiver } from "../webhooks/receiver.ts";
import { expectDeliveries, expectKeysToWork } from "./checks.ts";
import { fixturePath, readSecrets } from "./fixture.ts";
import { type Facts, type KeptRows, keptRows, makeOldDatabase, readFacts } from "./old-database.ts";

const databaseUrl = process.env.DATABASE_URL ?? "";
const secrets = readSecrets();
const environment = { WEBHOOK_SECRETS_KEY: secrets.webhook_secrets_key, DISPATCH_SECRET: "of-the-upgrade-tests" };

const addresses = [
  "/grants-api?limit=5",
  "/grants-api?limit=5&search=rural+health&search_mode=hybrid",
  "/contracts-api?limit=5&search=repair&search_mode=keyword",
  "/funders-api?limit=5&sort_by=name&order=asc",
  "/grants-api?limit=2&status=open&sort_by=deadline_date&order=asc",
  "/health/ready",
];

let connection: Connection;
let old: FunctionProcess;
let before: Facts;
let rows: KeptRows[];

beforeAll(async () => {
  connection = await connectPostgres(databaseUrl);
  await makeOldDatabase(connection);
  await connection.execute("notify pgrst, 'reload schema'");
  rows = await keptRows(connection);
  before = await readFacts(connection, rows);
  old = await startFunctions(environment, fixturePath("functions.js"));
  await waitUntil(async () => (await statusOf(old, "/grants-api?limit=1")) === 200, "the old functions answer");
});
afterAll(async () => {
  await old?.kill();
  await connection?.close();
});

async function statusOf(functions: FunctionProcess, address: string, key = secrets.keys.api_key): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${functions.baseUrl}${address}`, { headers });
  await response.arrayBuffer();
  return response.status;
}

interface Asking {
  answers(): number;
  stop(): Promise<string[]>;
}

/** Asks functions one thing after the other until `stop`, which gives the answers that were not 200. */
function keepAsking(functions: FunctionProcess): Asking {
  let isOver = false;
  let answers = 0;
  const failures: string[] = [];
  const asking = (async () => {
    while (!isOver) {
      const address = addresses[answers % addresses.length] ?? "";
      // Readiness says of itself when a version does not match the database.
      const status = address === "/health/ready" ? 200 : await statusOf(functions, address).catch(String);
      if (status !== 200) failures.push(`${address}: ${status}`);
      answers += 1;
    }
  })();
  return {
    answers: () => answers,
    async stop() {
      isOver = true;
      await asking;
      return failures;
    },
  };
}

/** Requests that counted against the limited key's quota while the database was upgraded. */
let counted = 0;

/** Asks with the limited key, far less often than its quota of 100 a day allows, until `stop`, which gives what was not 200. */
function keepCounting(): { stop(): Promise<string[]> } {
  const isOver = new AbortController();
  const failures: string[] = [];
  const asking = (async () => {
    while (!isOver.signal.aborted && counted < 60) {
      const status = await statusOf(old, "/grants-api?limit=1", secrets.keys.limited_api_key).catch(String);
      counted += 1;
      if (status !== 200) failures.push(`counted request ${counted}: ${status}`);
      await setTimeout(250, undefined, { signal: isOver.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      isOver.abort();
      await asking;
      return failures;
    },
  };
}

/**
 * Runs an upgrade while somebody's transaction holds a table that requests read, as a backup does, until ten requests were answered after the
 * upgrade came to wait for it. Of requests that queue behind an upgrade's lock, none is answered while it waits.
 */
async function besideAnOpenTransaction<Result>(asking: Asking, upgrade: () => Promise<Result>): Promise<Result> {
  const holder = await connectPostgres(databaseUrl);
  try {
    const { done } = await holder.transaction(async (transaction) => {
      await transaction.query("select from funding.tiers limit 1");
      const done = upgrade();
      done.catch(() => undefined);
      const waits = async () => {
        const rows = await connection.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%From here on requests wait%'",
        );
        return rows.length > 0;
      };
      await waitUntil(waits, "the upgrade waits for the open transaction");
      const answersThen = asking.answers();
      await waitUntil(() => asking.answers() > answersThen + 10, "requests are answered");
      return { done };
    });
    return await done;
  } finally {
    await holder.close();
  }
}

test("old functions answer on the old schema, during the upgrade and after it, and then new ones", async () => {
  const asking = keepAsking(old);
  const counting = keepCounting();
  const upgrade = () =>
    promisify(execFile)("npm", ["run", "--silent", "migrate"], { env: { ...process.env, DATABASE_URL: databaseUrl } });
  const upgrades = await besideAnOpenTransaction(asking, () => Promise.all([upgrade(), upgrade()]));
  const [one, other] = upgrades.map(({ stdout }) => stdout).sort();
  expect(one).toMatch(/^applied \d+ migrations\nthe schema is what its migrations made/);
  expect(other).toMatch(/^no migration is missing\nthe schema is what its migrations made/);
  const current = await startFunctions(environment);
  try {
    const both = keepAsking(current);
    const answersAfter = asking.answers() + 10;
    const haveAnswered = () => both.answers() > 10 && asking.answers() > answersAfter && counted > 5;
    await waitUntil(haveAnswered, "both answer after the upgrade");
    expect([...(await asking.stop()), ...(await both.stop()), ...(await counting.stop())]).toEqual([]);
    expect(counted).toBeGreaterThan(5);
    await waitUntil(async () => (await statusOf(current, "/health/ready")) === 200, "the new functions are ready");
    await expectKeysToWork(current.baseUrl);
  } finally {
    await current.kill();
  }
});

test("the database is whole, and has what it had", async () => {
  expect(await readSchemaFaults(connection)).toEqual([]);
  await waitUntil(async () => !(await hasOutdatedDocuments(connection)), "the records are indexed anew");
  // The requests that were counted meanwhile, and one by expectKeysToWork, whose process may have ended before it recorded that.
  const { quota, usage, ...kept } = await readFacts(connection, rows);
  expect({ ...kept, quota: Number(quota) - counted - 1 }).toEqual({ ...before, usage: undefined });
  expect([counted, counted + 1]).toContain((usage as number) - (before.usage as number));
});

test("deliveries that the old version left, one of them under way, arrive signed with both secrets", async () => {
  const receiver = await openReceiver();
  await connection.query("update funding.webhook_endpoints set url = $1, failures_in_a_row = 0", [receiver.url]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/functions/v1/dispatch`;
  const server = spawnDeno(["tests/native/schedule/dispatch-server.ts", String(port)], environment);
  const headers = { authorization: `Bearer ${environment.DISPATCH_SECRET}` };
  try {
    await expect
      .poll(async () => (await fetch(url, { method: "POST", headers }).catch(() => undefined))?.status, {
        timeout: 180_000,
      })
      .toBe(200);
    // As its scheduler does: the attempt that was under way comes again after a wait.
    const schedule = setInterval(() => void fetch(url, { method: "POST", headers }).catch(() => undefined), 2_000);
    try {
      await expectDeliveries(receiver.received);
    } finally {
      clearInterval(schedule);
    }
  } finally {
    await kill(server);
    await receiver.close();
  }
});
