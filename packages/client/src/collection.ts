import { errorOf } from "./problems.ts";
import type { Page } from "./types.ts";

/** What every call takes. */
export interface RequestOptions {
  /** Ends the request, and any wait before it is sent again. */
  signal?: AbortSignal;
}

/** A list's parameters, but for those that the methods set themselves. */
export type ListQuery<Query> = Omit<Query, "count_only" | "format">;

/** One dataset of the API. */
export interface Collection<Item, Query> {
  /** One page. */
  list(query?: ListQuery<Query>, options?: RequestOptions): Promise<Page<Item>>;
  /** How many records match. */
  count(query?: Omit<ListQuery<Query>, "limit" | "offset" | "cursor">, options?: RequestOptions): Promise<number>;
  /** Page after page, to the end of the list. */
  pages(query?: ListQuery<Query>, options?: RequestOptions): AsyncGenerator<Page<Item>, void, undefined>;
  /** Record after record, to the end of the list; none comes twice, even if records are added meanwhile. */
  iterate(query?: ListQuery<Query>, options?: RequestOptions): AsyncGenerator<Item, void, undefined>;
  /** The record with this id, or undefined when there is none. */
  get(id: string, options?: RequestOptions): Promise<Item | undefined>;
}

/** What openapi-fetch gives for a request. */
export interface Exchange<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

interface Paging {
  limit?: number;
  offset?: number;
  cursor?: string;
}

/** How one dataset's two routes are asked. */
export interface Routes<Item, Query> {
  list(
    query: Query & { count_only?: boolean },
    options: RequestOptions,
    // Text is what the API answers where CSV was asked for, which nothing here does.
  ): Promise<Exchange<Page<Item> | { total: number } | string>>;
  get(id: string, options: RequestOptions): Promise<Exchange<Item>>;
}

const largestPage = 100;

export function createCollection<Item extends { id: string }, Query extends Paging>(
  routes: Routes<Item, Query>,
): Collection<Item, Query> {
  async function list(query: ListQuery<Query> = {} as Query, options: RequestOptions = {}): Promise<Page<Item>> {
    const body = bodyOf(await routes.list(query as Query, options));
    if (typeof body === "string" || !("results" in body)) {
      throw new TypeError("count() gives totals; list() gives pages");
    }
    return body;
  }

  async function* pages(query: ListQuery<Query> = {} as Query, options: RequestOptions = {}) {
    const { limit = largestPage, offset, ...asked } = query as Paging;
    let place: Paging = offset === undefined ? {} : { offset };
    for (;;) {
      const page = await list({ ...asked, limit, ...place } as ListQuery<Query>, options);
      yield page;
      const { next } = page.pagination;
      if (next === null) return;
      place = { cursor: next };
    }
  }

  return {
    list,
    pages,
    async count(query, options = {}) {
      const body = bodyOf(await routes.list({ ...(query as Query), count_only: true }, options));
      if (typeof body === "string") throw new TypeError("the answer is not JSON");
      return "total" in body ? body.total : body.pagination.total;
    },
    async *iterate(query, options) {
      const seen = new Set<string>();
      for await (const { results } of pages(query, options)) {
        for (const record of results) {
          if (!seen.has(record.id)) yield record;
          seen.add(record.id);
        }
      }
    },
    async get(id, options = {}) {
      const exchange = await routes.get(id, options);
      return exchange.response.status === 404 ? undefined : bodyOf(exchange);
    },
  };
}

/** The answer's body. @throws what the answer says went wrong. */
export function bodyOf<Body>({ data, error, response }: Exchange<Body>): Body {
  if (response.ok && data !== undefined) return data;
  throw errorOf(error, response);
}
