import { followed, type JsonSchema } from "./operation.ts";

/** JSON Schema of what a tool answers, whole in itself. */
export interface OutputSchema extends JsonSchema {
  type: "object";
}

/** Makes one schema of answers, with the parts that they refer to in `$defs`. */
export function outputSchemaOf(answers: readonly JsonSchema[]): OutputSchema {
  const parts = new Map<string, JsonSchema>();

  function withParts(schema: JsonSchema): JsonSchema {
    const { examples: _, ...kept } = schema;
    const entries = Object.entries(kept).map(([keyword, value]) => [keyword, keywordWithParts(keyword, value)]);
    return Object.fromEntries(entries);
  }

  function keywordWithParts(keyword: string, value: unknown): unknown {
    if (keyword === "$ref") return referenceTo(value as string);
    if (keyword === "properties") {
      const members = Object.entries(value as Record<string, JsonSchema>);
      return Object.fromEntries(members.map(([name, member]) => [name, withParts(member)]));
    }
    if (["anyOf", "oneOf"].includes(keyword)) return (value as JsonSchema[]).map(withParts);
    const isSchema = ["items", "additionalProperties"].includes(keyword) && typeof value === "object";
    return isSchema ? withParts(value as JsonSchema) : value;
  }

  function referenceTo(pointer: string): string {
    const name = pointer.replace(/^.*\//, "");
    if (!parts.has(name)) {
      parts.set(name, {});
      parts.set(name, withParts(followed({ $ref: pointer })));
    }
    return `#/$defs/${name}`;
  }

  const [only = {}, ...others] = answers;
  const whole = others.length === 0 ? withParts(followed(only)) : { anyOf: answers.map(withParts) };
  return { ...whole, type: "object", $defs: Object.fromEntries(parts) };
}
