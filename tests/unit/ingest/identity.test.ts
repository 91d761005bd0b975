import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { DerivedIds } from "../../../ingest/derived-ids.ts";
import { IdTable } from "../../../ingest/id-table.ts";
import { runs } from "../../support/properties.ts";
import { openEmptyDatabase } from "../../support/service.ts";
import { importText } from "./helpers.ts";

/** Records whose source gives no identifier: rows that differ are records, and stay the same ones from import to import. */

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

afterAll(() => connection.close());

/** A grant of a foundation's list: title, recipient (in the description), amount, status, day and address. */
interface Given {
  title: string;
  to: string;
  amount?: number;
  status?: string;
  day?: string;
  url?: string;
}

const headers = "title,funder,to,amount,status,day,url";
const lineOf = ({ title, to, amount = 5, status = "closed", day = "", url = "" }: Given) =>
  `${title},Example Foundation,${to},${amount},${status},${day},${url}\n`;
const maps = ["description=to", "amount_max=amount", "created_at=day"];

const importGrants = (source: string, rows: readonly Given[], options = {}) =>
  importText(connection, "csv", `${headers}\n${rows.map(lineOf).join("")}`, { source, maps, ...options });

/** Stored records as `recipient amount`, each with its identifier. */
async function stored(source: string): Promise<Map<string, string>> {
  const rows = await connection.query<{ name: string; source_id: string }>(
    "select description || ' ' || amount_max::int as name, source_id from funding.grants where source = $1",
    [source],
  );
  return new Map(rows.map(({ name, source_id }) => [name, source_id]));
}

const title = "General operating support";
const [a, b, c]: Given[] = [
  { title, to: "A", amount: 1 },
  { title, to: "B", amount: 2 },
  { title, to: "C", amount: 3 },
] as const;
const given = (...rows: (Given | undefined)[]) => rows.filter((row) => row !== undefined);

