import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { definedFunctions, readDatabaseFunctions, readFunctionFiles } from "../../database/functions.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { accountBugs } from "../model/bugs.ts";
import { dispatcherBugs } from "../simulation/bugs.ts";
import { definitionsWith } from "../support/planted-bug.ts";
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

// Those suites run at night: a function that changed made their bugs impossible to plant, and nobody saw it.
test.each(Object.entries({ ...accountBugs, ...dispatcherBugs }))(
  "the bug that models have to find can be planted: %s",
  async (_, bug) => {
    expect(await definitionsWith(connection, bug)).toHaveLength(1);
  },
);
