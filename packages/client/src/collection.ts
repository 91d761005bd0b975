import { type FetchResult, readBody, readFound } from "./answers.ts";
import { checkId } from "./options.ts";
import type { Page, RecordChanges } from "./types.ts";

/** Options of every call. */
export interface RequestOptions {
  /** Aborts the request, and any wait before a retry. */
  signal?: AbortSignal;
}

/** Parameters of a list, except those that the methods set themselves. */
export type ListQuery<Query> = Omit<Query, "count_only" | "format" | "fields">;

/** Names of a dataset's fields, those of details included. */
export type FieldName<Query> = Query extends { fields?: (infer Name extends string)[] } ? Name : never;

/** A record with the fields that are named. */
export type Chosen<Item, Name> = Pick<
  Item,
  Extract<"id" | "relevance_score" | "explanation" | "highlights" | Name, keyof Item>
> & {
  id: string;
  details?: Item extends { details?: infer Details } ? Pick<Details, Extract<Name, keyof Details>> : never;
};

/** One dataset of the API. Calls throw a TypeError where a parameter is an empty list: to leave a parameter out, omit it. */
export interface Collection<Item, Query> {
  /** The same records with these fields and `id` alone: less to send and to read. Those of details are in `details`. */
  withFields<Name extends FieldName<Query>>(names: readonly Name[]): Collection<Chosen<Item, Name>, Query>;
  /** Reads one page. */
  list(query?: ListQuery<Query>, options?: RequestOptions): Promise<Page<Item>>;
  /** Counts the matching records. */
  count(
    query?: Omit<ListQuery<Query>, "limit" | "offset" | "cursor" | "ids">,
    options?: RequestOptions,
  ): Promise<number>;
  /** Reads page after page, to the end of the list. */
  pages(query?: ListQuery<Query>, options?: RequestOptions): AsyncGenerator<Page<Item>, void, undefined>;
  /** Reads record after record, to the end of the list. No record comes twice, even if records are added meanwhile. */
  iterate(query?: ListQuery<Query>, options?: RequestOptions): AsyncGenerator<Item, void, undefined>;
  /**
   * Reads what changed since a position, batch after batch, oldest first, up to now; without a position, everything. Apply a batch and save its
   * position together, and go on from there the next time: no change is passed over, though others write meanwhile. A record that changes
   * again comes again. With the same query each time, whose filters match all versions of a record, the copy is the catalogue.
   *
   * @throws TypeError when the query has a parameter that {@link MirrorQuery} leaves out, or the answer is no feed.
   */
  mirror(
    position?: MirrorPosition,
    query?: MirrorQuery<Query>,
    options?: RequestOptions,
  ): AsyncGenerator<MirrorBatch<Item>, void, undefined>;
  /**
   * Reads the record with this id, with `details` where `expand` asks for them. Undefined when there is none.
   *
   * @throws TypeError when the id is empty.
   */
  get(id: string, options?: RequestOptions & RecordQuery): Promise<Item | undefined>;
  /**
   * Reads change after change of the record with this id, newest first.
   *
   * @throws ProblemError when there is no such record.
   * @throws TypeError when the id is empty.
   */
  changes(id: string, options?: RequestOptions): AsyncGenerator<RecordChange, void, undefined>;
}

/** Position in the feed of changes. It can be stored as JSON. */
export type MirrorPosition = { cursor: string } | { updated_after: string };

/** Parameters that a mirror sets itself, and those that rank a list: a ranked list is no feed. */
const notMirrored = [
  "sort_by",
  "order",
  "cursor",
  "offset",
  "ids",
  "updated_after",
  "archived_as_ids",
  "include_archived",
  "include_versions",
  "facets",
  "facets_mode",
  "facets_sort_by",
  "search_mode",
  "similar_to",
  "explain",
  "highlight",
  "count_only",
  "format",
] as const;

/** Parameters of a mirror: filters, `limit` and `expand`. */
export type MirrorQuery<Query> = Omit<ListQuery<Query>, (typeof notMirrored)[number]>;

/** A part of what changed. */
export interface MirrorBatch<Item> {
  /** Records as they are now, to be added or replaced. */
  records: Item[];
  /** Records that have left the current catalogue. None of funders, which stay. */
  archived: { id: string; archived_at: string }[];
  /** Where to go on once this batch is applied. */
  position: MirrorPosition;
}

/** Parts to add to a record. */
export interface RecordQuery {
  expand?: "details"[];
}

