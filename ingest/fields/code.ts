import { setAsideCode } from "../../shared/validation/set-aside.ts";
import { shown, ValueError } from "../errors.ts";
import { keyOf, lineOf } from "./value.ts";

/** The six-digit NAICS code at the beginning of "541511", "541511.0" or "541511 - Programming". */
export function naicsOf(value: unknown): string {
  const code = /^(\d{6})(?!\d)/.exec(lineOf(value))?.[1];
  if (code === undefined) throw new ValueError(`${shown(value)} is not a six-digit NAICS code`);
  return code;
}

/** What publishers write where nothing is set aside, by letters and digits. */
const noSetAside = /^(no|none|nosetasides?(used)?|notsetaside|unrestricted|fullandopen(competition)?)$/;

/** The code of a set-aside, from its code or any of its names; null for "No set aside used". Other text stays. */
export function setAsideOf(value: unknown): string | null {
  const text = lineOf(value);
  return noSetAside.test(keyOf(text)) ? null : setAsideCode(text);
}

/** A publisher's own identifier. */
export function sourceIdOf(value: unknown): string {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new ValueError(`${value} has more digits than a JSON number keeps; write it as text`);
  }
  return lineOf(value);
}
