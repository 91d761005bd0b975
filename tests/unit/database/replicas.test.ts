import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDatabaseClient } from "../../../shared/database/client.ts";
import { createReplicatedClient, type ReadClient } from "../../../shared/database/replicas.ts";
import type { Admitted, RpcClient, RpcOutcome } from "../../../shared/database/rpc.ts";
import { type Log, type LogFields, silentLog } from "../../../shared/log/log.ts";

type Outcome = RpcOutcome<Admitted<unknown>>;

const answer = (by: string, remaining: number | null = -1, isBehind = false): Outcome => ({
  ok: true,
  value: {
    admission: {
      api_key_id: "id",
      daily_quota: remaining === -1 ? -1 : 10,
      remaining: remaining as number,
      is_behind: isBehind,
    },
    body: by,
  },
});
const failure = (code: string): Outcome => ({ ok: false, failure: { code, message: "", details: null, hint: null } });

const nothing = { ok: true, value: { ...(answer("") as { value: Admitted<unknown> }).value, body: null } } as Outcome;
const unlike: Outcome = {
  ok: false,
  failure: { code: "PT400", message: "no record has this one", details: null, hint: "similar_to" },
};

/** Next answer of each server, and the calls that were made. */
let calls: string[];
let clock: number;
let says: Record<"primary" | "count" | "read" | "one" | "two", Outcome>;
let client: RpcClient;
let logged: LogFields[];
const log: Log = { write: (_level, fields) => void logged.push(fields) };
afterEach(() => {
  vi.restoreAllMocks();
});
beforeEach(() => {
  calls = [];
  logged = [];
  clock = 0;
  says = {
    primary: answer("primary"),
    count: answer("count", 7),
    read: answer("read", null),
    one: answer("one"),
    two: answer("two"),
  };
  const server = (name: keyof typeof says): ReadClient => ({
    async read() {
      calls.push(name);
      return says[name];
    },
  });
  const primary = {
    ...server("read"),
    async call(name: string, { counted_on }: { counted_on?: string }) {
      calls.push(name === "list_grants" ? "primary" : [name, counted_on].filter(Boolean).join(" from "));
      return name === "admit_request" ? says.count : says.primary;
    },
  } as RpcClient & ReadClient;
  client = createReplicatedClient(primary, [server("one"), server("two")], log, () => clock);
});

/** Asks for a list. @returns which server's body came, or the failure's code, and who was asked. */
async function ask(parameters: object = {}): Promise<[answered: unknown, ...asked: string[]]> {
  calls = [];
  const outcome = await client.call("list_grants", { key_hash: "key", parameters: {}, ...parameters });
  return [outcome.ok ? outcome.value.body : outcome.failure.code, ...calls];
}
const both = (outcome: Outcome) => Object.assign(says, { one: outcome, two: outcome });

test("replicas answer in turns, and the primary what only it can", async () => {
  const answered = [await ask(), await ask(), await ask(), await ask()].map(([by]) => by);
  expect(answered.slice(0, 2).toSorted()).toEqual(["one", "two"]);
  expect(answered.slice(2)).toEqual(answered.slice(0, 2));
  calls = [];
  await client.call("get_metrics", {} as never);
  expect(calls).toEqual(["get_metrics"]);
});

