import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { Account } from "../../../shared/responses/account/account.ts";
import type { LoggedRequest, loggedRequests } from "../../../shared/responses/account/requests.ts";
import { useAccountRequest } from "./context.tsx";
import { refreshMs, refreshSinglePage } from "./refresh.ts";

export type { LoggedRequest };

/** Time between refreshes of the request log while it is live. */
const liveMs = 3_000;

/** The account's requests, newest first, page by page. `filter` is a query string. */
export function useRequests(filter: string, { limit = 25, isLive = false } = {}) {
  const request = useAccountRequest();
  return useInfiniteQuery({
    queryKey: ["requests", filter, limit],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams(filter);
      query.set("limit", String(limit));
      if (pageParam !== "") query.set("page", pageParam);
      return request<z.infer<typeof loggedRequests>>(`/requests?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
    ...refreshSinglePage(() => (isLive ? liveMs : refreshMs)),
  });
}

export function useLoggedRequest(id: string) {
  const request = useAccountRequest();
  return useQuery({
    queryKey: ["requests", "single", id],
    queryFn: ({ signal }) => request<LoggedRequest>(`/requests/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: false,
  });
}

/** Changes whether the log keeps the texts that are searched for. */
export function useKeepSearchText() {
  const request = useAccountRequest();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (keeps_search_text: boolean) => request<Account>("", { method: "PATCH", body: { keeps_search_text } }),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["account"] });
      void queries.invalidateQueries({ queryKey: ["requests"] });
    },
  });
}
