import { oramaFilter } from "./filters.ts";
import { type BuildLibrary, type LibraryMode, pageSize } from "./library.ts";

/** Parts of `@orama/orama` that are used here. It is not a dependency of this project. */
interface OramaModule {
  create(options: object): object;
  insertMultiple(database: object, records: object[], batchSize: number): Promise<unknown>;
  search(database: object, query: object): Promise<{ hits: { id: string }[] }>;
}

const schema = {
  title: "string",
  description: "string",
  vector: "vector[384]",
  is_listed: "boolean",
  is_national: "boolean",
  status: "enum",
  states: "enum[]",
  categories: "enum[]",
  amount_max: "number",
  deadline: "number",
};

const modeNames: Record<LibraryMode, string> = { keyword: "fulltext", vector: "vector", hybrid: "hybrid" };

/**
 * Orama in memory, with its English stemmer and stop words. Its default minimum of similarity, 0.8, is for another kind of
 * vector and would leave no results; 0.22 is the service's own.
 */
export const buildOrama: BuildLibrary = async (load, batches) => {
  const orama = (await load("@orama/orama/dist/deno/index.js")) as OramaModule;
  const { stopwords } = (await load("@orama/stopwords/dist/en.js")) as { stopwords: string[] };
  const database = orama.create({
    schema,
    components: { tokenizer: { language: "english", stemming: true, stopWords: stopwords } },
  });
  for await (const batch of batches) {
    const records = batch.map((record) =>
      Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)),
    );
    await orama.insertMultiple(database, records, 1_000);
  }
  return {
    name: "orama",
    async search(mode, { text, vector, filter }) {
      const { hits } = await orama.search(database, {
        mode: modeNames[mode],
        ...(mode === "vector" ? {} : { term: text, properties: ["title", "description"] }),
        ...(mode === "keyword" ? {} : { vector: { value: vector, property: "vector" }, similarity: 0.22 }),
        where: oramaFilter(filter),
        limit: pageSize,
      });
      return hits.map(({ id }) => id);
    },
    close: () => Promise.resolve(),
  };
};
