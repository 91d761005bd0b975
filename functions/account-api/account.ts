import { accountChanges } from "../../shared/responses/account/account.ts";
import { usageParameters } from "../../shared/responses/account/usage.ts";
import { readQuery } from "../../shared/validation/query.ts";
import { inBody, nothing, route } from "./route.ts";

export const overviewRoutes = [
  /** The account, its tier and subscription, and the rest of today's quota. */
  route("GET /account-api", nothing, ({ call }) => call("get_account", {})),
  /** Changes the account's own settings. */
  route("PATCH /account-api", inBody(accountChanges), ({ call }, changes) => call("update_account", { changes })),
  /** Requests, errors and response times, by day or hour, key, endpoint and status. */
  route(
    "GET /account-api/usage",
    (request) =>
      readQuery(new URL(request.url).search, { names: ["from", "to", "key_id", "include"], schema: usageParameters }),
    ({ call }, { from, to, key_id, include }) =>
      call("get_account_usage", {
        ...{ first_day: from, last_day: to },
        ...(key_id && { key_id }),
        ...(include && { include }),
      }),
    ({ hours, ...usage }, { from, to, key_id = null }) => ({
      body: { from, to, key_id, ...usage, ...(hours && { hours }) },
    }),
  ),
];
