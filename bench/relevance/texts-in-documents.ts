import type { Collection } from "./collection.ts";
import type { Notices } from "./notices.ts";

/** Sentences of its text that a record keeps, and words of a passage. */
const keptSentences = 2;
const passageWords = 200;

/** The collection with each text as the document of its record, which keeps the title and two sentences. */
export function withTextsInDocuments(collection: Collection): Collection & Pick<Notices, "records" | "passages"> {
  const { name, documents } = collection;
  const records = documents.map((document) => ({ ...document, text: beginningOf(document.text) }));
  const passages = documents.flatMap(({ id, text }) =>
    passagesOf(text).map((passage, index) => ({ id: `${id}:${index + 1}`, title: "", text: passage })),
  );
  return { ...collection, name: `${name}, texts in documents`, documents: records, records, passages };
}

function beginningOf(text: string): string {
  return text
    .split(/(?<=[.!?])\s/)
    .slice(0, keptSentences)
    .join(" ");
}

function passagesOf(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return Array.from({ length: Math.ceil(words.length / passageWords) }, (_, index) =>
    words.slice(index * passageWords, (index + 1) * passageWords).join(" "),
  );
}
