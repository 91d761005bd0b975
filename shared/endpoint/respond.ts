import type { Admission } from "../database/rpc.ts";
import { entityTag, isNotModified } from "../http/etag.ts";
import { corsHeaders, descriptionLink, rateLimitHeaders, safetyHeaders, transportSecurity } from "../http/headers.ts";
import { type Problem, problemBody, problemStatus } from "../http/problems.ts";
import { redacted } from "../log/redact.ts";
import type { Exchange } from "./exchange.ts";
import type { Answer } from "./route.ts";

/** The part of an admission that the rate-limit headers tell. */
export type Allowance = Pick<Admission, "daily_quota" | "remaining">;

/** Headers that every response has, whatever its status. */
function commonHeaders(exchange: Exchange, admission: Allowance | undefined) {
  return {
    ...corsHeaders,
    ...rateLimitHeaders(admission),
    "X-Request-Id": exchange.requestId,
    Link: descriptionLink,
    ...safetyHeaders,
    ...transportSecurity(exchange.request),
    "Cache-Control": "private, no-cache",
    Vary: "Authorization",
  };
}

/**
 * Where the time went. Strangers are not told, so that how long their key was looked for is no better known than their
 * network lets them.
 */
function timingHeaders(exchange: Exchange) {
  return { "Server-Timing": exchange.serverTiming };
}

/** A problem document. What a client wrote may be in it, but no secret: these get logged and shown around. */
export function respondProblem(exchange: Exchange, problem: Problem, admission?: Allowance): Response {
  const { request, requestId } = exchange;
  exchange.problem = problem.name;
  const status = problemStatus(problem.name);
  const body = redacted(JSON.stringify(problemBody(problem, new URL(request.url).pathname, requestId)));
  return new Response(bodyFor(exchange, body), {
    status,
    headers: {
      ...commonHeaders(exchange, admission),
      ...(status === 401 ? {} : timingHeaders(exchange)),
      "Content-Type": "application/problem+json",
      ...lengthFor(exchange, body),
      ...problem.headers,
    },
  });
}

/** An answer, or 304 when the client has it already. */
export async function respondAnswer(exchange: Exchange, answer: Answer, admission?: Allowance): Promise<Response> {
  const { Link, ...common } = commonHeaders(exchange, admission);
  const headers: Record<string, string> = {
    ...common,
    ...timingHeaders(exchange),
    Link: [Link, ...(answer.links ?? [])].join(", "),
    "Content-Type": "application/json; charset=utf-8",
    ...answer.headers,
  };
  if (answer.stream !== undefined) {
    const stream = exchange.request.method === "HEAD" ? null : streamOf(answer.stream);
    return new Response(stream, { headers });
  }
  const body = answer.text ?? JSON.stringify(answer.body);
  if (answer.tagged === true) {
    headers.ETag = await entityTag(body);
    if (isNotModified(exchange.request.headers.get("if-none-match"), headers.ETag)) {
      delete headers["Content-Type"];
      return new Response(null, { status: 304, headers });
    }
  }
  return new Response(bodyFor(exchange, body), {
    status: answer.status ?? 200,
    headers: { ...headers, ...lengthFor(exchange, body) },
  });
}

/** Text as bytes, made as fast as the client reads them. */
function streamOf(text: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await text.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await text.return(undefined);
    },
  });
}

/** An answer without content: to a preflight, for example. */
export function respondEmpty(exchange: Exchange, headers: Record<string, string>): Response {
  return new Response(null, { status: 204, headers: { ...commonHeaders(exchange, undefined), ...headers } });
}

/** HEAD has the headers of GET, the length of its body too, and no body. */
function bodyFor(exchange: Exchange, body: string): string | null {
  return exchange.request.method === "HEAD" ? null : body;
}

function lengthFor(exchange: Exchange, body: string): Record<string, string> {
  if (exchange.request.method !== "HEAD") return {};
  return { "Content-Length": String(new TextEncoder().encode(body).byteLength) };
}
