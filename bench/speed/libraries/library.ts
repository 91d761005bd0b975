import type { LoadModule } from "./install.ts";

/** A record as a developer would put it into a search library: fields to search, filter and show. */
export interface LibraryRecord {
  id: string;
  title: string;
  description: string;
  /** The service's own vector, normalised, 384 numbers. */
  vector: number[];
  /** Whether a list shows it by default: an opportunity that is not archived. */
  is_listed: boolean;
  is_national: boolean;
  status: string;
  states: string[];
  /** In lower case. */
  categories: string[];
  amount_max: number | null;
  /** Days since 1970, or null. */
  deadline: number | null;
}

export type LibraryMode = "keyword" | "vector" | "hybrid";
export const libraryModes: readonly LibraryMode[] = ["keyword", "vector", "hybrid"];

export interface LibraryQuery {
  text: string;
  /** The service's vector of the query. */
  vector: number[];
  /** Filter as in the API's query string. Empty for all listed records. */
  filter: string;
}

/** A search library in this process, filled with the records. */
export interface Library {
  name: string;
  /** @returns ids of the best 20 records that pass the filter, best first. */
  search(mode: LibraryMode, query: LibraryQuery): Promise<string[]>;
  close(): Promise<void>;
}

/** Builds a library from the records. `batches` can be read once. */
export type BuildLibrary = (load: LoadModule, batches: AsyncIterable<LibraryRecord[]>) => Promise<Library>;

export const pageSize = 20;
