import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Admitted, Rpcs } from "../../shared/database/rpc.ts";
import { createEndpoint, route } from "../../shared/endpoint/endpoint.ts";
import { succeed } from "../../shared/http/problems.ts";
import type { Log, LogFields } from "../../shared/log/log.ts";
import { bearer, openTestService, type TestService, testBaseUrl } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** RPCs that admit a caller. The type check fails where one is missing below. `read_data` calls others, and counts nothing: read-only.test.ts. */
type DataRpc = Exclude<
  { [Name in keyof Rpcs]: Rpcs[Name]["result"] extends Admitted<unknown> ? Name : never }[keyof Rpcs],
  "read_data"
>;

interface Case {
  arguments: object;
  /** Change of the count. */
  counts: 0 | 1 | -1;
}

const id = "00000000-0000-4000-8000-000000000000";
const page = { limit: 5, offset: 0 };
const counted = (parameters: object): Case => ({ arguments: parameters, counts: 1 });
const cases: Record<DataRpc, Case> = {
  admit_request: counted({}),
  list_grants: counted({ parameters: page }),
  list_contracts: counted({ parameters: { ...page, search: "water", search_mode: "hybrid" } }),
  list_funders: counted({ parameters: { count_only: true } }),
  get_grant: counted({ id }),
  get_contract: counted({ id }),
  get_funder: counted({ id }),
  get_organization: counted({ id }),
  get_changes: counted({ dataset: "grants", id, maximum: 5 }),
  list_awards: counted({ id, parameters: { limit: 5 } }),
  get_document: counted({ id }),
  list_addresses: counted({ dataset: "grants" }),
  get_funder_statistics: counted({ id }),
  semantic_search: counted({ query: "clean water", datasets: ["grants"], maximum: 3 }),
  suggest: counted({ typed: "water", kinds: ["word"], maximum: 3 }),
  list_snapshots: counted({ store: "supabase" }),
  identify_key: { arguments: {}, counts: 0 },
  withdraw_request: { arguments: {}, counts: -1 },
};
const names = Object.keys(cases) as DataRpc[];
const counting = names.filter((name) => cases[name].counts === 1);

const secondCall = { query_vector: { model: null, vector: null, is_second_call: true } };
const lists: DataRpc[] = ["list_grants", "list_contracts", "list_funders"];
const takesVector = (name: DataRpc) => lists.includes(name) || name === "semantic_search";

/** A caller who has used so many requests of a quota of five. */
async function newCaller(used: number) {
  const { keyId } = await service.newKey("five", 5);
  const [caller] = await service.connection.query<{ account_id: string; key_hash: string }>(
    `with caller as (select account_id, key_hash from funding.api_keys where id = $1)
     , used as (insert into funding.daily_quota select account_id, funding.quota_day(), $2 from caller)
     select account_id, key_hash from caller`,
    [keyId, used],
  );
  if (caller === undefined) throw new Error("there is no such key");
  const { key_hash, account_id } = caller;
  return {
    call: (name: DataRpc, more: object = {}) =>
      service.runtime.database.call(name, { key_hash, ...cases[name].arguments, ...more } as never),
    async used() {
      const sql = "select used::integer from funding.daily_quota where account_id = $1";
      const [row] = await service.connection.query<{ used: number }>(sql, [account_id]);
      return row?.used;
    },
  };
}