describe("an account with a quota", () => {
  test("is counted on the primary: after the first answer, then at the same time", async () => {
    both(answer("replica", null));
    expect(await ask()).toEqual(["replica", expect.stringMatching(/one|two/), "admit_request"]);
    expect(await ask()).toEqual(["replica", "admit_request", expect.stringMatching(/one|two/)]);
    const outcome = await client.call("list_grants", { key_hash: "key", parameters: {} });
    expect(outcome).toMatchObject({ ok: true, value: { admission: { remaining: 7, daily_quota: 10 } } });
  });

  test("gets no answer when the count refuses it, or cannot be made", async () => {
    both(answer("replica", null));
    for (const code of ["PT429", ""]) {
      says.count = failure(code);
      expect((await ask())[0]).toBe(code);
    }
  });

  test("whose quota is used up is counted first, so that nothing is read in vain", async () => {
    both(answer("replica", null));
    says.count = failure("PT429");
    await ask();
    expect(await ask()).toEqual(["PT429", "admit_request"]);
    says.count = answer("count", 9);
    expect(await ask()).toEqual(["replica", "admit_request", expect.stringMatching(/one|two/)]);
  });

  test("is not counted for the second call of a request", async () => {
    both(answer("replica", null));
    await ask();
    both(answer("replica", 6));
    expect(await ask({ query_vector: { is_second_call: true } })).toEqual(["replica", expect.any(String)]);
  });

  test("gets a count back where the request fails", async () => {
    both(answer("replica", null));
    await ask();
    both(failure("PT400"));
    expect(await ask()).toEqual(["PT400", "admit_request", expect.any(String), "withdraw_request"]);
  });

  test("gets it back from the day on which it was counted, in a second call, too", async () => {
    both(answer("replica", null));
    await ask();
    const counted = answer("count", 7) as { value: Admitted<unknown> };
    counted.value.admission.counted_on = "2026-11-25";
    says.count = counted as unknown as Outcome;
    both(failure("PT400"));
    expect((await ask()).at(-1)).toBe("withdraw_request from 2026-11-25");

    const wanted = answer("wanted", null) as { value: Admitted<unknown> };
    wanted.value.admission.counted_on = "2026-11-26";
    both(wanted as unknown as Outcome);
    const outcome = await client.call("list_grants", { key_hash: "key", parameters: {} });
    expect(outcome).toMatchObject({ value: { admission: { counted_on: "2026-11-25" } } });
  });

  test("is forgotten once it has no quota: replicas admit it again", async () => {
    both(answer("replica", null));
    await ask();
    says.count = answer("count", -1);
    both(answer("replica"));
    expect(await ask()).toEqual(["replica", "admit_request", expect.any(String)]);
    expect(await ask()).toEqual(["replica", expect.stringMatching(/one|two/)]);
  });

  test("is counted once where the primary answers in place of a replica", async () => {
    both(answer("replica", null));
    await ask();
    both(failure(""));
    expect(await ask()).toEqual(["read", "admit_request", expect.any(String), "read"]);
  });
});

test("the client's address goes with every call that has a key", async () => {
  const addresses: (string | undefined)[] = [];
  const server: ReadClient = {
    async read(_name, _parameters, clientAddress) {
      addresses.push(clientAddress);
      return says.one;
    },
  };
  const primary = {
    ...server,
    async call(_name: string, _parameters: unknown, clientAddress?: string) {
      addresses.push(clientAddress);
      return says.count;
    },
  } as RpcClient & ReadClient;
  const replicated = createReplicatedClient(primary, [server], log, () => clock);
  const askFrom = async (clientAddress: string | undefined, replica: Outcome) => {
    addresses.length = 0;
    says.one = replica;
    await replicated.call("list_grants", { key_hash: "key", parameters: {} }, clientAddress);
    return addresses;
  };
  const all = (count: number) => Array(count).fill("203.0.113.7");
  expect(await askFrom("203.0.113.7", answer("replica", null)), "a read, and its count").toEqual(all(2));
  expect(await askFrom("203.0.113.7", failure("PT400")), "a count, a read and a withdrawal").toEqual(all(3));
  expect(await askFrom("203.0.113.7", failure("PT403")), "a count, a read, the primary's, a withdrawal").toEqual(
    all(4),
  );
  expect(await askFrom("203.0.113.7", failure("")), "the same of a replica that fails").toEqual(all(4));
  expect(await askFrom("203.0.113.7", answer("replica", null)), "the primary alone").toEqual(all(1));
  clock += 60_000;
  expect(await askFrom(undefined, answer("replica", null))).toEqual([undefined, undefined]);
});

