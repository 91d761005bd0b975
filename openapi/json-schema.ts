import * as z from "zod";

/** JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Makes the JSON Schema of a request. Objects are closed: unknown members are refused. */
export function requestSchema(schema: z.ZodType): JsonSchema {
  return removeDialect(
    z.toJSONSchema(schema, {
      io: "input",
      override({ zodSchema, jsonSchema }) {
        removeRedundancy(jsonSchema);
        // zod omits these for values that are parsed from text. They are given as the client sends them.
        const { examples, default: byDefault } = z.globalRegistry.get(zodSchema) ?? {};
        if (examples !== undefined) jsonSchema.examples = examples as unknown[];
        if (byDefault !== undefined) jsonSchema.default = byDefault as typeof jsonSchema.default;
        if (zodSchema._zod.def.type === "default") jsonSchema.default = zodSchema._zod.def.defaultValue;
      },
    }),
  );
}

/**
 * Makes the JSON Schema of a request's body. Defaults are said in the descriptions alone: openapi-typescript takes a member of a named schema that
 * has a `default` for one that is always there, and its clients would have to send it.
 */
export function bodySchema(schema: z.ZodType): JsonSchema {
  return describeDefaults(requestSchema(schema)) as JsonSchema;
}

/** Names of schemas in the document's `components`. */
const named = z.registry<{ id: string }>();

/** Names a response's schema in the document. Returns the schema. */
export function name<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  named.add(schema, { id });
  return schema;
}

/** Reference to a named schema. */
export function referenceTo(schema: z.ZodType): { $ref: string } {
  const id = named.get(schema)?.id;
  if (id === undefined) throw new Error("the schema has no name in the document");
  return { $ref: componentPath(id) };
}

/** Content of JSON, with examples by name. */
export function jsonContent(schema: object, examples?: Record<string, unknown>) {
  const values = Object.entries(examples ?? {}).map(([example, value]) => [example, { value }]);
  return { "application/json": { schema, ...(examples && { examples: Object.fromEntries(values) }) } };
}

/** Makes the JSON Schemas of all named responses. Objects are open: clients must ignore unknown members. */
export function namedSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(named, {
    uri: componentPath,
    override({ jsonSchema }) {
      removeRedundancy(jsonSchema);
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // zod's own limits of exact integers are not limits of the API.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $id, ...rest } = removeDialect(schema);
      return [id, rest];
    }),
  );
}

function componentPath(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Moves the defaults of an object's members, in a schema and below it, into their descriptions. */
function describeDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeDefaults);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (name !== "properties") return [name, describeDefaults(member)];
    const properties = Object.entries(member as Record<string, JsonSchema>);
    return [
      name,
      Object.fromEntries(properties.map(([of, schema]) => [of, describeDefaults(describeDefault(schema))])),
    ];
  });
  return Object.fromEntries(members);
}

function describeDefault(schema: JsonSchema): JsonSchema {
  if (schema.default === undefined) return schema;
  const { default: value, description = "", ...rest } = schema;
  return { description: `${description} Default: ${JSON.stringify(value)}.`.trim(), ...rest };
}

const formats = new Set(["date", "date-time", "uuid", "uri", "email"]);

/** Removes what zod adds and tells a reader nothing more: a format's regular expression, and that names of members are text. */
function removeRedundancy(schema: JsonSchema): void {
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  if (schema.format !== undefined && formats.has(schema.format)) delete schema.pattern;
}

function removeDialect({ $schema, ...rest }: JsonSchema): JsonSchema {
  return rest;
}
