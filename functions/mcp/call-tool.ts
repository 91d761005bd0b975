import { type Detail, details } from "../../shared/catalogue/details.ts";
import { createGateway } from "../../shared/endpoint/gateway.ts";
import type { RequestContext } from "../../shared/endpoint/request-context.ts";
import { type FieldError, fail, invalidParameters, problemTitle } from "../../shared/http/problems.ts";
import type { Highlight, Highlights } from "../../shared/responses/highlights.ts";
import type { Handler, ReadRuntime } from "../../shared/runtime.ts";
import { sanitizeName } from "../../shared/validation/errors.ts";
import { readArguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";

/** Result of a tool: text for the model, the same as data, and whether the call failed. */
export interface ToolAnswer {
  content: { type: "text"; text: string }[];
  /** Satisfies the tool's output schema; absent where the call failed. */
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Longest description or eligibility text in a list of results, in characters: twenty whole ones would fill a model's context. */
const longestDescription = 400;

/**
 * Answers a tool call by a request to the API, as the caller: the same key, validation, quota and usage.
 *
 * @param context the request of the call: its key is used, and its id, which joins the log's lines.
 */
export async function callTool(
  tool: Tool,
  given: Record<string, unknown>,
  { request, requestId }: RequestContext,
  functions: Readonly<Record<string, Handler>>,
  runtime: ReadRuntime,
): Promise<ToolAnswer> {
  const meant = readArguments(given, tool.input);
  const misshapen = shapeErrors(meant);
  const asked = misshapen.length === 0 ? tool.request(meant) : fail(invalidParameters(misshapen));
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
  return response.ok ? success(tool.hasWholeTexts ? answer : shortened(answer)) : failure(answer);
}

/** Whether a query parameter can have the value. Deeper nesting cannot be written in a URL. */
function isValue(value: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.every((item) => ["string", "number", "boolean"].includes(typeof item));
}

function shapeErrors(given: Record<string, unknown>): FieldError[] {
  return Object.entries(given)
    .filter(([, value]) => !isValue(value))
    .map(([name]) => ({
      parameter: sanitizeName(name),
      message: "must be text, a number, true or false, or a list of these",
    }));
}

function success(answer: Record<string, unknown>): ToolAnswer {
  return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
}

function failure(problem: Record<string, unknown>): ToolAnswer {
  const text = `${problem.title}: ${problem.detail}${everyError(problem)}`;
  return { content: [{ type: "text", text }], isError: true };
}

/** Lists all errors, so that a model can correct all of them at once. */
function everyError({ errors }: Record<string, unknown>): string {
  if (!Array.isArray(errors) || errors.length < 2) return "";
  return `\n${errors.map(({ parameter, message }) => `${parameter} ${message}`).join("\n")}`;
}

function shortened(answer: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(answer.results)) return answer;
  return { ...answer, results: answer.results.map(withShortDescription) };
}

/** Details that are paragraphs. */
const longDetails = Object.entries<Detail>(details).flatMap(([name, { reads }]) =>
  reads === "paragraphs" ? [name] : [],
);

/** The record with what was searched for in place of its description, where an answer shows it, else with the description's beginning. */
function withShortDescription({ highlights, ...record }: Described): object {
  const { description, details: known = {} } = record;
  const passage = highlights?.description ?? highlights?.summary;
  const longTexts = longDetails.flatMap((name) => (name in known ? [[name, shorten(known[name])]] : []));
  return {
    ...record,
    ...(typeof description === "string" ? { description: withPassage(description, passage) } : {}),
    ...(typeof record.summary === "string" ? { summary: withPassage(record.summary, passage) } : {}),
    ...(record.details === undefined ? {} : { details: { ...known, ...Object.fromEntries(longTexts) } }),
  };
}

interface Described {
  description?: string;
  summary?: unknown;
  highlights?: Highlights;
  details?: Record<string, unknown>;
}

/** A short text whole, else its passage, or its beginning. */
function withPassage(text: string, passage: Highlight | undefined): unknown {
  if (passage === undefined || text.length <= longestDescription) return shorten(text);
  const isEnd = passage.offset + passage.text.length === text.length;
  return `${passage.offset === 0 ? "" : "…"}${passage.text}${isEnd ? "" : "…"}`;
}

function shorten(text: unknown): unknown {
  if (typeof text !== "string" || text.length <= longestDescription) return text;
  return `${text.slice(0, longestDescription).toWellFormed()}…`;
}
