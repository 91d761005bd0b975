import { describe, expect, test } from "vitest";
import { parseContractStatus } from "../../../ingest/fields/status.ts";
import { contractStatus, contractStatusWords } from "../../../shared/validation/contract-status.ts";
import { contractList } from "../../../shared/validation/opportunities.ts";

/** The status by which a list is filtered. */
const filtered = (status: string) => contractList.schema.parse({ status }).status;

/** "archived" closes a record and takes it out of the current catalogue: it has no status of this name. */
const statusWords = contractStatusWords.filter((word) => contractStatus(word) !== "archived");

describe("a publisher's word for a status", () => {
  test.each(statusWords)("%s is to the filter what it is to the importer", (word) => {
    for (const text of [word, word.toUpperCase(), ` ${word}. `]) {
      expect(filtered(text)).toBe(parseContractStatus(word).name);
    }
  });

  test.each([
    ["Canceled", "cancelled"],
    ["ACTIVE", "open"],
    ["Coming soon", "upcoming"],
    ["Award", "awarded"],
  ])("%s is %s", (word, name) => {
    expect([contractStatus(word), parseContractStatus(word).name]).toEqual([name, name]);
  });

  test.each(["cancelled", "posted", "Under Protest", "constructor", "!"])(
    "%s is none of them, and stays as it is",
    (word) => {
      expect([filtered(word), parseContractStatus(word).name]).toEqual([word, word.toLowerCase()]);
    },
  );

  test.each(["archived", "Archive"])("%s, which no record has as a status, is not taken for closed", (word) => {
    expect([contractStatus(word), parseContractStatus(word)]).toEqual([
      "archived",
      { name: "closed", isArchived: true },
    ]);
  });
});
