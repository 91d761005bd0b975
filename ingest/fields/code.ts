import { setAsideCode } from "../../shared/validation/set-aside.ts";
import { shown, ValueError } from "../errors.ts";
import { keyOf, lineOf } from "./value.ts";

/** The six-digit NAICS code at the beginning of "541511", "541511.0" or "541511 - Programming". */
export function naicsOf(value: unknown): string {
  const code = /^(\d{6})(?!\d)/.exec(lineOf(value))?.[1];
  if (code === undefined) throw new ValueError(`${shown(value)} is not a six-digit NAICS code`);
  return code;
}

/** The GSA code of a set-aside, from its code or any of its names; null for "No set aside used". */
export function setAsideOf(value: unknown): string | null {
  const text = lineOf(value);
  if (/^(no|none|noset?asideused|nosetaside)$/.test(keyOf(text))) return null;
  // In lower case, so that a code that comes back is known from a name that does.
  const short = shortSetAsideName(text).toLowerCase();
  const code = setAsideCode(short);
  return code === short ? setAsideCode(text) : code;
}

/**
 * What is left of a set-aside's name without what FAR, SAM.gov and FPDS put around it: "Women-Owned Small Business
 * (WOSB) Program Sole Source (FAR 19.15)" is "WOSB sole source", "SMALL BUSINESS SET ASIDE - TOTAL" is "TOTAL small
 * business".
 */
function shortSetAsideName(text: string): string {
  const name = text
    .replaceAll(/\((?:FAR|specific to)[^)]*\)/gi, "")
    .replace(/^SBA certified /i, "")
    .replace(/\bprogram\b/i, "")
    .replace(/^small business set[- ]aside\s*-\s*(total|partial)$/i, "$1 small business")
    .trim();
  const abbreviation = /\((EDWOSB|WOSB|SDVOSB|HUBZone|ISBEE|IEE)\)/i.exec(name)?.[1];
  const withoutEnd = name.replace(/\s*set[- ]aside$/i, "");
  if (abbreviation === undefined) return withoutEnd;
  return /sole source$/i.test(name) ? `${abbreviation} sole source` : abbreviation;
}

/** A publisher's own identifier. */
export function sourceIdOf(value: unknown): string {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new ValueError(`${value} has more digits than a JSON number keeps; write it as text`);
  }
  return lineOf(value);
}
