import { toStorable } from "../../shared/validation/storable.ts";

/** POST to a receiver of webhooks. */
export interface OutgoingRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** Longest wait for the answer's status. */
  timeoutMs: number;
}

/** A receiver's answer. */
export interface ReceivedAnswer {
  status: number;
  /** Those that fit into `maximumHeadersLength`. */
  headers: Record<string, string>;
  /** The first `maximumAnswerBytes` of the body, as text. */
  body: string;
}

/** Limit of bytes read of an answer's body: enough for the webhook's owner to see what went wrong. */
export const maximumAnswerBytes = 16 * 1024;
/** Limit of characters kept of an answer's headers, names and values together: that of Node. `fetch` has no limit of its own. */
export const maximumHeadersLength = 16 * 1024;
/**
 * Limit of characters kept of the headers, and of the body, of an answer to a delivery that succeeded: there are thousands of these for each that
 * failed, and they are stored for a month.
 */
export const maximumSuccessLength = 1024;
/** Longest wait for the body after the status. The body does not decide whether the delivery succeeded. */
export const maximumBodyWaitMs = 2_000;

/** Reason that there was no answer. `address`: the name resolves to an address that nothing may be sent to. */
export type TransportFault = "timeout" | "connection" | "address";

export class TransportError extends Error {
  constructor(
    readonly fault: TransportFault,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Sends requests, as a platform can: how far it checks the addresses behind a name depends on the platform. Never follows
 * redirects, and never sends a request twice: an attempt is one request.
 */
export interface Transport {
  /** @throws {TransportError} when there was no answer. */
  send(request: OutgoingRequest): Promise<ReceivedAnswer>;
}

/** Reads an answer's headers to text that Postgres can store. One that does not fit into `maximum` characters with those before it is left out. */
export function readAnswerHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
  maximum: number = maximumHeadersLength,
): Record<string, string> {
  const kept: [string, string][] = [];
  let length = 0;
  for (const [name, value] of headers) {
    if (length + name.length + value.length > maximum) continue;
    length += name.length + value.length;
    kept.push([name, toStorable(value)]);
  }
  return Object.fromEntries(kept);
}

/** The part of a success's answer that is stored. */
export function shortenSuccess(answer: ReceivedAnswer): ReceivedAnswer {
  return {
    ...answer,
    headers: readAnswerHeaders(Object.entries(answer.headers), maximumSuccessLength),
    // The cut may have left half a character.
    body: toStorable(answer.body.slice(0, maximumSuccessLength)),
  };
}

/** Decodes an answer's bytes, up to `maximumAnswerBytes`, to text that Postgres can store. */
export function decodeAnswer(parts: readonly Uint8Array[]): string {
  const bytes = new Uint8Array(
    Math.min(
      maximumAnswerBytes,
      parts.reduce((length, part) => length + part.length, 0),
    ),
  );
  let filled = 0;
  for (const part of parts) {
    const rest = part.subarray(0, bytes.length - filled);
    bytes.set(rest, filled);
    filled += rest.length;
  }
  return toStorable(new TextDecoder().decode(bytes));
}
