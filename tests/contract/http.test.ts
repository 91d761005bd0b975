import { beforeAll, describe, expect, test } from "vitest";
import { generateKey } from "../../shared/auth/key.ts";
import { apiClient } from "./client.ts";
import { type Caller, contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const json = { "content-type": "application/json" };

/** One request for every status that there is (429 is in auth.test.ts). */
interface Exchange {
  what: string;
  status: number;
  path: () => string;
  init?: RequestInit;
  caller?: Caller;
}

/** Response headers that a page of another origin must be able to read. */
const exposed = [
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-request-id",
  "etag",
  "retry-after",
  "deprecation",
  "link",
  "server-timing",
];

let grant: string;
beforeAll(async () => {
  const [record] = (await client.list("grants-api", { limit: 1 })).results;
  grant = `/grants-api/${record?.id}`;
});

const exchanges: Exchange[] = [
  { what: "a list", status: 200, path: () => "/grants-api?limit=1" },
  { what: "a count", status: 200, path: () => "/funders-api?count_only=true" },
  { what: "a record", status: 200, path: () => grant },
  { what: "HEAD of a record", status: 200, path: () => grant, init: { method: "HEAD" } },
  {
    what: "a semantic search",
    status: 200,
    path: () => "/semantic-search",
    init: { method: "POST", body: '{"query":"water"}', headers: json },
  },
  { what: "a preflight", status: 204, path: () => "/grants-api", init: { method: "OPTIONS" }, caller: "nobody" },
  { what: "an unchanged record", status: 304, path: () => grant, init: { headers: { "if-none-match": "*" } } },
  { what: "a wrong parameter", status: 400, path: () => "/grants-api?limit=0" },
  {
    what: "a wrong body",
    status: 400,
    path: () => "/semantic-search",
    init: { method: "POST", body: "{", headers: json },
  },
  { what: "no key", status: 401, path: () => "/grants-api", caller: "nobody" },
  { what: "no API access", status: 403, path: () => "/grants-api", caller: "free" },
  { what: "no such record", status: 404, path: () => `/grants-api/${crypto.randomUUID()}` },
  { what: "no such path", status: 404, path: () => "/grants-api/a/b" },
  { what: "another method", status: 405, path: () => "/grants-api", init: { method: "DELETE" } },
  {
    what: "too large a body",
    status: 413,
    path: () => "/semantic-search",
    init: { method: "POST", body: " ".repeat(70_000), headers: json },
  },
  {
    what: "another content type",
    status: 415,
    path: () => "/semantic-search",
    init: { method: "POST", body: "{}", headers: { "content-type": "text/plain" } },
  },
];

describe.each(exchanges)("the response to $what ($status)", ({ status, path, init, caller }) => {
  const send = (headers: Record<string, string> = {}) =>
    target.send(path(), { ...init, headers: { ...init?.headers, ...headers } }, caller);

  let response: Response;
  beforeAll(async () => {
    response = await send({ origin: "https://example.org", "x-request-id": "my-request.42" });
  });

  test("has its status", () => {
    expect(response.status).toBe(status);
  });

  test("has the rate-limit headers, as integers", () => {
    expect(response.headers.get("x-ratelimit-limit")).toMatch(/^(-1|\d+)$/);
    expect(response.headers.get("x-ratelimit-remaining")).toMatch(/^(-1|\d+)$/);
  });

  test("can be read by a page of any origin, with its headers", () => {
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    if (init?.method === "OPTIONS") return;
    const names = response.headers
      .get("access-control-expose-headers")
      ?.toLowerCase()
      .split(/\s*,\s*/);
    expect(names).toEqual(expect.arrayContaining(exposed));
  });

  test("carries the request's own X-Request-Id", () => {
    expect(response.headers.get("x-request-id")).toBe("my-request.42");
  });

  test("carries a new X-Request-Id when the request has none, or one that is not plain text", async () => {
    const ids = [];
    for (const headers of [{}, { "x-request-id": "<b>" }, { "x-request-id": "x".repeat(2_000) }]) {
      ids.push((await send(headers)).headers.get("x-request-id"));
    }
    for (const id of ids) expect(id).toMatch(/^[\w.:-]{8,128}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain("x".repeat(2_000));
  });

  test("is not stored by shared caches", () => {
    expect(response.headers.get("cache-control")).toMatch(/private|no-store/);
  });
});

describe("Server-Timing", () => {
  test("says how long the database took, of the whole", async () => {
    const timing = (await target.send("/grants-api?limit=1")).headers.get("server-timing") ?? "";
    const [, database, total] = (/^db;dur=([\d.]+), total;dur=([\d.]+)$/.exec(timing) ?? []).map(Number);
    expect(database).toBeGreaterThan(0);
    expect(total).toBeGreaterThanOrEqual(database ?? Number.NaN);
  });

  test("is omitted for unknown keys: timing could reveal whether a key exists", async () => {
    for (const caller of ["nobody", { key: "fo_live_wrong" }, { key: generateKey() }] as const) {
      const response = await target.send("/grants-api?limit=1", {}, caller);
      expect([response.status, response.headers.get("server-timing")]).toEqual([401, null]);
    }
  });
});

describe("callers who were not admitted", () => {
  test("have a limit of 0 and nothing left", async () => {
    const { headers } = await target.send("/grants-api", {}, "nobody");
    expect(headers.get("x-ratelimit-limit")).toBe("0");
    expect(headers.get("x-ratelimit-remaining")).toBe("0");
  });
});

describe("content types", () => {
  test("answers are application/json", async () => {
    for (const path of ["/grants-api?limit=1", "/funders-api?count_only=true", grant]) {
      expect((await target.send(path)).headers.get("content-type")).toMatch(/^application\/json(;|$)/);
    }
  });
});

describe("a preflight (CORS)", () => {
  const rows = [
    { path: "/grants-api", methods: ["GET", "HEAD"] },
    { path: "/contracts-api", methods: ["GET", "HEAD"] },
    { path: "/funders-api/00000000-0000-4000-8000-000000000000", methods: ["GET", "HEAD"] },
    { path: "/semantic-search", methods: ["POST"] },
    { path: "/grants-api/search", methods: ["POST"] },
    { path: "/common-grants/opportunities", methods: ["GET", "HEAD"] },
    { path: "/common-grants/orgs", methods: ["GET", "HEAD"] },
    { path: "/mcp", methods: ["POST"] },
    { path: "/account-api", methods: ["GET", "PATCH"] },
  ];
  test.each(rows)(
    "of $path needs no key and allows $methods with the headers that clients send",
    async ({ path, methods }) => {
      const asked = {
        origin: "https://example.org",
        "access-control-request-method": methods[0] ?? "",
        "access-control-request-headers": "authorization,content-type",
      };
      const { status, headers } = await target.send(path, { method: "OPTIONS", headers: asked }, "nobody");
      const listed = (name: string) =>
        headers
          .get(name)
          ?.toLowerCase()
          .split(/\s*,\s*/);
      expect(status).toBe(204);
      expect(listed("access-control-allow-methods")).toEqual(
        expect.arrayContaining(methods.map((method) => method.toLowerCase())),
      );
      expect(listed("access-control-allow-headers")).toEqual(
        expect.arrayContaining([
          ...["authorization", "x-api-key", "content-type", "if-none-match", "x-request-id", "idempotency-key"],
          ...["apikey", "x-client-info", "x-region", "mcp-protocol-version", "mcp-session-id", "*"],
        ]),
      );
      expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0);
    },
  );
});

describe("ETag and If-None-Match (RFC 9110)", () => {
  const tagOf = async (path: string) => {
    const tag = (await target.send(path)).headers.get("etag");
    expect(tag).toMatch(/^(W\/)?"[^"]+"$/);
    return tag ?? "";
  };
  const status = async (ifNoneMatch: string) =>
    (await target.send(grant, { headers: { "if-none-match": ifNoneMatch } })).status;

  test("a record has the same tag until it changes, and another record another", async () => {
    const { results } = await client.list("grants-api", { limit: 2 });
    const [one, other] = results.map(({ id }) => `/grants-api/${id}`);
    expect(await tagOf(one ?? "")).toBe(await tagOf(one ?? ""));
    expect(await tagOf(one ?? "")).not.toBe(await tagOf(other ?? ""));
  });

  test("a request that has the record already gets 304, its tag, and no body", async () => {
    const tag = await tagOf(grant);
    const response = await target.send(grant, { headers: { "if-none-match": tag } });
    expect(response.status).toBe(304);
    expect(response.headers.get("etag")).toBe(tag);
    expect(await response.text()).toBe("");
  });

  test("weak tags, lists of tags and * match too, other tags do not", async () => {
    const tag = await tagOf(grant);
    expect(await status(`W/${tag.replace(/^W\//, "")}`)).toBe(304);
    expect(await status(`"other", ${tag}`)).toBe(304);
    expect(await status("*")).toBe(304);
    expect(await status('"other"')).toBe(200);
    expect(await status(tag.replaceAll('"', ""))).toBe(200);
  });

  test("a matching tag does not let a caller in, nor make a missing record exist", async () => {
    const headers = { "if-none-match": "*" };
    expect((await target.send(grant, { headers }, "nobody")).status).toBe(401);
    expect((await target.send(`/grants-api/${crypto.randomUUID()}`, { headers })).status).toBe(404);
  });
});

// Node's fetch asks for compressed answers unless it is told not to.
describe.each(["identity", "gzip", "br, gzip"])("HEAD and a 304, of a client that accepts %s", (encoding) => {
  const accept = { "accept-encoding": encoding };
  const volatile = new Set(
    "x-request-id server-timing date content-length transfer-encoding connection keep-alive".split(" "),
  );
  const steady = ({ headers }: Response) => [...headers].filter(([name]) => !volatile.has(name));

  const paths = [
    { path: () => "/grants-api?limit=1", status: 200 },
    { path: () => "/grants-api?format=csv&limit=3", status: 200 },
    { path: () => "/grants-api?count_only=true", status: 200 },
    { path: () => grant, status: 200 },
    { path: () => "/contracts-api?geography=Texas", status: 200 },
    { path: () => "/openapi", status: 200 },
    { path: () => "/common-grants/opportunities?pageSize=1", status: 200 },
    { path: () => grant.replace("/grants-api", "/common-grants/opportunities"), status: 200 },
    { path: () => "/grants-api?limit=0", status: 400 },
    { path: () => `/funders-api/${crypto.randomUUID()}`, status: 404 },
  ];
  test.each(paths)("have the headers of GET, and no body ($status)", async ({ path, status }) => {
    const url = path();
    const send = (init: RequestInit = {}) =>
      target.send(url, { ...init, headers: { ...accept, ...(init.headers as Record<string, string>) } });
    const [get, head] = [await send(), await send({ method: "HEAD" })];
    expect([get.status, head.status]).toEqual([status, status]);
    expect(steady(head)).toEqual(steady(get));
    expect(await head.text()).toBe("");
    expect(get.headers.get("vary")?.split(", ")).toContain("Accept-Encoding");

    const tag = get.headers.get("etag");
    if (tag === null) return;
    expect(tag).toMatch(/^W\//);
    for (const method of ["GET", "HEAD"]) {
      const unchanged = await send({ method, headers: { "if-none-match": tag } });
      const ofBody = ([name = ""]: string[]) => /^content-(type|encoding)$/.test(name);
      expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
      // A server on the way may say in a 304 how the body would be compressed, or not.
      const [own, others] = [unchanged, get].map((answer) => steady(answer).filter((header) => !ofBody(header)));
      expect(own).toEqual(others);
    }
  });
});
