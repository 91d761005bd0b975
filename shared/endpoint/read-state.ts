import { KeyHashes } from "../auth/credential.ts";
import type { RpcClient } from "../database/rpc.ts";
import type { EmbeddingPlatform } from "../embeddings/provider.ts";
import type { QueryEmbedder } from "../embeddings/query-embedder.ts";
import type { Log } from "../log/log.ts";
import { StreamLimit } from "../overload/stream-limit.ts";
import type { ReadRuntime, Runtime } from "../runtime.ts";
import { UsageRecorder } from "../usage/recorder.ts";
import { ListCache } from "./list-cache.ts";

/** Members of a `ReadRuntime` beside those that every function has. */
export type ReadState = Omit<ReadRuntime, keyof Runtime>;

/** Makes what the endpoints that read data keep from request to request. */
export function createReadState(platform: EmbeddingPlatform & { database: RpcClient; log: Log }): ReadState {
  return {
    streams: new StreamLimit(),
    embeddings: createLazyEmbedder(platform),
    lists: new ListCache(),
    keyHashes: new KeyHashes(),
    usage: new UsageRecorder(platform.database, platform.log),
    documentationUrl: platform.variable("DOCUMENTATION_URL"),
  };
}

/** Query embedder whose code is loaded when the database first wants an embedding: most deployments have no external model. */
function createLazyEmbedder(platform: EmbeddingPlatform): QueryEmbedder {
  let loaded: QueryEmbedder | undefined;
  return {
    getCached: (query) => loaded?.getCached(query),
    async embed(query, wanted) {
      const { createQueryEmbedder } = await import("../embeddings/query-embedder.ts");
      loaded ??= createQueryEmbedder(platform);
      return loaded.embed(query, wanted);
    },
  };
}
