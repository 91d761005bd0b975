import { ProblemError, toError, UnexpectedResponseError } from "../problems.ts";
import { withRetries } from "../retry.ts";
import type { Credentials } from "./credentials.ts";
import { CommandError, type Io } from "./io.ts";

/** Sends requests to the API as the holder of the key. */
export type Send = (path: string, init?: { accept?: string; body?: unknown }) => Promise<Response>;

/** Longest query in an address, in characters. */
const longestInAddress = 6_000;

export function createSend(io: Io, { baseUrl, apiKey }: Credentials): Send {
  const fetchAgain = withRetries(io.fetch);
  return async (path, { accept = "application/json", body } = {}) => {
    const url = `${baseUrl}${path}`;
    if (!URL.canParse(url)) throw new CommandError(`The address of the API is none: ${baseUrl}`, 1);
    const headers = {
      authorization: `Bearer ${apiKey}`,
      accept,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
    const response = await fetchAgain(new Request(url, init)).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new CommandError(`${baseUrl} cannot be reached: ${cause}`, 1);
    });
    if (response.ok) return response;
    const text = await response.text();
    throw toError(parse(text), response);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Asks for a list: by its address, or in a body where the query is long. */
export function sendList(send: Send, dataset: string, query: URLSearchParams, accept?: string): Promise<Response> {
  const how = accept === undefined ? {} : { accept };
  const text = String(query);
  if (text.length <= longestInAddress) return send(`/${dataset}-api${text === "" ? "" : `?${text}`}`, how);
  const body = Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  return send(`/${dataset}-api/search`, { ...how, body });
}

/** What went wrong, in lines for people. */
export function describeError(error: unknown): string {
  if (error instanceof ProblemError) {
    const others = error.errors.map(({ parameter, message }) => `  --${parameter.replaceAll("_", "-")} ${message}`);
    const hint = error.status === 401 ? "\nRun funding login with a key of your dashboard." : "";
    return `${error.problem.title}: ${error.problem.detail}${others.length > 1 ? `\n${others.join("\n")}` : ""}${hint}`;
  }
  if (error instanceof UnexpectedResponseError) {
    return `This is not the API: an answer with status ${error.status} began with ${JSON.stringify(error.excerpt.slice(0, 80))}. Check the address.`;
  }
  return error instanceof Error ? error.message : String(error);
}
