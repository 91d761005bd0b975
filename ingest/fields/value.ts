import { quoteValue, ValueError } from "../errors.ts";
import { readFormula } from "./formula.ts";
import { htmlToText } from "./html.ts";
import { repairMojibake } from "./mojibake.ts";

/**
 * Parses the values of a row for one field, in order. None of them is blank.
 *
 * @throws {ValueError} when a value cannot be taken. Its message is `"VALUE" PREDICATE`, with {@link quoteValue}.
 */
export type Parse<Value> = (values: readonly unknown[], note?: NoteValue) => Value;

/**
 * Called when an item is left out, or something is assumed of a value, while the others are taken.
 *
 * @param reason predicate of the value: `is no assistance listing; left out`.
 */
export type NoteValue = (value: unknown, reason: string) => void;

/** Parser of a field with one value: parses the first, or returns null when there is none. */
export function parseFirst<Value>(parse: (value: unknown, note?: NoteValue) => Value): Parse<Value | null> {
  return ([value], note) => (value === undefined ? null : parse(value, note));
}

/** Publishers' words for no value, reduced to letters and digits. */
const blankWords = new Set([
  "",
  "blank",
  "na",
  "nan",
  "nat",
  "nil",
  "none",
  "notapplicable",
  "notavailable",
  "null",
  "unspecified",
]);

/**
 * A character outside ASCII that says something: a letter or digit of any script, a symbol such as a check mark, a currency. Dashes, bullets and
 * invisible characters do not.
 */
const foreignCharacter = /(?![\0-\x7f])[\p{L}\p{N}\p{So}\p{Sc}]/u;

/** Text of a cell whose formula failed. (`#N/A` and `#NULL!` are words for no value.) */
const spreadsheetError = /^#(?:REF!|NAME\?|VALUE!|DIV\/0!|NUM!|ERROR!|SPILL!|CALC!)$/;

function isFormulaOfNothing(text: string): boolean {
  try {
    const shown = unwrapFormula(text);
    return shown !== text && isBlank(shown);
  } catch (error) {
    if (error instanceof ValueError) return false;
    throw error;
  }
}

/** Whether a value says nothing: null, empty text, empty lists, "N/A", "none", "-", MySQL's and Postgres' `\N`, and similar. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.every(isBlank);
  if (typeof value !== "string") return false;
  const text = value.trim();
  // Long texts are never such a word.
  if (text.length > 20) return false;
  if (foreignCharacter.test(text)) return false;
  // In capitals: the letter N is a flag.
  if (text === "\\N" || spreadsheetError.test(text)) return true;
  if (text.startsWith("=")) return isFormulaOfNothing(text);
  return blankWords.has(text.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}

/**
 * Converts a value to clean text: trimmed, well-formed, with `\n` as line break, without control characters (Postgres
 * cannot store NUL) and without mojibake. Items of a list are joined with "; ".
 */
export function toText(value: unknown): string {
  if (Array.isArray(value))
    return value
      .filter((item) => !isBlank(item))
      .map(toText)
      .join("; ");
  if (typeof value === "object" && value !== null) throw new ValueError(`${quoteValue(value)} is an object, not text`);
  const text = removeControls(repairMojibake(String(value).toWellFormed()).replaceAll(/\r\n?/g, "\n")).trim();
  return unwrapFormula(text);
}

/**
 * Returns the text that a spreadsheet shows for a formula such as `="0012"` or `=HYPERLINK("https://...", "0012")`; other text as it is.
 *
 * @throws {ValueError} for a formula of which only a spreadsheet knows the value.
 */
export function unwrapFormula(text: string): string {
  return readFormula(text)?.text.trim() ?? text;
}

/** The address of a value that is a link: `=HYPERLINK("https://...", "0012")`. Undefined for every other value. */
export function addressOfLink(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\s*'?=/.test(value)) return undefined;
  try {
    return readFormula(value.trim())?.address?.trim();
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

/** Removes control characters, and marks that change the direction of the text after them. */
function removeControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  return text.replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g, "");
}

/** Converts a value to clean text in one line. */
export function toLine(value: unknown): string {
  return toText(value).replaceAll(/\s+/g, " ");
}

/** Reads a title or name: one line, without HTML. */
export function parseTitle(value: unknown): string {
  return toLine(htmlToText(toText(value)));
}

/** Reads several texts as paragraphs, without HTML. "" when there is none. */
export function parseParagraphs(values: readonly unknown[]): string {
  return (
    values
      // Control characters again: HTML can write them as character references.
      .map((value) => removeControls(htmlToText(toText(value))))
      .filter((text) => text !== "")
      .join("\n\n")
  );
}

/** Key for comparing names and words: their ASCII letters and digits, in lower case. */
export function toKey(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Reads true or false, from JSON's own, true/false, yes/no, y/n, t/f and 1/0. */
export function parseFlag(value: unknown): boolean {
  const text = toLine(value).toLowerCase();
  if (/^(true|yes|y|t|1)$/.test(text)) return true;
  if (/^(false|no|n|f|0)$/.test(text)) return false;
  throw new ValueError(`${quoteValue(value)} is not true or false`);
}
