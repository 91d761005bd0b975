import { describe, expect, test } from "vitest";
import { importText } from "./helpers.ts";

/** Values that were left out of records that are stored: each can be found in the file again. */

describe("a value that is left out of a record", () => {
  test("is noted with its line, field, value and reason", async () => {
    const { noteEntries, rejected } = await importText(
      undefined,
      "csv",
      'id,title,funder,amount_max,url\n1,A,F,"depends\non need",https://a.example.org\n2,B,F,5,see web\n',
    );
    expect(rejected).toBe(0);
    expect(noteEntries).toEqual([
      { line: 2, source_id: "1", field: "amount_max", value: "depends\non need", reason: "is not an amount; left out" },
      { line: 4, source_id: "2", field: "listing_url", value: "see web", reason: "is not a web address; left out" },
    ]);
  });

  test("is shortened where it is long, also within lists and objects", async () => {
    const row = { id: 1, title: "A", funder: "F", url: { text: "x".repeat(100_000) }, amount_max: "y".repeat(100_000) };
    const { noteEntries } = await importText(undefined, "ndjson", `${JSON.stringify(row)}\n`);
    expect(noteEntries.map(({ field }) => field).toSorted()).toEqual(["amount_max", "listing_url"]);
    for (const { value } of noteEntries) expect(String(value).length).toBeLessThan(1_010);
  });

  test("is not noted where its row is rejected", async () => {
    const { noteEntries, rejected } = await importText(undefined, "csv", "id,title,funder,url\n1,,F,see web\n");
    expect({ noteEntries, rejected }).toEqual({ noteEntries: [], rejected: 1 });
  });
});
