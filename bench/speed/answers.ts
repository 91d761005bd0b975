import { type Connection, queryOne } from "../../database/connection.ts";
import { mean, round } from "../statistics.ts";
import { listRequests, readParameters } from "./list-requests.ts";
import { makeTimedQueries } from "./queries.ts";

/** How right the answers about grants are. */
export interface AnswerCheck {
  /** Mean share of the ten nearest records that semantic search found. */
  recall: number;
  /** Totals that were compared, and how many of them were wrong. */
  totals: number;
  wrongTotals: number;
  segments: number;
}

/** Compares totals with counts, and the ten records nearest in meaning with those of comparing each. Both at one moment, if in a transaction. */
export async function compareAnswers(connection: Connection): Promise<AnswerCheck> {
  let wrongTotals = 0;
  const lists = [...listRequests.map(({ api }) => api), "?search=health&limit=20"];
  for (const query of lists) {
    const { total } = await queryOne<{ total: number }>(
      connection,
      "select funding.total('grants', funding.filter_of('grants', $1))::int as total",
      [JSON.stringify(readParameters(query))],
    );
    if (total !== (await countMatching(connection, query))) wrongTotals += 1;
  }
  const recalls: number[] = [];
  for (const { search, filters } of makeTimedQueries().filter((_, index) => index % 2 === 0)) {
    const [near, exact] = await Promise.all(
      [
        "funding.semantic_candidates(scope, asked, 200)",
        "funding.nearest_records(scope, asked.embedding, 10, asked.known_share, true)",
      ].map((leg) =>
        readScores(connection, leg, `?search=${encodeURIComponent(search)}&search_mode=semantic&${filters}&limit=20`),
      ),
    );
    // By their scores: of records that say the same, either is as good.
    const last = exact?.at(-1);
    if (last !== undefined)
      recalls.push((near ?? []).filter((score) => score >= last - 1e-6).length / (exact?.length ?? 1));
  }
  const { segments } = await queryOne<{ segments: number }>(
    connection,
    "select count(distinct segment)::int as segments from funding.blocks where dataset = 'grants'",
  );
  return { recall: round(mean(recalls), 3), totals: lists.length, wrongTotals, segments };
}

/** Counts the grants that a list has, by looking at each. @param query the list's query string. */
export async function countMatching(connection: Connection, query: string): Promise<number> {
  const { condition, filter } = await queryOne<{ condition: string; filter: object }>(
    connection,
    `select funding.predicate('grants', filter) as condition, filter
     from (select funding.filter_of('grants', $1) as filter) as asked`,
    [JSON.stringify(readParameters(query))],
  );
  const { counted } = await queryOne<{ counted: number }>(
    connection,
    `select count(*)::int as counted from funding.grants as record where ${condition.replaceAll("$1", "$1::jsonb")} and ($1::jsonb) is not null`,
    [JSON.stringify(filter)],
  );
  return counted;
}

/** The ten best scores of a leg that are above the floor, best first. */
async function readScores(connection: Connection, leg: string, query: string): Promise<number[]> {
  const rows = await connection.query<{ score: number }>(
    `select score from (
       select ${leg.replaceAll("asked.", "(given.asked).")} as found
       from (select funding.scope_of('grants', funding.filter_of('grants', $1)) as scope, funding.read_query($1::jsonb->>'search', null) as asked) as given
       offset 0
     ) as answer, unnest((answer.found).scores) as score
     where score >= funding.model_setting('floor_similarity', 'lexicon')
     order by score desc limit 10`,
    [JSON.stringify(readParameters(query))],
  );
  return rows.map(({ score }) => score);
}
