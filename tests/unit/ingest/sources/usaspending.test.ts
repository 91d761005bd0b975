import { beforeAll, describe, expect, test } from "vitest";
import { usaspending } from "../../../../ingest/sources/usaspending.ts";
import { chunksOf } from "../helpers.ts";
import { csvOf, recordIn, recordsIn } from "../source-records.ts";
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
        award_number: "EX26C0001",
        award_type: "Definitive contract",
        notice_type: "Definitive contract",
        obligated_amount: 1_500_000.5,
        place_of_performance: {
          city: "FAIRBANKS",
          country: "USA",
          state: "AK",
          zip: "997030000",
        },
        project_start_date: "2025-02-03",
        psc: "J044",
        recipient: {
          name: "INVENTED BOILERS LLC",
          uei: "EXAMPLEUEI01",
          ein: null,
          city: "FAIRBANKS",
          state: "AK",
          country: "USA",
        },
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

describe("usaspending: assistance awards", () => {
  const award = {
    assistance_award_unique_key: "ASST_NON_90CA1234_075",
    award_id_fain: "90CA1234",
    total_obligated_amount: "1000000.00",
    total_outlayed_amount: "250000.50",
    total_funding_amount: "1250000.00",
    award_base_action_date: "2024-09-30",
    period_of_performance_start_date: "2024-09-30",
    period_of_performance_current_end_date: "2027-09-29",
    awarding_agency_name: "Department of Health and Human Services",
    awarding_sub_agency_code: "7590",
    awarding_sub_agency_name: "Administration for Children and Families",
    recipient_uei: "EXAMPLEUEI01",
    recipient_name: "EXAMPLE FAMILY CENTER",
    recipient_city_name: "COLUMBUS",
    recipient_state_code: "OH",
    recipient_country_code: "USA",
    primary_place_of_performance_country_code: "USA",
    primary_place_of_performance_state_name: "OHIO",
    cfda_numbers_and_titles: "93.670: CHILD ABUSE AND NEGLECT; 93.KT1: OTHER",
    assistance_type_description: "PROJECT GRANT (B)",
    prime_award_base_transaction_description: "Made up for tests",
    funding_opportunity_number: "HHS-2024-ACF-0001",
  };
  const grantIn = (changed: Record<string, string> = {}) =>
    recordIn(usaspending, "grants", csvOf({ ...award, ...changed }));

  test("an award fills every field", async () => {
    expect(await grantIn()).toEqual({
      source: "usaspending",
      source_id: "ASST_NON_90CA1234_075",
      title: "Made up for tests",
      description:
        "Made up for tests\n\nRecipient: EXAMPLE FAMILY CENTER\nAward type: Project grant\nProgramme: 93.670: CHILD ABUSE AND NEGLECT; 93.KT1: OTHER",
      amount_min: 1_000_000,
      amount_max: 1_000_000,
      deadline_date: null,
      project_end_date: "2027-09-29",
      status: "closed",
      classification: "awarded_project",
      states: ["OH"],
      is_national: false,
      geography: "Ohio",
      funder_name: "Administration for Children and Families",
      funder_source_id: "7590",
      listing_url: "https://www.usaspending.gov/award/ASST_NON_90CA1234_075",
      created_at: "2024-09-30T00:00:00.000Z",
      archived_at: null,
      categories: [],
      identifiers: ["90CA1234", "HHS-2024-ACF-0001"],
      details: {
        agency: ["Department of Health and Human Services", "Administration for Children and Families"],
        opportunity_number: "HHS-2024-ACF-0001",
        assistance_listings: [
          { number: "93.670", title: "CHILD ABUSE AND NEGLECT" },
          { number: "93.KT1", title: "OTHER" },
        ],
        funding_instrument: ["grant"],
        place_of_performance: { city: null, state: "OHIO", zip: null, country: "USA" },
        recipient: {
          name: "EXAMPLE FAMILY CENTER",
          uei: "EXAMPLEUEI01",
          ein: null,
          city: "COLUMBUS",
          state: "OH",
          country: "USA",
        },
        award_number: "90CA1234",
        award_type: "Project grant",
        obligated_amount: 1_000_000,
        outlayed_amount: 250_000.5,
        project_start_date: "2024-09-30",
      },
    });
  });

  test("an award without a description is named by its type, number, recipient and programme", async () => {
    expect(
      await grantIn({
        prime_award_base_transaction_description: "",
        cfda_numbers_and_titles: "",
        cfda_number: "93.670",
        cfda_title: "CHILD ABUSE AND NEGLECT",
      }),
    ).toMatchObject({
      title: "Project grant 90CA1234 to EXAMPLE FAMILY CENTER: CHILD ABUSE AND NEGLECT",
      details: { assistance_listings: [{ number: "93.670", title: "CHILD ABUSE AND NEGLECT" }] },
    });
  });

  test("a loan's amount is its face value, not its cost alone; an agreement is one", async () => {
    expect(
      await grantIn({
        assistance_type_description: "DIRECT LOAN (E)",
        total_obligated_amount: "-20.00",
        total_face_value_of_loan: "50000",
      }),
    ).toMatchObject({
      amount_max: 50_000,
      details: { funding_instrument: ["other"], obligated_amount: -20 },
    });
    const { details } = await grantIn({ assistance_type_description: "COOPERATIVE AGREEMENT (B)" });
    expect(details?.funding_instrument).toEqual(["cooperative_agreement"]);
  });

  test("words for no announcement are no number", async () => {
    for (const none of ["NONE", "N/A", "Not applicable"])
      expect((await grantIn({ funding_opportunity_number: none })).details).not.toHaveProperty("opportunity_number");
  });

  test("of an award's transactions, the latest counts, wherever it stands", async () => {
    const { assistance_award_unique_key: key, ...rest } = award;
    const transaction = (action_date: string, end: string, total: string) => ({
      assistance_transaction_unique_key: `T${action_date}`,
      assistance_award_unique_key: key,
      ...rest,
      action_date,
      period_of_performance_current_end_date: end,
      total_obligated_amount: total,
    });
    const rows = [
      transaction("2025-01-01", "2026-01-01", "2"),
      transaction("2026-03-02", "2028-01-01", "4"),
      transaction("2026-03-01", "2027-01-01", "3"),
    ];
    const { grants, read } = await importSourceFile(usaspending, "transactions", chunksOf(csvOf(...rows)));
    expect(read).toBe(3);
    expect([...grants.values()]).toMatchObject([{ source_id: key, project_end_date: "2028-01-01", amount_max: 4 }]);
  });

  test("a file of another product is refused by its columns", async () => {
    await expect(
      recordsIn(usaspending, csvOf({ subaward_number: "1", recipient_name: "R", awarding_agency_name: "A" })),
    ).rejects.toThrow("has neither contract_award_unique_key nor assistance_award_unique_key");
  });
});
