import type { ClaimedDelivery, RpcClient } from "../../shared/database/rpc.ts";
import type { EmbeddingPlatform } from "../../shared/embeddings/provider.ts";
import type { Log } from "../../shared/log/log.ts";
import type { SecretBox } from "../../shared/webhooks/secret-box.ts";
import { attempt } from "./attempt.ts";
import { failureError } from "./call.ts";
import { DeliveryPermits } from "./delivery-permits.ts";
import { Digests } from "./digests.ts";
import { Embeddings } from "./embeddings.ts";
import { isServerFault } from "./endpoint-work.ts";
import { FanOut } from "./fan-out.ts";
import { type MailPlatform, withoutMail } from "./mail/platform.ts";
import { ResultWriter } from "./result-writer.ts";
import type { SegmentSizes } from "./sealing.ts";
import type { WebhookPlatform } from "./webhook-platform.ts";

/** Summary of a run. */
export interface DispatchSummary {
  /** Deliveries made of events, deadlines and recoveries. */
  made: number;
  attempts: number;
  succeeded: number;
}

export interface DispatchOptions {
  database: RpcClient;
  webhooks: WebhookPlatform;
  /** Sends digests. Default: none are sent. */
  mail?: MailPlatform;
  /** Embeds records by an external model. Default: none are embedded. */
  embedding?: EmbeddingPlatform | undefined;
  /** Gets endpoints that keep failing, and results that could not be written. */
  log: Log;
  /** How long attempts are begun; may be infinite. Those under way then end within the receivers' timeout. */
  budgetMs: number;
  /** Aborts the run: no attempt begins after it. */
  signal?: AbortSignal;
  /** Polls until the budget ends, rather than until there is no work. */
  stay?: boolean;
  /** Sizes of the segments that it makes of new records. Default: those for a database with sessions of its own. */
  segments?: SegmentSizes;
}

/** Polling interval when nothing could be claimed, in milliseconds: while attempts are under way, and when none is. */
const pollMs = { busy: 50, idle: 500 };

/**
 * One run of the dispatcher: fans out events into deliveries and attempts those that are due, until there is nothing to
 * do or the budget ends. The next run continues; the claims of a run that was killed expire by themselves.
 *
 * @throws when claiming fails, or no key for secrets is set. Deliveries that cannot be made are logged.
 */
export async function dispatch(options: DispatchOptions): Promise<DispatchSummary> {
  const { database, webhooks, log, signal } = options;
  const { secrets } = webhooks;
  if (secrets === undefined) throw new Error("no key for webhook secrets is set");
  const ends = performance.now() + options.budgetMs;
  const summary: DispatchSummary = { made: 0, attempts: 0, succeeded: 0 };
  const isOver = () => performance.now() >= ends || signal?.aborted === true;
  const fanOut = new FanOut({ database, log, isOver }, options.segments);
  const results = new ResultWriter(database, log);
  const digests = new Digests({ database, log, isOver }, options.mail ?? withoutMail);
  const embeddings = new Embeddings({ database, log, isOver }, options.embedding, signal);
  const permits = new DeliveryPermits(webhooks.concurrency);

  try {
    while (!isOver()) {
      digests.run();
      embeddings.run();
      // Before the claim: an attempt that ends during it frees a permit for a delivery that the claim did not take.
      const isIdle = permits.isIdle && results.isIdle;
      // Slow or failing fan-out must not delay the deliveries that are there.
      const found = await fanOut.runBatch();
      const claimed = await claim(database, permits);
      for (const delivery of claimed.deliveries) {
        const sending = send(delivery, claimed, webhooks, secrets, results, summary).catch((error: unknown) => {
          // Its claim expires, and it is attempted again.
          log.write("error", { function: "dispatch", event_id: delivery.event_id, error: String(error) });
        });
        permits.hold(delivery.is_failing, sending);
      }
      if (found === true || claimed.deliveries.length > 0) continue;
      if (isIdle && found !== undefined && options.stay !== true) break;
      await permits.nextRelease(isIdle ? pollMs.idle : pollMs.busy, signal);
    }
  } finally {
    await fanOut.settled();
    summary.made = fanOut.total;
    await permits.settled();
    await results.flush();
    await digests.settled();
    await embeddings.settled();
  }
  return summary;
}

interface Claim {
  signature_header: string;
  timeout_ms: number;
  deliveries: ClaimedDelivery[];
}

const nothing: Claim = { signature_header: "", timeout_ms: 0, deliveries: [] };

/** Claims deliveries for the free permits; fewer at a time where so many cannot be claimed. @throws when not even one can be. */
async function claim(database: RpcClient, { free }: DeliveryPermits): Promise<Claim> {
  let [maximum, failing_maximum] = [Math.max(0, free.healthy), Math.max(0, free.failing)];
  if (maximum + failing_maximum === 0) return nothing;
  for (;;) {
    const outcome = await database.call("claim_deliveries", { maximum, failing_maximum });
    if (outcome.ok) return outcome.value;
    if (maximum + failing_maximum <= 1 || isServerFault(outcome.failure)) {
      throw failureError("claim_deliveries", outcome.failure);
    }
    // At 1 and 1, halving leaves one of a failing endpoint, which is then not due for a while: the next claim takes another.
    [maximum, failing_maximum] = [Math.floor(maximum / 2), Math.ceil(failing_maximum / 2)];
  }
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
