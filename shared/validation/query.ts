import * as z from "zod";
import { fail, type Outcome, succeed } from "../http/problems.ts";
import type { FieldError } from "../responses/problem.ts";
import { fieldErrors, maximumErrors } from "./errors.ts";
import { nearest } from "./suggest.ts";

/** Longest query string, in characters: a longest search text, percent-encoded, and everything else. */
const maximumQueryLength = 16_384;

/** The query parameters of an endpoint. */
export interface QueryParameters<Schema extends z.ZodType = z.ZodType> {
  /** Every parameter there is, for telling strangers apart. */
  names: readonly string[];
  /** An object of parameters, each given as text. */
  schema: Schema;
}

/** An endpoint without query parameters. */
export const noParameters: QueryParameters = { names: [], schema: z.strictObject({}) };

/**
 * Reads a query string strictly: every parameter known, given once, not empty, and right.
 *
 * @param search the raw query string, with or without its `?`.
 */
export function readQuery<Schema extends z.ZodType>(
  search: string,
  { names, schema }: QueryParameters<Schema>,
): Outcome<z.output<Schema>> {
  const raw = search.replace(/^\?/, "");
  if (raw.length > maximumQueryLength) {
    return fail({
      name: "invalid-parameters",
      detail: `The query string must be at most ${maximumQueryLength} characters long.`,
    });
  }
  const errors: FieldError[] = [];
  const given: Record<string, string> = {};
  const seen = new Set<string>();

  for (const pair of raw.split("&").filter((part) => part !== "")) {
    if (errors.length >= maximumErrors) break;
    const [encodedName = "", encodedValue = ""] = splitOnce(pair, "=");
    const name = decode(encodedName);
    const value = decode(encodedValue);
    if (name === undefined || value === undefined) {
      errors.push({
        parameter: printable(name ?? encodedName),
        message: "must be percent-encoded UTF-8",
      });
    } else if (!names.includes(name)) {
      errors.push({ parameter: printable(name), message: unknownName(name, names) });
    } else if (seen.has(name)) {
      errors.push({ parameter: name, message: "must be given once" });
    } else if (value === "") {
      errors.push({ parameter: name, message: "must not be empty; leave the parameter out instead" });
    } else {
      given[name] = value;
    }
    if (name !== undefined) seen.add(name);
  }

  const parsed = schema.safeParse(given);
  // A parameter that already has an error is absent from what was parsed, and may be missed there.
  if (!parsed.success) {
    errors.push(
      ...fieldErrors(parsed.error, given).filter(
        (error) => !errors.some((other) => other.parameter === error.parameter),
      ),
    );
  }
  if (!parsed.success || errors.length > 0) return fail(invalidParameters(errors));
  return succeed(parsed.data);
}

/** The problem that wrong fields are, with the first of them in its detail. Tells `maximumErrors` of them at most. */
export function invalidParameters(found: FieldError[]) {
  const errors = found.slice(0, maximumErrors);
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return {
    name: "invalid-parameters" as const,
    detail: first === undefined ? "The request is not valid." : `${first.parameter} ${first.message}${more}`,
    errors,
  };
}

function unknownName(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === undefined
    ? `is not a parameter of this endpoint; it takes ${names.length === 0 ? "none" : names.join(", ")}`
    : `is not a parameter of this endpoint; did you mean ${meant}?`;
}

function splitOnce(text: string, separator: string): [string, string] {
  const place = text.indexOf(separator);
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + separator.length)];
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** A client's own text in an answer: short, and without control characters. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, "\u{FFFD}").slice(0, 80);
}
