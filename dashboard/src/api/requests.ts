import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { Account } from "../../../shared/responses/account/account.ts";
import type { LoggedRequest, loggedRequests } from "../../../shared/responses/account/requests.ts";
import { minuteMs } from "../requests/minutes.ts";
import { useAccountRequest } from "./context.tsx";
import { useChange, usePages, useRead } from "./queries.ts";
import { refreshMs } from "./refresh.ts";

export type { LoggedRequest };

/** Time between refreshes of the request log while it is live. */
const liveMs = 3_000;

/** Time between refreshes of the last hour, which may take several requests. */
const hourRefreshMs = 60_000;

/** The account's requests, newest first, page by page. `filter` is a query string. */
export function useRequests(filter: string, { limit = 25, isLive = false } = {}) {
  const query = new URLSearchParams(filter);
  query.set("limit", String(limit));
  return usePages<z.infer<typeof loggedRequests>>(["requests", filter, limit], "/requests", query, {
    intervalMsOf: () => (isLive ? liveMs : refreshMs),
    keepsFormer: true,
  });
}

export function useLoggedRequest(id: string, options: { enabled?: boolean; retry?: false } = {}) {
  return useRead<LoggedRequest>(["requests", "single", id], `/requests/${encodeURIComponent(id)}`, {
    refetchInterval: false,
    ...options,
  });
}

/** Requests of a page of the log, at most. */
const pageSize = 100;
/** Pages that are read of the last hour, at most. */
const hourPages = 5;

/** The account's requests of the last 60 minutes, newest first; the latest 500 (`isCut`) where there are more. `filter` is a query string without times. */
export function useLastHour(filter: string) {
  const request = useAccountRequest();
  return useQuery({
    queryKey: ["requests", "hour", filter],
    queryFn: async ({ signal }) => {
      const until = Math.ceil(Date.now() / minuteMs) * minuteMs;
      const from = until - 60 * minuteMs;
      const requests: Pick<LoggedRequest, "at" | "status">[] = [];
      let page: string | null = "";
      for (let pages = 0; page !== null && pages < hourPages; pages++) {
        const query: URLSearchParams = new URLSearchParams({
          limit: String(pageSize),
          since: new Date(from).toISOString(),
        });
        for (const [name, value] of new URLSearchParams(filter)) query.set(name, value);
        if (page !== "") query.set("page", page);
        const answer: z.infer<typeof loggedRequests> = await request(`/requests?${query}`, { signal });
        requests.push(...answer.requests.map(({ at, status }) => ({ at, status })));
        page = answer.next;
      }
      const isCut = page !== null;
      // The minutes before those that were read are not known.
      const earliest = isCut ? Math.floor(Date.parse(requests.at(-1)?.at ?? "") / minuteMs) * minuteMs : from;
      return { requests, from: earliest, until, isCut };
    },
    refetchInterval: hourRefreshMs,
    placeholderData: keepPreviousData,
  });
}

/** Changes whether the log keeps the texts that are searched for. */
export function useKeepSearchText() {
  return useChange(["account", "requests"], (request, keeps_search_text: boolean) =>
    request<Account>("", { method: "PATCH", body: { keeps_search_text } }),
  );
}
