// Imported as a namespace: a bundler then drops what is not used. With `import { z }` it would keep all of zod.
import * as z from "zod";
import type { OrderName } from "../catalogue/orders.ts";
import { isStateCode, stateCodes } from "../geography/states.ts";
import { combinable, cursor, findSortFault, maximumSortKeys } from "./list.ts";
import { isAfterYearZero, isStorable, notStorable } from "./storable.ts";

/** Longest search text, in characters. */
const maximumSearchLength = 4_000;
/** Longest other free text, in characters. */
const maximumTextLength = 200;
/** Largest offset. A cursor goes further, at the same cost for each page. */
export const maximumOffset = 10_000;

/**
 * Whether a text is one line and reads as it is displayed: without control characters, so without line breaks, tabs and ESC
 * sequences, and without direction marks. (Joiners within words, as in Persian and in emoji, are allowed.)
 */
export function isPlainLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text);
}
export const notPlainLine = "must be one line, without control characters";

// A parameter arrives as text. `preprocess` parses it, so that the schema inside describes the value. The OpenAPI document
// is made from that schema.

/** Free text. Surrounding white space is dropped; text of nothing else is an error. */
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

/** Name that a person gives something: one line. */
export function name(maximumLength: number) {
  return text(maximumLength).refine(isPlainLine, { error: notPlainLine });
}

/** Limit of operators in a search: quoted phrases, excluded words and `or`. Each is looked up by itself in every record. */
export const maximumSearchOperators = 64;

/** Text to search for. */
export function searchText() {
  return text(maximumSearchLength).refine((value) => countOperators(value) <= maximumSearchOperators, {
    error: `must have at most ${maximumSearchOperators} operators: phrases in quotes, -words and or`,
  });
}

