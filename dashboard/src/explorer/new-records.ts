import type { Dataset } from "../../../shared/datasets.ts";

/**
 * Address of the explorer with the records of a query that came from a moment on, until another.
 *
 * @param query parameters of the list. Bounds of its own stay where they are narrower.
 * @param since the first moment, in ISO 8601 with milliseconds.
 * @param until the moment after the last.
 */
export function newRecordsAddress(dataset: Dataset, query: string, since: string, until: string): string {
  const parameters = new URLSearchParams(query);
  const times = (name: string) => parameters.getAll(name).map((text) => Date.parse(text));
  // `first_seen_after` leaves its own millisecond out.
  const after = Math.max(Date.parse(since) - 1, ...times("first_seen_after"));
  const before = Math.min(Date.parse(until), ...times("first_seen_before"));
  parameters.set("first_seen_after", new Date(after).toISOString());
  parameters.set("first_seen_before", new Date(before).toISOString());
  return `/explorer?${new URLSearchParams([["dataset", dataset], ...parameters])}`;
}
