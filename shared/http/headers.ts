import type { Admission } from "../database/rpc.ts";
import { holdsSecret } from "../log/redact.ts";

/**
 * The rate-limit headers: the account's requests a UTC day (-1 is unlimited) and how many are left.
 * A caller who was not admitted has none.
 */
export function rateLimitHeaders(admission: Pick<Admission, "daily_quota" | "remaining"> | undefined) {
  return {
    "X-RateLimit-Limit": String(admission?.daily_quota ?? 0),
    "X-RateLimit-Remaining": String(admission?.remaining ?? 0),
  };
}

/** Seconds until the quota resets, at midnight UTC. At least 1. */
export function secondsUntilReset(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  return Math.max(1, Math.ceil((midnight - now.getTime()) / 1000));
}

/** Where the API's description is: on the server that answered, at the address that every stack has it at. */
export const descriptionLink = '</functions/v1/openapi>; rel="service-desc"';

/**
 * What keeps an answer from being taken for a page: no guessing of its type, nothing loaded or framed by it, and no address
 * of it told to others.
 */
export const safetyHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

/** Over TLS: ask this host over TLS alone, for a year. Without TLS a browser would not heed it. */
export function transportSecurity(request: Request): Record<string, string> {
  return request.url.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {};
}

/** What lets a page of any origin call the API and read what it answers. */
export const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Deprecation, ETag, Link, Retry-After, Server-Timing, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, X-Total-Count",
  "Timing-Allow-Origin": "*",
};

/** The answer to a browser's preflight. */
export function preflightHeaders(methods: readonly string[]) {
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match, X-Request-Id",
    "Access-Control-Max-Age": "86400",
  };
}

/** The client's own request id when it is usable, else a new one. A secret is not: the id is logged. */
export function requestId(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && /^[\w.:-]{1,128}$/.test(given) && !holdsSecret(given) ? given : crypto.randomUUID();
}
