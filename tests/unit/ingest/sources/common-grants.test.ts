import { describe, expect, test } from "vitest";
import { commonGrants, commonGrantsAt } from "../../../../ingest/sources/common-grants.ts";
import { importSourceFile } from "./imported-file.ts";

const simpler = commonGrantsAt(new URL("https://api.simpler.grants.gov/common-grants/opportunities"));

describe("common-grants", () => {
  test("an opportunity of our own API fills every field", async () => {
    const { grants, rejected } = await importSourceFile(commonGrants, "common-grants.json");
    expect(rejected).toEqual([]);
    expect(grants.get("cb75c555-bd5f-891d-a251-07bba87727b9")).toMatchObject({
      source: "common-grants",
      title: "Ferries for Small Islands",
      description: "Money for boats & piers",
      amount_min: 5_000.5,
      amount_max: 250_000,
      deadline_date: "2027-01-15",
      status: "open",
      classification: "opportunity",
      states: ["OH"],
      funder_name: "Federal Transit Example",
      listing_url: "https://transit.example.gov/ferries",
      created_at: "2026-06-01T12:30:00.000Z",
      categories: ["Transportation"],
      identifiers: ["EX-27-001", "20.999", "20.998"],
      details: {
        opportunity_number: "EX-27-001",
        notice_type: "Call",
        agency: ["Department of Examples", "Federal Transit Example"],
        applicant_types: ["government_state", "custom"],
        eligibility_text: "Islands",
        assistance_listings: [
          { number: "20.999", title: "Ferries, Piers, and Quays" },
          { number: "20.998", title: null },
        ],
        funding_instrument: ["grant", "cooperative_agreement"],
        cost_sharing: false,
        expected_awards: 5,
        total_funding: 1_000_000,
        place_of_performance: { city: "Put-in-Bay", state: "OH" },
        contact: { name: "A. Person", email: "person@example.gov", phone: "202-555-0101" },
        documents: [
          {
            url: "https://transit.example.gov/call.pdf",
            name: "call.pdf",
            type: "application/pdf",
            size: 1_234,
            updated_at: "2026-06-02T00:00:00.000Z",
          },
        ],
        deadline_at: "2027-01-15T17:00:00-05:00",
        deadline_note: "By the last boat",
      },
    });
  });

  test("one of Simpler.Grants.gov is the record of Grants.gov, as its extract has it", async () => {
    const { grants, notes } = await importSourceFile(simpler, "common-grants.json");
    expect(notes).toContain("350002: amount_max is not in US dollars; left out");
    const record = grants.get("350002");
    expect(record).toMatchObject({
      source: "grants-gov",
      status: "forecasted",
      deadline_date: "2027-03-01",
      is_national: true,
      funder_name: "Wells Example",
      funder_source_id: "DOX-WEL",
      listing_url: "https://www.grants.gov/search-results-detail/350002",
      created_at: "2026-05-01T00:00:00.000Z",
      identifiers: ["EX-27-002", "350002"],
      details: {
        notice_type: "Forecast",
        agency: ["Department of Examples", "Wells Example"],
        cost_sharing: true,
        contact: { name: "B. Person", email: "wells@example.gov", phone: "202-555-0102" },
        documents: [{ url: "https://wells.example.gov/more", name: "More about wells" }],
        deadline_at: "2027-03-01T23:59:00-05:00",
        deadline_assumed: true,
      },
    });
    expect(record).not.toHaveProperty("categories");
  });

  test("one that another API passes on is so, too, by its federal number", async () => {
    const { grants } = await importSourceFile(commonGrants, "common-grants.json");
    expect(grants.get("350002")).toMatchObject({ source: "grants-gov", listing_url: "https://wells.example.gov/more" });
  });

  test("words, ranges of days and a missing funder of another publisher are read", async () => {
    const { grants, notes } = await importSourceFile(commonGrants, "common-grants.json");
    expect(grants.get("bbbbbbbb-0000-4000-8000-000000000003")).toMatchObject({
      source: "common-grants",
      status: "open",
      deadline_date: "2027-02-01",
      funder_name: "bridges.example.org",
      details: {
        applicant_types: ["government_county", "government_municipal"],
        eligibility_text: "Walkers, Riders",
        deadline_note: expect.stringContaining("12:00"),
      },
    });
    expect(notes).toContainEqual(expect.stringContaining("funder_name is the host of the notice"));
  });

  test("one without an id is rejected", () => {
    expect(commonGrants.map({ title: "No id" })).toEqual({ reason: "has no id", source_id: null });
  });

  test("custom fields and members of any shape reject nothing by an exception", () => {
    for (const junk of [null, 1, "text", [], [null], {}]) {
      const row = {
        id: "1",
        title: "T",
        status: junk,
        funding: junk,
        keyDates: junk,
        acceptedApplicantTypes: junk,
        source: junk,
      };
      const names = ["agency", "attachments", "costSharing", "contactInfo", "assistanceListings", "legacySerialId"];
      const customFields = Object.fromEntries(names.map((name) => [name, { value: junk }]));
      expect(commonGrants.map({ ...row, customFields })).toHaveLength(1);
      expect(commonGrants.map({ ...row, customFields: junk })).toHaveLength(1);
    }
  });
});
