import { describe, expect, test } from "vitest";
import { simpler } from "../../../../ingest/sources/simpler.ts";
import { recordIn } from "../source-records.ts";
import { fixtureText, importSourceFile } from "./imported-file.ts";

describe("simpler: the CSV that the site exports", () => {
  test("an opportunity fills every field", async () => {
    const { grants, rejected, notes } = await importSourceFile(simpler, "simpler-export.csv");
    expect({ size: grants.size, rejected, notes }).toEqual({ size: 3, rejected: [], notes: [] });
    expect(grants.get("aaaaaaaa-0000-4000-8000-000000000001")).toMatchObject({
      source: "grants-gov",
      title: "Ferries for Small Islands",
      description: "Money for boats & piers",
      amount_min: null,
      amount_max: 250_000,
      deadline_date: "2027-01-15",
      status: "posted",
      archived_at: "2027-02-14T00:00:00.000Z",
      is_national: true,
      funder_name: "Federal Transit Example",
      funder_source_id: "DOX-FTX",
      listing_url: "https://simpler.grants.gov/opportunity/aaaaaaaa-0000-4000-8000-000000000001",
      created_at: "2026-06-01T00:00:00.000Z",
      categories: ["Transportation", "Science and Technology and other Research and Development"],
      identifiers: ["EX-27-001", "20.999", "20.998"],
      details: {
        opportunity_number: "EX-27-001",
        notice_type: "Synopsis",
        agency: ["Department of Examples", "Federal Transit Example"],
        applicant_types: ["government_state", "government_tribal", "custom"],
        assistance_listings: [
          { number: "20.999", title: "Ferries, Piers, and Quays" },
          { number: "20.998", title: "Boats" },
        ],
        funding_instrument: ["grant", "cooperative_agreement"],
        cost_sharing: false,
        expected_awards: 5,
        total_funding: 1_000_000,
        contact: { name: "A. Person", email: "person@example.gov", phone: "202-555-0101" },
        documents: [{ url: "https://ferries.example.gov/", name: "More about ferries" }],
        deadline_at: "2027-01-15T23:59:00-05:00",
        deadline_assumed: true,
      },
    });
    expect(grants.get("aaaaaaaa-0000-4000-8000-000000000002")).toMatchObject({
      status: "forecasted",
      deadline_date: "2027-03-01",
      details: {
        notice_type: "Forecast",
        applicant_types: ["unrestricted"],
        funding_instrument: ["other"],
        assistance_listings: [{ number: "20.KT1", title: "Research" }],
        deadline_note: "Applications due 60 days after posting",
      },
    });
    expect(grants.get("aaaaaaaa-0000-4000-8000-000000000003")).toMatchObject({
      archived_at: "2020-09-01T00:00:00.000Z",
    });
  });
});

describe("simpler: JSON", () => {
  const content = fixtureText("simpler.json");
  const [opportunity] = (JSON.parse(content) as { opportunities: object[] }).opportunities;

  test.each([
    ["the extract", content],
    ["in one line", JSON.stringify(JSON.parse(content))],
    ["one opportunity a line", `${JSON.stringify(opportunity)}\n`],
    [
      "an answer of the API",
      JSON.stringify({ message: "Success", data: [opportunity], pagination_info: { page_offset: 1 } }),
    ],
  ])("%s is known by Grants.gov's id, and has its attachments", async (_, text) => {
    expect(await recordIn(simpler, "grants", text)).toMatchObject({
      source_id: "900001",
      listing_url: "https://www.grants.gov/search-results-detail/900001",
      amount_max: 250_000,
      deadline_date: "2027-01-15",
      identifiers: ["EX-27-001", "20.999", "900001"],
      details: {
        assistance_listings: [{ number: "20.999", title: "Ferries, Piers, and Quays" }],
        cost_sharing: false,
        documents: [
          {
            url: "https://cdn.example.gov/ferries.pdf",
            name: "The notice",
            type: "application/pdf",
            size: 1024,
            updated_at: "2026-06-02T12:00:00.000Z",
          },
          { url: "https://ferries.example.gov/" },
        ],
      },
    });
  });
});
