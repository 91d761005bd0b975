import { noParameters, readQuery } from "../validation/query.ts";
import { accountRoute } from "./route.ts";

/** `GET /account-api`: the account, its tier and subscription, and what is left of today's quota. */
export const overviewRoute = accountRoute({
  method: "GET",
  path: "",
  read: (request) => readQuery(new URL(request.url).search, noParameters),
  ask: ({ database, signedIn }) => database.call("get_account", { ...signedIn }),
  show: (account) => ({ body: account }),
});
