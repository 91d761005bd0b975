import { expect, test } from "vitest";
import { SeenIds } from "../../../ingest/seen-ids.ts";

test("every repetition is found, with the line of the first, however many there are", () => {
  const seen = new SeenIds();
  const count = 50_000;
  for (let index = 0; index < count; index++) expect(seen.addKept(`id-${index}`, index + 2)).toBeUndefined();
  for (let index = 0; index < count; index += 97)
    expect(seen.addKept(`id-${index}`, 999_999)).toEqual({ line: index + 2, isKept: true });
});

test("a row of a higher rank takes the place of one of a lower rank", () => {
  const seen = new SeenIds();
  expect(seen.addKept("a", 2, 1)).toBeUndefined();
  expect(seen.addKept("a", 3, 200)).toEqual({ line: 2, isKept: false });
  expect(seen.addKept("a", 4, 200)).toEqual({ line: 3, isKept: true });
  expect(seen.addKept("a", 5, 1)).toEqual({ line: 3, isKept: true });
  seen.addRejected("b");
  expect([seen.has("b"), seen.addKept("b", 6, 255), seen.has("c")]).toEqual([true, undefined, false]);
});
