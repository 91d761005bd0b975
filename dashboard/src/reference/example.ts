import type { MediaType, Schema } from "./openapi.ts";
import { kindsOf, type PlainSchema, plain } from "./schema.ts";

/** Depth to which objects of a made example are filled: a schema may contain itself. */
const maximumDepth = 6;

/** Examples by format, for schemas that have none. */
const ofFormat: Record<string, string> = {
  date: "2026-11-20",
  "date-time": "2026-11-20T14:00:19.873Z",
  uuid: "cb75c555-bd5f-891d-a251-07bba87727b9",
  uri: "https://example.org/",
  email: "someone@example.org",
};

/** Examples by a field's name, for schemas that have none. */
const ofName: Record<string, unknown> = {
  name: "Production",
  url: "https://hooks.example.org/funding",
  description: "New grants for the newsletter",
  filters: { grants: "states=OH&search=water" },
  events: ["grant.created", "grant.updated"],
};

/** Examples of a body: the document's own, or one that is made from the schema. */
export function examplesOf({ schema, examples = {} }: MediaType): { name: string; value: unknown }[] {
  const given = Object.entries(examples).map(([name, { value }]) => ({ name, value }));
  if (given.length > 0) return given;
  const made = exampleOf(schema);
  return made === undefined ? [] : [{ name: "example", value: made }];
}

/** Example of a request's body: of a made one, no more than is required or, where nothing is, its first field. */
export function requestExampleOf(media: MediaType): unknown {
  const [example] = examplesOf(media);
  if (example === undefined || media.examples !== undefined) return example?.value;
  const fields = Object.entries(example.value as object);
  const { required = [] } = plain(media.schema);
  return Object.fromEntries(
    required.length === 0 ? fields.slice(0, 1) : fields.filter(([name]) => required.includes(name)),
  );
}

/** Makes an example of a schema from its own examples, defaults and values; undefined where nothing can be made. */
export function exampleOf(schema: Schema, depth = 0): unknown {
  const one = plain(schema);
  const [given] = one.examples ?? [];
  if (given !== undefined) return given;
  if (one.const !== undefined) return one.const;
  if (one.default !== undefined) return one.default;
  if (one.enum !== undefined) return one.enum[0];
  const [choice] = one.choices;
  return choice === undefined ? exampleOfKind(one, depth) : exampleOf(choice, depth);
}

function exampleOfField(name: string, schema: Schema, depth: number): unknown {
  const { examples, enum: values, const: value, format } = plain(schema);
  const isGiven = examples !== undefined || values !== undefined || value !== undefined || format !== undefined;
  return isGiven ? exampleOf(schema, depth + 1) : (ofName[name] ?? exampleOf(schema, depth + 1));
}

function exampleOfKind(schema: PlainSchema, depth: number): unknown {
  const { properties, items, additionalProperties: values, format, minimum } = schema;
  if (depth > maximumDepth) return undefined;
  const [kind = properties === undefined ? undefined : "object"] = kindsOf(schema);
  switch (kind) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {})
          .map(([name, each]) => [name, exampleOfField(name, each, depth)] as const)
          .concat(properties === undefined && typeof values === "object" ? [["key", exampleOf(values, depth + 1)]] : [])
          .filter(([, value]) => value !== undefined),
      );
    case "array": {
      const item = items === undefined ? undefined : exampleOf(items, depth + 1);
      return item === undefined ? [] : [item];
    }
    case "string":
      return ofFormat[format ?? ""] ?? "text";
    case "integer":
    case "number":
      return Math.max(minimum ?? 1, 1);
    case "boolean":
      return true;
    default:
      return undefined;
  }
}