function countOperators(search: string): number {
  const quotes = search.split('"').length - 1;
  const excluded = search.match(/(?<![^\s"!&|()])-(?=[^\s\-!&|()])/g)?.length ?? 0;
  const alternatives = search.match(/(?<!\S)or(?!\S)/gi)?.length ?? 0;
  return Math.ceil(quotes / 2) + excluded + alternatives;
}

/**
 * Whole number in decimal digits.
 *
 * @param beyond added to the error of a larger number: how to get what it was to get.
 */
export function integer(minimum: number, maximum: number, beyond = "") {
  const error = `must be an integer from ${minimum} to ${maximum}`;
  return z.preprocess(
    (value) => (typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value),
    z
      .int({ error })
      .min(minimum, { error })
      .max(maximum, { error: `${error}${beyond}` }),
  );
}

/** `true` or `false`, which Python writes as `True` and `False`. */
export function boolean() {
  const values = new Map<unknown, boolean>([
    ["true", true],
    ["True", true],
    ["false", false],
    ["False", false],
  ]);
  return z.preprocess((value) => values.get(value) ?? value, z.boolean({ error: "must be true or false" }));
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(", ")}` });
}

/**
 * Order of a list: a name, or several with `-` before those that descend. Parsed to text.
 *
 * @param names values of the list's `sort_by`.
 */
export function sorting(names: readonly OrderName[]) {
  const signed = combinable(names).flatMap((name) => [name, `-${name}` as const]);
  return z
    .preprocess(
      (value, context) => {
        const given = textsOf(value)?.flatMap(atCommas);
        if (given === undefined) return value;
        // As in other lists, a value given again says nothing new.
        const sorts = [...new Set(given)];
        const fault = findSortFault(sorts, names);
        if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
        return sorts.length === 1 ? sorts[0] : sorts;
      },
      z.union([
        z.enum([...names, ...names.map((name) => `-${name}` as const)]),
        z.array(z.enum(signed)).min(1).max(maximumSortKeys),
      ]),
    )
    .transform((sorts) => [sorts].flat().join(","));
}

/** Calendar day, `YYYY-MM-DD`. */
export function date() {
  return z.iso.date({ error: "must be a date that exists, written YYYY-MM-DD" }).refine(isAfterYearZero, {
    error: "must be a date that exists, written YYYY-MM-DD",
  });
}

/** Calendar day, or a day at a distance from today: `today`, `today+14d`, `today-1d`. The database knows what day it is where a record's publisher is. */
export function dayOrToday() {
  const error = "must be a date (YYYY-MM-DD), today, or days from today such as today+14d";
  return z.preprocess(
    // An unencoded + in a URL arrives as a space.
    (value) => (typeof value === "string" ? value.replace(/^today (?=\d)/, "today+") : value),
    z.union([date(), z.string().regex(/^today([+-]\d{1,4}d)?$/)], { error }),
  );
}

/** Calendar day, meaning its first moment in UTC, or RFC 3339 date-time. Parsed to a moment in UTC. */
export function moment() {
  const error = "must be a date (YYYY-MM-DD) or a date-time with its offset (2026-06-10T14:00:00Z)";
  return z
    .preprocess(
      // An unencoded + in a URL arrives as a space.
      (value) => (typeof value === "string" ? value.replace(/ (\d\d:\d\d)$/, "+$1") : value),
      z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error }),
    )
    .pipe(utcMoment(error));
}

/** RFC 3339 date-time. Parsed to a moment in UTC. */
export function instant() {
  const error = "must be a date-time with its offset, for example 2026-11-20T14:00:00Z";
  return z.iso.datetime({ offset: true, error }).pipe(utcMoment(error));
}

/** Date-time converted to UTC, within the range of both JavaScript and Postgres. */
function utcMoment(error: string) {
  return (
    z
      .string()
      .refine((value) => isAfterYearZero(value) && !Number.isNaN(Date.parse(value)), { error, abort: true })
      .transform((value) => new Date(value).toISOString())
      // With an offset, the first or last hours of the calendar can lie outside it in UTC.
      .refine((value) => /^(?!0000)\d{4}-/.test(value), { error })
  );
}

/** Limit of values of one filter. */
export const maximumValues = 50;

/** Splits codes that are separated by commas. */
export const atCommas = (text: string): readonly string[] => text.split(",").map((code) => code.trim());

/** Texts that a parameter has, which may be given several times; undefined where it has anything else. */
export function textsOf(value: unknown): string[] | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = given.filter((one) => typeof one === "string");
  return texts.length === given.length ? texts : undefined;
}

/**
 * One or several values of a filter, without repetitions, sorted. One alone is parsed as itself: the database compares and caches it as a single value.
 *
 * @param split the values of one text.
 */
function several<Value extends string>(
  item: z.ZodType<Value | readonly Value[], string>,
  split: (text: string) => readonly string[],
) {
  return z
    .preprocess(
      (value, context) => {
        const given = textsOf(value)?.flatMap(split);
        if (given === undefined) return value;
        const wrong = given.flatMap((text) => {
          const parsed = item.safeParse(text);
          return parsed.success ? [] : [{ text, message: parsed.error.issues[0]?.message ?? "" }];
        })[0];
        if (wrong === undefined) return given;
        const isNamed = given.length > 1 && wrong.text !== "";
        const message = isNamed ? `${wrong.message}; ${JSON.stringify(wrong.text.slice(0, 20))} is not` : wrong.message;
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      },
      z
        .array(item)
        .min(1)
        .max(maximumValues, { error: `must have at most ${maximumValues} values` }),
    )
    .transform((parsed): Value | Value[] => {
      const values = [...new Set(parsed.flat() as Value[])].sort();
      const [first] = values;
      return values.length === 1 && first !== undefined ? first : values;
    });
}

/** Codes, separated by commas or by repeating the parameter. */
export function someCodes<Value extends string>(item: z.ZodType<Value | readonly Value[], string>) {
  return several(item, atCommas);
}

/** Names, by repeating the parameter: a name may have commas. */
export function someNames() {
  const named = several(text(), (name) => [name]);
  repeated.add(named);
  return named;
}

/** Schemas of lists whose values may have commas. */
const repeated = new WeakSet<object>();

/** Whether a list's values are given by repeating the parameter, as they may have commas. */
export function isRepeated(schema: unknown): boolean {
  return schema instanceof z.ZodOptional ? isRepeated(schema.unwrap()) : repeated.has(schema as object);
}

/**
 * Splits codes of a vocabulary at commas. A publisher's own code is a text as a whole, commas and all: it is not split, nor what stands beside it.
 *
 * @param isKnown whether a text is in the vocabulary.
 */
function splitKnown(isKnown: (text: string) => boolean): (text: string) => readonly string[] {
  return (text) => {
    const codes = atCommas(text);
    return codes.every(isKnown) ? codes : [text];
  };
}

/** Codes of a vocabulary, separated by commas, and codes of publishers' own, which may have commas: the parameter is repeated. */
export function someKnownCodes<Value extends string>(
  item: z.ZodType<Value | readonly Value[], string>,
  isKnown: (text: string) => boolean,
) {
  const codes = several(item, splitKnown(isKnown));
  repeated.add(codes);
  return codes;
}

/** Comma-separated USPS codes, in upper or lower case. Parsed to upper case, without repetitions, sorted. */
export function states() {
  return z.preprocess(
    (value, context) => {
      const given = textsOf(value)?.join(",");
      if (given === undefined) return value;
      const unknown = unknownStates(given);
      if (unknown.length > 0) context.addIssue({ code: "custom", message: describeUnknownStates(unknown) });
      return [...new Set(splitCodes(given))].sort();
    },
    z.array(z.enum(stateCodes)).min(1),
  );
}

function splitCodes(value: string): string[] {
  return atCommas(value).map((code) => code.toUpperCase());
}

/** The first five items of a value of `states` that are no codes. */
export function unknownStates(value: string): string[] {
  return [...new Set(splitCodes(value).filter((code) => !isStateCode(code)))].slice(0, 5);
}

/** The error of a value of `states` with such items. `suggestStates` adds the codes that may be meant. */
export function describeUnknownStates(unknown: readonly string[]): string {
  const named = unknown.map((code) => JSON.stringify(code.slice(0, 20))).join(", ");
  return `must be comma-separated two-letter USPS state codes, for example OH,PA; ${named} ${unknown.length === 1 ? "is not one" : "are not"}`;
}

/** Sectors of NAICS that have several beginnings. */
const sectors: ReadonlyMap<string, string[]> = new Map([
  ["31-33", ["31", "32", "33"]],
  ["44-45", ["44", "45"]],
  ["48-49", ["48", "49"]],
]);

/** Code of an industry, or its beginning. A sector of several beginnings is parsed to these. */
export const naicsCode = z
  .string()
  .regex(/^(?:\d{2,6}|31-33|44-45|48-49)$/, {
    error: "must be two to six digits of a NAICS code, for example 541511 or 54, or a sector such as 31-33",
  })
  .transform((code): string | string[] => sectors.get(code) ?? code);

/** Code of a product or service, or its beginning, in upper or lower case. */
export const pscCode = z
  .string()
  .regex(/^[0-9A-Za-z]{1,4}$/, { error: "must be a product or service code or its beginning, for example R499 or R4" })
  .transform((code) => code.toUpperCase());

/** Identifier of an organization in SAM.gov, in upper or lower case. */
export const uei = z
  .string()
  .regex(/^[0-9A-Za-z]{12}$/, { error: "must be a Unique Entity Identifier: twelve letters and digits" })
  .transform((code) => code.toUpperCase());

/** USPS code of one state, in upper or lower case. */
export const stateCode = z.preprocess(
  (code) => (typeof code === "string" ? code.toUpperCase() : code),
  z.enum(stateCodes, { error: "must be the USPS code of a state or territory, for example OH" }),
) as unknown as z.ZodType<(typeof stateCodes)[number], string>;

export function amount() {
  return integer(0, Number.MAX_SAFE_INTEGER);
}

/** Comma-separated names, each one of `values`. Parsed without repetitions, in the order of `values`. */
export function someOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  const error = `must be one or more of ${values.join(", ")}, separated by commas`;
  return z.preprocess(
    (value, context) => {
      const given = textsOf(value)?.flatMap(atCommas);
      if (given === undefined) return value;
      if (!given.every((name) => values.includes(name))) context.addIssue({ code: "custom", message: error });
      return values.filter((name) => given.includes(name));
    },
    z.array(z.enum(values)).min(1, { error }),
  );
}

/** Limit of records, changes or log entries in one answer. */
export const maximumPageSize = 100;

/**
 * Parameters that every list has.
 *
 * @param orders values of its `sort_by`.
 */
export function paging(orders: readonly OrderName[]) {
  return {
    count_only: boolean().default(false).meta({ description: "Return only the total." }),
    limit: integer(1, maximumPageSize).default(20).meta({
      description: "Maximum number of records in the answer. Without it, CSV has all records that match, up to 10,000.",
    }),
    offset: integer(0, maximumOffset, "; to go further, give `cursor` the `pagination.next` of the page before")
      .default(0)
      .meta({ description: "Records to skip." }),
    cursor: cursor(orders).optional().meta({
      description:
        "`pagination.next` of the previous page. The list continues after that page's last record, in the same order, whatever was added or removed since.",
    }),
    ids: ids(),
    expand: expansion(),
    format: oneOf(["json", "csv"]).optional().meta({
      description: "Format of the answer. It overrides the `Accept` header, which may ask for `text/csv` too.",
      default: "json",
    }),
  };
}

/** Whether an answer says how its results were ranked. */
export function explain() {
  return boolean().optional().meta({
    description:
      "Say what was understood of the search, in `meta.understood`, and the parts of each result's score, in `explanation`. It takes about twice as long, and needs a ranked list. Not in CSV.",
    default: false,
  });
}

/** Whether an answer shows where its results have what was searched for. */
export function highlight() {
  return boolean().optional().meta({
    description:
      "Add `highlights` to each result: by field, the best passage and what to mark in it. Needs `search`. Not in CSV.",
    default: false,
  });
}

/** Whether an answer shows what the documents of its results say. */
export function passages() {
  return boolean().optional().meta({
    description:
      "Add `passages` to each result: up to three of its documents that have what was searched for, with their pages and what to mark. Needs `search`. Not in CSV.",
    default: false,
  });
}

/** Id of the record that the records of a list are to be similar to. */
export function similarTo() {
  return z
    .guid({ error: "must be a UUID" })
    .optional()
    .meta({
      description:
        "Id of a grant, contract or funder. Finds the records that are most like it, by their words and meaning, without itself. `search` is a filter beside it: every word has to be there. By default, sorted by `relevance`.",
      examples: ["cb75c555-bd5f-891d-a251-07bba87727b9"],
    });
}

/** Ids of the records to answer with, in their order. Parsed to lower case, without repetitions. */
export function ids() {
  return z
    .preprocess(
      (value, context) => {
        const given = textsOf(value)
          ?.flatMap(atCommas)
          .map((id) => id.toLowerCase());
        if (given === undefined) return value;
        const wrong = given.find((id) => !z.guid().safeParse(id).success);
        if (wrong !== undefined) {
          const message = `must be UUIDs, separated by commas; ${JSON.stringify(wrong.slice(0, 40))} is not one`;
          context.addIssue({ code: "custom", message });
        }
        return [...new Set(given)];
      },
      z
        .array(z.guid())
        .min(1)
        .max(maximumPageSize, { error: `must be at most ${maximumPageSize} ids` }),
    )
    .optional()
    .meta({
      description:
        "Ids of the records to answer with, in this order, whatever they are: awarded, archived. `missing` of the answer has those that no record has. In place of filters, searches, orders and pages. Not in a count.",
      examples: [["cb75c555-bd5f-891d-a251-07bba87727b9"]],
    });
}

/** Parts that an answer can add to its records. */
const expansions = ["details"] as const;

/** Parameter of lists and single records. */
export function expansion() {
  return someOf(expansions)
    .optional()
    .meta({
      description:
        "`details` adds to each record what its source says beside the record's own fields: who may apply, agency, assistance listings, documents, the hour of the deadline.",
      examples: [["details"]],
    });
}

export const searchModes = ["keyword", "semantic", "hybrid"] as const;
export const searchPlaces = ["records", "documents", "all"] as const;
export const directions = ["asc", "desc"] as const;
