import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeSubscription, createAccount, defineTier } from "../../database/accounts/accounts.ts";
import { createKey, revokeKey } from "../../database/accounts/keys.ts";
import { type NativeStack, openNativeStack } from "../faults/native-stack.ts";
import { type NetworkProxy, openNetworkProxy } from "../faults/network-proxy.ts";
import { type LoadedStack, loadStack, sleep } from "../faults/under-load.ts";
import { contract } from "../faults/writer.ts";
import { waitUntil } from "../support/wait-until.ts";

const run = promisify(execFile);

/** A replica of the stack, and what can happen to it. */
interface Replica {
  /** Between the functions and its PostgREST. */
  network: NetworkProxy;
  /** Between the primary and it. */
  replication: NetworkProxy;
  database: pg.Pool;
  control(...words: string[]): Promise<void>;
  /** Sends a signal to all processes of its Postgres. */
  signal(name: NodeJS.Signals): Promise<void>;
}

let stack: NativeStack;
let loaded: LoadedStack;
let replicas: [Replica, Replica, Replica];
/** Seconds after which a replica is behind, in these tests. */
const lagSeconds = 2;
/** Seconds by which replicas lag where they go on replaying. */
const longLagSeconds = Number(process.env.LONG_LAG_SECONDS ?? "30");

beforeAll(async () => {
  const { DATABASE_URL = "", REPLICA_DIRS = "" } = process.env;
  const port = Number(new URL(DATABASE_URL).port);
  replicas = (await Promise.all(REPLICA_DIRS.split(" ").map((folder) => openReplica(folder, port)))) as typeof replicas;
  stack = await openNativeStack({
    SUPABASE_READ_URL: replicas.map(({ network }) => `http://127.0.0.1:${network.port}`).join(","),
  });
  await stack.connection.query("update funding.settings set value = $1 where name = 'replica_lag_seconds'", [
    String(lagSeconds),
  ]);
  loaded = await loadStack(stack);
});
afterAll(async () => {
  await stack.stop();
  for (const { network, replication, database } of replicas) {
    await database.end();
    await Promise.all([network.close(), replication.close()]);
  }
});

async function openReplica(folder: string, primaryPort: number): Promise<Replica> {
  const env = await readFile(`${folder}/env`, "utf8");
  const variable = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(env)?.[1] ?? "";
  const database = new pg.Pool({ connectionString: variable("database_url"), max: 2 });
  database.on("error", () => undefined);
  const network = await openNetworkProxy(Number(new URL(variable("supabase_url")).port));
  const replication = await openNetworkProxy(primaryPort);
  const { rows } = await database.query<{ primary_conninfo: string }>("show primary_conninfo");
  const through = rows[0]?.primary_conninfo.replace(/port=\S+/, `port=${replication.port}`) ?? "";
  await database.query(`alter system set primary_conninfo = ${pg.escapeLiteral(through)}`);
  await database.query("alter system set wal_receiver_timeout = '3s'");
  await database.query("select pg_reload_conf()");
  return {
    network,
    replication,
    database,
    control: async (...words) => void (await run("tests/faults/process.sh", [folder, ...words])),
    async signal(name) {
      const pid = Number((await readFile(`${folder}/pids/postgres`, "utf8")).split(" ")[0]);
      const { stdout } = await run("ps", ["-o", "pid=", "--ppid", String(pid)]);
      for (const one of [pid, ...stdout.split("\n").filter(Boolean).map(Number)]) process.kill(one, name);
    },
  };
}

/** Waits until each replica has replayed what the primary has now. */
async function caughtUp(): Promise<void> {
  const [{ lsn } = { lsn: "" }] = await stack.connection.query<{ lsn: string }>("select pg_current_wal_lsn() as lsn");
  for (const { database } of replicas) {
    const sql = "select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there";
    const isThere = async () => (await database.query<{ is_there: boolean }>(sql, [lsn])).rows[0]?.is_there === true;
    await waitUntil(isThere, "the replica has what the primary has");
  }
}

