import { useQuery } from "@tanstack/react-query";
import type { LatestRecord, LatestRecords } from "../../../shared/responses/account/latest-records.ts";
import { useAccountRequest } from "./context.tsx";
import { recordsRefreshMs } from "./refresh.ts";

export type { LatestRecord, LatestRecords };

/** Opportunities that came since a moment, and those that close next. Default of `since`: seven days ago. */
export function useLatestRecords(since: string | undefined) {
  const request = useAccountRequest();
  return useQuery({
    queryKey: ["latest-records", since],
    queryFn: ({ signal }) =>
      request<LatestRecords>(
        since === undefined ? "/latest-records" : `/latest-records?since=${encodeURIComponent(since)}`,
        { signal },
      ),
    refetchInterval: recordsRefreshMs,
  });
}
