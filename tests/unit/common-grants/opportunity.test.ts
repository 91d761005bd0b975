import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DetailedGrant } from "../../../functions/common-grants/custom-fields.ts";
import { toOpportunity } from "../../../functions/common-grants/opportunity.ts";
import { toUri } from "../../../functions/common-grants/uri.ts";
import { detailsExample, grantExample } from "../../../openapi/examples.ts";
import { applicantTypes, type Detail, details, fundingInstruments } from "../../../shared/catalogue/details.ts";
import { noDetails } from "../../../shared/catalogue/fields.generated.ts";
import { expectOpportunity, pathOfNull } from "../../support/common-grants/published.ts";
import { everyDetail } from "../../support/every-detail.ts";
import { runs } from "../../support/properties.ts";

const example: DetailedGrant = { ...grantExample, details: detailsExample };
const withDetails = (details: Partial<DetailedGrant["details"]>) =>
  toOpportunity({ ...example, details: { ...detailsExample, ...details } });

/** A grant of whose optional fields the source says nothing. */
const bare: DetailedGrant = {
  ...grantExample,
  description: "",
  amount_min: null,
  amount_max: null,
  deadline_date: null,
  geography: null,
  listing_url: null,
  categories: [],
  details: { ...detailsExample, ...noDetails },
};

