import { shown, ValueError } from "../errors.ts";
import { readableText } from "./html.ts";
import { withoutMojibake } from "./mojibake.ts";

/**
 * What a field makes of the values that a row has for it, in order; they are never blank.
 *
 * @throws {ValueError} when a value cannot be taken.
 */
export type Parse<Value> = (values: readonly unknown[]) => Value;

/** A field of one value: the first there is, or null. */
export function one<Value>(parse: (value: unknown) => Value): Parse<Value | null> {
  return ([value]) => (value === undefined ? null : parse(value));
}

/** Words that publishers write where they have nothing to say, by their letters and digits. */
const wordsForNothing = new Set(["", "na", "nan", "null", "none", "notapplicable", "notavailable", "unspecified"]);

/** True of values that say nothing: null, empty text and lists, "N/A", "none", "-" and the like. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.every(isBlank);
  if (typeof value !== "string") return false;
  const text = value.trim();
  // Long texts are never such a word; text in other scripts has letters that the pattern drops.
  if (text.length > 20 || /[^\0-\x7f]/.test(text)) return text === "";
  return wordsForNothing.has(text.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}

/**
 * A value as clean text: trimmed, line breaks as `\n`, well-formed, without control characters
 * (Postgres cannot store NUL), its characters repaired where they were misread. A list's items are
 * joined with "; ".
 */
export function textOf(value: unknown): string {
  if (Array.isArray(value))
    return value
      .filter((item) => !isBlank(item))
      .map(textOf)
      .join("; ");
  if (typeof value === "object" && value !== null) throw new ValueError(`${shown(value)} is an object, not text`);
  return (
    withoutMojibake(String(value).toWellFormed())
      .replaceAll(/\r\n?/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
      .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\ufeff]/g, "")
      .trim()
  );
}

/** Clean text in one line. */
export function lineOf(value: unknown): string {
  return textOf(value).replaceAll(/\s+/g, " ");
}

/** A title or name in one line, without HTML. */
export function titleOf(value: unknown): string {
  return lineOf(readableText(textOf(value)));
}

/** Several texts as paragraphs, without HTML; "" when there is none. */
export function paragraphsOf(values: readonly unknown[]): string {
  return values
    .map((value) => readableText(textOf(value)))
    .filter((text) => text !== "")
    .join("\n\n");
}

/** A text's letters and digits in lower case: how names and words are compared. */
export function keyOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
