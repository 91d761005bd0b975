import { beforeAll, describe, expect, test } from "vitest";
import { defineTier } from "../../database/accounts/accounts.ts";
import { accountKey } from "../../shared/responses/account/keys.ts";
import type { Person } from "../support/people.ts";
import { accountClient, peopleOf, refused } from "./account-client.ts";
import { apiClient } from "./client.ts";
import { connectMcp, mcpClient } from "./mcp-client.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("signIn");
const client = apiClient(target);
const mcp = mcpClient(target);
const { askAs, read, newKey, rotate, keysOf, putOnTier } = accountClient(target);

let holder: Person;
beforeAll(async () => {
  if (!canRun) return;
  holder = await holderOn("developer");
});

async function holderOn(tier: string): Promise<Person> {
  const person = await peopleOf(target).newPerson();
  await putOnTier(person, tier);
  return person;
}

const limited = (limits: object, person = holder) => newKey(person, { name: "limited", ...limits });
const limit = (id: string, body: object, person = holder) =>
  read(person, `/keys/${id}`, accountKey, { method: "PATCH", body });
const list = (key: string, dataset = "funders") => target.send(`/${dataset}-api?limit=1`, {}, { key });
/** An answer that is not 503: on a busy machine, some of many requests at a time wait too long, and count nowhere. */
async function answered(key: string): Promise<Response> {
  for (;;) {
    const response = await list(key);
    if (response.status !== 503) return response;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
const statusOf = async (key: string, dataset?: string) => (await list(key, dataset)).status;
const remaining = (response: Response) => response.headers.get("x-ratelimit-remaining");

describe("limits of a key", () => {
  test("are none without being asked for", async () => {
    expect(await newKey(holder)).toMatchObject({ datasets: null, daily_quota: null, addresses: null });
  });

  test("are given when it is created, listed, changed one by one, and taken away by null", async () => {
    const key = await limited({ datasets: ["funders", "grants", "funders"], daily_quota: 7 });
    expect(key).toMatchObject({ datasets: ["grants", "funders"], daily_quota: 7 });
    expect((await keysOf(holder)).find(({ id }) => id === key.id)).toMatchObject({ daily_quota: 7 });
    expect(await limit(key.id, { daily_quota: 9 })).toMatchObject({ datasets: ["grants", "funders"], daily_quota: 9 });
    expect(await limit(key.id, { datasets: null })).toMatchObject({ datasets: null, daily_quota: 9 });
    expect(await limit(key.id, { daily_quota: null })).toMatchObject({ datasets: null, daily_quota: null });
    const ranges = { addresses: ["2001:DB8::/32", "203.0.113.0/24", "::ffff:192.0.2.1", "2001:db8::/32"] };
    const addresses = ["2001:db8::/32", "203.0.113.0/24", "192.0.2.1/32"];
    expect(await limit(key.id, ranges)).toMatchObject({ datasets: null, daily_quota: null, addresses });
    expect(await limit(key.id, { daily_quota: 9 })).toMatchObject({ daily_quota: 9, addresses });
    expect((await keysOf(holder)).find(({ id }) => id === key.id)).toMatchObject({ addresses });
    expect(await limit(key.id, { addresses: null })).toMatchObject({ daily_quota: 9, addresses: null });
  });

  test.each([
    [{ datasets: [] }, "datasets", "must name at least one dataset; null is for all"],
    [{ datasets: ["grants", "loans"] }, "datasets.1", "must be among grants, contracts, funders"],
    [{ datasets: "grants" }, "datasets", "must be a list of datasets, or null for all"],
    [
      { daily_quota: 0 },
      "daily_quota",
      "must be a whole number of requests from 1 to 1000000000, or null for no limit",
    ],
    [
      { daily_quota: 1.5 },
      "daily_quota",
      "must be a whole number of requests from 1 to 1000000000, or null for no limit",
    ],
    [
      { daily_quota: "7" },
      "daily_quota",
      "must be a whole number of requests from 1 to 1000000000, or null for no limit",
    ],
    [{ daily_quotas: 7 }, "daily_quotas", expect.stringContaining("did you mean daily_quota?")],
    [{ addresses: [] }, "addresses", expect.stringContaining("must be a list of 1 to 20 address ranges")],
    [{ addresses: "10.0.0.0/8" }, "addresses", expect.stringContaining("must be a list of 1 to 20 address ranges")],
    [
      { addresses: Array.from({ length: 21 }, (_, last) => `10.0.0.${last}`) },
      "addresses",
      expect.stringContaining("must be a list of 1 to 20 address ranges"),
    ],
    [
      { addresses: ["::1", "10.0.0.0/33"] },
      "addresses.1",
      "must be an address range, such as 203.0.113.0/24 or 2001:db8::/32, or an address",
    ],
    [{ addresses: ["10.0.0.1/8"] }, "addresses.0", "must be 10.0.0.0/8, the range that 10.0.0.1/8 is in"],
  ])("that are wrong are refused with a 400 that names the field: %j", async (limits, parameter, message) => {
    const { id } = await newKey(holder);
    const body = { name: "x", ...limits };
    const created = await refused(await askAs(holder, "/keys", { method: "POST", body }), 400);
    const changed = await refused(await askAs(holder, `/keys/${id}`, { method: "PATCH", body: limits }), 400);
    for (const { errors } of [created, changed]) expect(errors).toEqual([{ parameter, message }]);
  });

  test("are changed by the key's owner alone, and not on a key that has ended", async () => {
    const { id } = await newKey(holder);
    const stranger = await holderOn("developer");
    await refused(await askAs(stranger, `/keys/${id}`, { method: "PATCH", body: { daily_quota: 1 } }), 404);
    await read(holder, `/keys/${id}/revoke`, accountKey, { method: "POST" });
    await refused(await askAs(holder, `/keys/${id}`, { method: "PATCH", body: { daily_quota: 1 } }), 409);
  });

  test("are those of the key that replaces it, which shares its quota", async () => {
    const old = await limited({ datasets: ["funders"], daily_quota: 3 });
    expect(await statusOf(old.key)).toBe(200);
    const replacement = await rotate(holder, old.id);
    expect(replacement).toMatchObject({ datasets: ["funders"], daily_quota: 3 });
    expect(await statusOf(replacement.key, "grants")).toBe(403);
    expect([await statusOf(replacement.key), await statusOf(old.key), await statusOf(replacement.key)]).toEqual([
      200, 200, 429,
    ]);
  });

  test("hold from the next request on, also for a list that is cached", async () => {
    const key = await limited({});
    expect(await statusOf(key.key)).toBe(200);
    await limit(key.id, { datasets: ["grants"] });
    expect(await statusOf(key.key)).toBe(403);
    await limit(key.id, { datasets: null, daily_quota: 2 });
    expect([await statusOf(key.key), await statusOf(key.key), await statusOf(key.key)]).toEqual([200, 200, 429]);
    await limit(key.id, { daily_quota: 3 });
    expect([await statusOf(key.key), await statusOf(key.key)]).toEqual([200, 429]);
    await limit(key.id, { daily_quota: null });
    expect(remaining(await list(key.key))).toBe("-1");
  });
});

describe("a key for grants", () => {
  let key: string;
  let ids: Record<"grants" | "contracts", string>;
  beforeAll(async () => {
    if (!canRun) return;
    key = (await limited({ datasets: ["grants"] })).key;
    const idOf = async (name: "grants-api" | "contracts-api") =>
      (await client.list(name, { limit: 1 })).results[0]?.id ?? "no record";
    ids = { grants: await idOf("grants-api"), contracts: await idOf("contracts-api") };
  });

  const send = (path: string, body?: object) =>
    target.send(
      path.replace("GRANT", ids.grants).replace("CONTRACT", ids.contracts),
      body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body).replace("GRANT", ids.grants).replace("CONTRACT", ids.contracts),
      },
      { key },
    );

  test.each<[string, object?]>([
    ["/grants-api?limit=1"],
    ["/grants-api?limit=1&format=csv"],
    ["/grants-api?count_only=true&facets=status"],
    ["/grants-api?limit=1&search=water&search_mode=hybrid"],
    ["/grants-api?limit=1&similar_to=GRANT"],
    ["/grants-api/GRANT"],
    ["/grants-api/GRANT/changes"],
    ["/semantic-search", { query: "water", type: "grants", limit: 1 }],
    ["/semantic-search", { similar_to: "GRANT", type: "grants", limit: 1 }],
    ["/common-grants/opportunities?pageSize=1"],
    ["/common-grants/opportunities/search", { pagination: { pageSize: 1 } }],
    ["/common-grants/opportunities/GRANT"],
  ])("reads %s %j", async (path, body) => {
    const response = await send(path, body);
    expect(response.status, await response.text()).toBe(200);
  });

  const alone = "This key is for grants alone, and the request reads";
  const instead = "Use another key, or change its limits.";
  test.each<[path: string, reads: string, body?: object]>([
    ["/contracts-api?limit=1", "contracts"],
    ["/contracts-api?limit=1&format=csv", "contracts"],
    ["/contracts-api?count_only=true&facets=naics", "contracts"],
    ["/contracts-api?limit=1&search=water&search_mode=hybrid", "contracts"],
    ["/contracts-api?limit=1&similar_to=GRANT", "contracts"],
    ["/grants-api?limit=1&similar_to=CONTRACT", "contracts"],
    ["/contracts-api/CONTRACT", "contracts"],
    ["/contracts-api/CONTRACT/changes", "contracts"],
    ["/funders-api?limit=1", "funders"],
    ["/semantic-search", "contracts", { query: "water", type: "contracts", limit: 1 }],
    ["/semantic-search", "contracts", { query: "water", limit: 1 }],
    ["/semantic-search", "contracts", { similar_to: "CONTRACT", type: "grants", limit: 1 }],
    ["/snapshots", "contracts and funders"],
    ["/snapshots/latest/grants.jsonl.gz", "contracts and funders"],
  ])("is refused %s, which reads %s: %j", async (path, reads, body) => {
    const problem = await refused(await send(path, body), 403);
    expect(problem).toMatchObject({
      type: "urn:funding-opportunities:problem:outside-key-limits",
      detail: `${alone} ${reads}. ${instead}`,
    });
  });

  test("is told of its limits before the mistakes of a request", async () => {
    await refused(await send("/contracts-api?limit=0"), 403);
    await refused(await send("/grants-api?limit=0"), 400);
  });

  test("is told so by the tools for language models", async () => {
    const tools = await connectMcp(target, { key });
    try {
      expect((await mcp.call("search_grants", { limit: 1 }, tools)).isError).toBe(false);
      const { isError, text } = await mcp.call("search_contracts", { limit: 1 }, tools);
      expect([isError, text]).toEqual([true, `Outside the key's limits: ${alone} contracts. ${instead}`]);
    } finally {
      await tools.close();
    }
  });

  test("of a contracts key: none of the opportunities and organizations of CommonGrants", async () => {
    const contracts = { key: (await limited({ datasets: ["contracts"] })).key };
    for (const path of [
      "/common-grants/opportunities",
      `/common-grants/opportunities/${ids.grants}`,
      "/common-grants/orgs",
    ]) {
      expect((await target.send(path, {}, contracts)).status).toBe(403);
    }
  });
});

