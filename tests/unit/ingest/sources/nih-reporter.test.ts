import { describe, expect, test } from "vitest";
import { nihReporter } from "../../../../ingest/sources/nih-reporter.ts";
import { recordIn, recordsIn } from "../source-records.ts";

const project = (id: number, changed: Record<string, unknown> = {}) => ({
  appl_id: id,
  fiscal_year: 2026,
  project_num: "5R01CA000001-02",
  core_project_num: "R01CA000001",
  project_title: `Project ${id}`,
  abstract_text: "Made up for tests.",
  phr_text: "Of use to nobody.",
  award_amount: 350_000,
  activity_code: "R01",
  funding_mechanism: "Research Projects",
  agency_code: "NIH",
  agency_ic_admin: { code: "CA", abbreviation: "NCI", name: "National Cancer Institute" },
  award_notice_date: "2026-01-15T00:00:00",
  project_start_date: "2025-01-01T00:00:00",
  project_end_date: "2028-12-31T00:00:00",
  organization: {
    org_name: "EXAMPLE UNIVERSITY",
    primary_uei: "EXAMPLEUEI01",
    org_city: "BOSTON",
    org_state: "MA",
    org_country: "UNITED STATES",
  },
  opportunity_number: "PA-20-185",
  cfda_code: "396",
  spending_categories_desc: "Cancer; Rare Diseases",
  project_detail_url: `https://reporter.example.gov/${id}`,
  ...changed,
});
const one = (changed: Record<string, unknown>) =>
  recordIn(nihReporter, "grants", JSON.stringify({ meta: { total: 1 }, results: [project(1, changed)] }));

describe("nih-reporter", () => {
  test("a project fills every field", async () => {
    expect(await one({})).toEqual({
      source: "nih-reporter",
      source_id: "1",
      title: "Project 1",
      description: "Made up for tests.\n\nOf use to nobody.\n\nFiscal year: 2026\nRecipient: EXAMPLE UNIVERSITY",
      amount_min: 350_000,
      amount_max: 350_000,
      deadline_date: null,
      project_end_date: "2028-12-31",
      status: "closed",
      classification: "awarded_project",
      states: ["MA"],
      is_national: false,
      geography: "Massachusetts",
      funder_name: "National Cancer Institute",
      funder_source_id: null,
      listing_url: "https://reporter.example.gov/1",
      created_at: "2026-01-15T00:00:00.000Z",
      archived_at: null,
      categories: ["Cancer", "Rare Diseases"],
      identifiers: ["5R01CA000001-02", "R01CA000001", "93.396", "PA-20-185"],
      details: {
        opportunity_number: "PA-20-185",
        notice_type: "R01",
        agency: [
          "Department of Health and Human Services",
          "National Institutes of Health",
          "National Cancer Institute",
        ],
        assistance_listings: [{ number: "93.396", title: null }],
        funding_instrument: ["grant"],
        place_of_performance: { city: "BOSTON", state: "MA", zip: null, country: "UNITED STATES" },
        recipient: {
          name: "EXAMPLE UNIVERSITY",
          uei: "EXAMPLEUEI01",
          ein: null,
          city: "BOSTON",
          state: "MA",
          country: "UNITED STATES",
        },
        award_number: "5R01CA000001-02",
        award_type: "Research Projects",
        obligated_amount: 350_000,
        project_start_date: "2025-01-01",
      },
    });
  });

  test.each([
    ["an answer on one line", JSON.stringify({ results: [project(1), project(2)] })],
    ["an answer on several lines", JSON.stringify({ results: [project(1), project(2)] }, null, 2)],
    ["a project a line", `${JSON.stringify(project(1))}\n${JSON.stringify(project(2))}\n`],
    ["a list", JSON.stringify([project(1), project(2)])],
  ])("%s is read", async (_, content) => {
    expect(await recordsIn(nihReporter, content)).toMatchObject([
      { record: { source_id: "1" } },
      { record: { source_id: "2" } },
    ]);
  });

  test("what the answer lacks is unknown: amounts, places abroad, listings", async () => {
    expect(await one({ award_amount: 0, cfda_code: null, award_notice_date: null })).toMatchObject({
      amount_min: null,
      amount_max: null,
      created_at: null,
    });
    expect(
      await one({ organization: { org_name: "EXAMPLE INST", org_state: null, org_country: "CANADA" } }),
    ).toMatchObject({ states: [], is_national: false, geography: "CANADA" });
    expect(await one({ organization: { org_state: "PR", org_country: "UNITED STATES" } })).toMatchObject({
      states: ["PR"],
    });
  });

  test.each([
    ["U54", "1U54CA000001-01", ["cooperative_agreement"]],
    [null, "1UG3CA000001-01", ["cooperative_agreement"]],
    [null, "75N91020C00001", ["procurement_contract"]],
    [null, "1ZIABC000003-10", ["other"]],
    ["F31", "5F31CA000001-02", ["grant"]],
  ])("activity %s of %s is %j", async (activity_code, project_num, expected) => {
    expect((await one({ activity_code, project_num })).details?.funding_instrument).toEqual(expected);
  });
});
