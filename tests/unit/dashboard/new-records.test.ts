import { expect, test } from "vitest";
import { newRecordsAddress } from "../../../dashboard/src/explorer/new-records.ts";

const since = "2026-11-20T14:00:00.000Z";
const until = "2026-11-21T00:00:00.000Z";
const parametersOf = (address: string) => [...new URL(address, "http://localhost").searchParams];

test("new records are those from a moment on, which the filter would leave out, until another", () => {
  expect(parametersOf(newRecordsAddress("grants", "search=water&agency=A&agency=B", since, until))).toEqual([
    ["dataset", "grants"],
    ["search", "water"],
    ["agency", "A"],
    ["agency", "B"],
    ["first_seen_after", "2026-11-20T13:59:59.999Z"],
    ["first_seen_before", until],
  ]);
});

test("a search's own bounds stay where they are narrower", () => {
  const query = "first_seen_after=2026-11-20T20%3A00%3A00Z&first_seen_before=2027-01-01";
  expect(parametersOf(newRecordsAddress("contracts", query, since, until))).toEqual([
    ["dataset", "contracts"],
    ["first_seen_after", "2026-11-20T20:00:00.000Z"],
    ["first_seen_before", until],
  ]);
});
