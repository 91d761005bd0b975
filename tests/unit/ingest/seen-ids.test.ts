import { expect, test } from "vitest";
import { SeenIds } from "../../../ingest/seen-ids.ts";

test("every repetition is found, with the line of the first, however many there are", () => {
  const seen = new SeenIds();
  const count = 50_000;
  for (let index = 0; index < count; index++) expect(seen.addKept(`id-${index}`, index + 2)).toBeUndefined();
  for (let index = 0; index < count; index += 97) expect(seen.addKept(`id-${index}`, 999_999)).toBe(index + 2);
});
