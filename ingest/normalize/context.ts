import type { PlaceReadingMode } from "../fields/place.ts";
import type { Note } from "../notes.ts";

/** Inputs of normalization besides the row. */
export interface Context {
  source: string;
  /** How states are read. Default: `guess`. */
  places?: PlaceReadingMode;
  /** Whether the record may lack required fields, because it updates a stored one. */
  isPartial: boolean;
  /** Called when a value is left out of the record, or something is assumed of it. */
  note(note: Note): void;
}
