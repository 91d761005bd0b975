import type { Admission } from "../database/rpc.ts";
import { sha256, toHex } from "../encoding.ts";

/** Limit that the rate-limit headers report: an admission's quota or, in the account API, the limit of a kind of write. */
export interface Allowance extends Pick<Admission, "daily_quota" | "remaining"> {
  /** When the limit resets; undefined where it is not reported. */
  resets_at?: string;
}

/**
 * Returns the rate-limit headers: the account's requests a UTC day (-1 is unlimited), how many are left and, where it is
 * reported, when the limit resets, in Unix seconds. Both counts are 0 for a caller that was not admitted.
 */
export function rateLimitHeaders(allowance: Allowance | undefined): Record<string, string> {
  const { daily_quota = 0, remaining = 0, resets_at } = allowance ?? {};
  return {
    "X-RateLimit-Limit": String(daily_quota),
    "X-RateLimit-Remaining": String(remaining),
    ...(resets_at === undefined ? {} : { "X-RateLimit-Reset": String(Date.parse(resets_at) / 1000) }),
  };
}

/**
 * Returns the seconds until the quota resets, at midnight UTC. At least 1.
 *
 * @param resetsAt that moment by the database's clock, which decides. Around midnight this clock may be in the next day already. Default: by this
 * clock.
 */
export function secondsUntilReset(resetsAt: string | undefined, now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  return secondsUntil(resetsAt === undefined ? midnight : Date.parse(resetsAt), now);
}

/** Returns the seconds until a moment, for `Retry-After`. At least 1. */
export function secondsUntil(momentMs: number, now: Date): number {
  return Math.max(1, Math.ceil((momentMs - now.getTime()) / 1000));
}

/** Link to the OpenAPI document: on the server that answered, at the same path on every stack. */
export const descriptionLink = '</functions/v1/openapi>; rel="service-desc"';

/** Keeps browsers from treating an answer as a page: no sniffing of its type, nothing loaded or framed, no referrer. */
export const safetyHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

/** HSTS for a year. Sent over TLS alone: without it, browsers ignore the header. */
export function transportSecurity(request: Request): Record<string, string> {
  return request.url.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {};
}

/** Lets a page of any origin call the API and read its answers. */
export const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Accept-Ranges, Content-Range, Deprecation, ETag, Idempotent-Replayed, Link, Retry-After, Server-Timing, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Total-Count",
  "Timing-Allow-Origin": "*",
};

/** Request headers that a page of another origin may send. `*` stands for any other (a tracer's, say), but not for Authorization. */
const allowedHeaders = [
  ...["Authorization", "X-API-Key", "Content-Type", "Accept", "X-Account-Id", "X-Request-Id", "Idempotency-Key"],
  ...["If-None-Match", "If-Modified-Since", "If-Range", "Range"],
  // What supabase-js adds.
  ...["apikey", "X-Client-Info", "X-Region", "X-Retry-Count", "X-Supabase-Api-Version"],
  // What clients of the Model Context Protocol add.
  ...["MCP-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name", "Last-Event-ID"],
  "*",
];

/** Headers of the answer to a browser's preflight. */
export function preflightHeaders(methods: readonly string[]) {
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": allowedHeaders.join(", "),
    "Access-Control-Max-Age": "86400",
  };
}

/**
 * Makes the entity tag of a response body: the start of its SHA-256. It is weak, whether or not the answer is compressed on its way: a server that
 * compresses makes a strong tag weak, but cannot do so in the answers to HEAD and in a 304, which have nothing to compress.
 */
export async function entityTag(body: string): Promise<string> {
  return weakTag(toHex((await sha256(body)).subarray(0, 12)));
}

/** Weak entity tag of a version. */
export function weakTag(version: string): string {
  return `W/"${version}"`;
}

/** Whether `If-None-Match` names the tag, by RFC 9110's weak comparison. */
export function isNotModified(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => withoutWeakness(candidate.trim()) === withoutWeakness(tag));
}

function withoutWeakness(tag: string): string {
  return tag.replace(/^W\//, "");
}

/**
 * Whether an `Accept` header asks for CSV rather than JSON: it names `text/csv`, and gives JSON less weight by name, or no
 * more by a wildcard. A client that accepts anything gets JSON.
 */
export function prefersCsv(accept: string | null): boolean {
  if (accept === null) return false;
  const weights = new Map(
    accept.split(",").map((item) => {
      const [type = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  const csv = weights.get("text/csv") ?? 0;
  const json = weights.get("application/json");
  if (json !== undefined) return csv > json;
  return csv > 0 && csv >= (weights.get("application/*") ?? weights.get("*/*") ?? 0);
}

/**
 * Reads another server's `Retry-After`: a number of seconds or a date (RFC 9110). Fractions, which some servers send, are
 * rounded up.
 *
 * @returns seconds; undefined where the header is absent, malformed or a date that has passed.
 */
export function readRetryAfter(header: string | null | undefined, now: Date): number | undefined {
  if (header === null || header === undefined) return undefined;
  if (/^\s*\d{1,9}(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header));
  const seconds = (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** Headers of an answer that the request log keeps: those that differ between two answers of one endpoint. */
export const loggedHeaders = [
  "Content-Type",
  "Content-Length",
  "ETag",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Server-Timing",
] as const;
