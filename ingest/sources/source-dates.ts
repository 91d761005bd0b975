import type { DateOrder } from "../fields/date.ts";

/** Dates in a publisher's files. */
export interface SourceDates {
  /** Order of dates in numbers that do not have the year first. */
  order: DateOrder;
  /** Columns with dates, by the publisher's names; paths within JSON. */
  columns: readonly string[];
}

/**
 * Dates of each source that has any. For publishers whose files have the year first, `mdy` is for copies that were saved
 * by an American spreadsheet.
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
  // "Jan-15-2027".
  "grants-gov-site": { order: "mdy", columns: ["POSTED DATE", "CLOSE DATE"] },
  simpler: { order: "mdy", columns: ["post_date", "close_date", "forecasted_close_date", "archive_date"] },
  // The protocol's dates are those of ISO 8601.
  "common-grants": {
    order: "mdy",
    columns: ["createdAt", "keyDates.postDate.date", "keyDates.closeDate.date", "keyDates.closeDate.endDate"],
  },
  "sam-gov": { order: "mdy", columns: ["PostedDate", "ResponseDeadLine", "ArchiveDate"] },
  usaspending: {
    order: "mdy",
    columns: [
      "action_date",
      "award_base_action_date",
      "award_latest_action_date",
      "period_of_performance_start_date",
      "period_of_performance_current_end_date",
      "period_of_performance_potential_end_date",
      "ordering_period_end_date",
    ],
  },
  // 05/08/2026.
  nsf: { order: "mdy", columns: ["date", "startDate", "expDate"] },
  "nih-reporter": { order: "mdy", columns: ["award_notice_date", "project_start_date", "project_end_date"] },
  // The standard requires ISO 8601. Publishers who do not follow it are British and write the day first.
  "360giving": { order: "dmy", columns: ["awardDate", "plannedDates.startDate", "plannedDates.endDate"] },
  "federal-organizations": { order: "mdy", columns: ["createdDate"] },
} as const satisfies Readonly<Record<string, SourceDates>>;
