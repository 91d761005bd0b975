import createFetchClient from "openapi-fetch";
import { bodyOf, type Collection, createCollection, type RequestOptions } from "./collection.ts";
import { apiKeyOf, baseUrlOf } from "./options.ts";
import { type RetryOptions, retrying } from "./retry.ts";
import type { paths } from "./schema.generated.ts";
import type {
  Contract,
  ContractQuery,
  Funder,
  FunderQuery,
  Grant,
  GrantQuery,
  SemanticSearchAnswer,
  SemanticSearchRequest,
} from "./types.ts";

export interface ClientOptions {
  /** The service's base address, up to and including `/functions/v1`. */
  baseUrl: string;
  /** The API key, `fo_live_...`. Keep it on a server: whoever sees it can use it. */
  apiKey: string;
  retry?: RetryOptions;
  /** Sends the requests in place of the global `fetch`. */
  fetch?: typeof fetch;
}

/** The API, typed from its OpenAPI document. Failures are thrown as `ProblemError`. */
export interface FundingClient {
  grants: Collection<Grant, GrantQuery>;
  contracts: Collection<Contract, ContractQuery>;
  funders: Collection<Funder, FunderQuery>;
  /**
   * Grants and contracts by meaning, the most relevant first: opportunities whether upcoming, open or closed; nothing
   * awarded, nothing archived. `status` and `deadline_date` tell which can still be applied for.
   */
  semanticSearch(request: SemanticSearchRequest, options?: RequestOptions): Promise<SemanticSearchAnswer>;
}

/** @throws TypeError at once when `baseUrl` or `apiKey` is missing or cannot be one. */
export function createFundingClient({ baseUrl, apiKey, retry, fetch: send }: ClientOptions): FundingClient {
  const api = createFetchClient<paths>({
    baseUrl: baseUrlOf(baseUrl),
    headers: { Authorization: `Bearer ${apiKeyOf(apiKey)}` },
    // Called without `this`, which a browser's fetch insists on being the window or nothing.
    fetch: retrying(send ?? ((...request) => fetch(...request)), retry),
    // Lists are comma-separated.
    querySerializer: { array: { style: "form", explode: false } },
  });

  return {
    grants: createCollection<Grant, GrantQuery>({
      list: (query, options) => api.GET("/grants-api", { params: { query }, ...options }),
      get: (id, options) => api.GET("/grants-api/{id}", { params: { path: { id } }, ...options }),
    }),
    contracts: createCollection<Contract, ContractQuery>({
      list: (query, options) => api.GET("/contracts-api", { params: { query }, ...options }),
      get: (id, options) => api.GET("/contracts-api/{id}", { params: { path: { id } }, ...options }),
    }),
    funders: createCollection<Funder, FunderQuery>({
      list: (query, options) => api.GET("/funders-api", { params: { query }, ...options }),
      get: (id, options) => api.GET("/funders-api/{id}", { params: { path: { id } }, ...options }),
    }),
    semanticSearch: async (body, options) => bodyOf(await api.POST("/semantic-search", { body, ...options })),
  };
}
