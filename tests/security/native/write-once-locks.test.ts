import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson, newSession, type SignedIn } from "./sessions.ts";

let sessions: [pg.Client, pg.Client];
beforeAll(async () => {
  sessions = [await newSession(), await newSession()];
});
afterAll(() => Promise.all(sessions.map((session) => session.end())));

/** Makes a key of the dashboard's explorer, and returns the hash under which the request is remembered. */
async function makeExplorerKey(session: pg.Client, { user_id, session_id }: SignedIn): Promise<string> {
  const hash = crypto.randomUUID().replaceAll("-", "").repeat(2);
  const key = { key_hash: hash, display: "fo_live_test…test" };
  await session.query("select public.write_once($1, $2, $3, $3, 'create_explorer_key', $4, 'sealed')", [
    user_id,
    session_id,
    hash,
    JSON.stringify(key),
  ]);
  return hash;
}

const secretsLeft = async (session: pg.Client, hashes: string[]) =>
  (
    await session.query<{ key_hash: string }>(
      "select key_hash from funding.idempotency_keys where key_hash = any ($1) and sealed_secret is not null",
      [hashes],
    )
  ).rows.map(({ key_hash }) => key_hash);

test("a write waits for no earlier request that another one clears of its secret, and clears the others", async () => {
  const [one, other] = sessions;
  const person = await newPerson(one);
  const earlier = [await makeExplorerKey(one, person), await makeExplorerKey(one, person)];
  await one.query(
    "update funding.idempotency_keys set created_at = created_at - interval '11 minutes' where key_hash = any ($1)",
    [earlier],
  );
  await one.query("begin");
  await one.query("update funding.idempotency_keys set sealed_secret = null where key_hash = $1", [earlier[0]]);
  await makeExplorerKey(other, person);
  await one.query("rollback");
  expect(await secretsLeft(other, earlier)).toEqual([earlier[0]]);
  await makeExplorerKey(other, person);
  expect(await secretsLeft(other, earlier)).toEqual([]);
});
