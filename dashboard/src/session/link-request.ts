import type { TextStorage } from "../storage.ts";

/** Key in the browser's storage of its last link request. */
const storageKey = "funding-dashboard-link-request";
/** Lifetime of a mailed link: Supabase Auth's default. */
const validMs = 3_600_000;

interface LinkRequest {
  value: string;
  expires_at: number;
}

/**
 * Stores that this browser asks for a link. Returns a random value for the link to carry: a link with this value signs in
 * here without a question. Nobody else's link can have it.
 */
export function rememberLinkRequest(store: TextStorage, nowMs: number): string {
  const value = crypto.randomUUID();
  store.setItem(storageKey, JSON.stringify({ value, expires_at: nowMs + validMs } satisfies LinkRequest));
  return value;
}

/** Whether a link is the one that this browser asked for last. */
export function isOwnRequest(store: TextStorage, request: string | null, nowMs: number): boolean {
  const known = readRequest(store);
  return known !== undefined && request === known.value && nowMs < known.expires_at;
}

export function forgetLinkRequest(store: TextStorage): void {
  store.removeItem(storageKey);
}

/** Reads the stored request. It is validated, since another version may have written it. */
function readRequest(store: TextStorage): LinkRequest | undefined {
  try {
    const { value, expires_at } = JSON.parse(store.getItem(storageKey) ?? "") as Partial<LinkRequest>;
    return typeof value === "string" && typeof expires_at === "number" ? { value, expires_at } : undefined;
  } catch {
    return undefined;
  }
}
