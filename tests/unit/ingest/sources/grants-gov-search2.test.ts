import { describe, expect, test } from "vitest";
import { unknownPast } from "../../../../ingest/record.ts";
import { grantsGovSearch2 } from "../../../../ingest/sources/grants-gov-search2.ts";
import { recordIn } from "../source-records.ts";
import { importSourceFile, importSourceFiles } from "./imported-file.ts";

describe("grants-gov-search2: answers of the API", () => {
  test("every hit of a page is a record, and one that comes twice is one", async () => {
    const { read, grants, rejected, repeated } = await importSourceFile(grantsGovSearch2, "search2.json");
    expect({ read, grants: grants.size, rejected }).toEqual({ read: 11, grants: 10, rejected: [] });
    expect(repeated.map(({ source_id }) => source_id)).toEqual(["350031"]);
    expect(grants.get("350001")).toEqual({
      source: "grants-gov",
      source_id: "350001",
      title: "Clearer Water for Lakeside Towns – Round 2",
      deadline_date: "2026-07-15",
      status: "posted",
      archived_at: null,
      states: [],
      is_national: true,
      geography: "National",
      funder_name: "Office of Lakes and Rivers",
      funder_source_id: "EPA-OLR",
      listing_url: "https://www.grants.gov/search-results-detail/350001",
      created_at: "2026-04-15T00:00:00.000Z",
      identifiers: ["EPA-OLR-26-01", "66.998", "66.997", "10.998", "350001"],
      details: {
        agency: ["Environmental Protection Agency", "Office of Lakes and Rivers"],
        assistance_listings: [
          {
            number: "66.998",
            title: null,
          },
          {
            number: "66.997",
            title: null,
          },
          {
            number: "10.998",
            title: null,
          },
        ],
        deadline_assumed: true,
        deadline_at: "2026-07-15T23:59:00-04:00",
        notice_type: "Synopsis",
        opportunity_number: "EPA-OLR-26-01",
      },
    });
    expect(grants.get("350031")).not.toHaveProperty("deadline_date");
    expect(grants.get("350032")?.title).toBe("Côte d'Azur Sister Lakes");
    expect(grants.get("350033")).toMatchObject({ status: "forecasted" });
    expect(grants.get("350035")).toMatchObject({ is_national: false, states: [], geography: "Jordan" });
    expect(grants.get("350036")).toMatchObject({ status: "closed", archived_at: null });
    expect(grants.get("350037")).toMatchObject({ status: "closed", archived_at: unknownPast });
    expect(grants.get("350038")).toMatchObject({ status: "closed", archived_at: unknownPast });
    expect(grants.get("350039")?.title).toBe('Ropes "Above Water"');
  });

  test("an answer of fetchOpportunity fills every field that it knows, and leaves the others", async () => {
    const { read, grants } = await importSourceFile(grantsGovSearch2, "fetchOpportunity-350001.json");
    expect(read).toBe(1);
    expect(grants.get("350001")).toEqual({
      source: "grants-gov",
      source_id: "350001",
      title: "Clearer Water for Lakeside Towns – Round 2",
      description: "Towns on a lake may test their water weekly.\n\n- test kits\n- teachers",
      amount_max: 500_000,
      deadline_date: "2026-07-15",
      status: "posted",
      states: [],
      is_national: true,
      geography: "National",
      funder_name: "Office of Lakes and Rivers",
      funder_source_id: "EPA-OLR",
      listing_url: "https://www.grants.gov/search-results-detail/350001",
      created_at: "2026-04-15T00:00:00.000Z",
      archived_at: "2026-08-14T00:00:00.000Z",
      categories: ["Environment", "Education"],
      identifiers: ["EPA-OLR-26-01", "66.998", "66.997", "350001"],
      details: {
        agency: ["Environmental Protection Agency", "Office of Lakes and Rivers"],
        applicant_types: ["government_municipal"],
        assistance_listings: [
          { number: "66.998", title: "Invented Program" },
          { number: "66.997", title: "Invented Program" },
        ],
        cost_sharing: false,
        deadline_assumed: true,
        deadline_at: "2026-07-15T23:59:00-04:00",
        contact: { name: "Pat Example", email: "pat@example.gov", phone: "555-0100" },
        documents: [
          {
            name: "announcement.pdf",
            url: "https://apply07.grants.gov/grantsws/rest/opportunity/att/download/2",
            type: "application/pdf",
            size: 2_048,
            updated_at: "2026-04-15T19:39:47.000Z",
          },
        ],
        eligibility_text: "Towns on a lake.",
        expected_awards: 8,
        funding_instrument: ["grant"],
        notice_type: "Synopsis",
        opportunity_number: "EPA-OLR-26-01",
        total_funding: 4_000_000,
      },
    });
  });

  test.each([
    ["after", ["search2.json", "fetchOpportunity-350001.json"]],
    ["before", ["fetchOpportunity-350001.json", "search2.json"]],
  ])("an answer of fetchOpportunity %s a page that has the opportunity, in one run, is kept", async (_, names) => {
    const { grants } = await importSourceFiles(grantsGovSearch2, names);
    expect(grants.size).toBe(10);
    expect(grants.get("350001")?.details).toMatchObject({ documents: expect.arrayContaining([expect.anything()]) });
  });

  test("an answer of fetchOpportunity may be a forecast", async () => {
    const { grants } = await importSourceFile(grantsGovSearch2, "fetchOpportunity-350040-forecast.json");
    expect(grants.get("350040")).toMatchObject({
      description: "Rivers follow lakes.",
      amount_min: 50_000,
      amount_max: 250_000,
      deadline_date: "2026-11-02",
      created_at: "2026-05-20T00:00:00.000Z",
      status: "forecasted",
      categories: ["Natural Resources"],
      identifiers: ["EPA-OLR-27-02", "66.996", "350040"],
    });
  });

  test("a page that found nothing has no record", async () => {
    const { read, grants, rejected } = await importSourceFile(grantsGovSearch2, "search2-nothing-found.json");
    expect({ read, grants: grants.size, rejected }).toEqual({
      read: 1,
      grants: 0,
      rejected: [{ source_id: null, reason: "has no opportunity id; perhaps the search found nothing" }],
    });
  });
});

