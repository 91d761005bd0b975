import { expect } from "vitest";
import type { z } from "zod";
import {
  type CollectionName,
  countAnswer,
  listOf,
  type ProblemDocument,
  problemDocument,
  type RecordOf,
  recordSchemas,
  type Scored,
  scoredSchemas,
} from "./schemas.ts";
import type { Caller, Target } from "./target.ts";

/** Query parameters, before they are text. A list repeats its parameter. */
export type Query = Record<string, string | number | boolean | readonly string[]>;

export type Listing<Item> = z.infer<ReturnType<typeof listOf<Item>>>;

/** Client that validates every answer against the schemas. */
export type Client = ReturnType<typeof apiClient>;

export function apiClient(target: Target) {
  /** The JSON of an answer that must have this status. */
  async function json(path: string, status = 200, caller: Caller = "developer"): Promise<unknown> {
    const response = await target.send(path, {}, caller);
    return readJson(response, status, path);
  }

  /** A page of a list whose results are not ranked. */
  async function list<Name extends CollectionName>(name: Name, query: Query = {}): Promise<Listing<RecordOf[Name]>> {
    const path = pathOf(name, query);
    return parse(listOf(recordSchemas[name]), await json(path), path);
  }

  /** A page of a semantic or hybrid search. */
  async function ranked<Name extends CollectionName>(
    name: Name,
    query: Query,
  ): Promise<Listing<Scored<RecordOf[Name]>>> {
    const path = pathOf(name, query);
    return parse(listOf(scoredSchemas[name]), await json(path), path);
  }

  async function count(name: CollectionName, query: Query = {}): Promise<number> {
    const path = pathOf(name, { ...query, count_only: true });
    return parse(countAnswer, await json(path), path).total;
  }

  /** Every record of a list, page after page to its end. */
  async function walk<Name extends CollectionName>(
    name: Name,
    query: Query = {},
    limit = 100,
  ): Promise<RecordOf[Name][]> {
    return readPages((offset) => list(name, { ...query, limit, offset }), limit);
  }

  /** Every result of a ranked search, page after page to its end. */
  async function walkRanked<Name extends CollectionName>(
    name: Name,
    query: Query,
    limit = 100,
  ): Promise<Scored<RecordOf[Name]>[]> {
    return readPages((offset) => ranked(name, { ...query, limit, offset }), limit);
  }

  /** The problem document of a request that must be refused with this status. */
  async function refused(path: string, status: number, caller?: Caller): Promise<ProblemDocument> {
    return parse(problemDocument, await json(path, status, caller), path);
  }

  return { json, list, ranked, count, walk, walkRanked, refused };
}

export function pathOf(name: CollectionName, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => [key, String(one)]));
  const text = new URLSearchParams(pairs).toString();
  return text === "" ? `/${name}` : `/${name}?${text}`;
}

/** The JSON of a response that must have this status; what came instead is in the failure's message. */
export async function readJson(response: Response, status: number, request: string): Promise<unknown> {
  const text = await response.text();
  expect(response.status, `${request} answered ${text.slice(0, 400)}`).toBe(status);
  return JSON.parse(text);
}

/** Validates a body against a schema. A failure's message has the request. */
export function parse<Output>(schema: z.ZodType<Output>, body: unknown, request: string): Output {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Error(`${request} does not have the contract's shape: ${parsed.error.message}`);
}

export function idsOf(records: readonly { id: string }[]): string[] {
  return records.map(({ id }) => id);
}

/** A walk that has not ended after this many pages is not the test's business any more. */
const mostPages = 30;

async function readPages<Item>(page: (offset: number) => Promise<Listing<Item>>, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let read = 0; read < mostPages; read++) {
    const { results, pagination } = await page(items.length);
    items.push(...results);
    if (results.length < limit || items.length >= pagination.total) return items;
  }
  throw new Error(`the list did not end within ${mostPages} pages of ${limit}`);
}
