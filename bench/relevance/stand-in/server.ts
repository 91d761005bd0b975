import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod";
import type { StandInModel } from "./model.ts";

/** Limits of a request, as OpenAI has them. */
const maxTexts = 2_048;
const maxCharacters = 32_000;

const bodySchema = z.object({
  input: z.union([z.string(), z.array(z.string()).min(1).max(maxTexts)]),
  model: z.string(),
  dimensions: z.int().positive().optional(),
  encoding_format: z.enum(["float", "base64"]).optional(),
});

/** A server with OpenAI's embeddings protocol. */
export interface StandInServer {
  /** For `OPENAI_BASE_URL`. */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves a stand-in model on this machine alone.
 *
 * @param port 0 for any.
 */
export async function serveStandIn(model: StandInModel, port = 0): Promise<StandInServer> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const refuse = (status: number, message: string) =>
      answer(status, { error: { message, type: "invalid_request_error" } });
    if (request.method !== "POST" || request.url !== "/v1/embeddings")
      return refuse(404, "There is POST /v1/embeddings alone.");
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const parsed = bodySchema.safeParse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      if (!parsed.success) return refuse(400, z.prettifyError(parsed.error));
      const { input, dimensions = model.size, encoding_format = "float" } = parsed.data;
      const texts = typeof input === "string" ? [input] : input;
      if (dimensions > model.size) return refuse(400, `dimensions must be ${model.size} or fewer.`);
      const long = texts.findIndex(({ length }) => length > maxCharacters);
      if (long >= 0) return refuse(400, `input ${long} is longer than ${maxCharacters} characters.`);
      const vectors = (await model.embed(texts)).map((vector) => unitLength(vector.slice(0, dimensions)));
      const tokens = texts.reduce((sum, { length }) => sum + Math.ceil(length / 4), 0);
      answer(200, {
        object: "list",
        model: parsed.data.model,
        data: vectors.map((vector, index) => ({
          object: "embedding",
          index,
          embedding:
            encoding_format === "float" ? vector : Buffer.from(Float32Array.from(vector).buffer).toString("base64"),
        })),
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      });
    } catch (error) {
      refuse(error instanceof SyntaxError ? 400 : 500, (error as Error).message);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function unitLength(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
