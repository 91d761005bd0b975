import type OpenAI from "openai";
import { readRetryAfter } from "../http/headers.ts";
import { EmbeddingError, type EmbeddingFailure } from "./errors.ts";
import type { EmbeddingPlatform, EmbeddingProvider } from "./provider.ts";
import { readTokens, readVectors } from "./vector.ts";

/**
 * Provider that calls OpenAI, or any server with its embeddings protocol. Environment:
 * - `OPENAI_API_KEY`; a server of your own may not need one
 * - `OPENAI_BASE_URL`, by default OpenAI's own address
 * - `OPENAI_SEND_DIMENSIONS=false` for a server that refuses the parameter `dimensions`, and whose model returns vectors
 *   of that size without it
 *
 * @param dimensions size of the vectors.
 */
export function openaiProvider(model: string, dimensions: number, platform: EmbeddingPlatform): EmbeddingProvider {
  let client: OpenAI | undefined;
  const sendsDimensions = platform.variable("OPENAI_SEND_DIMENSIONS") !== "false";
  const size = sendsDimensions ? { dimensions } : {};
  return {
    async embed(texts, signal) {
      client ??= await createClient(platform);
      try {
        const answer = await client.embeddings.create(
          // The client would otherwise ask for base64, which not every compatible server supports.
          { model, input: [...texts], encoding_format: "float", ...size },
          { signal },
        );
        return { vectors: readVectors(answer, texts.length, dimensions), tokens: readTokens(answer) };
      } catch (error) {
        if (error instanceof EmbeddingError) throw error;
        throw (sendsDimensions && dimensionsError(error, texts, dimensions)) || toEmbeddingError(error, signal);
      }
    },
  };
}

/** Creates OpenAI's client. The package is loaded here, so that deployments that do not use it start as fast. */
async function createClient(platform: EmbeddingPlatform): Promise<OpenAI> {
  const baseURL = platform.variable("OPENAI_BASE_URL");
  const apiKey = platform.variable("OPENAI_API_KEY") ?? (baseURL === undefined ? undefined : "none");
  if (apiKey === undefined) throw new EmbeddingError("unconfigured", "OPENAI_API_KEY is not set");
  const { default: Client } = await import("openai");
  // The client's own retries wait as long as a server says, whatever the caller's deadline. Ours are in retry.ts.
  return new Client({ apiKey, ...(baseURL === undefined ? {} : { baseURL }), maxRetries: 0, logLevel: "off" });
}

/** Words in which servers refuse the parameter `dimensions`: "extra fields: dimensions", "does not support matryoshka representation". */
const aboutDimensions = /dimension|matryoshka/i;

/** The error of a server that refuses `dimensions`, or undefined where it may be about the texts, which servers may repeat. */
function dimensionsError(error: unknown, texts: readonly string[], dimensions: number): EmbeddingError | undefined {
  const { status = 0, message, error: body } = error as { status?: number; message?: string; error?: unknown };
  const words = `${message} ${JSON.stringify(body)}`;
  if (classifyStatus(status) !== "refused" || !aboutDimensions.test(words)) return undefined;
  if (texts.some((text) => aboutDimensions.test(text))) return undefined;
  return new EmbeddingError(
    "unconfigured",
    `the provider answered ${status} and seems to refuse the parameter dimensions: set OPENAI_SEND_DIMENSIONS=false if its model has ${dimensions} dimensions without it`,
  );
}

/** Words in which llama.cpp, with status 500, refuses a text that is longer than its physical batch. */
const aboutLength = /too large to process|increase the physical batch size/i;

/** Turns the client's error into ours, without the server's words: they may repeat the texts that were sent. */
function toEmbeddingError(error: unknown, signal: AbortSignal): EmbeddingError {
  if (signal.aborted) return new EmbeddingError("timeout", "the provider did not answer in time");
  const { status, headers, message = "" } = error as { status?: number; headers?: Headers; message?: string };
  if (status === 500 && aboutLength.test(message)) {
    return new EmbeddingError("refused", "the provider answered 500: a text is too long for it");
  }
  if (status !== undefined) {
    const seconds = readRetryAfter(headers?.get("retry-after"), new Date());
    const retryAfterMs = seconds === undefined ? undefined : seconds * 1000;
    return new EmbeddingError(classifyStatus(status), `the provider answered ${status}`, retryAfterMs);
  }
  if (error instanceof SyntaxError) return new EmbeddingError("invalid", "the answer is not JSON");
  return new EmbeddingError("unreachable", "the provider could not be reached, or broke off");
}

function classifyStatus(status: number): EmbeddingFailure {
  if (status === 400 || status === 413 || status === 422) return "refused";
  // 424: text-embeddings-inference, whose model failed.
  if (status === 424 || status === 500) return "failed";
  return [408, 409, 429].includes(status) || status > 500 ? "overloaded" : "unconfigured";
}
