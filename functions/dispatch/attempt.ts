import type { ClaimedDelivery } from "../../shared/database/rpc.ts";
import { readRetryAfter } from "../../shared/http/headers.ts";
import { toStorable } from "../../shared/validation/storable.ts";
import { urlFault } from "../../shared/webhooks/endpoint-url.ts";
import { payloadText } from "../../shared/webhooks/events.ts";
import type { SecretBox } from "../../shared/webhooks/secret-box.ts";
import { signatureHeaders } from "./signature.ts";
import { type ReceivedAnswer, shortenSuccess, type Transport, TransportError } from "./transport.ts";

/** Result of an attempt, as `finish_deliveries` takes it. */
export interface AttemptResult {
  endpoint_id: string;
  event_id: string;
  attempt: number;
  url: string;
  started_at: string;
  duration_ms: number;
  status?: number;
  error?: "timeout" | "connection" | "address" | "redirect" | "status" | "secret";
  message?: string;
  retry_after_seconds?: number;
  request_headers?: Record<string, string>;
  response_headers?: Record<string, string>;
  response_body?: string;
}

export interface AttemptOptions {
  transport: Transport;
  secrets: SecretBox;
  signatureHeader: string;
  timeoutMs: number;
  /** See `urlFault`. */
  allowLoopback: boolean;
}

/** Makes one attempt at a delivery. Never throws: failures are in the result. */
export async function attempt(delivery: ClaimedDelivery, options: AttemptOptions): Promise<AttemptResult> {
  const started = new Date();
  const clock = performance.now();
  const outcome = await send(delivery, options, started);
  return {
    endpoint_id: delivery.endpoint_id,
    event_id: delivery.event_id,
    attempt: delivery.attempt,
    url: delivery.url,
    started_at: started.toISOString(),
    duration_ms: Math.round(performance.now() - clock),
    ...outcome,
  };
}

type SendOutcome = Omit<AttemptResult, "endpoint_id" | "event_id" | "attempt" | "url" | "started_at" | "duration_ms">;

async function send(delivery: ClaimedDelivery, options: AttemptOptions, at: Date): Promise<SendOutcome> {
  const fault = urlFault(delivery.url, options.allowLoopback);
  if (fault !== undefined) return { error: "address", message: `The URL ${fault}.` };
  const body = payloadText({ ...delivery, id: delivery.event_id });
  let headers: Record<string, string>;
  try {
    headers = {
      "Content-Type": "application/json; charset=utf-8",
      "User-Agent": "Funding-Opportunities-Webhooks/1",
      ...(await signed(delivery, body, options, at)),
    };
  } catch (error) {
    return { error: "secret", message: `The webhook's secret cannot be read: ${(error as Error).message}.` };
  }

  try {
    const answer = await options.transport.send({
      url: new URL(delivery.url),
      headers,
      body,
      timeoutMs: options.timeoutMs,
    });
    const wait = readRetryAfter(answer.headers["retry-after"], at);
    const failure = statusError(answer);
    const stored = failure.error === undefined ? shortenSuccess(answer) : answer;
    return {
      ...failure,
      status: answer.status,
      request_headers: headers,
      response_headers: stored.headers,
      response_body: stored.body,
      ...(wait === undefined ? {} : { retry_after_seconds: wait }),
    };
  } catch (error) {
    const [name, message] =
      error instanceof TransportError ? [error.fault, error.message] : (["connection", String(error)] as const);
    return { error: name, message: toStorable(message), request_headers: headers };
  }
}

async function signed(delivery: ClaimedDelivery, body: string, { secrets, signatureHeader }: AttemptOptions, at: Date) {
  const open = (sealed: string) => secrets.open(sealed, delivery.endpoint_id);
  const message = { id: delivery.event_id, timestamp: Math.floor(at.getTime() / 1000), body };
  const [current, former] = await Promise.all([
    open(delivery.secret),
    Promise.allSettled(delivery.previous_secrets.map(open)),
  ]);
  // A former secret that no key opens any more must not keep the present one from signing.
  const previous = former.flatMap((opened) => (opened.status === "fulfilled" ? [opened.value] : []));
  return signatureHeaders(message, [current, ...previous], signatureHeader);
}

function statusError({ status, headers }: ReceivedAnswer): Pick<AttemptResult, "error" | "message"> {
  if (status >= 200 && status <= 299) return {};
  // 304 says that a copy is current, and leads nowhere. Nor do others without an address.
  if (status >= 300 && status <= 399 && status !== 304 && headers.location !== undefined) {
    return { error: "redirect", message: `The receiver answered ${status}. Redirects are not followed.` };
  }
  return { error: "status", message: `The receiver answered ${status}.` };
}
