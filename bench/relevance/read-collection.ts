import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { readLines } from "../../ingest/read/lines.ts";
import type { Collection, CollectionDocument, CollectionQuery, Judgements } from "./collection.ts";

/** A file of a collection is not what it should be. */
export class CollectionError extends Error {}

/**
 * Reads a folder in the layout of BEIR (Thakur et al., 2021): `corpus.jsonl` with `_id`, `title` and
 * `text`, and what {@link readQuestions} reads.
 *
 * @throws {CollectionError} when a line is not what the layout says.
 */
export async function readCollection(folder: string): Promise<Collection> {
  const documents: CollectionDocument[] = [];
  for await (const { values, place } of readJsonLines(join(folder, "corpus.jsonl"))) {
    documents.push({
      id: textOf(values._id, `_id in ${place}`),
      title: textOf(values.title ?? "", `title in ${place}`),
      text: textOf(values.text ?? "", `text in ${place}`),
    });
  }
  return { name: basename(resolve(folder)), documents, ...(await readQuestions(folder)) };
}

/**
 * Reads a folder's `queries.jsonl` with `_id` and `text`, and all of `qrels/*.tsv`, each with a line
 * of headings and then query, document and grade.
 *
 * @returns the queries that have judgements; a query without any cannot be scored.
 */
export async function readQuestions(folder: string): Promise<Pick<Collection, "queries" | "judgements">> {
  const judgements: Judgements = new Map();
  const qrels = join(folder, "qrels");
  for (const name of (await readdir(qrels)).sort()) {
    if (name.endsWith(".tsv")) await readJudgements(join(qrels, name), judgements);
  }
  const queries: CollectionQuery[] = [];
  for await (const { values, place } of readJsonLines(join(folder, "queries.jsonl"))) {
    const query = { id: textOf(values._id, `_id in ${place}`), text: textOf(values.text, `text in ${place}`) };
    if (judgements.has(query.id)) queries.push(query);
  }
  return { queries, judgements };
}

async function readJudgements(path: string, judgements: Judgements): Promise<void> {
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

/** The objects of a file with one a line, and where each stands. */
export async function* readJsonLines(path: string): AsyncGenerator<{ values: Record<string, unknown>; place: string }> {
  for await (const { number, text } of readLines(createReadStream(path))) {
    if (text.trim() === "") continue;
    const place = `${path}:${number}`;
    yield { values: objectOf(text, place), place };
  }
}

function objectOf(text: string, place: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not JSON at all: the same complaint as for JSON that is not an object.
  }
  throw new CollectionError(`${place} is not a JSON object.`);
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== "string") throw new CollectionError(`${what} is not text.`);
  return value;
}
