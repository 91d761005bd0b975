import { existsIn, numericDate } from "../fields/date.ts";
import { lineOf } from "../fields/value.ts";

/** Where a date is. */
export interface DatePlace {
  line: number;
  file?: string;
}

/** How a column's dates with the day or the month first are read, or why they cannot be. */
export type ColumnOrder = "dmy" | "mdy" | { refusal: string };

/** What the dates of a column show of their order. */
interface Evidence {
  /** The first date that exists only with the day first, and the first that exists only with the month first. */
  dmy?: string;
  mdy?: string;
  /** The first date that exists both ways and is another day each way, and how many there are. */
  either?: string;
  eitherCount: number;
}

/**
 * The columns of a file that has its dates written in numbers, with what they show of their order. A column is
 * decided on as a whole: one date tells how all are to be read.
 */
export class DateColumns {
  readonly #columns = new Map<string, Evidence>();
  /** Set where the file could not be read to its end: what its last part would have shown is not known. */
  isPart = false;

  /** Takes a value of a column. */
  note(column: string, value: unknown, place: DatePlace): void {
    const numeric = numericDate(value);
    if (numeric === undefined) return;
    const [dmy, mdy] = [existsIn(numeric, "dmy"), existsIn(numeric, "mdy")];
    // A date that exists in neither order is a slip, and shows nothing.
    if (!dmy && !mdy) return;
    const evidence = this.#columns.get(column) ?? { eitherCount: 0 };
    this.#columns.set(column, evidence);
    if (dmy && mdy) {
      if (Number(numeric.first) === Number(numeric.second)) return;
      evidence.eitherCount++;
      evidence.either ??= exampleOf(value, place);
    } else {
      evidence[dmy ? "dmy" : "mdy"] ??= exampleOf(value, place);
    }
  }

  /** How to read a column's dates. Without anything to go by, the month comes first, as US publishers write. */
  orderOf(column: string): ColumnOrder {
    const { dmy, mdy } = this.#columns.get(column) ?? {};
    if (dmy !== undefined && mdy !== undefined) return { refusal: mixed(column, dmy, mdy) };
    if (dmy !== undefined) return "dmy";
    if (mdy === undefined && this.isPart) return { refusal: unknown(column) };
    return "mdy";
  }

  /** What the person who imports is to know: how dates that can be read two ways were read, and how to change it. */
  report(): string[] {
    const dayFirst = [...this.#columns].find(([, { dmy, mdy }]) => dmy !== undefined && mdy === undefined)?.[0];
    return [...this.#columns].flatMap(([column, evidence]) => {
      const { dmy, mdy, either, eitherCount } = evidence;
      const order = this.orderOf(column);
      if (typeof order === "object") {
        const reason = dmy !== undefined && mdy !== undefined ? mixed(column, dmy, mdy) : unknown(column);
        return [`Rows were rejected: a date in numbers ${reason}.`];
      }
      if (either === undefined) return [];
      const count = eitherCount.toLocaleString("en-US");
      const shownBy = order === "dmy" ? dmy : mdy;
      const [first, other] = order === "dmy" ? ["day", "--dates mdy"] : ["month", "--dates dmy"];
      const why =
        shownBy !== undefined
          ? `as ${shownBy} shows`
          : `as US publishers write; nothing in the column shows it${dayFirst === undefined ? "" : `, and column ${JSON.stringify(dayFirst)} has the day first`}`;
      return [
        `Dates in column ${JSON.stringify(column)} were read ${first} first, ${why}: ${count} could be read either way, such as ${either}. ${other} reads them the other way.`,
      ];
    });
  }
}

function mixed(column: string, dmy: string, mdy: string): string {
  return `could have the day or the month first: column ${JSON.stringify(column)} has ${dmy} and ${mdy}. --dates dmy or --dates mdy says which is right`;
}

function unknown(column: string): string {
  return `could have the day or the month first: nothing in column ${JSON.stringify(column)} shows it, and the file is cut short. --dates dmy or --dates mdy says it`;
}

/** `25/12/2026 (line 7)`. */
function exampleOf(value: unknown, { line, file }: DatePlace): string {
  return `${lineOf(value)} (${file === undefined ? "" : `${file}, `}line ${line.toLocaleString("en-US")})`;
}
