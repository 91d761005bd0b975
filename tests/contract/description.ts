import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import document from "../../functions/openapi/openapi.json" with { type: "json" };

/** The committed OpenAPI document. */
export const description = document;

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

/** Answers are held to closed objects, so that a member which is not described is an error here, if not to a client. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({
  ...description,
  $id: documentId,
  components: { ...description.components, schemas: closed(description.components.schemas) },
});

/** Headers of every HTTP answer, of CORS, of what browsers may do, and of the way here, which a description does not list. */
const unlisted =
  /^(content-(type|length|encoding)|date|connection|keep-alive|transfer-encoding|server|allow|x-content-type-options|content-security-policy|referrer-policy|strict-transport-security|access-control-.*|timing-allow-origin)$/;

/** The operation that a request means, with its JSON pointer in the document. */
export function operationOf(method: string, path: string): { pointer: string; operation: Operation } | undefined {
  // A list's path may end in a slash.
  const segments =
    path
      .split("?")[0]
      ?.replace(/^(\/[^/]+)\/$/, "$1")
      .split("/") ?? [];
  const template = Object.keys(description.paths).find((candidate) => {
    const parts = candidate.split("/");
    return (
      parts.length === segments.length &&
      parts.every((part, place) => (/^\{/.test(part) ? segments[place] !== "" : part === segments[place]))
    );
  });
  if (template === undefined) return undefined;
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  const item = (description.paths as Record<string, Record<string, unknown>>)[template];
  const operation = item?.[verb] as Operation | undefined;
  return operation && { pointer: `/paths/${escaped(template)}/${verb}`, operation };
}

/**
 * Holds a response to the document: its status, its headers, its content type and its body.
 *
 * @param isOurs the response came straight from the handlers, so every header in it is theirs.
 * @throws what is different, in words.
 */
export async function holdToDescription(method: string, path: string, response: Response, isOurs: boolean) {
  const found = operationOf(method, path);
  const request = `${method} ${path.slice(0, 200)} -> ${response.status}`;
  // The Model Context Protocol describes itself.
  if (/^\/mcp\b/.test(path)) return;
  if (found === undefined) {
    // Where each function is deployed by itself, a name that none has is the platform's to refuse.
    return isOurs || isFunction(path) ? holdToNothing(method, response, request) : undefined;
  }

  const status = String(response.status);
  const referred = found.operation.responses[status];
  if (referred === undefined) throw new Error(`${request}: the status is not described`);
  const pointer = referred.$ref?.slice(1) ?? `${found.pointer}/responses/${status}`;
  const described = at(pointer) as ResponseObject;
  holdHeaders(response, described.headers ?? {}, isOurs, request);

  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const types = Object.keys(described.content ?? {});
  if (types.length === 0 && type === "") return;
  if (!types.includes(type)) throw new Error(`${request}: ${type} is not one of ${types}`);
  if (method === "HEAD") return;
  const body = type === "text/csv" ? response.clone().text() : response.clone().json();
  holdValue(await body, `${pointer}/content/${escaped(type)}/schema`, request);
}

function isFunction(path: string): boolean {
  const [name = ""] = /^\/[^/?]*/.exec(path) ?? [];
  return Object.hasOwn(description.paths, name);
}

/** A path or method that the document does not have ends here, without a look at the key. */
async function holdToNothing(method: string, response: Response, request: string): Promise<void> {
  if (method === "OPTIONS" && response.status === 204) return;
  if (![404, 405].includes(response.status)) throw new Error(`${request}: the path or method is not described`);
  if (method !== "HEAD") holdValue(await response.clone().json(), "/components/schemas/ProblemDocument", request);
}

function holdHeaders(response: Response, described: Record<string, object>, isOurs: boolean, request: string): void {
  for (const name of Object.keys(described)) {
    const pointer = `/components/headers/${name}`;
    const { required = false, schema } = at(pointer) as { required?: boolean; schema: { type: string } };
    const text = response.headers.get(name);
    if (text === null && required) throw new Error(`${request}: the header ${name} is missing`);
    if (text === null) continue;
    holdValue(schema.type === "integer" ? Number(text) : text, `${pointer}/schema`, `${request}: ${name}`);
  }
  if (!isOurs) return;
  const known = Object.keys(described).map((name) => name.toLowerCase());
  const stranger = [...response.headers.keys()].find((name) => !known.includes(name) && !unlisted.test(name));
  if (stranger !== undefined) throw new Error(`${request}: the header ${stranger} is not described`);
}

const validators = new Map<string, ValidateFunction>();

function holdValue(value: unknown, pointer: string, request: string): void {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${documentId}#${encodeURI(pointer)}` });
  validators.set(pointer, validate);
  if (!validate(value)) {
    throw new Error(`${request} is not as described: ${ajv.errorsText(validate.errors, { separator: "; " })}`);
  }
}

/** What a JSON pointer points to. */
export function at(pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], description);
}

function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The same schemas, in which an object has no members but those described. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inner.type === "object" && "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}
