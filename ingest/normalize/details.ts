import { detailParsers } from "../fields/parsers.ts";
import type { FieldValues } from "../mapping/apply.ts";
import type { StoredDetails } from "../record.ts";
import type { Context } from "./context.ts";
import { createFieldReader } from "./field-reader.ts";

/**
 * Normalizes the details that `expand=details` shows. Without a `deadline_at` of the source's own, the hour is that of its deadline, if that
 * has one.
 *
 * @param deadline the record's deadline, `YYYY-MM-DD`; null where it has none.
 */
export function normalizeDetails(values: FieldValues, deadline: string | null, context: Context): StoredDetails {
  const row = createFieldReader(detailParsers, values, context);
  const { deadline_at, deadline_assumed, ...given } = Object.fromEntries(
    Object.keys(detailParsers).map((name) => [name, row.read(name as keyof typeof detailParsers)]),
  ) as StoredDetails;
  // Where the source names no agency, the funder is the agency.
  const agency =
    given.agency?.length === 0 ? detailParsers.agency((values.get("funder_name") ?? []).slice(0, 1)) : given.agency;
  const others = { ...given, agency };
  const moment =
    deadline === null ? null : (deadline_at ?? detailParsers.deadline_at(values.get("deadline_date") ?? []));
  const known: StoredDetails = Object.fromEntries(Object.entries(others).filter(([, value]) => !isUnknown(value)));
  // A moment on another day would contradict the record.
  const isKnown = moment?.startsWith(String(deadline)) === true;
  // The deadline of a partial record replaces the stored one, hour and all.
  if (context.isPartial && (values.get("deadline_date") ?? []).length > 0) {
    return { ...known, deadline_at: isKnown ? moment : null, deadline_assumed: isKnown && deadline_assumed === true };
  }
  return isKnown ? { ...known, deadline_at: moment, ...(deadline_assumed ? { deadline_assumed } : {}) } : known;
}

function isUnknown(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
