import * as z from "zod";

/** A JSON Schema of draft 2020-12, which is OpenAPI 3.1's own. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What a client may send. Objects are closed: what is not described is refused. */
export function requestSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(
    z.toJSONSchema(schema, {
      io: "input",
      override({ zodSchema, jsonSchema }) {
        tidy(jsonSchema);
        // zod leaves these out where a value is read from text. They are given as the client means them.
        const { examples } = z.globalRegistry.get(zodSchema) ?? {};
        if (examples !== undefined) jsonSchema.examples = examples as unknown[];
        if (zodSchema._zod.def.type === "default") jsonSchema.default = zodSchema._zod.def.defaultValue;
      },
    }),
  );
}

/** The names under which the document's `components` hold schemas. */
const named = z.registry<{ id: string }>();

/** Gives a response's schema a name of its own in the document. */
export function name<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  named.add(schema, { id });
  return schema;
}

export function referenceTo(schema: z.ZodType): { $ref: string } {
  const id = named.get(schema)?.id;
  if (id === undefined) throw new Error("the schema has no name in the document");
  return { $ref: componentOf(id) };
}

/** Every named schema, as it is in an answer. Objects are open: clients must ignore members they do not know. */
export function namedSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(named, {
    uri: componentOf,
    override({ jsonSchema }) {
      tidy(jsonSchema);
      delete jsonSchema.additionalProperties;
      // What a number can hold is no bound of ours.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $id, ...rest } = withoutDialect(schema);
      return [id, rest];
    }),
  );
}

function componentOf(id: string): string {
  return `#/components/schemas/${id}`;
}

const formats = new Set(["date", "date-time", "uuid", "uri", "email"]);

/** A format says it all to a reader; zod adds the regular expression that it checks it with. */
function tidy(schema: JsonSchema): void {
  if (schema.format !== undefined && formats.has(schema.format)) delete schema.pattern;
}

function withoutDialect({ $schema, ...rest }: JsonSchema): JsonSchema {
  return rest;
}
