import { afterAll, beforeAll, expect, test } from "vitest";
import { handle as account } from "../../functions/account-api/index.ts";
import { handle as billing } from "../../functions/billing/index.ts";
import { openTestService, type TestService, testBaseUrl } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

test("billing is off, and asks no database, where no secret is set", async () => {
  const runtime = { ...service.runtime, variable: () => undefined };
  const request = new Request(`${testBaseUrl}/billing`, {
    method: "POST",
    body: "{}",
    headers: { "stripe-signature": "t=1" },
  });
  const calls = service.calls.length;
  const response = await billing(request, runtime);
  expect([response.status, await response.json()]).toMatchObject([404, { detail: "Billing is not set up here." }]);
  expect(service.calls).toHaveLength(calls);
});

test("the account API answers 503 while the keys of the sign-in cannot be had", async () => {
  const variables: Record<string, string> = { SUPABASE_URL: "http://127.0.0.1:1" };
  const runtime = { ...service.runtime, variable: (name: string) => variables[name] };
  const person = await service.people.newPerson();
  const request = new Request(`${testBaseUrl}/account-api`, {
    headers: { authorization: `Bearer ${await person.token()}` },
  });
  const response = await account(request, runtime);
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
});
