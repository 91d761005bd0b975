import { auditLogParameters } from "../../shared/responses/account/audit-log.ts";
import { nextOf } from "../../shared/responses/account/log-page.ts";
import { readQuery } from "../../shared/validation/query.ts";
import { accountRoute } from "./route.ts";

/** `GET /account-api/audit-log`: changes of the account, newest first; `next` is the `page` of the next request. */
const list = accountRoute({
  method: "GET",
  path: "/audit-log",
  parse: (request) =>
    readQuery(new URL(request.url).search, {
      names: Object.keys(auditLogParameters.shape),
      schema: auditLogParameters,
    }),
  query: ({ database, signedIn }, filter) => database.call("list_audit_log", { ...signedIn, filter }),
  render: ({ entries, next }) => ({ body: { entries, next: nextOf(next) } }),
});

export const auditLogRoutes = [list];
