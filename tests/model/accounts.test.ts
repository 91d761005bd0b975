import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { type AccountService, openAccountService } from "./account-service.ts";
import { accountsProperty } from "./accounts-property.ts";

let service: AccountService;
beforeAll(async () => {
  service = await openAccountService();
});
afterAll(() => service.close());

/** `ACCOUNT_PROGRAMS=20000` is a long run. */
const programs = Number(process.env.ACCOUNT_PROGRAMS ?? 2_000);

test(
  "whatever happens to accounts, in whatever order, is what a model of a few maps says",
  async () => {
    await fc.assert(accountsProperty(service), { numRuns: programs });
  },
  4 * 3_600_000,
);
