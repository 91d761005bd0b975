import { expect, test } from "vitest";
import { describeMutation, mutate, mutationsOf } from "../../mutation/mutations.ts";

const body = `
begin
  -- Not more than 1 and not null.
  return exists (select from funding.grants as record
    where record.amount_min between 1 and 5
      and record.closed_at is null
      and record.amount_max <= $1 + 1);
end`;

test("conditions, comparisons and null are changed, one at a time, and comments and between are not", () => {
  const changed = mutationsOf(body).map((mutation) => mutate(body, mutation));
  expect(new Set(changed).size).toBe(changed.length);
  const differences = changed.map((text) =>
    text
      .split("\n")
      .filter((line) => !body.split("\n").includes(line))
      .map((line) => line.trim()),
  );
  expect(differences).toEqual([
    ["and record.amount_max < $1 + 1);"],
    ["or record.closed_at is null"],
    ["or record.amount_max <= $1 + 1);"],
    ["and record.closed_at is not null"],
    ["and record.amount_max <= $1);"],
    ["return not exists (select from funding.grants as record"],
    [""],
  ]);
});

test("a change is told with its line", () => {
  const [first] = mutationsOf(body);
  expect(first && describeMutation(body, first)).toBe('"<=" to "<" in: and record.amount_max <= $1 + 1);');
});
