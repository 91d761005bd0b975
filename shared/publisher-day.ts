/** Time zone of publishers of which nothing else is known: that of federal agencies. The database has the same (`funding.default_time_zone`). */
export const publisherTimeZone = "America/New_York";

const dayFormat = new Intl.DateTimeFormat("en-CA", {
  timeZone: publisherTimeZone,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** Day of a moment where publishers are, `YYYY-MM-DD`. Deadlines are days there: in UTC, the last evening would be the next day. */
export function publisherDay(moment: Date): string {
  return dayFormat.format(moment);
}
