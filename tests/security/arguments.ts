import { hashKey } from "../../shared/auth/key.ts";
import { facetNames } from "../../shared/catalogue/parameters.ts";
import { wholeFilter } from "../support/filter-examples.ts";
import type { RpcTarget } from "./target.ts";

/** An RPC of the catalogue. */
export interface Rpc {
  name: string;
  arguments: { name: string; type: string }[];
}

/** Every function in `public`, from the catalogue, so that none can be forgotten. */
export async function everyRpc({ connection }: RpcTarget): Promise<Rpc[]> {
  return connection.query<Rpc & Record<string, unknown>>(
    `select proc.proname as name, (
       select coalesce(json_agg(json_build_object('name', proc.proargnames[ordinal], 'type', format_type(type, null)) order by ordinal), '[]')
       from unnest(proc.proargtypes) with ordinality as argument(type, ordinal)) as arguments
     from pg_proc as proc
     where proc.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = proc.oid and deptype = 'e')
     order by 1`,
  );
}

/** Arguments that are right, by name, so that a wrong one among them is all that is wrong. */
export async function rightArguments(target: RpcTarget): Promise<(rpc: Rpc) => Record<string, unknown>> {
  const { connection, person, key } = target;
  const key_hash = await hashKey(key);
  const [record] = await connection.query<{ id: string }>("select id from funding.grants limit 1");
  const [api_key] = await connection.query<{ id: string }>("select id from funding.api_keys where key_hash = $1", [
    key_hash,
  ]);
  const webhook_id = crypto.randomUUID();
  const webhook = {
    id: webhook_id,
    url: "https://hooks.example.org/x",
    description: "",
    events: ["grant.created"],
    filters: {},
    deadline_days: [7],
    secret: "sealed",
  };
  const { userId: user_id, sessionId: session_id } = person;
  await target.call("create_webhook", JSON.stringify({ user_id, session_id, webhook }));
  const moment = "2026-11-20T12:00:00Z";
  const saved_search = {
    name: "Water",
    dataset: "grants",
    query: "states=OH",
    filter_query: "states=OH",
    filter: { states: ["OH"] },
  };
  await target.call("create_saved_search", JSON.stringify({ user_id, session_id, saved_search }));
  const [saved] = await connection.query<{ id: string }>("select id from funding.saved_searches limit 1");
  const saved_search_id = saved?.id ?? crypto.randomUUID();
  await connection.query("select funding.set_price('price_sold', 'developer')");
  const keyLimits = { datasets: ["grants"], daily_quota: 1000, addresses: ["203.0.113.0/24", "2001:db8::/32"] };
  const digest = { frequency: "weekly", weekday: "monday", hour: 8, time_zone: "UTC" };
  const token_hash = "4".repeat(64);
  const addressed = { user_id, session_id, saved_search_id, token_hash };
  await target.call("issue_saved_search_address", JSON.stringify(addressed));
  const search = { search: "water", search_mode: "hybrid", sort_by: "relevance", order: "desc" };
  const cursor = { sort_by: "relevance", order: "desc", key: 0.5, id: record?.id };
  const common = { ...search, limit: 5, offset: 0, count_only: false, cursor };
  const filterOf = (dataset: "grants" | "contracts") => {
    const { similar_to: _, ...filter } = wholeFilter(dataset);
    return filter;
  };
  const ofEach = { ...common, funder_id: record?.id, geography_states: ["OH"], expand: ["details"] };
  const right: Record<string, unknown> = {
    key_hash,
    user_id,
    session_id,
    id: record?.id,
    key_id: api_key?.id,
    webhook_id,
    event_id: crypto.randomUUID(),
    endpoint_id: webhook_id,
    only_endpoint: webhook_id,
    recovery_id: 1,
    events: [crypto.randomUUID()],
    code: "57014",
    message: "canceling statement due to statement timeout",
    query: "water for rural schools",
    typed: "usda rur",
    kinds: ["agency", "word"],
    similar_to: record?.id,
    explain: true,
    highlight: true,
    query_vector: { model: "lexicon", vector: null, is_second_call: false },
    if_none_match: "a tag",
    known_tag: "a tag",
    before: 1,
    saved_search_id,
    request_id: "a-request",
    member_id: crypto.randomUUID(),
    invitation_id: crypto.randomUUID(),
    offer_id: crypto.randomUUID(),
    accepted: true,
    email: "somebody@people.example",
    role: "member",
    tier: "developer",
    token_hash,
    store: "supabase",
    expand: ["details"],
    writer: crypto.randomUUID(),
    batch: 1,
    datasets: ["grants", "contracts"],
    maximum: 5,
    table_name: "daily_quota",
    failing_maximum: 5,
    name: "a key",
    display: "fo_live_abcd…wxyz",
    expires_at: "2099-01-01T00:00:00Z",
    first_day: "2026-11-01",
    last_day: "2026-11-20",
    include: ["requests_by_day", "hours"],
    overlap_hours: 1,
    overlap_seconds: 60,
    secret: "sealed",
    since: new Date(Date.now() - 60_000).toISOString(),
    until: new Date().toISOString(),
    changes: {
      url: webhook.url,
      description: "x",
      events: webhook.events,
      filters: {},
      deadline_days: [7],
      expand: ["details"],
      updated_fields: ["status"],
      state: "active",
    },
    webhook: { ...webhook, id: crypto.randomUUID() },
    filter: { state: "pending", event: "grant.created", limit: 5, page: { created_at: moment, event_id: webhook_id } },
    data: { id: record?.id },
    details: { source: "demo" },
  };
  const ofRpc: Record<string, Record<string, unknown>> = {
    list_grants: {
      parameters: {
        ...filterOf("grants"),
        ...ofEach,
        facets: facetNames("grants"),
      },
    },
    list_contracts: {
      parameters: { ...filterOf("contracts"), ...ofEach, facets: facetNames("contracts") },
    },
    list_funders: { parameters: common },
    get_organization: { at: moment },
    get_changes: { dataset: "grants" },
    list_awards: { parameters: { limit: 5, expand: ["details"] } },
    get_document: { page: 1, skipped: 0 },
    list_addresses: { dataset: "grants", part: "a" },
    read_data: { rpc: "list_grants", arguments: JSON.stringify({ key_hash, parameters: common }) },
    report_fan_out_failure: { endpoints: [webhook_id], tried: 2 },
    claim_embeddings: { providers: ["openai"], maximum: 10 },
    finish_embeddings: { model: "openai/a", claimed_until: moment, batch: [], spent: {} },
    seal_records: { most: 100, most_merged: 1000 },
    create_saved_search: { saved_search },
    list_account_requests: {
      filter: { status_class: 2, endpoint: "grants-api", limit: 5, page: { at: moment, id: "1" } },
    },
    list_audit_log: {
      filter: { kind: "key", subject: webhook_id, since: moment, limit: 5, page: { at: moment, id: "1" } },
    },
    list_memberships: { page: { at: moment, id: webhook_id } },
    update_account: { changes: { keeps_search_text: false } },
    update_member: { changes: { role: "member" } },
    update_saved_search: { changes: { ...saved_search, digest } },
    finish_digest: { due_at: moment, attempt: 1, outcome: "sent" },
    read_saved_search: { kind: "feed", known_tags: ["a tag"], known_since: moment },
    withdraw_request: { counted_on: "2026-01-01" },
    create_account_key: { key_hash: "0".repeat(64), limits: keyLimits },
    limit_account_key: { limits: keyLimits },
    create_explorer_key: { key_hash: "4".repeat(64) },
    rotate_account_key: { key_hash: "1".repeat(64) },
    send_test_event: { event: "grant.created", changes: [{ field: "status", from: "open", to: "closed" }] },
    write_once: {
      key_hash: "2".repeat(64),
      request_hash: "3".repeat(64),
      rpc: "revoke_account_key",
      arguments: { key_id: api_key?.id },
      sealed_secret: "sealed",
    },
    record_billing_event: {
      event: {
        id: "evt_x",
        created: 1_790_000_000,
        customer_id: "cus_x",
        account_id: null,
        failed_subscription_id: null,
        subscription: { id: "sub_x", status: "active", price_ids: ["price_x"], current_period_end: 1_900_000_000 },
      },
    },
    record_usage: {
      events: [{ api_key_id: api_key?.id, at: moment, endpoint: "x", status: 200, latency_bucket_ms: 10, requests: 1 }],
    },
    finish_deliveries: {
      results: [
        {
          endpoint_id: webhook_id,
          event_id: webhook_id,
          attempt: 1,
          url: webhook.url,
          started_at: moment,
          duration_ms: 1,
          status: 200,
          error: null,
          message: null,
          retry_after_seconds: 1,
          request_headers: {},
          response_headers: {},
          response_body: "",
        },
      ],
    },
  };
  return (rpc) =>
    Object.fromEntries(
      rpc.arguments.map(({ name }) => {
        const value = { ...right, ...ofRpc[rpc.name] }[name];
        if (value === undefined)
          throw new Error(`say in tests/security/arguments.ts what ${rpc.name} takes as ${name}`);
        return [name, value];
      }),
    );
}

/** Copies of the arguments, each with another of the values in them, however deep, replaced. */
export function* replacedEverywhere(value: unknown, replacement: unknown): Generator<unknown> {
  yield replacement;
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    const [first, ...rest] = value;
    if (value.length > 0) for (const inner of replacedEverywhere(first, replacement)) yield [inner, ...rest];
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    for (const inner of replacedEverywhere(member, replacement)) yield { ...value, [name]: inner };
  }
}
