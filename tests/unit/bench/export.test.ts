import { afterAll, beforeAll, expect, test } from "vitest";
import { exportRecords } from "../../../bench/speed/libraries/export.ts";
import type { LibraryRecord } from "../../../bench/speed/libraries/library.ts";
import type { Connection } from "../../../database/connection.ts";
import { fitLexicon } from "../../../database/lexicon/fit.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { openTestDatabase } from "../../support/service.ts";
import { testSize } from "../../support/template.ts";

let connection: Connection;
beforeAll(async () => {
  connection = pgliteConnection(await openTestDatabase());
});
afterAll(() => connection.close());

// They were read from a column that is not filled any more, so that the comparison stopped at "LanceDB takes no table without records".
test("the libraries of the comparison get each grant with the vector that is searched, after each fit", async () => {
  for (const fit of ["first", "second"]) {
    if (fit === "second") await fitLexicon(connection, () => undefined, 64);
    const records: LibraryRecord[] = [];
    for await (const batch of exportRecords(connection)) records.push(...batch);
    expect(new Set(records.map(({ id }) => id)).size, fit).toBe(testSize.grants);
    expect(records.every(({ vector }) => vector.length === 384 && vector.some((number) => number !== 0))).toBe(true);
  }
});
