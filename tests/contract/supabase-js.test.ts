import { createClient, FunctionRegion } from "@supabase/supabase-js";
import { beforeAll, expect, test } from "vitest";
import { contractTarget } from "./target.ts";

const target = contractTarget();

/** Requests of supabase-js, in their order. */
const sent: Request[] = [];

/** A client of supabase-js whose requests go to the target. */
function clientWith(key: string) {
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push(request.clone());
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? {} : { body: await request.text() };
    // Tests of refusals send a key that the target does not know.
    return target.send(
      `${pathname.replace("/functions/v1", "")}${search}`,
      { ...request, ...body, method: request.method, headers: request.headers },
      { key },
    );
  };
  return createClient("https://project.invalid", key, {
    global: { fetch: send },
    // Node 20 has no WebSocket, which nothing here opens.
    realtime: { transport: class {} as never },
  });
}

let client: ReturnType<typeof clientWith>;
beforeAll(() => {
  client = clientWith(target.keyOf("developer"));
});

const calls = [
  { name: "grants-api?states=OH&limit=1", options: { method: "GET" } },
  { name: "contracts-api?limit=1&count_only=true", options: { method: "GET" } },
  { name: "funders-api?limit=1", options: { method: "GET" } },
  { name: "semantic-search", options: { body: { query: "drinking water", limit: 1 } } },
  { name: "common-grants/opportunities?pageSize=1", options: { method: "GET" } },
  { name: "common-grants/opportunities/search", options: { body: { pagination: { page: 1, pageSize: 1 } } } },
  { name: "openapi", options: { method: "GET" } },
  { name: "health", options: { method: "GET" } },
] as const;

test.each(calls)("supabase-js invokes $name, in any region", async ({ name, options }) => {
  for (const region of [FunctionRegion.Any, FunctionRegion.UsEast1]) {
    const { data, error } = await client.functions.invoke(name, { ...options, region });
    expect(error).toBeNull();
    expect(data).toBeTypeOf("object");
  }
});

test("its next page is found from a list that was asked for with a region", async () => {
  const options = { method: "GET", region: FunctionRegion.UsEast1 } as const;
  const first = await client.functions.invoke("grants-api?limit=2", options);
  const cursor = encodeURIComponent(first.data.pagination.next);
  const second = await client.functions.invoke(`grants-api?limit=2&cursor=${cursor}`, options);
  expect(second.error).toBeNull();
  expect(second.data.results).toHaveLength(2);
});

test("a preflight allows every header that it sends", async () => {
  expect(sent.length).toBeGreaterThan(0);
  const safelisted = ["accept", "accept-language", "content-language"];
  for (const { url, method, headers } of sent) {
    const names = [...headers.keys()].filter((name) => !safelisted.includes(name));
    const path = new URL(url).pathname.replace("/functions/v1", "");
    const asked = {
      origin: "https://example.org",
      "access-control-request-method": method,
      "access-control-request-headers": names.join(","),
    };
    const answer = await target.send(path, { method: "OPTIONS", headers: asked }, "nobody");
    const allowed = answer.headers
      .get("access-control-allow-headers")
      ?.toLowerCase()
      .split(/\s*,\s*/);
    expect(allowed).toEqual(expect.arrayContaining(names));
    expect(names).toEqual(expect.arrayContaining(["apikey", "authorization", "x-client-info"]));
  }
  expect(sent.some(({ headers, url }) => headers.has("x-region") && url.includes("forceFunctionRegion"))).toBe(true);
});
