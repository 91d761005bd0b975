import { createRpcClient } from "../database/client.ts";
import type { RpcClient } from "../database/rpc.ts";
import type { LocalModel } from "../embeddings/provider.ts";
import { createQueryEmbedder, type QueryEmbedder } from "../embeddings/query-embedder.ts";
import type { Runtime } from "../runtime.ts";

/** What the edge runtime, Deno and Node offer under these names, where they do. */
interface Platform {
  EdgeRuntime?: { waitUntil(work: Promise<unknown>): void };
  Supabase?: { ai: { Session: new (model: string) => LocalModel } };
  Deno?: { env: { get(name: string): string | undefined } };
  process?: { env: Record<string, string | undefined> };
}

const platform = globalThis as Platform;
let database: RpcClient | undefined;
let embeddings: QueryEmbedder | undefined;

/**
 * The runtime of a Supabase Edge Function, made of its environment:
 * `SUPABASE_URL`, and the service key in `SUPABASE_SECRET_KEYS` (JSON, member `default`),
 * `SUPABASE_SECRET_KEY` or `SUPABASE_SERVICE_ROLE_KEY`, whichever comes first. `DOCUMENTATION_URL`,
 * where set, is the address of docs/api.md as published. An embedding provider reads variables of its own.
 *
 * @throws when the environment lacks them: the deployment is not complete.
 */
export function edgeRuntime(): Runtime {
  database ??= createRpcClient({ url: required("SUPABASE_URL"), serviceKey: serviceKey() });
  embeddings ??= createQueryEmbedder(edgePlatform());
  return { database, embeddings, waitUntil, documentationUrl: environment("DOCUMENTATION_URL") };
}

function edgePlatform() {
  const ai = platform.Supabase?.ai;
  const variable = (name: string) => environment(name) || undefined;
  return ai === undefined ? { variable } : { variable, localModel: (name: string) => new ai.Session(name) };
}

function waitUntil(work: Promise<unknown>): void {
  // Without EdgeRuntime the process simply stays, and the work with it.
  platform.EdgeRuntime?.waitUntil(work);
}

function serviceKey(): string {
  const named = environment("SUPABASE_SECRET_KEYS");
  if (named !== undefined) {
    const { default: key } = JSON.parse(named) as { default?: string };
    if (key !== undefined) return key;
  }
  return environment("SUPABASE_SECRET_KEY") ?? required("SUPABASE_SERVICE_ROLE_KEY");
}

function environment(name: string): string | undefined {
  return platform.Deno === undefined ? platform.process?.env[name] : platform.Deno.env.get(name);
}

function required(name: string): string {
  const value = environment(name);
  if (value === undefined || value === "") throw new Error(`the environment variable ${name} is not set`);
  return value;
}
