import { listRequests, makeNewMoment } from "./list-requests.ts";
import {
  changeCase,
  makeTimedQueries,
  queryKinds,
  type SearchMode,
  searchRequest,
  type TimedQuery,
} from "./queries.ts";

/** A mode of using the list endpoint, with requests for measuring it. */
export interface Mode {
  name: string;
  /** Whether every request is new, so that nothing of it is cached. */
  isNew: boolean;
  /** Indexes of its requests: 0, 1, 2... */
  indexes: number[];
  /** Returns the query string at an index, modulo the number of requests. */
  requestAt(index: number): string;
}

/** Rounds before those that count, where modes are measured: a page is kept at the second request for it, and is there for the third. */
export const warmUpRounds = 2;

let made: readonly Mode[] | undefined;

/**
 * Returns the modes: a list without and with a search, and each mode of ranked search; each with repeated and with new
 * requests. They are made at the first call, because the queries are drawn from 8,000 records: `--help` took five seconds
 * of CPU time.
 */
export function modes(): readonly Mode[] {
  made ??= makeModes();
  return made;
}

const rankedModes = ["keyword by relevance", "semantic", "hybrid"] as const;

/** Returns the modes of new ranked searches by the kind of their queries: `new hybrid, filtered`. */
export function modesByKind(): Mode[] {
  const queries = makeTimedQueries();
  return rankedModes.flatMap((name) =>
    queryKinds.map((kind) =>
      newSearchMode(
        `new ${name}, ${kind}`,
        name,
        queries.filter((query) => query.kind === kind),
      ),
    ),
  );
}

function makeModes(): Mode[] {
  const lists = listRequests.map(({ api }) => api);
  const queries = makeTimedQueries();
  const searchesAs = (mode: SearchMode) => queries.map((query) => searchRequest(query, mode));
  const keywordLists = searchesAs("keyword list");
  return [
    repeatedMode("list", lists),
    newListMode("new list", lists),
    repeatedMode("keyword list", keywordLists),
    newListMode("new keyword list", keywordLists),
    ...rankedModes.flatMap((name) => [
      repeatedMode(name, searchesAs(name)),
      newSearchMode(`new ${name}`, name, queries),
    ]),
  ];
}

function repeatedMode(name: string, requests: readonly string[]): Mode {
  return {
    name,
    isNew: false,
    indexes: requests.map((_, index) => index),
    requestAt: (index) => requests[index % requests.length] ?? "",
  };
}

/** Mode with the same requests, each with a new filter that keeps every record. */
function newListMode(name: string, requests: readonly string[]): Mode {
  const free = requests.filter((request) => !request.includes("posted_after"));
  let requestCount = 0;
  return {
    name,
    isNew: true,
    indexes: free.map((_, index) => index),
    requestAt: (index) => `${free[index % free.length]}&posted_after=${makeNewMoment(requestCount++)}`,
  };
}

/** Mode with the timed queries, each time in another letter case. */
function newSearchMode(name: string, mode: SearchMode, queries: readonly TimedQuery[]): Mode {
  let requestCount = 0;
  return {
    name,
    isNew: true,
    indexes: queries.map((_, index) => index),
    requestAt(index) {
      const query = queries[index % queries.length];
      if (query === undefined) throw new Error("there are no timed queries");
      return searchRequest({ ...query, search: changeCase(query.search, ++requestCount) }, mode);
    },
  };
}

/** @throws when there is no such mode. */
export function findMode(name: string): Mode {
  const mode = modes().find((known) => known.name === name);
  if (mode === undefined) throw new Error(`there is no mode ${name}`);
  return mode;
}
