import { deadlineNote } from "../fields/date.ts";
import { detailParsers } from "../fields/parsers.ts";
import type { FieldValues } from "../mapping/apply.ts";
import type { StoredDetails } from "../record.ts";
import type { Context } from "./context.ts";
import { createFieldReader } from "./field-reader.ts";

/**
 * Normalizes the details that `expand=details` shows. Without a `deadline_at` or a `deadline_note` of the source's own, the hour and the words are
 * those of its deadline, if that has them.
 *
 * @param record the record's deadline, `YYYY-MM-DD`, null where it has none; and its classification: an awarded project has no deadline.
 */
export function normalizeDetails(
  values: FieldValues,
  { deadline_date, classification }: { deadline_date: string | null; classification: string },
  context: Context,
): StoredDetails {
  const row = createFieldReader(detailParsers, values, context);
  const { deadline_at, deadline_assumed, deadline_note, ...given } = Object.fromEntries(
    Object.keys(detailParsers).map((name) => [name, row.read(name as keyof typeof detailParsers)]),
  ) as StoredDetails;
  // Where the source names no agency, the funder is the agency.
  const agency =
    given.agency?.length === 0 ? detailParsers.agency((values.get("funder_name") ?? []).slice(0, 1)) : given.agency;
  const written = values.get("deadline_date") ?? [];
  const isAwarded = classification === "awarded_project";
  const others = {
    ...given,
    agency,
    deadline_note: isAwarded ? null : (deadline_note ?? noteOf(written, deadline_date)),
  };
  const moment = deadline_date === null ? null : (deadline_at ?? detailParsers.deadline_at(written));
  const known: StoredDetails = Object.fromEntries(Object.entries(others).filter(([, value]) => !isUnknown(value)));
  // A moment on another day would contradict the record.
  const isKnown = moment?.startsWith(String(deadline_date)) === true;
  // The deadline of a partial record replaces the stored one, hour and all.
  if (context.isPartial && written.length > 0) {
    return { ...known, deadline_at: isKnown ? moment : null, deadline_assumed: isKnown && deadline_assumed === true };
  }
  return isKnown ? { ...known, deadline_at: moment, ...(deadline_assumed ? { deadline_assumed } : {}) } : known;
}

/** The words of a deadline, as far as they say more than the day that was read in them. */
function noteOf([value]: readonly unknown[], deadline: string | null): string | null {
  const note = value === undefined ? null : deadlineNote(value, deadline);
  return note === null ? null : detailParsers.deadline_note([note]);
}

function isUnknown(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
