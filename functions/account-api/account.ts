import { accountChanges } from "../../shared/responses/account/account.ts";
import { usageParameters } from "../../shared/responses/account/usage.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { accountRoute, readAccountBody } from "./route.ts";

/** `GET /account-api`: the account, its tier and subscription, and the rest of today's quota. */
const overview = accountRoute({
  method: "GET",
  path: "",
  parse: (request) => readQuery(new URL(request.url).search, noParameters),
  query: ({ database, signedIn }) => database.call("get_account", { ...signedIn }),
  render: (account) => ({ body: account }),
});

/** `PATCH /account-api`: changes the account's own settings. */
const update = accountRoute({
  method: "PATCH",
  path: "",
  parse: (request) => readAccountBody(request, accountChanges),
  query: ({ database, signedIn }, changes) => database.call("update_account", { ...signedIn, changes }),
  render: (account) => ({ body: account }),
});

/** `GET /account-api/usage`: requests, errors and response times, by day or hour, key, endpoint and status. */
const usage = accountRoute({
  method: "GET",
  path: "/usage",
  parse: (request) =>
    readQuery(new URL(request.url).search, { names: ["from", "to", "key_id", "include"], schema: usageParameters }),
  query: ({ database, signedIn }, { from, to, key_id, include }) =>
    database.call("get_account_usage", {
      ...signedIn,
      ...{ first_day: from, last_day: to },
      ...(key_id && { key_id }),
      ...(include && { include }),
    }),
  render: ({ hours, ...usage }, { from, to, key_id = null }) => ({
    body: { from, to, key_id, ...usage, ...(hours && { hours }) },
  }),
});

export const overviewRoutes = [overview, update, usage];
