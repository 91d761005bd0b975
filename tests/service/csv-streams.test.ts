import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { handle as grants } from "../../functions/grants-api/index.ts";
import { type AnswerStream, maxReadPauseMs } from "../../shared/endpoint/answer-stream.ts";
import { createEndpoint, route } from "../../shared/endpoint/endpoint.ts";
import { csvBatchRows, csvChunkRows } from "../../shared/endpoint/list-query.ts";
import { succeed } from "../../shared/http/problems.ts";
import { ConcurrencyLimit } from "../../shared/overload/concurrency-limit.ts";
import { StreamLimit } from "../../shared/overload/stream-limit.ts";
import type { ReadRuntime } from "../../shared/runtime.ts";
import { bearer, openTestService, type TestService, testBaseUrl } from "../support/service.ts";

/** How CSV answers are sent: part by part, as they are read. */
let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());
afterEach(async () => {
  // Counts that wait for a timer.
  await service.settled();
  vi.useRealTimers();
});

/** A list of more than one page, of records without line breaks. */
const path = "/grants-api?format=csv&opportunity_type=all&include_archived=true";

async function openCsv(key: string, csvPath = path, init?: RequestInit, runtime: Partial<ReadRuntime> = {}) {
  const request = new Request(`${testBaseUrl}${csvPath}`, { ...init, headers: bearer(key) });
  const response = await grants(request, { ...service.runtime, ...runtime });
  const reader = response.status === 200 ? response.body?.getReader() : undefined;
  const decoder = new TextDecoder();
  return {
    response,
    reader,
    /** Leaves before the end. */
    leave: async () => await (reader ?? response.body)?.cancel(),
    /** The next part's text; undefined at the end. */
    async next(): Promise<string | undefined> {
      const { value } = (await reader?.read()) ?? {};
      return value && decoder.decode(value);
    },
  };
}

const listCalls = () => service.calls.filter((name) => name === "list_grants").length;

/** Time enough for the database to be asked. */
async function pass(): Promise<void> {
  await service.connection.query("select 1");
  await service.connection.query("select 1");
}

test("a CSV is made some rows at a time, and nothing of it before it is asked for", async () => {
  const { key } = await service.newKey();
  const { next, leave } = await openCsv(key);
  const calls = listCalls();
  for (let chunk = 0; chunk < csvBatchRows / csvChunkRows; chunk++) {
    const lines = ((await next()) ?? "").trimEnd().split("\r\n");
    expect(lines).toHaveLength(csvChunkRows + (chunk === 0 ? 1 : 0));
  }
  await pass();
  expect(listCalls()).toBe(calls);
  expect((await next())?.split("\r\n")).toHaveLength(csvChunkRows + 1);
  expect(listCalls()).toBe(calls + 1);
  await leave();
});

test("a ranked CSV has the records of the list's pages, and is read in pages, too", async () => {
  const { key } = await service.newKey();
  // All that the words find, and all that is a little similar: more than a batch.
  await service.connection.execute(
    "update funding.settings set value = case name when 'semantic_share' then '1' else '0' end::jsonb where name in ('semantic_share', 'floor_keyword')",
  );
  const query = "opportunity_type=all&include_archived=true&search=community+health+services&search_mode=hybrid";
  const calls = listCalls();
  const text = await (await service.fetch(`/grants-api?format=csv&${query}`, { headers: bearer(key) })).text();
  const ids = [...text.matchAll(/^[0-9a-f]{8}-[0-9a-f-]{27}(?=,)/gm)].map(([id]) => id);
  expect(ids.length).toBeGreaterThan(csvBatchRows);
  expect(listCalls() - calls).toBe(Math.ceil(ids.length / csvBatchRows));
  const listed: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = `/grants-api?${query}&limit=100${cursor && `&cursor=${cursor}`}`;
    const body = (await (await service.fetch(page, { headers: bearer(key) })).json()) as {
      results: { id: string }[];
      pagination: { next: string | null };
    };
    listed.push(...body.results.map(({ id }) => id));
    cursor = body.pagination.next;
  }
  expect(ids).toEqual(listed);
  await service.connection.execute(
    "update funding.settings set value = default_value where name in ('semantic_share', 'floor_keyword')",
  );
});

