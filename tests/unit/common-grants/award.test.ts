import { describe, expect, test } from "vitest";
import { toAward } from "../../../functions/common-grants/award.ts";
import type { DetailedGrant } from "../../../functions/common-grants/custom-fields.ts";
import { detailsExample, grantExample } from "../../../openapi/examples.ts";
import { expectAward } from "../../support/common-grants/published.ts";

type Details = DetailedGrant["details"];
type Recipient = NonNullable<Details["recipient"]>;

const nobody: Recipient = { name: null, uei: null, ein: null, city: null, state: null, country: null };

async function awardOf(details: Partial<Details>, grant: Partial<DetailedGrant> = {}) {
  const known = { ...detailsExample, award_number: "1", recipient: null, ...details };
  const award = await toAward({ ...grantExample, project_end_date: null, ...grant, details: known }, "2026-11-29");
  expectAward(award);
  return award;
}

describe("an award", () => {
  test("is completed the day after its last one", async () => {
    for (const [project_end_date, value] of [
      ["2026-11-28", "completed"],
      ["2026-11-29", "awarded"],
      [null, "awarded"],
    ] as const) {
      expect((await awardOf({}, { project_end_date })).status).toEqual({ value });
    }
  });

  test("has the obligated amount, also below zero, else the one of the grant", async () => {
    const amount = async (details: Partial<Details>, grant: Partial<DetailedGrant> = {}) =>
      (await awardOf(details, grant)).funding?.awardedAmount?.amount;
    expect(await amount({ obligated_amount: 5.25 })).toBe("5.25");
    expect(await amount({ obligated_amount: -1e21 })).toBe("-1000000000000000000000");
    expect(await amount({ obligated_amount: 0 })).toBe("0");
    expect(await amount({ obligated_amount: null }, { amount_max: 7 })).toBe("7");
    expect(await amount({ obligated_amount: null }, { amount_max: null })).toBeUndefined();
  });

  test("has UEI and EIN of its recipient where they are ones", async () => {
    const recipient = async (given: Partial<Recipient>) =>
      (await awardOf({ recipient: { ...nobody, ...given } })).recipientOrganizations?.primary;
    expect(await recipient({ name: "A", uei: "AB0123456789", ein: "123456789" })).toMatchObject({
      name: "A",
      identifiers: {
        "org:us:uei": { registry: { code: "org:us:uei" }, id: "AB0123456789" },
        "org:us:ein": { registry: { code: "org:us:ein" }, id: "123456789" },
      },
    });
    // The protocol's have neither I nor O.
    expect(await recipient({ name: "A", uei: "EXAMPLE0IO00", ein: "12-3456789" })).not.toHaveProperty("identifiers");
    expect(await recipient({ uei: "AB0123456789" })).toMatchObject({ name: "AB0123456789" });
    expect(await recipient({ city: "Toledo" })).toBeUndefined();
    const [one, other] = [await recipient({ name: "A Trust" }), await recipient({ name: "A TRUST" })];
    expect(one?.id).toBe(other?.id);
    expect(one?.id).not.toBe((await recipient({ name: "B Trust" }))?.id);
  });

  test("has its period where both of its days are known, and one day as it is", async () => {
    const dates = async (start: string | null, end: string | null) =>
      (await awardOf({ project_start_date: start }, { project_end_date: end })).keyDates;
    expect(await dates("2026-01-01", "2026-12-31")).toMatchObject({
      periodOfPerformance: { eventType: "dateRange", startDate: "2026-01-01", endDate: "2026-12-31" },
    });
    expect(await dates("2026-01-01", null)).toMatchObject({ otherDates: { projectStart: { date: "2026-01-01" } } });
    expect(await dates(null, "2026-12-31")).toMatchObject({ otherDates: { projectEnd: { date: "2026-12-31" } } });
    // A start after the end is no period.
    expect(await dates("2027-01-01", "2026-12-31")).not.toHaveProperty("periodOfPerformance");
    expect(await dates(null, null)).toEqual({ awardDate: expect.anything() });
  });

  test("has a FAIN of USAspending alone, and else its publisher's number", async () => {
    expect((await awardOf({ source: "usaspending" })).identifiers).toEqual({
      "awd:us:fain": { registry: { code: "awd:us:fain" }, id: "1" },
    });
    expect((await awardOf({ source: "nsf" })).identifiers).toEqual({
      otherIds: { "awd:nsf:number": { registry: { code: "awd:nsf:number" }, id: "1" } },
    });
    expect(await awardOf({ award_number: null })).not.toHaveProperty("identifiers");
  });
});
