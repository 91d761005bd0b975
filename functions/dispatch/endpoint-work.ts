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

/** Arguments of the work below. */
export interface WorkContext {
  database: RpcClient;
  log: Log;
  /** Whether the run is over: nothing more is begun. */
  isOver(): boolean;
}

/**
 * Fans out the oldest events into deliveries: for all endpoints together or, if that fails, for one after the other. An
 * endpoint that fails alone is reported. Where all fail, half of the events are tried, until one is alone: that is reported, and
 * others go before it. The events stay until each endpoint has its deliveries or is set aside.
 */
export async function fanOut(context: WorkContext): Promise<BatchResult> {
  const { database, log, isOver } = context;
  for (let maximum = batchSize; ; maximum = Math.ceil(maximum / 2)) {
    const together = await database.call("fan_out_events", { maximum });
    if (together.ok) return { found: together.value.events, made: together.value.deliveries };
    if (isServerFault(together.failure)) throw failureError("fan_out_events", together.failure);
    log.write("warning", { function: "dispatch", error: failureError("fan_out_events", together.failure).message });
    const outcome = await fanOutOneByOne(context, maximum);
    if (!("failure" in outcome)) return outcome;
    const [event, ...others] = outcome.events;
    if (event === undefined || isOver()) throw outcome.failure.error;
    if (others.length > 0) continue;
    const { code, message } = outcome.failure;
    const reported = await callOrThrow(database, "report_event_failure", { event_id: event, code, message });
    const state = reported?.is_set_aside === true ? "set aside" : "waiting";
    log.write("warning", { function: "dispatch", error: outcome.failure.error.message, event_id: event, state });
    return { found: 1, made: 0 };
  }
}

/** Events whose fan-out failed for every endpoint, and how. */
interface FailedEvents {
  events: string[];
  failure: RpcFailure & { error: Error };
}

async function fanOutOneByOne(
  { database, log, isOver }: WorkContext,
  maximum: number,
): Promise<BatchResult | FailedEvents> {
  const { events, endpoints } = await callOrThrow(database, "pending_fan_out", { maximum });
  const failures: { endpoint_id: string; failure: RpcFailure }[] = [];
  let made = 0;
  let tried = 0;
  for (const endpoint_id of endpoints) {
    if (isOver()) break;
    tried += 1;
    const alone = await database.call("fan_out_to", { endpoint_id, events });
    if (alone.ok) made += alone.value.deliveries;
    else failures.push({ endpoint_id, failure: alone.failure });
  }
  const [first] = failures;
  // A failure for every endpoint is not the fault of any.
  if (first !== undefined && failures.length === tried && endpoints.length > 1) {
    const error = failureError("fan_out_to", first.failure);
    if (isServerFault(first.failure)) throw error;
    return { events, failure: { ...first.failure, error } };
  }
  let isComplete = tried === endpoints.length;
  for (const { endpoint_id, failure } of failures) {
    isComplete = (await reportFailure(database, log, endpoint_id, "fan_out_to", failure)) && isComplete;
  }
  if (isComplete) await callOrThrow(database, "finish_fan_out", { events });
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
 * @returns whether the endpoint is set aside. Until then its work is tried again.
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