describe("every RPC that admits a caller", () => {
  test("is tried here", async () => {
    // It is given a key, and no user beside it.
    const admitting = await service.connection.query<{ proname: string }>(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace
         and proargnames @> array['key_hash'] and not proargnames @> array['user_id']`,
    );
    expect(admitting.map(({ proname }) => proname).sort()).toEqual(names.toSorted());
  });

  test.each(names)("%s counts as often as it should, and tells what remains", async (name) => {
    const caller = await newCaller(2);
    const used = 2 + cases[name].counts;
    expect(await caller.call(name)).toMatchObject({ ok: true, value: { admission: { remaining: 5 - used } } });
    expect(await caller.used()).toBe(used);
  });
});

describe("every RPC that counts", () => {
  test.each(counting)("%s serves the last request of a quota, and refuses the next", async (name) => {
    const caller = await newCaller(4);
    expect(await caller.call(name)).toMatchObject({ ok: true, value: { admission: { remaining: 0 } } });
    expect(await caller.call(name)).toMatchObject({ ok: false, failure: { code: "PT429" } });
    expect(await caller.used()).toBe(5);
  });

  test.each(counting.filter(takesVector))("%s neither counts nor refuses a second call", async (name) => {
    const caller = await newCaller(5);
    expect(await caller.call(name, secondCall)).toMatchObject({ ok: true, value: { admission: { remaining: 0 } } });
    expect(await caller.used()).toBe(5);
  });

  test.each(lists)("%s refuses a used-up quota before the work, and does not count work that fails", async (name) => {
    const wrong = { parameters: { limit: 5, offset: -1 } };
    const refused = await newCaller(5);
    expect(await refused.call(name, wrong)).toMatchObject({ ok: false, failure: { code: "PT429" } });
    const admitted = await newCaller(4);
    expect(await admitted.call(name, wrong)).toMatchObject({ ok: false, failure: { code: "22023" } });
    expect(await admitted.used()).toBe(4);
  });
});

test("a list that is still right by its tag is counted once", async () => {
  const caller = await newCaller(0);
  const first = await caller.call("list_grants");
  const tag = first.ok ? (first.value.body as { tag: string }).tag : "";
  const again = await caller.call("list_grants", { if_none_match: tag });
  expect(again).toMatchObject({
    ok: true,
    value: { admission: { remaining: 3 }, body: { data_as_of: expect.any(String) } },
  });
  expect(again.ok && again.value.body).not.toHaveProperty("results");
  expect(await caller.used()).toBe(2);
  // As edge functions of 1.1 name it.
  const former = await caller.call("list_grants", { known_tag: tag });
  expect(former.ok && Object.keys(former.value.body as object)).toEqual(["data_as_of"]);
});

describe("a request that ends with an exception", () => {
  type Failure = "before the call" | "after the call" | "in the answer" | "after a withdrawal";
  const failing = (failure: Failure) =>
    createEndpoint("grants-api", [
      route({
        method: "GET",
        path: "",
        parse: () => {
          if (failure === "before the call") throw new Error("secret words");
          return succeed({});
        },
        async query({ database, keyHash }) {
          const outcome = await database.call("admit_request", { key_hash: keyHash });
          if (failure === "after a withdrawal") await database.call("withdraw_request", { key_hash: keyHash });
          if (failure.startsWith("after")) throw new Error("secret words");
          return outcome;
        },
        render: () => ({ body: { amount: 1n } }),
      }),
    ]);

  test.each<[Failure, remaining: string]>([
    ["before the call", "0"],
    ["after the call", "9"],
    ["in the answer", "9"],
    ["after a withdrawal", "9"],
  ])("%s is counted as 500 of its key, and against no quota", async (failure, remaining) => {
    const { key, keyId } = await service.newKey("failing", 10);
    expect((await service.fetch("/funders-api?limit=1", { headers: bearer(key) })).status).toBe(200);
    const request = new Request(`${testBaseUrl}/grants-api`, { headers: bearer(key) });
    const logged: LogFields[] = [];
    const log: Log = { write: (_level, fields) => void logged.push(fields) };
    const response = await failing(failure)(request, { ...service.runtime, log });
    const text = await response.text();
    expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([500, remaining]);
    expect(text).toContain(":problem:server-error");
    expect(text).not.toContain("secret words");
    expect(logged).toEqual([
      expect.objectContaining({ status: 500, problem: "server-error", error: expect.stringMatching(/Error: ./) }),
    ]);

    const next = await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
    expect(next.headers.get("x-ratelimit-remaining")).toBe("8");
    await service.settled();
    const sql =
      "select requests::integer from funding.usage where api_key_id = $1 and endpoint = 'grants-api' and status = 500";
    expect(await service.connection.query(sql, [keyId])).toEqual([{ requests: 1 }]);
  });
});
