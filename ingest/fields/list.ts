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
  if (Array.isArray(value)) return value.flatMap(itemsIn);
  if (isBlank(value)) return [];
  if (typeof value !== "string") return [lineOf(value)];
  const array = value.trim().startsWith("[") ? parsedArray(value) : undefined;
  if (array !== undefined) return array.flatMap(itemsIn);
  return value
    .split(/[|;]/)
    .filter((item) => !isBlank(item))
    .map(lineOf);
}

function parsedArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
