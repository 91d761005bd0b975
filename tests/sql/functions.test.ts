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
