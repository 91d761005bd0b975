import type { Metrics } from "../../shared/database/rpc.ts";

/** Metrics with something in each family. */
export const sampleMetrics: Metrics = {
  requests: [
    { endpoint: "grants-api", status: 200, latency_bucket_ms: 5, requests: 3, duration_ms: 12 },
    { endpoint: "grants-api", status: 500, latency_bucket_ms: 2_147_483_647, requests: 1, duration_ms: 12_000 },
  ],
  events: { waiting: 0, oldest_seconds: null, undeliverable: 0 },
  deliveries: { due: 0, oldest_seconds: null },
  attempts: [{ outcome: "succeeded", attempts: 1 }],
  endpoints: { well: 1, failing: 0, disabled: 0, set_aside: 0 },
  digests: { oldest_seconds: null },
  digest_mails: [{ state: "sent", mails: 3 }],
  dispatcher_seconds: 1,
  clock_offset_seconds: 0,
  retention: [{ table_name: "usage", seconds: 0 }],
  sources: [{ source: "grants-gov", age_seconds: 60, last_outcome: "completed" }],
  documents: { documents: 60_000, problems: 12 },
  embeddings: {
    waiting: 0,
    oldest_seconds: null,
    refused: 0,
    tokens: 0,
    requests: 0,
    records: 0,
    failures: 0,
    tokens_today: 0,
    daily_tokens: 10_000_000,
  },
  records: [{ dataset: "grants", records: 10, age_seconds: 60, without_vector: 0 }],
  lexicon: { age_seconds: 60, documents: 10 },
  database: {
    connections: 1,
    maximum_connections: 100,
    bytes: 1e9,
    deadlocks: 0,
    rollbacks: 0,
    oldest_transaction_seconds: 0,
  },
};
