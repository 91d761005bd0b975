import { describe, expect, test } from "vitest";
import { usaspending } from "../../../ingest/sources/usaspending.ts";
import { csvOf, recordIn, recordsIn } from "./source-records.ts";

const award = (columns: Record<string, string> = {}) =>
  csvOf({
    contract_award_unique_key: "CONT_AWD_W912_9700_-NONE-_-NONE-",
    award_id_piid: "W91226C0007",
    recipient_name: "EXAMPLE, INC.",
    awarding_agency_name: "Department of Defense",
    ...columns,
  });

const contractIn = (columns?: Record<string, string>) => recordIn(usaspending, "contracts", award(columns));

describe("usaspending", () => {
  test("an award fills the record, field by field", async () => {
    const record = await contractIn({
      award_type: "DEFINITIVE CONTRACT",
      total_obligated_amount: "1500.5",
      potential_total_value_of_award: "9000.00",
      award_base_action_date: "2025-02-03",
      award_latest_action_date: "2026-04-05",
      period_of_performance_current_end_date: "2027-01-31",
      period_of_performance_potential_end_date: "2030-01-31",
      awarding_sub_agency_code: "2100",
      awarding_sub_agency_name: "Department of the Army",
      primary_place_of_performance_country_code: "USA",
      primary_place_of_performance_state_code: "AK",
      type_of_set_aside_code: "8A",
      type_of_set_aside: "8A COMPETED",
      extent_competed: "FULL AND OPEN COMPETITION",
      prime_award_base_transaction_description: "BOILER REPAIR",
      product_or_service_code: "J044",
      naics_code: "238220",
      naics_description: "PLUMBING CONTRACTORS",
      usaspending_permalink: "https://www.usaspending.gov/award/CONT_AWD_W912/",
    });
    expect(record).toEqual({
      source: "usaspending",
      source_id: "CONT_AWD_W912_9700_-NONE-_-NONE-",
      title: "BOILER REPAIR",
      description: [
        "BOILER REPAIR\n",
        "Recipient: EXAMPLE, INC.",
        "Award type: DEFINITIVE CONTRACT",
        "Product or service: Maintenance, Repair, and Rebuilding of Equipment",
        "Industry: PLUMBING CONTRACTORS",
        "Competition: FULL AND OPEN COMPETITION",
      ].join("\n"),
      amount_min: 1_500.5,
      amount_max: 9_000,
      deadline_date: null,
      project_end_date: "2027-01-31",
      status: "awarded",
      classification: "awarded_project",
      states: ["AK"],
      is_national: false,
      geography: "Alaska",
      funder_name: "Department of the Army",
      funder_source_id: "2100",
      listing_url: "https://www.usaspending.gov/award/CONT_AWD_W912/",
      created_at: "2025-02-03T00:00:00.000Z",
      archived_at: null,
      categories: ["Maintenance, Repair, and Rebuilding of Equipment"],
      identifiers: ["W91226C0007"],
      document_url: null,
      naics: "238220",
      primary_contact_email: null,
      set_aside_code: "8A",
      details: {
        agency: ["Department of Defense", "Department of the Army"],
        notice_type: "Definitive contract",
        opportunity_number: "W91226C0007",
        place_of_performance: {
          city: null,
          country: "USA",
          state: "AK",
          zip: null,
        },
        psc: "J044",
      },
    });
  });

  test("an award without a description is called by its type, number, recipient and what is bought", async () => {
    const order = { award_type: "BPA CALL", award_id_piid: "0021", parent_award_id_piid: "W91219A0001" };
    expect(await contractIn({ ...order, product_or_service_code: "DA01" })).toMatchObject({
      title: "BPA call W91219A0001-0021 to EXAMPLE, INC.: Information Technology and Telecommunications",
      identifiers: ["W91219A0001-0021", "W91219A0001"],
    });
  });

  test("a description that is longer than a title is cut between words there, and whole below", async () => {
    const description = `REPAIR OF ${"BOILERS AND ".repeat(40)}CHILLERS`;
    const record = await contractIn({ prime_award_base_transaction_description: description });
    expect(record.title).toMatch(/^REPAIR OF BOILERS AND .* (AND|BOILERS)\.\.\.$/);
    expect(record.title?.length).toBeLessThanOrEqual(203);
    expect(record.description).toContain(description);
  });

  test.each([
    ["JPN", "", { states: [], is_national: false, geography: "OKINAWA, JPN" }],
    ["USA", "", { states: [], is_national: true, geography: "National" }],
    ["", "VA", { states: ["VA"], is_national: false }],
    ["", "", { states: [], is_national: false, geography: "OKINAWA" }],
  ])("the place of performance %j %j is %j", async (country, state, expected) => {
    const columns = {
      primary_place_of_performance_country_code: country,
      primary_place_of_performance_state_code: state,
      // With the United States, a city would be a place.
      primary_place_of_performance_city_name: country === "USA" ? "" : "OKINAWA",
    };
    expect(await contractIn(columns)).toMatchObject(expected);
  });

  test.each([
    ["NONE", "NO SET ASIDE USED.", null],
    ["", "SERVICE DISABLED VETERAN OWNED SMALL BUSINESS SET-ASIDE", "SDVOSBC"],
    ["", "ECONOMICALLY DISADVANTAGED WOMEN OWNED SMALL BUSINESS SOLE SOURCE", "EDWOSBSS"],
    ["", "SMALL BUSINESS SET ASIDE - PARTIAL", "SBP"],
    ["BI", "BUY INDIAN", "BICIV"],
  ])("the set-aside %j, %j is %j", async (type_of_set_aside_code, type_of_set_aside, expected) => {
    expect((await contractIn({ type_of_set_aside_code, type_of_set_aside })).set_aside_code).toBe(expected);
  });

  test("a vehicle ends with its ordering period, and a correction of the books is no amount", async () => {
    expect(await contractIn({ ordering_period_end_date: "2029-09-30", total_obligated_amount: "-0.01" })).toMatchObject(
      { project_end_date: "2029-09-30", amount_min: null, amount_max: null },
    );
  });

  test("an export of the database with names of its own is read as well", async () => {
    const row = {
      award_id: "CONT_AWD_1",
      piid: "W91226C0007",
      awardee_name_raw: "EXAMPLE, INC.",
      awarding_agency_raw: "Department of Defense",
      awarding_subagency_raw: "U.S. Cyber Command",
      date_signed: "2026-03-06",
      potential_value: "0.0",
      total_obligated_amount: "300000.0",
      pop_current_end_date: "2026-12-07",
      naics: "541512",
      place_of_performance_state: "WA",
    };
    expect(await recordIn(usaspending, "contracts", csvOf(row))).toMatchObject({
      source_id: "CONT_AWD_1",
      amount_min: 300_000,
      amount_max: 300_000,
      project_end_date: "2026-12-07",
      states: ["WA"],
      funder_name: "U.S. Cyber Command",
      created_at: "2026-03-06T00:00:00.000Z",
      listing_url: "https://www.usaspending.gov/award/CONT_AWD_1",
    });
    expect(await recordsIn(usaspending, csvOf({ ...row, award_id: "" }))).toEqual([
      { reason: "has no award key", source_id: null },
    ]);
  });
});
