import type { ListPage } from "../database/rpc.ts";
import { LruCache } from "../lru-cache.ts";
import { writeCursor } from "../validation/list.ts";

/** A page of a list, with its records as the JSON text that is sent, and the next page's cursor as clients give it back. */
export interface SerializedPage extends Omit<ListPage, "results" | "next"> {
  results: string;
  returned: number;
  next: string | null;
}

interface Entry {
  page: SerializedPage;
  /** Characters of the request and of all of the page. */
  size: number;
  /** Expiry, in milliseconds of `performance.now()`. */
  expiresAt: number;
}

/** Characters of all cached pages and their requests: some 300 pages of 20. */
const maxCharacters = 8_000_000;
/** Versions of lists begin again where a database is restored from a backup: a page must not outlive that for long. */
const maxAgeMs = 10 * 60_000;

/**
 * LRU cache of the pages answered last. Every page is revalidated: the database admits each request all the same, and
 * says whether the page is unchanged. Then its records need not be read, sent and serialized again.
 */
export class ListCache {
  #entries = new LruCache<Entry>(maxCharacters, ({ size }) => size);

  /** @param request the list's RPC with all of its parameters. */
  get(request: string): SerializedPage | undefined {
    const entry = this.#entries.get(request);
    return entry !== undefined && performance.now() < entry.expiresAt ? entry.page : undefined;
  }

  /** Stores a page and returns it serialized. */
  set(request: string, { results, next, ...rest }: Omit<ListPage, "results"> & { results: object[] }): SerializedPage {
    const page = {
      ...rest,
      results: JSON.stringify(results),
      returned: results.length + (rest.archived?.length ?? 0),
      next: next === null ? null : writeCursor(next),
    };
    const beside = JSON.stringify([page.archived, page.facets, page.understood]).length;
    const size = request.length + page.results.length + beside;
    this.#entries.set(request, { page, size, expiresAt: performance.now() + maxAgeMs });
    return page;
  }
}
