import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { listAddress, sourceOf } from "../../ingest/common-grants/address.ts";
import { createClient, retryAfterMs, userAgent } from "../../ingest/common-grants/client.ts";
import { importApi } from "../../ingest/common-grants/import-api.ts";
import { emptySummary } from "../../ingest/summary.ts";
import { openEmptyDatabase } from "../support/service.ts";

/** Imports from APIs of the CommonGrants protocol, on a server of the test's. */

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

let connection: Connection;
let server: Server;
let origin: string;
let answer: Answer;
let asked: string[];

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
  server = createServer((request, response) => {
    const url = new URL(request.url ?? "", origin);
    // Without this, a connection that waits for the next test may be closed under its first request.
    response.setHeader("connection", "close");
    asked.push(url.searchParams.get("page") ?? "");
    answer(request, response, url);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  asked = [];
  await connection.execute(
    "truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes, funding.record_aliases, funding.imports, funding.import_cursors",
  );
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await connection.close();
});

const dayMs = 86_400_000;
const begin = Date.parse("1990-01-01T00:00:00Z");

interface Opportunity {
  id: string;
  title: string;
  lastModifiedAt: string;
}

/** An opportunity that was modified so many days after the begin. */
function opportunity(
  number: number,
  day: number,
  title = `Opportunity ${number}`,
): Opportunity & Record<string, unknown> {
  return {
    id: `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`,
    title,
    status: { value: "open" },
    description: "",
    source: `https://grants.example.org/${number}`,
    createdAt: "2026-01-01T00:00:00Z",
    lastModifiedAt: new Date(begin + day * dayMs).toISOString(),
  };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => opportunity(index, index));

/** Answers with the pages of a list as the protocol sorts it. */
function serve(list: readonly Opportunity[], withTotals = true): Answer {
  return (_request, response, url) => {
    const [page, pageSize] = ["page", "pageSize"].map((name) => Number(url.searchParams.get(name))) as [number, number];
    const sorted = list.toSorted((one, other) => (one.lastModifiedAt < other.lastModifiedAt ? 1 : -1));
    const items = sorted.slice((page - 1) * pageSize, page * pageSize);
    const totals = withTotals ? { totalItems: list.length, totalPages: Math.ceil(list.length / pageSize) } : {};
    sendJson(response, { status: 200, message: "Success", items, paginationInfo: { page, pageSize, ...totals } });
  };
}

function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

const waits: number[] = [];
const client = (options: Parameters<typeof createClient>[0] = {}) =>
  createClient({ sleep: async (ms) => void waits.push(ms), ...options });

async function run(
  options: { isFull?: boolean; source?: string; key?: string; nowMs?: number; isDryRun?: boolean } = {},
) {
  const { key, isDryRun = false, ...rest } = options;
  const address = listAddress(`${origin}/common-grants`);
  const summary = emptySummary();
  waits.length = 0;
  const result = await importApi({
    source: "example",
    ...rest,
    address,
    getJson: client(key === undefined ? {} : { key }),
    connection: isDryRun ? undefined : connection,
    isForced: false,
    rejects: { write: async () => undefined },
    summary,
  });
  const { inserted = 0, updated = 0, unchanged = 0, archived = 0 } = summary.records.get("grants") ?? {};
  return { ...result, read: summary.read, inserted, updated, unchanged, archived };
}

const titles = async () =>
  new Set((await connection.query<{ title: string }>("select title from funding.grants")).map(({ title }) => title));

