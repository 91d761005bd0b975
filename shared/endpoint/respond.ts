import {
  type Allowance,
  corsHeaders,
  descriptionLink,
  entityTag,
  isNotModified,
  rateLimitHeaders,
  safetyHeaders,
  transportSecurity,
} from "../http/headers.ts";
import { type Problem, problemStatus } from "../http/problems.ts";
import { redact } from "../log/redact.ts";
import type { RequestContext } from "./request-context.ts";

/** A rendered answer: a value to send as JSON, a text, or a stream. */
export interface Answer {
  body?: unknown;
  /** In place of `body`: bytes, with all headers that describe them; null where none are sent. */
  bytes?: ReadableStream<Uint8Array> | null;
  /** In place of `body`: its JSON, or text whose type is among the headers. */
  text?: string;
  /** In place of `body`: JSON that is always the same, with its tag. It is made once. */
  constant?: ConstantBody;
  /** In place of `body`: makes a body that is made while it is sent. Its type is among the headers. Not called for HEAD. */
  stream?: () => ReadableStream<Uint8Array>;
  /** By default 200. */
  status?: 200 | 201 | 206 | 302 | 304 | 404;
  headers?: Record<string, string>;
  /** Links beside the one to the API's description, as in a Link header (RFC 8288). */
  links?: string[];
  /** Request headers that choose the answer, beside those that always do. */
  varies?: string[];
  /** Sends an entity tag and answers If-None-Match. */
  hasEntityTag?: boolean;
}

/** JSON that is the same in every answer, with its entity tag: both are made at the first request, and kept. */
export class ConstantBody {
  readonly #value: unknown;
  #made: Promise<{ bytes: Uint8Array<ArrayBuffer>; tag: string }> | undefined;

  constructor(value: unknown) {
    this.#value = value;
  }

  /** Its bytes and its entity tag. */
  read(): Promise<{ bytes: Uint8Array<ArrayBuffer>; tag: string }> {
    this.#made ??= this.#make();
    return this.#made;
  }

  async #make() {
    const text = JSON.stringify(this.#value);
    return { bytes: new TextEncoder().encode(text), tag: await entityTag(text) };
  }
}

/** `Vary` of an answer that differs by the caller, and by what more is named. Any server on the way may compress it. */
function varying({ keyHeader }: RequestContext, ...more: string[]): string {
  return ["Authorization", ...(keyHeader === undefined ? [] : [keyHeader]), ...more, "Accept-Encoding"].join(", ");
}

/** Headers that every response has, whatever its status. */
function commonHeaders(context: RequestContext, admission: Allowance | undefined) {
  return {
    ...corsHeaders,
    ...rateLimitHeaders(admission),
    "X-Request-Id": context.requestId,
    Link: descriptionLink,
    ...safetyHeaders,
    ...transportSecurity(context.request),
    "Cache-Control": "private, no-cache",
    Vary: varying(context),
  };
}

/** Time spent, by span. Omitted on 401: timing could reveal whether a key exists. */
function timingHeaders(context: RequestContext) {
  return { "Server-Timing": context.serverTiming };
}

/** Sends a failure, in the function's format. It may repeat what the client wrote, but no secret: problems get logged and passed on. */
export function respondProblem(context: RequestContext, problem: Problem, admission?: Allowance): Response {
  const { request, requestId, errorFormat } = context;
  context.problem = problem.name;
  const status = problemStatus(problem.name);
  const body = redact(JSON.stringify(errorFormat.body(problem, new URL(request.url).pathname, requestId)));
  return new Response(bodyFor(context, body), {
    status,
    headers: {
      ...commonHeaders(context, admission),
      ...(status === 401 ? {} : timingHeaders(context)),
      "Content-Type": errorFormat.contentType,
      ...lengthFor(context, body),
      ...problem.headers,
    },
  });
}

/** Sends an answer, or 304 where the client has it already. */
export async function respondAnswer(context: RequestContext, answer: Answer, admission?: Allowance): Promise<Response> {
  const { Link, ...common } = commonHeaders(context, admission);
  const headers: Record<string, string> = {
    ...common,
    ...timingHeaders(context),
    Link: [Link, ...(answer.links ?? [])].join(", "),
    "Content-Type": "application/json; charset=utf-8",
    Vary: varying(context, ...(answer.varies ?? [])),
    ...answer.headers,
  };
  if (answer.stream !== undefined) {
    return new Response(context.request.method === "HEAD" ? null : answer.stream(), { headers });
  }
  if (answer.bytes !== undefined) {
    if (answer.headers?.["Content-Type"] === undefined) delete headers["Content-Type"];
    return new Response(answer.bytes, { status: answer.status ?? 200, headers });
  }
  const constant = await answer.constant?.read();
  const body = constant?.bytes ?? answer.text ?? JSON.stringify(answer.body);
  const tag = constant?.tag ?? (answer.hasEntityTag === true ? await entityTag(String(body)) : undefined);
  if (tag !== undefined) {
    headers.ETag = tag;
    if (isNotModified(context.request.headers.get("if-none-match"), tag)) {
      delete headers["Content-Type"];
      return new Response(null, { status: 304, headers });
    }
  }
  return new Response(bodyFor(context, body), {
    status: answer.status ?? 200,
    headers: { ...headers, ...lengthFor(context, body) },
  });
}

/** Sends an answer without content: to a preflight, for example. */
export function respondEmpty(context: RequestContext, headers: Record<string, string>): Response {
  return new Response(null, { status: 204, headers: { ...commonHeaders(context, undefined), ...headers } });
}

/** HEAD has the headers of GET, Content-Length included, and no body. */
function bodyFor<Body extends string | Uint8Array<ArrayBuffer>>(context: RequestContext, body: Body): Body | null {
  return context.request.method === "HEAD" ? null : body;
}

function lengthFor({ request }: RequestContext, body: string | Uint8Array): Record<string, string> {
  if (request.method !== "HEAD") return {};
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { "Content-Length": String(bytes.byteLength) };
}
