import { describe, expect, test } from "vitest";
import { threeSixtyGiving } from "../../../ingest/sources/360giving.ts";
import { recordIn, recordsIn } from "./source-records.ts";

const award = {
  id: "360G-example-001",
  title: "Hyde Park Example",
  currency: "GBP",
  amountAwarded: 3239.34,
  awardDate: "2015-06-01T00:00:00+00:00",
  fundingOrganization: [{ id: "GB-CHC-1159982", name: "Example Trust" }],
  recipientOrganization: [{ id: "GB-COH-1", name: "Hyde Park", addressRegion: "West Yorkshire" }],
};

const fileOf = (...grants: Record<string, unknown>[]) => JSON.stringify({ version: "1.1", grants });
const grantIn = (members: Record<string, unknown> = {}) =>
  recordIn(threeSixtyGiving, "grants", fileOf({ ...award, ...members }));

describe("360giving", () => {
  test("a grant fills the record, field by field, and its funder another", async () => {
    const members = {
      url: "https://example.org/grants/1",
      description: "For <i>capacity</i>",
      plannedDates: [{ startDate: "2017-01-17T00:00:00+00:00", endDate: "2017-06-14T00:00:00+00:00", duration: 4 }],
      grantProgramme: [{ title: "Leadership", url: "https://example.org" }],
      beneficiaryLocation: [{ geoCode: "E01011681", geoCodeType: "LSOA", countryCode: "GB" }],
    };
    expect(await grantIn(members)).toEqual({
      source: "360giving",
      source_id: "360G-example-001",
      title: "Hyde Park Example",
      description: "For capacity\n\nRecipient: Hyde Park\nAmount awarded: GBP 3,239.34",
      amount_min: null,
      amount_max: null,
      deadline_date: null,
      project_end_date: "2017-06-14",
      status: "closed",
      classification: "awarded_project",
      states: [],
      is_national: false,
      geography: "West Yorkshire, United Kingdom",
      funder_name: "Example Trust",
      funder_source_id: "GB-CHC-1159982",
      listing_url: "https://example.org/grants/1",
      created_at: "2015-06-01T00:00:00.000Z",
      archived_at: null,
      categories: ["Leadership"],
      identifiers: ["360G-example-001"],
      details: {
        agency: ["Example Trust"],
        opportunity_number: "360G-example-001",
        place_of_performance: {
          city: null,
          country: "GB",
          state: null,
          zip: null,
        },
      },
    });
    expect(await recordIn(threeSixtyGiving, "funders", fileOf({ ...award, ...members }))).toEqual({
      source: "360giving",
      source_id: "GB-CHC-1159982",
      name: "Example Trust",
      website: null,
      summary: null,
      created_at: null,
    });
  });

  test("only dollars are an amount", async () => {
    expect(await grantIn({ currency: "USD" })).toMatchObject({ amount_min: 3_239.34, amount_max: 3_239.34 });
    expect(await grantIn({ currency: "eur", amountAwarded: 0 })).toMatchObject({
      amount_max: null,
      description: "Recipient: Hyde Park",
    });
  });

  test("a planned end before the beginning is left out", async () => {
    const endOf = async (startDate: string, endDate: string) =>
      (await grantIn({ plannedDates: [{ startDate, endDate }] })).project_end_date;
    expect(await endOf("2017-12-21", "2000-12-31")).toBeNull();
    expect(await endOf("2017-12-21", "2017-12-21")).toBe("2017-12-21");
    expect(await endOf("", "2000-12-31")).toBe("2000-12-31");
  });

  test("places that are called like American states are not taken for them", async () => {
    const placeOf = async (name: string, countryCode?: string) =>
      await grantIn({ beneficiaryLocation: [{ name, countryCode }] });
    expect(await placeOf("Washington")).toMatchObject({ states: [], geography: "Washington, United Kingdom" });
    expect(await placeOf("Tbilisi", "GE")).toMatchObject({ states: [], geography: "Tbilisi, Georgia" });
    expect(await placeOf("Windhoek", "NA")).toMatchObject({ geography: "Windhoek, Namibia" });
    expect(await placeOf("Leeds", "N/A")).toMatchObject({ geography: "Leeds, United Kingdom" });
    expect(await placeOf("Boston", "US")).toMatchObject({ states: [], is_national: true });
  });

  test("a grant without an address of its own is found on GrantNav, and one without an id is rejected", async () => {
    expect((await grantIn()).listing_url).toBe("https://grantnav.threesixtygiving.org/grant/360G-example-001");
    expect(await recordsIn(threeSixtyGiving, fileOf({ ...award, id: null }))).toEqual([
      { reason: "has no grant id", source_id: null },
    ]);
  });
});
