import { beforeAll, describe, expect, test } from "vitest";
import { nsf } from "../../../../ingest/sources/nsf.ts";
import { rowsOf } from "../helpers.ts";
import { csvOf, recordIn, recordsIn } from "../source-records.ts";
import { type ImportedFile, importSourceFile } from "./imported-file.ts";

describe("nsf: an answer of the award API", () => {
  let file: ImportedFile;
  beforeAll(async () => {
    file = await importSourceFile(nsf, "nsf-awards.json");
  });
  const grant = (award: number) => file.grants.get(`26${String(award).padStart(5, "0")}`);

  test("every award is a record, and one that comes twice is one", () => {
    expect({ read: file.read, grants: file.grants.size }).toEqual({ read: 11, grants: 10 });
    expect(file.rejected).toEqual([]);
    expect(file.repeated.map(({ source_id }) => source_id)).toEqual(["2600002"]);
    expect(file.notes).toEqual([]);
  });

  test("an award fills every field", () => {
    expect(grant(1)).toEqual({
      source: "nsf",
      source_id: "2600001",
      title: "Collaborative Research: Echoes under Ice",
      description: [
        "Made up for tests: award 1.",
        "Rocks & waves, “quietly”: the second paragraph.",
        "Recipient: Example University\nProgram: MAGNETOSPHERIC PHYSICS",
      ].join("\n\n"),
      amount_min: 212_291,
      amount_max: 439_511,
      deadline_date: null,
      project_end_date: "2029-09-30",
      status: "closed",
      classification: "awarded_project",
      states: ["TX"],
      is_national: false,
      geography: "Texas",
      funder_name: "National Science Foundation",
      funder_source_id: "4900",
      listing_url: "https://www.nsf.gov/awardsearch/showAward?AWD_ID=2600001",
      created_at: "2026-05-08T00:00:00.000Z",
      archived_at: null,
      categories: ["Directorate for Geosciences", "Division of Atmospheric and Geospace Sciences"],
      identifiers: ["2600001", "47.050", "47.079"],
      details: {
        agency: [
          "National Science Foundation",
          "Directorate for Geosciences",
          "Division of Atmospheric and Geospace Sciences",
        ],
        assistance_listings: [
          {
            number: "47.050",
            title: null,
          },
          {
            number: "47.079",
            title: null,
          },
        ],
        funding_instrument: ["grant"],
        notice_type: "Standard Grant",
        award_number: "2600001",
        award_type: "Standard Grant",
        obligated_amount: 212_291,
        project_start_date: "2026-10-01",
        recipient: {
          name: "Example University",
          uei: "EXAMPLEUEI01",
          ein: null,
          city: "RICHARDSON",
          state: "TX",
          country: "US",
        },
        place_of_performance: {
          city: "RICHARDSON",
          country: "US",
          state: "TX",
          zip: "750800000",
        },
        total_funding: 439511,
      },
    });
  });

  test("the place is that of the work, by its ZIP code where the state is missing, else the awardee's", () => {
    expect(grant(2)?.states).toEqual(["NM"]);
    expect(grant(3)).toMatchObject({ states: [], is_national: false, geography: "Potsdam, DE" });
    expect(grant(4)?.states).toEqual(["NM"]);
    expect(grant(8)?.states).toEqual(["PR"]);
  });

  test("a missing abstract, amount, end or division is empty", () => {
    expect(grant(5)?.description).toBe("Recipient: Example University\nProgram: MAGNETOSPHERIC PHYSICS");
    expect(grant(6)).toMatchObject({ amount_min: 500_000, amount_max: 700_000 });
    expect(grant(7)).toMatchObject({ amount_min: null, amount_max: null });
    expect(grant(7)?.description).not.toContain("Program:");
    expect(grant(9)?.project_end_date).toBeNull();
    expect(grant(10)?.categories).toEqual(["Directorate for Technology, Innovation, and Partnerships"]);
  });

  test("HTML and misread characters are put right", () => {
    expect(grant(2)?.description).toMatch(/^We listen\.\nTo rocks & waves\.\n\nFor a year\.\n\nRecipient: /);
    expect(grant(2)?.title).toBe("Waves & Rocks: A “Quiet” Survey");
    expect(grant(9)?.title).toBe("The University’s New Antenna");
  });
});

