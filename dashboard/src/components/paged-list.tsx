import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { ErrorState, Skeleton } from "./states.tsx";
import "./paged-list.css";

/**
 * List that is read page by page: a placeholder or the error until there is a page, then the rows of all pages that were read, and a
 * button for the next one. From the second page on it does not refresh itself (`refreshSinglePage`), and has a button for that.
 *
 * @param rowsOf rows of a page.
 * @param empty shown in place of a list without rows.
 */
export function PagedList<Page, Row>({
  query,
  rowsOf,
  empty,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<Page>>;
  rowsOf: (page: Page) => readonly Row[];
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}) {
  const rows = query.data?.pages.flatMap(rowsOf);
  const hasPages = (query.data?.pages.length ?? 0) > 1;
  return (
    <>
      {rows === undefined ? (
        query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton />
        )
      ) : rows.length === 0 ? (
        empty
      ) : (
        children(rows)
      )}
      {(query.hasNextPage || hasPages) && (
        <div className="paged-list-more row">
          {query.hasNextPage && (
            <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          )}
          {hasPages && (
            <>
              <Button look="quiet" isBusy={query.isRefetching} onClick={() => void query.refetch()}>
                Refresh
              </Button>
              <span className="muted small">A list of several pages does not refresh itself.</span>
            </>
          )}
        </div>
      )}
    </>
  );
}
