import { expect, test } from "vitest";
import { parsers } from "../../../ingest/fields/parsers.ts";
import type { Parse } from "../../../ingest/fields/value.ts";

/** Values of about `size` items, in the shapes in which files have them. */
const shapes: Readonly<Record<string, (size: number) => unknown[]>> = {
  "a list of names": (size) => [Array.from({ length: size }, (_, index) => `Office ${index}`)],
  "a list of one name": (size) => [Array.from({ length: size }, () => "Office 1")],
  "a list of objects": (size) => [
    Array.from({ length: size }, (_, index) => ({ name: `Office ${index}`, url: `https://example.org/${index}` })),
  ],
  "several values": (size) => Array.from({ length: size }, (_, index) => `10.${index}`),
  "a text of items": (size) => [Array.from({ length: size }, (_, index) => `10.${index}`).join("; ")],
  "a text of lines": (size) => [Array.from({ length: size }, (_, index) => `Line ${index}, Ohio`).join("\n")],
  "a text of spaces": (size) => [`a${" ".repeat(size * 10)}b`],
  "a text of digits": (size) => ["1".repeat(size * 10)],
  "a text of openings": (size) => ["<p ".repeat(size * 3)],
  "a text of brackets": (size) => ["([{".repeat(size * 3)],
  "a text of quotes": (size) => [`=HYPERLINK("${'"'.repeat(size * 10)}`],
  "a text of commas": (size) => [",".repeat(size * 10)],
  "a text of ampersands": (size) => ["&amp;".repeat(size * 2)],
  "a text of months": (size) => ["Jan 1 ".repeat(size * 2)],
  "a text of words": (size) => ["no match is required of ".repeat(size)],
};

function timeOf(parse: Parse<unknown>, values: readonly unknown[]): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    try {
      parse(values);
    } catch {
      // A value that is refused takes its time, too.
    }
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

// Eight times as much takes eight times as long, and 64 times where each item is compared with all others. Regression: a record of 3 MB took 83 s.
test.each(Object.keys(parsers.contracts))(
  "%s: a value that is eight times as long takes no more than some eight times as long",
  (name) => {
    const parse = parsers.contracts[name as keyof typeof parsers.contracts] as Parse<unknown>;
    const isSlow = (make: (size: number) => unknown[]) => {
      const long = timeOf(parse, make(16_000));
      // Below that, it does not matter.
      return long > 100 && long / Math.max(timeOf(parse, make(2_000)), 1) > 30;
    };
    // What other programs take is not measured again and again. A comparison of each with all is.
    const slow = Object.entries(shapes).filter(([, make]) => Array.from({ length: 5 }).every(() => isSlow(make)));
    expect(slow.map(([shape]) => shape)).toEqual([]);
  },
);
