import type { Connection } from "../../database/connection.ts";
import { mean, round } from "../statistics.ts";
import type { Collection } from "./collection.ts";
import { type Grades, ndcgAt } from "./metrics.ts";
import { gradesOfRecords, type Notices } from "./notices.ts";

/** Where a search looks, and how. A search in documents alone goes by words. */
export interface Place {
  mode: "keyword" | "hybrid";
  search_in: "records" | "documents" | "all";
}

export const places: readonly Place[] = [
  { mode: "keyword", search_in: "records" },
  { mode: "keyword", search_in: "documents" },
  { mode: "keyword", search_in: "all" },
  { mode: "hybrid", search_in: "records" },
  { mode: "hybrid", search_in: "all" },
];

/** A found record with the passages that the API shows of it, best first. */
export interface FoundRecord {
  id: string;
  passages: { name: string; text: string }[];
}

/** Quality of searches in a place: means over the questions. */
export interface PlaceMeasurement extends Place {
  collection: string;
  ndcg_10: number;
  /** Share of the questions whose first record is graded. */
  success_1: number;
  /** Share whose first graded record among the first ten shows a passage first that answers the question; null in records. */
  answered: number | null;
  /** The same with a passage that is at least related. */
  related: number | null;
}

const pageSize = 10;

/** First page of a search, with passages, as an API request gets it. */
export async function searchIn(connection: Connection, place: Place, search: string): Promise<FoundRecord[]> {
  const { mode: search_mode, search_in } = place;
  const parameters = {
    search,
    search_mode,
    search_in,
    sort_by: "relevance",
    passages: true,
    limit: pageSize,
    offset: 0,
  };
  const [row] = await connection.query<{ answer: { results: FoundRecord[] } }>(
    "select funding.list('grants', $1::jsonb) as answer",
    [JSON.stringify(parameters)],
  );
  return row?.answer.results ?? [];
}

/** A question's results in a place. */
export interface PlaceResult {
  query: string;
  ndcg_10: number;
  /** Whether the first record is graded. */
  isFirst: boolean;
  /** Grade of the first passage of the first graded record; null where no graded record is on the page, or it shows none. */
  grade: number | null;
}

/** Asks the questions over the notices in a place. */
export async function askNotices(connection: Connection, notices: Notices, place: Place): Promise<PlaceResult[]> {
  const passageIds = new Map(notices.passages.map(({ id, text }) => [`${id.split(":")[0]}\n${text}`, id]));
  const results: PlaceResult[] = [];
  const names = await namesOfRecords(connection);
  for (const { id, text } of notices.queries) {
    const grades = notices.judgements.get(id) ?? new Map<string, number>();
    const found = await searchIn(connection, place, text);
    const first = found.find((record) => (gradesOfRecords(grades).get(names.get(record.id) ?? "") ?? 0) > 0);
    const [passage] = first?.passages ?? [];
    results.push({
      query: id,
      ...scoresOf(found, names, gradesOfRecords(grades)),
      grade: passage === undefined ? null : (grades.get(passageIds.get(`${passage.name}\n${passage.text}`) ?? "") ?? 0),
    });
  }
  return results;
}

/** Measures searches over the notices in every place. */
export async function measureNotices(connection: Connection, notices: Notices): Promise<PlaceMeasurement[]> {
  const measurements: PlaceMeasurement[] = [];
  for (const place of places) {
    const results = await askNotices(connection, notices, place);
    const shareOf = (least: number) =>
      place.search_in === "records" ? null : round(mean(results.map(({ grade }) => Number((grade ?? 0) >= least))), 4);
    measurements.push({
      ...{ collection: "notices", ...place, ...meansOf(results) },
      ...{ answered: shareOf(2), related: shareOf(1) },
    });
  }
  return measurements;
}

/** Measures questions whose answers are records, none of which has documents, beside records that have. */
export async function measureBesideNotices(
  connection: Connection,
  { name, queries, judgements }: Collection,
): Promise<PlaceMeasurement[]> {
  const names = await namesOfRecords(connection);
  const measurements: PlaceMeasurement[] = [];
  for (const place of places.filter(({ search_in }) => search_in !== "documents")) {
    const results: Pick<PlaceResult, "ndcg_10" | "isFirst">[] = [];
    for (const { id, text } of queries) {
      results.push(scoresOf(await searchIn(connection, place, text), names, judgements.get(id) ?? new Map()));
    }
    measurements.push({ collection: name, ...place, ...meansOf(results), answered: null, related: null });
  }
  return measurements;
}

function scoresOf(found: readonly FoundRecord[], names: ReadonlyMap<string, string>, grades: Grades) {
  const ranking = found.map(({ id }) => names.get(id) ?? id);
  return { ndcg_10: ndcgAt(ranking, grades, pageSize), isFirst: (grades.get(ranking[0] ?? "") ?? 0) > 0 };
}

function meansOf(results: readonly Pick<PlaceResult, "ndcg_10" | "isFirst">[]) {
  return {
    ndcg_10: round(mean(results.map(({ ndcg_10 }) => ndcg_10)), 4),
    success_1: round(mean(results.map(({ isFirst }) => Number(isFirst))), 4),
  };
}

/** Names of the collection's records by the ids that the service gave them. */
async function namesOfRecords(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection.query<{ id: string; source_id: string }>("select id, source_id from funding.grants");
  return new Map(rows.map(({ id, source_id }) => [id, source_id]));
}
