import type { AccountKey } from "../../../shared/responses/account/keys.ts";

const millisecondsInDay = 86_400_000;

/** Keys that expire within this time are shown as expiring. */
const soonMs = 7 * millisecondsInDay;

/** Whether an active key expires soon, and no other has replaced it. */
export function isExpiringSoon(
  { status, expires_at, replaced_by }: Pick<AccountKey, "status" | "expires_at" | "replaced_by">,
  now = Date.now(),
): boolean {
  return status === "active" && replaced_by === null && expires_at !== null && Date.parse(expires_at) - now < soonMs;
}

/** Lifetimes of a key, in days. */
export const expiryOptions = [
  ["never", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["date", "On a date…"],
] as const;

/** The moment `days` days from now, in RFC 3339. */
function momentAfter(days: number): string {
  return new Date(Date.now() + days * millisecondsInDay).toISOString();
}

/** The local date `days` days from now: 2027-01-31. */
export function dateAfter(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The last second of a local date, in RFC 3339; undefined if the date is missing or not valid. */
function endOfDay(date: string): string | undefined {
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/**
 * When a new key expires, in RFC 3339: null for never, undefined where the form asks for a date and has no valid one.
 *
 * @param expiry one of `expiryOptions`.
 * @param date the date field of the form: 2027-01-31.
 */
export function expiresAtOf(expiry: string, date: string): string | null | undefined {
  if (expiry === "never") return null;
  return expiry === "date" ? endOfDay(date) : momentAfter(Number(expiry));
}
