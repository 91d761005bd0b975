import type { z } from "zod";
import type { Account } from "../../../shared/responses/account/account.ts";
import type { LoggedRequest, loggedRequests } from "../../../shared/responses/account/requests.ts";
import { useChange, usePages, useRead } from "./queries.ts";
import { refreshMs } from "./refresh.ts";

export type { LoggedRequest };

/** Time between refreshes of the request log while it is live. */
const liveMs = 3_000;

/** The account's requests, newest first, page by page. `filter` is a query string. */
export function useRequests(filter: string, { limit = 25, isLive = false } = {}) {
  const query = new URLSearchParams(filter);
  query.set("limit", String(limit));
  return usePages<z.infer<typeof loggedRequests>>(["requests", filter, limit], "/requests", query, {
    intervalMsOf: () => (isLive ? liveMs : refreshMs),
    keepsFormer: true,
  });
}

export function useLoggedRequest(id: string) {
  return useRead<LoggedRequest>(["requests", "single", id], `/requests/${encodeURIComponent(id)}`, {
    refetchInterval: false,
  });
}

/** Changes whether the log keeps the texts that are searched for. */
export function useKeepSearchText() {
  return useChange(["account", "requests"], (request, keeps_search_text: boolean) =>
    request<Account>("", { method: "PATCH", body: { keeps_search_text } }),
  );
}
