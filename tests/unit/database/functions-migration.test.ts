import { afterEach, beforeEach, expect, test } from "vitest";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { readDatabaseFunctions } from "../../../database/functions.ts";
import { isStub, renamingOf, renderFunctions, renderStub, renderWhole } from "../../../database/functions-migration.ts";
import { migrate, readReference } from "../../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../../database/pglite.ts";
import { readSchemaFaults } from "../../../database/schema-faults.ts";
import { openEmptyDatabase } from "../../support/service.ts";
import { restoreOldDatabase } from "../../upgrades/old-database.ts";

let connection: Connection;

beforeEach(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});
afterEach(() => connection.close());

const stub = renderStub(["funding.of_a_release(text)"]);

test("what applies the stub of an unreleased version as it is fails, and is told the command that comes first", async () => {
  expect(isStub(stub)).toBe(true);
  await expect(connection.execute(stub)).rejects.toThrow("npm run schema -- --whole");
  const whole = await renderWhole(stub, []);
  expect([isStub(await renderFunctions(stub)), isStub(whole)]).toEqual([false, false]);
});

test("the whole migration makes the functions, grants and hashes that a new database has from the folder", async () => {
  await connection.execute("create function funding.of_a_release(text) returns text language sql return $1");
  const made = await readDatabaseFunctions(connection);
  await connection.execute("grant execute on function public.admit_request to anon; drop function public.get_grant");
  await connection.execute(await renderWhole(stub, await readReference()));
  expect(await readSchemaFaults(connection)).toEqual([]);
  expect(await readDatabaseFunctions(connection)).toEqual(made.filter(({ name }) => name !== "funding.of_a_release"));
});

test("a renaming stays in the migration, stub or whole, behind the lock that lets requests under way end", async () => {
  const renaming =
    "-- Renames what the functions of the release before name otherwise.\ndo $$\nbegin\n  null;\nend\n$$;\n";
  const renames = renderStub(["funding.of_a_release(text)"], renaming);
  const whole = await renderWhole(renames, [{ kind: "table", name: "funding.accounts", digest: "0" }]);
  expect([renamingOf(renames), renamingOf(whole), renamingOf(stub)]).toEqual([renaming, renaming, ""]);
  expect(whole.indexOf(renaming)).toBeGreaterThan(whole.indexOf("select funding.lock_tables(array["));
});

test("an upgraded database is compared with a new one, and so tells what was changed before the upgrade", async () => {
  const old = pgliteConnection(await openPGlite());
  await restoreOldDatabase(old);
  await old.execute(
    "drop index funding.subscriptions_tier; create function public.of_ours() returns int language sql return 1",
  );
  await migrate(old);
  expect(await readSchemaFaults(old)).toEqual([
    { kind: "index", name: "funding.subscriptions_tier", is_missing: true },
  ]);
  await old.close();
});

test("what an operator had in a database before its migrations is no part of the schema", async () => {
  const ours = pgliteConnection(await openPGlite());
  await ours.execute("create function public.of_ours() returns int language sql return 1");
  await migrate(ours);
  await ours.execute("drop function public.of_ours()");
  expect(await readSchemaFaults(ours)).toEqual([]);
  expect(
    await queryOne(ours, "select count(*)::int as count from funding.schema_objects where name = 'funding.settings'"),
  ).toEqual({ count: 1 });
  await ours.close();
});
