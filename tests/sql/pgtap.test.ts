import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPgtapDatabase, pgtapFiles, runPgtapFile } from "./pgtap-database.ts";

let database: PGlite;
beforeAll(async () => {
  database = await openPgtapDatabase();
});
afterAll(() => database.close());

describe("supabase/tests", () => {
  test.each(pgtapFiles)("%s", async (name) => {
    expect(await runPgtapFile(database, name)).toEqual([]);
  });
});
