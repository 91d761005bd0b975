import type { AccountUsage } from "../../../shared/responses/account/usage.ts";
import { formatDay, formatHour } from "../format/dates.ts";

/** Step of a chart of usage. */
export type Step = "day" | "hour";

/** Usage of one step: `at` is a day (2026-11-20), or the first moment of an hour. */
export type UsagePoint = AccountUsage["totals"] & { at: string };

export const steps: Readonly<Record<Step, { column: string; format: (at: string) => string }>> = {
  day: { column: "Day", format: formatDay },
  hour: { column: "Hour", format: formatHour },
};

export function pointsOfDays(days: AccountUsage["days"]): UsagePoint[] {
  return days.map(({ day, ...counts }) => ({ at: day, ...counts }));
}

export function pointsOfHours(hours: NonNullable<AccountUsage["hours"]>): UsagePoint[] {
  return hours.map(({ hour, ...counts }) => ({ at: hour, ...counts }));
}
