import createFetchClient from "openapi-fetch";
import { readBody } from "./answers.ts";
import { type Collection, createCollection, type RequestOptions } from "./collection.ts";
import { checkApiKey, checkBaseUrl, checkId } from "./options.ts";
import { type RetryOptions, withRetries } from "./retry.ts";
import type { paths } from "./schema.generated.ts";
import { createSnapshots, type Snapshots } from "./snapshots.ts";
import type {
  Award,
  AwardQuery,
  AwardsAnswer,
  Contract,
  ContractQuery,
  DocumentAnswer,
  DocumentQuery,
  Funder,
  FunderQuery,
  FunderStatistics,
  Grant,
  GrantQuery,
  MultiSearchAnswer,
  QueryOf,
  Search,
  SemanticSearchAnswer,
  SemanticSearchRequest,
  SuggestionsAnswer,
  SuggestQuery,
} from "./types.ts";

export interface ClientOptions {
  /** The service's base address, up to and including `/functions/v1`. */
  baseUrl: string;
  /** The API key, `fo_live_...`. Keep it on a server: anybody who sees it can use it. */
  apiKey: string;
  retry?: RetryOptions;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof fetch;
}

/** Client of the API, typed from its OpenAPI document. Failures are thrown as `ProblemError`. */
export interface FundingClient {
  grants: Collection<Grant, GrantQuery>;
  contracts: Collection<Contract, ContractQuery>;
  funders: Collection<Funder, FunderQuery>;
  /**
   * Searches grants and contracts by meaning, the most relevant first. Finds opportunities whether upcoming, open or
   * closed; nothing awarded, nothing archived. `status` and `deadline_date` tell which can still be applied for.
   */
  semanticSearch(request: SemanticSearchRequest, options?: RequestOptions): Promise<SemanticSearchAnswer>;
  /** Makes up to ten searches in one request. Each counts as a request, and may fail alone: look at its `status`. */
  multiSearch<const Searches extends readonly Search[]>(
    searches: Searches,
    options?: RequestOptions,
  ): Promise<MultiSearchAnswer<Searches>>;
  /**
   * Reads award after award of the grant opportunity with this id, newest first: `link` and `certainty` say how each belongs to it.
   *
   * @throws ProblemError when there is no such record.
   * @throws TypeError when the id is empty.
   */
  awards(id: string, query?: AwardQuery, options?: RequestOptions): AsyncGenerator<Award, void, undefined>;
  /**
   * What a funder has open, and what it awarded, by fiscal year, programme and recipient.
   *
   * @throws ProblemError when there is no such funder.
   * @throws TypeError when the id is empty.
   */
  statistics(funderId: string, options?: RequestOptions): Promise<FunderStatistics>;
  /**
   * Reads a document of grants or contracts: its records, the facts that it states, and its passages in order, each with the page to cite. `query` has
   * `page`, or `limit` (1 to 100, default 20) and `offset`.
   *
   * @param id the `document_id` of a passage, or the `id` of one of `documents_read`.
   * @throws ProblemError when there is no such document, or no such page.
   * @throws TypeError when the id is empty.
   */
  document(id: string, query?: DocumentQuery, options?: RequestOptions): Promise<DocumentAnswer>;
  /** Completes what somebody types: values of filters, words and titles, with how many current records each finds. */
  suggest(query: SuggestQuery, options?: RequestOptions): Promise<SuggestionsAnswer>;
  /** The whole catalogue as files. Calls throw a `ProblemError` where the account's tier does not include them. */
  snapshots: Snapshots;
}

/** Characters of a query as JSON beyond which it goes in a body. Servers on the way take addresses of 8,000 characters. */
const longestInAddress = 2_000;

function isTooLong(query: object): boolean {
  return JSON.stringify(query).length > longestInAddress;
}

/** Lists of which no item has a comma, and which may be long. */
const joinedLists: ReadonlySet<string> = new Set(["fields", "ids"]);

/** Writes a query string. A list repeats its parameter, as names may have commas; those that cannot are joined. */
function writeQuery(query: object): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([name, value]) => {
      const items = [value].flat().map((item) => encodeURIComponent(String(item)));
      return (joinedLists.has(name) ? [items.join(",")] : items).map((text) => `${encodeURIComponent(name)}=${text}`);
    })
    .join("&");
}

/** Parameters by which the feed has all of a dataset's opportunities. */
const allOpportunities = { opportunity_type: "all", archived_as_ids: true };

