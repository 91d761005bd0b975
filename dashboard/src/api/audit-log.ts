import type { z } from "zod";
import type { AuditEntry, auditLog } from "../../../shared/responses/account/audit-log.ts";
import { usePages } from "./queries.ts";

export type { AuditEntry };

/** The account's audit log, newest first, page by page. `filter` is a query string. */
export function useAuditLog(filter: string, { limit = 25 } = {}) {
  const query = new URLSearchParams(filter);
  query.set("limit", String(limit));
  return usePages<z.infer<typeof auditLog>>(["audit-log", filter, limit], "/audit-log", query, { keepsFormer: true });
}