describe("the primary is asked in place of a replica", () => {
  test.each(["", "20", "PGRST000", "PGRST202", "57P03", "40001", "25006", "42883", "PT401", "PT403", "PT404", "PT429"])(
    "that says '%s'",
    async (code) => {
      both(failure(code));
      expect(await ask()).toEqual(["primary", expect.any(String), "primary"]);
    },
  );

  test("that is behind", async () => {
    both(answer("old", -1, true));
    expect(await ask()).toEqual(["primary", expect.any(String), "primary"]);
  });

  test.each([
    ["that does not find the record, which may be newer", nothing],
    ["that does not find the one that results are to be like", unlike],
  ])("%s", async (_, outcome) => {
    both(outcome);
    expect(await ask()).toEqual(["primary", expect.any(String), "primary"]);
    // The replica is not at fault.
    expect(await ask()).toEqual(["primary", expect.any(String), "primary"]);
    says.primary = failure("PGRST001");
    expect((await ask())[0], "as far as anybody knows").toBe(outcome.ok ? null : "PT400");
  });

  test.each(["PT400", "PT503", "57014", "22023"])("but not for what the request is: '%s'", async (code) => {
    both(failure(code));
    expect(await ask()).toEqual([code, expect.any(String)]);
  });
});

describe("when the primary cannot be reached", () => {
  beforeEach(() => {
    says.primary = failure("PGRST001");
  });

  test("the answer of a replica that is behind stands, as long as it is", async () => {
    both(answer("old", -1, true));
    for (let count = 0; count < 5; count++) expect((await ask())[0]).toBe("old");
  });

  test("it stands also after a refusal of somebody else's key", async () => {
    both(answer("old", -1, true));
    for (let count = 0; count < 2; count++) await ask();
    clock += 1_000;
    both(failure("PT401"));
    for (let count = 0; count < 2; count++) await ask();
    both(answer("old", -1, true));
    for (let count = 0; count < 4; count++) expect((await ask())[0]).toBe("old");
    clock += 1_000;
    both(failure("PT401"));
    await ask();
    await client.call("list_grants", { key_hash: "key", parameters: {} });
    both(answer("old", -1, true));
    expect((await ask())[0]).toBe("old");
  });

  test("a refusal of a replica does not: the key may be newer", async () => {
    both(failure("PT401"));
    expect((await ask())[0]).toBe("PGRST001");
  });
});

test("a replica is left alone after three timeouts in a row, and after one when it is tried", async () => {
  const isAsked = async () => {
    const asked = [await ask(), await ask()].flatMap(([, ...names]) => names);
    return asked.includes("one");
  };
  const timeOut = async (times: number) => {
    says.one = failure("20");
    for (let count = 0; count < times; count++) expect(await isAsked()).toBe(true);
  };
  // Slow requests among others.
  for (let count = 0; count < 3; count++) {
    await timeOut(2);
    says.one = count === 1 ? failure("PT400") : answer("one");
    expect(await isAsked()).toBe(true);
  }
  expect(logged).toEqual([]);
  await timeOut(3);
  expect(await isAsked()).toBe(false);
  expect(logged).toEqual([{ function: "replicas", replica: 1, error: "timeout" }]);
  clock += 1_000;
  expect(await isAsked()).toBe(true);
  clock += 1_000;
  expect(await isAsked()).toBe(false);
});

test("a replica that fails is left alone, ever longer, and then tried by one request at a time", async () => {
  says.one = failure("");
  const isAsked = async () => {
    const asked = [await ask(), await ask()].flatMap(([, ...names]) => names);
    return asked.includes("one");
  };
  expect(await isAsked()).toBe(true);
  expect(await isAsked()).toBe(false);
  clock += 1_000;
  expect(await isAsked()).toBe(true);
  clock += 1_000;
  expect(await isAsked()).toBe(false);
  clock += 1_000;
  says.one = answer("one");
  expect(await isAsked()).toBe(true);
  expect(await isAsked()).toBe(true);

  expect(logged).toEqual([{ function: "replicas", replica: 1, error: "no answer" }]);

  says.one = failure("");
  await Promise.all([ask(), ask()]);
  clock += 1_000;
  calls = [];
  await Promise.all(Array.from({ length: 6 }, () => client.call("list_grants", { key_hash: "key", parameters: {} })));
  expect(calls.filter((name) => name === "one")).toHaveLength(1);
});

