import * as z from "zod";
import { type FieldError, fail, invalidParameters, maximumErrors, type Outcome, succeed } from "../http/problems.ts";
import { fieldErrors, sanitizeName } from "./errors.ts";
import { expansion, integer, maximumPageSize } from "./fields.ts";
import { nearest } from "./suggest.ts";

/** Longest query string, in characters: enough for the longest search text, percent-encoded, and all other parameters. */
const maximumQueryLength = 16_384;

/** Query parameters of an endpoint. */
export interface QueryParameters<Schema extends z.ZodType = z.ZodType> {
  /** All parameters. Others are refused. */
  names: readonly string[];
  /** Schema of an object of the parameters, each given as text. */
  schema: Schema;
}

/** Query parameters of a single record. */
export const recordParameters = { names: ["expand"], schema: z.strictObject({ expand: expansion() }) };

const changesFields = {
  limit: integer(1, maximumPageSize).default(20).meta({ description: "Most changes in the answer." }),
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, { error: "must be `next` of the previous page, unchanged" })
    .transform(Number)
    .optional()
    .meta({ description: "`next` of the previous page." }),
};

/** Query parameters of a record's changes. */
export const changesParameters = { names: Object.keys(changesFields), schema: z.strictObject(changesFields) };

/** For an endpoint without query parameters. */
export const noParameters: QueryParameters = { names: [], schema: z.strictObject({}) };

/**
 * Parses a query string strictly: every parameter must be known, given once, not empty and valid.
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
        parameter: sanitizeName(name ?? encodedName),
        message: "must be percent-encoded UTF-8",
      });
    } else if (!names.includes(name)) {
      errors.push({ parameter: sanitizeName(name), message: describeUnknown(name, names) });
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
  // A parameter that already has an error was not parsed, so the schema may report it as missing.
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

function describeUnknown(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === undefined
    ? `is not a parameter of this endpoint; it takes ${names.length === 0 ? "none" : names.join(", ")}`
    : `is not a parameter of this endpoint; did you mean ${meant}?`;
}

function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + separator.length)];
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
