import { describe, expect, test } from "vitest";
import { generateKey } from "../../shared/auth/key.ts";
import { apiClient } from "./client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

const protectedPaths = [
  "/grants-api",
  "/contracts-api",
  "/funders-api",
  `/grants-api/${crypto.randomUUID()}`,
  `/contracts-api/${crypto.randomUUID()}`,
  `/funders-api/${crypto.randomUUID()}`,
];
const invalidPaths = ["/grants-api?limit=0", "/contracts-api?nonsense=1", "/funders-api/not-a-uuid"];

describe("authentication", () => {
  test.each(protectedPaths)("%s needs a key", async (path) => {
    await client.refused(path, 401, "nobody");
  });

  test("POST /semantic-search needs a key", async () => {
    const init = { method: "POST", body: '{"query":"water"}', headers: { "content-type": "application/json" } };
    expect((await target.send("/semantic-search", init, "nobody")).status).toBe(401);
    expect((await target.send("/semantic-search", init, { key: generateKey() })).status).toBe(401);
    expect((await target.send("/semantic-search", init, "free")).status).toBe(403);
  });

  const swapped = (key: string) => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  const headers: { what: string; header: (key: string) => string }[] = [
    { what: "no scheme", header: (key) => key },
    { what: "Basic", header: (key) => `Basic ${btoa(`${key}:`)}` },
    { what: "another scheme", header: (key) => `Token ${key}` },
    { what: "no key after the scheme", header: () => "Bearer" },
    { what: "no space after the scheme", header: (key) => `Bearer${key}` },
    { what: "two keys", header: (key) => `Bearer ${key} ${key}` },
    { what: "quotes around the key", header: (key) => `Bearer "${key}"` },
    { what: "a key of another service", header: () => "Bearer sk_live_0123456789abcdefghijklmnopqrstuv" },
    { what: "a key cut short", header: (key) => `Bearer ${key.slice(0, -1)}` },
    { what: "a key with more at its end", header: (key) => `Bearer ${key}0` },
    { what: "a key with its last character changed", header: (key) => `Bearer ${swapped(key)}` },
    { what: "a key in lower case", header: (key) => `Bearer ${key.toLowerCase()}` },
    { what: "a well-formed key that nobody has", header: () => `Bearer ${generateKey()}` },
    { what: "a key of 10,000 characters", header: (key) => `Bearer ${key.repeat(200)}` },
  ];
  test.each(headers)("$what is 401, and says how to authenticate", async ({ header }) => {
    const authorization = header(target.keyOf("developer"));
    const response = await target.send("/grants-api?limit=1", { headers: { authorization } }, "nobody");
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
    expect(await response.text()).not.toContain(target.keyOf("developer"));
  });

  test("the scheme's name has no case (RFC 9110)", async () => {
    for (const scheme of ["bearer", "BEARER"]) {
      const headers = { authorization: `${scheme} ${target.keyOf("developer")}` };
      expect((await target.send("/grants-api?limit=1", { headers }, "nobody")).status).toBe(200);
    }
  });

  test.each(["apikey", "x-api-key"])("a key in the header %s is no key", async (name) => {
    const response = await target.send("/grants-api", { headers: { [name]: target.keyOf("developer") } }, "nobody");
    expect(response.status).toBe(401);
  });

  test.each(invalidPaths)("%s is 401 before it is 400", async (path) => {
    await client.refused(path, 401, "nobody");
    await client.refused(path, 401, { key: generateKey() });
    await client.refused(path, 400);
  });
});

describe("tiers", () => {
  test.each([...protectedPaths, ...invalidPaths])("%s is 403 to a tier without API access", async (path) => {
    await client.refused(path, 403, "free");
  });

  test("403 says nothing of whether a record exists", async () => {
    const [record] = (await client.list("grants-api", { limit: 1 })).results;
    const known = await client.refused(`/grants-api/${record?.id}`, 403, "free");
    const unknown = await client.refused(`/grants-api/${crypto.randomUUID()}`, 403, "free");
    expect({ ...known, instance: "", request_id: "" }).toEqual({ ...unknown, instance: "", request_id: "" });
  });

  test("the developer tier is unlimited: -1, whatever its usage", async () => {
    for (let request = 0; request < 3; request++) {
      const { headers } = await target.send("/funders-api?count_only=true");
      expect(headers.get("x-ratelimit-limit")).toBe("-1");
      expect(headers.get("x-ratelimit-remaining")).toBe("-1");
    }
  });
});

/** Last, since it uses up the limited key's day. */
describe("the daily quota", () => {
  const send = (path: string) => target.send(path, {}, "limited");
  const remaining = ({ headers }: Response) => Number(headers.get("x-ratelimit-remaining"));

  test("every request counts once, invalid ones too, until 429 says when to retry", async () => {
    const paths = ["/funders-api?count_only=true", "/grants-api?limit=0", `/funders-api/${crypto.randomUUID()}`];
    const answers: Response[] = [];
    for (let request = 0; request < 110 && answers.at(-1)?.status !== 429; request++) {
      answers.push(await send(paths[request % paths.length] ?? ""));
    }
    const [refusal, ...admitted] = answers.reverse();
    if (refusal === undefined) throw new Error("nothing was sent");
    expect(refusal.status, "the quota of the limited tier is at most 100 requests").toBe(429);

    // Latest first: none was left after the last one, one before it, and so on.
    expect(admitted.map(remaining)).toEqual(admitted.map((_, left) => left));
    const quota = Number(refusal.headers.get("x-ratelimit-limit"));
    expect(new Set(answers.map(({ headers }) => headers.get("x-ratelimit-limit")))).toEqual(new Set([String(quota)]));
    expect(quota).toBeGreaterThanOrEqual(admitted.length);
    expect(remaining(refusal)).toBe(0);

    const retryAfter = Number(refusal.headers.get("retry-after"));
    const untilMidnight = 86_400 - ((Date.now() / 1000) % 86_400);
    expect(Math.abs(retryAfter - untilMidnight), "seconds until midnight UTC").toBeLessThan(120);
  });

  test.each(["/grants-api", "/grants-api?limit=0", "/semantic-search"])("past it, %s is 429", async (path) => {
    const body = { method: "POST", body: '{"query":"water"}', headers: { "content-type": "application/json" } };
    const response = await target.send(path, path === "/semantic-search" ? body : {}, "limited");
    expect(response.status).toBe(429);
    expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("past it, other accounts are served", async () => {
    expect((await target.send("/funders-api?limit=1")).status).toBe(200);
  });
});
