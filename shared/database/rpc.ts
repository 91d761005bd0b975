import type { Dataset } from "../datasets.ts";
import type { WantedEmbedding } from "../embeddings/provider.ts";
import type { Marks } from "../highlight/highlight.ts";
import type { Account } from "../responses/account/account.ts";
import type { AuditEntry } from "../responses/account/audit-log.ts";
import type { OfferedCustomer, Tier } from "../responses/account/billing.ts";
import type { AccountKey, ExplorerKey } from "../responses/account/keys.ts";
import type { LatestRecords } from "../responses/account/latest-records.ts";
import type { LogPage } from "../responses/account/log-page.ts";
import type { Invitation, Member, Membership, Memberships } from "../responses/account/members.ts";
import type { LoggedRequest } from "../responses/account/requests.ts";
import type { SavedSearch } from "../responses/account/saved-searches.ts";
import type { StoredUsage } from "../responses/account/usage.ts";
import type {
  DeliveryPage,
  StoredDelivery,
  Webhook,
  WebhookDeliveryDetails,
  WebhookPreview,
} from "../responses/account/webhooks.ts";
import type { Award } from "../responses/awards.ts";
import type { FieldChange, RecordChanges } from "../responses/changes.ts";
import type { DocumentAnswer } from "../responses/documents.ts";
import type { Understood } from "../responses/explanation.ts";
import type { FunderStatistics } from "../responses/funder-statistics.ts";
import type { ArchivedRecord, Facets, ListMeta, Total } from "../responses/lists.ts";
import type { RecordBody } from "../responses/records.ts";
import type { FoundOpportunity, SemanticSearchMeta } from "../responses/semantic-search.ts";
import type { Snapshot } from "../responses/snapshots.ts";
import type { Suggestion } from "../responses/suggestions.ts";
import type { Cursor } from "../validation/list.ts";
import type { EventName } from "../webhooks/events.ts";
import type { Database, Json } from "./types.generated.ts";

/** Admission of a caller. Quotas are requests a UTC day; -1 is unlimited. */
export interface Admission {
  api_key_id: string;
  daily_quota: number;
  remaining: number;
  /** Set where a second call may follow: the UTC day that the request was counted on, null if it counts against no quota. */
  counted_on?: string | null;
  /** Whether a replica answered that is further behind than the setting `replica_lag_seconds`. */
  is_behind?: boolean;
}

/** Result of every data RPC. */
export interface Admitted<Body> {
  admission: Admission;
  body: Body;
}

/** Page of a list. `next` is the cursor of the next page; `tag` is the version of its data and ranking. */
export interface ListPage extends Total, Omit<ListMeta, "response_time_ms" | "last_updated_at" | "understood"> {
  results: RecordBody[];
  /** Null where archived records were not asked for by their ids, or come as records. */
  archived: ArchivedRecord[] | null;
  /** With `ids` alone: those that no record has. */
  missing?: string[];
  /** Null in every list but the feed of changes, and where that has no more. */
  last_updated_at: string | null;
  next: Cursor | null;
  facets: Facets | null;
  /** Null unless asked for by `explain`. */
  understood: Understood | null;
  /** Null unless asked for by `highlight`. */
  marks: Marks[] | null;
  tag: string;
}

/** In place of a page: the cached page, whose tag came with the call, is unchanged. */
export type UnchangedList = Pick<ListPage, "data_as_of">;

/** Body of a list RPC: a page, or a total alone for `count_only`. */
export type ListBody = ListPage | (Total & { facets?: Facets });

/** Changes of a record. `next` is the `before` of the next page. */
export type ChangesBody = Pick<RecordChanges, "results"> & { next: number | null };

/** Awards of an opportunity. `next` is the cursor of the next page. */
export type AwardsBody = Total & Pick<ListMeta, "data_as_of"> & { results: Award[]; next: Cursor | null };

/** A document, and passages of it. `total` counts those that were not skipped or cut off, too. */
export type DocumentBody = Pick<DocumentAnswer, "document" | "passages"> & Total;

/** Records of a part of a sitemap, or the parts that there are. */
export interface AddressesBody {
  parts?: string[];
  records?: { id: string; name: string; updated_on: string }[];
}

