import { describe, expect, test } from "vitest";
import { resolvePlace } from "../../../ingest/fields/place.ts";
import { normalize } from "../../../ingest/normalize/normalize.ts";
import { genericMapping } from "../../../ingest/sources/generic.ts";
import { grantsGov } from "../../../ingest/sources/grants-gov.ts";
import { performancePlace } from "../../../ingest/sources/performance-place.ts";
import { isNoRecord } from "../../../ingest/sources/source.ts";

const place = (values: Partial<Parameters<typeof resolvePlace>[0]>, mode?: "guess" | "exact") =>
  resolvePlace({ states: [], geography: null, is_national: null, ...values }, mode);

/** The place of a record that a generic import makes of a row. */
function imported(
  row: Record<string, string>,
  maps: string[],
  { sets = [] as string[], places = "guess" as "guess" | "exact" } = {},
) {
  const rows = { title: "Roof", funder: "Army", ...row };
  const mapping = genericMapping({ dataset: "contracts", maps, sets, pads: [] }, "test")([rows]);
  const mapped = mapping.map(rows);
  if (isNoRecord(mapped)) throw new Error(mapped.reason);
  const { record } = normalize(mapped[0] ?? expect.fail(), { source: "test", places, note: () => undefined });
  return "states" in record
    ? { states: record.states, is_national: record.is_national, geography: record.geography }
    : undefined;
}

describe("addresses of a place of performance", () => {
  test("are read with their HTML and their lines", () => {
    const text = "Naval Support Activity<br />17632 Delaware Road, NE<br>Dahlgren, VA&nbsp;22448<br/>";
    expect(imported({ POPADDRESS: text }, ["states=POPADDRESS"])).toMatchObject({ states: ["VA"] });
    expect(imported({ POPADDRESS: text }, ["geography=POPADDRESS"])).toEqual({
      states: ["VA"],
      is_national: false,
      geography: "Naval Support Activity, 17632 Delaware Road, NE, Dahlgren, VA 22448",
    });
    expect(imported({ POPADDRESS: "119 D Street, NE\nWashington, DC" }, ["states=POPADDRESS"])?.states).toEqual(["DC"]);
  });

  test("that name no state are kept as the geography", () => {
    expect(imported({ where: "1120 Vermont Avenue, NW" }, ["states=where"])).toEqual({
      states: [],
      is_national: false,
      geography: "1120 Vermont Avenue, NW",
    });
  });

  test("take the state of the ZIP code's column where they name none, and none where it contradicts them", () => {
    const at = (address: string, zip: string) =>
      imported({ address, zip }, ["states=address", "place_zip=zip"])?.states;
    expect(at("Kansas City", "64106")).toEqual(["MO"]);
    expect(at("", "20405-1234")).toEqual(["DC"]);
    expect(at("1120 Vermont Ave, NW, Washington", "20005")).toEqual(["DC"]);
    expect(at("Washington", "20005")).toEqual(["DC"]);
    expect(at("17 Main St, Denver, CO", "20005")).toEqual([]);
    expect(at("CO", "20005")).toEqual(["CO"]);
    expect(at("Denver, CO; Austin, TX", "80202")).toEqual(["CO", "TX"]);
  });

  test.each([
    ["2110", "MA"],
    [2110, "MA"],
    ["2110.0", "MA"],
    ["2110-1234", "MA"],
    ["21101234", "MA"],
    ["7030", "NJ"],
    ["6103", "CT"],
    ["3301", "NH"],
    ["601", "PR"],
    ["6390", "NY"],
    ["20005 - 1234", "DC"],
    ["200051234.0", "DC"],
  ])("take the state of the ZIP code %j as spreadsheets write it, where they drop leading zeros", (zip, state) => {
    expect(place({ zip }).states).toEqual([state]);
    expect(place({ states: [`17 Main St, Springfield, ${state}`], zip }).states).toEqual([state]);
  });

  test.each(["21", "211012", "2110123", "2000512345", "N/A 20005"])(
    "take no state of %j, which is no ZIP code",
    (zip) => {
      expect(place({ zip }).states).toEqual([]);
    },
  );

  test("abroad are in no state, by their country's column or by the operator's word", () => {
    const maps = ["states=address", "place_country=country"];
    expect(imported({ address: "Atlanta, GA", country: "US" }, maps)?.states).toEqual(["GA"]);
    expect(imported({ address: "Main St, Perth, WA", country: "AU" }, maps)).toMatchObject({ states: [] });
    expect(imported({ address: "Georgia", country: "GEO" }, maps)?.states).toEqual([]);
    expect(imported({ address: "San Juan", country: "PRI" }, maps)?.states).toEqual(["PR"]);
    expect(imported({ where: "Georgia" }, ["geography=where"], { sets: ["states=abroad"] })).toEqual({
      states: [],
      is_national: false,
      geography: "Georgia",
    });
    expect(imported({ address: "", country: "Japan" }, maps, { sets: ["is_national=true"] })).toEqual({
      states: [],
      is_national: false,
      geography: "Japan",
    });
  });

  test.each([
    "USA: UNITED STATES OF AMERICA",
    "UNITED STATES (USA)",
    "US - United States",
    "United States (US)",
    "America, United States of",
    "USA (CONUS)",
    "US/USA",
    "840",
    840,
    "Unknown",
    "TBD",
    "Multiple",
    "Various",
    "Domestic",
    "Nationwide",
  ])("keep their states where the country is %j", (country) => {
    expect(place({ states: ["Columbus, OH"], country })).toMatchObject({ states: ["OH"], is_national: false });
  });

  test.each(["Untied States", "US and Canada", "US-VA", "1"])(
    "keep the state of a column where the country, %j, is in no list, and no other",
    (country) => {
      expect(place({ states: ["OH"], country })).toEqual({ states: ["OH"], is_national: false, geography: "Ohio" });
      expect(place({ states: ["ON"], country })).toEqual({ states: [], is_national: false, geography: "ON" });
      expect(place({ states: ["Columbus, OH"], country }).states).toEqual([]);
      expect(place({ states: [], country, zip: "43215" })).toEqual({
        states: [],
        is_national: false,
        geography: country,
      });
      expect(performancePlace({ country, state: "OH", city: "Columbus" })).toEqual({
        states: "OH",
        is_national: false,
      });
      expect(performancePlace({ country, state: "ON", city: "Ottawa" })?.states).toBe("abroad");
    },
  );

  test.each([
    "DEU",
    "276",
    "DEU: GERMANY",
    "Germany (DE)",
    "Korea, Republic of",
    "Iran (Islamic Republic of)",
    "Côte d’Ivoire",
    "COTE D'IVOIRE",
    "Saint Lucia",
    "Trinidad & Tobago",
    "Georgia (country)",
    "GEO: GEORGIA",
    "OCONUS",
  ])("have no state where the country is %j", (country) => {
    expect(place({ states: ["GA"], country })).toMatchObject({ states: [], is_national: false });
    expect(performancePlace({ country, state: "GA" })?.states).toBe("abroad");
  });

  test("are not read when guessing is off: only codes, names and lists of them count", () => {
    const exact = (states: string) => imported({ states }, [], { places: "exact" })?.states;
    expect(exact("Seattle, WA")).toEqual([]);
    expect(exact("WA")).toEqual(["WA"]);
    expect(exact("Ohio; Indiana and KY")).toEqual(["IN", "KY", "OH"]);
    expect(exact("oh, in")).toEqual(["IN", "OH"]);
    expect(imported({ geography: "Columbus, Ohio" }, [], { places: "exact" })?.states).toEqual([]);
    expect(imported({ states: "Nationwide" }, [], { places: "exact" })?.is_national).toBe(true);
  });
});

