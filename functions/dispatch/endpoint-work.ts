import type { RpcClient, RpcFailure } from "../../shared/database/rpc.ts";
import { isTransientFailure } from "../../shared/endpoint/database-failures.ts";
import type { Log } from "../../shared/log/log.ts";
import { callOrThrow, failureError } from "./call.ts";

/** Result of one batch of work. */
export interface BatchResult {
  /** Events, deadlines or recoveries that were waiting. */
  found: number;
  /** Deliveries made. */
  made: number;
}

/** Events that one call fans out, or deadlines that it announces. */
export const batchSize = 500;

/** Dependencies of one batch of work. */
export interface WorkContext {
  database: RpcClient;
  log: Log;
  /** Whether the run is over: nothing more is begun. */
  isOver(): boolean;
}

/**
 * Fans out the oldest events into deliveries: for all endpoints together or, if that fails, for one after the other. Where some
 * endpoints fail, the next batch is smaller, until one event is isolated. That event waits while others go first, and is parked
 * after ten failures. Events stay until each endpoint has its deliveries, or they are parked.
 */
export async function fanOut(context: WorkContext): Promise<BatchResult> {
  const { database, log } = context;
  const together = await database.call("fan_out_events", { maximum: batchSize });
  if (together.ok) return { found: together.value.events, made: together.value.deliveries };
  if (isServerFault(together.failure)) throw failureError("fan_out_events", together.failure);
  log.write("warning", { function: "dispatch", error: failureError("fan_out_events", together.failure).message });
  return fanOutOneByOne(context);
}

async function fanOutOneByOne({ database, log, isOver }: WorkContext): Promise<BatchResult> {
  const { events, endpoints } = await callOrThrow(database, "pending_fan_out", { maximum: batchSize });
  const failed: string[] = [];
  let lastFailure: RpcFailure | undefined;
  let made = 0;
  let tried = 0;
  for (const endpoint_id of endpoints) {
    // Where two endpoints fail, the cause is probably an event: fewer are tried the next time. A single slow endpoint holds nobody up.
    if (isOver() || (failed.length >= 2 && events.length > 1)) break;
    const alone = await database.call("fan_out_to", { endpoint_id, events });
    tried += 1;
    if (alone.ok) {
      made += alone.value.deliveries;
      continue;
    }
    const error = failureError("fan_out_to", alone.failure).message;
    if (isServerFault(alone.failure)) throw new Error(error);
    log.write("warning", { function: "dispatch", error, endpoint_id, events: events.length });
    failed.push(endpoint_id);
    lastFailure = alone.failure;
  }
  if (lastFailure === undefined) {
    if (tried === endpoints.length) await callOrThrow(database, "finish_fan_out", { events });
    // The time was not enough for so many events: fewer are tried the next time. Otherwise each run would begin with the same ones.
    else if (events.length > 1) {
      await callOrThrow(database, "report_fan_out_failure", { events, endpoints: [], tried, code: "57014" });
    }
    return { found: events.length, made };
  }
  const { is_set_aside: isParked, disabled } = await callOrThrow(database, "report_fan_out_failure", {
    events,
    endpoints: failed,
    tried,
    code: lastFailure.code,
  });
  if (isParked || disabled.length > 0) {
    const state = isParked ? "parked" : "waiting";
    log.write("error", { function: "dispatch", event_id: events[0], state, disabled: disabled.join(" ") });
  }
  return { found: events.length, made };
}

/** Announces deadlines to the endpoint that is due. */
export async function announceDeadlines({ database, log }: WorkContext): Promise<BatchResult> {
  const { endpoint_id } = await callOrThrow(database, "next_deadlines", {});
  if (endpoint_id === null) return { found: 0, made: 0 };
  const outcome = await database.call("announce_deadlines", { maximum: batchSize, only_endpoint: endpoint_id });
  if (outcome.ok) return { found: 1, made: outcome.value.events };
  await reportFailure(database, log, endpoint_id, "announce_deadlines", outcome.failure);
  return { found: 1, made: 0 };
}

/** Works on the recovery that is due. */
export async function continueRecovery({ database, log }: WorkContext): Promise<BatchResult> {
  const { recovery_id, endpoint_id } = await callOrThrow(database, "next_recovery", {});
  if (recovery_id === null) return { found: 0, made: 0 };
  const outcome = await database.call("continue_recoveries", { maximum: batchSize, recovery_id });
  if (outcome.ok) return { found: outcome.value.events, made: outcome.value.deliveries };
  await reportFailure(database, log, endpoint_id, "continue_recoveries", outcome.failure);
  return { found: 1, made: 0 };
}

/**
 * Reports to the database and the log that an endpoint's deliveries could not be made.
 *
 * @returns whether the endpoint is disabled. Until then its work is tried again.
 * @throws when the failure is the server's own.
 */
async function reportFailure(
  database: RpcClient,
  log: Log,
  endpoint_id: string,
  name: string,
  failure: RpcFailure,
): Promise<boolean> {
  const error = failureError(name, failure).message;
  if (isServerFault(failure)) throw new Error(error);
  const { code, message } = failure;
  const reported = await callOrThrow(database, "report_endpoint_failure", { endpoint_id, code, message });
  const disabled_reason = reported?.disabled_reason ?? undefined;
  log.write("warning", { function: "dispatch", error, endpoint_id, state: reported?.state, disabled_reason });
  return reported === null || reported.state === "disabled";
}

/** Whether a failure is the server's and not the endpoint's: the database was not reached, or is in trouble. */
export function isServerFault({ code }: RpcFailure): boolean {
  return code !== "57014" && (code === "" || code === "20" || !/^[0-9A-Z]{5}$/.test(code) || isTransientFailure(code));
}
