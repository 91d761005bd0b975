import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signingKeyOf } from "../../local/auth/signing-key.ts";
import { createPeople, type Person } from "../support/people.ts";
import { waitUntil } from "../support/wait-until.ts";
import { type NativeStack, openNativeStack } from "./native-stack.ts";
import { type NetworkFault, type NetworkProxy, openNetworkProxy } from "./network-proxy.ts";
import { type LoadedStack, loadStack, sleep } from "./under-load.ts";

const faults: NetworkFault[] = [
  { kind: "delay", ms: 150 },
  { kind: "refuse" },
  { kind: "cut", bytes: 10 },
  { kind: "cut", bytes: 700 },
  { kind: "no answers" },
  { kind: "silence" },
];
const faultMs = 2_500;

let stack: NativeStack;
let loaded: LoadedStack;
/** In front of what the functions call, and of Postgres. */
let api: NetworkProxy;
let postgres: NetworkProxy;

beforeAll(async () => {
  const { SUPABASE_URL, STACK_DIR } = process.env;
  if (SUPABASE_URL === undefined || STACK_DIR === undefined) throw new Error("tests/faults/run.sh starts the stack");
  const configuration = await readFile(join(STACK_DIR, "postgrest.conf"), "utf8");
  const databaseUrl = new URL(/^db-uri = "(.+)"$/m.exec(configuration)?.[1] ?? "");
  api = await openNetworkProxy(Number(new URL(SUPABASE_URL).port));
  postgres = await openNetworkProxy(Number(databaseUrl.port));
  databaseUrl.port = String(postgres.port);
  stack = await openNativeStack({ SUPABASE_URL: `http://127.0.0.1:${api.port}` });
  await stack.kill("postgrest");
  await stack.start("postgrest", { PGRST_DB_URI: databaseUrl.href });
  await waitUntil(async () => (await fetch(`${stack.baseUrl}/health/ready`)).ok, "PostgREST answers");
  loaded = await loadStack(stack);
});
afterAll(async () => {
  await stack.stop();
  await stack.kill("postgrest");
  await Promise.all([api.close(), postgres.close()]);
  await stack.start("postgrest");
});

async function during(label: string, proxy: NetworkProxy, fault: NetworkFault): Promise<void> {
  await loaded.during(label, async () => {
    proxy.fault = fault;
    await sleep(faultMs);
    const { damaged } = proxy;
    proxy.heal();
    expect(damaged).toBeGreaterThan(0);
  });
}

describe("between the functions and PostgREST", () => {
  test.each(faults)("%o", (fault) => during(`functions, ${JSON.stringify(fault)}`, api, fault));
});

describe("between PostgREST and Postgres", () => {
  test.each(faults)("%o", (fault) => during(`Postgres, ${JSON.stringify(fault)}`, postgres, fault));
});

test("a write whose answer is lost is made once, though Deno's fetch sends it again", async () => {
  const { AUTH_ISSUER = "", AUTH_SIGNING_KEY = "" } = process.env;
  const people = createPeople(stack.connection, await signingKeyOf(JSON.parse(AUTH_SIGNING_KEY)), AUTH_ISSUER);
  const person = await people.newPerson();
  const send = async (method: string, path: string, body?: object) =>
    fetch(`${stack.baseUrl}/account-api${path}`, {
      method,
      headers: { authorization: `Bearer ${await person.token()}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  // Leaves a connection that can be used again.
  expect((await send("GET", "")).status).toBe(200);
  api.fault = { kind: "no answers" };
  const answer = send("POST", "/keys", { name: "once" });
  await waitUntil(async () => (await countKeys(person)) > 0, "the key is made");
  api.heal();
  const created = await answer;
  expect(created.status).toBe(201);
  expect(await created.json()).toMatchObject({ name: "once", key: expect.stringMatching(/^fo_live_/) });
  expect(created.headers.get("idempotent-replayed")).toBeNull();
  expect(await countKeys(person)).toBe(1);
});

async function countKeys({ userId }: Person): Promise<number> {
  const rows = await stack.connection.query(
    `select from funding.api_keys as api_key join funding.accounts as account on account.id = api_key.account_id
     where account.auth_user_id = $1`,
    [userId],
  );
  return rows.length;
}