describe("an import from an API", () => {
  test("reads all of its pages, and then only those with changes", async () => {
    const list = many(1_234);
    answer = serve(list);
    expect(await run()).toMatchObject({ outcome: "completed", read: 1_234, inserted: 1_234 });
    expect(asked).toEqual(Array.from({ length: 13 }, (_, index) => String(index + 1)));

    asked = [];
    list[7] = opportunity(7, 2_000, "Changed");
    list.push(opportunity(5_000, 2_001, "New"));
    expect(await run()).toMatchObject({ inserted: 1, updated: 1 });
    expect(asked).toEqual(["1", "2"]);
    expect(await titles()).toContain("Changed");

    asked = [];
    expect(await run()).toMatchObject({ inserted: 0, updated: 0 });
    expect(asked).toEqual(["1", "2"]);
  });

  test.each([true, false])("goes on where an interrupted one ended (totals: %s)", async (withTotals) => {
    const list = many(2_500);
    const pages = serve(list, withTotals);
    answer = (request, response, url) =>
      Number(url.searchParams.get("page")) > 15 ? sendJson(response, {}, 400) : pages(request, response, url);
    await expect(run()).rejects.toThrow("refuses the request (400)");
    expect((await titles()).size).toBe(1_500);

    asked = [];
    answer = pages;
    list.push(opportunity(9_000, 9_000, "New meanwhile"));
    list[10] = opportunity(10, 9_001, "Changed meanwhile");
    expect(await run()).toMatchObject({ outcome: "completed" });
    const stored = await titles();
    expect(stored.size).toBe(2_501);
    expect(stored).toContain("Changed meanwhile");
    // Two new pages, a search among 26, and those that were not read.
    if (withTotals) expect(asked.length).toBeLessThan(2 + 6 + 13);

    asked = [];
    await run();
    expect(asked).toEqual(["1", "2"]);
  });

  test("that was interrupted twice misses nothing", async () => {
    const list = many(2_000);
    const pages = serve(list);
    for (const last of [8, 1, 12]) {
      answer = (request, response, url) =>
        Number(url.searchParams.get("page")) > last ? sendJson(response, {}, 400) : pages(request, response, url);
      await run().catch(() => undefined);
      for (let number = 0; number < 150; number++)
        list[number + last] = opportunity(number + last, 4_000 + last * 200 + number);
    }
    answer = pages;
    await run();
    expect(await titles()).toEqual(new Set(list.map(({ title }) => title)));
    const wrong = await connection.query(
      "select from funding.import_cursors where complete_to is null or newest is not null or oldest is not null",
    );
    expect(wrong).toEqual([]);
  });

  test("reads what moves while it is read: no opportunity is passed over for good when others are changed or removed", async () => {
    const list = many(1_000);
    answer = (request, response, url) => {
      serve(list)(request, response, url);
      const page = Number(url.searchParams.get("page"));
      if (page === 3) list.splice(950, 30);
      if (page === 6) for (let number = 0; number < 20; number++) list[number] = opportunity(number, 3_000 + number);
    };
    await run();
    // What was changed is at the front now, where the next run begins.
    await run();
    const stored = await titles();
    expect(list.filter(({ title }) => !stored.has(title)).map(({ title }) => title)).toEqual([]);
  });

  test("asks again for what was modified in the last ten minutes, since it may not all have been there", async () => {
    const list = [opportunity(1, 10), opportunity(2, 11)];
    answer = serve(list);
    const nowMs = begin + 11 * dayMs + 60_000;
    await run({ nowMs });
    list.push({ ...opportunity(3, 11), lastModifiedAt: new Date(begin + 11 * dayMs - 60_000).toISOString() });
    expect(await run({ nowMs })).toMatchObject({ inserted: 1 });
  });

  test("with --full reads all, and archives what is gone", async () => {
    const list = many(250);
    answer = serve(list);
    await run();
    list.splice(0, 10);
    expect(await run()).toMatchObject({ archived: 0 });
    asked = [];
    expect(await run({ isFull: true })).toMatchObject({ outcome: "completed", archived: 10, unchanged: 240 });
    expect(asked).toEqual(["1", "2", "3"]);
  });

  test("never archives records of Grants.gov, which its extract does", async () => {
    const list = many(50).map((one, index) => ({
      ...one,
      source: `https://www.grants.gov/search-results-detail/${index + 1}`,
    }));
    answer = serve(list);
    await connection.query("select funding.upsert_records('grants', $1::jsonb)", [
      [{ source: "grants-gov", source_id: "99", title: "Of the extract", funder_name: "Agency", status: "posted" }],
    ]);
    expect(await run({ isFull: true, source: "grants-gov" })).toMatchObject({ outcome: "completed", archived: 0 });
  });

  test("that finds nothing is complete", async () => {
    answer = serve([]);
    expect(await run()).toMatchObject({ outcome: "completed", read: 0 });
  });

  test("warns of a list in another order", async () => {
    const list = many(300);
    answer = (_request, response, url) => {
      const page = Number(url.searchParams.get("page"));
      const items = list.slice((page - 1) * 100, page * 100);
      sendJson(response, { items, paginationInfo: { page, pageSize: 100, totalPages: 3 } });
    };
    expect(await run()).toMatchObject({
      read: 300,
      warning: expect.stringContaining("not in the order of lastModifiedAt"),
    });
  });
});

