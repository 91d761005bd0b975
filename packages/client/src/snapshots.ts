import { type FetchResult, readBody, readFound } from "./answers.ts";
import type { RequestOptions } from "./collection.ts";
import { checkId } from "./options.ts";
import type { Snapshot } from "./types.ts";

/** Published snapshots of the catalogue. */
export interface Snapshots {
  /** Lists the published snapshots, newest first, 100 at most. */
  list(options?: RequestOptions): Promise<Snapshot[]>;
  /** Describes a snapshot, by default the newest. Undefined when there is none. @throws TypeError when the id is empty. */
  get(id?: string, options?: RequestOptions): Promise<Snapshot | undefined>;
  /** Downloads a file of a snapshot, compressed with gzip as it is. Compare its SHA-256 with that in `files`. @throws ProblemError when there is none. */
  download(id: string, file: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array>>;
}

interface Routes {
  list(options: RequestOptions): Promise<FetchResult<{ results: Snapshot[] }>>;
  get(id: string, options: RequestOptions): Promise<FetchResult<Snapshot>>;
  download(id: string, file: string, options: RequestOptions): Promise<FetchResult<ReadableStream<Uint8Array> | null>>;
}

export function createSnapshots(routes: Routes): Snapshots {
  return {
    list: async (options = {}) => readBody(await routes.list(options)).results,
    async get(id = "latest", options = {}) {
      return readFound(await routes.get(checkId(id), options));
    },
    async download(id, file, options = {}) {
      const stream = readBody(await routes.download(checkId(id), checkId(file, "file"), options));
      if (stream === null) throw new TypeError("the answer has no body");
      return stream;
    },
  };
}
