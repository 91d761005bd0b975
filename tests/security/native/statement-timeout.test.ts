import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "./sessions.ts";

const { API_BASE_URL = "", API_KEY = "" } = process.env;

/** The RPCs' own limit. The role's, which holds where PostgREST does not apply theirs, is eight seconds. */
const limitMs = 5_000;
const roleLimitMs = 8_000;

let session: pg.Client;
beforeAll(async () => {
  session = await newSession();
});
afterAll(() => session.end());

// A function's own statement_timeout does not end the statement that calls it, which began before; PostgREST reads the
// setting off the catalogue and sets it for the transaction.
test.each([
  "/grants-api?limit=1&posted_after=1999-01-01",
  "/grants-api?search=water&search_mode=hybrid&posted_after=1998-01-01",
])("a list that the database cannot answer in five seconds is a 503 that says when to come back: %s", async (path) => {
  // Nobody can read the table meanwhile: a statement that does waits until its time is over.
  await session.query("begin; lock table funding.grants in access exclusive mode");
  const started = performance.now();
  const response = await fetch(`${API_BASE_URL}${path}`, { headers: { authorization: `Bearer ${API_KEY}` } });
  const ms = performance.now() - started;
  await session.query("rollback");
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { type: "urn:funding-opportunities:problem:unavailable" },
  ]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(ms).toBeGreaterThan(limitMs - 500);
  expect(ms).toBeLessThan(roleLimitMs - 500);
});
