import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { unknownPast } from "../../../../ingest/record.ts";
import { samGov } from "../../../../ingest/sources/sam-gov.ts";
import { csvOf, recordIn, recordsIn } from "../source-records.ts";
import { fixture, type ImportedFile, importSourceFile } from "./imported-file.ts";

const dailyFile = "ContractOpportunitiesFullCSV.csv";
const idOf = (notice: number) => `feed${notice.toString(16).padStart(28, "0")}`;

describe("sam-gov: the daily file", () => {
  let file: ImportedFile;
  beforeAll(async () => {
    file = await importSourceFile(samGov, dailyFile);
  });
  const contract = (notice: number) => file.contracts.get(idOf(notice));

  test("is Windows-1252, as the publisher's is", () => {
    const bytes = readFileSync(fixture(dailyFile));
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow();
    expect(bytes.includes(0x96)).toBe(true);
  });

  test("every row is a record, rejected for its reason or a repetition", () => {
    expect({ read: file.read, contracts: file.contracts.size }).toEqual({ read: 17, contracts: 15 });
    expect(file.rejected).toEqual([{ source_id: idOf(13), reason: "funder_name is missing" }]);
    expect(file.repeated).toEqual([{ source_id: idOf(1), reason: "repeats the source_id of line 2, which was kept" }]);
    expect(file.notes).toHaveLength(2);
  });

  test("a notice fills every field, out of cells of several lines", () => {
    expect(contract(1)).toEqual({
      source: "sam-gov",
      source_id: idOf(1),
      title: "Boiler & Chiller Repair – Fort Invented",
      description:
        'Repair the “old” boilers, "as is".\n\nDo it at night:\n\n- boiler 1\n- boiler 2\n\nNo phone calls please.',
      amount_min: null,
      amount_max: null,
      deadline_date: "2026-06-15",
      project_end_date: null,
      status: "open",
      classification: "opportunity",
      states: ["AK"],
      is_national: false,
      geography: "Alaska",
      funder_name: "Department of the Army",
      funder_source_id: "2100",
      listing_url: `https://sam.gov/workspace/contract/opp/${idOf(1)}/view`,
      created_at: "2026-05-20T20:57:56.079Z",
      archived_at: "2026-07-15T00:00:00.000Z",
      categories: ["Combined Synopsis/Solicitation", "Maintenance, Repair, or Alteration of Real Property"],
      identifiers: ["EX26Q0001", idOf(1)],
      document_url: "https://example.org/boilers.pdf",
      naics: "238220",
      primary_contact_email: "pat.example@army.example",
      set_aside_code: "SDVOSBC",
      details: {
        agency: ["Department of Defense", "Department of the Army", "EXAMPLE CONTRACTING OFFICE"],
        deadline_at: "2026-06-15T23:30:00-08:00",
        contact: { name: "Pat Example", email: "pat.example@army.example", phone: "5550100" },
        documents: [
          {
            name: null,
            size: null,
            type: null,
            updated_at: null,
            url: "https://example.org/boilers.pdf",
          },
        ],
        notice_type: "Combined Synopsis/Solicitation",
        opportunity_number: "EX26Q0001",
        place_of_performance: {
          city: "Fairbanks",
          country: "USA",
          state: "AK",
          zip: "99703",
        },
        psc: "Z1AA",
      },
    });
  });

  test("awards, justifications and changes of awards are awarded projects, with the amount that is one", () => {
    const awarded = { classification: "awarded_project", status: "awarded", deadline_date: null };
    expect(contract(4)).toMatchObject({
      ...awarded,
      amount_min: 1_423_368,
      amount_max: 1_423_368,
      description: expect.stringContaining("Awarded to: INVENTED BOILERS LLC Fairbanks AK 99703 USA"),
      identifiers: ["EX26Q0004", "EX26C0007", idOf(4)],
    });
    expect(contract(5)).toMatchObject({ ...awarded, amount_min: null, amount_max: null });
    expect(contract(6)).toMatchObject({ ...awarded, amount_min: null, amount_max: null, categories: ["Award Notice"] });
    expect(contract(7)).toMatchObject(awarded);
    expect(contract(8)).toMatchObject({
      ...awarded,
      amount_max: 250_000,
      categories: ["Award Notice", expect.any(String)],
    });
  });

  test("a place is a state, the nation, a territory, a country abroad, or of an award unknown", () => {
    const placeOf = (notice: number) => {
      const { states, is_national, geography } = contract(notice) ?? {};
      return { states, is_national, geography };
    };
    const national = { states: [], is_national: true, geography: "National" };
    expect(placeOf(2)).toEqual(national);
    expect(placeOf(3)).toEqual(national);
    expect(placeOf(5)).toEqual({ states: [], is_national: false, geography: null });
    expect(placeOf(9)).toEqual({ states: [], is_national: false, geography: "Landstuhl, DEU" });
    expect(placeOf(10)).toEqual({ states: ["PR"], is_national: false, geography: "Puerto Rico" });
    expect(placeOf(17)).toEqual({ states: ["AK"], is_national: false, geography: "Alaska" });
  });

  test("a notice states its deadline, and an inactive one is archived", () => {
    expect(contract(11)).toMatchObject({ status: "open", deadline_date: "2026-05-31" });
    expect(contract(12)).toMatchObject({ status: "closed", archived_at: "2026-05-16T00:00:00.000Z" });
  });

  test("agencies are called as people call them", () => {
    const funderOf = (notice: number) => contract(notice)?.funder_name;
    expect(funderOf(3)).toBe("Department of the Navy");
    expect(funderOf(7)).toBe("Department of Veterans Affairs");
    expect(contract(15)?.funder_name).toBe("Defense Lakes Agency");
    expect(funderOf(16)).toBe("Office of the Secretary, Department of Labor");
    expect(funderOf(17)).toBe("Department of the Interior");
  });

  test("set-asides, industries, products and contacts are read, and invalid ones are left out", () => {
    expect(contract(2)).toMatchObject({ set_aside_code: null, naics: "492110" });
    expect(contract(3)).toMatchObject({ naics: null, categories: ["Sources Sought", "Pumps and Compressors"] });
    expect(contract(3)?.primary_contact_email).toBe("second@navy.example");
    expect(contract(16)).toMatchObject({ set_aside_code: "8AN", naics: null, document_url: null });
    expect(contract(17)).toMatchObject({
      set_aside_code: "ISBEE",
      categories: ["Presolicitation", expect.any(String)],
    });
  });

  test("a notice without an id has the one in its link", () => {
    expect(contract(15)).toMatchObject({ title: "Known by Its Link", identifiers: ["EX26Q0015", idOf(15)] });
  });
});