describe("grants-gov-search2: values that the answers lack", () => {
  const page = (...hits: unknown[]) => JSON.stringify({ errorcode: 0, data: { hitCount: hits.length, oppHits: hits } });
  const hit = {
    id: "300002",
    number: "HHS-1",
    title: "Healthy Cooking &amp; More",
    agencyCode: "HHS-X",
    agency: "Health Office",
    openDate: "05/03/2026",
    closeDate: "08/17/2026",
    oppStatus: "posted",
    docType: "synopsis",
    cfdaList: ["93.990"],
  };
  const grantIn = (answer: string) => recordIn(grantsGovSearch2, "grants", answer);

  test("a hit without its agency leaves the stored place and funder, and other names of its members count", async () => {
    const { agency, cfdaList, ...rest } = hit;
    const lacking = await grantIn(page(rest));
    for (const field of ["is_national", "states", "geography", "funder_name"])
      expect(lacking).not.toHaveProperty(field);
    expect(lacking.details).not.toHaveProperty("assistance_listings");
    expect(await grantIn(page({ ...rest, agencyName: "U.S. Mission to Georgia", alnist: cfdaList }))).toMatchObject({
      funder_name: "U.S. Mission to Georgia",
      is_national: false,
      states: [],
      geography: "Georgia",
      identifiers: ["HHS-1", "93.990", "300002"],
    });
    const data = { id: 1, opportunityTitle: "Cook", opportunityNumber: "X-1", alns: [{ alnNumber: "93.990" }] };
    expect((await grantIn(JSON.stringify({ data }))).identifiers).toEqual(["X-1", "93.990", "1"]);
    expect(agency).toBe("Health Office");
  });

  test("fetchOpportunity leaves out a floor above the ceiling, as the extract does", async () => {
    const amountsOf = async (synopsis: object) =>
      await grantIn(JSON.stringify({ data: { id: 1, opportunityTitle: "Cook", synopsis } }));
    const contradicting = await amountsOf({
      awardFloor: "500000",
      awardCeiling: "50000",
      responseDate: "Aug 17, 2026",
    });
    // Null empties the stored floor, which would be above the new ceiling.
    expect(contradicting).toMatchObject({ amount_min: null, amount_max: 50_000, deadline_date: "2026-08-17" });
    expect(await amountsOf({ awardFloor: "5000", awardCeiling: "50000" })).toMatchObject({
      amount_min: 5_000,
      amount_max: 50_000,
    });
  });
});
