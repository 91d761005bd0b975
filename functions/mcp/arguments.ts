import type { ArgumentSchema, InputSchema } from "./input-schema.ts";

/** The type of an argument; of one that the tool does not know, none. */
type ArgumentType = Partial<Pick<ArgumentSchema, "type" | "items">>;

/**
 * Reads the arguments of a call as models write them. Null, an empty text and an empty list are what a model writes for an argument that it leaves out.
 * A list may be JSON in a text, a number or a boolean may be text, and a text a number: a NAICS code. Lists that are separated by commas are read by
 * the API's endpoints.
 */
export function readArguments(given: Record<string, unknown>, { properties }: InputSchema): Record<string, unknown> {
  const read = Object.entries(given)
    .filter(([, value]) => !isLeftOut(value))
    .map(([name, value]) => [name, readArgument(value, properties[name])]);
  return Object.fromEntries(read);
}

function isLeftOut(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function readArgument(value: unknown, { type, items }: ArgumentType = {}): unknown {
  if (type === "array") {
    const list = typeof value === "string" ? (readJsonList(value) ?? value) : value;
    return Array.isArray(list)
      ? list.map((item: unknown) => (typeof item === "object" ? item : readArgument(item, items)))
      : readArgument(list, items);
  }
  // One value in a list.
  const single: unknown = Array.isArray(value) && value.length === 1 && typeof value[0] !== "object" ? value[0] : value;
  if (type === "string") return typeof single === "number" ? String(single) : single;
  if (typeof single !== "string") return single;
  const text = single.trim();
  // "5.0" is of a language whose numbers have no integers.
  if (type === "integer" && /^\d{1,16}(\.0+)?$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

/** The texts of a list that is JSON in a text; undefined where the text is none. */
function readJsonList(text: string): string[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) && items.every((item) => typeof item === "string") ? items : undefined;
  } catch {
    return undefined;
  }
}
