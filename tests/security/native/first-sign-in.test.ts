import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../../database/connection.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { databaseUrl, newSession } from "./sessions.ts";

let connection: Connection;
let first: pg.Client;
let second: pg.Client;
beforeAll(async () => {
  connection = await connectPostgres(databaseUrl());
  [first, second] = [await newSession(), await newSession()];
});
afterAll(async () => {
  await Promise.all([connection.close(), first.end(), second.end()]);
});

// With requests by the thousand, one in two hundred met the user's constraint first, and failed with 23505: only the address's settled a conflict.
test.each(["address", "user"])(
  "of a person's first two requests at once, both get one account, whichever meet at the %s",
  async (meeting) => {
    const [user, session] = [crypto.randomUUID(), crypto.randomUUID()];
    const email = `first-${user}@sign-in.example`;
    await connection.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
      user,
      email,
    ]);
    await connection.query("insert into auth.sessions (id, user_id) values ($1, $2)", [session, user]);
    await first.query("begin");
    const made = await first.query<{ id: string }>(
      "insert into funding.accounts (email, auth_user_id) values ($1, $2) returning id",
      [meeting === "address" ? email : `another-${email}`, user],
    );
    const waiting = second.query<{ id: string }>("select funding.account_of($1, $2) as id", [user, session]);
    await first.query("commit");
    expect((await waiting).rows).toEqual(made.rows);
  },
);
