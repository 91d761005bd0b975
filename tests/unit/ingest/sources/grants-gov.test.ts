import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { grantsGov } from "../../../../ingest/sources/grants-gov.ts";
import type { RawRow } from "../../../../ingest/sources/source.ts";
import { pipedZip } from "../archives.ts";
import { chunksOf } from "../helpers.ts";
import { realFile, recordIn, today } from "../source-records.ts";
import { fixture, fixtureText, type ImportedFile, importSourceFile } from "./imported-file.ts";

const extract = "GrantsDBExtract20260601v2.xml";

describe("grants-gov: the daily extract", () => {
  let file: ImportedFile;
  beforeAll(async () => {
    file = await importSourceFile(grantsGov, extract);
  });
  const grant = (id: string) => file.grants.get(id);

  test("every element is a record, rejected for its reason or a repetition", () => {
    expect({ read: file.read, grants: file.grants.size }).toEqual({ read: 19, grants: 15 });
    expect(file.rejected).toEqual([
      { source_id: "350011", reason: "title is missing" },
      { source_id: "350012", reason: "funder_name is missing" },
      { source_id: "350026", reason: expect.stringContaining("02302027") },
    ]);
    expect(file.repeated).toEqual([
      { source_id: "350001", reason: expect.stringMatching(/^repeats the source_id of line \d+, which was kept$/) },
    ]);
    expect(file.notes).toEqual(["350007: amount_min is a floor above the ceiling; left out"]);
  });

  test("a synopsis fills every field", () => {
    expect(grant("350001")).toEqual({
      source: "grants-gov",
      source_id: "350001",
      title: "Clearer Water for Lakeside Towns – Round 2",
      description: [
        "Towns on a lake may test their water weekly. It’s for all of them & their schools.",
        "They may:",
        "- buy test kits\n- train teachers",
        "Tier A $25,000",
      ].join("\n\n"),
      amount_min: 25_000,
      amount_max: 500_000,
      deadline_date: "2026-07-01",
      project_end_date: null,
      status: "posted",
      classification: "opportunity",
      states: [],
      is_national: true,
      geography: "National",
      funder_name: "Office of Lakes and Rivers",
      funder_source_id: "EPA-OLR",
      listing_url: "https://www.grants.gov/search-results-detail/350001",
      created_at: "2026-04-15T00:00:00.000Z",
      archived_at: "2026-07-31T00:00:00.000Z",
      categories: ["Environment", "Natural Resources", "Education"],
      identifiers: ["EPA-OLR-26-01", "66.998", "66.997", "10.998", "350001"],
      details: {
        agency: ["Environmental Protection Agency", "Office of Lakes and Rivers"],
        applicant_types: ["government_state", "government_special_district", "custom"],
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
        cost_sharing: false,
        deadline_assumed: true,
        deadline_at: "2026-07-01T23:59:00-04:00",
        expected_awards: 8,
        funding_instrument: ["grant"],
        notice_type: "Synopsis",
        opportunity_number: "EPA-OLR-26-01",
        total_funding: 4000000,
        eligibility_text: "Towns of fewer than 50,000 people. Others may join them.",
        contact: { name: "Pat Example", email: "grants@example.gov", phone: "555-0100" },
        documents: [
          {
            name: "The full notice, with maps",
            url: "https://www.example.gov/lakes/notice",
            type: null,
            size: null,
            updated_at: null,
          },
        ],
      },
    });
  });

  test("a synopsis states its dates, and leaves to them what it is today", () => {
    expect(grant("350002")).toMatchObject({ status: "posted", deadline_date: today });
    expect(grant("350003")).toMatchObject({ status: "posted", deadline_date: "2026-05-31" });
    expect(grant("350004")).toMatchObject({ status: "posted", archived_at: "2026-05-15T00:00:00.000Z" });
    expect(grant("350009")).toMatchObject({ status: "posted", deadline_date: null, archived_at: null });
  });

  test("a forecast states its expected deadline, and its archive date", () => {
    expect(grant("350021")).toMatchObject({ status: "forecasted", deadline_date: "2026-09-15" });
    expect(grant("350022")).toMatchObject({ status: "forecasted", deadline_date: null });
    expect(grant("350023")).toMatchObject({ status: "forecasted", archived_at: "2026-05-01T00:00:00.000Z" });
    expect(grant("350024")).toMatchObject({
      status: "forecasted",
      deadline_date: "2026-05-01",
      archived_at: "2026-10-15T00:00:00.000Z",
    });
  });

  test("none, zero, blank and contradictory amounts are no amounts", () => {
    const amounts = (id: string) => [grant(id)?.amount_min, grant(id)?.amount_max];
    expect(amounts("350002")).toEqual([null, null]);
    expect(amounts("350007")).toEqual([null, 250_000]);
    expect(amounts("350009")).toEqual([null, null]);
    expect(amounts("350010")).toEqual([null, null]);
    expect(amounts("350021")).toEqual([100_000, 300_000]);
  });

  test("a mission abroad gives in its country, and an agency without a name goes by its code", () => {
    expect(grant("350005")).toMatchObject({ states: [], is_national: false, geography: "Georgia" });
    expect(grant("350006")).toMatchObject({ funder_name: "DOD-EX-N00000", funder_source_id: "DOD-EX-N00000" });
  });

  test("characters that were misread on the way are put right", () => {
    expect(grant("350008")).toMatchObject({
      title: "Farmers’ Markets – Rural Routes",
      description: "The market’s stalls cost “little”; a café may join. Tribal Nations growers come first.",
    });
    expect(grant("350013")).toMatchObject({
      title: "Educación ambiental en Ponce: año 3",
      description: expect.stringContaining("Zoë’s “quotes”"),
    });
  });

  test("categories and assistance listings may be several, unknown or absent", () => {
    expect(grant("350008")?.categories).toEqual(["Agriculture", "Food and Nutrition"]);
    expect(grant("350009")?.categories).toEqual(["Science and Technology and other Research and Development", "QQ"]);
    expect(grant("350010")).toMatchObject({ identifiers: ["EX-010-26", "350010"], description: "" });
  });

  test("the zip that Grants.gov streams, with its sizes behind the file, has the same records", async () => {
    const zip = pipedZip([{ name: extract, content: readFileSync(fixture(extract)) }]);
    expect(await importSourceFile(grantsGov, extract, chunksOf(zip, 1_000))).toEqual(file);
  });
});

