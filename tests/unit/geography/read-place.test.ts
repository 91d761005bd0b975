import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPlace } from "../../../shared/geography/read-place.ts";
import { type StateCode, stateCodes, stateNames } from "../../../shared/geography/states.ts";
import { stateOfZip } from "../../../shared/geography/zip-codes.ts";

/** Lines of `address => states or kind`, with `\n` for a line's end. */
const cases = readFileSync(new URL("addresses.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => line.split(" => ") as [string, string])
  .map(([text, expected]) => ({ text: text.replaceAll("\\n", "\n"), expected }));

test.each(cases)("$text is $expected", ({ text, expected }) => {
  const { kind, states } = readPlace(text);
  expect(kind === "states" ? states.join(" ") : kind).toBe([...expected.split(" ")].sort().join(" "));
});

const homeStates = stateCodes.filter(
  (code) => !["AA", "AE", "AP", "AS", "FM", "MH", "MP", "PW", "GU", "VI"].includes(code),
);
const stateName = fc.constantFrom(
  ...stateCodes.filter((code) => stateNames[code].split(" ").length < 3).map((code) => stateNames[code]),
);
const number = fc.integer({ min: 1, max: 9999 }).map(String);

/** "1120 Vermont Avenue, NW", "N Ohio St", "400 Virginia Beach Blvd SW Suite 12". */
const street = fc
  .tuple(
    number,
    fc.constantFrom("", "N ", "E. ", "SW "),
    fc.oneof(
      stateName,
      stateName.map((name) => `${name} Beach`),
      fc.constantFrom("D", "14th", "Main", "Martin Luther King Jr"),
    ),
    fc.constantFrom("Avenue", "Ave.", "St", "Street", "Blvd", "Rd.", "Drive", "Parkway", "Hwy", "Ct", "Pl"),
    fc.constantFrom("", "", " NW", ", NE", " S.E.", " SW"),
    fc.constantFrom("", "", ", Suite 300", ", Bldg 4", " Room 12"),
  )
  .map(([first, direction, name, suffix, quarter, room]) => `${first} ${direction}${name} ${suffix}${quarter}${room}`);

const office = fc.constantFrom(
  "",
  "CEMVR-CT",
  "Alaska Marine Line",
  "Dept. of VA",
  "University of Maryland",
  "DLA-IN",
  "Ohio River Division",
  "Attn: ACQ-ME",
  "VA Medical Center",
  "USS Maine Program Office",
);
const town = fc.constantFrom(
  "Springfield",
  "Fort Washington",
  "Kansas City",
  "Port Huron",
  "St. Paul",
  "Michigan City",
  "New Virginia",
  "Lebanon",
  "Mexico",
  "Oregon City",
  "Truth or Consequences",
  "Peru",
  "Indiana",
  "Wyoming",
  "Nevada",
);
const zipOf = (state: StateCode) => {
  for (let prefix = 0; prefix < 1000; prefix++) {
    const zip = `${String(prefix).padStart(3, "0")}05`;
    if (stateOfZip(zip) === state) return zip;
  }
  return "";
};

describe("of any street, office, town and state", () => {
  const address = fc.record({
    office,
    street,
    town,
    state: fc.constantFrom(...homeStates),
    country: fc.constantFrom("", " USA", ", United States", ", U.S.A."),
  });
  const layouts = [", ", "\n", "\r\n"];

  test.each(layouts.map((layout) => [JSON.stringify(layout), layout]))(
    "an address divided by %s is in its state alone",
    (_, layout) => {
      fc.assert(
        fc.property(
          address,
          fc.constantFrom("code", "name", "upper"),
          fc.constantFrom("", "zip", "zip+4"),
          (parts, form, zip) => {
            const code = parts.state;
            const state = form === "name" ? stateNames[code] : code;
            const digits = zip === "" ? "" : ` ${zipOf(code)}${zip === "zip" ? "" : "-1234"}`;
            const end = `${parts.town}, ${state}${digits}${parts.country}`;
            const text = [parts.office, parts.street, end].filter((part) => part !== "").join(layout);
            expect(readPlace(form === "upper" ? text.toUpperCase() : text).states).toEqual([code]);
          },
        ),
        { numRuns: 2000 },
      );
    },
  );

  test("an address without its state is in none", () => {
    fc.assert(
      fc.property(street, fc.constantFrom("", ", Springfield", ", Fort Washington", " Kansas City"), (street, town) => {
        expect(readPlace(`${street}${town}`).states).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test("places abroad are in none, whatever their streets are called", () => {
    fc.assert(
      fc.property(
        street,
        fc.constantFrom(
          "Tbilisi, Georgia",
          "Ottawa, ON K1P 5T1, Canada",
          "Mexico City, Mexico",
          "Ramstein, Germany",
          "Perth, WA, Australia",
        ),
        (street, city) => {
          expect(readPlace(`${street}, ${city}`)).toMatchObject({ kind: "abroad", states: [] });
        },
      ),
    );
  });

  test("several addresses are in each one's state", () => {
    fc.assert(
      fc.property(fc.array(address, { minLength: 2, maxLength: 5 }), fc.constantFrom("; ", " | "), (list, divider) => {
        const text = list
          .map((parts) => `${parts.street}, ${parts.town}, ${parts.state} ${zipOf(parts.state)}`)
          .join(divider);
        expect(readPlace(text).states).toEqual([...new Set(list.map(({ state }) => state))].sort());
      }),
    );
  });
});

test("no text makes it fail, and only states are found", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const { kind, states } = readPlace(text);
      expect(kind === "states").toBe(states.length > 0);
    }),
    { numRuns: 2000 },
  );
});

test("a long text is read in a time that grows with its length", () => {
  // 100,000 words; each is looked at with its neighbours only.
  expect(readPlace(`${"Ohio River, ".repeat(50_000)}Columbus, OH`).states).toEqual(["OH"]);
});
