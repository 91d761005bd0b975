import type { MouseEvent, ReactNode } from "react";
import { Link } from "wouter";
import type { Dataset } from "./datasets.ts";

/** Link to a record in the explorer. A plain click opens it beside the list that it is in; others open the browser's tab or window. */
export function RecordLink({
  dataset,
  id,
  onOpen,
  children,
}: {
  dataset: Dataset;
  id: string;
  onOpen: (dataset: Dataset, id: string) => void;
  children: ReactNode;
}) {
  // The link calls it for plain clicks alone.
  const open = (event: MouseEvent) => {
    event.preventDefault();
    onOpen(dataset, id);
  };
  return (
    <Link href={`/explorer?dataset=${dataset}&id=${id}`} onClick={open}>
      {children}
    </Link>
  );
}
