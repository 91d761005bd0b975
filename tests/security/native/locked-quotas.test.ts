import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount, defineTier } from "../../../accounts/accounts.ts";
import { createKey } from "../../../accounts/keys.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { hashKey } from "../../../shared/auth/key.ts";
import type { ListConfirmation } from "../../../shared/database/rpc.ts";
import { databaseUrl, newSession } from "./sessions.ts";

/** A call is much quicker than this, and the limit of a statement much longer. */
const soonMs = 500;

let sessions: [pg.Client, pg.Client];
/** The keys' hashes, each of an account with a quota of its own. */
let hashes: string[];
let tag: string;

beforeAll(async () => {
  sessions = [await newSession(), await newSession()];
  const connection = await connectPostgres(databaseUrl());
  await defineTier(connection, "locked-quotas", 1_000_000);
  const newHash = async () => {
    const email = `${crypto.randomUUID()}@locked-quotas.example`;
    await createAccount(connection, email, "locked-quotas");
    return hashKey((await createKey(connection, email, "test")).key);
  };
  hashes = [];
  for (let account = 0; account < 5; account++) hashes.push(await newHash());
  const [current] = await connection.query<{ tag: string }>(
    "select funding.list_tag(null, funding.page_version('grants')) as tag",
  );
  tag = current?.tag ?? "";
  await connection.close();
  await confirm(sessions[0], hashes);
});
afterAll(() => Promise.all(sessions.map((session) => session.end())));

async function confirm(session: pg.Client, keys: readonly string[]): Promise<ListConfirmation[]> {
  const parameters = { limit: 20, offset: 0 };
  const requests = keys.map((key_hash) => ({ dataset: "grants", key_hash, parameters, known_tag: tag }));
  const { rows } = await session.query<{ answers: ListConfirmation[] }>("select public.confirm_lists($1) as answers", [
    JSON.stringify(requests),
  ]);
  return rows[0]?.answers ?? [];
}

const outcomes = (answers: readonly ListConfirmation[]) =>
  answers.map((answer) => (answer === null ? "ask" : "failure" in answer ? answer.failure.code : "confirmed"));

test("an account whose quota another request holds delays nobody else, and is left for the list's own RPC", async () => {
  const [holder, session] = sessions;
  await holder.query("begin");
  await holder.query("select funding.admit($1)", [hashes[1]]);
  const started = performance.now();
  const answers = await confirm(session, [...hashes, ...Array<string>(20).fill(hashes[1] ?? "")]);
  const ms = performance.now() - started;
  await holder.query("rollback");
  expect(outcomes(answers)).toEqual([
    ...["confirmed", "ask", "confirmed", "confirmed", "confirmed"],
    ...Array<string>(20).fill("ask"),
  ]);
  expect(ms).toBeLessThan(soonMs);
  expect(outcomes(await confirm(session, hashes)), "once it is free").toEqual(Array(5).fill("confirmed"));
});

test("calls with the same accounts in other orders neither stop each other nor lose a count", async () => {
  const used = async () => {
    const { rows } = await sessions[0].query<{ used: number }>(
      "select sum(used)::integer as used from funding.daily_quota join funding.api_keys using (account_id) where key_hash = any($1)",
      [hashes],
    );
    return rows[0]?.used ?? 0;
  };
  const before = await used();
  let counted = 0;
  const codes = new Set<string>();
  await Promise.all(
    sessions.map(async (session, place) => {
      for (let call = 0; call < 200; call++) {
        const turned = [...hashes.slice(call % 5), ...hashes.slice(0, call % 5)];
        const found = outcomes(await confirm(session, place === 0 ? turned : turned.toReversed()));
        for (const outcome of found) codes.add(outcome);
        counted += found.filter((outcome) => outcome === "confirmed").length;
      }
    }),
  );
  expect([...codes].filter((code) => code !== "confirmed" && code !== "ask")).toEqual([]);
  expect((await used()) - before).toBe(counted);
  expect(counted, "to give up waiting is the exception").toBeGreaterThan(1_000);
});
