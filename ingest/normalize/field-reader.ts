import { NoDay, PlaceholderDate, RejectedRow, ValueError } from "../errors.ts";
import { lenientFields } from "../fields/parsers.ts";
import type { Parse } from "../fields/value.ts";
import type { FieldValues } from "../mapping/apply.ts";
import type { Context } from "./context.ts";

/** Reader of a row's fields, each with its parser. */
export interface FieldReader<Parsers extends Record<string, Parse<unknown>>> {
  /**
   * @throws {RejectedRow} when the field cannot take the value. In lenient fields, it is left out with a note. So are words, years and
   *   placeholders in the place of a date.
   */
  read<Name extends keyof Parsers & string>(name: Name): ReturnType<Parsers[Name]>;
  /** @throws {RejectedRow} also when there is no value, unless the record is partial. */
  require<Name extends keyof Parsers & string>(name: Name): NonNullable<ReturnType<Parsers[Name]>>;
}

/** Returns a reader of these values. */
export function createFieldReader<Parsers extends Record<string, Parse<unknown>>>(
  parsers: Parsers,
  values: FieldValues,
  { note, isPartial }: Context,
): FieldReader<Parsers> {
  const read = <Name extends keyof Parsers & string>(name: Name): ReturnType<Parsers[Name]> => {
    const parse = parsers[name] as Parse<ReturnType<Parsers[Name]>>;
    const given = values.get(name) ?? [];
    try {
      return parse(given, (value, reason) => note({ field: name, value, reason }));
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      if (!lenientFields.has(name) && !tellsNoDay(name, error)) throw new RejectedRow(`${name}: ${error.message}`);
      note({ field: name, value: findRefused(parse, given), reason: `${toPredicate(error)}; left out` });
      return parse([]);
    }
  };
  return {
    read,
    require(name) {
      const value = read(name);
      if (!isPartial && (value === null || value === undefined || value === ""))
        throw new RejectedRow(`${name} is missing`);
      return value as NonNullable<typeof value>;
    },
  };
}

/** Finds the value that a parser refuses. */
function findRefused(parse: Parse<unknown>, values: readonly unknown[]): unknown {
  const isRefused = (value: unknown) => {
    try {
      parse([value]);
      return false;
    } catch {
      return true;
    }
  };
  return values.length === 1 ? values[0] : (values.find(isRefused) ?? values);
}

/** Message of an error without the value that it quotes. */
function toPredicate({ message }: ValueError): string {
  return message.replace(/^"(?:[^"\\]|\\.)*" /, "");
}

/**
 * Whether a value tells no day, so that its field stays empty: words ("See announcement"), a year, a placeholder ("1900-01-01"). A posting time is not
 * left out for words: its default, the moment of the import, would be a wrong one.
 */
function tellsNoDay(name: string, error: ValueError): boolean {
  return error instanceof PlaceholderDate || (error instanceof NoDay && name !== "created_at");
}
