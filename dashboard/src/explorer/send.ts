import { Unreachable } from "../api/errors.ts";
import { requestTimeoutMs } from "../api/timeout.ts";
import type { ApiRequest } from "./request.ts";

/** A response of the API. */
export interface ApiAnswer {
  status: number;
  /** Time from sending to the last byte. */
  milliseconds: number;
  bytes: number;
  /** The headers worth showing that the response has. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The body: parsed JSON, or text if it is not JSON. */
  body: unknown;
}

const shownHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "Retry-After",
  "X-Request-Id",
  "Server-Timing",
  "ETag",
  "Deprecation",
];

/**
 * Sends a request with a key.
 *
 * @param timeoutMs time after which a request that has not been answered to the end is given up. Default: 30 seconds.
 * @throws {Unreachable} when there is no response.
 */
export async function send(
  { method, url, body }: ApiRequest,
  key: string,
  signal: AbortSignal,
  timeoutMs = requestTimeoutMs,
): Promise<ApiAnswer> {
  const started = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A cached response would say nothing about the API.
      cache: "no-store",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await response.text();
    return {
      status: response.status,
      milliseconds: Math.round(performance.now() - started),
      bytes: new TextEncoder().encode(text).length,
      headers: shownHeaders.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      }),
      body: parseBody(text),
    };
  } catch (error) {
    throw signal.aborted ? error : new Unreachable();
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