/** Ranges that documentation may name and nobody has (RFC 5737, RFC 3849). */
const elsewhere = ["192.0.2.0/24", "2001:db8::/32"];
const everywhere = ["0.0.0.0/0", "::/0"];
const outside =
  /^This key is for requests from 192\.0\.2\.0\/24 and 2001:db8::\/32 alone, and this one comes from ([\da-f.:]+)\. Use another key, or change its limits\.$/;

/** The problem of a request that is refused for its address, and the address. */
async function refusedAddress(response: Response): Promise<string> {
  const { type, detail } = await refused(response, 403);
  expect(type).toBe("urn:funding-opportunities:problem:outside-key-limits");
  const address = outside.exec(detail)?.[1];
  if (address === undefined) throw new Error(detail);
  return address;
}

describe("a key for some addresses", () => {
  let keys: Record<"here" | "notHere", string>;
  let ids: Record<"GRANT" | "CONTRACT" | "FUNDER", string>;
  beforeAll(async () => {
    if (!canRun) return;
    keys = {
      here: (await limited({ addresses: everywhere })).key,
      notHere: (await limited({ addresses: elsewhere })).key,
    };
    const idOf = async (name: "grants-api" | "contracts-api" | "funders-api") =>
      (await client.list(name, { limit: 1 })).results[0]?.id ?? "no record";
    ids = { GRANT: await idOf("grants-api"), CONTRACT: await idOf("contracts-api"), FUNDER: await idOf("funders-api") };
  });

  const send = (path: string, key: string, body?: object, headers: Record<string, string> = {}) => {
    const filled = (text: string) => text.replace(/GRANT|CONTRACT|FUNDER/, (name) => ids[name as keyof typeof ids]);
    const json = { ...headers, "content-type": "application/json" };
    return target.send(
      filled(path),
      body === undefined ? { headers } : { method: "POST", headers: json, body: filled(JSON.stringify(body)) },
      { key },
    );
  };

  test.each<[path: string, status: number, body?: object]>([
    ["/grants-api?limit=1", 200],
    ["/contracts-api?limit=1", 200],
    ["/funders-api?limit=1", 200],
    ["/grants-api?limit=0", 400],
    ["/grants-api?limit=1&format=csv", 200],
    ["/grants-api?count_only=true&facets=status", 200],
    ["/grants-api?limit=1&sort_by=updated_at&order=asc", 200],
    ["/grants-api?limit=1&search=water&search_mode=hybrid", 200],
    ["/grants-api?limit=1&similar_to=GRANT", 200],
    ["/grants-api/GRANT", 200],
    ["/grants-api/GRANT/changes", 200],
    ["/contracts-api/CONTRACT", 200],
    ["/funders-api/FUNDER", 200],
    ["/grants-api/FUNDER", 404],
    ["/grants-api/none", 400],
    ["/semantic-search", 200, { query: "water", limit: 1 }],
    ["/semantic-search", 200, { similar_to: "GRANT", type: "grants", limit: 1 }],
    ["/semantic-search", 400, { limit: 1 }],
    ["/common-grants/opportunities?pageSize=1", 200],
    ["/common-grants/opportunities/search", 200, { pagination: { pageSize: 1 } }],
    ["/common-grants/opportunities/GRANT", 200],
    ["/common-grants/orgs?pageSize=1", 200],
    ["/common-grants/orgs/FUNDER", 200],
    ["/snapshots", 200],
    ["/snapshots/nothing/grants.jsonl.gz", 404],
    ["/documents/GRANT", 404],
  ])("is refused %s elsewhere than there, and answered %i there", async (path, status, body) => {
    const answer = await send(path, keys.here, body);
    expect(answer.status, await answer.text()).toBe(status);
    const refusal = await send(path, keys.notHere, body);
    if (path.startsWith("/common-grants")) expect(refusal.status).toBe(403);
    else await refusedAddress(refusal);
  });

  test("is refused by every tool for language models, in words that a model can act on", async () => {
    const [here, notHere] = await Promise.all([
      connectMcp(target, { key: keys.here }),
      connectMcp(target, { key: keys.notHere }),
    ]);
    try {
      for (const [tool, given] of [
        ["search_grants", { limit: 1 }],
        ["get_record", { type: "grants", id: ids.GRANT }],
        ["get_records", { type: "grants", ids: [ids.GRANT] }],
        ["list_changes", { type: "grants", limit: 1 }],
        ["list_record_changes", { type: "grants", id: ids.GRANT }],
        ["list_awards", { id: ids.GRANT }],
        ["suggest", { q: "com" }],
        ["search_passages", { type: "grants", search: "water", limit: 1 }],
        ["semantic_search", { query: "water", limit: 1 }],
      ] as const) {
        expect((await mcp.call(tool, given, here)).isError, tool).toBe(false);
        const { isError, text } = await mcp.call(tool, given, notHere);
        expect([
          isError,
          text.startsWith("Outside the key's limits: This key is for requests from 192.0.2.0/24"),
        ]).toEqual([true, true]);
      }
    } finally {
      await Promise.all([here.close(), notHere.close()]);
    }
  });

  test("is refused whatever address the client says in headers", async () => {
    // Not CF-Connecting-IP: outside of Cloudflare, nothing keeps a client from writing it.
    const forged = Object.fromEntries(
      ["X-Client-Address", "X-Forwarded-For", "X-Real-IP", "True-Client-IP", "X-Client-IP"].map((name) => [
        name,
        "192.0.2.1",
      ]),
    );
    const address = await refusedAddress(await list(keys.notHere));
    const headers = { ...forged, Forwarded: "for=192.0.2.1" };
    expect(await refusedAddress(await send("/funders-api?limit=1", keys.notHere, undefined, headers))).toBe(address);
  });

  test("that is the one that a refusal tells, works; and not one beside it", async () => {
    const { id, key } = await limited({ addresses: elsewhere });
    const address = await refusedAddress(await list(key));
    const bits = address.includes(":") ? 128 : 32;
    expect((await limit(id, { addresses: [...elsewhere, address] })).addresses).toEqual([
      ...elsewhere,
      `${address}/${bits}`,
    ]);
    expect(await statusOf(key)).toBe(200);
    const beside = address.replace(/[\da-f]$/, (last) => (last === "1" ? "2" : "1"));
    await limit(id, { addresses: [beside] });
    expect(await statusOf(key)).toBe(403);
  });

  test("holds from the next request on, also for a list that is cached, and for the key that replaces it", async () => {
    const { id, key } = await limited({});
    expect([await statusOf(key), await statusOf(key)]).toEqual([200, 200]);
    await limit(id, { addresses: elsewhere });
    expect(await statusOf(key)).toBe(403);
    const replacement = await rotate(holder, id);
    expect(replacement.addresses).toEqual(elsewhere);
    expect(await statusOf(replacement.key)).toBe(403);
    await limit(replacement.id, { addresses: null });
    expect([await statusOf(replacement.key), await statusOf(key)]).toEqual([200, 403]);
  });

  test("is told of its address before its datasets, and uses up no quota where it is refused", async () => {
    const { id, key } = await limited({ addresses: elsewhere, datasets: ["grants"], daily_quota: 2 });
    for (const dataset of ["grants", "contracts", "grants"]) await refusedAddress(await list(key, dataset));
    await limit(id, { addresses: null });
    expect(remaining(await list(key, "grants"))).toBe("1");
  });
});

