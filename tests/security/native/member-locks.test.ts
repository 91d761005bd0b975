import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../../database/connection.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { everyRpc, type Rpc, rightArguments } from "../arguments.ts";
import { openRpcTarget, type RpcTarget } from "../target.ts";
import { databaseUrl, newSession } from "./sessions.ts";

let first: pg.Client;
let second: pg.Client;
let connection: Connection;
let target: RpcTarget;
beforeAll(async () => {
  [first, second] = [await newSession(), await newSession()];
  connection = await connectPostgres(databaseUrl());
  target = await openRpcTarget();
});
afterAll(async () => {
  await Promise.all([first.end(), second.end(), connection.close(), target.close()]);
});

interface Owner {
  user: string;
  session: string;
  member: string;
}

/** An account with two owners. */
async function newOwners(): Promise<{ account: string; ada: Owner; ben: Owner }> {
  const people = ["ada", "ben"].map((name) => ({
    email: `${name}-${crypto.randomUUID()}@locks.example`,
    user: crypto.randomUUID(),
    session: crypto.randomUUID(),
  }));
  for (const { email, user, session } of people) {
    await connection.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
      user,
      email,
    ]);
    await connection.query("insert into auth.sessions (id, user_id) values ($1, $2)", [session, user]);
  }
  const [ada, ben] = people as [Omit<Owner, "member"> & { email: string }, Omit<Owner, "member"> & { email: string }];
  const [opened] = await connection.query<{ id: string }>("select funding.account_of($1, $2) as id", [
    ada.user,
    ada.session,
  ]);
  const account = opened?.id ?? "";
  await connection.query(
    "insert into funding.members (account_id, user_id, email, role) values ($1, $2, $3, 'owner')",
    [account, ben.user, ben.email],
  );
  const members = await connection.query<{ id: string; user_id: string }>(
    "select id, user_id from funding.members where account_id = $1",
    [account],
  );
  const idOf = (user: string) => members.find(({ user_id }) => user_id === user)?.id ?? "";
  return { account, ada: { ...ada, member: idOf(ada.user) }, ben: { ...ben, member: idOf(ben.user) } };
}

/** Begins a transaction that calls an RPC as an owner, and returns its end: an SQLSTATE with its hint, or `done`. */
async function call(
  session: pg.Client,
  account: string,
  { user, session: id }: Owner,
  text: string,
  others: unknown[] = [],
): Promise<string> {
  await session.query("begin");
  await session.query("select set_config('request.headers', $1, true)", [JSON.stringify({ "x-account-id": account })]);
  try {
    await session.query(`select public.${text}`, [user, id, ...others]);
    return "done";
  } catch (error) {
    const { code, hint = "" } = error as { code: string; hint?: string };
    return `${code} ${hint}`.trim();
  }
}

/** Waits until a call waits for a lock, or has ended without that. */
async function waitsOrEnds(call: Promise<string>): Promise<void> {
  let hasEnded = false;
  void call.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    const [row] = await connection.query<{ waiting: boolean }>(
      `select exists (select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'select public.%') as waiting`,
    );
    if (row?.waiting) return;
  }
}

const demote = (of: Owner) => `update_member($1, $2, '${of.member}', '{"role": "member"}')`;
const remove = (of: Owner) => `remove_member($1, $2, '${of.member}')`;

test.each([
  ["demote each other", ({ ben }: Pair) => demote(ben), ({ ada }: Pair) => demote(ada), "PT403 role"],
  ["remove each other", ({ ben }: Pair) => remove(ben), ({ ada }: Pair) => remove(ada), "PT404 X-Account-Id"],
  ["leave", ({ ada }: Pair) => remove(ada), ({ ben }: Pair) => remove(ben), "PT409"],
] as const)(
  "two owners who %s at the same time leave one: the second waits for the first, and is refused",
  async (_, adas, bens, code) => {
    const { account, ada, ben } = await newOwners();
    expect(await call(first, account, ada, adas({ ada, ben }))).toBe("done");
    const waiting = call(second, account, ben, bens({ ada, ben }));
    await waitsOrEnds(waiting);
    await first.query("commit");
    expect(await waiting).toBe(code);
    await second.query("rollback");
    const owners = await connection.query("select 1 from funding.members where account_id = $1 and role = 'owner'", [
      account,
    ]);
    expect(owners).toHaveLength(1);
  },
);

/** RPCs that write for a signed-in user: all but those that are named for reading, and the one that calls the others. */
async function accountWrites(): Promise<Rpc[]> {
  const isWrite = ({ name, arguments: given }: Rpc) =>
    given.some((argument) => argument.name === "session_id") && !/^(get|list|preview)_|^write_once$/.test(name);
  return (await everyRpc(target)).filter(isWrite);
}

/**
 * Calls each of the RPCs as an owner whose `change` is under way, and is committed while the call waits; or is committed before. Returns the outcomes.
 */
async function outcomesDuring(
  change: (of: Owner) => string,
  rpcs: Rpc[],
  state: "under way" | "committed" = "under way",
): Promise<Record<string, string>> {
  const right = await rightArguments(target);
  const outcomes: Record<string, string> = {};
  for (const rpc of rpcs) {
    const { account, ada, ben } = await newOwners();
    const { user_id: _user, session_id: _session, ...others } = right(rpc);
    const places = Object.keys(others).map((name, index) => {
      const { type } = rpc.arguments.find((argument) => argument.name === name) as { type: string };
      return `, ${name} => $${index + 3}::${type}`;
    });
    const values = rpc.arguments
      .filter(({ name }) => name in others)
      .map(({ name, type }) => (/^jsonb?$/.test(type) ? JSON.stringify(others[name]) : others[name]));
    expect(await call(first, account, ada, change(ben)), rpc.name).toBe("done");
    if (state === "committed") await first.query("commit");
    const waiting = call(
      second,
      account,
      ben,
      `${rpc.name}(user_id => $1, session_id => $2${places.join("")})`,
      values,
    );
    await waitsOrEnds(waiting);
    await first.query("commit");
    outcomes[rpc.name] = await waiting;
    await second.query("rollback");
  }
  return outcomes;
}

const allOf = (rpcs: Rpc[], code: string) => Object.fromEntries(rpcs.map(({ name }) => [name, code]));

// A write waited for the removal, and was made after it.
test("whoever is being removed from an account writes nothing in it any more", async () => {
  const writes = await accountWrites();
  expect(writes.length).toBeGreaterThan(20);
  expect(await outcomesDuring(remove, writes)).toEqual(allOf(writes, "PT404 X-Account-Id"));
});

test("whoever is being made a member does nothing any more that only owners may do", async () => {
  const writes = await accountWrites();
  // A member is refused, and so shows which these are.
  const asMember = await outcomesDuring(demote, writes, "committed");
  const owners = writes.filter(({ name }) => asMember[name] === "PT403 role");
  expect(owners.length).toBeGreaterThan(5);
  expect(await outcomesDuring(demote, owners)).toEqual(allOf(owners, "PT403 role"));
});

type Pair = Pick<Awaited<ReturnType<typeof newOwners>>, "ada" | "ben">;
