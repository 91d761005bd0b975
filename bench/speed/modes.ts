import { listRequests, unseenMoment } from "./list-requests.ts";
import { type SearchMode, searchRequest, timedQueries } from "./queries.ts";

/** A way of asking the list endpoint, with many requests to time it by. */
export interface Mode {
  name: string;
  /** Whether no request is asked twice, so that nothing of it is remembered. */
  isNew: boolean;
  /** The places of its requests: 0, 1, 2... */
  places: number[];
  /** The query string at a place; places go round. */
  requestAt(place: number): string;
}

const lists = listRequests.map(({ api }) => api);
const keywordLists = searchesAs("keyword list");

/** A list without a search and one with, each asked again and new; and each mode of ranked search. */
export const modes: readonly Mode[] = [
  askedAgain("list", lists),
  neverAsked("new list", lists),
  askedAgain("keyword list", keywordLists),
  neverAsked("new keyword list", keywordLists),
  ...(["keyword by relevance", "semantic", "hybrid"] as const).map((name) => askedAgain(name, searchesAs(name))),
];

function searchesAs(mode: SearchMode): string[] {
  return timedQueries().map((query) => searchRequest(query, mode));
}

function askedAgain(name: string, requests: readonly string[]): Mode {
  return {
    name,
    isNew: false,
    places: requests.map((_, place) => place),
    requestAt: (place) => requests[place % requests.length] ?? "",
  };
}

/** The same requests, each with a filter that keeps everything and was not asked before. */
function neverAsked(name: string, requests: readonly string[]): Mode {
  const free = requests.filter((request) => !request.includes("posted_after"));
  let asked = 0;
  return {
    name,
    isNew: true,
    places: free.map((_, place) => place),
    requestAt: (place) => `${free[place % free.length]}&posted_after=${unseenMoment(asked++)}`,
  };
}

/** @throws when there is no such mode. */
export function modeOf(name: string): Mode {
  const mode = modes.find((known) => known.name === name);
  if (mode === undefined) throw new Error(`there is no mode ${name}`);
  return mode;
}
