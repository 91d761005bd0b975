import { describe, expect, test } from "vitest";
import { ColumnDate } from "../../../ingest/fields/date.ts";
import {
  parseAgencyPath,
  parseApplicantTypes,
  parseAssistanceListings,
  parseAwardCount,
  parseCostSharing,
  parseDeadlineMoment,
  parseDocuments,
  parseFundingInstruments,
  parsePerformancePlace,
  parsePsc,
} from "../../../ingest/fields/details.ts";
import { assumedDeadline } from "../../../ingest/sources/grants-gov-values.ts";

const nonprofits = ["non_profit_with_501c3", "nonprofit_without_501c3"];
const local = ["government_county", "government_municipal", "government_special_district"];
const businesses = ["for_profit_small_business", "for_profit_not_small_business"];

describe("applicant types", () => {
  test.each<[string, string[]]>([
    // Grants.gov's codes, and its words for them.
    ["00", ["government_state"]],
    ["7", ["government_tribal"]],
    ["25", ["custom"]],
    ["99", ["unrestricted"]],
    ["Unrestricted (i.e., open to any type of entity below), subject to any clarification", ["unrestricted"]],
    ["City or township governments", ["government_municipal"]],
    ["Public and State controlled institutions of higher education", ["higher_education_public"]],
    ["Private institutions of higher education", ["higher_education_private"]],
    ["Native American tribal governments (Federally recognized)", ["government_tribal"]],
    [
      "Native American tribal organizations (other than Federally recognized tribal governments)",
      ["organization_tribal_other"],
    ],
    ["Public housing authorities/Indian housing authorities", ["custom"]],
    [
      "Nonprofits having a 501(c)(3) status with the IRS, other than institutions of higher education",
      ["non_profit_with_501c3"],
    ],
    [
      "Nonprofits that do not have a 501(c)(3) status with the IRS, other than institutions of higher education",
      ["nonprofit_without_501c3"],
    ],
    ["For profit organizations other than small businesses", ["for_profit_not_small_business"]],
    ["Small businesses", ["for_profit_small_business"]],
    // Assistance listings and states' portals.
    [
      "State (includes District of Columbia, public institutions of higher education and hospitals)",
      ["government_state"],
    ],
    ["Local (includes State-designated Indian Tribes, excludes institutions of higher education", local],
    ["Profit organization", businesses],
    ["Not-for-profit organizations", nonprofits],
    ["Eligibility is open to any nonprofit corporation", nonprofits],
    ["County or Municipal Government", ["government_county", "government_municipal"]],
    ["state, local or tribal government agencies", ["government_state", ...local, "government_tribal"]],
    ["Business, Municipality, Nonprofit", ["government_municipal", ...nonprofits, ...businesses]],
    ["501(c)(6) organization", ["organization"]],
    ["Fire Companies (Volunteer)", ["custom"]],
    // Who is not eligible.
    ["Public agencies or private nonprofits. Individuals are not eligible to apply.", [...local, ...nonprofits]],
    ["Nonprofits; individuals are not eligible", nonprofits],
    ["Nonprofits that are not debarred or excluded from federal programs", nonprofits],
    ["Nonprofits are eligible, individuals are not eligible", nonprofits],
    ["Nonprofits (individuals are not eligible)", nonprofits],
    ["Small businesses, but individuals cannot apply", ["for_profit_small_business"]],
    ["Nonprofits, but not individuals", nonprofits],
    ["Nonprofits except schools", nonprofits],
    ["Including but not limited to nonprofits", nonprofits],
    ["Not for profit organizations are eligible", nonprofits],
    ["Individuals residing in the United States", ["individual"]],
    ["Nonprofit; Public Agency; Tribal Government", [...local, "government_tribal", ...nonprofits]],
    ["00, 01, 02", ["government_state", "government_county", "government_municipal"]],
    ["12,13", nonprofits],
    // Simpler.Grants.gov's names.
    ["state_governments", ["government_state"]],
    ["county_governments", ["government_county"]],
    ["city_or_township_governments", ["government_municipal"]],
    ["special_district_governments", ["government_special_district"]],
    ["independent_school_districts", ["school_district_independent"]],
    ["public_and_state_institutions_of_higher_education", ["higher_education_public"]],
    ["private_institutions_of_higher_education", ["higher_education_private"]],
    ["federally_recognized_native_american_tribal_governments", ["government_tribal"]],
    ["other_native_american_tribal_organizations", ["organization_tribal_other"]],
    ["public_and_indian_housing_authorities", ["custom"]],
    ["nonprofits_non_higher_education_with_501c3", ["non_profit_with_501c3"]],
    ["nonprofits_non_higher_education_without_501c3", ["nonprofit_without_501c3"]],
    ["individuals", ["individual"]],
    ["for_profit_organizations_other_than_small_businesses", ["for_profit_not_small_business"]],
    ["small_businesses, other", ["for_profit_small_business", "custom"]],
    ["unrestricted", ["unrestricted"]],
    // CommonGrants' own.
    ["school_district_independent", ["school_district_independent"]],
  ])("of %j are %j", (text, types) => {
    expect(new Set(parseApplicantTypes([text]))).toEqual(new Set(types));
  });

  test.each([
    "Individuals are not eligible",
    "Individuals aren’t eligible.",
    "Individuals may not apply",
    "Nonprofits, schools and individuals are not eligible",
    "Ineligible: individuals",
    "No individuals",
  ])("are not told by %j", (text) => {
    expect(() => parseApplicantTypes([text])).toThrow("names nobody who is eligible");
    expect(parseApplicantTypes([text, "Nonprofit"])).toEqual(nonprofits);
  });

  test("are each once, in CommonGrants' order", () => {
    expect(parseApplicantTypes(["99", "00", ["State governments", "21"]])).toEqual([
      "individual",
      "government_state",
      "unrestricted",
    ]);
  });
});