export type SemanticSearchBody = Pick<SemanticSearchMeta, "search_mode" | "data_as_of"> & {
  /** Null unless asked for by `explain`. */
  understood: Understood | null;
  /** Null unless asked for by `highlight`. */
  marks: Marks[] | null;
  results: FoundOpportunity[];
};

/** Published snapshots, newest first, and where each is; none where the caller's tier does not include them. */
export interface SnapshotsBody {
  is_included: boolean;
  snapshots: { location: string; manifest: Snapshot }[];
}

/** In place of an answer: the database needs this embedding first. The caller has been admitted and counted. */
export interface WantsEmbedding {
  wanted_embedding: WantedEmbedding;
}

/** Counter of finished requests. `at` is RFC 3339; the bucket is in milliseconds. */
export interface UsageEvent {
  api_key_id?: string;
  /** In place of `api_key_id`, where the request failed before the database could identify the key. */
  key_hash?: string;
  at: string;
  endpoint: string;
  status: number;
  latency_bucket_ms: number;
  requests: number;
  /** Sum over these requests. */
  duration_ms: number;
  /** Requests for the request log, one by one. Not all of them in a flood. */
  lines?: RequestLine[];
}

/** A request in the request log. `at` is RFC 3339. */
export interface RequestLine {
  request_id: string;
  at: string;
  method: string;
  duration_ms: number;
  /** Name and sentence of the problem, where it was one. */
  problem?: string;
  detail?: string;
  /** The first of the wrong fields. */
  errors?: { parameter: string; message: string }[];
  /** Headers of the answer by name, those of `loggedHeaders`. */
  head: Record<string, string>;
  /** Values by name, without those of `searches`. */
  parameters: Record<string, string>;
  /** Texts that were searched for, by name. The database keeps them only if the account wants that. */
  searches?: Record<string, string>;
}

/** Record whose text a model's provider is to embed. */
export interface RecordToEmbed {
  dataset: string;
  id: string;
  /** 0 for the record's own text, else the number of a passage of it. */
  passage: number;
  body: string;
  text_hash: string;
}

/** Records that a dispatcher has claimed, with the tokens and requests that are reserved for them. */
export type ClaimedEmbeddings =
  | { model: string | null; records: [] }
  | {
      model: string;
      claimed_until: string;
      tokens: number;
      requests: number;
      records: [RecordToEmbed, ...RecordToEmbed[]];
    };

/** A delivery that was claimed for one attempt. */
export interface ClaimedDelivery {
  endpoint_id: string;
  event_id: string;
  attempt: number;
  url: string;
  /** Sealed, as `previous_secrets` are. */
  secret: string;
  /** Earlier secrets whose overlap has not ended, the latest first. */
  previous_secrets: readonly string[];
  event: EventName;
  created_at: string;
  data: Record<string, unknown>;
  /** Changed fields; null unless the event is an update. */
  changes: FieldChange[] | null;
  /** Whether the endpoint's last attempt failed. */
  is_failing: boolean;
}

/** Writes of one kind that the account may make on this UTC day; -1 is without a limit. */
export interface WriteLimit {
  limit: number;
  remaining: number;
  /** When the limit resets; null without a limit. */
  resets_at: string | null;
}

/** Result of a write's RPC: the body, and the limit that it counted against. */
export type Counted<Body> = Body & { write_limit: WriteLimit };

/** State of an endpoint after a failure to make its deliveries. */
export interface EndpointFailure {
  endpoint_id: string;
  state: string;
  disabled_reason: string | null;
}

/** An endpoint that keeps failing, for the operator. */
export interface EndpointWarning {
  endpoint_id: string;
  state: string;
  failures_in_a_row: number;
  disabled_reason: string | null;
}

/** Events that a step of the dispatcher processed, and deliveries that it made. */
interface DeliveriesMade {
  events: number;
  deliveries: number;
}

/** Record in the feed or the calendar of a saved search. Moments are RFC 3339. */
export interface SavedSearchEntry {
  id: string;
  title: string;
  /** Its first thousand characters. */
  description: string | null;
  url: string | null;
  funder_name: string | null;
  deadline_date: string | null;
  /** The deadline's moment, where the source gives it. */
  deadline_at: string | null;
  created_at: string;
  updated_at: string;
}

