import type OpenAI from "openai";
import { vectorsIn } from "./answer.ts";
import { EmbeddingError, type EmbeddingFailure } from "./errors.ts";
import type { EmbeddingPlatform, EmbeddingProvider } from "./provider.ts";
import { dimensions } from "./vector.ts";

/**
 * OpenAI, or any server that speaks its embeddings protocol. Of the environment:
 * - `OPENAI_API_KEY`, which a server of one's own may not need
 * - `OPENAI_BASE_URL`, by default OpenAI's own address
 * - `OPENAI_SEND_DIMENSIONS=false` for a server that refuses to be told the number of dimensions, and has a model
 *   that gives 384 without
 */
export function openaiProvider(model: string, platform: EmbeddingPlatform): EmbeddingProvider {
  let client: OpenAI | undefined;
  const sized = platform.variable("OPENAI_SEND_DIMENSIONS") === "false" ? {} : { dimensions };
  return {
    async embed(texts, signal) {
      client ??= await connect(platform);
      try {
        const answer = await client.embeddings.create(
          // The client would otherwise ask for base64, which not every compatible server can.
          { model, input: [...texts], encoding_format: "float", ...sized },
          { signal },
        );
        return vectorsIn(answer, texts.length);
      } catch (error) {
        throw error instanceof EmbeddingError ? error : explained(error, signal);
      }
    },
  };
}

/** The package is loaded at the first use, so that deployments without it start no slower. */
async function connect(platform: EmbeddingPlatform): Promise<OpenAI> {
  const baseURL = platform.variable("OPENAI_BASE_URL");
  const apiKey = platform.variable("OPENAI_API_KEY") ?? (baseURL === undefined ? undefined : "none");
  if (apiKey === undefined) throw new EmbeddingError("unconfigured", "OPENAI_API_KEY is not set");
  const { default: Client } = await import("openai");
  // Its own retries sleep for as long as a server says, whatever the caller's deadline; ours are in retry.ts.
  return new Client({ apiKey, ...(baseURL === undefined ? {} : { baseURL }), maxRetries: 0, logLevel: "off" });
}

/** What the client throws, without the server's words: they may repeat what it was sent. */
function explained(error: unknown, signal: AbortSignal): EmbeddingError {
  if (signal.aborted) return new EmbeddingError("timeout", "the provider did not answer in time");
  const { status, headers } = error as { status?: number; headers?: Headers };
  if (status !== undefined) {
    return new EmbeddingError(failureOf(status), `the provider answered ${status}`, retryAfterMs(headers));
  }
  if (error instanceof SyntaxError) return new EmbeddingError("invalid", "the answer is not JSON");
  return new EmbeddingError("unreachable", "the provider could not be reached, or broke off");
}

function failureOf(status: number): EmbeddingFailure {
  if (status === 400 || status === 413 || status === 422) return "refused";
  return status === 408 || status === 409 || status === 429 || status >= 500 ? "overloaded" : "unconfigured";
}

/** RFC 9110: seconds, or a date. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const text = headers?.get("retry-after");
  if (text === null || text === undefined) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
