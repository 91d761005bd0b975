import type { PlaceReadingMode } from "../fields/place.ts";

/** What a row's record depends on besides the row. */
export interface Context {
  source: string;
  /** The day of the import, `YYYY-MM-DD`: a deadline before it has passed. */
  today: string;
  /** How states are found; absent, they are read out of addresses. */
  places?: PlaceReadingMode;
  /** Whether the record may lack what every record needs, since it may be stored already. */
  isPartial: boolean;
  /** Is told what was left out of a record. */
  note(problem: string): void;
}