describe("a key's daily quota", () => {
  test("admits exactly 10 of 50 requests at the same time, and leaves the account's other keys alone", async () => {
    const { key } = await limited({ daily_quota: 10 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => answered(key)));
    const [admitted, others] = [200, 429].map((status) => answers.filter((answer) => answer.status === status));
    expect([admitted?.length, others?.length]).toEqual([10, 40]);
    expect(admitted?.map((answer) => Number(remaining(answer))).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 10 }, (_, left) => left),
    );
    const refusal = await list(key);
    expect(refusal.headers.get("x-ratelimit-limit")).toBe("10");
    expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await refused(refusal, 429)).detail).toBe(
      "This key's quota of 10 requests a day is used up. It resets at midnight UTC.",
    );
    expect(remaining(await list((await newKey(holder)).key))).toBe("-1");
  });

  test("counts beside the account's, and the headers tell the one with less left", async () => {
    await defineTier(peopleOf(target).connection, "key-limits-five", 5);
    const person = await holderOn("key-limits-five");
    const [small, large, other] = [
      await limited({ daily_quota: 2 }, person),
      await limited({ daily_quota: 9 }, person),
      await newKey(person),
    ];
    const told: string[] = [];
    for (const { key } of [small, large, small, small, other, other, large]) {
      const { status, headers } = await list(key);
      told.push(`${status} ${headers.get("x-ratelimit-remaining")}/${headers.get("x-ratelimit-limit")}`);
    }
    expect(told).toEqual(["200 1/2", "200 3/5", "200 0/2", "429 0/2", "200 1/5", "200 0/5", "429 0/5"]);
  });

  test("is not used by what the key's other limits refuse", async () => {
    const { key } = await limited({ datasets: ["funders"], daily_quota: 2 });
    expect(await statusOf(key, "grants")).toBe(403);
    expect(remaining(await list(key))).toBe("1");
  });
});
