import type { Admitted, RpcClient, RpcOutcome } from "../database/rpc.ts";
import type { QueryEmbedder } from "../embeddings/query-embedder.ts";
import type { Outcome } from "../http/problems.ts";
import type { RecentLists } from "./recent-lists.ts";

/** What a route makes of the database's body: a value to send as JSON, or text. */
export interface Answer {
  body?: unknown;
  /** In place of `body`: that JSON, or text whose type is among the headers. */
  text?: string;
  /** In place of `body`: text that is still being made. Its type is among the headers. */
  stream?: AsyncGenerator<string>;
  /** Defaults to 200. */
  status?: 200 | 201;
  headers?: Record<string, string>;
  /** Links beside the one to the API's description, as in a Link header (RFC 8288). */
  links?: string[];
  /** Give the answer an entity tag and honour If-None-Match. */
  tagged?: boolean;
}

/** What a route asks with. */
export interface AskContext {
  database: RpcClient;
  embeddings: QueryEmbedder;
  lists: RecentLists;
  /** Whose request it is: the key's SHA-256. */
  keyHash: string;
  /** Tells the operator of something that went wrong without failing the request. */
  warn(warning: string): void;
}

/** What a route may want to know when it shows its answer. */
export interface ShowContext {
  /** Milliseconds since the request came in. */
  elapsedMs: number;
  documentationUrl: string | undefined;
}

/** One route of an endpoint, in the order in which a request passes through it. */
export interface Route<Input = unknown, Body = unknown> {
  method: "GET" | "POST";
  /** What follows the function's name: nothing, or one segment. */
  path: "" | "/{id}";
  /** Reads and checks what the request asks. */
  read(request: Request, id: string): Promise<Outcome<Input>> | Outcome<Input>;
  /** Asks the database: one round trip that admits the caller and answers, but for `askWithMeaning`. */
  ask(context: AskContext, input: Input): Promise<RpcOutcome<Admitted<Body>>>;
  /** Shows the answer, or null when there is no such record. */
  show(body: Body, input: Input, context: ShowContext): Answer | null;
}

/** Checks that a route's parts agree, then forgets their types, so that unlike routes share a list. */
export function route<Input, Body>(definition: Route<Input, Body>): Route {
  return definition as unknown as Route;
}