/** Changes of a record at a moment. */
export type RecordChange = RecordChanges["results"][number];

interface Paging {
  limit?: number;
  offset?: number;
  cursor?: string;
  ids?: string | string[];
}

/** Calls of a dataset's routes. */
export interface Routes<Item, Query> {
  /** Parameters by which a list has all records, archived ones by their ids. */
  feed: object;
  list(
    query: Query & { count_only?: boolean },
    options: RequestOptions,
    // Records are whole, or have the fields that were asked for. The API answers with text if CSV is requested, which the client never does.
  ): Promise<FetchResult<Page<Item | { id: string }> | { total: number } | string>>;
  get(id: string, query: RecordQuery, options: RequestOptions): Promise<FetchResult<Item | { id: string }>>;
  changes(id: string, query: { cursor?: string }, options: RequestOptions): Promise<FetchResult<RecordChanges>>;
}

const maxPageSize = 100;

export function createCollection<Item extends { id: string }, Query extends Paging>(
  routes: Routes<Item, Query>,
  chosen: { fields?: readonly string[] } = {},
): Collection<Item, Query> {
  async function list(query: ListQuery<Query> = {} as Query, options: RequestOptions = {}): Promise<Page<Item>> {
    checkLists(query);
    const body = readBody(await routes.list({ ...(query as Query), ...chosen }, options));
    if (typeof body === "string" || !("results" in body)) {
      throw new TypeError("count() gives totals; list() gives pages");
    }
    // Of the fields that were asked for.
    return body as Page<Item>;
  }

  async function* pages(query: ListQuery<Query> = {} as Query, options: RequestOptions = {}) {
    const { limit = maxPageSize, offset, ...filters } = query as Paging;
    let position: Paging = offset === undefined ? {} : { offset };
    for (;;) {
      // Records by their ids are one page, which takes no other parameters.
      const asked = filters.ids === undefined ? { ...filters, limit, ...position } : query;
      const page = await list(asked as ListQuery<Query>, options);
      yield page;
      const { next } = page.pagination;
      if (next === null) return;
      position = { cursor: next };
    }
  }

  return {
    withFields<Name extends FieldName<Query>>(fields: readonly Name[]) {
      checkLists({ fields });
      return createCollection(routes as unknown as Routes<Chosen<Item, Name>, Query>, { fields });
    },
    list,
    pages,
    async count(query, options = {}) {
      checkLists(query);
      const body = readBody(await routes.list({ ...(query as Query), count_only: true }, options));
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
    async *mirror(position, query, options) {
      checkMirrorQuery(query);
      const feed = { limit: maxPageSize, ...routes.feed, ...query, sort_by: "updated_at", order: "asc" };
      let last = position;
      for (;;) {
        const page = await list({ ...feed, ...last } as unknown as ListQuery<Query>, options);
        const { next } = page.pagination;
        const updatedAfter = page.meta.last_updated_at;
        if (updatedAfter === undefined) {
          throw new TypeError("the answer has no meta.last_updated_at: it is no feed of changes, which a mirror reads");
        }
        // Nothing changed since.
        if (updatedAfter === null) return;
        last = next === null ? { updated_after: updatedAfter } : { cursor: next };
        yield { records: page.results, archived: page.archived ?? [], position: last };
        if (next === null) return;
      }
    },
    async get(id, { expand, ...options } = {}) {
      checkLists({ expand });
      const query = { ...(expand === undefined ? {} : { expand }), ...chosen };
      return readFound(await routes.get(checkId(id), query, options)) as Item | undefined;
    },
    async *changes(id, options = {}) {
      let next: string | null = null;
      do {
        const page: RecordChanges = readBody(
          await routes.changes(checkId(id), next === null ? {} : { cursor: next }, options),
        );
        yield* page.results;
        next = page.next;
      } while (next !== null);
    },
  };
}

/** Refuses empty lists: openapi-fetch would leave out the parameter, and the answer would be the whole list. */
function checkLists(query: object = {}): void {
  const empty = Object.entries(query).find(([, value]) => Array.isArray(value) && value.length === 0);
  if (empty !== undefined) throw new TypeError(`${empty[0]} is an empty list; to filter by nothing, leave it out`);
}

/** Refuses parameters that would make another list of the feed. Callers without types may give them. */
function checkMirrorQuery(query: object = {}): void {
  const refused = notMirrored.filter((name) => (query as Record<string, unknown>)[name] !== undefined);
  if (refused.length > 0) throw new TypeError(`a mirror cannot have ${refused.join(", ")}`);
}
