import { fileURLToPath } from "node:url";
import type { Collection } from "./collection.ts";
import { readJsonLines, readQuestions } from "./read-collection.ts";

const questions = fileURLToPath(new URL("../../tests/relevance/assistance-programs", import.meta.url));

/**
 * Reads the federal assistance programmes as a judged collection. The questions and grades are part of this project; the
 * programmes are in a file that is not.
 *
 * @param path JSON lines with `cfda`, `title` and `objective`.
 */
export async function readAssistancePrograms(path: string): Promise<Collection> {
  const documents: Collection["documents"] = [];
  for await (const { values } of readJsonLines(path)) {
    documents.push({
      id: String(values.cfda),
      title: String(values.title ?? ""),
      text: String(values.objective ?? ""),
    });
  }
  return { name: "assistance-programs", documents, ...(await readQuestions(questions)) };
}
