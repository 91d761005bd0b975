import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lancedbFilter } from "./filters.ts";
import { type BuildLibrary, type LibraryRecord, pageSize } from "./library.ts";

/** Parts of `@lancedb/lancedb` that are used here. It is not a dependency of this project. */
interface LanceModule {
  connect(path: string): Promise<LanceDatabase>;
  Index: Record<"fts" | "hnswSq" | "bitmap" | "labelList" | "btree", (options?: object) => unknown>;
  rerankers: { RRFReranker: { create(): Promise<unknown> } };
}
interface LanceDatabase {
  createTable(name: string, rows: unknown[], options: { schema: unknown }): Promise<LanceTable>;
}
interface LanceTable {
  add(rows: unknown[]): Promise<unknown>;
  createIndex(column: string, options: { config: unknown }): Promise<void>;
  optimize(): Promise<unknown>;
  query(): LanceQuery;
  close(): void;
}
interface LanceQuery {
  fullTextSearch(text: string, options: { columns: string[] }): LanceQuery;
  nearestTo(vector: number[]): LanceQuery;
  rerank(reranker: unknown): LanceQuery;
  where(filter: string): LanceQuery;
  select(columns: string[]): LanceQuery;
  limit(count: number): LanceQuery;
  toArray(): Promise<{ id: string }[]>;
}

/** Parts of `apache-arrow`, the format of LanceDB's tables, that are used here. */
interface ArrowModule {
  Schema: new (fields: unknown[]) => unknown;
  Field: new (name: string, type: unknown, nullable: boolean) => unknown;
  FixedSizeList: new (size: number, item: unknown) => unknown;
  List: new (item: unknown) => unknown;
  Utf8: new () => unknown;
  Bool: new () => unknown;
  Float32: new () => unknown;
  Float64: new () => unknown;
}

/**
 * LanceDB on disk, set up for hybrid search as its documentation says: a stemmed full-text index of title and
 * description, an HNSW index of the vectors, both legs fused by its reciprocal rank reranker, and an index for each
 * filter.
 */
export const buildLanceDb: BuildLibrary = async (load, batches) => {
  // It warns of columns that a later version will return only on request.
  process.env.LANCEDB_LOG ??= "error";
  const lance = (await load("@lancedb/lancedb/dist/index.js")) as LanceModule;
  const schema = makeSchema((await load("apache-arrow/Arrow.node.js")) as ArrowModule);
  const folder = await mkdtemp(join(tmpdir(), "bench-lancedb-"));
  const database = await lance.connect(folder);
  let table: LanceTable | undefined;
  for await (const batch of batches) {
    const rows = batch.map(toRow);
    if (table === undefined) table = await database.createTable("grants", rows, { schema });
    else await table.add(rows);
  }
  if (table === undefined) throw new Error("LanceDB takes no table without records");
  const grants = table;
  const { Index } = lance;
  await grants.createIndex("text", { config: Index.fts({ stem: true, removeStopWords: true, asciiFolding: true }) });
  await grants.createIndex("vector", { config: Index.hnswSq({ distanceType: "cosine" }) });
  for (const column of ["is_listed", "is_national", "status"]) {
    await grants.createIndex(column, { config: Index.bitmap() });
  }
  for (const column of ["states", "categories"]) await grants.createIndex(column, { config: Index.labelList() });
  for (const column of ["amount_max", "deadline"]) await grants.createIndex(column, { config: Index.btree() });
  await grants.optimize();
  const reranker = await lance.rerankers.RRFReranker.create();

  return {
    name: "lancedb",
    async search(mode, { text, vector, filter }) {
      let query = grants.query();
      if (mode !== "keyword") query = query.nearestTo(vector);
      if (mode !== "vector") query = query.fullTextSearch(text, { columns: ["text"] });
      if (mode === "hybrid") query = query.rerank(reranker);
      const found = await query
        .where(lancedbFilter(filter))
        .select(["id", "title", "description"])
        .limit(pageSize)
        .toArray();
      return found.map(({ id }) => id);
    },
    async close() {
      grants.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Makes the schema explicitly: it cannot be inferred from a first record without a state or an amount. */
function makeSchema(arrow: ArrowModule): unknown {
  const { Schema, Field, FixedSizeList, List, Utf8, Bool, Float32, Float64 } = arrow;
  const column = (type: unknown) => (name: string) => new Field(name, type, true);
  return new Schema([
    ...["id", "title", "description", "text", "status"].map(column(new Utf8())),
    column(new FixedSizeList(384, new Field("item", new Float32(), true)))("vector"),
    ...["is_listed", "is_national"].map(column(new Bool())),
    ...["states", "categories"].map(column(new List(new Field("item", new Utf8(), true)))),
    ...["amount_max", "deadline"].map(column(new Float64())),
  ]);
}

function toRow(record: LibraryRecord) {
  return { ...record, text: `${record.title} ${record.description}` };
}
