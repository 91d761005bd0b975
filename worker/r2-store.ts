import type { ByteRange, SnapshotStore } from "../functions/snapshots/store.ts";

/** The part of a Worker's R2 binding that is used here. */
export interface R2Bucket {
  get(key: string, options?: { range?: ByteRange }): Promise<{ body: ReadableStream<Uint8Array> } | null>;
}

/** Opens snapshots in the R2 bucket that the Worker is bound to. */
export function createR2Store(bucket: R2Bucket): SnapshotStore {
  return {
    kind: "r2",
    async open(_location, path, range) {
      const object = await bucket.get(path, range === undefined ? {} : { range });
      return object === null ? null : { bytes: object.body };
    },
  };
}