describe("grants-gov: values that this extract lacks", () => {
  const synopsis = async (row: RawRow) => {
    const elements = {
      OpportunityID: "300001",
      OpportunityTitle: "Clean Water",
      AgencyName: "Office of Water",
      ...row,
    };
    const text = Object.entries(elements).map(([name, value]) => `<${name}>${value}</${name}>`);
    const element = "OpportunitySynopsisDetail_1_0";
    return recordIn(grantsGov, "grants", `<Grants><${element}>${text.join("")}</${element}></Grants>`);
  };

  test.each([
    ["0", "1000", [1_000, null]],
    ["500", "500", [500, 500]],
  ])("a ceiling of %s with a floor of %s is %j", async (AwardCeiling, AwardFloor, expected) => {
    const { amount_min, amount_max } = await synopsis({ AwardCeiling, AwardFloor });
    expect([amount_min, amount_max]).toEqual(expected);
  });

  test("an embassy gives in its country, and an agency of the United States in all of them", async () => {
    expect((await synopsis({ AgencyName: "U.S. Embassy in the Bahamas" })).geography).toBe("Bahamas");
    expect((await synopsis({ AgencyName: "U.S. Fish and Wildlife Service" })).is_national).toBe(true);
  });
});

const schema = realFile("grants/grants-gov-extract.xsd");

describe.each(["OpportunitySynopsisDetail_1_0", "OpportunityForecastDetail_1_0"])("grants-gov: %s", (element) => {
  /** Names of the elements that the source looks at. */
  function elementsRead(): string[] {
    const read = new Set<string>();
    const row = new Proxy<RawRow>(
      { element },
      {
        get(target, name) {
          if (typeof name === "string") read.add(name);
          return Reflect.get(target, name);
        },
      },
    );
    grantsGov.map(row);
    read.delete("element");
    return [...read];
  }

  test("has every element that is read in the extract of these tests", () => {
    expect(elementsRead().length).toBeGreaterThan(12);
    const parts = fixtureText(extract).split(`<${element}>`).slice(1);
    const text = parts.map((part) => part.slice(0, part.indexOf(`</${element}>`))).join("");
    expect(elementsRead().filter((name) => !text.includes(`<${name}>`))).toEqual([]);
  });

  test.skipIf(schema === undefined)("has every element that is read in the published schema", () => {
    const text = readFileSync(schema ?? "", "utf8");
    const [, type = ""] = text.split(`<xs:element name="${element}">`);
    const [children = ""] = type.split("</xs:complexType>");
    expect(elementsRead().filter((name) => !children.includes(`<xs:element name="${name}"`))).toEqual([]);
  });
});
