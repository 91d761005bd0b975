import { isBlank, lineOf } from "./value.ts";

/**
 * A list of texts from JSON arrays (also as text) and from text split at `|` or `;`. Each item comes
 * once, however its letters are cased, in the order of the source.
 */
export function listOf(values: readonly unknown[]): string[] {
  const items = new Map<string, string>();
  for (const item of values.flatMap(itemsIn)) {
    const key = item.toLowerCase();
    if (!items.has(key)) items.set(key, item);
  }
  return [...items.values()];
}

/**
 * Numbers that people quote. An item without a digit is a label ("47.041|Engineering"), not a number,
 * and is left out.
 */
export function identifiersOf(values: readonly unknown[]): string[] {
  return listOf(values).filter((item) => /\d/.test(item));
}

function itemsIn(value: unknown): string[] {
  return itemsOf(value).flatMap((item) =>
    typeof item !== "string"
      ? [lineOf(item)]
      : item
          .split(/[|;]/)
          .filter((part) => !isBlank(part))
          .map(lineOf),
  );
}

/** The items of a JSON array (also as text), or the value itself; none is blank. */
export function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(itemsOf);
  if (isBlank(value)) return [];
  const array = typeof value === "string" && value.trim().startsWith("[") ? parsedArray(value) : undefined;
  return array === undefined ? [value] : array.flatMap(itemsOf);
}

function parsedArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