/** A caller on a tier of its own: without a quota, or with one. */
async function newCaller(quota?: number) {
  const email = `${crypto.randomUUID()}@replicas.example`;
  const tier = quota === undefined ? "developer" : `tier-${crypto.randomUUID()}`;
  if (quota !== undefined) await defineTier(stack.connection, tier, quota);
  const accountId = await createAccount(stack.connection, email, tier);
  const { key, id } = await createKey(stack.connection, email, "replicas");
  const ask = (path = "/grants-api?limit=1", headers: Record<string, string> = {}) =>
    fetch(stack.baseUrl + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
  return { email, accountId, id, ask };
}

/** Lists that each server has answered, by its own statistics of functions. */
async function answered(): Promise<number[]> {
  const sql =
    "select coalesce(sum(calls), 0)::integer as calls from pg_stat_user_functions where funcname = 'list_grants'";
  const [primary] = await stack.connection.query<{ calls: number }>(sql);
  const others = await Promise.all(replicas.map(({ database }) => database.query<{ calls: number }>(sql)));
  return [primary?.calls ?? 0, ...others.map(({ rows }) => rows[0]?.calls ?? 0)];
}

describe("while all is well", () => {
  test("the replicas answer lists in turns, and the primary none", async () => {
    const { ask } = await newCaller();
    await (await ask()).text();
    await caughtUp();
    await sleep(1_000);
    const before = await answered();
    for (let count = 0; count < 20; count++)
      expect((await ask(`/grants-api?limit=1&offset=${count}`)).status).toBe(200);
    // Statistics are written within a second.
    await sleep(2_000);
    const calls = (await answered()).map((after, index) => after - (before[index] ?? 0));
    // A session writes what it has done with its next transaction: some of the last are missing.
    expect(calls).toEqual([0, ...replicas.map(() => expect.toSatisfy((one: number) => one > 0))]);
  });

  test.each([1, 2, 3])("of 50 requests at once with 10 left, exactly 10 are answered: %i", async () => {
    const { ask, accountId } = await newCaller(10);
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await ask()).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    const [{ used } = { used: 0 }] = await stack.connection.query<{ used: number }>(
      "select used::integer from funding.daily_quota where account_id = $1",
      [accountId],
    );
    expect(used).toBe(10);
  });

  test("what remains of a quota is the primary's count", async () => {
    const { ask } = await newCaller(5);
    const remaining: (string | null)[] = [];
    for (let count = 0; count < 6; count++) remaining.push((await ask()).headers.get("x-ratelimit-remaining"));
    expect(remaining).toEqual(["4", "3", "2", "1", "0", "0"]);
  });

  test("a new key is admitted at once, and a revoked one refused within the lag", async () => {
    const { ask, id } = await newCaller();
    expect((await ask()).status).toBe(200);
    await revokeKey(stack.connection, id);
    await waitUntil(async () => (await ask()).status === 401, "the revoked key is refused", lagSeconds);
  });

  test.each([
    ["an ended subscription", { periodEnd: new Date(Date.now() - 1_000) }, 403],
    ["a tier without API access", { tier: "free" }, 403],
  ])("%s takes effect within the lag", async (_what, change, status) => {
    const { ask, email } = await newCaller();
    expect((await ask()).status).toBe(200);
    await changeSubscription(stack.connection, email, change);
    await waitUntil(async () => (await ask()).status === status, "the account is refused", lagSeconds);
  });

  test("a tier that an account has changed to counts its requests within the lag, each of them", async () => {
    const { ask, email, accountId } = await newCaller();
    expect((await ask()).status).toBe(200);
    const tier = `tier-${crypto.randomUUID()}`;
    await defineTier(stack.connection, tier, 10);
    await changeSubscription(stack.connection, email, { tier });
    await sleep(lagSeconds * 1_000);
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await ask()).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    const [{ used } = { used: 0 }] = await stack.connection.query<{ used: number }>(
      "select used::integer from funding.daily_quota where account_id = $1",
      [accountId],
    );
    expect(used).toBe(10);
  });

  test("a page's tag and its cursor are the same on every replica", async () => {
    const { ask } = await newCaller();
    const { results } = (await (await ask("/grants-api?limit=1")).json()) as { results: [{ id: string }] };
    const path = `/grants-api/${results[0].id}`;
    const tags = new Set<string>();
    for (let count = 0; count < 4; count++) tags.add((await ask(path)).headers.get("etag") ?? "none");
    expect([...tags]).toEqual([expect.stringMatching(/^(W\/)?"/)]);
    for (let count = 0; count < 4; count++) {
      expect((await ask(path, { "if-none-match": [...tags][0] ?? "" })).status).toBe(304);
    }

    const seen: string[] = [];
    for (let next: string | null = "/grants-api?limit=20&search=water&search_mode=hybrid"; next !== null; ) {
      const body = (await (await ask(next)).json()) as {
        results: { id: string }[];
        pagination: { next: string | null };
      };
      seen.push(...body.results.map((one) => one.id));
      const cursor = body.pagination.next;
      next =
        cursor === null
          ? null
          : `/grants-api?limit=20&search=water&search_mode=hybrid&cursor=${encodeURIComponent(cursor)}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(60);
  });

  test("a search that is too long for an address is answered, too", async () => {
    const { ask } = await newCaller();
    const search = Array.from({ length: 300 }, (_, index) => `water${index}`)
      .join(" ")
      .slice(0, 1_500);
    for (const words of [search, "é".repeat(1_400)]) {
      expect((await ask(`/grants-api?search=${encodeURIComponent(words)}`)).status).toBe(200);
    }
  });
});

describe("with every answer right, or a 503 in time, and every request counted once:", () => {
  test("a replica is killed and started again", async () => {
    await loaded.during("a replica killed", async () => {
      await replicas[0].control("kill", "postgres");
      await sleep(2_000);
      await replicas[0].control("start", "postgres");
    });
  });

  test("a replica stands still", async () => {
    await loaded.during("a replica paused", async () => {
      await replicas[0].signal("SIGSTOP");
      await sleep(6_000);
      await replicas[0].signal("SIGCONT");
    });
  });

  test("a replica falls behind, and catches up", async () => {
    const { ask, id } = await newCaller();
    expect((await ask()).status).toBe(200);
    await caughtUp();
    await loaded.during("a replica behind", async () => {
      for (const { database } of replicas) await database.query("select pg_wal_replay_pause()");
      await revokeKey(stack.connection, id);
      await sleep(lagSeconds * 1_000 + 500);
      // All are behind by more than the setting: the primary answers.
      const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await ask()).status));
      for (const { database } of replicas) await database.query("select pg_wal_replay_resume()");
      expect(statuses).toEqual([401, 401, 401, 401, 401]);
    });
    await caughtUp();
  });

  test("the replicas go on, and are far behind", async () => {
    const { ask, id } = await newCaller();
    expect((await ask()).status).toBe(200);
    await caughtUp();
    const delay = async (value: string) => {
      for (const { database } of replicas) {
        await database.query(`alter system set recovery_min_apply_delay = '${value}'`);
        await database.query("select pg_reload_conf()");
      }
    };
    await loaded.during(`replicas ${longLagSeconds} s behind`, async () => {
      await delay(`${longLagSeconds}s`);
      await revokeKey(stack.connection, id);
      await sleep(lagSeconds * 1_000 + 500);
      const end = performance.now() + longLagSeconds * 1_000;
      const statuses = new Set<number>();
      while (performance.now() < end) {
        statuses.add((await ask()).status);
        await sleep(100);
      }
      await delay("0");
      expect([...statuses]).toEqual([401]);
    });
    await caughtUp();
  });

  test.each(["network", "replication"] as const)("the %s of one replica is silent", async (which) => {
    await loaded.during(`silent ${which}`, async () => {
      replicas[1][which].fault = { kind: "silence" };
      await sleep(7_000);
      replicas[1][which].heal();
    });
    await caughtUp();
  });

  test("the primary is gone for a while: accounts without a quota are answered", async () => {
    const { ask } = await newCaller();
    const limited = await newCaller(1_000);
    expect([(await ask()).status, (await limited.ask()).status]).toEqual([200, 200]);
    await caughtUp();
    const statuses: number[] = [];
    const limitedStatuses: number[] = [];
    await loaded.during("the primary gone", async () => {
      await stack.kill("postgres");
      const end = performance.now() + 8_000;
      while (performance.now() < end) {
        statuses.push((await ask()).status);
        limitedStatuses.push((await limited.ask()).status);
      }
      await stack.start("postgres");
    });
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(new Set(limitedStatuses)).toEqual(new Set([503]));
  });

  // The last, since it follows nobody from then on.
  test("a replica is promoted: it answers nothing that is old", async () => {
    await caughtUp();
    const { ask } = await newCaller();
    await loaded.during("a replica promoted", async () => {
      await replicas[1].database.query("select pg_promote()");
      await sleep(lagSeconds * 1_000 + 1_000);
      await stack.connection.query("select funding.upsert_records('contracts', $1::jsonb)", [
        JSON.stringify([{ ...contract("promoted"), title: "promotedreplica" }]),
      ]);
      await sleep(lagSeconds * 1_000 + 500);
      const totals = new Set<number>();
      for (let count = 0; count < 6; count++) {
        const { pagination } = (await (await ask("/contracts-api?search=promotedreplica")).json()) as {
          pagination: { total: number };
        };
        totals.add(pagination.total);
      }
      expect(totals).toEqual(new Set([1]));
    });
  });
});
