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

/** Reads a publisher's own identifier. */
export function parseSourceId(value: unknown): string {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new ValueError(`${value} has more digits than a JSON number keeps; write it as text`);
  }
  return toLine(value);
}