/** Feed or calendar of a saved search: see `public.read_saved_search`. */
export interface SavedSearchRead {
  search: Pick<SavedSearch, "id" | "name" | "dataset">;
  /** Null where the caller has them. */
  entries: SavedSearchEntry[] | null;
  tag: string;
  last_modified: string;
  read_limit: { limit: number; remaining: number };
}

/** Record in a digest. Moments are RFC 3339. */
export interface DigestRecord {
  title: string;
  url: string | null;
  funder_name: string | null;
  /** Organizations that publish it, each within the one before. */
  agency: string[];
  deadline_date: string | null;
  amount_min: number | null;
  amount_max: number | null;
}

/** A digest that was claimed for one attempt to send it: see `public.claim_digest`. */
export interface ClaimedDigest {
  due_at: string;
  attempt: number;
  recipient: string;
  search: Pick<SavedSearch, "id" | "name" | "dataset" | "query">;
  frequency: "daily" | "weekly";
  weekday: string | null;
  hour: number;
  time_zone: string;
  /** New records in all; `records` has the latest of them. */
  count: number;
  is_capped: boolean;
  records: DigestRecord[];
}

/** Outcome of a payment provider's event: see `public.record_billing_event`. */
export interface BillingOutcome {
  outcome: "applied" | "duplicate" | "unknown-customer" | "undecided";
  /** The account that the customer pays for, or would, which may be another than the event names. */
  account_id: string | null;
}

/** Facts that Stripe is told of a checkout: see `public.prepare_checkout`. */
export interface CheckoutFacts {
  account_id: string;
  email: string;
  customer_id: string | null;
  price_id: string;
  /** Unix seconds. */
  expires_at: number;
}

/** Facts that decide whether the database can serve. `migration` is the latest that was applied. */
export interface Readiness {
  migration: string | null;
  has_records: boolean;
  is_fitted: boolean;
  /** As in the metrics. */
  clock_offset_seconds: number;
  /** Freshness by dataset. */
  data_as_of: Readonly<Record<Dataset, string>>;
}

/** An object of the schema that is not as its migrations made it: see `funding.schema_faults`. */
export interface SchemaFault {
  kind: "function" | "table" | "type" | "sequence" | "index" | "constraint" | "trigger";
  /** With its schema; of a function, with its arguments' types. */
  name: string;
  is_missing: boolean;
}

/** Counters for monitoring: see `public.get_metrics`. Times are in seconds, and null where there is nothing yet. */
export interface Metrics {
  requests: { endpoint: string; status: number; latency_bucket_ms: number; requests: number; duration_ms: number }[];
  events: { waiting: number; oldest_seconds: number | null; undeliverable: number };
  deliveries: { due: number; oldest_seconds: number | null };
  attempts: { outcome: string; attempts: number }[];
  endpoints: { well: number; failing: number; disabled: number; set_aside: number };
  /** Time since the oldest due digest became due, and mails of digests by the last result that they had in the last day. */
  digests: { oldest_seconds: number | null };
  digest_mails: { state: string; mails: number }[];
  dispatcher_seconds: number;
  /** Time by which the machine's clock is ahead of the bounded clock; negative where it is behind. */
  clock_offset_seconds: number;
  retention: { table_name: string; seconds: number }[];
  sources: { source: string; age_seconds: number | null; last_outcome: string | null }[];
  records: { dataset: string; records: number; age_seconds: number | null; without_vector: number }[];
  /** Queue of records for an external model, and what it has cost. `tokens_today` are those of the dispatcher alone. */
  /** Documents of opportunities, and those that could not be had or read. */
  documents: { documents: number; problems: number };
  embeddings: {
    waiting: number;
    oldest_seconds: number | null;
    refused: number;
    tokens: number;
    requests: number;
    records: number;
    failures: number;
    tokens_today: number;
    daily_tokens: number;
  };
  lexicon: { age_seconds: number | null; documents: number };
  database: {
    connections: number;
    maximum_connections: number;
    bytes: number;
    deadlocks: number;
    rollbacks: number;
    /** Null where it cannot be seen. */
    oldest_transaction_seconds: number | null;
  };
}

