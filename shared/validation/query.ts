import * as z from "zod";
import { type FieldError, fail, invalidParameters, maximumErrors, type Outcome, succeed } from "../http/problems.ts";
import { fieldErrors, sanitizeName } from "./errors.ts";
import { integer, isRepeated, maximumPageSize } from "./fields.ts";
import { regionParameter } from "./list.ts";
import { nearest } from "./suggest.ts";

/** Longest query string, in characters: enough for the longest search text, percent-encoded, and all other parameters. */
const maximumQueryLength = 16_384;

/** How a list is written in a query string, for the description of its parameter: codes, and names, which may have commas. */
export const listInQuery = {
  codes: "Several values are separated by commas.",
  names: "For several values, repeat the parameter.",
};

/** Query parameters of an endpoint. */
export interface QueryParameters<Schema extends z.ZodType = z.ZodType> {
  /** All parameters. Others are refused. */
  names: readonly string[];
  /** Schema of an object of the parameters, each given as text. */
  schema: Schema;
}

const changesFields = {
  limit: integer(1, maximumPageSize).default(20).meta({ description: "Maximum number of changes in the answer." }),
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
 * Parses a query string strictly: every parameter must be known, not empty and valid. A list may be given several times, any other parameter once.
 *
 * @param search the raw query string, with or without its `?`.
 * @param maximumLength its limit, in characters.
 */
export function readQuery<Schema extends z.ZodType>(
  search: string,
  { names, schema }: QueryParameters<Schema>,
  maximumLength = maximumQueryLength,
): Outcome<z.output<Schema>> {
  const raw = search.replace(/^\?/, "");
  if (raw.length > maximumLength) {
    return fail({
      name: "invalid-parameters",
      detail: `The query string must be at most ${maximumLength} characters long.`,
    });
  }
  const errors: FieldError[] = [];
  const given: Record<string, string | string[]> = {};
  const lists = listNames(schema);
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
    } else if (name === regionParameter) {
      // Also twice: it is not ours to check.
    } else if (!names.includes(name)) {
      errors.push({ parameter: sanitizeName(name), message: describeUnknown(name, names) });
    } else if (seen.has(name) && !lists.has(name)) {
      errors.push({ parameter: name, message: "must be given once" });
    } else if (value === "") {
      errors.push({ parameter: name, message: "must not be empty; leave the parameter out instead" });
    } else {
      given[name] = given[name] === undefined ? value : [given[name], value].flat();
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

/**
 * Parses the query string of a list: as `readQuery` does and, where it has places in words, with what the place reader makes of them. Few have, so
 * its code is loaded for these alone.
 */
export async function readListQuery<Schema extends z.ZodType>(
  search: string,
  parameters: QueryParameters<Schema>,
  maximumLength?: number,
): Promise<Outcome<z.output<Schema>>> {
  const read = readQuery(search, parameters, maximumLength);
  const hasWords = read.ok
    ? Object.hasOwn(read.value as object, "geography")
    : read.problem.errors?.some(({ parameter }) => parameter === "states");
  if (hasWords !== true) return read;
  const { withPlaces } = await import("../geography/query-places.ts");
  return withPlaces(read, search);
}

const knownLists = new WeakMap<z.ZodType, ReadonlySet<string>>();

/** Names of the lists whose values are given by repeating the parameter alone, by a schema of an object of parameters. */
export function repeatedNames(schema: z.ZodType): ReadonlySet<string> {
  const fields = Object.entries(shapeOf(schema));
  return new Set(fields.flatMap(([name, field]) => (isRepeated(field) ? [name] : [])));
}

function shapeOf(schema: z.ZodType): Record<string, unknown> {
  const fields = innermost(schema);
  return fields instanceof z.ZodObject ? fields.shape : {};
}

/** Names of the parameters whose values are lists, by a schema of an object of parameters. */
function listNames(schema: z.ZodType): ReadonlySet<string> {
  const known = knownLists.get(schema);
  if (known !== undefined) return known;
  const names = Object.entries(shapeOf(schema)).flatMap(([name, field]) => (isList(innermost(field)) ? [name] : []));
  const lists = new Set(names);
  knownLists.set(schema, lists);
  return lists;
}

/** Whether values may be lists: beside a single one, too. */
function isList(schema: unknown): boolean {
  return schema instanceof z.ZodArray || (schema instanceof z.ZodUnion && schema.options.some(isList));
}

/** The schema of the value itself: without what parses a text before it, what is made of it afterwards, and its default. */
function innermost(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return innermost(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return innermost(schema.unwrap());
  }
  return schema;
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
