import type { Metrics } from "../../shared/database/rpc.ts";
import { release } from "../../shared/release.ts";
import { bucketBoundsMs } from "../../shared/usage/recorder.ts";
import type { MetricFamily, Sample } from "./prometheus.ts";

/** Converts the database's counters to metrics. docs/operate/monitor.md says what each is for. */
export function metricFamilies(metrics: Metrics): MetricFamily[] {
  const {
    requests,
    events,
    deliveries,
    attempts,
    endpoints,
    sources,
    records,
    embeddings,
    documents,
    lexicon,
    database,
  } = metrics;
  return [
    {
      name: "funding_build_info",
      help: "Version of the functions that answer; the value is 1.",
      type: "gauge",
      samples: [{ labels: { version: release }, value: 1 }],
    },
    counter(
      "funding_requests_total",
      "Requests of known keys, by endpoint and status.",
      [...groupBy(requests, ({ endpoint, status }) => `${endpoint} ${status}`)].map(([, [first, ...more]]) => ({
        labels: { endpoint: first.endpoint, status: first.status },
        value: sum([first, ...more], ({ requests }) => requests),
      })),
    ),
    {
      name: "funding_request_duration_seconds",
      help: "Response times, by endpoint.",
      type: "histogram",
      samples: [...groupBy(requests, ({ endpoint }) => endpoint)].flatMap(([endpoint, counts]) =>
        histogram(endpoint, counts),
      ),
    },
    gauge("funding_events_waiting", "Events that wait for their fan-out, counted to 10,000.", events.waiting),
    gauge("funding_events_oldest_seconds", "Age of the oldest waiting event.", events.oldest_seconds ?? 0),
    gauge(
      "funding_events_undeliverable",
      "Events whose record cannot be shown, or whose fan-out failed ten times: parked. Counted to 10,000.",
      events.undeliverable,
    ),
    gauge("funding_deliveries_due", "Webhook deliveries that are due, counted to 10,000.", deliveries.due),
    gauge(
      "funding_deliveries_oldest_seconds",
      "Time since the oldest due delivery became due.",
      deliveries.oldest_seconds ?? 0,
    ),
    counter(
      "funding_delivery_attempts_total",
      "Attempts to deliver a webhook, by outcome.",
      attempts.map(({ outcome, attempts: value }) => ({ labels: { outcome }, value })),
    ),
    gauges(
      "funding_webhook_endpoints",
      "Subscribers' endpoints, by state.",
      Object.entries(endpoints).map(([state, value]) => ({ labels: { state }, value })),
    ),
    gauge(
      "funding_digests_oldest_seconds",
      "Time since the oldest digest that is due became due.",
      metrics.digests.oldest_seconds ?? 0,
    ),
    gauges(
      "funding_digest_mails",
      "Mails of digests with a result in the last day, by their state.",
      metrics.digest_mails.map(({ state, mails: value }) => ({ labels: { state }, value })),
    ),
    gauge(
      "funding_dispatcher_idle_seconds",
      "Time since a dispatcher last looked for work.",
      metrics.dispatcher_seconds,
    ),
    gauge(
      "funding_clock_offset_seconds",
      "Time by which the database's clock is ahead of the bounded clock, by which rows are deleted and dates act.",
      metrics.clock_offset_seconds,
    ),
    gauges(
      "funding_retention_overdue_seconds",
      "Time since the oldest row of a table should have been deleted or rolled up.",
      metrics.retention.map(({ table_name: table, seconds: value }) => ({ labels: { table }, value })),
    ),
    gauges(
      "funding_source_age_seconds",
      "Age of a source's data: since its last good file was written.",
      sources.flatMap(({ source, age_seconds: value }) => (value === null ? [] : [{ labels: { source }, value }])),
    ),
    gauges(
      "funding_source_last_import_ok",
      "Whether a source's last import was completed.",
      sources.map(({ source, last_outcome }) => ({
        labels: { source },
        value: last_outcome === "completed" ? 1 : 0,
      })),
    ),
    gauges(
      "funding_records",
      "Records, as the planner estimates.",
      records.map(({ dataset, records: value }) => ({ labels: { dataset }, value })),
    ),
    gauges(
      "funding_data_age_seconds",
      "Age of a dataset's data: `data_as_of` of its answers.",
      records.flatMap(({ dataset, age_seconds: value }) => (value === null ? [] : [{ labels: { dataset }, value }])),
    ),
    gauges(
      "funding_records_without_vector",
      "Records that search by meaning cannot find yet, counted to 10,000.",
      records.map(({ dataset, without_vector: value }) => ({ labels: { dataset }, value })),
    ),
    gauge("funding_documents", "Documents of opportunities, as the planner estimates.", documents.documents),
    gauge(
      "funding_documents_with_problem",
      "Those that could not be had or read at the last look, counted to 10,000.",
      documents.problems,
    ),
    gauge(
      "funding_embeddings_waiting",
      "Texts of records that wait for a vector of the external model, counted to 10,000.",
      embeddings.waiting,
    ),
    gauge(
      "funding_embeddings_oldest_seconds",
      "Time since the oldest of them came or changed.",
      embeddings.oldest_seconds ?? 0,
    ),
    gauge(
      "funding_embeddings_refused",
      "Records whose text the model's provider refuses, counted to 10,000.",
      embeddings.refused,
    ),
    gauge(
      "funding_embedding_tokens_today",
      "Tokens of records that dispatchers sent to the external model this UTC day.",
      embeddings.tokens_today,
    ),
    gauge("funding_embedding_tokens_maximum", "Limit of these: embedding_daily_tokens.", embeddings.daily_tokens),
    counter("funding_embedding_tokens_total", "Tokens of records sent to external models.", [
      { value: embeddings.tokens },
    ]),
    counter("funding_embedding_requests_total", "Requests to external models for records' vectors.", [
      { value: embeddings.requests },
    ]),
    counter("funding_embedding_failures_total", "Failures of external models, each with a pause.", [
      { value: embeddings.failures },
    ]),
    gauges(
      "funding_lexicon_age_seconds",
      "Time since the lexicon was fitted.",
      lexicon.age_seconds === null ? [] : [{ value: lexicon.age_seconds }],
    ),
    gauge("funding_lexicon_documents", "Records that the lexicon was fitted to.", lexicon.documents),
    gauge("funding_database_connections", "Connections to the database.", database.connections),
    gauge(
      "funding_database_connections_maximum",
      "Most connections that the server accepts.",
      database.maximum_connections,
    ),
    gauge("funding_database_bytes", "Size of the database.", database.bytes),
    gauges(
      "funding_database_oldest_transaction_seconds",
      "Age of the oldest transaction that keeps vacuum from removing rows.",
      database.oldest_transaction_seconds === null ? [] : [{ value: database.oldest_transaction_seconds }],
    ),
    counter("funding_database_deadlocks_total", "Deadlocks.", [{ value: database.deadlocks }]),
    counter("funding_database_rollbacks_total", "Transactions that were rolled back.", [{ value: database.rollbacks }]),
  ];
}

function counter(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: "counter", samples };
}

function gauges(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: "gauge", samples };
}

function gauge(name: string, help: string, value: number): MetricFamily {
  return gauges(name, help, [{ value }]);
}

type Counts = Metrics["requests"][number];

/** Histogram of an endpoint in seconds. Buckets are cumulative. */
function histogram(endpoint: string, counts: readonly Counts[]): Sample[] {
  const within = (bound: number) =>
    sum(
      counts.filter(({ latency_bucket_ms }) => latency_bucket_ms <= bound),
      ({ requests }) => requests,
    );
  const total = within(Number.POSITIVE_INFINITY);
  return [
    ...bucketBoundsMs.map((bound) => ({
      suffix: "_bucket" as const,
      labels: { endpoint, le: bound / 1_000 },
      value: within(bound),
    })),
    { suffix: "_bucket", labels: { endpoint, le: "+Inf" }, value: total },
    { suffix: "_sum", labels: { endpoint }, value: sum(counts, ({ duration_ms }) => duration_ms) / 1_000 },
    { suffix: "_count", labels: { endpoint }, value: total },
  ];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function sum<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
