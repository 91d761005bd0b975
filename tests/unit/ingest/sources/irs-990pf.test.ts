import { beforeAll, describe, expect, test } from "vitest";
import { irs990pf } from "../../../../ingest/sources/irs-990pf.ts";
import { csvOf, recordsIn } from "../source-records.ts";
import { type ImportedFile, importSourceFile } from "./imported-file.ts";

describe("irs-990pf: the data lake's index", () => {
  let file: ImportedFile;
  beforeAll(async () => {
    file = await importSourceFile(irs990pf, "irs-990pf-index.csv");
  });
  const funder = (ein: string) => file.funders.get(ein);

  test("every return is a foundation, rejected for its reason or a repetition", () => {
    expect({ read: file.read, funders: file.funders.size }).toEqual({ read: 12, funders: 8 });
    expect(file.rejected).toEqual([
      { source_id: "900000006", reason: "name is missing" },
      { source_id: null, reason: "has no EIN of nine digits" },
      { source_id: "900000010", reason: "is not a return of a private foundation, but form 990EZ" },
    ]);
    expect(file.repeated).toEqual([
      { source_id: "010000001", reason: "repeats the source_id of line 2, which was kept" },
    ]);
  });

  test("a return fills every field, and its EIN has nine digits again", () => {
    expect(funder("010000001")).toEqual({
      source: "irs-990pf",
      source_id: "010000001",
      name: "INVENTED LAKES FOUNDATION",
      website: "https://www.lakes.example.org",
      summary: "Private foundation. In the tax year 2023: assets $265,752, revenue $19,145, expenses $20,469.",
      created_at: null,
    });
    expect(funder("123456789")?.name).toBe("DASHES FOUNDATION");
  });

  test("the summary has the kind, the sums that are given, and the final return", () => {
    expect(funder("900000002")?.summary).toBe(
      "Private foundation. In the tax year 2023: assets $265,752, expenses $20,469.",
    );
    expect(funder("900000003")?.summary).toBe(
      "Charitable trust treated as a private foundation. In the tax year 2023: assets $0, revenue -$4,500, expenses $20,469.",
    );
    expect(funder("900000004")?.summary).toMatch(/^Taxable private foundation\. /);
    expect(funder("900000005")?.summary).toBe("Private foundation. It filed its final return.");
    expect(funder("900000011")?.summary).toContain("assets $12,345,678,901");
  });

  test("a website is an address or none", () => {
    expect(funder("900000002")?.website).toBeNull();
    expect(funder("900000004")?.website).toBe("https://taxable.example.org/about");
    expect(funder("123456789")?.website).toBeNull();
  });
});

test("irs-990pf: the index that the IRS publishes has foundations among other forms", async () => {
  const { read, funders, rejected, repeated } = await importSourceFile(irs990pf, "index_2026.csv");
  expect({ read, funders: funders.size }).toEqual({ read: 10, funders: 5 });
  expect(rejected.map(({ reason }) => reason)).toEqual([
    "is not a return of a private foundation, but form 990",
    "is not a return of a private foundation, but form 990EZ",
    "is not a return of a private foundation, but form 990T",
    "name is missing",
  ]);
  expect(repeated.map(({ source_id }) => source_id)).toEqual(["900000023"]);
  expect(funders.get("010000001")).toMatchObject({
    name: "INVENTED LAKES FOUNDATION",
    summary: "Private foundation.",
  });
});

test.each([
  ["10648642.0", { record: { source_id: "010648642" } }],
  ['="010648642"', { record: { source_id: "010648642" } }],
  ["12x", { reason: "has no EIN of nine digits" }],
])("irs-990pf: the EIN %s, as a spreadsheet may have left it, is known or refused", async (EIN, expected) => {
  const row = { EIN, OrganizationName: "EXAMPLE FOUNDATION", FormType: "990PF" };
  expect(await recordsIn(irs990pf, csvOf(row))).toMatchObject([expected]);
});
