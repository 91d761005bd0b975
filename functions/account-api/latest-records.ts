import { defaultNewDays, latestRecordsParameters } from "../../shared/responses/account/latest-records.ts";
import { inQuery, route } from "./route.ts";

const dayMs = 86_400_000;

export const latestRecordRoutes = [
  /** Opportunities that are new since a moment, and those that close next. */
  route("GET /account-api/latest-records", inQuery(latestRecordsParameters), ({ call }, { since }) =>
    call("get_latest_records", { since: since ?? new Date(Date.now() - defaultNewDays * dayMs).toISOString() }),
  ),
];
