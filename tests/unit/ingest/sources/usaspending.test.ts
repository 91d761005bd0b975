import { beforeAll, describe, expect, test } from "vitest";
import { usaspending } from "../../../../ingest/sources/usaspending.ts";
import { csvOf, recordIn } from "../source-records.ts";
import { type ImportedFile, importSourceFile } from "./imported-file.ts";

const keyOf = (award: number) => `CONT_AWD_EX26C${String(award).padStart(4, "0")}_9700_-NONE-_-NONE-`;

describe("usaspending: award summaries with all 286 columns", () => {
  let file: ImportedFile;
  beforeAll(async () => {
    file = await importSourceFile(usaspending, "Contracts_PrimeAwardSummaries.csv");
  });
  const contract = (award: number) => file.contracts.get(keyOf(award));

  test("every row is a record, rejected for its reason or a repetition", () => {
    expect({ read: file.read, contracts: file.contracts.size }).toEqual({ read: 13, contracts: 11 });
    expect(file.rejected).toEqual([{ source_id: null, reason: "has no award key" }]);
    expect(file.repeated).toEqual([{ source_id: keyOf(1), reason: "repeats the source_id of line 2, which was kept" }]);
    expect(file.notes).toEqual([]);
  });

  test("an award fills every field", () => {
    expect(contract(1)).toEqual({
      source: "usaspending",
      source_id: keyOf(1),
      title: "BOILER REPAIR, FORT INVENTED",
      description: [
        "BOILER REPAIR, FORT INVENTED\n",
        "Recipient: INVENTED BOILERS LLC",
        "Award type: DEFINITIVE CONTRACT",
        "Product or service: MAINT/REPAIR/REBUILD OF EQUIPMENT- FURNACE/STEAM/DRYING; NUCLEAR REACTOR",
        "Industry: PLUMBING, HEATING, AND AIR-CONDITIONING CONTRACTORS",
        "Competition: FULL AND OPEN COMPETITION",
        "Pricing: FIRM FIXED PRICE",
      ].join("\n"),
      amount_min: 1_500_000.5,
      amount_max: 9_000_000,
      deadline_date: null,
      project_end_date: "2027-01-31",
      status: "awarded",
      classification: "awarded_project",
      states: ["AK"],
      is_national: false,
      geography: "Alaska",
      funder_name: "Department of the Army",
      funder_source_id: "2100",
      listing_url: `https://www.usaspending.gov/award/${keyOf(1)}/`,
      created_at: "2025-02-03T00:00:00.000Z",
      archived_at: null,
      categories: ["Maintenance, Repair, and Rebuilding of Equipment"],
      identifiers: ["EX26C0001"],
      document_url: null,
      naics: "238220",
      primary_contact_email: null,
      set_aside_code: "8A",
      details: {
        agency: ["Department of Defense", "Department of the Army", "EXAMPLE OFFICE"],
        notice_type: "Definitive contract",
        opportunity_number: "EX26C0001",
        place_of_performance: {
          city: "FAIRBANKS",
          country: "USA",
          state: "AK",
          zip: "997030000",
        },
        psc: "J044",
      },
    });
  });

  test("an order's four digits stand behind its parent's number", () => {
    expect(file.contracts.get("CONT_AWD_0021_9700_EX26A0001_9700")?.identifiers).toEqual([
      "EX26A0001-0021",
      "EX26A0001",
    ]);
    expect(file.contracts.get("CONT_AWD_EX26F0003_9700_EX26A0001_9700")).toMatchObject({
      title: "BPA call EX26F0003 to INVENTED BOILERS LLC: Information Technology and Telecommunications",
      identifiers: ["EX26F0003", "EX26A0001"],
      naics: "541512",
    });
  });

  test("a description of several lines, or longer than a title, is whole in the description", () => {
    const long = contract(4);
    expect(long?.title).toMatch(/^REPAIR OF BOILERS AND .* (AND|BOILERS)\.\.\.$/);
    expect(long?.title?.length).toBeLessThanOrEqual(203);
    expect(long?.description).toContain("AND CHILLERS");
    expect(contract(12)).toMatchObject({
      title: 'PUMPS, "SUBMERSIBLE" AND HOSES; IGF::OT::IGF',
      description: expect.stringContaining("Recipient: EXAMPLE, INC."),
    });
  });

  test("amounts that are not above 0 are left out, and the smaller comes first", () => {
    const amounts = (award: number) => [contract(award)?.amount_min, contract(award)?.amount_max];
    expect(amounts(5)).toEqual([null, null]);
    expect(amounts(11)).toEqual([500_000, 750_000]);
  });

  test("the end is the current one, else the potential one, else that of the ordering period", () => {
    expect(contract(11)?.project_end_date).toBe("2030-01-31");
    expect(file.contracts.get("CONT_IDV_EX26D0006_9700")).toMatchObject({
      project_end_date: "2029-09-30",
      title: "Contract EX26D0006 to INVENTED BOILERS LLC: Maintenance, Repair, and Rebuilding of Equipment",
      amount_min: 5_000_000,
      amount_max: 5_000_000,
    });
  });

  test("a place is abroad, a state by its ZIP code, or the nation", () => {
    expect(contract(7)).toMatchObject({ states: [], is_national: false, geography: "OKINAWA, JPN" });
    expect(contract(8)).toMatchObject({ states: ["NM"], is_national: false });
    expect(contract(9)).toMatchObject({ states: [], is_national: true, geography: "National" });
  });

  test("the funder is the sub-agency, else the agency", () => {
    expect(contract(8)).toMatchObject({ funder_name: "Bureau of Invented Lakes", funder_source_id: "1450" });
    expect(contract(9)).toMatchObject({ funder_name: "Department of Defense", funder_source_id: null });
  });

  test("set-asides have GSA's codes", () => {
    expect(contract(2 + 2)?.set_aside_code).toBeNull();
    expect(contract(8)?.set_aside_code).toBe("BICIV");
    expect(contract(11)?.set_aside_code).toBe("SDVOSBC");
  });
});

