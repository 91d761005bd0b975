import { beforeAll, describe, expect, test } from "vitest";
import { grantsGovSite } from "../../../../ingest/sources/grants-gov-site.ts";
import { type ImportedFile, importSourceFile } from "./imported-file.ts";

describe("grants-gov-site: detailed data of the search", () => {
  let file: ImportedFile;
  beforeAll(async () => {
    file = await importSourceFile(grantsGovSite, "grants-gov-site-export.csv");
  });

  test("an opportunity has the id in its link, and its number beside it", () => {
    expect(file.grants.get("900001")).toMatchObject({
      title: "Ferries for Small Islands",
      description: "Boats & piers.",
      amount_min: 1_000,
      amount_max: 300_000,
      deadline_date: "2027-01-15",
      status: "posted",
      is_national: true,
      funder_name: "Federal Transit Example",
      listing_url: "https://www.grants.gov/search-results-detail/900001",
      created_at: "2026-06-06T00:00:00.000Z",
      categories: ["Transportation"],
      details: {
        opportunity_number: "EX-27-001",
        notice_type: "Synopsis",
        assistance_listings: [{ number: "20.999", title: "Ferries" }],
        funding_instrument: ["grant"],
        cost_sharing: false,
        expected_awards: 40,
        total_funding: 12_000_000,
        contact: { name: "A. Person", email: "person@example.gov", phone: null },
        deadline_at: "2027-01-15T23:59:00-05:00",
        deadline_assumed: true,
      },
    });
    expect(file.grants.get("900002")).toMatchObject({
      status: "forecasted",
      categories: ["Transportation", "Housing"],
      details: { notice_type: "Forecast", funding_instrument: ["cooperative_agreement"], cost_sharing: true },
    });
  });

  test("fields without a value keep their stored ones, and nothing is archived", () => {
    expect(file.grants.get("900002")).not.toHaveProperty("amount_max", 0);
    expect(grantsGovSite.isFull).toBe(false);
  });

  test("a number that links nowhere is rejected", () => {
    expect(file.rejected.map(({ reason }) => reason)).toContain(
      "OPPORTUNITY NUMBER does not link to the opportunity's page, whose address has its id",
    );
  });
});
