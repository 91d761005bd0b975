import { isNestedTooDeep } from "../read/bounds.ts";
import { decodeEntities } from "./html.ts";
import { isBlank, toLine } from "./value.ts";

/**
 * Reads a list of texts from JSON arrays (also in text) and from text, split at `|` or `;`. Items are deduplicated
 * without regard to case and keep the source's order.
 */
export function parseList(values: readonly unknown[]): string[] {
  const items = new Map<string, string>();
  for (const item of values.flatMap(splitItems)) {
    const key = item.toLowerCase();
    if (!items.has(key)) items.set(key, item);
  }
  return [...items.values()];
}

/**
 * Reads identifiers that people quote. An item without a digit is a label ("47.041|Engineering") and is left out.
 */
export function parseIdentifiers(values: readonly unknown[]): string[] {
  return parseList(values).filter((item) => /\d/.test(item));
}

function splitItems(value: unknown): string[] {
  return toItems(value).flatMap((item) =>
    typeof item !== "string"
      ? [toLine(item)]
      : // The semicolon of "Arts &amp; Culture" divides nothing.
        decodeEntities(item)
          .split(/[|;]/)
          .filter((part) => !isBlank(part))
          .map(toLine)
          .filter((part) => part !== ""),
  );
}

/** Returns the items of a JSON array (also in text), or the value itself, without blanks. */
export function toItems(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(toItems);
  if (isBlank(value)) return [];
  const array = typeof value === "string" && value.trim().startsWith("[") ? parseJsonArray(value) : undefined;
  return array === undefined ? [value] : array.flatMap(toItems);
}

function parseJsonArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && !isNestedTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