describe("rows without an identifier", () => {
  test("are records where they differ in anything that is mapped, and repeated where they do not", async () => {
    const differing = given(
      a,
      { ...a, to: "X" } as Given,
      { ...a, amount: 9 } as Given,
      { ...a, day: "2026-01-01" } as Given,
    );
    const result = await importGrants("differ", [...differing, ...given(a)]);
    expect(result).toMatchObject({ inserted: 4, repeated: 1, rejected: 0 });
    expect(result.rejects).toMatchObject([{ line: 6, reason: "is the same as line 2 in all that is mapped" }]);
    expect(result.shapeNotes).toEqual([
      "5 rows have no source_id: a record is known by title, funder_name, created_at, and told apart by amount_max, description",
    ]);
  });

  test("are one record where they differ in their status alone, which changes with time", async () => {
    expect(await importGrants("status", given(a, { ...a, status: "posted" } as Given))).toMatchObject({
      inserted: 1,
      repeated: 1,
    });
    expect(await importGrants("status", [{ ...a, status: "posted" } as Given])).toMatchObject({
      inserted: 0,
      updated: 1,
    });
  });

  test("stay the same records when the file is imported again, in another order, or with rows more or fewer", async () => {
    await importGrants("stable", given(a, b));
    const before = await stored("stable");
    expect(await importGrants("stable", given(a, b))).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
    expect(await importGrants("stable", given(b, a))).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
    expect(await importGrants("stable", given(c, a, b))).toMatchObject({ inserted: 1, updated: 0, unchanged: 2 });
    expect(await importGrants("stable", given(b))).toMatchObject({ inserted: 0, updated: 0, unchanged: 1 });
    expect(await stored("stable")).toMatchObject(new Map([...before, ["C 3", expect.any(String)]]));
  });

  test("do not overwrite those of another file of the source", async () => {
    await importGrants("years", given(a));
    await importGrants("years", given(b));
    expect([...(await stored("years")).keys()].toSorted()).toEqual(["A 1", "B 2"]);
  });

  test.each([
    ["in a full list", {}, { isFull: true }],
    ["with an address of its own", { url: "https://example.org/1" }, {}],
    ["with a posting date", { day: "2026-05-01" }, {}],
  ])("%s are changed records where one is gone and one of its title is new", async (name, more, options) => {
    const source = `changed ${name}`.replaceAll(" ", "-");
    const row = { title, to: "A", amount: 1, ...more };
    await importGrants(source, [row], options);
    const id = (await stored(source)).get("A 1");
    expect(await importGrants(source, [{ ...row, amount: 7 }], options)).toMatchObject({ inserted: 0, updated: 1 });
    expect(await importGrants(source, [{ ...row, amount: 7 }], options)).toMatchObject({ inserted: 0, unchanged: 1 });
    // A second one does not take its place, wherever it stands.
    await importGrants(`${source}-2`, [row], options);
    expect(await importGrants(`${source}-2`, [{ ...row, to: "B" }, row], options)).toMatchObject({
      inserted: 1,
      unchanged: 1,
    });
    expect((await stored(source)).get("A 7")).toBe(id);
  });

  test("with the same address as all others, by --set, are not taken for changed ones", async () => {
    const sets = ["url=https://example.org/grants"];
    await importGrants("constant", given(a), { sets });
    expect(await importGrants("constant", given(b), { sets })).toMatchObject({ inserted: 1, updated: 0 });
  });

  test("continue the records of databases from before, the first of its title", async () => {
    // Identifiers were a hash of title, funder, address and date alone.
    const parts = JSON.stringify([title, "Example Foundation", null, null]);
    const old = createHash("sha256").update(parts).digest("hex").slice(0, 32);
    await importText(connection, "csv", `id,${headers}\n${given(a).map((row) => `${old},${lineOf(row)}`)}`, {
      source: "old",
      maps,
    });
    expect(await importGrants("old", given(a, b, a))).toMatchObject({ inserted: 1, unchanged: 1, repeated: 1 });
    expect((await stored("old")).get("A 1")).toBe(old);
    expect(await importGrants("old", given(b, a))).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
  });

  test("are told apart likewise where they are funders", async () => {
    const file = "name,summary,website\nCommunity Fund,Of Ohio,\nCommunity Fund,Of Iowa,\nCommunity Fund,Of Ohio,\n";
    expect(await importText(connection, "csv", file, { dataset: "funders", source: "funds" })).toMatchObject({
      inserted: 2,
      repeated: 1,
    });
  });

  test("keep their identifiers in any sequence of files, and none is lost", async () => {
    const rows = fc.record({
      title: fc.constantFrom("T", "U"),
      to: fc.constantFrom("A", "B", "C"),
      amount: fc.integer({ min: 1, max: 3 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(rows, { maxLength: 6, minLength: 1, selector: lineOf }), {
          maxLength: 4,
          minLength: 1,
        }),
        async (files) => {
          const source = `property-${++run}`;
          const known = new Map<string, string>();
          for (const file of files) {
            const { repeated, rejected } = await importGrants(source, file);
            expect({ repeated, rejected }).toEqual({ repeated: 0, rejected: 0 });
            const records = await connection.query<{ name: string; source_id: string }>(
              "select title || ' ' || description || ' ' || amount_max::int as name, source_id from funding.grants where source = $1",
              [source],
            );
            for (const { name, source_id } of records) {
              expect(known.get(name) ?? source_id).toBe(source_id);
              known.set(name, source_id);
            }
            for (const { title: own, to, amount } of file) expect(known.has(`${own} ${to} ${amount}`)).toBe(true);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

test("a table of identifiers finds the tails of each head, however many there are", () => {
  const table = new IdTable();
  const hex = (number: number) => ((number * 2_654_435_761) >>> 0).toString(16).padStart(8, "0").repeat(2);
  for (let index = 1; index < 20_000; index++) table.add(hex(index % 7_000), hex(index));
  for (let index = 1; index < 20_000; index += 97) expect(table.has(hex(index % 7_000), hex(index))).toBe(true);
  expect([...table.tails(hex(3))].toSorted()).toEqual([hex(3), hex(7_003), hex(14_003)].toSorted());
  expect(table.has(hex(3), hex(4))).toBe(false);
});

// Regression: each row of a head went through all the others, which took hours for a hundred thousand payments with one title.
test("a hundred thousand rows of one head, one of which changed, are looked through once", async () => {
  const hex = (number: number) => (number + 1).toString(16).padStart(16, "0");
  const head = hex(0);
  const count = 100_000;
  const known = async function* () {
    for (let row = 0; row < count; row++) yield head + hex(row);
  };
  const given = new IdTable();
  for (let row = 1; row <= count; row++) given.add(head, hex(row));
  const lookAhead = () => Promise.resolve(given);
  const ids = new DerivedIds({ known, lookAhead, isFull: true, constants: new Set() });
  const resolve = (row: number) =>
    ids.resolve({ head, tail: hex(row), legacyTail: "f".repeat(16), fields: { head: ["title"], tail: [] } });
  for (let row = 1; row < count; row++) expect(await resolve(row)).toBe(head + hex(row));
  expect(await resolve(count)).toBe(head + hex(0));
});
