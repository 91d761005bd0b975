import { type Connection, queryValue } from "../../../database/connection.ts";
import { expectDocuments, linkDocuments, type NamedFile, storeDocuments } from "../../../database/documents.ts";
import { Random } from "../../../local/demo/random.ts";
import { round } from "../../statistics.ts";
import { compare, costRatio } from "../compare.ts";
import { withCopy } from "../databases.ts";
import { timeInTurns } from "../in-turns.ts";
import { readParameters } from "../list-requests.ts";
import { changeCase, makeTimedQueries, type SearchMode, searchRequest } from "../queries.ts";
import type { SpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";

/** Documents of an opportunity, and files that are stored in one transaction. */
const documentsEach = 3;
const batchFiles = 32;
/** Passages of a document: the six notices of tests/ingest have 45 to 74, most attachments are shorter. */
const fewestPassages = 10;
const mostPassages = 70;
/** Words of a passage. */
const passageWords = 200;

const tables = ["documents", "document_passages", "document_records", "document_parts", "document_postings"];

/**
 * Gives a quarter of the grants three documents each, whose text is sentences of all grants, and says how large they are and how long it takes. Then
 * compares new searches in records, in documents and in both.
 */
export const measureDocuments: ServerCase = ({ database, serverUrl, effort, report }) =>
  withCopy(serverUrl, database, async (copy) => {
    const grants = await copy.query<{ id: string; description: string }>(
      `select id, description from funding.grants
       where classification = 'opportunity' and archived_at is null and superseded_by is null order by id`,
    );
    const sentences = grants.slice(0, 4_000).flatMap(({ description }) => description.match(/[^.!?]+[.!?]/g) ?? []);
    const random = new Random(1, "documents", 0);
    const files: NamedFile[] = grants.slice(0, Math.floor(database.rows / 4)).flatMap(({ id }) =>
      Array.from({ length: documentsEach }, (_, index) => ({
        ...{ url: `https://documents.example.gov/${id}/${index}.pdf`, file: null },
        records: [{ dataset: "grants" as const, id }],
      })),
    );
    await copy.execute("set statement_timeout = 0");
    await expectDocuments(copy, files);
    let stored = 0;
    let passages = 0;
    let seconds = 0;
    for (let first = 0; first < files.length; first += batchFiles) {
      const batch = files.slice(first, first + batchFiles).map(({ url, file }) => ({
        ...{ url, file, sha256: "1", reader: 1, fetched_at: null, checked_at: new Date().toISOString() },
        documents: [makeDocument(random, sentences)],
      }));
      const start = performance.now();
      await storeDocuments(copy, batch);
      seconds += (performance.now() - start) / 1_000;
      stored += batch.length;
      passages += batch.reduce((sum, { documents }) => sum + (documents[0]?.passages.length ?? 0), 0);
      if (stored % (batchFiles * 50) === 0) report(`documents: ${stored} of ${files.length}, ${round(seconds, 0)} s`);
    }
    await linkDocuments(copy, files);
    await copy.execute(`vacuum analyze ${tables.map((name) => `funding.${name}`).join(", ")}`);
    const rows: SpeedRow[] = [];
    for (const mode of ["keyword by relevance", "hybrid"] as const) {
      for (const kind of ["common", "middling", "rare"] as const) {
        report(`documents: ${mode}, ${kind} words`);
        rows.push(...(await timeSearches(copy, database.rows, mode, kind, effort.rounds)));
      }
    }
    const megabytes = await Promise.all(
      tables.map(async (name) => [
        `${name}_mb`,
        round((await queryValue<number>(copy, `select pg_total_relation_size('funding.${name}')::float8`)) / 1e6, 0),
      ]),
    );
    return {
      rows,
      tables: [
        {
          title: `${stored} documents of ${stored / documentsEach} grants`,
          lines: [{ passages, seconds: round(seconds, 0), ...Object.fromEntries(megabytes) }],
        },
      ],
    };
  });

function makeDocument(random: Random, sentences: readonly string[]) {
  const length = random.integer(fewestPassages, mostPassages);
  const passages = Array.from({ length }, (_, index) => ({
    ...{ number: index + 1, first_page: Math.floor(index / 2) + 1, last_page: Math.floor(index / 2) + 1, heading: "" },
    body: makePassage(random, sentences),
  }));
  const pages = Math.floor(length / 2) + 1;
  return { member: null, media_type: "application/pdf", pages, is_cut: false, reason: null, facts: [], passages };
}

function makePassage(random: Random, sentences: readonly string[]): string {
  const chosen: string[] = [];
  for (let words = 0; words < passageWords; ) {
    const sentence = random.pick(sentences).trim();
    chosen.push(sentence);
    words += sentence.split(" ").length;
  }
  return chosen.join(" ");
}

/** Times new searches in records, in both and in documents alone, in turns. */
async function timeSearches(copy: Connection, rows: number, mode: SearchMode, kind: string, rounds: number) {
  let count = 0;
  const side = (search_in: string) => ({
    name: `${mode} in ${search_in}, ${kind} words`,
    run: (query: ReturnType<typeof makeTimedQueries>[number]) => {
      const request = searchRequest({ ...query, search: changeCase(query.search, ++count) }, mode);
      return copy.query("select funding.list('grants', $1::jsonb) as answer", [
        JSON.stringify({ ...readParameters(request), search_in }),
      ]);
    },
  });
  const queries = makeTimedQueries().filter((query) => query.kind === kind);
  const timings = await timeInTurns([side("records"), side("all"), side("documents")], queries, rounds);
  return compare("documents", rows, timings, [...timings.keys()], `${mode} in records, ${kind} words`, costRatio);
}
