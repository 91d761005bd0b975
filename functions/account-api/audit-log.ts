import { auditLogParameters } from "../../shared/responses/account/audit-log.ts";
import { nextOf } from "../../shared/responses/account/log-page.ts";
import { inQuery, route } from "./route.ts";

export const auditLogRoutes = [
  /** Changes of the account, newest first; `next` is the `page` of the next request. */
  route(
    "GET /account-api/audit-log",
    inQuery(auditLogParameters),
    ({ call }, filter) => call("list_audit_log", { filter }),
    ({ entries, next }) => ({ body: { entries, next: nextOf(next) } }),
  ),
];