describe("an opportunity", () => {
  test("is made of a grant", () => {
    expect(toOpportunity(example)).toEqual({
      id: grantExample.id,
      title: grantExample.title,
      status: { value: "open" },
      description: grantExample.description,
      funding: {
        totalAmountAvailable: { amount: "10000000", currency: "USD" },
        maxAwardAmount: { amount: "250000", currency: "USD" },
        estimatedAwardCount: 40,
      },
      keyDates: {
        postDate: { name: "Posted", eventType: "singleDate", date: "2026-07-03" },
        closeDate: {
          name: "Close date",
          eventType: "singleDate",
          date: "2027-03-05",
          time: "17:00:00",
          description: "The time is that of UTC-05:00.",
        },
      },
      acceptedApplicantTypes: [{ value: "government_county" }, { value: "non_profit_with_501c3" }],
      source: grantExample.listing_url,
      customFields: expect.objectContaining({
        agency: {
          name: "agency",
          fieldType: "object",
          value: { name: "Food and Nutrition Service", parentName: "Department of Agriculture" },
          description: expect.any(String),
        },
        costSharing: expect.objectContaining({ fieldType: "object", value: { isRequired: false } }),
        deadlineAt: expect.objectContaining({ value: "2027-03-05T17:00:00-05:00" }),
      }),
      createdAt: grantExample.created_at,
      lastModifiedAt: detailsExample.updated_at,
    });
  });

  // `contact` was a detail of every other answer, and none here: each was listed once more.
  test.each(
    Object.entries<Detail>(details).flatMap(([name, { commonGrants }]) =>
      commonGrants === null ? [] : [{ name: name as keyof typeof everyDetail, path: commonGrants }],
    ),
  )("has the detail $name in $path, and there alone", ({ name, path }) => {
    const shown = (given: Partial<typeof everyDetail>) =>
      toOpportunity({
        ...example,
        details: { ...detailsExample, ...noDetails, ...given } as DetailedGrant["details"],
      });
    const at = (opportunity: object) =>
      path
        .split(".")
        .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], opportunity);
    // The hour of a deadline is shown unless it is assumed.
    const assumed = name === "deadline_assumed";
    const before = assumed ? { deadline_at: everyDetail.deadline_at } : {};
    const value = assumed ? true : everyDetail[name];
    const [without, withIt] = [shown(before), shown({ ...before, [name]: value })];
    expect(at(withIt)).not.toEqual(at(without));
    if (path.startsWith("customFields.")) {
      expect(at(without)).toBeUndefined();
      expect(at(withIt)).toMatchObject({ name: path.slice(13), description: expect.stringMatching(/\w.*\.$/) });
    }
  });

  test("lacks what the source does not say", () => {
    const opportunity = toOpportunity(bare);
    expect(Object.keys(opportunity).sort()).toEqual(
      ["createdAt", "customFields", "description", "id", "keyDates", "lastModifiedAt", "status", "title"].sort(),
    );
    expect(opportunity.keyDates).toEqual({ postDate: expect.any(Object) });
    expect(Object.keys(opportunity.customFields ?? {})).toEqual(["funderName", "funderId", "dataSource"]);
    expectOpportunity(opportunity);
  });

  test.each([
    { status: "open", value: "open" },
    { status: "posted", value: "open" },
    { status: "closed", value: "closed" },
    { status: "upcoming", value: "forecasted" },
    { status: "forecasted", value: "forecasted" },
  ] as const)("of the status $status is $value", ({ status, value }) => {
    expect(toOpportunity({ ...example, status }).status).toEqual({ value });
  });

  test("that is awarded is custom, and ends", () => {
    const { status, keyDates } = toOpportunity({ ...bare, project_end_date: "2027-09-30" });
    expect(status).toEqual({ value: "custom", customValue: "awarded" });
    expect(keyDates?.otherDates).toEqual({
      projectEnd: { name: "End of the project", eventType: "singleDate", date: "2027-09-30" },
    });
    expect(toOpportunity({ ...bare, project_end_date: null }).keyDates).not.toHaveProperty("otherDates");
  });

  test.each([
    { deadline_at: "2027-03-05T17:00:00-05:00", time: "17:00:00", zone: "UTC-05:00." },
    { deadline_at: "2027-03-05T09:30:15.250+05:30", time: "09:30:15", zone: "UTC+05:30." },
    { deadline_at: "2027-03-05T23:59:00Z", time: "23:59:00", zone: "UTC." },
  ])("closes at $time of $deadline_at", ({ deadline_at, time, zone }) => {
    expect(withDetails({ deadline_at }).keyDates?.closeDate).toMatchObject({
      time,
      description: expect.stringContaining(zone),
    });
  });

  test("has no time where the hour is assumed, and says so beside the moment", () => {
    const { keyDates, customFields } = withDetails({ deadline_assumed: true });
    expect(keyDates?.closeDate).toEqual({ name: "Close date", eventType: "singleDate", date: "2027-03-05" });
    expect(customFields?.deadlineAt?.description).toContain("assumed");
  });

  test("names other applicants than the protocol's as custom", () => {
    expect(withDetails({ applicant_types: ["custom", "individual"] }).acceptedApplicantTypes).toEqual([
      { value: "custom", customValue: "other" },
      { value: "individual" },
    ]);
  });

  test.each([
    { amount: 0, text: "0" },
    { amount: 0.1, text: "0.1" },
    { amount: 1_234_567.89, text: "1234567.89" },
    { amount: 1e21, text: "1000000000000000000000" },
    { amount: 1e-7, text: "0.0000001" },
  ])("writes $amount as $text", ({ amount, text }) => {
    expect(toOpportunity({ ...example, amount_min: amount }).funding?.minAwardAmount?.amount).toBe(text);
  });

  const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  const amount = maybe(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }));
  const day = fc
    .date({ noInvalidDate: true, min: new Date("0001-01-01"), max: new Date("9999-12-31") })
    .map((date) => date.toISOString().slice(0, 10));
  const grants: fc.Arbitrary<DetailedGrant> = fc
    .record({
      title: text,
      description: text,
      amount_min: amount,
      amount_max: amount,
      deadline_date: maybe(day),
      geography: maybe(text),
      listing_url: maybe(fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), text)),
      categories: fc.array(text),
      status: fc.constantFrom("open", "posted", "closed", "forecasted", "upcoming"),
      details: fc.record({
        agency: fc.array(text),
        applicant_types: fc.array(fc.constantFrom(...applicantTypes)),
        eligibility_text: maybe(text),
        assistance_listings: fc.array(fc.record({ number: text, title: maybe(text) })),
        funding_instrument: fc.array(fc.constantFrom(...fundingInstruments)),
        cost_sharing: maybe(fc.boolean()),
        expected_awards: maybe(fc.nat()),
        total_funding: amount,
        place_of_performance: maybe(
          fc.record({ city: maybe(text), state: maybe(text), zip: maybe(text), country: maybe(text) }),
        ),
        documents: fc.array(
          fc.record({
            name: maybe(text),
            url: text,
            type: maybe(text),
            size: maybe(fc.nat()),
            updated_at: maybe(text),
          }),
        ),
        deadline_at: maybe(
          fc.constantFrom("2027-03-05T17:00:00-05:00", "2027-03-05T00:00:00Z", "2027-03-05T00:00:00.5Z"),
        ),
        deadline_assumed: fc.boolean(),
        deadline_note: maybe(text),
      }),
    })
    .map(
      ({ details, ...grant }) =>
        ({ ...grantExample, ...grant, details: { ...detailsExample, ...details } }) as DetailedGrant,
    );

  test("is the protocol's for any grant, without null", () => {
    fc.assert(
      fc.property(grants, (grant) => {
        const opportunity = toOpportunity(grant);
        expectOpportunity(JSON.parse(JSON.stringify(opportunity)));
        const amounts = [grant.amount_min, grant.amount_max].map((one) => one ?? undefined);
        const { minAwardAmount, maxAwardAmount } = opportunity.funding ?? {};
        expect([minAwardAmount, maxAwardAmount].map((money) => money && Number(money.amount))).toEqual(amounts);
        expect(pathOfNull(opportunity)).toBeUndefined();
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("an address", () => {
  test.each([
    ["https://www.grants.gov/search-results-detail/356789", "https://www.grants.gov/search-results-detail/356789"],
    ["https://sam.gov/opp/a?x=1&y=%20#top", "https://sam.gov/opp/a?x=1&y=%20#top"],
    ["https://example.org/a b|c[1]", "https://example.org/a%20b%7Cc%5B1%5D"],
    ["https://example.org/100%", "https://example.org/100%25"],
    ["https://exämple.org/ü", "https://xn--exmple-cua.org/%C3%BC"],
    ["https://user:secret@example.org/", "https://example.org/"],
    ["https://example.org/a#b#c", "https://example.org/a#b%23c"],
  ])("%s is the URI %s", (address, uri) => {
    expect(toUri(address)).toBe(uri);
  });

  test.each(["www.grants.gov", "mailto:grants@example.org", "javascript:alert(1)", "not an address", ""])(
    "%j is none of the web",
    (address) => {
      expect(toUri(address)).toBeUndefined();
    },
  );
});
