import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, defineTier } from "../../../database/accounts/accounts.ts";
import { createKey } from "../../../database/accounts/keys.ts";
import type { Connection } from "../../../database/connection.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { databaseUrl, newSession } from "./sessions.ts";

const { API_BASE_URL = "" } = process.env;

let session: pg.Client;
let connection: Connection;
beforeAll(async () => {
  session = await newSession();
  connection = await connectPostgres(databaseUrl());
});
afterAll(async () => {
  await session.end();
  await connection.close();
});

interface Caller {
  email: string;
  key: string;
}

/** An account with a quota of its own. */
async function newCaller(quota: number): Promise<Caller> {
  const name = `quota-lock-${crypto.randomUUID()}`;
  const email = `${name}@security.example`;
  await defineTier(connection, name, quota);
  await createAccount(connection, email, name);
  const { key } = await createKey(connection, email, "test");
  return { email, key };
}

async function list({ key }: Caller, query = "limit=1"): Promise<Response> {
  const response = await fetch(`${API_BASE_URL}/grants-api?${query}`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response;
}

const statusesOf = (answers: Response[]) => answers.map(({ status }) => status);

/** Counts so many requests of an account in the session's own transaction. */
const count = ({ email }: Caller, requests: number) =>
  session.query(
    `insert into funding.daily_quota as quota (account_id, day, used)
     select id, funding.quota_day(), $2 from funding.accounts where email = $1
     on conflict (account_id, day) do update set used = quota.used + excluded.used`,
    [email, requests],
  );

async function used({ email }: Caller): Promise<number | undefined> {
  const { rows } = await session.query<{ used: number }>(
    "select used::integer from funding.daily_quota join funding.accounts on accounts.id = account_id where email = $1",
    [email],
  );
  return rows[0]?.used;
}

/** Waits until a request waits for the lock that `session` holds. */
async function somebodyWaits(): Promise<void> {
  for (;;) {
    const [row] = await connection.query<{ waiting: boolean }>(
      `select exists (select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%list_grants%') as waiting`,
    );
    if (row?.waiting) return;
  }
}

describe("a session that holds an account's count", () => {
  test("keeps nobody waiting: its account's requests get 503 meanwhile, and another's are answered", async () => {
    const [held, other] = [await newCaller(1_000), await newCaller(1_000)];
    await list(other);
    await session.query("begin");
    await count(held, 5);
    // All ask for the same new page, so that one makes it and caches it while the others do.
    const refused = Promise.all(Array.from({ length: 40 }, () => list(held, "limit=1&posted_after=1997-01-01")));
    await somebodyWaits();
    const served: Response[] = [];
    for (let request = 0; request < 5; request++) served.push(await list(other, `limit=1&posted_after=1997-01-01`));
    expect(statusesOf(served)).toEqual([200, 200, 200, 200, 200]);

    const answers = await refused;
    expect(new Set(statusesOf(answers))).toEqual(new Set([503]));
    expect(answers.filter(({ headers }) => !/^[1-5]$/.test(headers.get("retry-after") ?? ""))).toEqual([]);

    await session.query("commit");
    expect([(await list(held)).status, await used(held)]).toEqual([200, 6]);
    expect(await used(other)).toBe(6);
  });
});

test("50 requests at once with 10 left are 10 answers and 40 refusals, and the count is the quota", async () => {
  const caller = await newCaller(15);
  await count(caller, 5);
  const answers = await Promise.all(Array.from({ length: 50 }, () => list(caller)));
  const served = answers.filter(({ status }) => status === 200);
  expect(served.map(({ headers }) => Number(headers.get("x-ratelimit-remaining"))).sort()).toEqual([
    ...Array(10).keys(),
  ]);
  expect(statusesOf(answers).filter((status) => status === 429)).toHaveLength(40);
  expect(await used(caller)).toBe(15);
});