/** Work of a call of `seal_records`: how much of each kind (`upkeep.sql`), and the errors. The kinds differ by the version of the database. */
export type UpkeepDone = { failures: string[] } & Record<
  "sealed" | "merged" | "linked" | "renewed" | "cleaned" | "suggested" | "counted",
  number
>;

/** Results of the functions. Their generated type is only `json`. */
interface RpcResults {
  admit_request: Admitted<null>;
  identify_key: Admitted<null>;
  withdraw_request: Admitted<null>;
  read_data: Admitted<unknown>;
  list_grants: Admitted<ListBody | UnchangedList | WantsEmbedding>;
  list_contracts: Admitted<ListBody | UnchangedList | WantsEmbedding>;
  list_funders: Admitted<ListBody | UnchangedList | WantsEmbedding>;
  get_grant: Admitted<RecordBody | null>;
  get_contract: Admitted<RecordBody | null>;
  get_funder: Admitted<RecordBody | null>;
  get_organization: Admitted<RecordBody | null>;
  get_changes: Admitted<ChangesBody | null>;
  list_awards: Admitted<AwardsBody | null>;
  get_document: Admitted<DocumentBody | null>;
  list_addresses: Admitted<AddressesBody>;
  get_funder_statistics: Admitted<FunderStatistics | null>;
  list_snapshots: Admitted<SnapshotsBody>;
  semantic_search: Admitted<SemanticSearchBody | WantsEmbedding>;
  suggest: Admitted<{ results: Suggestion[] }>;
  record_usage: null;
  fan_out_events: DeliveriesMade;
  pending_fan_out: { events: string[]; endpoints: string[] };
  fan_out_to: { deliveries: number };
  finish_fan_out: { events: number };
  report_endpoint_failure: EndpointFailure | null;
  next_deadlines: { endpoint_id: string | null };
  next_recovery: { recovery_id: number; endpoint_id: string } | { recovery_id: null; endpoint_id: null };
  announce_deadlines: { endpoints: number; events: number };
  continue_recoveries: DeliveriesMade;
  apply_due_dates: { records: number; has_more: boolean; clock_offset_seconds: number };
  list_overdue_tables: string[];
  prune_table: { rows: number };
  seal_records: UpkeepDone;
  claim_embeddings: ClaimedEmbeddings;
  finish_embeddings: { stored: number };
  /** `is_set_aside`: the event is parked. */
  report_fan_out_failure: { is_set_aside: boolean; disabled: string[] };
  claim_deliveries: { signature_header: string; timeout_ms: number; deliveries: ClaimedDelivery[] };
  finish_deliveries: { warnings: EndpointWarning[] };
  create_webhook: Counted<Webhook>;
  preview_webhook: WebhookPreview;
  list_webhooks: { webhooks: Webhook[] };
  get_webhook: Webhook;
  update_webhook: Counted<Webhook>;
  /** Not deleted: a part of its deliveries is, and the next call goes on. */
  delete_webhook: Counted<{ id: string; is_deleted: true }> | { id: string; is_deleted: false };
  rotate_webhook_secret: Counted<Webhook>;
  list_webhook_deliveries: { deliveries: StoredDelivery[]; next: DeliveryPage | null };
  get_webhook_delivery: Omit<WebhookDeliveryDetails, "is_test">;
  resend_webhook_delivery: Counted<StoredDelivery>;
  recover_webhook: Counted<{ events: number }>;
  send_test_event: Counted<StoredDelivery>;
  list_saved_searches: { saved_searches: SavedSearch[] };
  get_saved_search: SavedSearch;
  create_saved_search: Counted<SavedSearch>;
  update_saved_search: Counted<SavedSearch>;
  delete_saved_search: Counted<{ id: string }>;
  mark_saved_search_seen: Counted<SavedSearch>;
  issue_saved_search_address: Counted<SavedSearch>;
  revoke_saved_search_address: Counted<SavedSearch>;
  read_saved_search: SavedSearchRead;
  unsubscribe_digest: { name: string };
  next_digest: { saved_search_id: string | null; is_left_out: boolean };
  claim_digest:
    | ({ outcome: "claimed" } & ClaimedDigest)
    | { outcome: "empty" | "unreachable" | "failed" | "none"; message: string | null };
  finish_digest: { state: string | null };
  record_billing_event: BillingOutcome;
  get_readiness: Readiness;
  get_schema_faults: SchemaFault[];
  get_metrics: Metrics;
  get_account: Account;
  list_account_keys: AccountKey[];
  create_account_key: Counted<AccountKey>;
  limit_account_key: Counted<AccountKey>;
  create_explorer_key: Counted<ExplorerKey>;
  rotate_account_key: Counted<AccountKey>;
  revoke_account_key: Counted<AccountKey>;
  get_account_usage: StoredUsage;
  update_account: Counted<Account>;
  list_account_requests: { requests: LoggedRequest[]; next: LogPage | null };
  get_account_request: LoggedRequest;
  get_latest_records: LatestRecords;
  list_audit_log: { entries: AuditEntry[]; next: LogPage | null };
  list_memberships: Omit<Memberships, "next"> & { next: LogPage | null };
  list_members: { members: Member[] };
  update_member: Counted<Member>;
  remove_member: Counted<{ id: string }>;
  list_invitations: { invitations: Invitation[] };
  create_invitation: Counted<Invitation>;
  withdraw_invitation: Counted<{ id: string }>;
  accept_invitation: Counted<Membership>;
  decline_invitation: Counted<{ id: string }>;
  decline_invitations: Counted<{ declined: number }>;
  list_offered_customers: { offers: OfferedCustomer[] };
  decide_offered_customer: Counted<{ id: string; accepted: boolean }>;
  list_tiers: {
    tiers: (Omit<Tier, "is_for_sale"> & { has_price: boolean })[];
    has_subscription: boolean;
    has_customer: boolean;
  };
  prepare_checkout: Counted<CheckoutFacts>;
  prepare_portal: Counted<{ customer_id: string }>;
  write_once: { response: object; is_repetition: boolean; sealed_secret: string | null };
}

