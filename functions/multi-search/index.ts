import { createHandler } from "../../shared/endpoint/handler.ts";
import { refuseUnknownCaller } from "../../shared/endpoint/known-caller.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { type RequestContext, roundMs } from "../../shared/endpoint/request-context.ts";
import { respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import type { Allowance } from "../../shared/http/headers.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { Handler, ReadRuntime } from "../../shared/runtime.ts";
import { readJsonBody } from "../../shared/validation/body.ts";
import { multiSearch, type searchEndpoints } from "../../shared/validation/multi-search.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { handle as contracts } from "../contracts-api/index.ts";
import { handle as funders } from "../funders-api/index.ts";
import { handle as grants } from "../grants-api/index.ts";
import { handle as semanticSearch } from "../semantic-search/index.ts";

type Endpoint = (typeof searchEndpoints)[number];

const endpoints: Readonly<Record<Endpoint, { path: string; handle: Handler }>> = {
  "grants-api": { path: "/grants-api/search", handle: grants },
  "contracts-api": { path: "/contracts-api/search", handle: contracts },
  "funders-api": { path: "/funders-api/search", handle: funders },
  "semantic-search": { path: "/semantic-search", handle: semanticSearch },
};

/** Answer of one search, with its text. */
interface SearchAnswer {
  response: Response;
  text: string;
}

/** Makes one search: a request of its endpoint by the same caller, which is admitted, limited, counted and logged as if it had come by itself. */
async function search(
  { request, requestId }: RequestContext,
  { endpoint, parameters = {} }: { endpoint: Endpoint; parameters?: Record<string, unknown> | undefined },
  runtime: ReadRuntime,
): Promise<SearchAnswer> {
  const { path, handle } = endpoints[endpoint];
  const headers = {
    authorization: request.headers.get("authorization") ?? "",
    "x-request-id": requestId,
    "content-type": "application/json",
  };
  const init = { method: "POST", headers, signal: request.signal, body: JSON.stringify(parameters) };
  const response = await handle(new Request(new URL(`/functions/v1${path}`, request.url), init), runtime);
  return { response, text: await response.text() };
}

/** What is left of the caller's day after all searches: the least that one of them was told. */
function allowanceOf(answers: readonly SearchAnswer[]): Allowance | undefined {
  const known = answers
    .map(({ response: { headers } }) => ({
      daily_quota: Number(headers.get("x-ratelimit-limit")),
      remaining: Number(headers.get("x-ratelimit-remaining")),
    }))
    .filter(({ daily_quota }) => daily_quota > 0);
  return known.sort((one, other) => one.remaining - other.remaining)[0];
}

/** A search's entry in the answer. */
function entry({ response: { status, headers }, text }: SearchAnswer): string {
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  const wait = Number.isFinite(retryAfter) ? `,"retry_after":${retryAfter}` : "";
  return `{"status":${status}${wait},"body":${text}}`;
}

/** The refusal that all searches share, of the caller and not of what it asked. Undefined where one was not refused so. */
function sharedRefusal(answers: readonly SearchAnswer[]): SearchAnswer | undefined {
  const [first] = answers;
  if (first === undefined || first.response.ok || first.response.status === 400) return undefined;
  return answers.every(({ response }) => response.status === first.response.status) ? first : undefined;
}

async function respond(context: RequestContext, _match: unknown, runtime: ReadRuntime): Promise<Response> {
  const { request } = context;
  const query = readQuery(new URL(request.url).search, noParameters);
  const body = query.ok ? await readJsonBody(request, multiSearch) : query;
  if (!body.ok) return respondProblem(context, (await refuseUnknownCaller(context, runtime)) ?? body.problem);

  const answers = await Promise.all(body.value.searches.map((one) => search(context, one, runtime)));
  const refusal = sharedRefusal(answers);
  if (refusal !== undefined) {
    const problem = { ...JSON.parse(refusal.text), instance: new URL(request.url).pathname };
    const { status, headers } = refusal.response;
    return new Response(JSON.stringify(problem), { status, headers });
  }
  const meta = { response_time_ms: roundMs(context.elapsedMs), returned: answers.length };
  const text = `{"results":[${answers.map(entry).join(",")}],"meta":${JSON.stringify(meta)}}`;
  return respondAnswer(context, { text }, allowanceOf(answers));
}

/** `POST /multi-search`: up to ten searches in one request. */
export const handle: Handler = createHandler("multi-search", [{ method: "POST", path: "" }], respond);

export default { fetch: onEdge(handle, createReadState) };