describe("sam-gov: a tracker's export, with columns in words and a byte-order mark", () => {
  test("every row is a record", async () => {
    const { read, contracts, rejected } = await importSourceFile(samGov, "sam-gov-tracker-export.csv");
    expect({ read, contracts: contracts.size, rejected }).toEqual({ read: 10, contracts: 10, rejected: [] });
    expect(contracts.get(idOf(101))).toMatchObject({
      title: "STRAP,WEBBING",
      deadline_date: "2026-08-24",
      states: [],
      is_national: true,
      funder_name: "Department of the Navy",
      categories: ["Solicitation", "Aircraft Components and Accessories"],
      naics: "336413",
      primary_contact_email: "buyer@navy.example",
      listing_url: `https://sam.gov/workspace/contract/opp/${idOf(101)}/view`,
    });
    expect(contracts.get(idOf(102))).toMatchObject({
      states: ["CA"],
      set_aside_code: null,
      categories: ["Sources Sought"],
    });
    expect(contracts.get(idOf(103))).toMatchObject({
      states: ["OK"],
      set_aside_code: "8AN",
      document_url: "https://example.org/files/1/download",
    });
    expect(contracts.get(idOf(104))).toMatchObject({
      states: [],
      is_national: false,
      funder_name: "Department of State",
      primary_contact_email: null,
    });
    expect(contracts.get(idOf(106))?.states).toEqual(["IA"]);
    expect(contracts.get(idOf(109))).toMatchObject({ states: [], is_national: true });
  });
});

