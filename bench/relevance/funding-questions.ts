import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RejectedRow } from "../../ingest/errors.ts";
import { type DatasetRecord, normalize } from "../../ingest/normalize/normalize.ts";
import { readFiles } from "../../ingest/read/files.ts";
import { isBroken } from "../../ingest/read/row.ts";
import { isNoRecord, type MappedRecord } from "../../ingest/sources/source.ts";
import { agreementOf, readReadings } from "./agreement.ts";
import type { Collection, CollectionDocument } from "./collection.ts";
import { type FundingFile, fundingFiles } from "./funding-files.ts";
import { readQuestions } from "./read-collection.ts";

/** Name of the collection. */
export const fundingSet = "funding-questions";

/** Folder of the questions and grades. */
export const fundingQuestions = fileURLToPath(new URL("../../tests/relevance/funding-questions", import.meta.url));

/**
 * Reads grants, contracts and funders together as a judged collection. The questions and grades are part of this project;
 * the publishers' files are not.
 *
 * @param folder the folder of the files, as `funding-files.ts` lists them.
 */
export async function readFundingQuestions(folder: string): Promise<Collection> {
  const { first, second } = await readReadings(fundingQuestions);
  return {
    name: fundingSet,
    documents: await readFundingRecords(folder, fundingFiles),
    ...(await readQuestions(fundingQuestions)),
    agreement: agreementOf(first, second),
  };
}

/** Reads the records of the files with the importers' own parsers, each record once. */
export async function readFundingRecords(folder: string, files: readonly FundingFile[]): Promise<CollectionDocument[]> {
  const documents = new Map<string, CollectionDocument>();
  for (const file of files) {
    for await (const document of documentsIn(join(folder, file.path), file)) {
      const known = documents.get(document.id);
      if (known === undefined || (known.text === "" && document.text !== "")) documents.set(document.id, document);
    }
  }
  return [...documents.values()];
}

async function* documentsIn(path: string, { prefix, source, step = 1 }: FundingFile) {
  const inputs = (await filesAt(path)).map((file) => ({ chunks: createReadStream(file) }));
  let number = 0;
  for await (const row of readFiles(inputs, source.read)) {
    number += 1;
    if (isBroken(row) || (number - 1) % step !== 0) continue;
    const mapped = source.map(row.values);
    if (isNoRecord(mapped)) continue;
    for (const record of mapped) {
      const document = toDocument(record, prefix);
      if (document !== undefined) yield document;
    }
  }
}

/** The file itself, or those of a folder whose names begin with a number: the others are examples. */
async function filesAt(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  return (await readdir(path))
    .filter((name) => /^\d/.test(name))
    .sort()
    .map((name) => join(path, name));
}

/** Title and text of a record, with its funder and states; undefined for a row that an import would reject. */
function toDocument(mapped: MappedRecord, prefix: string): CollectionDocument | undefined {
  let normalized: DatasetRecord;
  try {
    normalized = normalize(mapped, { source: prefix, note: () => undefined });
  } catch (error) {
    if (error instanceof RejectedRow) return undefined;
    throw error;
  }
  if (normalized.dataset === "funders") {
    const { source_id, name, summary } = normalized.record;
    return { id: `${prefix}:${source_id}`, title: name ?? "", text: summary ?? "" };
  }
  const { source_id, title, description, funder_name, states, details } = normalized.record;
  // The files with Grants.gov's opportunities have different numbers in common with each other than their own ids.
  const id = prefix === "grants-gov" ? (details?.opportunity_number ?? source_id) : source_id;
  return {
    id: `${prefix}:${id}`,
    title: title ?? "",
    text: description ?? "",
    ...(funder_name ? { funder: funder_name } : {}),
    ...(states?.length ? { states } : {}),
  };
}
