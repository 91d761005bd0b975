import { describe, expect, test } from "vitest";
import { federalOrganizations } from "../../../ingest/sources/federal-organizations.ts";
import { irs990pf } from "../../../ingest/sources/irs-990pf.ts";
import { csvOf, recordIn, recordsIn } from "./source-records.ts";

describe("irs-990pf", () => {
  const filing = { EIN: "10648642", OrganizationName: "EXAMPLE FOUNDATION", FormType: "990PF" };

  test("a return fills the foundation's record, field by field", async () => {
    const row = {
      ...filing,
      OrgType: "ExemptPF",
      DocStatus: "AddressChange, FinalReturn",
      TaxYear: "2023",
      TotalAssetsBkEOY: "1234567",
      TotalRevenueCY: "",
      TotalExpensesCY: "890",
      Website: "WWW.EXAMPLE.ORG",
    };
    expect(await recordIn(irs990pf, "funders", csvOf(row))).toEqual({
      source: "irs-990pf",
      source_id: "010648642",
      name: "EXAMPLE FOUNDATION",
      website: "https://www.example.org",
      summary: "Private foundation. In the tax year 2023: assets $1,234,567, expenses $890. It filed its final return.",
      created_at: null,
    });
  });

  test.each([
    ["10648642", "010648642"],
    ["01-0648642", "010648642"],
    ["123456789", "123456789"],
    ["10648642.0", "010648642"],
    ['="010648642"', "010648642"],
  ])("the EIN %s is %s", async (EIN, expected) => {
    expect((await recordIn(irs990pf, "funders", csvOf({ ...filing, EIN }))).source_id).toBe(expected);
  });

  test("a row without a name, without an EIN, or of another form is no foundation", async () => {
    await expect(recordsIn(irs990pf, csvOf({ ...filing, OrganizationName: "" }))).rejects.toThrow("name is missing");
    expect(
      await recordsIn(
        irs990pf,
        csvOf({ ...filing, EIN: "" }, { ...filing, EIN: "12x" }, { ...filing, FormType: "990EZ" }),
      ),
    ).toEqual([
      { reason: "has no EIN of nine digits", source_id: null },
      { reason: "has no EIN of nine digits", source_id: null },
      { reason: "is not a return of a private foundation, but form 990EZ", source_id: "010648642" },
    ]);
  });

  test("the index of the IRS is read as well", async () => {
    const row = { RETURN_ID: "1", EIN: "010648642", TAXPAYER_NAME: "EXAMPLE FOUNDATION", RETURN_TYPE: "990PF" };
    expect(await recordIn(irs990pf, "funders", csvOf(row))).toMatchObject({
      source_id: "010648642",
      name: "EXAMPLE FOUNDATION",
      summary: "Private foundation.",
    });
  });
});

describe("federal-organizations", () => {
  const organization = {
    orgKey: 100116370,
    name: "BUREAU OF LABOR STATISTICS",
    fullParentPathName: "LABOR, DEPARTMENT OF.BUREAU OF LABOR STATISTICS",
    modStatus: "ACTIVE",
  };
  const funderIn = (members: Record<string, unknown> = {}) =>
    recordIn(federalOrganizations, "funders", JSON.stringify([{ ...organization, ...members }]));

  test("an organization fills the record, field by field", async () => {
    const members = {
      createdDate: "1996-07-30T04:00:00.000+00:00",
      shortName: "BLS",
      description: "Collects statistics. /n/nAnd publishes them. /n",
    };
    expect(await funderIn(members)).toEqual({
      source: "federal-organizations",
      source_id: "100116370",
      name: "Bureau of Labor Statistics",
      summary: "Collects statistics. \n\nAnd publishes them.\n\nPart of: Department of Labor\nAbbreviation: BLS",
      website: null,
      created_at: "1996-07-30T04:00:00.000Z",
    });
  });

  test("a description that only repeats the name is left out", async () => {
    expect((await funderIn({ description: "BUREAU OF LABOR STATISTICS" })).summary).toBe(
      "Part of: Department of Labor",
    );
    const department = { name: "LABOR, DEPARTMENT OF", fullParentPathName: "LABOR, DEPARTMENT OF" };
    expect(await funderIn({ ...department, description: "Department of Labor" })).toMatchObject({
      name: "Department of Labor",
      summary: null,
    });
  });

  test("an office of a name that several departments use is called by its department, too", async () => {
    const name = "OFFICE OF THE SECRETARY";
    expect((await funderIn({ name, fullParentPathName: `LABOR, DEPARTMENT OF.${name}` })).name).toBe(
      "Office of the Secretary, Department of Labor",
    );
  });

  test("the points of U.S. divide no path", async () => {
    const name = "U.S. INTERNATIONAL DEVELOPMENT FINANCE CORPORATION";
    expect((await funderIn({ name, fullParentPathName: name })).summary).toBeNull();
    const office = { name: "OFFICE OF THE SECRETARY", fullParentPathName: `${name}.OFFICE OF THE SECRETARY` };
    expect(await funderIn(office)).toMatchObject({
      name: "Office of the Secretary, U.S. International Development Finance Corporation",
      summary: "Part of: U.S. International Development Finance Corporation",
    });
  });

  test("one that is inactive, or the department again, is no funder", async () => {
    const inactive = { ...organization, modStatus: "INACTIVE", endDate: "2018-09-18T20:54:30.078+00:00" };
    const again = {
      ...organization,
      orgKey: 2,
      name: "DEPARTMENT OF LABOR",
      fullParentPathName: "LABOR, DEPARTMENT OF.SOMETHING.DEPARTMENT OF LABOR",
    };
    expect(await recordsIn(federalOrganizations, JSON.stringify([inactive, again]))).toEqual([
      { reason: "is inactive since 2018-09-18", source_id: "100116370" },
      { reason: "is Department of Labor itself, listed again within it", source_id: "2" },
    ]);
  });
});
