import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { definedFunctions, readDatabaseFunctions, readFunctionFiles } from "../../database/functions.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { openEmptyDatabase } from "../support/service.ts";

const files = await readFunctionFiles();

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

afterAll(() => connection.close());

test("every function of the database is defined in one file, once, and the files define no other", async () => {
  const inDatabase = (await readDatabaseFunctions(connection)).map(({ name }) => name);
  expect(inDatabase.length).toBeGreaterThan(200);
  expect(files.flatMap(definedFunctions).sort()).toEqual(inDatabase.sort());
});

test("the migrations leave the functions as the files define them", async () => {
  const migrated = await readDatabaseFunctions(connection);
  // Postgres checks the bodies, too: all functions are there.
  for (const { text } of files) await connection.execute(text);
  expect(await readDatabaseFunctions(connection)).toEqual(migrated);
});

test("a definition stands at the beginning of a line, with the name of its schema", () => {
  for (const file of files) {
    const begun = file.text.match(/\bcreate\s+(or\s+replace\s+)?(function|procedure)\b/gi) ?? [];
    expect(definedFunctions(file), file.name).toHaveLength(begun.length);
  }
});

test("addresses are folded by funding.folded_address alone: two rules could disagree about whose an address is", async () => {
  const others = await connection.query(
    `select proname from pg_proc where pronamespace in ('funding'::regnamespace, 'public'::regnamespace) and proname <> 'folded_address'
       and prosrc ~* '\\m(lower|upper|casefold)\\([^()]*(email|address)'`,
  );
  expect(others).toEqual([]);
  const constraints = await connection.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'c' and connamespace = 'funding'::regnamespace and pg_get_constraintdef(oid) ~ '\\mlower\\(\\(*email'`,
  );
  expect(constraints).toEqual([]);
});

/** SQL without what makes no difference in it. */
const withoutSpaces = (sql: string) => sql.replaceAll(/\s+/g, "");

test.each([
  ["listed", ""],
  ["scored", ", found.score as relevance_score"],
])("GRANTS_%s and so on show a record as funding.record_query does", async (suffix, further) => {
  const rows = await connection.query<{ dataset: string; source: string; record_query: string }>(
    `select dataset, prosrc as source, funding.record_query(dataset, $1) as record_query
     from unnest(array['grants', 'contracts', 'funders']) as dataset
     join pg_proc on pronamespace = 'funding'::regnamespace and proname = dataset || '_' || $2`,
    [further, suffix],
  );
  expect(rows).toHaveLength(3);
  for (const { source, record_query } of rows) expect(withoutSpaces(source)).toContain(withoutSpaces(record_query));
});
