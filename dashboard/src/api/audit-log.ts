import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import type { AuditEntry, auditLog } from "../../../shared/responses/account/audit-log.ts";
import { useAccountRequest } from "./context.tsx";
import { usePages } from "./queries.ts";

export type { AuditEntry };

/** The account's audit log, newest first, page by page. `filter` is a query string. */
export function useAuditLog(filter: string, { limit = 25 } = {}) {
  const query = new URLSearchParams(filter);
  query.set("limit", String(limit));
  return usePages<z.infer<typeof auditLog>>(["audit-log", filter, limit], "/audit-log", query, { keepsFormer: true });
}

/** Entries of a page that is read for a file. */
const pageSize = 100;
/** Pages of a file, at most. */
const maximumPages = 100;

/** Reads all entries that match a filter, newest first; the latest 10,000 (`isCut`) where there are more. */
export function useAllEntries() {
  const request = useAccountRequest();
  return useMutation({
    mutationFn: async (filter: string) => {
      const entries: AuditEntry[] = [];
      let page: string | null = "";
      for (let pages = 0; page !== null && pages < maximumPages; pages++) {
        const query: URLSearchParams = new URLSearchParams(filter);
        query.set("limit", String(pageSize));
        if (page !== "") query.set("page", page);
        const answer: z.infer<typeof auditLog> = await request(`/audit-log?${query}`);
        entries.push(...answer.entries);
        page = answer.next;
      }
      return { entries, isCut: page !== null };
    },
    gcTime: 0,
  });
}
