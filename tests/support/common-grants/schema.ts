/** A schema of an OpenAPI document, 3.0 or 3.1. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  nullable?: boolean;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  allOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  [keyword: string]: unknown;
}

/** The protocol's `format: time`: without a zone, by its description (HH:mm:ss). Ajv's has one, as RFC 3339 has it. */
export const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Value that a `$ref` of a document leads to. */
export function resolve<Value>(document: OpenApi, ref: string): Value {
  return ref
    .split("/")
    .slice(1)
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], document) as Value;
}

/** Keywords that say nothing about which values are valid. */
const annotations = new Set([
  "description",
  "example",
  "examples",
  "title",
  "readOnly",
  "discriminator",
  "explode",
  "deprecated",
]);

/**
 * A schema without references, `allOf`, `nullable` and annotations at its top: one object of keywords. Types are a sorted list, which is empty
 * where any is allowed. Members of the object keep their own references.
 */
export function flat(document: OpenApi, schema: Schema): Schema {
  const { $ref, allOf = [], anyOf, nullable, type, const: constant, ...rest } = schema;
  const own = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !annotations.has(keyword))) as Schema;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0) own.type = [...new Set([...types, ...(nullable === true ? ["null"] : [])])].sort();
  if (constant !== undefined) own.enum = [constant];
  const parts = [...($ref === undefined ? [] : [resolve<Schema>(document, $ref)]), ...allOf];
  const merged = parts.map((part) => flat(document, part)).reduce(merge, own);
  return anyOf === undefined ? merged : merge(merged, flatAlternatives(document, anyOf));
}

/** Both schemas in one: what each of them says. */
function merge(one: Schema, other: Schema): Schema {
  const both = { ...other, ...one };
  if (one.properties !== undefined && other.properties !== undefined) {
    both.properties = { ...other.properties, ...one.properties };
    for (const [name, schema] of Object.entries(one.properties)) {
      const second = other.properties[name];
      if (second !== undefined) both.properties[name] = { allOf: [schema, second] };
    }
  }
  if (one.required !== undefined && other.required !== undefined) {
    both.required = [...new Set([...one.required, ...other.required])];
  }
  const { enum: values } = one;
  const { enum: others } = other;
  if (values !== undefined && others !== undefined) both.enum = values.filter((value) => others.includes(value));
  return both;
}

/**
 * Alternatives, each once, and a lone one as itself. Enums stay apart: their union would say the same of a value, but a reader that looks at one
 * alternative alone, as the protocol's checker does, would find another enum.
 */
function flatAlternatives(document: OpenApi, anyOf: readonly Schema[]): Schema {
  const alternatives = anyOf.map((one) => flat(document, one));
  // As they are, with their references: a schema may be among its own alternatives.
  const distinct = new Map(alternatives.map((one, index) => [JSON.stringify(one), anyOf[index] ?? {}]));
  return distinct.size === 1 ? (alternatives[0] ?? {}) : { anyOf: [...distinct.values()] };
}
