import { describe, expect, test } from "vitest";
import { createHandler, matchRoute } from "../../../shared/endpoint/handler.ts";
import type { RequestContext } from "../../../shared/endpoint/request-context.ts";
import { respondAnswer, respondProblem } from "../../../shared/endpoint/respond.ts";
import type { LogLevel } from "../../../shared/log/log.ts";

const routes = [
  { method: "GET", path: "" },
  { method: "POST", path: "" },
  { method: "GET", path: "/{id}" },
  { method: "GET", path: "/latest" },
  { method: "DELETE", path: "/{id}" },
  { method: "GET", path: "/{id}/{file}" },
];

const match = (method: string, path: string) =>
  matchRoute("things", routes, new Request(`http://api.example${path}`, { method }));

describe("a request's route", () => {
  test.each([
    ["GET", "/things", "", {}],
    ["GET", "/things/", "", {}],
    ["GET", "/things?id=1", "", {}],
    ["HEAD", "/things", "", {}],
    ["POST", "/functions/v1/things", "", {}],
    ["GET", "/functions/v1/things/1", "/{id}", { id: "1" }],
    ["DELETE", "/things/1", "/{id}", { id: "1" }],
    ["GET", "/things/a%2Fb", "/{id}", { id: "a%2Fb" }],
    ["GET", "/things/latest", "/latest", {}],
    ["GET", "/things/latest/x.csv", "/{id}/{file}", { id: "latest", file: "x.csv" }],
  ])("%s %s is %s with %j", (method, path, pattern, parameters) => {
    expect(match(method, path)).toEqual({
      route: { method: method === "HEAD" ? "GET" : method, path: pattern },
      parameters,
    });
  });

  test.each([
    "/other",
    "/",
    "/thing",
    "/things/1/",
    "/things//",
    "/things/1/x/y",
    "/v1/things",
    "/functions/v1things",
    "/x/functions/v1/things",
    "/functions/v1/functions/v1/things",
  ])("does not exist: %s", (path) => {
    expect(match("GET", path)).toMatchObject({ problem: { name: "unknown-route" } });
    expect(match("OPTIONS", path)).toMatchObject({ problem: { name: "unknown-route" } });
  });

  test.each([
    ["PUT", "/things", "GET, HEAD, POST", "OPTIONS, GET, HEAD, POST"],
    ["POST", "/things/1", "GET, HEAD, DELETE", "OPTIONS, GET, HEAD, DELETE"],
    // A path that is written out is not an id.
    ["DELETE", "/things/latest", "GET, HEAD", "OPTIONS, GET, HEAD"],
  ])("does not take %s at %s, but %s", (method, path, detail, allow) => {
    expect(match(method, path)).toEqual({
      problem: {
        name: "method-not-allowed",
        detail: `This path takes ${detail}, not ${method}.`,
        headers: { Allow: allow },
      },
    });
  });

  test("tells a preflight its methods", () => {
    expect(match("OPTIONS", "/things")).toEqual({ methods: ["OPTIONS", "GET", "HEAD", "POST"] });
    expect(match("OPTIONS", "/things/latest")).toEqual({ methods: ["OPTIONS", "GET", "HEAD"] });
  });
});

