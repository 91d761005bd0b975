import { InputError } from "../errors.ts";
import type { Row } from "../read/row.ts";
import { SeenIds } from "../seen-ids.ts";
import type { GetJson } from "./client.ts";
import type { Cursor } from "./cursor.ts";

const pageSize = 100;
/** Records appear some time after the moment at which they say that they were modified: when their transaction ends. */
const settlingMs = 10 * 60_000;
/** Pages in a row without a new opportunity, after which the API does not page. A few may be: what is modified moves to the front. */
const mostBarrenPages = 3;
/** Times that pages are read again because opportunities went away meanwhile. */
const mostReturns = 100;

export interface WalkOptions {
  cursor?: Cursor;
  /** Whether all is read, whatever is in already. */
  isFull?: boolean;
  nowMs?: number;
}

interface Page {
  items: unknown[];
  /** `lastModifiedAt` of the items, in milliseconds; NaN where one has none. */
  times: number[];
  isLast: boolean;
  totalItems: number | undefined;
  totalPages: number | undefined;
}

/**
 * Reads an API's list of opportunities, which the protocol sorts by `lastModifiedAt`, the newest first: down to what is in already, or to its end.
 * What is modified meanwhile moves to the front, so nothing is passed over; the next run reads it.
 */
export class OpportunityWalk {
  readonly #address: URL;
  readonly #getJson: GetJson;
  readonly #cursor: Cursor;
  readonly #isFull: boolean;
  readonly #nowMs: number;
  readonly #seen = new SeenIds();
  /** Times down to which all is in, once so many rows are written. */
  #checkpoints: { rows: number; oldestMs: number }[] = [];
  #rows = 0;
  #newestMs = Number.NEGATIVE_INFINITY;
  #lastMs = Number.POSITIVE_INFINITY;
  #disordered = 0;
  #barrenPages = 0;
  #furthestPage = 0;
  #returns = 0;

  constructor(address: URL, getJson: GetJson, { cursor = {}, isFull = false, nowMs = Date.now() }: WalkOptions = {}) {
    this.#address = address;
    this.#getJson = getJson;
    this.#cursor = cursor;
    this.#isFull = isFull;
    this.#nowMs = nowMs;
  }

  /** Yields each opportunity once. @throws {InputError} when an answer is none of the protocol's. */
  async *rows(): AsyncGenerator<Row> {
    const { completeTo } = this.#cursor;
    const interrupted = this.#isFull ? undefined : this.#cursor.interrupted;
    const knownMs = this.#isFull || completeTo === undefined ? Number.NEGATIVE_INFINITY : completeTo.getTime();
    const joinsMs = interrupted === undefined ? Number.NEGATIVE_INFINITY : interrupted.newest.getTime();
    let hasJoined = interrupted === undefined;
    let totalItems: number | undefined;
    for (let number = 1; ; ) {
      const page = await this.#read(number);
      if (number === 1) this.#begin(page);
      yield* this.#rowsOf(page, number);
      if (page.isLast || isOlder(page, knownMs)) return;
      const gone = (totalItems ?? 0) - (page.totalItems ?? 0);
      totalItems = page.totalItems;
      if (totalItems !== undefined && gone > 0 && number > 1 && this.#returns < mostReturns) {
        // What stood behind them has moved to a page that was read before.
        this.#returns++;
        number = Math.max(1, number - Math.ceil(gone / pageSize));
        continue;
      }
      if (interrupted !== undefined && !hasJoined && isOlder(page, joinsMs)) {
        hasJoined = true;
        number = await this.#findPage(number + 1, page.totalPages, interrupted.oldest.getTime() + 1);
        this.#lastMs = Number.POSITIVE_INFINITY;
        continue;
      }
      if (hasJoined) this.#check(page);
      number++;
    }
  }

