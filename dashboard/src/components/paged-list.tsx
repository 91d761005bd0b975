import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { ErrorState, Skeleton } from "./states.tsx";
import "./paged-list.css";

/**
 * List that is read page by page: a placeholder or the error until there is a page, then the rows of all pages that were read, and a
 * button for the next one.
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
      {query.hasNextPage && (
        <div className="paged-list-more">
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
