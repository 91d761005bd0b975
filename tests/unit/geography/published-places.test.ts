import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readPlace } from "../../../shared/geography/read-place.ts";
import { hasPublishedRecords, publishedPlaces } from "./published-places.ts";

/**
 * The reading of each place by a person, under the beginning of its text's SHA-256: `hash states` or `hash kind`. The
 * texts themselves are the publishers'.
 */
const expected = new Map(
  readFileSync(new URL("published-places.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, 16), line.slice(17)] as const),
);

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

describe.skipIf(!hasPublishedRecords)("places that publishers wrote", () => {
  const known = hasPublishedRecords ? publishedPlaces().filter((text) => expected.has(hashOf(text))) : [];

  test("are there: two hundred and more of them were read by hand", () => {
    expect(known.length).toBeGreaterThanOrEqual(200);
  });

  test.each(known)("%s is read as a person reads it", (text) => {
    const { kind, states } = readPlace(text);
    expect(states.join(" ") || kind).toBe(expected.get(hashOf(text)));
  });
});
