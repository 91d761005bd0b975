import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rotateKey } from "../../database/accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";
import { openTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const step = fc.oneof(
  fc.constantFrom(0, 1, 24, 720).map((overlap) => ({ overlap })),
  fc.constantFrom(0.6, 14, 400).map((wait) => ({ wait })),
);

const admits = async (key: string) =>
  (await service.fetch("/grants-api?limit=1", { headers: { authorization: `Bearer ${key}` } })).status === 200;

test("whenever a key is rotated, each key is let in for as long as its own rotation promised", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const issued = await service.newKey();
      let present = { key: issued.key, id: issued.keyId };
      const keys = [{ ...present, until: Number.POSITIVE_INFINITY }];
      let now = 0;
      for (const asked of steps) {
        if ("wait" in asked) {
          now += asked.wait;
          // Time passes for the account's keys.
          await service.connection.query(
            `update funding.api_keys set expires_at = expires_at - make_interval(secs => $2::float8)
             where account_id = funding.account_id($1)`,
            [issued.email, asked.wait * 3_600],
          );
        } else {
          const replaced = keys.at(-1);
          if (replaced !== undefined) replaced.until = now + asked.overlap;
          present = await rotateKey(service.connection, present.id, asked.overlap);
          keys.push({ ...present, until: Number.POSITIVE_INFINITY });
        }
        const admitted = [];
        for (const { key } of keys) admitted.push(await admits(key));
        expect(admitted).toEqual(keys.map(({ until }) => until > now));
      }
    }),
    { numRuns: 12, examples: [[[{ overlap: 24 }, { overlap: 1 }, { wait: 14 }, { wait: 14 }]]] },
  );
});

test("a rotation whose connection breaks before its end leaves the old key, which can be rotated again", async () => {
  const { key, keyId } = await service.newKey();
  /** The same connection, which breaks after the first statement: also one in a transaction. */
  const breaking = (connection: Connection): Connection => {
    let statements = 0;
    return {
      ...connection,
      async query<Row>(text: string, parameters?: readonly unknown[]) {
        statements += 1;
        if (statements > 1) throw new Error("the connection broke");
        return connection.query<Row>(text, parameters);
      },
      transaction: (work) => connection.transaction((transaction) => work(breaking(transaction))),
    };
  };
  await expect(rotateKey(breaking(service.connection), keyId, 0)).rejects.toThrow("the connection broke");
  expect(await admits(key)).toBe(true);
  const { key: next } = await rotateKey(service.connection, keyId, 0);
  expect([await admits(key), await admits(next)]).toEqual([false, true]);
});
