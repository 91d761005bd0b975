import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSetAside } from "../../../ingest/fields/code.ts";
import { setAsideCode } from "../../../shared/validation/set-aside.ts";
import { otherSetAsides, setAsideNames } from "../../support/set-aside-names.ts";

const names = Object.entries(setAsideNames).flatMap(([code, list]) => list.map((name) => ({ code, name })));

/** A name as somebody else writes it: other case, hyphens, spaces, periods. */
const spelling = (name: string) =>
  fc
    .tuple(
      fc.constantFrom("", "lower", "upper"),
      fc.constantFrom("-", " ", "  ", "_", ""),
      fc.constantFrom("", ".", " "),
    )
    .map(([casing, divider, end]) => {
      const divided = name.replaceAll(/[- ]/g, divider) + end;
      return casing === "lower" ? divided.toLowerCase() : casing === "upper" ? divided.toUpperCase() : divided;
    });

describe("a set-aside's name, however it is spelt", () => {
  test.each(names)("$name is $code to the importer and to the filter", ({ code, name }) => {
    fc.assert(
      fc.property(spelling(name), (text) => {
        expect(parseSetAside(text)).toBe(code);
        expect(setAsideCode(text)).toBe(code);
      }),
    );
  });

  test.each(otherSetAsides)("%s is none of them, and stays as it is", (name) => {
    expect([parseSetAside(name), setAsideCode(name)]).toEqual([name, name]);
  });
});

test.each([
  ["Economically Disadvantaged Women-Owned Small Business (EDWOSB), WOSB", "EDWOSB"],
  ["Service-Disabled Veteran-Owned (SDVOSB) Veteran-Owned (VOSB)", "SDVOSBC"],
  ["Total HUBZone small business", "HZC"],
  ["Partial HUBZone", "HZC"],
])("%s is %s", (text, code) => {
  expect(setAsideCode(text)).toBe(code);
});

test("a text that is longer than a name is kept, trimmed", () => {
  expect(setAsideCode(` ${"WOSB ".repeat(60)}`)).toBe("WOSB ".repeat(60).trim());
  expect(setAsideCode("WOSB ".repeat(50))).toBe("WOSB");
  expect(setAsideCode(" our own code ")).toBe("our own code");
});