describe("of the files that a key has open at a time", () => {
  async function openFour(key: string) {
    const files = await Promise.all([openCsv(key), openCsv(key), openCsv(key), openCsv(key)]);
    expect(files.map(({ response }) => response.status)).toEqual([200, 200, 200, 200]);
    return files;
  }
  /** Opens and ends a file. @returns the status. */
  async function tryOne(key: string, csvPath = path): Promise<number> {
    const { response, leave } = await openCsv(key, csvPath);
    await leave();
    return response.status;
  }

  test("the fifth is answered 503 with Retry-After and the reason, asks nothing of the database, and counts against no quota", async () => {
    const { key } = await service.newKey("streams", 10);
    const files = await openFour(key);
    const calls = service.calls.length;
    const { response } = await openCsv(key);
    expect(service.calls.slice(calls).filter((name) => name !== "record_usage")).toEqual([]);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toMatch(/^[1-5]$/);
    expect(await response.json()).toMatchObject({
      type: "urn:funding-opportunities:problem:unavailable",
      detail: expect.stringContaining("This key has 4 CSV files open"),
    });
    const list = await service.fetch("/grants-api?limit=1", { headers: bearer(key) });
    expect([list.status, list.headers.get("x-ratelimit-remaining")]).toEqual([200, "5"]);
    await Promise.all(files.map(({ leave }) => leave()));
  });

  test("none keeps another key's out, nor one that has a limit", async () => {
    const [{ key }, { key: other }] = [await service.newKey(), await service.newKey()];
    const files = await openFour(key);
    expect(await tryOne(other)).toBe(200);
    expect(await tryOne(key, "/grants-api?format=csv&limit=100")).toBe(200);
    expect(await tryOne(key)).toBe(503);
    await Promise.all(files.map(({ leave }) => leave()));
  });

  test("one that was read to its end, or whose client has left, makes room", async () => {
    const { key } = await service.newKey();
    const [first, second, ...others] = await openFour(key);
    while ((await first?.next()) !== undefined) expect(await tryOne(key)).toBe(503);
    expect(await tryOne(key)).toBe(200);
    const third = await openCsv(key);
    expect(await tryOne(key)).toBe(503);
    await second?.leave();
    expect(await tryOne(key)).toBe(200);
    await Promise.all([third, ...others].map(({ leave }) => leave()));
  });

  test("one that breaks off because the database fails makes room", async () => {
    const { key } = await service.newKey();
    const { database } = service.runtime;
    let isAway = false;
    const failing: Partial<ReadRuntime> = {
      streams: new StreamLimit(1),
      database: {
        call: async (...call) =>
          isAway
            ? { ok: false, failure: { code: "57P01", message: "it is away", details: null, hint: null } }
            : database.call(...call),
      },
    };
    const { reader } = await openCsv(key, path, undefined, failing);
    expect((await openCsv(key, path, undefined, failing)).response.status).toBe(503);
    for (let chunk = 0; chunk < csvBatchRows / csvChunkRows; chunk++) await reader?.read();
    isAway = true;
    await expect(reader?.read()).rejects.toThrow("57P01");
    isAway = false;
    const { response, leave } = await openCsv(key, path, undefined, failing);
    expect(response.status).toBe(200);
    await leave();
  });

  test("HEAD, a refused request and one that fails are none", async () => {
    const { key } = await service.newKey();
    const streams = new StreamLimit(1);
    const refused = { code: "57014", message: "it took too long", details: null, hint: null };
    for (let request = 0; request < 3; request++) {
      const head = await openCsv(key, path, { method: "HEAD" }, { streams });
      expect([head.response.status, head.response.body]).toEqual([200, null]);
      const unknown = await openCsv(
        key,
        "/grants-api?format=csv&similar_to=00000000-0000-4000-8000-000000000000",
        {},
        { streams },
      );
      expect(unknown.response.status).toBe(400);
      const database = { call: async () => ({ ok: false as const, failure: refused }) };
      expect((await openCsv(key, path, {}, { streams, database })).response.status).toBe(503);
      const throwing = { call: () => Promise.reject(new Error("a fault of ours")) };
      expect((await openCsv(key, path, {}, { streams, database: throwing })).response.status).toBe(500);
    }
    const { response, leave } = await openCsv(key, path, {}, { streams });
    expect(response.status).toBe(200);
    await leave();
  });

  test("one whose answer fails after its stream was made is none", async () => {
    const { key } = await service.newKey();
    const streams = new StreamLimit(1);
    let stream: AnswerStream | undefined;
    async function* text() {
      yield "part 1";
    }
    const handle = createEndpoint("grants-api", [
      route({
        method: "GET",
        path: "",
        parse: () => succeed(null),
        async query({ database, keyHash, openStream }) {
          const opened = await openStream({ isLong: true });
          if (!opened.ok) return opened;
          stream = opened.value;
          return await database.call("admit_request", { key_hash: keyHash });
        },
        render: () => ({
          stream: () => stream?.send(text()) ?? new ReadableStream(),
          headers: { "X-Broken": "a\nb" },
        }),
      }),
    ]);
    const request = new Request(`${testBaseUrl}/grants-api`, { headers: bearer(key) });
    expect((await handle(request, { ...service.runtime, streams })).status).toBe(500);
    expect(stream?.isSent).toBe(true);
    const { response, leave } = await openCsv(key, path, {}, { streams });
    expect(response.status).toBe(200);
    await leave();
  });

  test("one that nobody reads ends after a minute, with its connection, and makes room", async () => {
    const { key } = await service.newKey();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const files = await openFour(key);
    await files[0]?.next();
    expect(await tryOne(key)).toBe(503);
    await vi.advanceTimersByTimeAsync(maxReadPauseMs);
    for (const { reader } of files) await expect(reader?.read()).rejects.toThrow("has not read for 60 s");
    expect(await tryOne(key)).toBe(200);
  });
});

test("a client that leaves while its next page waits for a permit waits no longer, and asks nothing of the database", async () => {
  const { key } = await service.newKey();
  const [limit, streams] = [new ConcurrencyLimit({ permits: 1 }), new StreamLimit(1)];
  const { reader, leave } = await openCsv(key, path, {}, { limit, streams });
  for (let chunk = 0; chunk < csvBatchRows / csvChunkRows; chunk++) await reader?.read();
  const release = await limit.acquire("somebody else");
  const calls = listCalls();
  const next = reader?.read();
  await pass();
  await leave();
  expect((await next)?.done).toBe(true);
  release?.();
  await pass();
  expect(listCalls()).toBe(calls);
  const again = await openCsv(key, path, {}, { limit, streams });
  expect(again.response.status).toBe(200);
  await again.leave();
});

test("all keys have a number of files being sent at a time", async () => {
  const streams = new StreamLimit(4, 2);
  const keys = await Promise.all([service.newKey(), service.newKey(), service.newKey()]);
  const files = [];
  for (const { key } of keys) files.push(await openCsv(key, path, {}, { streams }));
  expect(files.map(({ response }) => response.status)).toEqual([200, 200, 503]);
  expect(await files[2]?.response.json()).toMatchObject({ detail: expect.stringContaining("Too many CSV files") });
  await Promise.all(files.slice(0, 2).map(({ leave }) => leave()));
});
