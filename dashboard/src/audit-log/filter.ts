import type { AuditEntry } from "../../../shared/responses/account/audit-log.ts";
import { hasWords } from "../format/words.ts";
import { fieldName, valueText } from "./changes.ts";
import { actorOf, sentenceOf } from "./sentence.ts";

/** The API's filter that an address has: `kind`, `subject`, and the days `from` and `to` of the reader's time zone, both included. */
export function filterOf(search: URLSearchParams): URLSearchParams {
  const filter = new URLSearchParams();
  for (const name of ["kind", "subject"]) {
    const value = search.get(name);
    if (value !== null) filter.set(name, value);
  }
  const [since, until] = [startOfDay(search.get("from")), startOfDay(search.get("to"), 1)];
  if (since !== undefined) filter.set("since", since);
  if (until !== undefined) filter.set("until", until);
  return filter;
}

/** Beginning of a local day (`2027-01-31`), or of one so many days later, in RFC 3339; undefined if it is missing or not valid. */
function startOfDay(day: string | null, later = 0): string | undefined {
  const start = new Date(`${day}T00:00:00`);
  if (Number.isNaN(start.getTime())) return undefined;
  start.setDate(start.getDate() + later);
  return start.toISOString();
}

/** Whether an entry has every word of a text: in its sentence, its actor, or what changed. */
export function entryHasWords(entry: AuditEntry, text: string): boolean {
  const changes = entry.changes.flatMap(({ field, from, to }) => [fieldName(field), valueText(from), valueText(to)]);
  return hasWords([sentenceOf(entry), actorOf(entry), entry.action, entry.subject.id, ...changes], text);
}
