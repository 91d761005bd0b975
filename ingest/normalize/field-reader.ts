import { RejectedRow, ValueError } from "../errors.ts";
import { lenientFields } from "../fields/parsers.ts";
import type { Parse } from "../fields/value.ts";
import type { FieldValues } from "../mapping/apply.ts";

/** Reads a row's fields, each by its parser. */
export interface FieldReader<Parsers extends Record<string, Parse<unknown>>> {
  /**
   * @throws {RejectedRow} when the value cannot be taken. Of the lenient fields, it is left out and noted.
   */
  read<Name extends keyof Parsers & string>(name: Name): ReturnType<Parsers[Name]>;
  /** @throws {RejectedRow} also when there is no value. */
  require<Name extends keyof Parsers & string>(name: Name): NonNullable<ReturnType<Parsers[Name]>>;
}

/** @param note is told, in few words, what was left out. */
export function fieldReader<Parsers extends Record<string, Parse<unknown>>>(
  parsers: Parsers,
  values: FieldValues,
  note: (problem: string) => void,
): FieldReader<Parsers> {
  const read = <Name extends keyof Parsers & string>(name: Name): ReturnType<Parsers[Name]> => {
    const parse = parsers[name] as Parse<ReturnType<Parsers[Name]>>;
    try {
      return parse(values.get(name) ?? []);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      if (!lenientFields.has(name)) throw new RejectedRow(`${name}: ${error.message}`);
      note(`${name} could not be read and was left out`);
      return parse([]);
    }
  };
  return {
    read,
    require(name) {
      const value = read(name);
      if (value === null || value === undefined || value === "") throw new RejectedRow(`${name} is missing`);
      return value as NonNullable<typeof value>;
    },
  };
}
