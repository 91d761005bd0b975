import { errorOf } from "./problems.ts";
import type { Page } from "./types.ts";

/** What every call takes. */
export interface RequestOptions {
  /** Ends the request, and any wait before it is sent again. */
  signal?: AbortSignal;
}

/** A list's parameters, but for those that the methods set themselves. */
export type ListQuery<Query> = Omit<Query, "count_only">;

/** One dataset of the API. */
export interface Collection<Item, Query> {
  /** One page. */
  list(query?: ListQuery<Query>, options?: RequestOptions): Promise<Page<Item>>;
  /** How many records match. */
  count(query?: Omit<ListQuery<Query>, "limit" | "offset">, options?: RequestOptions): Promise<number>;
  /** Page after page, to the end of the list. */
  pages(query?: ListQuery<Query>, options?: RequestOptions): AsyncGenerator<Page<Item>, void, undefined>;
  /**
   * Record after record, to the end of the list; none comes twice, even if records are added meanwhile.
   *
   * @throws RangeError at the API's last page when more records match: narrow the query then.
   */
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
}

/** How one dataset's two routes are asked. */
export interface Routes<Item, Query> {
  list(
    query: Query & { count_only?: boolean },
    options: RequestOptions,
  ): Promise<Exchange<Page<Item> | { total: number }>>;
  get(id: string, options: RequestOptions): Promise<Exchange<Item>>;
}

const largestPage = 100;
/** The API's largest `offset`. */
const largestOffset = 10_000;

export function createCollection<Item extends { id: string }, Query extends Paging>(
  routes: Routes<Item, Query>,
): Collection<Item, Query> {
  async function list(query: ListQuery<Query> = {} as Query, options: RequestOptions = {}): Promise<Page<Item>> {
    const body = bodyOf(await routes.list(query as Query, options));
    if (!("results" in body)) throw new TypeError("count() gives totals; list() gives pages");
    return body;
  }

  async function* pages(query: ListQuery<Query> = {} as Query, options: RequestOptions = {}) {
    const { limit = largestPage, offset: start = 0 } = query as Paging;
    for (let offset = start; ; offset += limit) {
      if (offset > largestOffset) {
        throw new RangeError(`the list goes on beyond an offset of ${largestOffset}: narrow the query`);
      }
      const page = await list({ ...query, limit, offset }, options);
      yield page;
      const read = offset + page.results.length;
      if (page.results.length < limit || read >= page.pagination.total) return;
    }
  }

  return {
    list,
    pages,
    async count(query, options = {}) {
      const body = bodyOf(await routes.list({ ...(query as Query), count_only: true }, options));
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
