import type { Service } from "../service.ts";
import { pauseMs } from "./writer.ts";

/**
 * Searches of every kind. None of them can find a record that the writers of this test touch: those are closed. Nor do these
 * records have any of their words: feedback comes from all records with the words, whatever the filter.
 */
export const searches = [
  "/grants-api?search=clean+drinking+water+for+rural+towns&search_mode=hybrid&status=open",
  "/grants-api?search=kids+who+go+hungry+in+summer&search_mode=semantic&status=open",
  "/grants-api?search=community+development+research&sort_by=relevance&status=open",
  "/grants-api?search=wildfire+smoke&search_mode=semantic&status=open&states=CA,OR,WA",
  "/contracts-api?search=roof+replacement&search_mode=hybrid&status=open",
  "/contracts-api?search=software+for+hospitals&search_mode=semantic&status=open",
  "/funders-api?search=arts+and+culture&search_mode=hybrid",
];

interface Page {
  results: { id: string; relevance_score?: number }[];
  pagination: { total: number };
}

/** An answer as one line: its total, and each record with its score. */
export async function answerTo(service: Service, path: string): Promise<string> {
  const { results, pagination } = await service.get<Page>(path);
  const records = results.map(({ id, relevance_score }) => `${id} ${relevance_score ?? ""}`);
  return [pagination.total, ...records].join("; ");
}

/**
 * The right answers of a search with the lexicon in force: through the vector index, and by a scan of every record, which also
 * finds what the index misses.
 */
export async function answersNow(service: Service, path: string): Promise<string[]> {
  const { session, forgetLists } = service;
  // Remembered pages were made with the former index.
  const asked = async () => {
    await session.query("truncate funding.pages");
    forgetLists();
    return answerTo(service, path);
  };
  const indexed = await asked();
  await session.query("begin");
  await session.query("select funding.drop_vector_indexes()");
  const exact = await asked();
  await session.query("rollback");
  return [indexed, exact];
}

/** An answer that somebody got, and when, in milliseconds of `performance.now()`. */
export interface Reading {
  path: string;
  answer: string;
  at: number;
  ms: number;
}

/** Asks one search after the other until told to stop. */
export async function readUntil(stopped: () => boolean, service: Service, offset: number): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (let round = offset; !stopped(); round++) {
    const path = searches[round % searches.length] as string;
    const at = performance.now();
    const answer = await answerTo(service, path).catch((error: unknown) => `failed: ${error}`);
    readings.push({ path, answer, at, ms: performance.now() - at });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return readings;
}