/** Creates a client. @throws TypeError when `baseUrl` or `apiKey` is missing or malformed. */
export function createFundingClient({ baseUrl, apiKey, retry, fetch: send }: ClientOptions): FundingClient {
  const api = createTextClient({
    baseUrl: checkBaseUrl(baseUrl),
    headers: { Authorization: `Bearer ${checkApiKey(apiKey)}` },
    // Called without `this`: a browser's fetch accepts only the window or undefined.
    fetch: withRetries(send ?? ((...request) => fetch(...request)), retry),
    querySerializer: writeQuery,
  });

  return {
    grants: createCollection<Grant, GrantQuery>({
      feed: allOpportunities,
      list: (query, options) =>
        isTooLong(query)
          ? api.POST("/grants-api/search", { body: asLists<"listGrants">(query), ...options })
          : api.GET("/grants-api", { params: { query: asLists<"listGrants">(query) }, ...options }),
      get: (id, query, options) => api.GET("/grants-api/{id}", { params: { path: { id }, query }, ...options }),
      changes: (id, query, options) =>
        api.GET("/grants-api/{id}/changes", { params: { path: { id }, query }, ...options }),
    }),
    contracts: createCollection<Contract, ContractQuery>({
      feed: allOpportunities,
      list: (query, options) =>
        isTooLong(query)
          ? api.POST("/contracts-api/search", { body: asLists<"listContracts">(query), ...options })
          : api.GET("/contracts-api", { params: { query: asLists<"listContracts">(query) }, ...options }),
      get: (id, query, options) => api.GET("/contracts-api/{id}", { params: { path: { id }, query }, ...options }),
      changes: (id, query, options) =>
        api.GET("/contracts-api/{id}/changes", { params: { path: { id }, query }, ...options }),
    }),
    funders: createCollection<Funder, FunderQuery>({
      feed: {},
      list: (query, options) =>
        isTooLong(query)
          ? api.POST("/funders-api/search", { body: asLists<"listFunders">(query), ...options })
          : api.GET("/funders-api", { params: { query: asLists<"listFunders">(query) }, ...options }),
      get: (id, query, options) => api.GET("/funders-api/{id}", { params: { path: { id }, query }, ...options }),
      changes: (id, query, options) =>
        api.GET("/funders-api/{id}/changes", { params: { path: { id }, query }, ...options }),
    }),
    snapshots: createSnapshots({
      list: (options) => api.GET("/snapshots", { ...options }),
      get: (id, options) => api.GET("/snapshots/{id}", { params: { path: { id } }, ...options }),
      download: (id, file, options) =>
        api.GET("/snapshots/{id}/{file}", { params: { path: { id, file } }, parseAs: "stream", ...options }),
    }),
    semanticSearch: async (body, options) => readBody(await api.POST("/semantic-search", { body, ...options })),
    multiSearch: async <const Searches extends readonly Search[]>(searches: Searches, options?: RequestOptions) => {
      const answer = await api.POST("/multi-search", { body: { searches: [...searches] }, ...options });
      return readBody(answer) as unknown as MultiSearchAnswer<Searches>;
    },
    async *awards(id, query, options) {
      const path = { id: checkId(id) };
      let next: string | null = null;
      do {
        const asked: QueryOf<"listGrantAwards"> = { limit: 100, ...query, ...(next === null ? {} : { cursor: next }) };
        const { results, pagination } = readBody<AwardsAnswer>(
          await api.GET("/grants-api/{id}/awards", { params: { path, query: asked }, ...options }),
        );
        yield* results;
        next = pagination.next;
      } while (next !== null);
    },
    async statistics(funderId, options) {
      const path = { id: checkId(funderId) };
      return readBody(await api.GET("/funders-api/{id}/statistics", { params: { path }, ...options }));
    },
    async document(id, query, options) {
      const path = { id: checkId(id) };
      return readBody(await api.GET("/documents/{id}", { params: { path, query: { ...query } }, ...options }));
    },
    suggest: async (query, options) => readBody(await api.GET("/suggest", { params: { query }, ...options })),
  };
}

/** A list's query with the types of the OpenAPI document: a value alone is sent as a list of one is. */
function asLists<List extends "listGrants" | "listContracts" | "listFunders">(query: object): QueryOf<List> {
  return query as QueryOf<List>;
}

/**
 * Creates the client of openapi-fetch, whose answers are the text of their JSON: `readBody` parses it. What openapi-fetch throws for text that is no
 * JSON has neither the status nor the text. The types stay those of the JSON.
 */
function createTextClient(options: Parameters<typeof createFetchClient>[0]) {
  const { GET, POST } = createFetchClient<paths>(options);
  const asText = (call: (path: never, init: never) => unknown) => (path: never, init: object) =>
    call(path, { parseAs: "text", ...init } as never);
  return { GET: asText(GET) as unknown as typeof GET, POST: asText(POST) as unknown as typeof POST };
}
