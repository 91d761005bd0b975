import { useInfiniteQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { AuditEntry, auditLog } from "../../../shared/responses/account/audit-log.ts";
import { useAccountRequest } from "./context.tsx";
import { refreshMs, refreshSinglePage } from "./refresh.ts";

export type { AuditEntry };

/** The account's audit log, newest first, page by page. `filter` is a query string. */
export function useAuditLog(filter: string, { limit = 25 } = {}) {
  const request = useAccountRequest();
  return useInfiniteQuery({
    queryKey: ["audit-log", filter, limit],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams(filter);
      query.set("limit", String(limit));
      if (pageParam !== "") query.set("page", pageParam);
      return request<z.infer<typeof auditLog>>(`/audit-log?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
    ...refreshSinglePage(() => refreshMs),
  });
}
