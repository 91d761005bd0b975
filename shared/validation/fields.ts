// The whole namespace, because a bundler then drops what is not used; by its name, it keeps all of zod.
import * as z from "zod";
import { readPlace } from "../geography/read-place.ts";
import { isStateCode, stateCodes } from "../geography/states.ts";
import { cursor } from "./cursor.ts";

/** Longest search text, in characters. */
const maximumSearchLength = 4_000;
/** Longest other free text, in characters. */
const maximumTextLength = 200;
/** Largest offset. Beyond it, filters are the better tool than paging. */
const maximumOffset = 10_000;

/** Whether Postgres can hold a text: it has no NUL character, nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
export const notStorable = "must be well-formed Unicode text without NUL characters";

// A parameter arrives as text. What reads it is a `preprocess`, so that the schema behind it says what the value
// is: the OpenAPI document is made from that.

/** Free text. Surrounding space is dropped; nothing but space is an error. */
export function text(maximumLength = maximumTextLength) {
  return (
    z
      .string({ error: "must be text" })
      .refine(isStorable, { error: notStorable, abort: true })
      .trim()
      .min(1, { error: "must not be empty", abort: true })
      .refine((value) => [...value].length <= maximumLength, {
        error: `must be at most ${maximumLength} characters long`,
      })
      // JSON Schema counts characters as the refinement does; zod's own `max` would count UTF-16 units.
      .meta({ maxLength: maximumLength })
  );
}

/** Most operators of a search: quoted phrases, excluded words and `or`. Each is looked up by itself in every record. */
export const maximumSearchOperators = 64;

/** The text of a search. */
export function searchText() {
  return text(maximumSearchLength).refine((value) => operatorsIn(value) <= maximumSearchOperators, {
    error: `must have at most ${maximumSearchOperators} operators: phrases in quotes, -words and or`,
  });
}

function operatorsIn(search: string): number {
  const quotes = search.split('"').length - 1;
  const excluded = search.match(/(?<!\S)-(?=\S)/g)?.length ?? 0;
  const alternatives = search.match(/(?<!\S)or(?!\S)/gi)?.length ?? 0;
  return Math.ceil(quotes / 2) + excluded + alternatives;
}

/** A whole number in decimal digits. */
export function integer(minimum: number, maximum: number) {
  const error = `must be an integer from ${minimum} to ${maximum}`;
  return z.preprocess(
    (value) => (typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value),
    z.int({ error }).min(minimum, { error }).max(maximum, { error }),
  );
}

export function boolean() {
  return z.preprocess(
    (value) => (value === "true" ? true : value === "false" ? false : value),
    z.boolean({ error: "must be true or false" }),
  );
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(", ")}` });
}

/** A calendar day, `YYYY-MM-DD`. */
export function date() {
  return z.iso.date({ error: "must be a date that exists, written YYYY-MM-DD" }).refine(isAfterYearZero, {
    error: "must be a date that exists, written YYYY-MM-DD",
  });
}

/** A day, meaning its first moment in UTC, or an RFC 3339 moment. Gives the moment in UTC. */
export function moment() {
  const error = "must be a date (YYYY-MM-DD) or a date-time with its offset (2026-06-10T14:00:00Z)";
  return z
    .preprocess(
      // An unencoded + in a URL arrives as a space.
      (value) => (typeof value === "string" ? value.replace(/ (\d\d:\d\d)$/, "+$1") : value),
      z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error }),
    )
    .pipe(inUtc(error));
}

/** An RFC 3339 date-time. Gives the moment in UTC. */
export function instant() {
  const error = "must be a date-time with its offset, for example 2026-11-20T14:00:00Z";
  return z.iso.datetime({ offset: true, error }).pipe(inUtc(error));
}

/** A moment that both JavaScript and Postgres have. */
function inUtc(error: string) {
  return (
    z
      .string()
      .refine((value) => isAfterYearZero(value) && !Number.isNaN(Date.parse(value)), { error, abort: true })
      .transform((value) => new Date(value).toISOString())
      // An offset can move the first or last hours of the calendar out of it.
      .refine((value) => /^(?!0000)\d{4}-/.test(value), { error })
  );
}

/** Comma-separated USPS codes, in either case. Gives them in upper case, each once, in order. */
export function states() {
  return z.preprocess(
    (value, context) => {
      if (typeof value !== "string") return value;
      const codes = value.split(",").map((code) => code.trim().toUpperCase());
      const unknown = [...new Set(codes.filter((code) => !isStateCode(code)))].slice(0, 5);
      if (unknown.length > 0) {
        context.addIssue({
          code: "custom",
          message: `must be comma-separated two-letter USPS state codes, for example OH,PA; ${unknown
            .map((code) => JSON.stringify(code.slice(0, 20)))
            .join(", ")} ${unknown.length === 1 ? "is not one" : "are not"}${suggestCodes(unknown)}`,
        });
      }
      return [...new Set(codes)].sort();
    },
    z.array(z.enum(stateCodes)).min(1),
  );
}

function suggestCodes(unknown: string[]): string {
  const meant = unknown.flatMap((name) => readPlace(name.slice(0, 40)).states);
  return meant.length > 0 ? ` (did you mean ${meant.join(",")}?)` : "";
}

export function amount() {
  return integer(0, Number.MAX_SAFE_INTEGER);
}

/** Comma-separated names, each of them one of `values`. Gives each once, in the order of `values`. */
export function someOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  const error = `must be one or more of ${values.join(", ")}, separated by commas`;
  return z.preprocess(
    (value, context) => {
      if (typeof value !== "string") return value;
      const given = value.split(",").map((name) => name.trim());
      if (!given.every((name) => values.includes(name))) context.addIssue({ code: "custom", message: error });
      return values.filter((name) => given.includes(name));
    },
    z.array(z.enum(values)).min(1, { error }),
  );
}

/**
 * The parameters that every list has.
 *
 * @param orders the values of its `sort_by`.
 */
export function paging(orders: readonly string[]) {
  return {
    count_only: boolean().default(false).meta({ description: "Answer only the total." }),
    limit: integer(1, 100)
      .default(20)
      .meta({ description: "Most records in the answer. CSV without it has all there are, up to 10,000." }),
    offset: integer(0, maximumOffset).default(0).meta({ description: "Records to pass over." }),
    cursor: cursor(orders).optional().meta({
      description:
        "`pagination.next` of the page before: the records after its last one, in the same order, whatever was added or went meanwhile.",
    }),
    format: oneOf(["json", "csv"]).optional().meta({
      description: "The answer's format. It goes before the `Accept` header, which may ask for `text/csv` too.",
      default: "json",
    }),
  };
}

export const searchModes = ["keyword", "semantic", "hybrid"] as const;
export const directions = ["asc", "desc"] as const;

/** Postgres has no year 0, and JavaScript no trouble with it. */
function isAfterYearZero(value: string): boolean {
  return !value.startsWith("0000");
}
