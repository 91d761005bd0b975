import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import committed from "../../functions/openapi/openapi.json" with { type: "json" };
import { timeOfDay } from "../support/common-grants/schema.ts";

/** The committed OpenAPI document. */
export const openApiDocument = committed;

interface ResponseObject {
  $ref?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, object>;
}
export interface Operation {
  parameters?: { $ref?: string; name?: string; in?: string; schema?: object }[];
  requestBody?: object;
  responses: Record<string, ResponseObject>;
}

const documentId = "https://openapi.invalid/";

/** Validates against closed objects: a member that the document lacks is an error here, though not for a client. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addFormat("time", timeOfDay);
ajv.addSchema({
  ...openApiDocument,
  $id: documentId,
  components: { ...openApiDocument.components, schemas: closed(openApiDocument.components.schemas) },
});

/** Headers that the document does not list: those of every HTTP answer, of CORS, of browser policies and of the transport. */
const unlistedHeaders =
  /^(content-(type|length|encoding)|date|connection|keep-alive|transfer-encoding|server|allow|x-content-type-options|content-security-policy|referrer-policy|strict-transport-security|access-control-.*|timing-allow-origin)$/;

/** The operation that a request calls, with its JSON pointer in the document. */
export function operationOf(method: string, path: string): { pointer: string; operation: Operation } | undefined {
  // A list's path may end in a slash.
  const segments =
    path
      .split("?")[0]
      ?.replace(/^(\/[^/]+)\/$/, "$1")
      .split("/") ?? [];
  const template = Object.keys(openApiDocument.paths).find((candidate) => {
    const parts = candidate.split("/");
    return (
      parts.length === segments.length &&
      parts.every((part, index) => (/^\{/.test(part) ? segments[index] !== "" : part === segments[index]))
    );
  });
  if (template === undefined) return undefined;
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  const item = (openApiDocument.paths as Record<string, Record<string, unknown>>)[template];
  const operation = item?.[verb] as Operation | undefined;
  return operation && { pointer: `/paths/${escaped(template)}/${verb}`, operation };
}

/**
 * Compares a response with the document: its status, its headers, its content type and its body.
 *
 * @param isDirect whether the response came straight from the handlers, so that no proxy added a header.
 * @throws {Error} naming the first difference.
 */
export async function expectToMatchOpenApi(method: string, path: string, response: Response, isDirect: boolean) {
  const found = operationOf(method, path);
  const request = `${method} ${path.slice(0, 200)} -> ${response.status}`;
  // The Model Context Protocol has its own schema.
  if (/^\/mcp\b/.test(path)) return;
  if (found === undefined) {
    // Where each function is deployed by itself, the platform refuses unknown names.
    return isDirect || isFunction(path) ? expectRefusal(method, path, response, request) : undefined;
  }

  const status = String(response.status);
  const referred = found.operation.responses[status];
  if (referred === undefined) throw new Error(`${request}: the document does not list this status`);
  const pointer = referred.$ref?.slice(1) ?? `${found.pointer}/responses/${status}`;
  const documented = at(pointer) as ResponseObject;
  expectHeaders(response, documented.headers ?? {}, isDirect, request);

  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const types = Object.keys(documented.content ?? {});
  if (types.length === 0 && type === "") return;
  if (!types.includes(type)) throw new Error(`${request}: ${type} is not one of ${types}`);
  if (method === "HEAD") return;
  const body = type.startsWith("text/") ? response.clone().text() : response.clone().json();
  expectValue(await body, `${pointer}/content/${escaped(type)}/schema`, request);
}

function isFunction(path: string): boolean {
  const [name = ""] = /^\/[^/?]*/.exec(path) ?? [];
  return Object.keys(openApiDocument.paths).some((known) => known === name || known.startsWith(`${name}/`));
}

/** A path or method that the document lacks is answered with 404 or 405, whatever the key. */
async function expectRefusal(method: string, path: string, response: Response, request: string): Promise<void> {
  if (method === "OPTIONS" && response.status === 204) return;
  if (![404, 405].includes(response.status)) throw new Error(`${request}: the document lacks the path or the method`);
  if (method === "HEAD") return;
  const schema = path.startsWith("/common-grants") ? "CommonGrantsError" : "ProblemDocument";
  expectValue(await response.clone().json(), `/components/schemas/${schema}`, request);
}

function expectHeaders(
  response: Response,
  documented: Record<string, object>,
  isDirect: boolean,
  request: string,
): void {
  for (const name of Object.keys(documented)) {
    const pointer = `/components/headers/${name}`;
    const { required = false, schema } = at(pointer) as { required?: boolean; schema: { type: string } };
    const text = response.headers.get(name);
    if (text === null && required) throw new Error(`${request}: the header ${name} is missing`);
    if (text === null) continue;
    expectValue(schema.type === "integer" ? Number(text) : text, `${pointer}/schema`, `${request}: ${name}`);
  }
  if (!isDirect) return;
  const known = Object.keys(documented).map((name) => name.toLowerCase());
  const unknown = [...response.headers.keys()].find((name) => !known.includes(name) && !unlistedHeaders.test(name));
  if (unknown !== undefined) throw new Error(`${request}: the document does not list the header ${unknown}`);
}

const validators = new Map<string, ValidateFunction>();

function expectValue(value: unknown, pointer: string, request: string): void {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${documentId}#${encodeURI(pointer)}` });
  validators.set(pointer, validate);
  if (!validate(value)) {
    throw new Error(`${request} differs from the document: ${ajv.errorsText(validate.errors, { separator: "; " })}`);
  }
}

/** The value at a JSON pointer of the document. */
export function at(pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], openApiDocument);
}

function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The same schemas, with objects that allow no members but those that they list. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inner.type === "object" && "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}
