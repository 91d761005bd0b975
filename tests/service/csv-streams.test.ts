import { afterAll, beforeAll, expect, test } from "vitest";
import { csvBatchRows, csvChunkRows } from "../../shared/endpoint/list-query.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** How CSV answers are sent: part by part, as they are read. */
let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** A list of more than one page, of records without line breaks. */
const path = "/grants-api?format=csv&opportunity_type=all&include_archived=true";

async function openCsv(key: string, csvPath = path, init?: RequestInit) {
  const response = await service.fetch(csvPath, { ...init, headers: bearer(key) });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  return {
    response,
    reader,
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
  const { next, reader } = await openCsv(key);
  const calls = listCalls();
  for (let chunk = 0; chunk < csvBatchRows / csvChunkRows; chunk++) {
    const lines = ((await next()) ?? "").trimEnd().split("\r\n");
    expect(lines).toHaveLength(csvChunkRows + (chunk === 0 ? 1 : 0));
  }
  await pass();
  expect(listCalls()).toBe(calls);
  expect((await next())?.split("\r\n")).toHaveLength(csvChunkRows + 1);
  expect(listCalls()).toBe(calls + 1);
  await reader?.cancel();
});

test("a ranked CSV has the records of the list's pages, and is read in pages, too", async () => {
  const { key } = await service.newKey();
  const query = "opportunity_type=all&include_archived=true&search=community+health+services&search_mode=hybrid";
  const calls = listCalls();
  const text = await (await openCsv(key, `/grants-api?format=csv&${query}`)).response.text();
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
});
