import fc from "fast-check";
import { expect, test } from "vitest";
import { selectColumns } from "../../../database/backup/select-columns.ts";
import { runs } from "../../support/properties.ts";

/** Values as Postgres' text format has them. */
const value = fc.array(fc.constantFrom("a", "é🧪", "\\t", "\\n", "\\\\", "\\N", "\\.", ","), { maxLength: 3 });

const table = fc.integer({ min: 1, max: 5 }).chain((width) =>
  fc.record({
    rows: fc.array(fc.array(value, { minLength: width, maxLength: width }), { maxLength: 6 }),
    isKept: fc.array(fc.boolean(), { minLength: width, maxLength: width }).filter((kept) => kept.includes(true)),
    chunkLength: fc.integer({ min: 1, max: 20 }),
  }),
);

const text = (rows: readonly string[][][]) => rows.map((row) => `${row.map((cell) => cell.join("")).join("\t")}\n`);

test("rows keep the values of the selected columns, wherever their chunks end", async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ rows, isKept, chunkLength }) => {
      const bytes = Buffer.from(text(rows).join(""));
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += chunkLength) yield bytes.subarray(at, at + chunkLength);
      };
      const selected: Uint8Array[] = [];
      for await (const chunk of selectColumns(chunks(), isKept)) selected.push(chunk);
      const expected = text(rows.map((row) => row.filter((_, column) => isKept[column])));
      expect(Buffer.concat(selected).toString()).toBe(expected.join(""));
    }),
    { numRuns: runs(300) },
  );
});
