import { listRequests, unseenMoment } from "./list-requests.ts";
import { recased, type SearchMode, searchRequest, timedQueries } from "./queries.ts";

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

/** A list without a search and one with, and each mode of ranked search; each asked again and new. */
export const modes: readonly Mode[] = [
  askedAgain("list", lists),
  neverListed("new list", lists),
  askedAgain("keyword list", keywordLists),
  neverListed("new keyword list", keywordLists),
  ...(["keyword by relevance", "semantic", "hybrid"] as const).flatMap((name) => [
    askedAgain(name, searchesAs(name)),
    neverSearched(`new ${name}`, name),
  ]),
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
function neverListed(name: string, requests: readonly string[]): Mode {
  const free = requests.filter((request) => !request.includes("posted_after"));
  let asked = 0;
  return {
    name,
    isNew: true,
    places: free.map((_, place) => place),
    requestAt: (place) => `${free[place % free.length]}&posted_after=${unseenMoment(asked++)}`,
  };
}

/** The timed queries, each time in other letters. */
function neverSearched(name: string, mode: SearchMode): Mode {
  const queries = timedQueries();
  let asked = 0;
  return {
    name,
    isNew: true,
    places: queries.map((_, place) => place),
    requestAt(place) {
      const query = queries[place % queries.length];
      if (query === undefined) throw new Error("there are no timed queries");
      return searchRequest({ ...query, search: recased(query.search, ++asked) }, mode);
    },
  };
}

/** @throws when there is no such mode. */
export function modeOf(name: string): Mode {
  const mode = modes.find((known) => known.name === name);
  if (mode === undefined) throw new Error(`there is no mode ${name}`);
  return mode;
}
