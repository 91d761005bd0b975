import { type QueryClient, QueryClientContext } from "@tanstack/react-query";
import { useCallback, useContext, useSyncExternalStore } from "react";
import { explain } from "../api/errors.ts";
import { formatDateTime } from "../format/dates.ts";
import { Button } from "./button.tsx";
import { Callout } from "./callout.tsx";
import { StatusLink } from "./status-link.tsx";

/** Says that what the page shows could not be refreshed, since when that is, and why. One notice, however many parts are stale. */
export function StaleNotice() {
  // Public pages have no account whose data could be stale.
  const queries = useContext(QueryClientContext);
  return queries === undefined ? null : <NoticeOf queries={queries} />;
}

function NoticeOf({ queries }: { queries: QueryClient }) {
  const cache = queries.getQueryCache();
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(onChange), [cache]);
  const stale = () => {
    const shown = cache.getAll().filter((query) => query.isActive());
    // A part that has nothing to show says in its place what is wrong.
    if (shown.some(({ state }) => state.data === undefined)) return [];
    return shown
      .filter(({ state }) => state.status === "error")
      .sort((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt);
  };
  const oldest = useSyncExternalStore(subscribe, () => stale()[0]);
  return (
    <div role="status" className="stale-notice">
      {oldest !== undefined && (
        <Callout
          tone="warning"
          title="This page is not up to date"
          action={
            <Button onClick={() => void Promise.all(stale().map((query) => query.fetch().catch(() => undefined)))}>
              Try again
            </Button>
          }
        >
          {explain(oldest.state.error).title}. What you see is as of{" "}
          {formatDateTime(new Date(oldest.state.dataUpdatedAt).toISOString())}.
          <StatusLink error={oldest.state.error} />
        </Callout>
      )}
    </div>
  );
}
