import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textTable } from "../../../cli/table.ts";
import { createLog } from "../../../shared/log/log.ts";
import { printable, printableJson } from "../../../shared/log/printable.ts";

/** Listed by number, so that a class that the code forgets is found here: what steers a terminal or is not seen. */
const steering = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  0xad,
  0x61c,
  0x180e,
  0x200b,
  0x200c,
  0x200d,
  0x200e,
  0x200f,
  0x2028,
  0x2029,
  0x202a,
  0x202b,
  0x202c,
  0x202d,
  0x202e,
  0x2060,
  0x2066,
  0x2067,
  0x2068,
  0x2069,
  0xd800,
  0xdfff,
  0xfeff,
  0xe0041,
].map((code) => String.fromCodePoint(code));

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...steering),
      fc.string({ unit: "binary", maxLength: 3 }),
      fc.constantFrom("\\u001b", '"', "é", "漢", "🙂"),
    ),
  )
  .map((parts) => parts.join(""));

/** Characters of a text that are not allowed on a terminal, but for the line breaks that whoever printed it made. */
function steeringIn(text: string, ownLineBreaks = 0): string[] {
  const characters = [...text];
  const found = characters.filter((character) => steering.includes(character) || /\p{Cs}/u.test(character));
  expect(found.filter((character) => character === "\n").length).toBe(ownLineBreaks);
  return found.filter((character) => character !== "\n");
}

describe("printable text", () => {
  test("has nothing in it that steers a terminal or hides, whatever it was made of", () => {
    for (const character of steering) expect(printable(`a${character}b`)).toMatch(/^a\\[\\0-9a-fnrtu]+b$/);
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(steeringIn(printable(text))).toEqual([]);
      }),
    );
  });

  test("leaves other text as it is", () => {
    const text = 'Ein "Name" für 漢字 🙂 e\u0301 \\ {} عربي';
    expect(printable(text)).toBe(text);
  });

  test("shows what is there as JSON does", () => {
    expect(printable("\x1b[2J\n\r\t\x9b\u202e\u{e0041}")).toBe("\\u001b[2J\\n\\r\\t\\u009b\\u202e\\udb40\\udc41");
  });

  test("as JSON is the same value, with the line breaks of its indent alone", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (name, value) => {
        const written = printableJson({ [name]: [value] });
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify({ [name]: [value] })));
        expect(steeringIn(written)).toEqual([]);
        expect(steeringIn(printableJson({ [name]: [value] }, 2), 4)).toEqual([]);
      }),
    );
  });

  test("in a table stands in columns as wide as what is shown", () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 5 }), (names) => {
        const lines = textTable(names.map((name) => ({ name, next: "|" })));
        expect(lines.flatMap((line) => steeringIn(line))).toEqual([]);
        expect(lines.length).toBe(names.length + 1);
        const places = lines.map((line) => [...line.replaceAll(/\p{M}/gu, "")].length);
        expect(new Set(places.slice(1)).size).toBe(1);
      }),
    );
  });

  test.each(["json", "text"] as const)("in a line of the log, as %s, is one line", (format) => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (route, error, name) => {
        let line = "";
        const log = createLog({ variable: () => undefined, format, print: (_level, printed) => (line = printed) });
        log.write("error", { method: "GET", route, status: 500, duration_ms: 1, error, [name]: error });
        expect(steeringIn(line)).toEqual([]);
        if (format === "json") expect(JSON.parse(line)).toHaveProperty("route");
      }),
    );
  });
});
