import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import {
  describeSchemaFaults,
  mendFunctions,
  readSchemaFaults,
  restoreFunctions,
} from "../../../database/schema-faults.ts";
import { openEmptyDatabase } from "../../support/service.ts";

let connection: Connection;
beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});
afterAll(() => connection.close());
// Each test's changes are undone.
beforeEach(() => connection.execute("begin"));
afterEach(() => connection.execute("rollback"));

test("a migrated database has no fault, and none comes from data, vector indexes or what an operator adds", async () => {
  await connection.execute(`
    create table funding.notes (id integer primary key);
    create index notes_of_ours on funding.grants (title);
    create function public.of_ours() returns integer language sql as 'select 1';
    create index grants_embedding on funding.grants_vectors_0 using ivfflat (embedding extensions.halfvec_cosine_ops) with (lists = 1)`);
  expect(await readSchemaFaults(connection)).toEqual([]);
});

test.each([
  [
    "drop function public.get_grant(text, uuid, jsonb)",
    "the function public.get_grant(text, uuid, jsonb) is missing (supabase/schemas/rpcs/list_api.sql)",
  ],
  [
    "create or replace function funding.quota_day() returns date language sql stable as 'select current_date'",
    "the function funding.quota_day() was changed (supabase/schemas/accounts/admission.sql)",
  ],
  [
    "alter function funding.quota_day() volatile",
    "the function funding.quota_day() was changed (supabase/schemas/accounts/admission.sql)",
  ],
  ["alter table funding.tiers add note text", "the table funding.tiers was changed"],
  ["alter table funding.tiers disable row level security", "the table funding.tiers was changed"],
  ["alter table funding.tiers alter api_access set default true", "the table funding.tiers was changed"],
  ["drop index funding.grants_listed", "the index funding.grants_listed is missing"],
  ["drop table funding.tier_prices", "the table funding.tier_prices is missing"],
  ["truncate funding.schema_objects", "the table funding.schema_objects was changed"],
  ["alter table funding.grants disable trigger user", "the trigger funding.grants.%s was changed"],
])("%s is told", async (statement, said) => {
  await connection.execute(statement);
  const lines = await describeSchemaFaults(await readSchemaFaults(connection));
  const expected = new RegExp(`^${said.replaceAll(/[().]/g, "\\$&").replace("%s", "\\w+")}$`);
  expect(lines.filter((line) => expected.test(line)).length, lines.join("\n")).toBeGreaterThan(0);
});

test("functions are made anew, whatever became of them, and nothing else is", async () => {
  await connection.execute(`
    insert into funding.tiers (name, api_access, daily_quota) values ('kept', true, 7);
    drop index funding.grants_listed;
    create or replace function funding.quota_day() returns date language sql stable as 'select current_date';
    drop function public.list_grants(text, jsonb, jsonb, text, text);
    drop function funding.schema_faults()`);
  expect(await describeSchemaFaults(await readSchemaFaults(connection))).toEqual([
    "the function funding.schema_faults() is missing (supabase/schemas/operations/fingerprint.sql)",
  ]);
  await restoreFunctions(connection);
  expect(await describeSchemaFaults(await readSchemaFaults(connection))).toEqual([
    "the index funding.grants_listed is missing",
  ]);
  expect(await queryOne(connection, "select daily_quota from funding.tiers where name = 'kept'")).toEqual({
    daily_quota: 7,
  });
});

test("a start mends functions, tells every fault, and leaves the others", async () => {
  expect(await mendFunctions(connection)).toEqual([]);
  await connection.execute("drop function public.get_grant(text, uuid, jsonb); drop index funding.grants_listed");
  const heading = "The schema is not what its migrations made:";
  const index = "the index funding.grants_listed is missing";
  expect(await mendFunctions(connection)).toEqual([
    heading,
    "the function public.get_grant(text, uuid, jsonb) is missing (supabase/schemas/rpcs/list_api.sql)",
    index,
    "Every function was made anew.",
  ]);
  expect(await mendFunctions(connection)).toEqual([heading, index]);
});
