import type { Account } from "../account/schemas/account.ts";
import type { AccountKey } from "../account/schemas/keys.ts";
import type { AccountUsage } from "../account/schemas/usage.ts";
import type { EmbeddedQuery, WantedEmbedding } from "../embeddings/query-embedder.ts";

import type { Facets, ListMeta, Total } from "../responses/lists.ts";
import type { RecordBody } from "../responses/records.ts";
import type { FoundOpportunity, SemanticSearchMeta } from "../responses/semantic-search.ts";
import type { Cursor } from "../validation/cursor.ts";

import type { ClaimedDelivery } from "../webhooks/attempt.ts";
import type { DeliveryPage, Webhook, WebhookDelivery, WebhookDeliveryDetails } from "../webhooks/shown.ts";

import type { Database, Json } from "./types.generated.ts";

/** What the database says of a caller it let in. Quotas are requests a UTC day; -1 is unlimited. */
export interface Admission {
  api_key_id: string;
  daily_quota: number;
  remaining: number;
  /** Where a second call follows: the UTC day that the request was counted on, null if it counts against no quota. */
  counted_on?: string | null;
}

/** What every data RPC returns. */
export interface Admitted<Body> {
  admission: Admission;
  body: Body;
}

/**
 * A page of a list. `next` is the cursor of the next page; `facets` is what was asked for; `tag` says of which data and
 * ranking it is.
 */
export interface ListPage extends Total, Omit<ListMeta, "response_time_ms"> {
  results: RecordBody[];
  next: Cursor | null;
  facets: Facets | null;
  tag: string;
}

/** In place of a page: it is still the one that the caller has, whose tag came with the call. */
export type UnchangedList = Pick<ListPage, "data_as_of">;

/**
 * What became of a request whose caller knows the list: it is admitted and the list is what it was, or the list RPC's
 * error. Null says neither, and counts nothing: the list RPC has to be asked.
 */
export type ListConfirmation = Admitted<UnchangedList> | { failure: RpcFailure } | null;

/** The body of a list RPC: a page, or without one when `count_only` was asked. */
export type ListBody = ListPage | (Total & { facets?: Facets });

export type SemanticSearchBody = Pick<SemanticSearchMeta, "search_mode" | "data_as_of"> & {
  results: FoundOpportunity[];
};

/** In place of an answer: the database needs this vector first. The caller has been admitted and counted. */
export interface WantsEmbedding {
  wanted_embedding: WantedEmbedding;
}

/** What the edge knows of a query's meaning. A null vector is one that could not be had. */
export interface QueryVector {
  /** Null where none is known of. */
  model: EmbeddedQuery["model"] | null;
  vector: string | null;
  /** This call follows one that was answered with `wanted_embedding`. */
  is_second_call: boolean;
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
  /** Of all of them together. */
  duration_ms: number;
}

/** An endpoint that keeps failing, for the operator. */
export interface EndpointWarning {
  endpoint_id: string;
  state: string;
  failures_in_a_row: number;
  disabled_reason: string | null;
}

/** How many events a step of the dispatcher looked at, and how many deliveries it made. */
interface DeliveriesMade {
  events: number;
  deliveries: number;
}

/** What became of a payment provider's event: see `funding.record_billing_event`. */
export interface BillingOutcome {
  outcome: "applied" | "duplicate" | "unknown-customer";
  account_id: string | null;
}

/** Whether the database can serve. `migration` is the latest that it has. */
export interface Readiness {
  migration: string | null;
  has_records: boolean;
  is_fitted: boolean;
}

/** What monitoring counts: see `public.get_metrics`. Times are in seconds, and null where there is nothing yet. */
export interface Metrics {
  requests: { endpoint: string; status: number; latency_bucket_ms: number; requests: number; duration_ms: number }[];
  events: { waiting: number; oldest_seconds: number | null };
  deliveries: { due: number; oldest_seconds: number | null };
  attempts: { outcome: string; attempts: number }[];
  endpoints: { well: number; failing: number; disabled: number };
  dispatcher_seconds: number;
  sources: { source: string; age_seconds: number | null; last_outcome: string | null }[];
  records: { dataset: string; records: number; without_vector: number }[];
  lexicon: { age_seconds: number | null; documents: number };
  database: { connections: number; maximum_connections: number; bytes: number; deadlocks: number; rollbacks: number };
}

/** What the JSON of each function holds; the database says no more than `json`. */
interface RpcResults {
  admit_request: Admitted<null>;
  withdraw_request: Admitted<null>;
  list_grants: Admitted<ListBody | UnchangedList | WantsEmbedding>;
  list_contracts: Admitted<ListBody | UnchangedList | WantsEmbedding>;
  list_funders: Admitted<ListBody | UnchangedList | WantsEmbedding>;
  confirm_lists: ListConfirmation[];
  get_grant: Admitted<RecordBody | null>;
  get_contract: Admitted<RecordBody | null>;
  get_funder: Admitted<RecordBody | null>;
  semantic_search: Admitted<SemanticSearchBody | WantsEmbedding>;
  record_usage: null;
  fan_out_events: DeliveriesMade;
  announce_deadlines: { endpoints: number; events: number };
  continue_recoveries: DeliveriesMade;
  prune_events: { events: number };
  claim_deliveries: { signature_header: string; timeout_ms: number; deliveries: ClaimedDelivery[] };
  finish_deliveries: { warnings: EndpointWarning[] };
  create_webhook: Webhook;
  list_webhooks: { webhooks: Webhook[] };
  get_webhook: Webhook;
  update_webhook: Webhook;
  delete_webhook: { id: string };
  rotate_webhook_secret: Webhook;
  list_webhook_deliveries: { deliveries: WebhookDelivery[]; next: DeliveryPage | null };
  get_webhook_delivery: WebhookDeliveryDetails;
  resend_webhook_delivery: WebhookDelivery;
  recover_webhook: { events: number };
  send_test_event: WebhookDelivery;
  record_billing_event: BillingOutcome;
  get_readiness: Readiness;
  get_metrics: Metrics;
  get_account: Account;
  list_account_keys: AccountKey[];
  create_account_key: AccountKey;
  rotate_account_key: AccountKey;
  revoke_account_key: AccountKey;
  get_account_usage: AccountUsage;
}

type Functions = Database["public"]["Functions"];

/** JSON arguments take whatever object the function reads; the others have the database's own types. */
type RpcArguments<Arguments> = {
  [Name in keyof Arguments]: Json extends Arguments[Name] ? object : Arguments[Name];
};

/** The database's functions: arguments, by the types generated from the migrations, and results. */
export type Rpcs = {
  [Name in keyof Functions]: { arguments: RpcArguments<Functions[Name]["Args"]>; result: RpcResults[Name] };
};

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
  /** The field that a PT400 of an account RPC is about. */
  hint: string | null;
}

export interface RpcClient {
  /** Calls a function of the database. Never throws. */
  call<Name extends keyof Rpcs>(
    name: Name,
    parameters: Rpcs[Name]["arguments"],
  ): Promise<RpcOutcome<Rpcs[Name]["result"]>>;
}
