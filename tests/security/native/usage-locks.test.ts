import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../../../database/accounts/accounts.ts";
import { createKey } from "../../../database/accounts/keys.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { databaseUrl, newSession } from "./sessions.ts";

let sessions: [pg.Client, pg.Client];
beforeAll(async () => {
  sessions = [await newSession(), await newSession()];
});
afterAll(() => Promise.all(sessions.map((session) => session.end())));

async function newKeyId(): Promise<string> {
  const connection = await connectPostgres(databaseUrl());
  const email = `${crypto.randomUUID()}@usage-locks.example`;
  await createAccount(connection, email, "developer");
  const { id } = await createKey(connection, email, "test");
  await connection.close();
  return id;
}

/** Each endpoint is counted in a row of its own, so batches of different ones have only the key in common. */
const record = (session: pg.Client, keyId: string, endpoint: string) =>
  session.query("select public.record_usage($1)", [
    JSON.stringify([
      { api_key_id: keyId, at: new Date(), endpoint, status: 200, latency_bucket_ms: 5, requests: 1, duration_ms: 1 },
    ]),
  ]);

test("the first uses of a key are counted beside each other: neither batch waits for what the other does to the key", async () => {
  const keyId = await newKeyId();
  const [one, other] = sessions;
  // As far as a batch is before it says when the key was used: its count refers to the key.
  await one.query("begin");
  await one.query("insert into funding.usage values ($1, current_date, 'grants-api', 200, 5, 1)", [keyId]);
  await other.query("set lock_timeout = '2s'");
  await record(other, keyId, "contracts-api");
  await one.query("commit");
  await record(one, keyId, "grants-api");
  const { rows } = await one.query<{ endpoint: string; requests: number; was_used: boolean }>(
    `select endpoint, sum(requests)::integer as requests, bool_and(last_used_at is not null) as was_used
     from funding.usage join funding.api_keys on api_keys.id = api_key_id where api_key_id = $1 group by 1 order by 1`,
    [keyId],
  );
  expect(rows).toEqual([
    { endpoint: "contracts-api", requests: 1, was_used: true },
    { endpoint: "grants-api", requests: 2, was_used: true },
  ]);
});
