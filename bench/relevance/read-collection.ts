import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { readLines } from "../../ingest/read/lines.ts";
import type { Collection, CollectionDocument, CollectionQuery, Judgements } from "./collection.ts";

/** A file of a collection does not have the expected layout. */
export class CollectionError extends Error {}

/**
 * Reads a folder in the layout of BEIR (Thakur et al., 2021): `corpus.jsonl` with `_id`, `title` and `text`, and the files
 * of {@link readQuestions}.
 *
 * @throws {CollectionError} when a line does not have that layout.
 */
export async function readCollection(folder: string): Promise<Collection> {
  const documents: CollectionDocument[] = [];
  for await (const { values, location } of readJsonLines(join(folder, "corpus.jsonl"))) {
    documents.push({
      id: requireText(values._id, `_id in ${location}`),
      title: requireText(values.title ?? "", `title in ${location}`),
      text: requireText(values.text ?? "", `text in ${location}`),
    });
  }
  return { name: basename(resolve(folder)), documents, ...(await readQuestions(folder)) };
}

/**
 * Reads a folder's `queries.jsonl` with `_id` and `text`, and all of `qrels/*.tsv`, each with a header line and then lines
 * of query, document and grade.
 *
 * @returns the queries with judgements. A query without any cannot be scored.
 */
export async function readQuestions(folder: string): Promise<Pick<Collection, "queries" | "judgements">> {
  const judgements: Judgements = new Map();
  const qrels = join(folder, "qrels");
  for (const name of (await readdir(qrels)).sort()) {
    if (name.endsWith(".tsv")) await readJudgements(join(qrels, name), judgements);
  }
  const queries: CollectionQuery[] = [];
  for await (const { values, location } of readJsonLines(join(folder, "queries.jsonl"))) {
    const query = {
      id: requireText(values._id, `_id in ${location}`),
      text: requireText(values.text, `text in ${location}`),
    };
    if (judgements.has(query.id)) queries.push(query);
  }
  return { queries, judgements };
}

/** Reads a file of `qrels` into `judgements`. */
export async function readJudgements(path: string, judgements: Judgements): Promise<void> {
  for await (const { number, text } of readLines(createReadStream(path))) {
    if (number === 1 || text.trim() === "") continue;
    const [query, document, grade] = text.split("\t");
    if (query === undefined || document === undefined || !/^-?\d+$/.test(grade ?? "")) {
      throw new CollectionError(`${path}:${number} is not query, document and a whole number, tabs between.`);
    }
    const grades = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, grades.set(document, Number(grade)));
  }
}

/** Yields the objects of a file with one JSON object a line, each with its location. */
export async function* readJsonLines(
  path: string,
): AsyncGenerator<{ values: Record<string, unknown>; location: string }> {
  for await (const { number, text } of readLines(createReadStream(path))) {
    if (text.trim() === "") continue;
    const location = `${path}:${number}`;
    yield { values: parseObject(text, location), location };
  }
}

function parseObject(text: string, location: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Text that is not JSON has the same error as JSON that is not an object.
  }
  throw new CollectionError(`${location} is not a JSON object.`);
}

function requireText(value: unknown, what: string): string {
  if (typeof value !== "string") throw new CollectionError(`${what} is not text.`);
  return value;
}