describe("a handler", () => {
  const lines: [LogLevel, Record<string, unknown>][] = [];
  const log = { write: (level: LogLevel, fields: Record<string, unknown>) => void lines.push([level, fields]) };
  const handle = createHandler("things", routes, async (context: RequestContext, { parameters }) => {
    const { id } = parameters;
    if (id === "broken") throw new Error("secret words");
    if (id === "busy") return respondProblem(context, { name: "unavailable", detail: "later" });
    if (id === "odd") context.warn("something odd");
    return respondAnswer(context, { body: { id: id ?? null }, hasEntityTag: true, links: ['</next>; rel="next"'] });
  });
  const send = async (path: string, init?: RequestInit) => {
    lines.length = 0;
    const response = await handle(new Request(`http://api.example/functions/v1/things${path}`, init), { log });
    return { response, text: await response.text(), line: lines[0] };
  };

  test("answers, and writes one line with the route's pattern", async () => {
    const { response, text, line } = await send("/1?secret=1");
    expect([response.status, text]).toEqual([200, '{"id":"1"}']);
    expect(lines).toHaveLength(1);
    expect(line).toEqual([
      "info",
      expect.objectContaining({ function: "things", method: "GET", route: "/things/{id}", status: 200 }),
    ]);
    expect(JSON.stringify(line)).not.toContain("secret");
  });

  test("answers an error with 500, whose reason only the log has", async () => {
    const { response, text, line } = await send("/broken");
    expect(response.status).toBe(500);
    expect(text).not.toContain("secret words");
    expect(line).toEqual(["error", expect.objectContaining({ status: 500, error: "Error: secret words" })]);
  });

  test("warns of a 503, and of a fault that the request survived", async () => {
    expect((await send("/busy")).line).toEqual([
      "warning",
      expect.objectContaining({ status: 503, problem: "unavailable" }),
    ]);
    expect((await send("/odd")).line).toEqual([
      "warning",
      expect.objectContaining({ status: 200, warning: "something odd" }),
    ]);
    expect((await send("/1/2/3")).line).toEqual(["info", expect.objectContaining({ status: 404 })]);
  });

  test("answers HEAD as GET, without the body", async () => {
    const got = await send("/1");
    const { response, text } = await send("/1", { method: "HEAD" });
    expect([response.status, text]).toEqual([200, ""]);
    expect(response.headers.get("content-length")).toBe(String(got.text.length));
    expect(response.headers.get("etag")).toBe(got.response.headers.get("etag"));
  });

  test("answers 304 to a client that has the answer", async () => {
    const tag = (await send("/1")).response.headers.get("etag") ?? "";
    const { response, text } = await send("/1", { headers: { "if-none-match": tag } });
    expect([response.status, text, response.headers.get("content-type")]).toEqual([304, "", null]);
    expect(response.headers.get("etag")).toBe(tag);
    expect((await send("/2", { headers: { "if-none-match": tag } })).response.status).toBe(200);
  });

  test("answers a preflight with 204", async () => {
    const { response } = await send("/1", { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toBe("OPTIONS, GET, HEAD, DELETE");
  });

  test("gives every answer an id: the client's own, if it is a good one", async () => {
    const idFor = async (id: string) => {
      const { response, line } = await send("/1", { headers: { "x-request-id": id } });
      const given = response.headers.get("x-request-id");
      expect(line?.[1].request_id).toBe(given);
      return given;
    };
    for (const id of ["a", "trace:1.2-3_4", "x".repeat(128)]) expect(await idFor(id)).toBe(id);
    for (const id of ["", "x".repeat(129), "a b", "a/b", "<a>"]) {
      expect(await idFor(id)).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    }
  });

  test("says to no stranger how long it took", async () => {
    expect((await send("/1")).response.headers.get("server-timing")).toMatch(/^total;dur=[\d.]+$/);
    expect((await send("/busy")).response.headers.has("server-timing")).toBe(true);
    const strict = createHandler("things", routes, async (context: RequestContext) =>
      respondProblem(context, { name: "unauthorized", detail: "no" }),
    );
    const refused = await strict(new Request("http://api.example/things"), { log });
    expect([refused.status, refused.headers.has("server-timing")]).toEqual([401, false]);
  });

  test("keeps every answer private, and from being taken for a page", async () => {
    for (const path of ["/1", "/broken", "/1/2/3"]) {
      const { response } = await send(path);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "cache-control": "private, no-cache",
        vary: "Authorization, Accept-Encoding",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "access-control-allow-origin": "*",
      });
    }
    expect((await send("/1")).response.headers.get("link")).toBe(
      '</functions/v1/openapi>; rel="service-desc", </next>; rel="next"',
    );
  });
});
