import * as z from "zod";

/** The last record that a client has seen of a list, and the order it saw it in. */
export interface Cursor {
  sort_by: string;
  order: "asc" | "desc";
  /** What the list is sorted by, of that record. */
  key: string | number | null;
  id: string;
}

/** What each order sorts by. */
const keys: Record<string, z.ZodType<string | number | null>> = {
  created_at: z.iso.datetime({ precision: 3 }).refine(isAfterYearZero),
  deadline_date: z.iso.date().refine(isAfterYearZero).nullable(),
  amount_min: z.number().nullable(),
  amount_max: z.number().nullable(),
  title: z.string().max(600),
  name: z.string().max(600),
  relevance: z.number().min(0).max(1),
};

const error = "must be `pagination.next` of the page before, unchanged";

/** A cursor as text for a URL. Its inside is not part of the contract. */
export function writeCursor({ sort_by, order, key, id }: Cursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify([sort_by, order, key, id]));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * The parameter `cursor` of a list.
 *
 * @param orders the values of the list's `sort_by`.
 */
export function cursor(orders: readonly string[]) {
  return z
    .string()
    .max(4_000, { error })
    .transform((text, context): Cursor => {
      const read = readCursor(text, orders);
      if (read !== undefined) return read;
      context.addIssue({ code: "custom", message: error });
      return z.NEVER;
    });
}

function readCursor(text: string, orders: readonly string[]): Cursor | undefined {
  let written: unknown;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    written = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  const parts = z.tuple([z.enum(orders), z.enum(["asc", "desc"]), z.unknown(), z.guid()]).safeParse(written);
  if (!parts.success) return undefined;
  const [sort_by, order, unread, id] = parts.data;
  const key = keys[sort_by]?.safeParse(unread);
  if (key?.success !== true || hasNul(key.data)) return undefined;
  return { sort_by, order, key: key.data, id };
}

/** Postgres has no such character, nor half of a pair. */
function hasNul(key: string | number | null): boolean {
  return typeof key === "string" && (key.includes("\0") || !key.isWellFormed());
}

/** Nor a year 0. */
function isAfterYearZero(moment: string): boolean {
  return !moment.startsWith("0000");
}

export interface Paged {
  cursor?: Cursor | undefined;
  sort_by?: string | undefined;
  order?: string | undefined;
}

/** A cursor belongs to the order that it was made in. */
export function cursorFitsOrder(parameters: Paged, context: z.core.$RefinementCtx): void {
  const { cursor } = parameters;
  if (cursor === undefined) return;
  for (const name of ["sort_by", "order"] as const) {
    const asked = parameters[name];
    if (asked === undefined || asked === cursor[name]) continue;
    context.addIssue({
      code: "custom",
      path: ["cursor"],
      message: `is of a list with ${name}=${cursor[name]}; begin again without it to have ${name}=${asked}`,
    });
  }
}

/** The parameters in the cursor's order. */
export function inCursorOrder<Parameters extends Paged>(parameters: Parameters): Parameters {
  const { cursor } = parameters;
  return cursor === undefined ? parameters : { ...parameters, sort_by: cursor.sort_by, order: cursor.order };
}
