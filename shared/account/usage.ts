import { readQuery } from "../validation/query.ts";
import { accountRoute } from "./route.ts";
import { usageParameters } from "./schemas/usage.ts";

/** `GET /account-api/usage`: requests, errors and response times, by day, key, endpoint and status. */
export const usageRoute = accountRoute({
  method: "GET",
  path: "/usage",
  read: (request) =>
    readQuery(new URL(request.url).search, { names: ["from", "to", "key_id"], schema: usageParameters }),
  ask: ({ database, signedIn }, { from, to, key_id }) =>
    database.call("get_account_usage", { ...signedIn, first_day: from, last_day: to, ...(key_id && { key_id }) }),
  show: (usage, { from, to, key_id = null }) => ({ body: { from, to, key_id, ...usage } }),
});
