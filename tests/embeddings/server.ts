import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defaultSize } from "../../shared/embeddings/vector.ts";

/** A request that the server got. */
export interface SeenRequest {
  texts: string[];
  model: string;
  dimensions: number | undefined;
  headers: IncomingHttpHeaders;
  at: number;
}

/** The server's behaviour for one request. */
export type Behaviour = (seen: SeenRequest, response: ServerResponse) => void;

let billed = 0;

/** A server on this machine that speaks OpenAI's embeddings protocol, and misbehaves when told to. */
export interface EmbeddingServer {
  /** For OPENAI_BASE_URL. */
  url: string;
  requests: SeenRequest[];
  /** Tokens of all right answers: a third of the texts' characters. */
  billed(): number;
  /** Behaviour from now on, unless `next` has another. */
  always(behaviour: Behaviour): void;
  /** Behaviours of the next requests, one each. */
  next(...behaviours: Behaviour[]): void;
  /** Forgets what was asked, and is right again. */
  reset(): void;
  close(): Promise<void>;
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: SeenRequest[] = [];
  let usual = right;
  let queue: Behaviour[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
        input: string[];
        model: string;
        dimensions?: number;
      };
      if (request.method !== "POST" || request.url !== "/v1/embeddings") return respond(response, 404, {});
      const seen = {
        texts: body.input,
        model: body.model,
        dimensions: body.dimensions,
        headers: request.headers,
        at: Date.now(),
      };
      requests.push(seen);
      (queue.shift() ?? usual)(seen, response);
    });
  });
  // A client's kept connection would be closed at the moment of its next request, where a test takes five seconds.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    billed: () => billed,
    always(behaviour) {
      usual = behaviour;
    },
    next(...behaviours) {
      queue = [...queue, ...behaviours];
    },
    reset() {
      requests.length = 0;
      billed = 0;
      queue = [];
      usual = right;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export const right: Behaviour = ({ texts, dimensions }, response) => {
  const tokens = texts.reduce((sum, { length }) => sum + Math.ceil(length / 3), 0);
  billed += tokens;
  answer(
    response,
    texts.map((text) => vectorOf(text, dimensions)),
    tokens,
  );
};

/** The items in another order, each with the index of its text. */
export const shuffled: Behaviour = ({ texts }, response) => {
  const items = texts.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
  respond(response, 200, { object: "list", data: items.reverse() });
};

/** One vector fewer than asked. */
export const short: Behaviour = ({ texts }, response) =>
  answer(
    response,
    texts.slice(1).map((text) => vectorOf(text)),
  );

/** The right number of items, two of them for the same text. */
export const repeated: Behaviour = ({ texts }, response) => {
  const data = texts.map((text) => ({ object: "embedding", index: 0, embedding: vectorOf(text) }));
  respond(response, 200, { object: "list", data: [...data, ...(data.length === 1 ? data : [])] });
};

/** Vectors of another model's size. */
export const otherDimensions: Behaviour = ({ texts }, response) =>
  answer(
    response,
    texts.map(() => Array(768).fill(0.1)),
  );

/** Vectors that are not made of numbers: what a NaN becomes in JSON. */
export const notNumbers: Behaviour = ({ texts }, response) =>
  answer(
    response,
    texts.map(() => Array(defaultSize).fill(null)),
  );

/** Numbers too large for a double, which JSON.parse makes Infinity. */
export const infinite: Behaviour = ({ texts }, response) => {
  const embedding = `[${Array(defaultSize).fill("1e999").join(",")}]`;
  const data = texts.map((_, index) => `{"index":${index},"embedding":${embedding}}`).join(",");
  response.writeHead(200, { "content-type": "application/json" }).end(`{"data":[${data}]}`);
};

export const nullVector: Behaviour = ({ texts }, response) =>
  answer(
    response,
    texts.map(() => Array(defaultSize).fill(0)),
  );

export const garbage: Behaviour = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end('{"data": [{"embed');
};

export const html: Behaviour = (_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome to the proxy</h1>");
};

/** Closes the connection without an answer. */
export const resets: Behaviour = (_, response) => {
  response.destroy();
};

/** Begins an answer, and closes the connection in the middle. */
export const breaksOff: Behaviour = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100000" }).write('{"data":');
  setTimeout(() => response.destroy(), 20);
};

/** Takes the request and never answers. */
export const hangs: Behaviour = () => undefined;

/** Sends a character now and then, without an end. */
export const drips: Behaviour = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

/** An error whose text repeats the key that it was sent, beside a message. */
export function failWith(status: number, headers: Record<string, string> = {}, words: unknown = "no"): Behaviour {
  return (seen, response) =>
    respond(
      response,
      status,
      {
        error: { message: `${JSON.stringify(words)}: ${seen.headers.authorization}`, code: seen.headers.authorization },
      },
      headers,
    );
}

export function answer(response: ServerResponse, vectors: number[][], tokens = 1): void {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  respond(response, 200, { object: "list", data, usage: { prompt_tokens: tokens, total_tokens: tokens } });
}

export function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/**
 * A vector that stands for a text: each word of its first line, which is a record's title, adds a direction of its
 * own. Two texts are the more alike the more of those words they share.
 */
export function vectorOf(text: string, size: number = defaultSize): number[] {
  const vector = new Array<number>(size).fill(0);
  const [firstLine = ""] = text.split("\n");
  for (const word of firstLine.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["(nothing)"]) {
    let state = 2166136261;
    for (const letter of word) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
    for (let index = 0; index < size; index++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      vector[index] = (vector[index] ?? 0) + (state & 1 ? 1 : -1);
    }
  }
  return vector;
}
