const millisecondsInDay = 86_400_000;

/** How long a key may live, in days. */
export const expiryOptions = [
  ["never", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["date", "On a day…"],
] as const;

/** The moment that many days from now, as the API takes it. */
export function momentAfter(days: number): string {
  return new Date(Date.now() + days * millisecondsInDay).toISOString();
}

/** The local day that many days from now: 2027-01-31. */
export function dateAfter(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The last moment of a local day, as the API takes it; null for what is no day. */
export function endOfDay(date: string): string | null {
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
