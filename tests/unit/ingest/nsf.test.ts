import { describe, expect, test } from "vitest";
import { nsf } from "../../../ingest/sources/nsf.ts";
import { rowsOf } from "./helpers.ts";
import { csvOf, recordIn, recordsIn } from "./source-records.ts";

const answer = (...award: Record<string, string>[]) => JSON.stringify({ response: { award, metadata: { offset: 1 } } });
const award = { id: "2600001", title: "Radio &amp; Rocks", agency: "NSF" };
const grantIn = (members: Record<string, string> = {}) => recordIn(nsf, "grants", answer({ ...award, ...members }));

describe("nsf", () => {
  test("an award fills the record, field by field", async () => {
    const record = await grantIn({
      abstractText: "We listen.<br/>To rocks.",
      fundsObligatedAmt: "212291",
      estimatedTotalAmt: "396722",
      expDate: "09/30/2029",
      startDate: "10/01/2026",
      date: "07/31/2026",
      perfStateCode: "TX",
      perfCountryCode: "US",
      awardeeStateCode: "NM",
      awardeeName: "Example University",
      fundProgramName: "AERONOMY",
      orgLongName: "Directorate for Geosciences",
      orgLongName2: "Division Of Earth Sciences",
      cfdaNumber: "47.050, 47.079",
      piEmail: "[redacted]",
    });
    expect(record).toEqual({
      source: "nsf",
      source_id: "2600001",
      title: "Radio & Rocks",
      description: "We listen.\nTo rocks.\n\nRecipient: Example University\nProgram: AERONOMY",
      amount_min: 212_291,
      amount_max: 396_722,
      deadline_date: null,
      project_end_date: "2029-09-30",
      status: "closed",
      classification: "awarded_project",
      states: ["TX"],
      is_national: false,
      geography: "Texas",
      funder_name: "National Science Foundation",
      funder_source_id: "4900",
      listing_url: "https://www.nsf.gov/awardsearch/showAward?AWD_ID=2600001",
      created_at: "2026-07-31T00:00:00.000Z",
      archived_at: null,
      categories: ["Directorate for Geosciences", "Division Of Earth Sciences"],
      identifiers: ["2600001", "47.050", "47.079"],
      details: {
        agency: ["National Science Foundation", "Directorate for Geosciences", "Division Of Earth Sciences"],
        assistance_listings: [
          {
            number: "47.050",
            title: null,
          },
          {
            number: "47.079",
            title: null,
          },
        ],
        opportunity_number: "2600001",
        place_of_performance: {
          city: null,
          country: "US",
          state: "TX",
          zip: null,
        },
        total_funding: 396722,
      },
    });
  });

  test("without a place of work the awardee's counts, and one abroad is in no state", async () => {
    expect(await grantIn({ perfStateCode: "", awardeeStateCode: "NM" })).toMatchObject({ states: ["NM"] });
    expect(await grantIn({ perfCountryCode: "NA", perfCity: "Windhoek", awardeeStateCode: "NM" })).toMatchObject({
      states: [],
      geography: "Windhoek, Namibia",
      details: { place_of_performance: { country: "Namibia" } },
    });
    // Tables have NA where nothing is known.
    expect((await grantIn({ perfCountryCode: "NA", perfCity: "NA", awardeeStateCode: "NM" })).states).toEqual(["NM"]);
    expect(await grantIn({ perfCountryCode: "DE", perfCity: "Potsdam", awardeeStateCode: "NM" })).toMatchObject({
      states: [],
      is_national: false,
      geography: "Potsdam, DE",
    });
  });

  test("a table of awards gives the same record, with the beginnings of titles put back", async () => {
    const table = csvOf({
      award_id: "2600001",
      award_url: "https://www.nsf.gov/awardsearch/showAward?AWD_ID=2600001",
      program_prefix: "Collaborative Research, RAPID",
      title_clean: "Rocks, heard",
      institution: "Example University",
      state: "TX",
      directorate_full: "Directorate for Geosciences",
      amount_usd: "300000",
      start_date: "10/01/2026",
      end_date: "09/30/2029",
      abstract: "We listen.",
    });
    expect(await recordIn(nsf, "grants", table)).toMatchObject({
      source_id: "2600001",
      title: "Collaborative Research: RAPID: Rocks, heard",
      description: "We listen.\n\nRecipient: Example University",
      amount_max: 300_000,
      project_end_date: "2029-09-30",
      states: ["TX"],
      created_at: null,
      categories: ["Directorate for Geosciences"],
    });
  });

  test("an award has the same number in a table whose leading zeros a spreadsheet dropped", async () => {
    const table = (award_id: string) => csvOf({ award_id, title_clean: "Rocks", end_date: "", amount_usd: "1" });
    for (const id of ["215713", "0215713", "215713.0", '="0215713"']) {
      expect(await recordIn(nsf, "grants", table(id)), id).toMatchObject({
        source_id: "0215713",
        listing_url: "https://www.nsf.gov/awardsearch/showAward?AWD_ID=0215713",
        identifiers: ["0215713"],
        details: { opportunity_number: "0215713" },
      });
    }
    expect((await grantIn({ id: "0215713" })).source_id).toBe("0215713");
  });

  test("a row of a table that is broken is known by its number", async () => {
    const wholes = Array.from({ length: 20 }, (_, index) => `${2_600_000 + index},Rocks,05/28/2029,1\n`).join("");
    const rows = await rowsOf(
      nsf.read,
      `award_id,title_clean,end_date,amount_usd\n${wholes}7,Rocks\nsand,05/28/2029,1\n${wholes}`,
    );
    expect(rows[20]).toMatchObject({ reason: expect.stringMatching(/^the row has 2 values/), values: { id: "7" } });
  });

  test("every award of an answer is a record, and one without an id is rejected", async () => {
    const found = await recordsIn(nsf, answer(award, { ...award, id: "" }, { ...award, id: "2600002" }));
    expect(found).toMatchObject([
      { record: { source_id: "2600001" } },
      { reason: "has no award id" },
      { record: { source_id: "2600002" } },
    ]);
  });
});
