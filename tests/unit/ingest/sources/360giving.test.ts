import { beforeAll, describe, expect, test } from "vitest";
import { threeSixtyGiving } from "../../../../ingest/sources/360giving.ts";
import { recordIn } from "../source-records.ts";
import { type ImportedFile, importSourceFile } from "./imported-file.ts";

describe("360giving: a file of grants", () => {
  let file: ImportedFile;
  beforeAll(async () => {
    file = await importSourceFile(threeSixtyGiving, "360giving.json");
  });
  const grant = (number: number) => file.grants.get(`360G-example-${String(number).padStart(3, "0")}`);

  test("every grant with an id is a record, and brings its funder once", () => {
    const { read, grants, funders, rejected, repeated } = file;
    expect({ read, grants: grants.size, funders: funders.size }).toEqual({ read: 12, grants: 10, funders: 2 });
    expect(rejected).toEqual([{ source_id: null, reason: "has no grant id" }]);
    expect(repeated.map(({ source_id }) => source_id)).toEqual(["360G-example-001"]);
  });

  test("a grant fills every field", () => {
    expect(grant(1)).toEqual({
      source: "360giving",
      source_id: "360G-example-001",
      title: "Canoes for Hyde Park",
      description: "For new canoes & paddles\n\nRecipient: Invented Canoe Club 1\nAmount awarded: GBP 3,239.34",
      amount_min: null,
      amount_max: null,
      deadline_date: null,
      project_end_date: "2027-06-14",
      status: "closed",
      classification: "awarded_project",
      states: [],
      is_national: false,
      geography: "Yorkshire and the Humber, United Kingdom",
      funder_name: "Invented Lakes Trust",
      funder_source_id: "GB-CHC-0000001",
      listing_url: "https://grants.example.org.uk/1",
      created_at: "2025-06-01T00:00:00.000Z",
      archived_at: null,
      categories: ["Lakes for All"],
      identifiers: ["360G-example-001"],
      details: {
        agency: ["Invented Lakes Trust"],
        award_number: "360G-example-001",
        project_start_date: "2025-07-01",
        recipient: {
          name: "Invented Canoe Club 1",
          uei: null,
          ein: null,
          city: "Leeds",
          state: "West Yorkshire",
          country: "England",
        },
        place_of_performance: {
          city: null,
          country: "GB",
          state: null,
          zip: null,
        },
      },
    });
  });

  test("only dollars are an amount; other currencies are in the description", () => {
    expect(grant(3)).toMatchObject({ amount_min: 25_000, amount_max: 25_000 });
    expect(grant(4)).toMatchObject({
      amount_max: null,
      description: expect.stringContaining("Amount awarded: EUR 1,500,000"),
    });
    expect(grant(9)?.description).not.toContain("Amount awarded");
  });

  test("dates are ISO, or have the day first; an end before the start is left out", () => {
    expect(grant(6)).toMatchObject({ created_at: "2025-06-05T00:00:00.000Z", project_end_date: "2027-04-03" });
    expect(grant(5)?.project_end_date).toBeNull();
    expect(grant(2)?.project_end_date).toBeNull();
  });

  test("places that are called like American states are not taken for them", () => {
    expect(grant(3)).toMatchObject({ states: [], is_national: true, geography: "National" });
    expect(grant(4)).toMatchObject({ states: [], is_national: false, geography: "Tbilisi, Georgia" });
    expect(grant(7)).toMatchObject({ states: [], is_national: false, geography: "United Kingdom" });
    expect(grant(8)).toMatchObject({ states: [], is_national: false, geography: "Washington, United Kingdom" });
  });

  test("a grant without an address is found on GrantNav", () => {
    expect(grant(2)?.listing_url).toBe("https://grantnav.threesixtygiving.org/grant/360G-example-002");
  });

  test("a funder has what its grants say of it", () => {
    expect(file.funders.get("GB-CHC-0000001")).toEqual({
      source: "360giving",
      source_id: "GB-CHC-0000001",
      name: "Invented Lakes Trust",
      website: null,
      summary: null,
      created_at: null,
    });
    expect(file.funders.get("GB-CHC-0000002")).toMatchObject({
      name: "Example Rivers Fund",
      website: "https://rivers.example.org.uk",
      summary: "Gives to rivers.",
    });
    expect(grant(10)).toMatchObject({ funder_name: "Example Rivers Fund", categories: ["Rivers", "Rivers at Night"] });
  });
});

describe("360giving: values that the file lacks", () => {
  const award = {
    id: "360G-example-001",
    title: "Hyde Park Example",
    awardDate: "2015-06-01T00:00:00+00:00",
    fundingOrganization: [{ id: "GB-CHC-1159982", name: "Example Trust" }],
    recipientOrganization: [{ id: "GB-COH-1", name: "Hyde Park", addressRegion: "West Yorkshire" }],
  };
  const grantIn = (members: Record<string, unknown>) =>
    recordIn(threeSixtyGiving, "grants", JSON.stringify({ version: "1.1", grants: [{ ...award, ...members }] }));

  test("an amount without a currency is in pounds", async () => {
    expect(await grantIn({ amountAwarded: 5 })).toMatchObject({
      amount_max: null,
      description: "Recipient: Hyde Park\nAmount awarded: GBP 5",
    });
  });

  test("an end on the day of the start, or without a start, is kept", async () => {
    const endOf = async (startDate: string, endDate: string) =>
      (await grantIn({ plannedDates: [{ startDate, endDate }] })).project_end_date;
    expect(await endOf("2017-12-21", "2017-12-21")).toBe("2017-12-21");
    expect(await endOf("", "2000-12-31")).toBe("2000-12-31");
  });

  test("a place is the recipient's region where the grant names none, and NA is Namibia alone", async () => {
    const placeOf = async (name?: string, countryCode?: string) =>
      (await grantIn({ beneficiaryLocation: [{ name, countryCode }] })).geography;
    expect(await placeOf()).toBe("West Yorkshire, United Kingdom");
    expect(await placeOf("Windhoek", "NA")).toBe("Windhoek, Namibia");
    expect(await placeOf("Leeds", "N/A")).toBe("Leeds, United Kingdom");
  });
});
