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
    calls.push({ name, parameters: await request.clone().json() });
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

type Send = (path: string, credential?: string) => Promise<Response>;

const asked = (path: string, credential = key) =>
  new Request(`https://api.example/functions/v1${path}`, { headers: bearer(credential) });
const callsOf = (pattern: RegExp) => calls.filter(({ name }) => pattern.test(name));

/** A new isolate that has the Worker. Cloudflare passes bindings and a context that are new for each request. */
async function worker(): Promise<Send> {
  const { default: entry } = await import("../../functions/worker.ts");
  return (path, credential) =>
    entry.fetch(
      asked(path, credential),
      { ...settings, AUTH_ISSUER: service.people.issuer },
      { waitUntil: (work: Promise<unknown>) => void left.push(work) },
    );
}

/** New isolates of the edge runtime, of which each function has its own. */
async function edge(): Promise<Send> {
  const entries = await Promise.all([
    import("../../functions/grants-api/index.ts"),
    import("../../functions/health/index.ts"),
    import("../../functions/account-api/index.ts"),
  ]);
  const [grants, health, account] = entries.map((entry) => entry.default);
  return (path, credential) => {
    const entry = path.startsWith("/health") ? health : path.startsWith("/account-api") ? account : grants;
    if (entry === undefined) throw new Error(`no function answers ${path}`);
    return entry.fetch(asked(path, credential));
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
