import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CheckedLink, type CheckOptions, checkLinks } from "../../../cli/links/check-links.ts";
import { transportReason } from "../../../cli/web/web.ts";
import { TransportError } from "../../../functions/dispatch/transport.ts";
import { createNodeTransport } from "../../../local/embedded/node-transport.ts";

/** A site on this machine, which only tests may ask. Waits are noted, and move the clock of the check. */

let server: Server;
let port: number;
let requests: string[] = [];
let agents: Set<string | undefined>;
let open = 0;
let mostOpen = 0;
let pages: Record<string, RequestListener>;

beforeAll(async () => {
  server = createServer((request, response) => {
    mostOpen = Math.max(mostOpen, ++open);
    response.on("close", () => open--);
    const { method = "", url = "", headers } = request;
    requests.push(`${method} ${url}`);
    agents.add(headers["user-agent"]);
    const page = pages[`${method} ${url}`] ?? pages[url];
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  requests = [];
  agents = new Set();
  pages = {};
  mostOpen = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const answers =
  (status: number, headers: Record<string, string> = {}, body = ""): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
const urlOf = (path: string, host = "127.0.0.1") => `http://${host}:${port}${path}`;

async function check(urls: readonly string[], changes: Partial<CheckOptions> = {}) {
  const results: CheckedLink[] = [];
  const waits: number[] = [];
  let nowMs = Date.parse("2026-11-29T12:00:00Z");
  const counts = await checkLinks(urls, {
    transport: createNodeTransport({ allowLoopback: true }),
    allowLoopback: true,
    userAgent: "Funding-Opportunities-Links/1 (+https://ours.example)",
    program: "funding-opportunities-links",
    pauseMs: 1_000,
    now: () => nowMs,
    async sleep(ms) {
      waits.push(ms);
      nowMs += ms;
    },
    store: async (batch) => void results.push(...batch),
    isOver: () => false,
    ...changes,
  });
  return {
    counts,
    waits,
    results,
    found: Object.fromEntries(results.map(({ url, result }) => [URL.parse(url)?.pathname ?? url, result])),
  };
}

async function resultOf(url: string, changes?: Partial<CheckOptions>) {
  const { results } = await check([url], changes);
  return results[0];
}

describe("an address", () => {
  test.each([
    [200, "ok"],
    [204, "ok"],
    [401, "unknown"],
    [403, "unknown"],
    [404, "failing"],
    [410, "failing"],
    [500, "failing"],
    [503, "failing"],
  ])("that answers %i is %s", async (status, result) => {
    pages["/page"] = answers(status);
    expect(await resultOf(urlOf("/page#part"))).toMatchObject({
      result,
      reason: result === "ok" ? null : `answers ${status}`,
    });
  });

  test("is asked for its headers alone where that goes well, by a program that says who it is", async () => {
    pages["/page?a=b"] = answers(200);
    await check([urlOf("/page?a=b#part")]);
    expect(requests).toEqual(["GET /robots.txt", "HEAD /page?a=b"]);
    expect(agents).toEqual(new Set(["Funding-Opportunities-Links/1 (+https://ours.example)"]));
  });

  test.each([
    ["refuses", answers(405)],
    ["does not find", answers(404)],
    ["hangs up on", ((request) => void request.socket.destroy()) as RequestListener],
  ])("whose host %s requests for headers is asked for the whole", async (_, head) => {
    pages["HEAD /page"] = head;
    pages["GET /page"] = answers(200, {}, "x".repeat(100_000));
    expect(await resultOf(urlOf("/page"))).toMatchObject({ result: "ok" });
    expect(requests.slice(1)).toEqual(["HEAD /page", "GET /page"]);
  });

  test("that nobody answers at is failing", async () => {
    expect(await resultOf("http://127.0.0.1:1/")).toMatchObject({
      result: "failing",
      reason: expect.stringContaining("cannot be reached"),
    });
  });

  test("whose name nobody knows has a reason that ends without a full stop, as others", () => {
    const error = new TransportError("connection", "The name a.example could not be resolved.");
    expect(transportReason(error)).toBe("cannot be reached: The name a.example could not be resolved");
  });

  test.each([
    ["http://127.0.0.1/", "is not on the public internet"],
    ["http://10.1.2.3/", "is not on the public internet"],
    ["http://localhost/", "is not on the public internet"],
    ["http://[::1]/", "is not on the public internet"],
    ["http://metadata.internal/", "is not on the public internet"],
    ["http://a.example:22/", "has the port 22"],
    ["http://me:secret@a.example/", "has a user name or a password"],
    ["http://a b/", "is no address"],
  ])("%s is not asked for", async (url, reason) => {
    let sent = 0;
    const transport: CheckOptions["transport"] = {
      send() {
        sent++;
        return Promise.reject(new Error("sent"));
      },
      download: () => Promise.reject(new Error("downloaded")),
    };
    expect(await resultOf(url, { allowLoopback: false, transport })).toMatchObject({ result: "failing", reason });
    expect(sent).toBe(0);
  });

  test("whose name leads to a private address is not asked for", async () => {
    const transport = createNodeTransport({
      allowLoopback: false,
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    expect(await resultOf(`http://a.example:8080/`, { allowLoopback: false, transport })).toMatchObject({
      result: "failing",
      reason: "is not on the public internet",
    });
    expect(requests).toEqual([]);
  });
});

describe("a redirect", () => {
  test("is followed to where it leads", async () => {
    pages["/old"] = answers(301, { location: "/new#part" });
    pages["/new"] = answers(200);
    pages["/lost"] = answers(302, { location: urlOf("/nowhere", "localhost") });
    const { found } = await check([urlOf("/old"), urlOf("/lost")]);
    expect(found).toEqual({ "/old": "ok", "/lost": "failing" });
  });

  test.each([
    ["http://10.0.0.1/", "is not on the public internet"],
    ["http://169.254.169.254/latest/meta-data", "is not on the public internet"],
    ["ftp://a.example/", "is no address of the web"],
    ["http://", "is no address"],
  ])("to %s is not followed", async (location, reason) => {
    pages["/old"] = answers(302, { location });
    expect(await resultOf(urlOf("/old"))).toMatchObject({
      result: "failing",
      reason: `redirects to an address that ${reason}`,
    });
  });

  test("in a circle ends", async () => {
    pages["/round"] = answers(302, { location: "/round" });
    expect(await resultOf(urlOf("/round"))).toMatchObject({ result: "failing", reason: "redirects more than 5 times" });
  });
});

describe("a host", () => {
  test("gets one request at a time, with pauses between them, also for what others lead to", async () => {
    const paths = Array.from({ length: 12 }, (_, index) => `/${index}`);
    for (const path of paths) {
      pages[path] = (_, response) => setImmediate(() => response.writeHead(200).end());
    }
    pages["/there"] = answers(302, { location: urlOf("/0") });
    const { waits, counts } = await check([...paths.map((path) => urlOf(path)), urlOf("/there", "localhost")]);
    expect(counts).toEqual({ ok: 13, failing: 0, unknown: 0, left: 0 });
    // Two names of this machine count as two hosts.
    expect(mostOpen).toBeLessThanOrEqual(2);
    expect(waits.length).toBeGreaterThanOrEqual(13);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
  });

  test("whose robots.txt closes a path is not asked for it, and its pause is kept", async () => {
    pages["/robots.txt"] = answers(200, {}, "User-agent: *\nDisallow: /private\nCrawl-delay: 7\n");
    pages["/private/a"] = answers(200);
    pages["/open"] = answers(200);
    const { results, waits } = await check([urlOf("/private/a"), urlOf("/open"), urlOf("/open?2")]);
    expect(results.map(({ result, reason }) => [result, reason])).toEqual([
      ["unknown", "is closed to programs by robots.txt"],
      ["ok", null],
      ["failing", "answers 404"],
    ]);
    expect(requests.filter((request) => request.includes("robots"))).toHaveLength(1);
    expect(requests.filter((request) => request.includes("private"))).toEqual([]);
    expect(waits).toContain(7_000);
  });

  test("whose robots.txt fails is left alone", async () => {
    pages["/robots.txt"] = answers(500);
    pages["/page"] = answers(200);
    expect(await resultOf(urlOf("/page"))).toMatchObject({ result: "unknown" });
  });

  test.each([
    ["429 with seconds", 429, "90", 90_000],
    ["503 with a time", 503, "Sun, 29 Nov 2026 12:02:00 GMT", 120_000],
    ["429 that says nothing", 429, undefined, 60_000],
  ])("that answers %s is asked once more after that", async (_, status, retryAfter, waitMs) => {
    let asked = 0;
    pages["/page"] = (request, response) => {
      const isFirst = asked++ === 0;
      answers(isFirst ? status : 200, isFirst && retryAfter !== undefined ? { "retry-after": retryAfter } : {})(
        request,
        response,
      );
    };
    const { found, waits } = await check([urlOf("/page")]);
    expect(found).toEqual({ "/page": "ok" });
    expect(Math.max(...waits)).toBeGreaterThan(waitMs - 2_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(waitMs);
  });

  test.each([
    ["asks for hours", "7200"],
    ["asks to wait again and again", "1"],
  ])("that %s is left for the next run, and others are checked", async (_, retryAfter) => {
    pages["/page"] = answers(429, { "retry-after": retryAfter });
    pages["/fine"] = answers(200);
    const { counts, results } = await check([urlOf("/page"), urlOf("/more"), urlOf("/fine", "localhost")]);
    expect(counts).toEqual({ ok: 1, failing: 0, unknown: 0, left: 2 });
    expect(results.map(({ url }) => url)).toEqual([urlOf("/fine", "localhost")]);
    expect(requests.filter((request) => request.includes("more"))).toEqual([]);
  });
});

test("when the time is over no further link is begun, and what was found is stored", async () => {
  for (let index = 0; index < 5; index++) pages[`/${index}`] = answers(200);
  let begun = 0;
  const { counts, results } = await check(
    Array.from({ length: 5 }, (_, index) => urlOf(`/${index}`)),
    { isOver: () => begun++ >= 2 },
  );
  expect(counts).toEqual({ ok: 2, failing: 0, unknown: 0, left: 3 });
  expect(results).toHaveLength(2);
});

test("results are stored in batches, one at a time", async () => {
  const urls = Array.from({ length: 120 }, (_, index) => urlOf(`/${index}`));
  const sizes: number[] = [];
  let storing = 0;
  await check(urls, {
    async store(batch) {
      expect(storing++).toBe(0);
      await new Promise((resolve) => setImmediate(resolve));
      storing--;
      sizes.push(batch.length);
    },
  });
  expect(sizes).toEqual([50, 50, 20]);
});