describe("nsf: a table made of the awards", () => {
  let file: ImportedFile;
  beforeAll(async () => {
    file = await importSourceFile(nsf, "nsf-awards-table.csv");
  });
  const grant = (award: number) => file.grants.get(`27${String(award).padStart(5, "0")}`);

  test("every row with an id is a record", () => {
    expect({ read: file.read, grants: file.grants.size }).toEqual({ read: 11, grants: 10 });
    expect(file.rejected).toEqual([{ source_id: null, reason: "has no award id" }]);
  });

  test("a row fills the record, with the beginning of its title put back", () => {
    expect(grant(1)).toMatchObject({
      title: "CAREER: Topology of Ropes",
      description: [
        "NONTECHNICAL SUMMARY",
        "Made up for tests: row 1.",
        "TECHNICAL SUMMARY",
        'The same, "at length".',
        "Recipient: Example University\nProgram: CONDENSED MATTER & MAT THEORY",
      ].join("\n\n"),
      amount_min: 300_000,
      amount_max: 300_000,
      project_end_date: "2031-07-31",
      states: ["IN"],
      created_at: null,
      categories: ["Directorate for Mathematical and Physical Sciences", "Division Of Materials Research"],
      identifiers: ["2700001"],
    });
    expect(grant(2)?.title).toBe("Collaborative Research: RAPID: Rocks, heard");
    expect(grant(3)?.title).toBe("Plain Title");
    expect(grant(6)).toMatchObject({ title: "=Equals at the Start of a Title", states: ["PR"] });
    expect(grant(7)?.title).toBe("Sums – and Differences");
  });

  test("a missing amount, state or end is empty", () => {
    expect(grant(8)).toMatchObject({ amount_min: null, amount_max: null });
    expect(grant(9)).toMatchObject({ states: [], is_national: false, geography: null });
    expect(grant(10)?.project_end_date).toBeNull();
  });
});

describe("nsf: values that the files lack", () => {
  const award = { id: "2600001", title: "Rocks", awardeeStateCode: "NM" };
  const answer = (...awards: object[]) => JSON.stringify({ response: { award: awards } });
  const grantIn = (members: object) => recordIn(nsf, "grants", answer({ ...award, ...members }));

  test("NA is Namibia for a city abroad, and nothing where nothing is known", async () => {
    expect(await grantIn({ perfCountryCode: "NA", perfCity: "Windhoek" })).toMatchObject({
      states: [],
      geography: "Windhoek, Namibia",
      details: { place_of_performance: { country: "Namibia" } },
    });
    expect((await grantIn({ perfCountryCode: "NA", perfCity: "NA" })).states).toEqual(["NM"]);
  });

  test("an award has the same number in a table whose leading zeros a spreadsheet dropped", async () => {
    const table = (award_id: string) => csvOf({ award_id, title_clean: "Rocks", end_date: "", amount_usd: "1" });
    for (const id of ["215713", "0215713", "215713.0", '="0215713"']) {
      expect(await recordIn(nsf, "grants", table(id)), id).toMatchObject({
        source_id: "0215713",
        listing_url: "https://www.nsf.gov/awardsearch/showAward?AWD_ID=0215713",
        identifiers: ["0215713"],
        details: { award_number: "0215713" },
      });
    }
    expect((await grantIn({ id: "0215713" })).source_id).toBe("0215713");
  });

  test("a row of a table that is broken is known by its number", async () => {
    const wholes = Array.from({ length: 20 }, (_, index) => `${2_600_000 + index},Rocks,05/28/2029,1\n`).join("");
    const rows = await rowsOf(
      nsf.read,
      `award_id,title_clean,end_date,amount_usd\n${wholes}7,Rocks\nsand,05/28/2029,1\n${wholes}`,
    );
    expect(rows[20]).toMatchObject({ reason: expect.stringMatching(/^the row has 2 values/), values: { id: "7" } });
  });

  test("an award of an answer without an id is rejected alone", async () => {
    expect(await recordsIn(nsf, answer(award, { ...award, id: "" }, { ...award, id: "2600002" }))).toMatchObject([
      { record: { source_id: "2600001" } },
      { reason: "has no award id" },
      { record: { source_id: "2600002" } },
    ]);
  });
});