  /** The cursor once so many rows are written; undefined where it has not moved. */
  cursorAfter(rows: number): Cursor | undefined {
    const reached = this.#checkpoints.findLast((checkpoint) => checkpoint.rows <= rows);
    if (reached === undefined) return undefined;
    this.#checkpoints = this.#checkpoints.filter((checkpoint) => checkpoint.rows > rows);
    return { ...this.#cursor, interrupted: { newest: this.#newest, oldest: new Date(reached.oldestMs) } };
  }

  /** The cursor once all rows are written. */
  cursorAtEnd(): Cursor {
    return { completeTo: Number.isFinite(this.#newestMs) ? this.#newest : this.#cursor.completeTo };
  }

  /** A sentence about a list that is not in the protocol's order, where changes may be passed over. */
  warning(): string | undefined {
    if (this.#disordered === 0 || this.#isFull) return undefined;
    return `${this.#disordered} opportunities were not in the order of lastModifiedAt, so changes may have been passed over. Import the API with --full now and then.`;
  }

  /** Time until which all changes were there when the reading began. One that is ahead would pass over later changes. */
  get #newest(): Date {
    return new Date(Math.min(this.#newestMs, this.#nowMs - settlingMs));
  }

  #begin({ items, times }: Page): void {
    this.#newestMs = Math.max(...times.filter((time) => !Number.isNaN(time)));
    const isOpportunity = (item: unknown) => isObject(item) && "id" in item && "title" in item;
    if (items.length > 0 && (!items.some(isOpportunity) || !Number.isFinite(this.#newestMs))) {
      throw new InputError("lists no opportunities of CommonGrants: they have id, title and lastModifiedAt");
    }
  }

  *#rowsOf({ items, times }: Page, number: number): Generator<Row> {
    let isBarren = true;
    for (const [index, item] of items.entries()) {
      const time = times[index] ?? Number.NaN;
      if (time > this.#lastMs && number > this.#furthestPage) this.#disordered++;
      if (!Number.isNaN(time)) this.#lastMs = time;
      const id = isObject(item) ? item.id : undefined;
      const isRepeated = typeof id === "string" && this.#seen.addKept(id, this.#rows + 1) !== undefined;
      if (isRepeated) continue;
      isBarren = false;
      this.#rows++;
      const place = { line: this.#rows, record: this.#rows };
      if (isObject(item)) yield { ...place, values: item };
      else yield { ...place, reason: "is not an object", text: JSON.stringify(item) };
    }
    if (number <= this.#furthestPage) return;
    this.#furthestPage = number;
    this.#barrenPages = isBarren ? this.#barrenPages + 1 : 0;
    if (this.#barrenPages >= mostBarrenPages) {
      throw new InputError(`repeats itself: page ${number} and those before it have nothing new`);
    }
  }

  #check({ times }: Page): void {
    const oldestMs = Math.min(...times.filter((time) => !Number.isNaN(time)));
    if (oldestMs <= this.#newest.getTime()) this.#checkpoints.push({ rows: this.#rows, oldestMs });
  }

  /** Number of the first page from one on that has something older than this. The pages before it are in. */
  async #findPage(from: number, totalPages: number | undefined, timeMs: number): Promise<number> {
    let [low, high] = [from, totalPages ?? from];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { items, times } = await this.#read(middle);
      if (items.length === 0 || times.some((time) => time < timeMs)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async #read(number: number): Promise<Page> {
    const address = new URL(this.#address);
    address.searchParams.set("page", String(number));
    address.searchParams.set("pageSize", String(pageSize));
    const answer = await this.#getJson(address);
    if (!isObject(answer) || !Array.isArray(answer.items) || !isObject(answer.paginationInfo)) {
      throw new InputError("is another API: lists of CommonGrants have items and paginationInfo");
    }
    const items: unknown[] = answer.items;
    const { page, pageSize: size, totalItems, totalPages } = answer.paginationInfo;
    if (typeof page === "number" && page !== number) {
      throw new InputError(`does not page: it answers page ${page} instead of page ${number}`);
    }
    const pages = typeof totalPages === "number" ? totalPages : undefined;
    const isShort = items.length < (typeof size === "number" ? Math.min(size, pageSize) : pageSize);
    return {
      items,
      times: items.map((item) => (isObject(item) ? Date.parse(String(item.lastModifiedAt)) : Number.NaN)),
      isLast: items.length === 0 || (pages === undefined ? isShort : number >= pages),
      totalItems: typeof totalItems === "number" ? totalItems : undefined,
      totalPages: pages,
    };
  }
}

/** Whether all of a page was modified before a time. */
function isOlder({ times }: Page, timeMs: number): boolean {
  return times.every((time) => time < timeMs);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
