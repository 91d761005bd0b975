import { printableJson } from "../shared/log/printable.ts";
import { ColumnDate } from "./fields/date.ts";
import { describePlace, placeOf, type RowPlace } from "./read/row.ts";

/** Values left out of a row's record, or assumed for it. The record itself is stored. */
export interface Note {
  /** The record's field; absent where the note is about the whole row. */
  field?: string;
  /** The source's value, as it was read; absent where there was none. */
  value?: unknown;
  /** Predicate of the value: `is not a web address; left out`. Without the value, since notes are counted by their reasons. */
  reason: string;
}

/** Entry of the notes file. As a line of it, it is safe to print. */
export interface NoteEntry {
  /** The file of the row, if there are several. */
  file?: string;
  line: number;
  /** Its number in a JSON document. */
  record?: number;
  source_id: string | null;
  field: string | null;
  value: unknown;
  reason: string;
}

/** Receiver of the notes on stored records. */
export interface NoteSink {
  write(notes: readonly NoteEntry[]): Promise<void>;
}

/** Maximum of a value in the notes file, in characters. */
const keptCharacters = 1_000;

/** Makes the entry of a note for the notes file. A long value is shortened. */
export function toNoteEntry(
  place: RowPlace,
  source_id: string | null,
  { field = null, value = null, reason }: { field?: string | null; value?: unknown; reason: string },
): NoteEntry {
  return { ...placeOf(place), source_id, field, value: shorten(value), reason };
}

function shorten(value: unknown): unknown {
  const plain = value instanceof ColumnDate ? value.text : value;
  const text = typeof plain === "string" ? plain : (JSON.stringify(plain) ?? "");
  // JSON that is cut is none: it is shown as text.
  return text.length > keptCharacters ? `${text.slice(0, keptCharacters)}...` : plain;
}

/** Number of notes with one field and reason, and the first of them. */
export interface NoteCount {
  count: number;
  first: NoteEntry;
}

/** Kinds of notes that are counted apart. A reason may name something of the row, so that there could be any number of them. */
const countedKinds = 50;
const otherReason = "other notes";

/** Numbers of an import's notes, by field and reason. */
export class NoteCounts {
  readonly #counts = new Map<string, NoteCount>();

  add(entry: NoteEntry): void {
    const own = `${entry.field ?? ""}: ${entry.reason}`;
    const key = this.#counts.has(own) || this.#counts.size < countedKinds ? own : otherReason;
    const known = this.#counts.get(key);
    if (known === undefined) {
      const first = key === own ? entry : { ...entry, field: null, value: null, reason: otherReason };
      this.#counts.set(key, { count: 1, first });
    } else {
      known.count++;
      // Batches of several connections end in any order.
      if (key === own && isBefore(entry, known.first)) known.first = entry;
    }
  }

  list(): NoteCount[] {
    return [...this.#counts.values()];
  }
}

function isBefore(one: NoteEntry, other: NoteEntry): boolean {
  return one.file === other.file && (one.record ?? one.line) < (other.record ?? other.line);
}

/** Maximum of a value in a sentence of the summary, in characters. */
const shownCharacters = 60;

/** Sentences for the summary: how often each was noted, with the first of them. */
export function describeNotes(counts: NoteCounts): string[] {
  return counts.list().map(({ count, first: { field, value, reason, ...place } }) => {
    const text = value === null ? "" : printableJson(value);
    const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}...` : text;
    const often = count === 1 ? "once" : `${count.toLocaleString("en-US")} times, first`;
    const subject = field === null ? "" : `${field}: `;
    return `Note: ${subject}${shown === "" ? "" : `${shown} `}${reason} (${often} in ${describePlace(place)})`;
  });
}
