import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createRpcBridge } from "../../local/embedded/rpc-bridge.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const settings = {
  SUPABASE_URL: "https://database.invalid",
  SUPABASE_SECRET_KEY: "sb_secret_of_the_test",
  DATABASE_CONCURRENCY: "2",
  LOG_LEVEL: "error",
};

interface Call {
  name: string;
  parameters: Record<string, unknown>;
  clientAddress: string | null;
}

/** The database calls in order, and the greatest number of list queries at a time. */
let calls: Call[];
let listsAtOnce: number;
/** Number of times that the public keys of sign-in tokens were fetched. */
let keyFetches: number;
/** Work that the responses left to do. */
let left: Promise<unknown>[];

beforeEach(() => {
  calls = [];
  listsAtOnce = 0;
  keyFetches = 0;
  left = [];
  vi.resetModules();
  const bridge = createRpcBridge(service.lock);
  let lists = 0;
  vi.stubGlobal("fetch", async (input: Request | URL | string, init?: RequestInit) => {
    const request = new Request(input, init);
    if (request.url.startsWith(service.people.issuer)) {
      keyFetches++;
      return service.send(request);
    }
    const name = new URL(request.url).pathname.split("/").at(-1) ?? "";
    const clientAddress = request.headers.get("x-client-address");
    calls.push({ name, parameters: await request.clone().json(), clientAddress });
    if (!name.startsWith("list_")) return bridge(request);
    listsAtOnce = Math.max(listsAtOnce, ++lists);
    // The database works in this process: others that may ask do so before it begins.
    await new Promise((resolve) => setImmediate(resolve));
    return bridge(request).finally(() => lists--);
  });
  vi.stubEnv("AUTH_ISSUER", service.people.issuer);
  vi.stubGlobal("EdgeRuntime", { waitUntil: (work: Promise<unknown>) => left.push(work) });
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterEach(async () => {
  // It would be among the calls of the next test.
  try {
    await Promise.all(left);
  } finally {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  }
});

type Send = (path: string, credential?: string, headers?: Record<string, string>) => Promise<Response>;

const asked: (...given: Parameters<Send>) => Request = (path, credential = key, headers = {}) =>
  new Request(`https://api.example/functions/v1${path}`, { headers: { ...headers, ...bearer(credential) } });
const callsOf = (pattern: RegExp) => calls.filter(({ name }) => pattern.test(name));

/** A new isolate that has the Worker. Cloudflare passes bindings and a context that are new for each request. */
async function worker(bindings: Record<string, string> = {}): Promise<Send> {
  const { default: entry } = await import("../../worker/index.ts");
  return (...given) =>
    entry.fetch(
      asked(...given),
      { ...settings, AUTH_ISSUER: service.people.issuer, ...bindings },
      { waitUntil: (work: Promise<unknown>) => void left.push(work) },
    );
}

/** New isolates of the edge runtime, of which each function has its own. */
async function edge(variables: Record<string, string> = {}): Promise<Send> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const entries = await Promise.all([
    import("../../functions/grants-api/index.ts"),
    import("../../functions/health/index.ts"),
    import("../../functions/account-api/index.ts"),
  ]);
  const [grants, health, account] = entries.map((entry) => entry.default);
  return (path, ...given) => {
    const entry = path.startsWith("/health") ? health : path.startsWith("/account-api") ? account : grants;
    if (entry === undefined) throw new Error(`no function answers ${path}`);
    return entry.fetch(asked(path, ...given));
  };
}

describe.each([
  { runtime: "a Worker", open: worker, writers: 6 },
  { runtime: "the edge runtime", open: edge, writers: 1 },
])("what outlives a request on $runtime", ({ open, writers }) => {
  test("the last answer to whether the database is ready, for a second", async () => {
    const send = await open();
    const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
    for (let each = 0; each < 20; each++) expect((await send("/health/ready")).status).toBe(200);
    expect(callsOf(/^get_readiness$/)).toHaveLength(1);
    await Promise.all(Array.from({ length: 20 }, () => send("/health/ready")));
    expect(callsOf(/^get_readiness$/)).toHaveLength(1);
    clock.mockReturnValue(2_000);
    await send("/health/ready");
    await send("/health/ready");
    expect(callsOf(/^get_readiness$/)).toHaveLength(2);
  });

  test("the lists that were answered last", async () => {
    const send = await open();
    const answers = [];
    for (let each = 0; each < 3; each++) answers.push(await (await send("/grants-api?limit=5")).json());
    expect(callsOf(/^list_grants$/).map(({ parameters }) => typeof parameters.if_none_match)).toEqual([
      "undefined",
      "string",
      "string",
    ]);
    expect(answers[2].results).toEqual(answers[0].results);
  });

  test("the public keys that sign-in tokens are verified with", async () => {
    const send = await open();
    const token = await (await service.people.newPerson()).token();
    for (let each = 0; each < 5; each++) expect((await send("/account-api", token)).status).toBe(200);
    expect(keyFetches).toBe(1);
  });

  test("the limit of calls at a time", async () => {
    const send = await open();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, page) => send(`/grants-api?limit=1&offset=${page + 1}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(listsAtOnce).toBe(2);
  });

  test("who writes usage, where one request may wait for what another began, and every request is counted once", async () => {
    const send = await open();
    await Promise.all(Array.from({ length: 6 }, () => send("/grants-api?limit=1")));
    await Promise.all(left);
    const written = callsOf(/^record_usage$/).map(({ parameters }) => parameters);
    expect(new Set(written.map(({ writer }) => writer)).size).toBe(writers);
    const events = written.flatMap(({ events }) => events as { requests: number }[]);
    expect(events.reduce((total, { requests }) => total + requests, 0)).toBe(6);
  });
});

/** Headers that clients send to be taken for somebody else. */
const forged = {
  forwarded: "for=192.0.2.1",
  "true-client-ip": "192.0.2.1",
  "x-client-address": "192.0.2.1",
  "x-forwarded-for": "192.0.2.1",
  "x-real-ip": "192.0.2.1",
};

describe("the client's address", () => {
  /** Addresses that the calls with a key have, and the status of the answer. */
  async function ask(send: Send, headers: Record<string, string>, path = "/grants-api?limit=1") {
    const { status } = await send(path, key, headers);
    return [status, ...callsOf(/^(list_grants|get_grant|admit_request)$/).map(({ clientAddress }) => clientAddress)];
  }

  const named = () => edge({ CLIENT_ADDRESS_HEADER: "cf-connecting-ip" });
  const another = () => worker({ CLIENT_ADDRESS_HEADER: "X-Original-IP" });
  const list = () => edge({ CLIENT_ADDRESS_HEADER: "x-forwarded-for" });
  const cloudflare = { "cf-connecting-ip": "203.0.113.7" };
  test.each<[runtime: string, headers: Record<string, string>, address: string | null, open: () => Promise<Send>]>([
    ["a Worker", cloudflare, "203.0.113.7", worker],
    ["a Worker", { ...forged, "cf-connecting-ip": "2001:DB8::7" }, "2001:db8::7", worker],
    ["a Worker that is not sent one", forged, null, worker],
    ["a Worker that names another header", { ...forged, "x-original-ip": "203.0.113.7" }, "203.0.113.7", another],
    ["a Worker that names another header", { ...forged, ...cloudflare }, null, another],
    ["the edge runtime, which names no header", { ...forged, ...cloudflare }, null, edge],
    ["the edge runtime", { ...forged, ...cloudflare }, "203.0.113.7", named],
    ["the edge runtime, which is not sent one", forged, null, named],
    ["the edge runtime", { ...forged, "x-forwarded-for": "192.0.2.1, 203.0.113.7" }, "203.0.113.7", list],
  ])("on %s, with %j, is %s", async (_runtime, headers, address, open) => {
    const send = await open();
    expect(await ask(send, headers)).toEqual([200, address]);
    expect(await ask(send, headers, "/grants-api?limit=0")).toEqual([400, address, address]);
  });

  test("is each request's own in an isolate that answers many", async () => {
    const send = await worker();
    for (const address of ["203.0.113.7", "203.0.113.8", "203.0.113.7"]) {
      calls = [];
      expect(await ask(send, { "cf-connecting-ip": address })).toEqual([200, address]);
    }
  });

  test("of a client is in the header that the deployment names, which has to be one", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const send = await edge({ CLIENT_ADDRESS_HEADER: "x-real-ip, x-forwarded-for" });
    expect((await send("/grants-api?limit=1")).status).toBe(500);
    expect(error.mock.calls.join()).toContain("it must be the name of a header");
  });
});

// `wrangler dev` without secrets was a bare 500, and its log named the first that is missing.
describe.each([
  { runtime: "a Worker", open: worker, how: "wrangler secret put NAME" },
  { runtime: "the edge runtime", open: edge, how: "Supabase gives both to its functions" },
])("a deployment that is not complete, on $runtime", ({ open, how }) => {
  const logged: string[] = [];
  beforeEach(() => {
    logged.length = 0;
    vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
  });

  const none = { SUPABASE_URL: "", SUPABASE_SECRET_KEY: "" };
  test.each([
    { lacks: none, names: "SUPABASE_URL and SUPABASE_SECRET_KEY" },
    { lacks: { SUPABASE_URL: "" }, names: "SUPABASE_URL" },
    { lacks: { SUPABASE_SECRET_KEY: "" }, names: "SUPABASE_SECRET_KEY" },
  ])("says in a problem and in the log that it lacks $names, and how to set it", async ({ lacks, names }) => {
    const send = await open(lacks as Record<string, string>);
    for (const path of ["/grants-api", "/health", "/account-api"]) {
      logged.length = 0;
      const response = await send(path);
      const problem = (await response.json()) as { type: string; detail: string };
      expect([response.status, problem.type]).toEqual([500, "urn:funding-opportunities:problem:server-error"]);
      expect(problem.detail).toContain(`This deployment lacks ${names}. `);
      expect(problem.detail).toContain(how);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(logged.join("\n")).toContain(`This deployment lacks ${names}. `);
    }
  });

  test("says in the log alone what is wrong with a setting that holds something", async () => {
    const send = await open({ CLIENT_ADDRESS_HEADER: "no header!" });
    const response = await send("/grants-api");
    expect([response.status, await response.json()]).toMatchObject([
      500,
      { detail: "Something went wrong on our side." },
    ]);
    expect(logged.join("\n")).toContain("CLIENT_ADDRESS_HEADER");
  });
});

test("a service key in a variable that is no JSON is in no answer and no log", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const send = await edge({ SUPABASE_SECRET_KEYS: "sb_secret_0123456789abcdef" });
  const response = await send("/grants-api");
  const said = `${await response.text()} ${error.mock.calls.join()}`;
  expect(response.status).toBe(500);
  expect(said).toContain("SUPABASE_SECRET_KEYS is no JSON");
  expect(said).not.toContain("0123456789abcdef");
});