describe("the variables of replicas", () => {
  const project = { url: "http://127.0.0.1:9", serviceKey: "key" };
  test.each([
    [{ SUPABASE_READ_URL: "nowhere" }, 'SUPABASE_READ_URL has "nowhere", which is not a URL'],
    [{ SUPABASE_READ_URL: "http://a.example,," }, 'SUPABASE_READ_URL has "", which is not a URL'],
    [{ SUPABASE_READ_URL: "http://a.example", SUPABASE_READ_METHOD: "PUT" }, "it must be GET or POST"],
  ])("%j are refused", (variables: Record<string, string>, message) => {
    expect(() => createDatabaseClient(project, (name) => variables[name], silentLog)).toThrow(message);
  });

  test.each([
    ["GET", { search: "water" }, "GET", /^\/rest\/v1\/rpc\/read_data\?rpc=list_grants&arguments=/],
    ["GET", { search: "é".repeat(1_000) }, "POST", /^\/rest\/v1\/rpc\/read_data$/],
    ["POST", { search: "water" }, "POST", /^\/rest\/v1\/rpc\/read_data$/],
  ])("%s: %j is asked for by %s", async (method, parameters, expected, path) => {
    const asked: Request[] = [];
    const server = async (input: RequestInfo | URL, init?: RequestInit) => {
      asked.push(new Request(input, init));
      return Response.json((answer("replica") as { value: unknown }).value);
    };
    const variables: Record<string, string> = {
      SUPABASE_READ_URL: "http://replica.example/",
      SUPABASE_READ_METHOD: method,
    };
    const database = createDatabaseClient({ ...project, fetch: server }, (name) => variables[name], silentLog);
    expect((await database.call("list_grants", { key_hash: "key", parameters }, "203.0.113.7")).ok).toBe(true);
    await database.call("list_grants", { key_hash: "key", parameters });
    const [{ url, method: used, headers } = new Request("http://none"), other] = asked;
    expect(used).toBe(expected);
    expect([headers.get("x-client-address"), other?.headers.get("x-client-address")]).toEqual(["203.0.113.7", null]);
    expect(new URL(url).host).toBe("replica.example");
    expect(url.slice("http://replica.example".length)).toMatch(path);
  });

  test("an unreachable replica is asked once, and what it was asked is in no failure", async () => {
    const asked: string[] = [];
    const server = (input: RequestInfo | URL) => {
      const { url } = new Request(input);
      asked.push(new URL(url).host);
      return Promise.reject(new TypeError(`error sending request for url (${url})`));
    };
    const variables: Record<string, string> = { SUPABASE_READ_URL: "http://replica.example" };
    const database = createDatabaseClient({ ...project, fetch: server }, (name) => variables[name], log);
    await database.call("list_grants", { key_hash: "key", parameters: { search: "water" } });
    expect(logged).toEqual([{ function: "replicas", replica: 1, error: "no answer" }]);
    // Each once: supabase-js repeats a GET, if it may, after one, two and four seconds.
    expect(asked).toEqual(["replica.example", "127.0.0.1:9"]);
  });

  test("a replica that is slow once is asked again", async () => {
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort(new DOMException("", "TimeoutError")));
    const asked: string[] = [];
    const server = (input: RequestInfo | URL, init?: RequestInit) => {
      const { url, signal } = new Request(input, init);
      asked.push(new URL(url).host);
      return Promise.reject(signal.reason);
    };
    const variables: Record<string, string> = { SUPABASE_READ_URL: "http://replica.example" };
    const database = createDatabaseClient({ ...project, fetch: server }, (name) => variables[name], log);
    for (let count = 0; count < 4; count++) await database.call("list_grants", { key_hash: "key", parameters: {} });
    expect(asked.filter((host) => host === "replica.example")).toHaveLength(3);
    expect(logged).toEqual([{ function: "replicas", replica: 1, error: "timeout" }]);
  });
});
