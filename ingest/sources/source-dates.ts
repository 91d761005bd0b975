import type { DateOrder } from "../fields/date.ts";

/** How a publisher writes dates. */
export interface SourceDates {
  /** What comes first in dates that are written in numbers without the year first. */
  order: DateOrder;
  /** Every column that has a date, by the publisher's own name for it; a path within JSON. */
  columns: readonly string[];
}

/**
 * The dates of every source that has any. Where a publisher's files have the year first, `mdy` is for copies of them
 * that went through an American spreadsheet.
 */
export const sourceDates = {
  // MMDDYYYY, by the extract's schema.
  "grants-gov": { order: "mdy", columns: ["PostDate", "CloseDate", "EstimatedSynopsisCloseDate", "ArchiveDate"] },
  // 05/08/2026 in search2; "May 08, 2026 12:00:00 AM EDT" in fetchOpportunity.
  "grants-gov-search2": {
    order: "mdy",
    columns: [
      "openDate",
      "closeDate",
      "synopsis.postingDate",
      "synopsis.responseDate",
      "synopsis.archiveDate",
      "forecast.postingDate",
      "forecast.estApplicationResponseDate",
      "forecast.archiveDate",
    ],
  },
  "sam-gov": { order: "mdy", columns: ["PostedDate", "ResponseDeadLine", "ArchiveDate"] },
  usaspending: {
    order: "mdy",
    columns: [
      "award_base_action_date",
      "award_latest_action_date",
      "period_of_performance_current_end_date",
      "period_of_performance_potential_end_date",
      "ordering_period_end_date",
    ],
  },
  // 05/08/2026.
  nsf: { order: "mdy", columns: ["date", "expDate"] },
  // ISO 8601 by the standard. Publishers who do not keep to it are British, and write the day first.
  "360giving": { order: "dmy", columns: ["awardDate", "plannedDates.startDate", "plannedDates.endDate"] },
  "federal-organizations": { order: "mdy", columns: ["createdDate"] },
} as const satisfies Readonly<Record<string, SourceDates>>;
