import { createSupabaseClient, type DatabaseOptions } from "../../shared/database/client.ts";
import { bucketOf, type SnapshotStore } from "./store.ts";

/** Seconds in which a download must begin. */
const validForSeconds = 300;

/** Opens snapshots in a private bucket of Supabase Storage, by signed URLs. */
export function createSupabaseStore(options: DatabaseOptions): SnapshotStore {
  const { storage } = createSupabaseClient(options);
  return {
    kind: "supabase",
    async open(location, path) {
      const name = path.slice(path.indexOf("/") + 1);
      const { data, error } = await storage
        .from(bucketOf(location))
        .createSignedUrl(path, validForSeconds, { download: name });
      if (error === null) return { url: data.signedUrl };
      if (/not.?found/i.test(error.message)) return null;
      throw error;
    },
  };
}
