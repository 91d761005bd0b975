import { defaultNewDays, latestRecordsParameters } from "../../shared/responses/account/latest-records.ts";
import { readQuery } from "../../shared/validation/query.ts";
import { accountRoute } from "./route.ts";

const dayMs = 86_400_000;

/** `GET /account-api/latest-records`: opportunities that are new since a moment, and those that close next. */
const latest = accountRoute({
  method: "GET",
  path: "/latest-records",
  parse: (request) => readQuery(new URL(request.url).search, { names: ["since"], schema: latestRecordsParameters }),
  query: ({ database, signedIn }, { since }) =>
    database.call("get_latest_records", {
      ...signedIn,
      since: since ?? new Date(Date.now() - defaultNewDays * dayMs).toISOString(),
    }),
  render: (body) => ({ body }),
});

export const latestRecordRoutes = [latest];
