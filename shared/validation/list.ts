import * as z from "zod";
import { type Order, type OrderName, orders } from "../catalogue/orders.ts";
import { fromBase64, toBase64 } from "../encoding.ts";
import { isAfterYearZero, isStorable } from "./storable.ts";

/** Position in a list (keyset paging): the order, and the last record that the client received. */
export interface Cursor {
  sort_by: string;
  order: "asc" | "desc";
  /** That record's sort key. */
  key: string | number | null;
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

const error = "must be `pagination.next` of the previous page, unchanged";

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
    .max(4_000, { error })
    .transform((text, context): Cursor => {
      const read = readCursor(text, names);
      if (read !== undefined) return read;
      context.addIssue({ code: "custom", message: error });
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
  const parts = z.tuple([z.enum(names), z.enum(["asc", "desc"]), z.unknown(), z.guid()]).safeParse(decoded);
  if (!parts.success) return undefined;
  const [sort_by, order, unread, id] = parts.data;
  const { form, hasNulls }: Order = orders[sort_by];
  const key = (hasNulls === true ? keys[form].nullable() : keys[form]).safeParse(unread);
  if (!key.success || (typeof key.data === "string" && !isStorable(key.data))) return undefined;
  return { sort_by, order, key: key.data, id };
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
  if (cursor === undefined) return;
  for (const name of ["sort_by", "order"] as const) {
    const given = parameters[name];
    if (given === undefined || given === cursor[name]) continue;
    context.addIssue({
      code: "custom",
      path: ["cursor"],
      message: `belongs to a list with ${name}=${cursor[name]}; for ${name}=${given}, start without a cursor`,
    });
  }
}

/** Returns the parameters with the cursor's order. */
export function applyCursorOrder<Parameters extends Paged>(parameters: Parameters): Parameters {
  const { cursor } = parameters;
  return cursor === undefined ? parameters : { ...parameters, sort_by: cursor.sort_by, order: cursor.order };
}

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
  expand?: readonly string[] | undefined;
}

/** Refuses parameters of a list that contradict each other. */
export function checkListParameters(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  checkSearch(parameters, context);
  checkExplain(parameters, context);
  checkHighlight(parameters, context);
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
  if ((parameters.sort_by ?? parameters.cursor?.sort_by) === "relevance") {
    context.addIssue({ code: "custom", path: ["search"], message: "is required when sort_by is relevance" });
  }
}

/** Whether a search or a record ranks the list, so that each record has a relevance_score. */
export function isRankedList({ search_mode, similar_to, sort_by, cursor }: ListParameters): boolean {
  return search_mode !== "keyword" || similar_to !== undefined || (sort_by ?? cursor?.sort_by) === "relevance";
}

/** Refuses to explain a list that is not ranked. */
function checkExplain(parameters: ListParameters, context: z.core.$RefinementCtx): void {
  if (parameters.explain !== true || isRankedList(parameters)) return;
  context.addIssue({
    code: "custom",
    path: ["explain"],
    message: "needs a ranked list: search_mode=semantic or hybrid, sort_by=relevance, or similar_to",
  });
}

/** Refuses to highlight what was not searched for. */
function checkHighlight({ highlight, search }: ListParameters, context: z.core.$RefinementCtx): void {
  if (highlight !== true || search !== undefined) return;
  context.addIssue({ code: "custom", path: ["highlight"], message: "needs search, whose words it shows" });
}

/** Names of the given parameters that ask for parts that CSV lacks: totals, facets, ids of archived records, explanations and passages. */
export function notInCsv({ count_only, facets, archived_as_ids, explain, highlight }: ListParameters): string[] {
  const asked = { count_only, facets: facets !== undefined, archived_as_ids, explain, highlight };
  return Object.entries(asked).flatMap(([name, isAsked]) => (isAsked === true ? [name] : []));
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
