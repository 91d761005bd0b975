import type { Random } from "../../../local/demo/random.ts";
import type { RequestSchema } from "../../contract/arbitrary.ts";
import { hostileText } from "./hostile.ts";
import { valueFor } from "./values.ts";

export interface Parameter {
  name: string;
  in: string;
  schema: RequestSchema;
}

/** A query string with its `?`, or nothing: known parameters, strangers, the same one twice, and every way to write them. */
export function queryFor(random: Random, parameters: readonly Parameter[]): string {
  const known = parameters.filter((parameter) => parameter.in === "query");
  const count = random.weighted([
    [0, 1],
    [1, 3],
    [2, 4],
    [4, 3],
    [8, 1],
    [60, 0.1],
  ]);
  const pairs = Array.from({ length: count }, () => {
    const parameter = known.length === 0 || random.chance(0.07) ? undefined : random.pick(known);
    const name = parameter?.name ?? hostileText(random).slice(0, 200);
    const value = parameter === undefined ? hostileText(random) : textOf(valueFor(random, parameter.schema));
    return random.chance(0.02)
      ? percentEncoded(random, name)
      : `${percentEncoded(random, name)}=${percentEncoded(random, value)}`;
  });
  // A name twice is an error by itself, which would hide what else there is to find.
  const once = random.chance(0.9) ? [...new Map(pairs.map((pair) => [pair.split("=")[0], pair])).values()] : pairs;
  if (once.length === 0) return random.chance(0.1) ? "?" : "";
  return `?${once.join(random.chance(0.98) ? "&" : random.pick(["&&", ";", "&amp;"]))}`;
}

/** Sequences that are not the percent-encoding of any UTF-8 text, or that decode to something odd. */
const oddEncodings = [
  "%",
  "%2",
  "%zz",
  "%ff",
  "%c0%ae",
  "%c0%80",
  "%e0%80%af",
  "%ed%a0%80",
  "%f4%90%80%80",
  "%00",
  "%u0041",
  "%0d%0aX-Injected:%20yes",
];

/** Text as a URL has it; rarely encoded twice, not at all, or wrongly. */
export function percentEncoded(random: Random, text: string): string {
  const right = encodeURIComponent(text.toWellFormed());
  const how = random.next();
  if (how < 0.9) return right;
  if (how < 0.92) return encodeURIComponent(right);
  if (how < 0.94) return right.replaceAll("%20", "+");
  if (how < 0.97) return right + random.pick(oddEncodings);
  // As bytes of UTF-8, for a server that takes them; but nothing that ends the request line.
  return Buffer.from(text.replaceAll(/[\s#]/g, "")).toString("latin1");
}

/** A value as a parameter has it: lists are comma-separated. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
