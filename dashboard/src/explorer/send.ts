import { Unreachable } from "../api/errors.ts";
import { requestTimeoutMs } from "../api/timeout.ts";
import type { HttpRequest } from "../components/code-literals.ts";

/** A response of the API. */
export interface ApiAnswer {
  status: number;
  /** Time from sending to the last byte. */
  milliseconds: number;
  bytes: number;
  /** The headers worth showing that the response has. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The body: parsed JSON, or text if it is not JSON. Of a compressed file, its size in words. */
  body: unknown;
}

const shownHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "X-Request-Id",
  "Idempotent-Replayed",
  "Content-Type",
  "Server-Timing",
  "ETag",
  "Deprecation",
];

/**
 * Sends a request.
 *
 * @param token API key or access token; undefined for a request that needs none.
 * @param timeoutMs time after which a request that has not been answered to the end is given up. Default: 30 seconds.
 * @throws {Unreachable} when there is no response.
 */
export async function send(
  { method, url, headers, body }: HttpRequest,
  token: string | undefined,
  signal: AbortSignal,
  timeoutMs = requestTimeoutMs,
): Promise<ApiAnswer> {
  const started = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      // A cached response would say nothing about the API.
      cache: "no-store",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await readBody(response);
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

/** A file may be larger than what a page can show: it is not read. */
async function readBody(response: Response): Promise<string> {
  if (!/gzip|octet-stream/.test(response.headers.get("Content-Type") ?? "")) return response.text();
  await response.body?.cancel();
  return `A file of ${response.headers.get("Content-Length") ?? "unknown"} bytes, which is not read here.`;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
