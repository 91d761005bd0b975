import { createHash } from "node:crypto";
import type { Collection, CollectionDocument, CollectionQuery, Judgements } from "./collection.ts";

/**
 * Makes one collection of several: the documents of all are in one index, and a query's relevant documents are those of its own
 * collection. A real catalogue is such a mix, and a decomposition of unlike records has fewer dimensions for each kind of them.
 */
export function mixCollections(collections: readonly Collection[]): Collection {
  const mix: Collection = { name: "mix", documents: [], queries: [], judgements: new Map() };
  for (const { name, documents, queries, judgements } of collections) {
    for (const document of documents) mix.documents.push({ ...document, id: `${name}/${document.id}` });
    for (const query of queries) mix.queries.push({ ...query, id: `${name}/${query.id}` });
    for (const [query, grades] of judgements) {
      mix.judgements.set(
        `${name}/${query}`,
        new Map([...grades].map(([document, grade]) => [`${name}/${document}`, grade])),
      );
    }
  }
  return mix;
}

/** Number of documents that lose their title, and that lose a passage. */
const knownItems = 200;
/** Words of a title or a passage that can name a document. */
const minTitleWords = 4;
const passageWords = { min: 8, max: 30 };
/** Words that have to remain, so that the document can still be found. */
const minRemainingWords = 40;

/**
 * Makes a known-item test of a collection: a query is the title or a sentence of one document, which is taken out of the
 * document, and that document is the only relevant one. The choice of documents depends on their ids alone, so it is the same
 * each time.
 */
export function makeKnownItems({ documents }: Collection): Collection {
  const queries: CollectionQuery[] = [];
  const judgements: Judgements = new Map();
  const changed = new Map<string, CollectionDocument>();
  const ask = (kind: string, document: CollectionDocument, text: string, rest: CollectionDocument) => {
    const id = `${kind}:${document.id}`;
    queries.push({ id, text });
    judgements.set(id, new Map([[document.id, 1]]));
    changed.set(document.id, rest);
  };

  const shuffled = [...documents].sort((one, other) => compare(hash(one.id), hash(other.id)));
  for (const document of shuffled) {
    if (queries.length === knownItems) break;
    const { title, text } = document;
    if (wordsOf(title) >= minTitleWords && wordsOf(text) >= minRemainingWords) {
      ask("title", document, title, { ...document, title: "", text: withoutTitle(text, title) });
    }
  }
  const titled = queries.length;
  for (const document of shuffled) {
    if (queries.length === titled + knownItems) break;
    const passage = changed.has(document.id) ? undefined : findPassage(document.text);
    if (passage !== undefined) {
      ask("passage", document, passage, { ...document, text: document.text.replace(passage, " ") });
    }
  }
  return {
    name: "known-items",
    documents: documents.map((document) => changed.get(document.id) ?? document),
    queries,
    judgements,
  };
}

/** Some collections repeat the title at the beginning of the text. */
function withoutTitle(text: string, title: string): string {
  return text.startsWith(title) ? text.slice(title.length) : text;
}

/** The sentence in the middle of a text, or undefined where that is too short, too long, or the rest too little. */
function findPassage(text: string): string | undefined {
  const sentences = text.split(/(?<=[.!?;])\s+/);
  const passage = sentences[Math.floor(sentences.length / 2)] ?? "";
  const words = wordsOf(passage);
  const isUsable = words >= passageWords.min && words <= passageWords.max;
  return isUsable && wordsOf(text) - words >= minRemainingWords ? passage : undefined;
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

const hash = (id: string) => createHash("sha256").update(id).digest("hex");
const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