describe("the server of an API", () => {
  test("gets one request at a time, with a user agent, and a key where one is given", async () => {
    let open = 0;
    const seen = new Set<unknown>();
    const pages = serve(many(450));
    answer = (request, response, url) => {
      expect(++open).toBe(1);
      seen.add(request.headers["user-agent"]).add(request.headers["x-api-key"]);
      setImmediate(() => {
        open--;
        pages(request, response, url);
      });
    };
    await run({ key: "secret" });
    expect([...seen]).toEqual([userAgent, "secret"]);
  });

  test.each([429, 503])("is left alone for as long as it wants after %s", async (status) => {
    const pages = serve(many(10));
    let refusals = 2;
    answer = (request, response, url) =>
      refusals-- > 0 ? sendJson(response, {}, status, { "retry-after": "7" }) : pages(request, response, url);
    expect(await run()).toMatchObject({ read: 10 });
    expect(waits).toEqual([7_000, 7_000]);
  });

  test("that fails is asked six times, later each time, and no more", async () => {
    answer = (_request, response) => sendJson(response, {}, 502);
    await expect(run()).rejects.toThrow("fails (502), 6 times; try again later");
    expect(asked).toHaveLength(6);
    for (const [index, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(ms).toBeLessThanOrEqual(1_500 * 2 ** index);
    }
  });

  test("that drops the connection is asked again", async () => {
    const pages = serve(many(10));
    let drops = 1;
    answer = (request, response, url) => (drops-- > 0 ? request.socket.destroy() : pages(request, response, url));
    expect(await run()).toMatchObject({ read: 10 });
  });

  test("that wants an hour's pause is not waited for", async () => {
    answer = (_request, response) => sendJson(response, {}, 429, { "retry-after": "3600" });
    await expect(run()).rejects.toThrow("wants no request for 60 minutes");
  });

  test("reads of Retry-After seconds and dates", () => {
    expect(retryAfterMs("120")).toBe(120_000);
    expect(retryAfterMs("Mon, 01 Jan 1990 00:01:00 GMT", begin)).toBe(60_000);
    expect(retryAfterMs("Mon, 01 Jan 1990 00:00:00 GMT", begin + 5)).toBe(0);
    expect(retryAfterMs("soon")).toBeUndefined();
  });

  const page = (items: unknown[], info: object = {}) => ({
    items,
    paginationInfo: { page: 1, pageSize: 100, ...info },
  });
  test.each<[string, string, Answer]>([
    ["a web page", "does not answer JSON, but a web page", (_, response) => response.end("<html></html>")],
    ["an empty answer", "does not answer JSON", (_, response) => response.end()],
    ["another API", "is another API", (_, response) => sendJson(response, { results: [] })],
    ["a list", "is another API", (_, response) => sendJson(response, [])],
    ["items of another kind", "lists no opportunities", (_, response) => sendJson(response, page([{ name: "x" }]))],
    ["texts", "lists no opportunities", (_, response) => sendJson(response, page(["x"]))],
    [
      "a redirect",
      "redirects to https://example.org/new: give the address that answers itself",
      (_, response) => response.writeHead(301, { location: "https://example.org/new" }).end(),
    ],
    ["no such address", "does not exist (404)", (_, response) => sendJson(response, {}, 404)],
    [
      "a missing key",
      "wants a key: put it into COMMON_GRANTS_API_KEY (401)",
      (_, response) => sendJson(response, {}, 401),
    ],
    [
      "one page for all",
      "does not page: it answers page 1 instead of page 2",
      (_, response) => sendJson(response, page(many(100), { totalPages: 9 })),
    ],
    [
      "a page that repeats itself",
      "repeats itself: page 4 and those before it have nothing new",
      (_, response) => sendJson(response, { items: many(100), paginationInfo: {} }),
    ],
  ])("that answers %s is named", async (_kind, message, given) => {
    answer = given;
    await expect(run()).rejects.toThrow(message);
  });

  test("gets no key without encryption", async () => {
    const getJson = client({ key: "secret" });
    await expect(getJson(new URL("http://grants.example.org/"))).rejects.toThrow("is not encrypted");
  });
});

describe("an address", () => {
  test.each([
    ["https://example.org", "https://example.org/common-grants/opportunities"],
    ["https://example.org/functions/v1/", "https://example.org/functions/v1/common-grants/opportunities"],
    ["https://example.org/common-grants/", "https://example.org/common-grants/opportunities"],
    ["https://example.org/common-grants/opportunities", "https://example.org/common-grants/opportunities"],
  ])("%s leads to its list", (given, list) => {
    expect(listAddress(given).href).toBe(list);
  });

  test.each([
    ["https://me:secret@example.org", "COMMON_GRANTS_API_KEY"],
    ["https://example.org/?page=2", "has parameters"],
    ["https://", "is not a web address"],
  ])("%s is refused", (given, message) => {
    expect(() => listAddress(given)).toThrow(message);
  });

  test("names the source", () => {
    expect(sourceOf(new URL("https://api.example.org:8000"))).toBe("api-example-org");
    expect(sourceOf(new URL("https://api.simpler.grants.gov"))).toBe("grants-gov");
  });
});
