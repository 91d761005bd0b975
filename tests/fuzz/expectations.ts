import { isCataloguePath } from "../../functions/catalogue/site.ts";
import { handlers } from "../../functions/handlers.ts";
import { problemNames, problemStatus, problemTitle, problemType } from "../../shared/http/problems.ts";
import { expectToMatchOpenApi } from "../contract/openapi-document.ts";
import { expectToMatchProtocol } from "../support/common-grants/published.ts";
import type { FuzzRequest } from "./request.ts";
import type { Answer, Ending } from "./wire.ts";
import type { World } from "./world.ts";

/** Statuses that an HTTP library answers by itself, to bytes that are not HTTP or exceed its limits. */
const refusalsOfHttp = [400, 413, 414, 431, 501, 505];

/**
 * Holds how a request ended to what must be true of every request.
 *
 * @returns what is wrong, in a sentence; undefined when all is well.
 */
export async function faultOf(request: FuzzRequest, ending: Ending, world: World): Promise<string | undefined> {
  if ("hung" in ending) return `no answer within ${Math.round(ending.milliseconds)} ms`;
  if ("closed" in ending) return request.isStrange ? undefined : "the connection was closed without an answer";
  if ("unreadable" in ending) return request.isStrange ? undefined : `not an HTTP/1.1 answer: ${ending.unreadable}`;
  const { answer } = ending;
  if (answer.status >= 500 && !isBeyondOpenFiles(request, answer))
    return `status ${answer.status}: ${textOf(answer).slice(0, 300)}`;
  if (answer.headers.some(([name]) => name === "x-injected"))
    return "a header of the request's value got into the answer";
  if (isOfHttp(answer)) {
    return request.isStrange ? undefined : `refused by the HTTP library with ${answer.status}, though it is right`;
  }
  try {
    await holdToContract(request, answer, world);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether a CSV was refused because its key has so many open: requests are sent beside each other with one key. */
function isBeyondOpenFiles({ bytes, method }: FuzzRequest, answer: Answer): boolean {
  if (answer.status !== 503 || !bytes.includes("csv")) return false;
  return method === "HEAD" || textOf(answer).includes("CSV files open");
}

/** Whether the HTTP library answered, before the service saw the request. */
function isOfHttp({ status, headers, body }: Answer): boolean {
  return refusalsOfHttp.includes(status) && body.length === 0 && !headers.some(([name]) => name === "x-request-id");
}

async function holdToContract(
  { method, target, isStrange }: FuzzRequest,
  answer: Answer,
  { baseUrl, hasPages }: World,
) {
  const url = URL.parse(target, baseUrl);
  const name = /^\/functions\/v1\/([^/]+)/.exec(url?.pathname ?? "")?.[1] ?? "";
  const isFunction = Object.hasOwn(handlers, name);
  // Where each function is deployed by itself, the platform answers for other paths; a Host header may lead there too.
  const isPlatforms = !isFunction || (isStrange && headerOf(answer.headers, "x-request-id") === undefined);
  if (isPlatforms && !hasPages) return;
  holdSafety(answer);
  if (answer.status >= 400 && method !== "HEAD") holdFailure(answer, url?.pathname ?? "");
  if (isFunction && url !== null) {
    holdFunction(answer, name);
    if (name === "mcp" && answer.status === 200) holdToolAnswer(answer);
    // An odd Host header may make another path, or none, of the same target.
    if (isStrange && answer.status === 404) return;
    // The document has neither what the payment provider, the scheduler and monitoring call, nor methods in lower case.
    if (["billing", "catalogue", "dispatch", "metrics"].includes(name) || method !== method.toUpperCase()) return;
    const path = url.pathname.replace("/functions/v1", "") + url.search;
    await expectToMatchOpenApi(method, path, responseOf(answer), true);
    if (name === "common-grants") await expectToMatchProtocol(method, path, responseOf(answer));
  }
}

/** Headers that every answer has, a page's too. */
function holdSafety({ status, headers }: Answer): void {
  if (status === 204 || status === 307) return;
  for (const name of ["x-content-type-options", "content-security-policy", "referrer-policy"]) {
    if (headerOf(headers, name) === undefined) throw new Error(`${status} without ${name}`);
  }
}

function holdFunction({ headers }: Answer, name: string): void {
  // Its pages are for browsers that open them, not for scripts of others.
  const ofScripts = name === "catalogue" ? [] : ["access-control-allow-origin"];
  for (const header of ["x-request-id", "cache-control", ...ofScripts]) {
    if (headerOf(headers, header) === undefined) throw new Error(`an answer of ${name} without ${header}`);
  }
}

/** A failure is a problem document of the registry; of the sign-in and of MCP, what their clients read. */
function holdFailure(answer: Answer, path: string): void {
  const type = headerOf(answer.headers, "content-type") ?? "";
  // The page of the dashboard says itself that there is nothing at an address.
  const isOfDashboard = answer.status === 404 && !path.startsWith("/functions/");
  if ((isCataloguePath(path) || isOfDashboard) && type === "text/html; charset=utf-8") return;
  const body = JSON.parse(textOf(answer)) as Record<string, unknown>;
  if (path.startsWith("/auth/v1/") && typeof body.code === "string" && typeof body.message === "string") return;
  if (/^\/functions\/v1\/mcp\b/.test(path) && body.jsonrpc === "2.0" && typeof body.error === "object") return;
  // `expectToMatchProtocol` holds those of CommonGrants to its document.
  if (/^\/functions\/v1\/common-grants\b/.test(path)) return;
  if (type !== "application/problem+json") throw new Error(`${answer.status} is ${type}, not a problem`);
  const name = problemNames.find((known) => problemType(known) === body.type);
  if (name === undefined) throw new Error(`the problem ${String(body.type)} is not in the registry`);
  if (body.title !== problemTitle(name) || body.status !== problemStatus(name) || answer.status !== body.status) {
    throw new Error(`the problem ${name} has another title or status than the registry's`);
  }
  for (const member of ["detail", "instance", "request_id"]) {
    if (typeof body[member] !== "string" || body[member] === "")
      throw new Error(`the problem ${name} has no ${member}`);
  }
  const { errors = [] } = body as { errors?: { message: string }[] };
  if (errors.some(({ message }) => message === "")) throw new Error(`an error of the problem ${name} says nothing`);
  if (body.request_id !== headerOf(answer.headers, "x-request-id"))
    throw new Error("the problem names another request");
}

/** A tool's failure is a problem of the registry as text, or the protocol's own; none is our fault. */
function holdToolAnswer(answer: Answer): void {
  // As one JSON document, or as the data of an event stream.
  const text = textOf(answer);
  const json = text.startsWith("{") ? text : (/^data: ([^\r\n]*)/m.exec(text)?.[1] ?? "{}");
  const { result } = JSON.parse(json) as { result?: { isError?: boolean; content?: { text?: string }[] } };
  if (result?.isError !== true) return;
  const said = result.content?.[0]?.text ?? "";
  const name = problemNames.find((known) => said.startsWith(`${problemTitle(known)}: `));
  if (name === undefined) throw new Error(`a tool's failure is no problem of the registry: ${said.slice(0, 300)}`);
  if (problemStatus(name) >= 500) throw new Error(`a tool failed: ${said.slice(0, 300)}`);
}

function responseOf({ status, headers, body }: Answer): Response {
  const given = new Headers();
  // The body is decoded already.
  for (const [name, value] of headers) if (name !== "content-encoding") given.append(name, value);
  return new Response([204, 304].includes(status) ? null : Buffer.from(body), { status, headers: given });
}

function textOf({ body }: Answer): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(body);
}

function headerOf(headers: Answer["headers"], name: string): string | undefined {
  return headers.find(([known]) => known === name)?.[1];
}
