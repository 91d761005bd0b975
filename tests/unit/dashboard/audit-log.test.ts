import { describe, expect, test } from "vitest";
import { auditCsv } from "../../../dashboard/src/audit-log/csv.ts";
import { entryHasWords, filterOf } from "../../../dashboard/src/audit-log/filter.ts";
import { asSentence } from "../../../dashboard/src/format/sentence.ts";
import type { AuditEntry } from "../../../shared/responses/account/audit-log.ts";

const entry: AuditEntry = {
  id: "1",
  at: "2026-11-20T16:43:31.250Z",
  actor: { kind: "user", email: "ada@people.example" },
  action: "key.updated",
  subject: { kind: "key", id: "cb75c555-bd5f-891d-a251-07bba87727b9", name: '=1+1, "nightly"' },
  changes: [{ field: "daily_quota", from: 1000, to: 5000 }],
};

test("the file quotes what has commas and quotes, and no cell is a formula", () => {
  expect(auditCsv([entry])).toBe(
    "at,actor,actor_email,action,subject_kind,subject_id,subject_name,changes\r\n" +
      "2026-11-20T16:43:31.250Z,user,ada@people.example,key.updated,key,cb75c555-bd5f-891d-a251-07bba87727b9," +
      `"'=1+1, ""nightly""","[{""field"":""daily_quota"",""from"":1000,""to"":5000}]"\r\n`,
  );
});

test.each(["ADA nightly", "requests day 5,000", "key.updated", "cb75c555"])("a change is found by %s", (text) =>
  expect(entryHasWords(entry, text)).toBe(true),
);

test("a change without one of the words is not found", () => {
  expect(entryHasWords(entry, "ada webhook")).toBe(false);
});

describe("the filter in the address", () => {
  const filterAt = (address: string) => Object.fromEntries(filterOf(new URLSearchParams(address)));

  test("has both days whole, in the reader's time zone, and leaves the text to the page", () => {
    expect(filterAt("kind=key&from=2026-11-19&to=2026-11-20&text=ada")).toEqual({
      kind: "key",
      since: new Date(2026, 10, 19).toISOString(),
      until: new Date(2026, 10, 21).toISOString(),
    });
  });

  test("leaves out what is no day", () => expect(filterAt("from=yesterday&to=")).toEqual({}));
});

test.each([
  ["the receiver answered 410 Gone", "The receiver answered 410 Gone."],
  ["You deleted it, and some of its deliveries are left: delete it again.", undefined],
  ["It failed?", undefined],
])("%s can be followed by another sentence", (text, sentence = text) => expect(asSentence(text)).toBe(sentence));