type Functions = Database["public"]["Functions"];

/** Arguments of a function: JSON arguments take any object, the others have the types of the database. */
type RpcArguments<Arguments> = {
  [Name in keyof Arguments]: Json extends Arguments[Name] ? object : Arguments[Name];
};

/** The database's functions: arguments, as generated from the migrations, and results. */
export type Rpcs = {
  [Name in keyof Functions]: { arguments: RpcArguments<Functions[Name]["Args"]>; result: RpcResults[Name] };
};

export type ListRpc = "list_grants" | "list_contracts" | "list_funders";

/** Body of a search RPC that did not ask for an embedding. */
export type SearchBody<Name extends ListRpc | "semantic_search"> = Exclude<
  Rpcs[Name]["result"]["body"],
  WantsEmbedding
>;

/** An RPC's result, or its failure. */
export type RpcOutcome<Result> = { ok: true; value: Result } | { ok: false; failure: RpcFailure };

/** Failure of an RPC. `code` is the SQLSTATE, or empty where the database was not reached. */
export interface RpcFailure {
  code: string;
  message: string;
  /** JSON text, for the errors that `funding.admit` raises. */
  details: string | null;
  /** The field or parameter that a PT400 is about. */
  hint: string | null;
}

export interface RpcClient {
  /**
   * Calls a function of the database. Never throws.
   *
   * @param clientAddress of the request that is answered, for keys that are limited to addresses: without it they are refused.
   * @param accountId account that the request of a signed-in user names. Without it, it is the user's own.
   */
  call<Name extends keyof Rpcs>(
    name: Name,
    parameters: Rpcs[Name]["arguments"],
    clientAddress?: string,
    accountId?: string,
  ): Promise<RpcOutcome<Rpcs[Name]["result"]>>;
}

/** Code of a call that was ended at its time limit: that of an AbortError. */
export const timeoutCode = "20";

/** Header of a call with the address of the request's client, which `funding.client_address` reads. */
export const clientAddressHeader = "x-client-address";

/** Header of a call with the account that the request names, which `funding.chosen_account` reads. */
export const accountIdHeader = "x-account-id";
