import type { LatestRecord, LatestRecords } from "../../../shared/responses/account/latest-records.ts";
import { useRead } from "./queries.ts";
import { recordsRefreshMs } from "./refresh.ts";

export type { LatestRecord, LatestRecords };

/** Opportunities that came since a moment, and those that close next. Default of `since`: seven days ago. */
export function useLatestRecords(since: string | undefined) {
  const path = since === undefined ? "/latest-records" : `/latest-records?since=${encodeURIComponent(since)}`;
  return useRead<LatestRecords>(["latest-records", since], path, { refetchInterval: recordsRefreshMs });
}
