import type { PlaceReadingMode } from "../fields/place.ts";

/** Inputs of normalization besides the row. */
export interface Context {
  source: string;
  /** The day of the import, `YYYY-MM-DD`: a deadline before it has passed. */
  today: string;
  /** How states are read. Default: `guess`. */
  places?: PlaceReadingMode;
  /** Whether the record may lack required fields, because it updates a stored one. */
  isPartial: boolean;
  /** Called with a note when a value is left out. */
  note(problem: string): void;
}
