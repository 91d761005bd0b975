import { existsIn, splitNumericDate } from "../fields/date.ts";
import { toLine } from "../fields/value.ts";
import { describePlace, type RowPlace } from "../read/row.ts";

/** Order of a column's dates that have the day or the month first, or the reason why they cannot be read. */
export type ColumnOrder = "dmy" | "mdy" | { refusal: string };

/** Evidence in a column's dates for their order. */
interface Evidence {
  /** The first date that exists only with the day first, and the first that exists only with the month first. */
  dmy?: string;
  mdy?: string;
  /** The first date that exists in both orders, as different days, and the number of such dates. */
  either?: string;
  eitherCount: number;
  /** The first date with a year of two digits, and the number of such dates. */
  short?: string;
  shortCount: number;
}

/**
 * Date columns of a file, with the evidence for their order. The order is decided for a column as a whole: one
 * unambiguous date decides for all.
 */
export class DateColumns {
  readonly #columns = new Map<string, Evidence>();
  /** Set when the file could not be read to its end, so that evidence may be missing. */
  isIncomplete = false;

  /** Notes a value of a column. */
  note(column: string, value: unknown, location: RowPlace): void {
    const numeric = splitNumericDate(value);
    if (numeric === undefined) return;
    const [dmy, mdy] = [existsIn(numeric, "dmy"), existsIn(numeric, "mdy")];
    // A date that exists in neither order is a mistake, and no evidence.
    if (!dmy && !mdy) return;
    const evidence = this.#columns.get(column) ?? { eitherCount: 0, shortCount: 0 };
    this.#columns.set(column, evidence);
    if (!toLine(value).includes(numeric.year)) {
      evidence.shortCount++;
      evidence.short ??= formatExample(value, location);
    }
    if (dmy && mdy) {
      if (Number(numeric.first) === Number(numeric.second)) return;
      evidence.eitherCount++;
      evidence.either ??= formatExample(value, location);
    } else {
      evidence[dmy ? "dmy" : "mdy"] ??= formatExample(value, location);
    }
  }

  /** Returns the order of a column's dates. Without evidence, the month is first, as US publishers write. */
  orderOf(column: string): ColumnOrder {
    const { dmy, mdy } = this.#columns.get(column) ?? {};
    if (dmy !== undefined && mdy !== undefined) return { refusal: explainMixed(column, dmy, mdy) };
    if (dmy !== undefined) return "dmy";
    if (mdy === undefined && this.isIncomplete) return { refusal: explainUnknown(column) };
    return "mdy";
  }

  /** Sentences for the user: how ambiguous dates were read, and how to change it; and which had years of two digits. */
  report(): string[] {
    const short = [...this.#columns].flatMap(([column, { short, shortCount }]) =>
      short === undefined
        ? []
        : [
            `Years of two digits in column ${JSON.stringify(column)} were read as 1969 to 2068, behind the day and the month: ${shortCount.toLocaleString("en-US")}, such as ${short}.`,
          ],
    );
    return [...this.#reportOrders(), ...short];
  }

  #reportOrders(): string[] {
    const dayFirst = [...this.#columns].find(([, { dmy, mdy }]) => dmy !== undefined && mdy === undefined)?.[0];
    return [...this.#columns].flatMap(([column, evidence]) => {
      const { dmy, mdy, either, eitherCount } = evidence;
      const order = this.orderOf(column);
      if (typeof order === "object") {
        const reason = dmy !== undefined && mdy !== undefined ? explainMixed(column, dmy, mdy) : explainUnknown(column);
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

function explainMixed(column: string, dmy: string, mdy: string): string {
  return `could have the day or the month first: column ${JSON.stringify(column)} has ${dmy} and ${mdy}. --dates dmy or --dates mdy says which is right`;
}

function explainUnknown(column: string): string {
  return `could have the day or the month first: nothing in column ${JSON.stringify(column)} shows it, and the file is cut short. --dates dmy or --dates mdy says it`;
}

/** `25/12/2026 (line 7)`. */
function formatExample(value: unknown, place: RowPlace): string {
  return `${toLine(value)} (${describePlace(place)})`;
}
