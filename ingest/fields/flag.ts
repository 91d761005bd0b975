import { shown, ValueError } from "../errors.ts";
import { lineOf } from "./value.ts";

/** True or false, from JSON's own, true/false, yes/no, y/n, t/f and 1/0. */
export function flagOf(value: unknown): boolean {
  const text = lineOf(value).toLowerCase();
  if (/^(true|yes|y|t|1)$/.test(text)) return true;
  if (/^(false|no|n|f|0)$/.test(text)) return false;
  throw new ValueError(`${shown(value)} is not true or false`);
}
