import { isNestedTooDeep } from "../read/bounds.ts";
import { isShortenedNumber, withoutDecimalZero } from "./code.ts";
import { decodeEntities } from "./html.ts";
import { isBlank, toLine, unwrapFormula } from "./value.ts";

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
 * Reads identifiers that people quote. An item without a digit is a label ("47.041|Engineering") and is left out, as is a
 * number that a spreadsheet shortened.
 */
export function parseIdentifiers(values: readonly unknown[]): string[] {
  const items = parseList(values).filter((item) => /\d/.test(item) && !isShortenedNumber(item));
  return [...new Set(items.map(withoutDecimalZero))];
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

/** Returns the items of a JSON array (also in text) or of a list as Python prints it, or the value itself, without blanks. */
export function toItems(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(toItems);
  if (isBlank(value)) return [];
  const text = typeof value === "string" ? unwrapFormula(value.trim()) : "";
  if (typeof value === "string" && isBlank(text)) return [];
  const array = text.startsWith("[") ? (parseJsonArray(text) ?? parsePythonList(text)) : undefined;
  return array === undefined ? [typeof value === "string" ? text : value] : array.flatMap(toItems);
}

function parseJsonArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && !isNestedTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An item of a list as Python prints it, with what ends it. */
const pythonItem =
  /\s*(?:'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<bare>None|True|False|-?\d+(?:\.\d+)?))\s*(?:,(?:\s*\]$)?|\]$)/suy;

/** Parses a list of texts as Python prints it: `['OH', "St. Mary's", None]`. */
function parsePythonList(text: string): unknown[] | undefined {
  const items: unknown[] = [];
  for (let index = 1; index < text.length; index = pythonItem.lastIndex) {
    pythonItem.lastIndex = index;
    const groups = pythonItem.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const { single, double, bare } = groups;
    const quoted = single ?? double;
    items.push(quoted === undefined ? (bare === "None" ? null : bare) : unescapePython(quoted));
  }
  return text.endsWith("]") ? items : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Replaces the escapes that Python writes in a text. */
function unescapePython(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gs,
    (_, byte?: string, unit?: string, other?: string) => {
      const code = byte ?? unit;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return escapes[other ?? ""] ?? other ?? "";
    },
  );
}
