import type { RpcClient } from "../database/rpc.ts";
import type { Log } from "../log/log.ts";
import { attempt, type ClaimedDelivery } from "./attempt.ts";
import { callOrThrow } from "./call.ts";
import { Places } from "./places.ts";
import type { WebhookPlatform } from "./platform.ts";
import { deliveryMaker } from "./prepare.ts";
import { ResultWriter } from "./result-writer.ts";
import type { SecretBox } from "./secret-box.ts";

/** What a run did. */
export interface DispatchSummary {
  /** Deliveries made: of events, deadlines and recoveries. */
  made: number;
  attempts: number;
  succeeded: number;
}

export interface DispatchOptions {
  database: RpcClient;
  webhooks: WebhookPlatform;
  /** Told of endpoints that keep failing, and of results that could not be written. */
  log: Log;
  /** How long attempts are begun. Those under way then end, which takes the receivers' timeout at most. */
  budgetMs: number;
  /** Begin no more from then on. */
  signal?: AbortSignal;
  /** Look for new work until the budget ends, rather than until there is none. */
  stay?: boolean;
}

/** How soon a run looks again when there was nothing to claim, in milliseconds: while attempts are under way, and when none is. */
const idleMs = { busy: 50, still: 500 };

/**
 * Makes deliveries of what happened, and attempts those that are due, until there is nothing to do or the budget ends.
 * What is left stays for the next run, and so does what a run that is killed had begun: its claims end by themselves.
 *
 * @throws when the database fails, or no key for secrets is set.
 */
export async function dispatch(options: DispatchOptions): Promise<DispatchSummary> {
  const { database, webhooks, log, signal } = options;
  const { secrets } = webhooks;
  if (secrets === undefined) throw new Error("no key for webhook secrets is set");
  const ends = performance.now() + options.budgetMs;
  const summary: DispatchSummary = { made: 0, attempts: 0, succeeded: 0 };
  const makeDeliveries = deliveryMaker(database);
  const results = new ResultWriter(database, log);
  const places = new Places(webhooks.concurrency);

  try {
    while (performance.now() < ends && signal?.aborted !== true) {
      // Asked before the claim: what ends during it makes room for a delivery that the claim did not take.
      const isStill = places.areFree && results.isIdle;
      const made = await makeDeliveries();
      summary.made += made;
      const claimed = await claim(database, places);
      for (const delivery of claimed.deliveries) {
        places.take(delivery.is_failing, send(delivery, claimed, webhooks, secrets, results, summary));
      }
      if (made > 0 || claimed.deliveries.length > 0) continue;
      if (isStill && options.stay !== true) break;
      await places.change(isStill ? idleMs.still : idleMs.busy, signal);
    }
  } finally {
    await places.settled();
    await results.flush();
  }
  return summary;
}

interface Claim {
  signature_header: string;
  timeout_ms: number;
  deliveries: ClaimedDelivery[];
}

const nothing: Claim = { signature_header: "", timeout_ms: 0, deliveries: [] };

async function claim(database: RpcClient, { free }: Places): Promise<Claim> {
  if (free.well <= 0 && free.failing <= 0) return nothing;
  return callOrThrow(database, "claim_deliveries", { maximum: free.well, failing_maximum: free.failing });
}

async function send(
  delivery: ClaimedDelivery,
  { signature_header, timeout_ms }: Claim,
  { transport, allowLoopback }: WebhookPlatform,
  secrets: SecretBox,
  results: ResultWriter,
  summary: DispatchSummary,
): Promise<void> {
  const result = await attempt(delivery, {
    transport,
    secrets,
    signatureHeader: signature_header,
    timeoutMs: timeout_ms,
    allowLoopback,
  });
  summary.attempts += 1;
  if (result.error === undefined) summary.succeeded += 1;
  results.add(result);
}
