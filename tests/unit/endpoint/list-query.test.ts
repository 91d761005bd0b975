import { expect, test } from "vitest";
import type { ListPage, RpcClient } from "../../../shared/database/rpc.ts";
import type { QueryContext } from "../../../shared/endpoint/endpoint.ts";
import { csvBatchRows, csvChunkRows, queryCsv } from "../../../shared/endpoint/list-query.ts";

/** Pages that a database answers with, one after the other. */
function contextOf(pages: readonly Partial<ListPage>[]) {
  const calls: { limit: number; vector?: string | null }[] = [];
  const breaks: string[] = [];
  const embedding = { model: "openai/small", vector: "[1,2]" };
  let looks = 0;
  const database = {
    async call(
      _: string,
      { parameters, query_vector }: { parameters: { limit: number }; query_vector?: { vector: string | null } },
    ) {
      calls.push({ limit: parameters.limit, ...(query_vector && { vector: query_vector.vector }) });
      return { ok: true, value: { admission: {}, body: pages[calls.length - 1] } };
    },
  } as unknown as RpcClient;
  const stream = {
    database,
    breakOff(reason: string) {
      breaks.push(reason);
      return new Error(reason);
    },
  };
  const context = {
    database,
    openStream: async () => ({ ok: true, value: stream }),
    // Evicted after two looks: that of the first call, and one after its answer.
    embeddings: { getCached: () => (looks++ < 2 ? embedding : undefined) },
    keyHash: "hash",
  } as unknown as QueryContext;
  return { context, calls, breaks };
}

/** A page of records, with the cursor of the next page. */
function pageOf(first: number, rows: number, hasNext: boolean): Partial<ListPage> {
  const id = (index: number) => String(first + index);
  return {
    total: 10_000,
    results: Array.from({ length: rows }, (_, index) => ({ id: id(index) })) as ListPage["results"],
    next: hasNext ? { sort_by: "title", order: "asc", key: id(rows - 1), id: id(rows - 1) } : null,
    search_mode: "keyword",
  };
}

const parameters = { limit: csvBatchRows, offset: 0, search_mode: "keyword", count_only: false };

async function openRows(pages: readonly Partial<ListPage>[], maxRows = 10_000, more: object = {}) {
  const { context, calls, breaks } = contextOf(pages);
  const outcome = await queryCsv(context, "list_grants", { ...parameters, ...more }, maxRows);
  if (!outcome.ok || !("rows" in outcome.value.body)) throw new Error("no rows");
  return { rows: outcome.value.body.rows, calls, breaks };
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("rows leave memory as they are yielded, and a page is asked for when the one before was read", async () => {
  const [first, second] = [pageOf(0, 500, true), pageOf(500, 120, false)];
  const { rows, calls } = await openRows([first, second]);
  const ids: unknown[] = [];
  const left: unknown[] = [];
  for await (const group of rows) {
    expect(group.length).toBeLessThanOrEqual(csvChunkRows);
    ids.push(...group.map(({ id }) => id));
    left.push([calls.length, first.results?.length, second.results?.length]);
  }
  expect(ids).toEqual(Array.from({ length: 620 }, (_, index) => String(index)));
  expect(left).toEqual([
    ...Array.from({ length: 10 }, (_, group) => [1, 450 - 50 * group, 120]),
    [2, 0, 70],
    [2, 0, 20],
    [2, 0, 0],
  ]);
});

test("an empty list is one empty group, which gets the header", async () => {
  const { rows } = await openRows([pageOf(0, 0, false)]);
  expect((await allOf(rows)).map((group) => group.length)).toEqual([0]);
});

test("the last page has the rows that are left to the limit", async () => {
  const { rows, calls } = await openRows([pageOf(0, 500, true), pageOf(500, 30, true)], 530);
  expect((await allOf(rows)).flat()).toHaveLength(530);
  expect(calls.map(({ limit }) => limit)).toEqual([500, 30]);
});

const ranked = { search_mode: "hybrid", search: "water" };

test("a ranked list goes on with the embedding that it began with, though the cache has evicted it", async () => {
  const pages = [pageOf(0, 500, true), pageOf(500, 500, true), pageOf(1_000, 10, false)];
  const { rows, calls } = await openRows(pages, 10_000, ranked);
  expect((await allOf(rows)).flat()).toHaveLength(1_010);
  expect(calls.map(({ vector }) => vector)).toEqual(["[1,2]", "[1,2]", "[1,2]"]);
});

test("a record of a ranked list that has moved to a later page meanwhile is there once", async () => {
  const { rows } = await openRows(
    [pageOf(0, 500, true), pageOf(450, 500, true), pageOf(940, 20, false)],
    10_000,
    ranked,
  );
  expect((await allOf(rows)).flat().map(({ id }) => id)).toEqual(
    Array.from({ length: 960 }, (_, index) => String(index)),
  );
});

test("a ranked list breaks off where the next page is ranked in another way, and says so", async () => {
  const { rows, breaks } = await openRows(
    [pageOf(0, 500, true), { ...pageOf(500, 10, false), search_mode: "hybrid" }],
    10_000,
    ranked,
  );
  await expect(allOf(rows)).rejects.toThrow("ranked by keyword");
  expect(breaks).toEqual([expect.stringContaining("now by hybrid")]);
});