test.each<[string | string[], [string, string | null][]]>([
  ["10.557", [["10.557", null]]],
  ["12.005|Conservation and Rehabilitation", [["12.005", "Conservation and Rehabilitation"]]],
  [
    "47.084|NSF Technology | 17.280",
    [
      ["47.084", "NSF Technology"],
      ["17.280", null],
    ],
  ],
  [
    "93.847,93.848;",
    [
      ["93.847", null],
      ["93.848", null],
    ],
  ],
  [["66.460", "66.460 Nonpoint Source"], [["66.460", "Nonpoint Source"]]],
  ["84.305a Research, and more;", [["84.305A", "Research, and more"]]],
  ["10001", [["10.001", null]]],
  ["CFDA 10.001", [["10.001", null]]],
  [
    "ALN: 93.778 Medicaid &amp; more and CFDA No. 93.767",
    [
      ["93.778", "Medicaid & more"],
      ["93.767", null],
    ],
  ],
  [
    "10001, 10002 and 10003",
    [
      ["10.001", null],
      ["10.002", null],
      ["10.003", null],
    ],
  ],
  // Zeros that a spreadsheet dropped.
  ["10.1", [["10.100", null]]],
  ["93.10 Title", [["93.100", "Title"]]],
  [
    "93.RD; 10.U01",
    [
      ["93.RD", null],
      ["10.U01", null],
    ],
  ],
  ["", []],
])("assistance listings of %j", (text, listings) => {
  expect(parseAssistanceListings([text].flat()).map(({ number, title }) => [number, title])).toEqual(listings);
});

test("a number of JSON is an assistance listing, and words that name none are refused", () => {
  expect(parseAssistanceListings([10.5, 10_001]).map(({ number }) => number)).toEqual(["10.500", "10.001"]);
  expect(parseAssistanceListings(["Engineering", "10.557"])).toHaveLength(1);
  expect(() => parseAssistanceListings(["Engineering"])).toThrow('"Engineering" is no assistance listing');
});

test("a long text of marks is read in time", () => {
  // Quadratic backtracking would take hours, and the test's time limit notices.
  expect(parseAssistanceListings([`10.001 a${" ;".repeat(200_000)}x`])).toHaveLength(1);
  expect(parseApplicantTypes(["without ".repeat(200_000)])).toEqual(["custom"]);
});

test.each<[unknown, boolean | "refused"]>([
  ["Yes", true],
  [false, false],
  ["Not Required", false],
  ["Encouraged but not required", false],
  ["Applicants are not required to provide a 20% match", false],
  ["Notice: 20% match required", true],
  ["25%", true],
  ["A 25% match is required; federal funds may not be used", true],
  ["0%", false],
  ["No cost share required", false],
  ["No cost-sharing required", false],
  ["None required", false],
  ["Cost share: none required", false],
  ["No local match required.", false],
  ["No matching funds", false],
  ["There is no cost sharing or matching requirement", false],
  ["The program does not have a match requirement", false],
  ["Neither cost sharing nor matching is required", false],
  ["Neither cost sharing, nor matching, is required", false],
  ["A match isn't required", false],
  ["A match isn’t required", false],
  ["Match is not currently required", false],
  ["Match is not, at this time, required", false],
  ["Required: No", false],
  ["Cost Sharing Required: No", false],
  ["Cost sharing required? No.", false],
  ["Cost Sharing - None", false],
  ["0% match required", false],
  ["Cost Sharing Required: Yes", true],
  ["Match: 25%", true],
  ["Mandatory", true],
  ["A match of not less than 20% is required", true],
  ["It depends", "refused"],
  // Both signs.
  ["Match required in year 2; not required in year 1", "refused"],
  ["Match is not required for planning and is required for construction", "refused"],
  ["No match for tribes, 20% for others", "refused"],
  ["In some areas, there is no match. All other locations, 5% match.", "refused"],
  ["Not required unless the applicant is a business", "refused"],
  ["Nothing is required", "refused"],
  ["Not required: no", "refused"],
  ["Required: N/A", "refused"],
  ["0% to 25%", "refused"],
])("cost sharing of %j is %j", (value, shared) => {
  if (shared === "refused") expect(() => parseCostSharing(value)).toThrow();
  else expect(parseCostSharing(value)).toBe(shared);
});

