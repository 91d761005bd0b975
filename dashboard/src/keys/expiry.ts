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
export function momentAfter(days: number): string {
  return new Date(Date.now() + days * millisecondsInDay).toISOString();
}

/** The local date `days` days from now: 2027-01-31. */
export function dateAfter(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The last second of a local date, in RFC 3339; null if the date is not valid. */
export function endOfDay(date: string): string | null {
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