test.each([
  ["Columbus, OH, ", ["OH"]],
  ["Denver CO, Austin TX, ", ["CO", "TX"]],
  ["Ohio River, 12 Main St, Rome, Georgia, ", ["GA"]],
  ["Kansas City 64106, ", ["MO"]],
])("states are looked for in the first 10,000 characters of a text of many %j", (part, states) => {
  const text = part.repeat(50_000);
  const start = performance.now();
  expect(place({ states: [text] }).states).toEqual(states);
  expect(place({ geography: text }).states).toEqual(states);
  // Without the bound, minutes.
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(place({ geography: `${"x ".repeat(4_900)}, Columbus, OH` }).states).toEqual(["OH"]);
});

test.each(["guess", "exact"] as const)("states that a text leaves out are not its states (%s)", (mode) => {
  const text = "All states except Hawaii";
  for (const values of [{ states: [text] }, { geography: text }]) {
    expect(place(values, mode)).toEqual({ states: [], is_national: false, geography: text });
  }
});

test.each(["guess", "exact"] as const)("the nation with states is the nation (%s)", (mode) => {
  const national = { states: [], is_national: true, geography: "National" };
  expect(place({ states: ["All 50 states and Puerto Rico"] }, mode)).toEqual(national);
  expect(place({ states: [["All 50 states", "Puerto Rico"]] }, mode)).toEqual(national);
  // Columns of the country and of the state.
  expect(place({ states: ["USA", "OH"] }, mode).states).toEqual(["OH"]);
});

test("items of a list are read each by itself", () => {
  expect(place({ states: [["Washington", "DC", "17 Ohio St, Boise, ID"]] }).states).toEqual(["DC", "ID", "WA"]);
});

test("a mission to Georgia gives in the country", () => {
  const row = { element: "OpportunitySynopsisDetail_1_0", OpportunityID: "1", AgencyName: "U.S. Mission to Georgia" };
  const records = grantsGov.map(row);
  const mapped = Array.isArray(records) ? records[0] : undefined;
  const values = mapped?.values ?? new Map<string, unknown[]>();
  expect(
    place({ states: values.get("states") ?? [], geography: String(values.get("geography")), is_national: false }),
  ).toEqual({
    states: [],
    is_national: false,
    geography: "Georgia",
  });
});