describe("sam-gov: values that the files lack", () => {
  const id = "0123456789abcdef0123456789abcdef";

  const notice = (columns: Record<string, string> = {}) =>
    csvOf({
      NoticeId: id,
      Title: "Boiler repair",
      "Sol#": "W912-26-Q-0042",
      "Department/Ind.Agency": "DEPT OF DEFENSE",
      "Sub-Tier": "DEPT OF THE ARMY",
      "FPDS Code": "2100",
      Type: "Solicitation",
      PostedDate: "2026-05-20 16:57:56.079-04",
      Active: "Yes",
      Link: `https://sam.gov/opp/${id}/view`,
      ...columns,
    });

  const contractIn = (columns?: Record<string, string>) => recordIn(samGov, "contracts", notice(columns));

  test.each([
    [{}, { status: "open", archived_at: null }],
    [
      { Active: "No", ArchiveDate: "", ResponseDeadLine: "2027-05-01T17:00:00-04:00" },
      { status: "closed", archived_at: unknownPast },
    ],
    [
      { Active: "No", ArchiveDate: "", Type: "Award Notice" },
      { status: "awarded", archived_at: unknownPast },
    ],
  ])("a notice with %j is %j", async (columns, expected) => {
    expect(await contractIn(columns)).toMatchObject(expected);
  });

  test("a notice goes by its own type before that which it began with", async () => {
    const classified = async (Type: string, BaseType: string) => (await contractIn({ Type, BaseType })).classification;
    expect(await classified("Justification", "Presolicitation")).toBe("awarded_project");
    expect(await classified("Solicitation", "Award Notice")).toBe("opportunity");
  });

  test.each([
    [{ PopState: "VA" }, { states: ["VA"], is_national: false, geography: "Virginia" }],
    [
      { PopCity: "Norfolk", PopZip: "23511" },
      { states: [], is_national: false, geography: "Norfolk" },
    ],
    [{ PopZip: "23511" }, { states: [], is_national: false, geography: null }],
    [
      { PopStreetAddress: "467 W Street Bremerton WA 98314" },
      { states: ["WA"], is_national: false, geography: "Washington" },
    ],
    [
      { PopStreetAddress: "467 W Street Bremerton WA 98314", PopCountry: "USA" },
      { states: ["WA"], is_national: false, geography: "Washington" },
    ],
    [
      { PopStreetAddress: "467 W Street", PopCountry: "USA" },
      { states: [], is_national: false, geography: "467 W Street" },
    ],
    [
      { PopCity: "Tbilisi", PopState: "GE-TB", PopCountry: "GEORGIA" },
      { states: [], is_national: false, geography: "Tbilisi, GEORGIA" },
    ],
  ])("the place of performance %j is %j", async (columns, expected) => {
    expect(await contractIn(columns)).toMatchObject(expected);
  });

  test.each([
    ["", "No Set aside used", null],
    ["", "Small Business Set Aside - Total", "SBA"],
    ["", "SBA Certified Women-Owned Small Business (WOSB) Program Set-Aside (FAR 19.15)", "WOSB"],
    ["BICiv", "Buy Indian Set-Aside", "BICIV"],
  ])("the set-aside %j, %j is %j", async (SetASideCode, SetASide, expected) => {
    expect((await contractIn({ SetASideCode, SetASide })).set_aside_code).toBe(expected);
  });

  test("without an agency, its department is the funder", async () => {
    expect(await contractIn({ "Sub-Tier": "", "FPDS Code": "9700" })).toMatchObject({
      funder_name: "Department of Defense",
      funder_source_id: "9700",
    });
  });

  test.each<[string, object, object?]>([
    ["Norfolk, VA", { states: ["VA"] }, { city: "Norfolk", state: "VA" }],
    ["Norfolk, VA 23511", { states: ["VA"] }, { city: "Norfolk", state: "VA", zip: "23511" }],
    ["Norfolk, VA 23511, USA", { states: ["VA"] }, { city: "Norfolk", state: "VA", zip: "23511", country: "USA" }],
    ["Washington, DC, 20001, USA", { states: ["DC"] }, { city: "Washington", state: "DC", zip: "20001" }],
    ["Virginia", { states: ["VA"] }, { city: null }],
    ["VA", { states: ["VA"] }],
    ["Norfolk, VA; San Diego, CA", { states: ["CA", "VA"] }],
    ["57551, Pennsylvania, UNITED STATES", { states: ["PA"] }, { zip: null }],
    ["Iowa, UNITED STATES", { states: ["IA"] }, { city: null, state: "Iowa" }],
    ["Nationwide", { is_national: true, geography: "National" }],
    ["Accra, , GHANA", { states: [], geography: "Accra, GHANA" }],
    ["Tbilisi, GEORGIA", { states: [], geography: "Tbilisi, GEORGIA" }, { city: "Tbilisi", state: null }],
    ["New Delhi, Delhi, IND", { states: [], geography: "New Delhi, IND" }],
    ["Berlin, DE", { states: [], geography: "Berlin, DE" }],
    ["San Juan, Puerto Rico", { states: ["PR"] }],
    ["CONUS and Hawaii", { is_national: true, geography: "National" }],
    [
      "All states except Hawaii",
      { states: [], is_national: false, geography: "All states except Hawaii" },
      { city: "All states except Hawaii", country: null },
    ],
  ])("the place of performance in words, %j, is %j", async (text, expected, parts = {}) => {
    const found = await contractIn({ "Place of Performance": text, Type: "Award Notice" });
    expect(found).toMatchObject(expected);
    expect(found.details?.place_of_performance).toMatchObject(parts);
  });

  test.each(["f", "0", "N", "Archived", "Inactive", "no"])("a copy's flag %j means archived", async (flag) => {
    expect((await contractIn({ Active: flag })).status).toBe("closed");
    expect((await contractIn({ Active: flag })).archived_at).not.toBeNull();
  });

  test("the identifier may be in the address alone, and is the same then", async () => {
    const row = {
      title: "Shelving",
      department: "LIBRARY OF CONGRESS",
      type_name: "Award Notice",
      publish_date: "2025-01-02",
      is_active: "Inactive",
      sam_url: `https://sam.gov/opp/${id}/view`,
    };
    expect(await recordIn(samGov, "contracts", csvOf(row))).toMatchObject({
      source_id: id,
      status: "awarded",
      archived_at: unknownPast,
    });
    expect(await recordsIn(samGov, csvOf({ ...row, sam_url: "https://sam.gov" }))).toEqual([
      { reason: "has no notice id", source_id: null },
    ]);
  });
});
