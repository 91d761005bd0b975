import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plantBug } from "../support/planted-bug.ts";
import { type AccountService, openAccountService } from "./account-service.ts";
import { accountsProperty } from "./accounts-property.ts";
import { accountBugs } from "./bugs.ts";

let service: AccountService;
beforeAll(async () => {
  service = await openAccountService();
});
afterAll(() => service.close());

describe("the model of accounts finds a planted bug:", () => {
  test.each(Object.entries(accountBugs))("%s", async (_, bug) => {
    const putBack = await plantBug(service.connection, bug);
    try {
      const { errorInstance } = await fc.check(accountsProperty(service), { numRuns: 1_000, endOnFailure: true });
      expect(String(errorInstance)).toMatch(/no order explains|deep equally contain|keys are answered/);
    } finally {
      await putBack();
    }
  });
});
