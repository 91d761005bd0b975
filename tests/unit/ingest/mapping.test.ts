import { describe, expect, test } from "vitest";
import { createRowMapper } from "../../../ingest/mapping/apply.ts";
import { type MappingRequest, resolveMapping } from "../../../ingest/mapping/mapping.ts";

/** The values of each field of the first row. */
function mapped(request: Partial<MappingRequest>, ...rows: Record<string, unknown>[]) {
  const complete = { dataset: "grants" as const, maps: [], sets: [], pads: [], ...request };
  const [row = {}] = rows;
  return Object.fromEntries(createRowMapper(resolveMapping(complete, rows))(row));
}

const row = { title: "T", funder: "F" };

describe("mapping", () => {
  test("a column fills the field of its name, whatever its case and the marks between its words", () => {
    expect(mapped({}, { TITLE: "T", "Funder-Name": "F", "deadline date": "2026-01-01", other: "x" })).toEqual({
      title: ["T"],
      funder_name: ["F"],
      deadline_date: ["2026-01-01"],
    });
  });

  test("a field's own name goes before its alias, unless that column is blank", () => {
    expect(mapped({}, { ...row, id: "1", source_id: "2" }).source_id).toEqual(["2"]);
    expect(mapped({}, { ...row, source_id: "2", id: "1" }).source_id).toEqual(["2"]);
    expect(mapped({}, { ...row, source_id: "", id: "1" }).source_id).toEqual(["1"]);
  });

  test("--map goes before the column of the field's name", () => {
    expect(mapped({ maps: ["title=Name"] }, { ...row, Name: "N" }).title).toEqual(["N"]);
  });

  test("several columns give their values in order, without the blank ones", () => {
    expect(
      mapped({ maps: ["identifiers=a, b", "identifiers=c"] }, { ...row, a: "1", b: "N/A", c: "3" }).identifiers,
    ).toEqual(["1", "3"]);
  });

  test("a column whose name has a comma is one column", () => {
    expect(mapped({ maps: ["categories=a, b"] }, { ...row, "a, b": "x", a: "y", b: "z" }).categories).toEqual(["x"]);
  });

  test("a path leads into objects and lists, and a member with a dot in its name goes first", () => {
    const deep = { ...row, agency: { name: "A" }, items: [{ n: 1 }, { n: 2 }], "x.y": "dotted", x: { y: "nested" } };
    const fields = mapped(
      { maps: ["funder=agency.name", "identifiers=items.n", "description=x.y", "categories=items.1.n"] },
      deep,
    );
    expect(fields).toMatchObject({ funder_name: ["A"], identifiers: [1, 2], description: ["dotted"], categories: [2] });
  });

  test("a column that is spelt otherwise in a further file is the same column", () => {
    const mapping = resolveMapping(
      { dataset: "grants", maps: ["deadline=Close Date", "description=Agency.Note"], sets: [], pads: [] },
      [{ ...row, "Close Date": "2026-07-01", Agency: { Note: "x" } }],
    );
    const values = createRowMapper(mapping)({ ...row, close_date: "2026-08-01", agency: { note: "y" } });
    expect(values.get("deadline_date")).toEqual(["2026-08-01"]);
    expect(values.get("description")).toEqual(["y"]);
  });

  test("a JSON member that only a later row has is found", () => {
    expect(mapped({ maps: ["description=late"] }, row, { ...row, late: "x" }).description).toEqual([]);
  });

  test("a constant alone settles a field; beside --map it fills the blanks", () => {
    expect(mapped({ sets: ["status=open"] }, { ...row, status: "weird" }).status).toEqual(["open"]);
    expect(mapped({ maps: ["status=status"], sets: ["status=open"] }, { ...row, status: "closed" }).status).toEqual([
      "closed",
    ]);
    expect(mapped({ maps: ["status=status"], sets: ["status=open"] }, { ...row, status: "" }).status).toEqual(["open"]);
  });

  test("--set is_national=true leaves rows alone that name a place", () => {
    expect(mapped({ sets: ["is_national=true"] }, { ...row, states: "OH" }).is_national).toBeUndefined();
    expect(mapped({ sets: ["is_national=true"] }, { ...row, states: "" }).is_national).toEqual(["true"]);
  });

  test("--pad gives identifiers their leading zeros back, and leaves other text", () => {
    expect(mapped({ pads: ["source_id=9"] }, { ...row, id: 36057087 }).source_id).toEqual(["036057087"]);
    expect(mapped({ pads: ["source_id=9"] }, { ...row, id: "36057087.0" }).source_id).toEqual(["036057087"]);
    expect(mapped({ pads: ["source_id=9"] }, { ...row, id: '="36057087"' }).source_id).toEqual(["036057087"]);
    expect(mapped({ pads: ["source_id=9"] }, { ...row, id: "A-1" }).source_id).toEqual(["A-1"]);
  });

  test("names that every object inherits are no columns", () => {
    expect(() => mapped({ maps: ["title=constructor"] }, row)).toThrow('has no column "constructor"');
  });
});

describe("a mapping that does not fit is refused", () => {
  test.each([
    [{ maps: ["titles=title"] }, "--map titles: grants have no such field; did you mean title?"],
    [{ maps: ["naics=title"] }, "--map naics: grants have no such field"],
    [{ maps: ["title=Titles"] }, 'The file has no column "Titles"; did you mean "title"?'],
    [{ maps: ["title"] }, "--map title: expected FIELD=..., for example --map title=Title."],
    [{ sets: ["status=sideways"] }, '--set status: "sideways" is not a known status'],
    [{ sets: ["deadline=2026-02-30"] }, '--set deadline_date: "2026-02-30" is not a date that exists.'],
    [{ pads: ["title=9"] }, "--pad title: only source_id, funder_source_id, identifiers can be padded."],
    [{ pads: ["source_id=x"] }, "--pad source_id=x: expected a number of digits"],
  ])("%j", (request, message) => {
    expect(() => mapped(request, row)).toThrow(message);
  });

  test("when nothing fills a field that every record needs", () => {
    expect(() => mapped({}, { title: "T", agency: "A" })).toThrow(
      "No column fills funder_name, which every record needs: add --map funder_name=COLUMN, with one of title, agency.",
    );
    expect(() => mapped({ dataset: "funders" }, { OrganizationName: "N" })).toThrow("No column fills name");
  });
});
