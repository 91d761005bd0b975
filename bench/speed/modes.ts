import { listRequests } from "./list-requests.ts";
import { type SearchMode, searchModes, searchRequest, timedQueries } from "./queries.ts";

/** A way of asking the list endpoint, with many requests to time it by. */
export interface Mode {
  name: string;
  /** The places of its requests: 0, 1, 2... */
  places: number[];
  /** The query string at a place; places go round. */
  requestAt(place: number): string;
}

/** A list without a search, and each mode of search with the same searches. */
export const modes: readonly Mode[] = [
  mode(
    "list",
    listRequests.map(({ api }) => api),
  ),
  ...(Object.keys(searchModes) as SearchMode[]).map((name) =>
    mode(
      name,
      timedQueries().map((query) => searchRequest(query, name)),
    ),
  ),
];

function mode(name: string, requests: readonly string[]): Mode {
  return {
    name,
    places: requests.map((_, place) => place),
    requestAt: (place) => requests[place % requests.length] ?? "",
  };
}

/** The same request with a filter that keeps everything and was not asked before, so that nothing is remembered of it. */
export function neverAsked(request: string, count: number): string {
  const moment = new Date(Date.UTC(2000, 0, 1) + count).toISOString();
  return `${request}&posted_after=${moment}`;
}
