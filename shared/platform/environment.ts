import type { EmbeddingPlatform } from "../embeddings/provider.ts";
import { createLog } from "../log/log.ts";

/** Global objects that hold the environment, under Deno and under Node. */
interface Platform {
  Deno?: { env: { get(name: string): string | undefined } };
  process?: { env: Record<string, string | undefined> };
}

const platform = globalThis as Platform;

/** Reads an environment variable; undefined where it is not set, or empty. */
export function variable(name: string): string | undefined {
  return (platform.Deno === undefined ? platform.process?.env[name] : platform.Deno.env.get(name)) || undefined;
}

/** Platform of a process of our own, under Deno or Node: the embedded stack and the commands. It runs no embedding model. */
export const processPlatform: EmbeddingPlatform = { variable };

/** Log of an edge function. The platform collects the console's lines. */
export const edgeLog = createLog({ variable });
