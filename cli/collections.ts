import type { Agreement } from "../bench/relevance/agreement.ts";
import type { Collection, CollectionDocument } from "../bench/relevance/collection.ts";
import { makeKnownItems, mixCollections } from "../bench/relevance/derived.ts";
import { fundingSet } from "../bench/relevance/funding-questions.ts";
import {
  defaultData,
  defaultPrograms,
  MissingCollectionError,
  readCollections,
} from "../bench/relevance/read-collections.ts";
import { callerPath } from "../local/caller-path.mjs";
import { printError } from "../local/print.ts";
import { withDatabase } from "./database.ts";
import { UsageError } from "./options.ts";

const mostRecords = 10_000;

/** Options that name collections with judged queries, besides the folders. */
export const collectionOptions = {
  judged: { type: "boolean", default: false },
  programs: { type: "string", default: defaultPrograms },
  data: { type: "string", default: defaultData },
  mixed: { type: "boolean", default: false },
  records: { type: "boolean", default: false },
  from: { type: "string" },
} as const;

/** Lines about folders and {@link collectionOptions} in a command's help. */
export const foldersHelp = "A folder has corpus.jsonl, queries.jsonl and qrels/*.tsv, as BEIR lays them out.";
export const collectionsHelp = `--judged              also the project's own queries: over the federal assistance programmes, and over grants,
                        contracts and funders together
  --programs FILE       where those programmes are (default: ../shared/data/grants/assistance-programs.jsonl)
  --data FOLDER         where the files with grants, contracts and funders are (default: ../shared/data)
  --mixed               also two collections made of the others: all of their documents in one index (mix), and documents to
                        be found by the title or the sentence that was taken out of them (known-items)
  --records             the service's own records (at most ${mostRecords} current grants), to be found in the same way
  --from URL            the service's database (default: $DATABASE_URL, else the embedded one)`;

/** @throws {UsageError} when no collection is named. */
export function requireCollections(
  folders: readonly string[],
  { judged, records = false }: { judged: boolean; records?: boolean },
): void {
  if (folders.length === 0 && !judged && !records) throw new UsageError("Name a folder, or say --judged or --records.");
}

/** Reads the service's current grants, and asks for them by what was taken out of their texts. */
async function readKnownRecords(databaseUrl: string | undefined): Promise<Collection> {
  const documents = await withDatabase(databaseUrl, (connection) =>
    connection.query<CollectionDocument>(
      `select record.id::text as id, record.title, record.description as text, funder.name as funder
       from funding.grants as record join funding.funders as funder on funder.id = record.funder_id
       where record.classification = 'opportunity' and record.archived_at is null and record.superseded_by is null
       order by record.id limit ${mostRecords}`,
    ),
  );
  return { ...makeKnownItems({ name: "records", documents, queries: [], judgements: new Map() }), name: "records" };
}

/**
 * Reads the named collections one after the other, and prints the size of each.
 *
 * @throws {UsageError} when a folder has none.
 */
export async function* namedCollections(
  folders: readonly string[],
  {
    judged,
    programs,
    data,
    mixed,
    records,
    from,
  }: { judged: boolean; programs: string; data: string; mixed: boolean; records: boolean; from?: string | undefined },
): AsyncGenerator<Collection> {
  const read: Collection[] = [];
  try {
    for await (const collection of readCollections(
      folders.map(callerPath),
      judged ? { programs: callerPath(programs), data: callerPath(data) } : undefined,
      printError,
    )) {
      printSize(collection);
      if (collection.agreement !== undefined) printError(describeAgreement(collection.agreement));
      // Its programmes are those of the other judged set.
      if (mixed && collection.name !== fundingSet) read.push(collection);
      yield collection;
    }
    if (mixed) {
      const mix = mixCollections(read);
      for (const collection of [mix, makeKnownItems(mix)]) {
        printSize(collection);
        yield collection;
      }
    }
    if (records) {
      const known = await readKnownRecords(from);
      printSize(known);
      yield known;
    }
  } catch (error) {
    throw error instanceof MissingCollectionError ? new UsageError(error.message) : error;
  }
}

function printSize({ name, documents, queries }: Collection): void {
  printError(`${name}: ${documents.length} documents, ${queries.length} queries`);
}

function describeAgreement({ pairs, equal, equal_of_relevant, kappa }: Agreement): string {
  const [all, relevant] = [equal, equal_of_relevant].map((share) => `${Math.round(100 * share)} %`);
  return `two readings of ${pairs} pairs: ${all} equal, ${relevant} of the relevant; weighted kappa ${kappa.toFixed(2)}`;
}
