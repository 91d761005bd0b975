import fc from "fast-check";

/** The parts of JSON Schema that requests are described with. */
export interface RequestSchema {
  type?: string;
  enum?: string[];
  anyOf?: RequestSchema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: RequestSchema;
  properties?: Record<string, RequestSchema>;
  required?: string[];
}

/** Values that a schema allows. */
export function allowedBy(schema: RequestSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(allowedBy));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "number":
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000, noNaN: true });
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 });
    case "array":
      return fc.array(allowedBy(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(5, schema.maxItems ?? 5),
      });
    case "object":
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, allowedBy(inner)])),
        { requiredKeys: schema.required ?? [] },
      );
    case "string":
      return stringOf(schema);
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`);
  }
}

function stringOf({ format, pattern, minLength = 0, maxLength = 200 }: RequestSchema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "date") return moments.map((moment) => moment.toISOString().slice(0, 10));
  if (format === "date-time") return moments.map((moment) => moment.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(words(minLength), text(minLength, maxLength));
}

const moments = fc.date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true });

/** Search texts as people write them, with operators and quotes. */
function words(minLength: number): fc.Arbitrary<string> {
  const word = fc.constantFrom("water", "health", "-rural", "or", '"summer meals"', "kids", "541511", "qzxv", '"', "-");
  return fc.array(word, { minLength: Math.max(1, minLength), maxLength: 8 }).map((parts) => parts.join(" "));
}

/** Any text that is not nothing but space; control characters and line separators are the hostile values' business. */
function text(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const isAllowed = (value: string) =>
    value.trim().length >= minLength && [...value].length <= maxLength && !/[\0\p{Zl}\p{Zp}]/u.test(value);
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 60) }).filter(isAllowed);
}

/** Values that a schema may refuse and a client may send all the same. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "-1",
    "1e3",
    "0x10",
    "NaN",
    "9007199254740993",
    "99999999999999999999",
    "0000-01-01",
    "2026-02-30",
    "9999-12-31T23:59:59.999999999-23:59",
    "0001-01-01T00:00:00+23:59",
    "'; select pg_sleep(1); --",
    "%",
    "\\",
    "((((((",
    '"""',
    "a:*",
    "🙂".repeat(100),
    "\u202e\ufeff",
    "x".repeat(5_000),
  ),
  fc.double().map(String),
  fc.anything({ maxDepth: 1 }).map((value) => JSON.stringify(value) ?? "undefined"),
);

/** The value as a query parameter has it: lists are comma-separated. */
export function written(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value);
}
