import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState, Skeleton } from "./states.tsx";

/** Renders a query's data; until then a placeholder, or its error. */
export function Loaded<Data>({
  query,
  outline = <Skeleton />,
  children,
}: {
  query: UseQueryResult<Data>;
  outline?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return outline;
}
