/** What the database says of a caller it let in. Quotas are requests a UTC day; -1 is unlimited. */
export interface Admission {
  api_key_id: string;
  daily_quota: number;
  remaining: number;
}

/** What every data RPC returns. */
export interface Admitted<Body> {
  admission: Admission;
  body: Body;
}

/** A record as the API shows it. */
export type RecordBody = Record<string, unknown>;

/** The body of a list RPC: a page, or a bare total when `count_only` was asked. */
export type ListBody =
  | { total: number }
  | {
      results: RecordBody[];
      total: number;
      sort_by: string;
      order: "asc" | "desc";
      search_mode: string;
      data_as_of: string;
    };

export interface SemanticSearchBody {
  results: RecordBody[];
  search_mode: string;
  data_as_of: string;
}

/** Finished requests, counted alike. `at` is RFC 3339; the bucket is in milliseconds. */
export interface UsageEvent {
  api_key_id?: string;
  /** In place of `api_key_id`, where the request failed before the database could say which key it is. */
  key_hash?: string;
  at: string;
  endpoint: string;
  status: number;
  latency_bucket_ms: number;
  requests: number;
}

type ListArguments = { key_hash: string; parameters: Record<string, unknown> };
type SingleArguments = { key_hash: string; id: string };

/** The database's functions: arguments and results. */
export interface Rpcs {
  admit_request: { arguments: { key_hash: string }; result: Admitted<null> };
  list_grants: { arguments: ListArguments; result: Admitted<ListBody> };
  list_contracts: { arguments: ListArguments; result: Admitted<ListBody> };
  list_funders: { arguments: ListArguments; result: Admitted<ListBody> };
  get_grant: { arguments: SingleArguments; result: Admitted<RecordBody | null> };
  get_contract: { arguments: SingleArguments; result: Admitted<RecordBody | null> };
  get_funder: { arguments: SingleArguments; result: Admitted<RecordBody | null> };
  semantic_search: {
    arguments: { key_hash: string; query: string; datasets: string[]; maximum: number };
    result: Admitted<SemanticSearchBody>;
  };
  record_usage: { arguments: { events: UsageEvent[] }; result: null };
}

export type ListRpc = "list_grants" | "list_contracts" | "list_funders";
export type SingleRpc = "get_grant" | "get_contract" | "get_funder";

/** An RPC's result, or why there is none. */
export type RpcOutcome<Result> = { ok: true; value: Result } | { ok: false; failure: RpcFailure };

/** Why an RPC gave no result. `code` is the SQLSTATE, or empty when the database was not reached. */
export interface RpcFailure {
  code: string;
  message: string;
  /** JSON text, for the errors that `funding.admit` raises. */
  details: string | null;
}

export interface RpcClient {
  /** Calls a function of the database. Never throws. */
  call<Name extends keyof Rpcs>(
    name: Name,
    parameters: Rpcs[Name]["arguments"],
  ): Promise<RpcOutcome<Rpcs[Name]["result"]>>;
}