describe("columns of a place", () => {
  test.each([
    ["United States of America (the)", undefined],
    ["The United States", undefined],
    ["U.S.", undefined],
    ["Virgin Islands (U.S.)", "VI"],
    ["Virgin Islands, U.S.", "VI"],
    ["US Virgin Islands", "VI"],
    ["Commonwealth of Puerto Rico", "PR"],
    ["Micronesia, Federated States of", "FM"],
    ["Northern Mariana Islands (the)", "MP"],
    ["PRI: PUERTO RICO", "PR"],
    ["US - Puerto Rico", "PR"],
    ["630", "PR"],
    [16, "AS"],
    ["Virgin Islands (British)", "abroad"],
    ["Non-US", "abroad"],
    ["Philippines (the)", "abroad"],
  ])("the country %j is of the United States, or abroad", (country, states) => {
    expect(performancePlace({ country })).toMatchObject(states === undefined ? { is_national: true } : { states });
  });

  test("territories by any of their codes are states, and other countries are not", () => {
    expect(["PRI", "PR", "Puerto Rico", "GU", "VIR"].map((country) => performancePlace({ country })?.states)).toEqual([
      "PR",
      "PR",
      "PR",
      "GU",
      "VI",
    ]);
    expect(performancePlace({ country: "GEO", state: "GA", city: "Tbilisi" })?.states).toBe("abroad");
  });

  test("a ZIP code tells the state that its column does not, in the United States only", () => {
    expect(performancePlace({ country: "USA", zip: "200051234" })).toEqual({ states: "DC", is_national: false });
    expect(performancePlace({ country: "USA", state: "CO", zip: "20005" })).toEqual({
      states: "CO",
      is_national: false,
    });
    expect(performancePlace({ zip: "20005" })).toEqual({ is_national: false });
    expect(performancePlace({ country: "DEU", zip: "10117" })?.states).toBe("abroad");
    expect(performancePlace({ country: "USA", zip: "2110" })).toEqual({ states: "MA", is_national: false });
  });

  test("only the country alone is the nation; a city without a state is a place in words", () => {
    const national = { is_national: true };
    expect(performancePlace({ country: "USA" })).toEqual(national);
    // Placeholders of files.
    expect(performancePlace({ country: "USA", city: "0", zip: "00000" })).toEqual(national);
    expect(performancePlace({ country: "USA", city: "Nationwide" })).toEqual(national);
    for (const city of ["Boston", "Washington", "Indiana"]) {
      const mapped = performancePlace({ country: "USA", city, zip: "99" });
      expect(place({ states: [mapped?.states], geography: mapped?.geography ?? null, is_national: false })).toEqual({
        states: [],
        is_national: false,
        geography: city,
      });
      expect(mapped?.is_national).toBe(false);
    }
    expect(performancePlace({ country: "USA", city: "Boston", zip: "2110" })?.states).toBe("MA");
    expect(performancePlace({ country: "USA", zip: "99" })).toEqual({ is_national: false });
    expect(performancePlace({ country: "USA", city: "57551" })).toEqual({ is_national: false });
    expect(performancePlace({ city: "Nationwide" })).toEqual(national);
  });

  test.each([undefined, "USA", "Unknown"])(
    "a city, ZIP code or street is not the nation, with the country %j",
    (country) => {
      const words = (geography: string) => ({ states: "abroad", geography, is_national: false });
      expect(performancePlace({ country, city: "Norfolk", zip: "99" })).toEqual(words("Norfolk"));
      expect(performancePlace({ country, street: "467 W Street Bremerton" })).toEqual(words("467 W Street Bremerton"));
      expect(performancePlace({ country, city: "Bremerton", street: "467 W Street" })).toEqual(words("Bremerton"));
      expect(performancePlace({ country, city: "Bremerton", street: "Nationwide" })).toEqual(words("Bremerton"));
      // The name of a town, or of a state.
      expect(performancePlace({ country, street: "Washington" })).toEqual(words("Washington"));
      expect(performancePlace({ country, city: "Nationwide except Alaska" })).toEqual(
        words("Nationwide except Alaska"),
      );
    },
  );

  test("a street tells the state that no column does, and nothing else", () => {
    const street = "467 W Street Bremerton WA 98314";
    for (const country of [undefined, "USA"]) {
      const mapped = performancePlace({ street, country });
      const read = (mode: "guess" | "exact") =>
        place({ states: [mapped?.states], is_national: mapped?.is_national ?? null }, mode);
      expect(read("guess")).toEqual({ states: ["WA"], is_national: false, geography: "Washington" });
      expect(read("exact")).toEqual({ states: [], is_national: false, geography: street });
    }
    expect(performancePlace({ street, country: "USA", state: "VA" })?.states).toBe("VA");
    expect(performancePlace({ street, country: "USA", zip: "20005" })?.states).toBe("DC");
    expect(performancePlace({ street, country: "DEU" })?.states).toBe("abroad");
    expect(performancePlace({ street: "Nationwide", country: "USA" })).toEqual({ is_national: true });
    expect(performancePlace({ street: `${"x ".repeat(1_000)}, Seattle, WA` })?.states).toBe("abroad");
  });
});