test("other details of publishers' values", () => {
  expect(parseFundingInstruments(["CA", "Grant", "Loan"])).toEqual(["grant", "cooperative_agreement", "other"]);
  expect(parseFundingInstruments(["cooperative_agreement, grant"])).toEqual(["grant", "cooperative_agreement"]);
  expect(parseFundingInstruments(["G, CA", "PC,CA"])).toEqual([
    "grant",
    "cooperative_agreement",
    "procurement_contract",
  ]);
  expect(parseFundingInstruments(["Grant or cooperative agreement"])).toEqual(["grant", "cooperative_agreement"]);
  expect(parseAwardCount("1,000")).toBe(1_000);
  expect(parseAwardCount("0")).toBeNull();
  expect(() => parseAwardCount("some")).toThrow("number of awards");
  expect(parsePsc("R499 - SUPPORT- PROFESSIONAL: OTHER")).toBe("R499");
  expect(
    parseAgencyPath(["Defense", "DLA Aviation", "Richmond", "dla aviation", { name: "Office" }, { id: 1 }, "日本"]),
  ).toEqual(["Defense", "DLA Aviation", "Richmond", "Office", "日本"]);
  expect(parsePerformancePlace("Norfolk, VA 23511")).toEqual({
    city: "Norfolk",
    state: "VA",
    zip: "23511",
    country: null,
  });
  expect(parsePerformancePlace("Paris, France")).toEqual({
    city: "Paris, France",
    state: null,
    zip: null,
    country: null,
  });
  expect(parsePerformancePlace({ city: "57551", state: "Oklahoma" })).toEqual({
    city: null,
    state: "Oklahoma",
    zip: null,
    country: null,
  });
  expect(parsePerformancePlace({ city: "", zip: null })).toBeNull();
  expect(
    parseDocuments([
      "see https://x.example/a.pdf and https://x.example/a.pdf",
      { url: "https://x.example/b", name: "B", type: "text/html", size: "12", updated_at: "no date" },
      { name: "without an address" },
    ]),
  ).toEqual([
    { name: null, url: "https://x.example/a.pdf", type: null, size: null, updated_at: null },
    { name: "B", url: "https://x.example/b", type: "text/html", size: 12, updated_at: null },
  ]);
  const divided = "https://x.example/a; https://x.example/b,https://x.example/c|https://x.example/d";
  expect(parseDocuments([divided]).map(({ url }) => url.slice(-1))).toEqual(["a", "b", "c", "d"]);
});

test.each<[unknown, string | null]>([
  ["2026-05-08T17:00:00-04:00", "2026-05-08T17:00:00-04:00"],
  ["2026-05-08 17:00 +0530", "2026-05-08T17:00:00+05:30"],
  [new ColumnDate("2026-05-08T17:00:00.123Z", "mdy"), "2026-05-08T17:00:00Z"],
  ["2026-05-08", null],
  ["2026-05-08T17:00:00", null],
  ["2024-11-15T12:00:00-00:00", null],
  ["2026-02-30T12:00:00Z", null],
])("the moment of the deadline %j is %j", (value, moment) => {
  expect(parseDeadlineMoment(value)).toBe(moment);
});

test.each([
  ["2026-03-07", "-05:00"],
  // The clocks go forward, and back, in the night before.
  ["2026-03-08", "-04:00"],
  ["2026-10-31", "-04:00"],
  ["2026-11-01", "-05:00"],
])("Grants.gov's day %s ends at 23:59 Eastern, %s", (day, offset) => {
  expect(assumedDeadline(day)).toEqual({ deadline_at: `${day}T23:59:00${offset}`, deadline_assumed: true });
});
