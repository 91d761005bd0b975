import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { revokeKey } from "../../accounts/keys.ts";
import { createRpcBridge } from "../../local/embedded/rpc-bridge.ts";
import { generateKey, hashKey } from "../../shared/auth/key.ts";
import { createRpcClient } from "../../shared/database/client.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import { sharingConfirmations } from "../../shared/database/shared-confirmations.ts";
import { openTestService, type TestService } from "../support/service.ts";

const parameters = { limit: 3, offset: 0, search_mode: "keyword" };

let service: TestService;
/** What is sent to the database, and whether batches find it gone. */
let calls: string[];
let isGone = false;
let alone: RpcClient;
let shared: RpcClient;
let key_hash: string;
let tag: string;

beforeAll(async () => {
  service = await openTestService();
  const bridge = createRpcBridge(service.lock);
  alone = createRpcClient({
    url: "http://embedded.invalid",
    serviceKey: "embedded",
    fetch(input, init) {
      const [name = ""] = String(input).split("/").slice(-1);
      calls.push(name);
      return isGone && name === "confirm_lists"
        ? Promise.reject(new TypeError("connection refused"))
        : bridge(input, init);
    },
  });
  shared = sharingConfirmations(alone);
  key_hash = await hashKey((await service.newKey()).key);
});
afterAll(() => service.close());
beforeEach(async () => {
  calls = [];
  tag = await currentTag();
  calls = [];
});

async function currentTag(): Promise<string> {
  const outcome = await alone.call("list_grants", { key_hash, parameters });
  if (!outcome.ok || !("tag" in outcome.value.body)) throw new Error("the list has no tag");
  return outcome.value.body.tag;
}

/** Asks for the same list on each key, all at once. */
function ask(hashes: string[], known_tag = tag, database = shared) {
  return Promise.all(hashes.map((key_hash) => database.call("list_grants", { key_hash, parameters, known_tag })));
}

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

async function newHash(
  tier: string,
  quota?: number,
): Promise<{ hash: string; keyId: string; left(): Promise<number> }> {
  const { key, keyId } = await service.newKey(tier, quota);
  const hash = await hashKey(key);
  return {
    hash,
    keyId,
    async left() {
      const [row] = await service.connection.query<{ left: number }>(
        "select ($2 - coalesce(sum(used), 0))::integer as left from funding.daily_quota join funding.api_keys using (account_id) where api_keys.id = $1",
        [keyId, quota],
      );
      return row?.left ?? Number.NaN;
    },
  };
}

test("of ten calls at once two go by themselves and eight together, and all have the same answer", async () => {
  const [expected] = await ask([key_hash], tag, alone);
  calls = [];
  expect(await ask(times(10, key_hash))).toEqual(times(10, expected));
  expect(calls).toEqual(["list_grants", "list_grants", "confirm_lists"]);
});

test("one call after another costs a call each", async () => {
  for (let call = 0; call < 3; call++) await ask([key_hash]);
  expect(calls).toEqual(times(3, "list_grants"));
});

test("forty calls make batches of 32 at most", async () => {
  expect((await ask(times(40, key_hash))).every(({ ok }) => ok)).toBe(true);
  expect(calls).toEqual(["list_grants", "list_grants", "confirm_lists", "confirm_lists"]);
});

test("calls that know no list, and those that are counted already, share nothing", async () => {
  const second = { model: null, vector: null, is_second_call: true };
  await Promise.all(times(5, { key_hash, parameters }).map((unknown) => shared.call("list_grants", unknown)));
  await Promise.all(
    times(5, { key_hash, parameters, known_tag: tag, query_vector: second }).map((asked) =>
      shared.call("list_grants", asked),
    ),
  );
  await Promise.all(times(5, { key_hash }).map((admitted) => shared.call("admit_request", admitted)));
  expect(calls).not.toContain("confirm_lists");
});

test("a quota is kept to its last place", async () => {
  const metered = await newHash("five", 5);
  const outcomes = await ask(times(12, metered.hash));
  const remaining = outcomes.flatMap((outcome) => (outcome.ok ? outcome.value.admission.remaining : []));
  expect(remaining.toSorted()).toEqual([0, 1, 2, 3, 4]);
  const [refusal] = await ask([metered.hash], tag, alone);
  expect(outcomes.filter(({ ok }) => !ok)).toEqual(times(7, refusal));
  expect(await metered.left()).toBe(0);
});

test("each is admitted or refused by itself, with the error that it would have alone", async () => {
  const [revoked, free, metered] = [await newHash("developer"), await newHash("free"), await newHash("none", 0)];
  await revokeKey(service.connection, revoked.keyId);
  const unknown = await hashKey(generateKey());
  const hashes = [key_hash, key_hash, revoked.hash, key_hash, free.hash, unknown, metered.hash, key_hash];
  const expected = [];
  for (const hash of hashes) expected.push(...(await ask([hash], tag, alone)));
  calls = [];
  expect(await ask(hashes)).toEqual(expected);
  expect(calls).toEqual(["list_grants", "list_grants", "confirm_lists"]);
  expect(expected.map((outcome) => (outcome.ok ? "ok" : outcome.failure.code))).toEqual([
    "ok",
    "ok",
    "PT401",
    "ok",
    "PT403",
    "PT401",
    "PT429",
    "ok",
  ]);
});

test("a list that has changed is answered whole, and its requests are counted once", async () => {
  const metered = await newHash("many", 100);
  await service.connection.execute(
    "update funding.grants set title = title || ' (changed)' where id = (select id from funding.grants limit 1)",
  );
  const outcomes = await ask(times(6, metered.hash));
  const bodies = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value.body] : []));
  expect(bodies.map((body) => "tag" in body && body.tag)).toEqual(times(6, await currentTag()));
  expect(bodies[5]).toEqual(bodies[0]);
  expect(await metered.left()).toBe(94);
});

describe("when a batch does not reach the database", () => {
  beforeAll(() => {
    isGone = true;
  });
  afterAll(() => {
    isGone = false;
  });

  test("all of it fail as they would alone, those that went by themselves do not, and the next are served", async () => {
    const outcomes = await ask(times(5, key_hash));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false, false, false]);
    const failures = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure]));
    expect(failures).toEqual(times(3, { ...failures[0], code: "" }));
    expect(failures[0]?.message).toContain("connection refused");
    expect((await ask([key_hash]))[0]?.ok).toBe(true);
  });
});
