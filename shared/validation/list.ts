import * as z from "zod";
import { type Order, type OrderName, orders } from "../catalogue/orders.ts";
import { fromBase64, toBase64 } from "../encoding.ts";
import type { FieldError } from "../http/problems.ts";
import { isAfterYearZero, isStorable } from "./storable.ts";

type SortKey = string | number | null;

/** Position in a list (keyset paging): the order, and the last record that the client received. */
export interface Cursor {
  sort_by: string;
  order: "asc" | "desc";
  /** That record's sort key; of several, each. */
  key: SortKey | SortKey[];
  id: string;
}

/** Keys of an order in cursors. */
const keys: Record<Order["form"], z.ZodType<string | number>> = {
  moment: z.iso.datetime({ precision: 3 }).refine(isAfterYearZero),
  exactMoment: z.iso.datetime({ precision: 6 }).refine(isAfterYearZero),
  day: z.iso.date().refine(isAfterYearZero),
  number: z.number(),
  score: z.number().min(0).max(1),
  text: z.string().max(600),
};

export const cursorError = "must be `pagination.next` of the previous page, unchanged";

/** Encodes a cursor as text for a URL. Clients must not rely on its content. */
export function writeCursor({ sort_by, order, key, id }: Cursor): string {
  return toBase64(new TextEncoder().encode(JSON.stringify([sort_by, order, key, id])))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * Schema of a list's parameter `cursor`.
 *
 * @param names values of the list's `sort_by`.
 */
export function cursor(names: readonly OrderName[]) {
  return z
    .string()
    .max(4_000, { error: cursorError })
    .transform((text, context): Cursor => {
      const read = readCursor(text, names);
      if (read !== undefined) return read;
      context.addIssue({ code: "custom", message: cursorError });
      return z.NEVER;
    });
}

/** Decodes a cursor; undefined where the text is not a cursor of such a list. */
function readCursor(text: string, names: readonly OrderName[]): Cursor | undefined {
  let decoded: unknown;
  try {
    const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
    decoded = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  const parts = z.tuple([z.string().max(200), z.enum(["asc", "desc"]), z.unknown(), z.guid()]).safeParse(decoded);
  if (!parts.success) return undefined;
  const [sort_by, order, unread, id] = parts.data;
  const sorts = sort_by.split(",");
  if (sorts.length === 1) {
    const key = readKey(names, sort_by, unread);
    return key === undefined ? undefined : { sort_by, order, key, id };
  }
  if (findSortFault(sorts, names) !== undefined || directionOf(sorts[0] ?? "") !== order) return undefined;
  if (!Array.isArray(unread) || unread.length !== sorts.length) return undefined;
  const key = sorts.map((sort, index) => readKey(names, sort.replace(/^-/, ""), unread[index]));
  return key.every((one) => one !== undefined) ? { sort_by, order, key, id } : undefined;
}

/** The key of an order in a cursor; undefined where it is none. */
function readKey(names: readonly OrderName[], sort: string, unread: unknown): SortKey | undefined {
  const known = names.find((name) => name === sort);
  if (known === undefined) return undefined;
  const { form, hasNulls }: Order = orders[known];
  const key = (hasNulls === true ? keys[form].nullable() : keys[form]).safeParse(unread);
  return key.success && (typeof key.data !== "string" || isStorable(key.data)) ? key.data : undefined;
}

/** Keys of an order, at most. */
export const maximumSortKeys = 3;

/** Orders that stand alone: a ranking, and the feed of changes. */
const lone: readonly string[] = ["relevance", "updated_at"] satisfies OrderName[];

/** Orders that may stand beside others. */
export function combinable(names: readonly OrderName[]): OrderName[] {
  return names.filter((name) => !lone.includes(name));
}

/** What is wrong with the keys of an order; undefined where nothing is. */
export function findSortFault(sorts: readonly string[], names: readonly OrderName[]): string | undefined {
  const bare = sorts.map((sort) => sort.replace(/^-/, ""));
  const unknown = bare.some((name) => !names.some((one) => one === name));
  if (unknown) {
    const several = `or up to ${maximumSortKeys} of them, separated by commas, with - before those that descend`;
    return `must be one of ${names.join(", ")}, ${several}`;
  }
  if (sorts.length === 1) return undefined;
  const alone = bare.find((name) => lone.includes(name));
  if (alone !== undefined) return `cannot have ${alone} beside other keys`;
  const twice = bare.find((name, index) => bare.indexOf(name) !== index);
  if (twice !== undefined) return `has ${twice} twice`;
  return sorts.length > maximumSortKeys ? `must be at most ${maximumSortKeys} keys` : undefined;
}

function directionOf(sort: string): "asc" | "desc" {
  return sort.startsWith("-") ? "desc" : "asc";
}

/** Whether an order says its own directions: it has several keys, or one with `-`. */
function saysDirection(sort: string): boolean {
  return sort.includes(",") || sort.startsWith("-");
}

/** Parameters that a cursor fixes. */
export interface Paged {
  cursor?: Cursor | undefined;
  sort_by?: string | undefined;
  order?: string | undefined;
}

/** Refuses a cursor of another order than the parameters ask for. */
export function checkCursorOrder(parameters: Paged, context: z.core.$RefinementCtx): void {
  const { cursor } = parameters;
  if (parameters.order !== undefined && parameters.sort_by !== undefined && saysDirection(parameters.sort_by)) {
    context.addIssue({
      code: "custom",
      path: ["order"],
      message: "cannot be combined with a sort_by of several keys, or with -: those say their directions",
    });
  }
  if (cursor === undefined) return;
  for (const name of ["sort_by", "order"] as const) {
    const given = readDirection(parameters)[name];
    if (given === undefined || given === cursor[name]) continue;
    context.addIssue({
      code: "custom",
      path: ["cursor"],
      message: `belongs to a list with ${name}=${cursor[name]}; for ${name}=${given}, start without a cursor`,
    });
  }
}

/** The parameters with the direction that `sort_by` says, if it says one: of several keys, that of the first. */
function readDirection<Parameters extends Paged>(parameters: Parameters): Parameters {
  const { sort_by } = parameters;
  if (sort_by === undefined || !saysDirection(sort_by)) return parameters;
  const bare = sort_by.includes(",") ? sort_by : sort_by.replace(/^-/, "");
  return { ...parameters, sort_by: bare, order: directionOf(sort_by) };
}

/** Returns the parameters with the order that `sort_by` says or the cursor has. */
export function applyOrder<Parameters extends Paged>(parameters: Parameters): Parameters {
  const { cursor } = parameters;
  if (cursor === undefined) return readDirection(parameters);
  return { ...parameters, sort_by: cursor.sort_by, order: cursor.order };
}

/** A part of records that the database adds: `expand` asks for details, names of checks in `fields` for those beside them. */
export type Part = "details" | "checks";

/** Parsed parameters that every list has. */
export interface ListParameters extends Paged, Record<string, unknown> {
  limit: number;
  offset: number;
  search?: string | undefined;
  search_mode: string;
  count_only: boolean;
  format?: "json" | "csv" | undefined;
  facets?: readonly string[] | undefined;
  archived_as_ids?: boolean | undefined;
  similar_to?: string | undefined;
  explain?: boolean | undefined;
  highlight?: boolean | undefined;
  search_in?: string | undefined;
  passages?: boolean | undefined;
  ids?: readonly string[] | undefined;
  expand?: readonly Part[] | undefined;
  /** The function chooses them: the database is not told. */
  fields?: readonly string[] | undefined;
}

/** Refuses parameters of a list that contradict each other. */
export function checkListParameters(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  checkSearch(parameters, context);
  checkExplain(parameters, context);
  checkHighlight(parameters, context);
  checkDocuments(parameters, context);
  checkCursorOrder(parameters, context);
  checkCsv(parameters, context);
}

/** Refuses a ranked list without a text or a record to rank by, and one with both. */
function checkSearch(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  if (parameters.similar_to !== undefined) {
    if (parameters.search_mode === "keyword") return;
    context.addIssue({
      code: "custom",
      path: ["search_mode"],
      message: "must be keyword with similar_to, which ranks by the record; search is a filter there",
    });
    return;
  }
  if (parameters.search !== undefined) return;
  if (parameters.search_mode !== "keyword") {
    context.addIssue({
      code: "custom",
      path: ["search"],
      message: `is required when search_mode is ${parameters.search_mode}`,
    });
  }
  if (sortOf(parameters) === "relevance") {
    context.addIssue({ code: "custom", path: ["search"], message: "is required when sort_by is relevance" });
  }
}

/** Whether a search or a record ranks the list, so that each record has a relevance_score. */
export function isRankedList(parameters: ListParameters): boolean {
  const { search_mode, similar_to } = parameters;
  return (
    search_mode !== "keyword" ||
    similar_to !== undefined ||
    isInDocuments(parameters) ||
    sortOf(parameters) === "relevance"
  );
}

/** The order of a list, without what says the direction of a single one. */
function sortOf({ sort_by, cursor }: Paged): string | undefined {
  return (sort_by ?? cursor?.sort_by)?.replace(/^-/, "");
}

/** Refuses to explain a list that is not ranked. */
function checkExplain(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  if (parameters.explain !== true || isRankedList(parameters)) return;
  context.addIssue({
    code: "custom",
    path: ["explain"],
    message:
      "needs a ranked list: search_mode=semantic or hybrid, sort_by=relevance, search_in=documents or all, or similar_to",
  });
}

/** Refuses to highlight what was not searched for. */
function checkHighlight({ highlight, search }: ListParameters, context: z.core.$RefinementCtx): void {
  if (highlight !== true || search !== undefined) return;
  context.addIssue({ code: "custom", path: ["highlight"], message: "needs search, whose words it shows" });
}

/** Refuses to look in documents for nothing, or by their meaning, which they have no vectors of. */
function checkDocuments(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  const { search, search_mode, similar_to, passages } = parameters;
  if (passages === true && search === undefined) {
    context.addIssue({ code: "custom", path: ["passages"], message: "needs search, whose words they have" });
  }
  if (!isInDocuments(parameters)) return;
  const message =
    similar_to !== undefined
      ? "must be records with similar_to, which ranks by the record"
      : search === undefined
        ? "needs search, which it says where to look for"
        : search_mode === "semantic"
          ? "must be records with search_mode=semantic: documents are searched by words; use keyword or hybrid"
          : undefined;
  if (message !== undefined) context.addIssue({ code: "custom", path: ["search_in"], message });
}

/** Whether a search looks into documents. */
function isInDocuments({ search_in = "records" }: ListParameters): boolean {
  return search_in !== "records";
}

/** Names of the given parameters that ask for parts that CSV lacks: totals, facets, ids of archived records, explanations and passages. */
export function notInCsv({
  count_only,
  facets,
  archived_as_ids,
  explain,
  highlight,
  passages,
}: ListParameters): string[] {
  const asked = { count_only, facets: facets !== undefined, archived_as_ids, explain, highlight, passages };
  return Object.entries(asked).flatMap(([name, isAsked]) => (isAsked === true ? [name] : []));
}

/**
 * Parameter that every endpoint ignores: supabase-js adds it where a caller chooses a region. Supabase's gateway reads it, other stacks have one region.
 */
export const regionParameter = "forceFunctionRegion";

/** Parameters that a list of `ids` may have: which records, and what to answer of them. */
const besideIds = ["ids", "expand", "fields", "format", regionParameter];

/** The errors of parameters that were given beside `ids`, which leave nothing to find, order or page through. */
export function errorsBesideIds(given: readonly string[]): FieldError[] {
  const message = "cannot be combined with ids, which name the records and their order";
  return [...new Set(given)].filter((name) => !besideIds.includes(name)).map((parameter) => ({ parameter, message }));
}

/** The parameters of a list of `ids`, without the defaults of those that it does not take. */
export function ofIds({ ids = [], expand }: ListParameters): ListParameters {
  return { ids, expand, limit: ids.length, offset: 0, search_mode: "keyword", count_only: false };
}

/** Refuses, for CSV, parameters that ask for anything but records. */
function checkCsv(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  if (parameters.format !== "csv") return;
  for (const name of notInCsv(parameters)) {
    context.addIssue({
      code: "custom",
      path: [name],
      message: "cannot be combined with format=csv, which has records only",
    });
  }
}
