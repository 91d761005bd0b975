/** A value as TypeScript: names without quotes, a short value on one line. */
export function literal(value: unknown, indent = ""): string {
  const short = oneLine(value);
  if (short.length <= 60 || typeof value !== "object" || value === null) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((each) => `${inner}${literal(each, inner)},\n`).join("")}${indent}]`;
  const lines = Object.entries(value).map(([name, each]) => `${inner}${key(name)}: ${literal(each, inner)},\n`);
  return `{\n${lines.join("")}${indent}}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${key(name)}: ${oneLine(each)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A value as Python. JSON's strings are Python's as well. */
export function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`)
    .join(", ")}}`;
}

/** Values as named arguments of a Python call. */
export function pythonArguments(given: object): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}=${pythonLiteral(value)}`)
    .join(", ");
}

/** A text as one word of a shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** An HTTP request of the API, without its token. */
export interface HttpRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  body?: Readonly<Record<string, unknown>> | string;
}

/**
 * Command line that sends a request.
 *
 * @param token environment variable with the token, so that it does not get into the shell's history; undefined for none.
 */
export function curlCommand({ method, url, headers = {}, body }: HttpRequest, token: string | undefined): string {
  const isImplied = method === "GET" || (method === "POST" && body !== undefined);
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const options = [
    ...(isImplied ? [] : [`-X ${method}`]),
    ...(token === undefined ? [] : [`-H "Authorization: Bearer $${token}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(text === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quoteForShell(text)}`]),
    quoteForShell(url),
  ];
  return `curl ${options.join(" \\\n  ")}`;
}

/** TypeScript that makes a client, and a call of it. The key is in an environment variable. */
export function typescriptCall(baseUrl: string, call: string): string {
  return `import { createFundingClient } from "funding-opportunities-client";

const client = createFundingClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.FUNDING_API_KEY ?? "",
});

${call}`;
}

/** Python that makes a client, and a call of it. The key is in an environment variable. */
export function pythonCall(baseUrl: string, call: string): string {
  return `import os

from funding_opportunities import Client

with Client(${pythonLiteral(baseUrl)}, os.environ["FUNDING_API_KEY"]) as client:
    ${call.replaceAll("\n", "\n    ")}`;
}