test("usaspending: an export of the database, with shorter names, is read as well", async () => {
  const { read, contracts, rejected } = await importSourceFile(usaspending, "usaspending-database-export.csv");
  const contract = (award: number) =>
    contracts.get(`CONT_AWD_EX25F${String(award).padStart(4, "0")}_9700_EX25D0001_9700`);
  expect({ read, contracts: contracts.size, rejected }).toEqual({ read: 10, contracts: 10, rejected: [] });
  expect(contract(1)).toMatchObject({
    title: "Delivery order EX25F0001 to EXAMPLE, INC.: Information Technology Equipment, Software, and Supplies",
    amount_min: 100_000,
    amount_max: 150_000.5,
    project_end_date: "2026-12-07",
    states: ["VA"],
    funder_name: "Defense Invented Systems Agency",
    created_at: "2026-03-06T00:00:00.000Z",
    set_aside_code: "SBA",
    identifiers: ["EX25F0001", "EX25D0001"],
    listing_url: "https://www.usaspending.gov/award/CONT_AWD_EX25F0001_9700_EX25D0001_9700",
  });
  expect(contract(2)).toMatchObject({ amount_min: 200_000, amount_max: 200_000, set_aside_code: "HZC" });
  expect(contract(4)).toMatchObject({ states: [], is_national: false, geography: null });
});

describe("usaspending: values that the files lack", () => {
  const contractIn = (columns: Record<string, string>) =>
    recordIn(
      usaspending,
      "contracts",
      csvOf({
        contract_award_unique_key: "CONT_AWD_W912_9700_-NONE-_-NONE-",
        award_id_piid: "W91226C0007",
        recipient_name: "EXAMPLE, INC.",
        awarding_agency_name: "Department of Defense",
        ...columns,
      }),
    );

  test.each([
    ["a state without a country", { primary_place_of_performance_state_code: "VA" }, { states: ["VA"] }],
    [
      "a city alone",
      { primary_place_of_performance_city_name: "OKINAWA" },
      { states: [], is_national: false, geography: "OKINAWA" },
    ],
  ])("%s is the place", async (_, columns, expected) => {
    expect(await contractIn(columns)).toMatchObject(expected);
  });

  test.each([
    ["NONE", "NO SET ASIDE USED.", null],
    ["", "ECONOMICALLY DISADVANTAGED WOMEN OWNED SMALL BUSINESS SOLE SOURCE", "EDWOSBSS"],
    ["", "SMALL BUSINESS SET ASIDE - PARTIAL", "SBP"],
  ])("the set-aside %j, %j is %j", async (type_of_set_aside_code, type_of_set_aside, expected) => {
    expect((await contractIn({ type_of_set_aside_code, type_of_set_aside })).set_aside_code).toBe(expected);
  });
});
