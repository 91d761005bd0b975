import { setAsideCode } from "../../shared/validation/set-aside.ts";
import { quoteValue, ValueError } from "../errors.ts";
import { toKey, toLine } from "./value.ts";

/** Reads the six-digit NAICS code at the beginning of "541511", "541511.0" or "541511 - Programming". */
export function parseNaics(value: unknown): string {
  const code = /^(\d{6})(?!\d)/.exec(toLine(value))?.[1];
  if (code === undefined) throw new ValueError(`${quoteValue(value)} is not a six-digit NAICS code`);
  return code;
}

/** Words of publishers for no set-aside, as keys of {@link toKey}. */
const noSetAside = /^(no|none|nosetasides?(used)?|notsetaside|unrestricted|fullandopen(competition)?)$/;

/** Reads the code of a set-aside from its code or any of its names. "No set aside used" is null; other text stays. */
export function parseSetAside(value: unknown): string | null {
  const text = toLine(value);
  return noSetAside.test(toKey(text)) ? null : setAsideCode(text);
}

/**
 * Reads a publisher's own identifier. A whole number with ".0" behind it, as programs write a column of numbers in which
 * some are missing, is read without.
 *
 * @throws {ValueError} when a program has rounded it, since it may be any of several.
 */
export function parseSourceId(value: unknown): string {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new ValueError(`${value} has more digits than a JSON number keeps; write it as text`);
  }
  const text = toLine(value);
  if (isShortenedNumber(text)) {
    throw new ValueError(`${quoteValue(text)} is a number that a spreadsheet shortened; format its column as text`);
  }
  return withoutDecimalZero(text);
}

/** Whether text is a long number as spreadsheets show it: "2.02401E+17". Different numbers look the same. */
export function isShortenedNumber(text: string): boolean {
  return /^\d(?:\.\d+)?e\+\d{2,3}$/i.test(text);
}

/** Returns "363179" of "363179.0", and other text as it is. */
export function withoutDecimalZero(text: string): string {
  return /^\d+\.0$/.test(text) ? text.slice(0, -2) : text;
}
