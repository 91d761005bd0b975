import type { Exchange } from "../endpoint/exchange.ts";
import { createGateway } from "../endpoint/gateway.ts";
import { problemTitle } from "../http/problems.ts";
import type { Handler, Runtime } from "../runtime.ts";
import type { Tool } from "./tools.ts";

/** What a model reads: text, and whether it is of a failure. */
export interface ToolAnswer {
  content: { type: "text"; text: string }[];
  isError?: boolean;
}

/** Longest description in a list of results, in characters: twenty whole ones fill a model's context. */
const longestDescription = 400;

/**
 * Answers a call of a tool by asking the API, as the caller: the same key, checks, quota and usage.
 *
 * @param exchange what the call came with: its key is used, and its id, by which the log's lines find each other.
 */
export async function callTool(
  tool: Tool,
  given: Record<string, unknown>,
  { request, requestId }: Exchange,
  functions: Readonly<Record<string, Handler>>,
  runtime: Runtime,
): Promise<ToolAnswer> {
  const asked = tool.request(given);
  if (!asked.ok) {
    const { name, detail, errors } = asked.problem;
    return failure({ title: problemTitle(name), detail, errors });
  }
  const { path, body } = asked.value;
  const headers = new Headers({
    authorization: request.headers.get("authorization") ?? "",
    "x-request-id": requestId,
  });
  if (body !== undefined) headers.set("content-type", "application/json");
  const apiRequest = new Request(new URL(`/functions/v1${path}`, request.url), {
    headers,
    signal: request.signal,
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const response = await createGateway(functions)(apiRequest, runtime);
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.ok) return { content: [{ type: "text", text: JSON.stringify(shortened(answer)) }] };
  return failure(answer);
}

function failure(problem: Record<string, unknown>): ToolAnswer {
  const text = `${problem.title}: ${problem.detail}${everyError(problem)}`;
  return { content: [{ type: "text", text }], isError: true };
}

/** A model mends all of its mistakes at once when it is told of all. */
function everyError({ errors }: Record<string, unknown>): string {
  if (!Array.isArray(errors) || errors.length < 2) return "";
  return `\n${errors.map(({ parameter, message }) => `${parameter} ${message}`).join("\n")}`;
}

function shortened(answer: Record<string, unknown>): unknown {
  if (!Array.isArray(answer.results)) return answer;
  return { ...answer, results: answer.results.map(withShortDescription) };
}

function withShortDescription(record: { description?: string }): object {
  const { description = "" } = record;
  return description.length <= longestDescription
    ? record
    : { ...record, description: `${description.slice(0, longestDescription).toWellFormed()}…` };
}
