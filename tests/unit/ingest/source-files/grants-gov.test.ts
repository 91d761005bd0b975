import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { unknownPast } from "../../../../ingest/record.ts";
import { grantsGov } from "../../../../ingest/sources/grants-gov.ts";
import { grantsGovSearch2 } from "../../../../ingest/sources/grants-gov-search2.ts";
import type { RawRow } from "../../../../ingest/sources/source.ts";
import { pipedZip } from "../archives.ts";
import { chunksOf } from "../helpers.ts";
import { today } from "../source-records.ts";
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

  test.each(["OpportunitySynopsisDetail_1_0", "OpportunityForecastDetail_1_0"])(
    "the fixture has every element that is read of %s",
    (element) => {
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
      const parts = fixtureText(extract).split(`<${element}>`).slice(1);
      const text = parts.map((part) => part.slice(0, part.indexOf(`</${element}>`))).join("");
      expect([...read].filter((name) => !text.includes(`<${name}>`))).toEqual([]);
    },
  );
});

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

  test("an answer of fetchOpportunity has the description, the amounts and the categories of a synopsis", async () => {
    const { read, grants } = await importSourceFile(grantsGovSearch2, "fetchOpportunity-350001.json");
    expect(read).toBe(1);
    expect(grants.get("350001")).toMatchObject({
      source: "grants-gov",
      title: "Clearer Water for Lakeside Towns – Round 2",
      description: "Towns on a lake may test their water weekly.\n\n- test kits\n- teachers",
      amount_max: 500_000,
      deadline_date: "2026-07-15",
      created_at: "2026-04-15T00:00:00.000Z",
      status: "posted",
      funder_name: "Office of Lakes and Rivers",
      funder_source_id: "EPA-OLR",
      categories: ["Environment", "Education"],
      identifiers: ["EPA-OLR-26-01", "66.998", "66.997", "350001"],
    });
    expect(grants.get("350001")).not.toHaveProperty("amount_min");
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
