import { describe, expect, test } from "vitest";
import { unknownPast } from "../../../ingest/record.ts";
import { samGov } from "../../../ingest/sources/sam-gov.ts";
import { csvOf, recordIn, recordsIn } from "./source-records.ts";

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

describe("sam-gov", () => {
  test("a notice fills the record, field by field", async () => {
    const record = await contractIn({
      Title: "Boiler &amp; Chiller Repair – Fort Example",
      Type: "Combined Synopsis/Solicitation",
      ArchiveDate: "2026-07-30",
      SetASideCode: "SDVOSBC",
      SetASide: "Service-Disabled Veteran-Owned Small Business (SDVOSB) Set-Aside (FAR 19.14)",
      ResponseDeadLine: "2026-06-15T23:30:00-10:00",
      NaicsCode: "238220.0",
      ClassificationCode: "J044",
      PopCity: "Fairbanks",
      PopState: "AK",
      PopCountry: "USA",
      PrimaryContactEmail: "Pat.Example@army.example; second@army.example",
      AdditionalInfoLink: "javascript:alert(1)",
      Description: "<p>Repair the boilers.</p>",
    });
    expect(record).toEqual({
      source: "sam-gov",
      source_id: id,
      title: "Boiler & Chiller Repair – Fort Example",
      description: "Repair the boilers.",
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
      listing_url: `https://sam.gov/opp/${id}/view`,
      created_at: "2026-05-20T20:57:56.079Z",
      archived_at: "2026-07-30T00:00:00.000Z",
      categories: ["Combined Synopsis/Solicitation", "Maintenance, Repair, and Rebuilding of Equipment"],
      identifiers: ["W912-26-Q-0042", id],
      document_url: null,
      naics: "238220",
      primary_contact_email: "pat.example@army.example",
      set_aside_code: "SDVOSBC",
      details: {
        agency: ["Department of Defense", "Department of the Army"],
        deadline_at: "2026-06-15T23:30:00-10:00",
        notice_type: "Combined Synopsis/Solicitation",
        opportunity_number: "W912-26-Q-0042",
        place_of_performance: {
          city: "Fairbanks",
          country: "USA",
          state: "AK",
          zip: null,
        },
        psc: "J044",
      },
    });
  });

  test.each([
    [{}, { status: "open", archived_at: null }],
    [
      { ResponseDeadLine: "2026-05-31T17:00:00-04:00", ArchiveDate: "2027-01-01" },
      { status: "open", archived_at: "2027-01-01T00:00:00.000Z" },
    ],
    [
      { Active: "No", ArchiveDate: "2026-05-16", ResponseDeadLine: "2026-05-01T17:00:00-04:00" },
      { status: "closed", archived_at: "2026-05-16T00:00:00.000Z" },
    ],
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

  test("an award notice is an awarded project with its amount, and says to whom", async () => {
    const award = {
      Type: "Award Notice",
      ResponseDeadLine: "2026-05-01",
      Award$: "$1,423,368.00",
      Awardee: "Example Co",
    };
    expect(await contractIn({ ...award, AwardNumber: "W912-26-C-0007" })).toMatchObject({
      classification: "awarded_project",
      status: "awarded",
      deadline_date: null,
      amount_min: 1_423_368,
      amount_max: 1_423_368,
      description: "Awarded to: Example Co",
      identifiers: ["W912-26-Q-0042", "W912-26-C-0007", id],
    });
    expect(await contractIn({ ...award, Award$: "-5" })).toMatchObject({ amount_min: null, amount_max: null });
    expect(await contractIn({ ...award, Award$: "0" })).toMatchObject({ amount_max: null });
  });

  test("a justification is about a contract that is awarded; other notices are opportunities", async () => {
    const classified = async (Type: string, BaseType = "") => (await contractIn({ Type, BaseType })).classification;
    expect(await classified("Justification", "Presolicitation")).toBe("awarded_project");
    expect(await classified("Solicitation", "Award Notice")).toBe("opportunity");
    expect(await classified("Modification/Amendment/Cancel", "Award Notice")).toBe("awarded_project");
    expect(await classified("Sources Sought")).toBe("opportunity");
  });

  test.each([
    [
      { PopState: "VA", PopCountry: "USA" },
      { states: ["VA"], is_national: false, geography: "Virginia" },
    ],
    [{ PopState: "VA" }, { states: ["VA"], is_national: false, geography: "Virginia" }],
    [{ PopCountry: "USA" }, { states: [], is_national: true, geography: "National" }],
    [{}, { states: [], is_national: true, geography: "National" }],
    [{ Type: "Award Notice" }, { states: [], is_national: false, geography: null }],
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
      { PopCountry: "PRI", PopCity: "San Juan" },
      { states: ["PR"], is_national: false },
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
    ["NONE", "No Set aside used", null],
    ["", "Small Business Set Aside - Total", "SBA"],
    ["8AN", "8(a) Sole Source", "8AN"],
    ["", "SBA Certified Women-Owned Small Business (WOSB) Program Set-Aside (FAR 19.15)", "WOSB"],
    ["BICiv", "Buy Indian Set-Aside", "BICIV"],
  ])("the set-aside %j, %j is %j", async (SetASideCode, SetASide, expected) => {
    expect((await contractIn({ SetASideCode, SetASide })).set_aside_code).toBe(expected);
  });

  test("the agency is the funder, by its code; without one, its department", async () => {
    expect(await contractIn({ "Sub-Tier": "", "FPDS Code": "9700" })).toMatchObject({
      funder_name: "Department of Defense",
      funder_source_id: "9700",
    });
    await expect(contractIn({ "Sub-Tier": "", "Department/Ind.Agency": "" })).rejects.toThrow("funder_name is missing");
  });

  test("an export that names the columns in words is read as well", async () => {
    const tracker = csvOf({
      "Fit Score": "9",
      "Opportunity Title": "Fuel cell",
      Agency: "DEPT OF DEFENSE.DEFENSE LOGISTICS AGENCY.DLA AVIATION",
      "Notice Type": "Solicitation",
      "Notice ID": id,
      "Solicitation Number": "SPE4A6",
      "Due Date": "2026-08-24",
      NAICS: "336413",
      PSC: "16",
      "Set-Aside": "8(a) Sole Source (FAR 19.8)",
      "Place of Performance": "0, Oklahoma, UNITED STATES",
      "SAM.gov Link": `https://sam.gov/workspace/contract/opp/${id}/view`,
      "Attachment Links": `{'rel': 'self', 'href': 'https://api.sam.gov/x'}\nhttps://sam.gov/files/1/download`,
      "Contact Email": "BUYER@DLA.EXAMPLE",
    });
    expect(await recordIn(samGov, "contracts", tracker)).toMatchObject({
      source_id: id,
      title: "Fuel cell",
      deadline_date: "2026-08-24",
      states: ["OK"],
      funder_name: "Defense Logistics Agency",
      categories: ["Solicitation", "Aircraft Components and Accessories"],
      naics: "336413",
      set_aside_code: "8AN",
      document_url: "https://sam.gov/files/1/download",
      primary_contact_email: "buyer@dla.example",
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
