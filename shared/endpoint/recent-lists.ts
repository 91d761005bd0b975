import type { ListPage } from "../database/rpc.ts";
import { Recent } from "../recent.ts";

/** A page of a list, with its records as the JSON text that is sent. */
export interface WrittenList extends Omit<ListPage, "results"> {
  results: string;
  returned: number;
}

interface Remembered {
  list: WrittenList;
  /** Until when it is offered to the database, in milliseconds of `performance.now()`. */
  until: number;
}

/** Characters of all records that are remembered: some 300 pages of 20. */
const mostCharacters = 8_000_000;
/** Versions begin again where a database is restored from a backup. */
const longestMs = 10 * 60_000;

/**
 * The lists that were answered last. The database admits each request all the same, and says whether the list is
 * still what it was: then its records need not be read, sent and written again.
 */
export class RecentLists {
  #lists = new Recent<Remembered>(mostCharacters, ({ list }) => list.results.length);

  /** @param request which list, with everything that was asked of it. */
  get(request: string): WrittenList | undefined {
    const remembered = this.#lists.get(request);
    return remembered !== undefined && performance.now() < remembered.until ? remembered.list : undefined;
  }

  /** @returns the page as it is remembered. */
  remember(request: string, { results, ...page }: ListPage): WrittenList {
    const list = { ...page, results: JSON.stringify(results), returned: results.length };
    this.#lists.set(request, { list, until: performance.now() + longestMs });
    return list;
  }
}
