import { type ParseArgsConfig, parseArgs as parseNodeArgs } from "node:util";
import { nearest } from "../shared/validation/suggest.ts";

/** The command was called wrongly. The message says what was expected. */
export class UsageError extends Error {}

/** Options of a command, as node:util's `parseArgs` declares them. */
export type OptionsConfig = NonNullable<ParseArgsConfig["options"]>;

/** Values of these options, by name, and the words that are no options. */
export type Arguments<Options extends OptionsConfig> = ReturnType<
  typeof parseNodeArgs<{ options: Options; allowPositionals: true }>
>;

/**
 * Node's `parseArgs` with two differences. Negative numbers are values (`--quota -1`), which Node takes for options.
 * Empty values are errors: they come from variables that are not set (`--database-url "$URL"`), and the option's
 * default would be a surprise.
 *
 * @throws {UsageError} when an option's value is empty.
 */
export function parseArgs<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseNodeArgs<Config>> {
  const words: string[] = [];
  const given = [...(config.args ?? [])];
  for (let word = given.shift(); word !== undefined; word = given.shift()) {
    const name = takesValue(config, word) ? word : undefined;
    const [next] = given;
    if ((name !== undefined && next === "") || (word.endsWith("=") && takesValue(config, word.slice(0, -1)))) {
      throw new UsageError(`${word.replace(/=$/, "")} has an empty value.`);
    }
    if (name !== undefined && next !== undefined && /^-[\d.]/.test(next)) words.push(`${name}=${given.shift()}`);
    else words.push(word);
    if (word === "--") words.push(...given.splice(0));
  }
  return parseNodeArgs({ ...config, args: words } as Config);
}

function takesValue({ options }: ParseArgsConfig, word: string): boolean {
  const name = word.startsWith("--") ? word.slice(2) : "";
  return options !== undefined && Object.hasOwn(options, name) && options[name]?.type === "string";
}

/**
 * Reads an option's value as a whole number of at least `minimum`.
 *
 * @param maximum by default the largest number that is exact.
 * @throws {UsageError} when the text is not a whole number, or less than `minimum` or more than `maximum`.
 */
export function parseCount(option: string, text: string, minimum: number, maximum = Number.MAX_SAFE_INTEGER): number {
  if (!isWholeNumber(text) || Number(text) < minimum) {
    throw new UsageError(`${option} must be a whole number of at least ${minimum}.`);
  }
  if (Number(text) > maximum) throw new UsageError(`${option} must be at most ${maximum}.`);
  return Number(text);
}

/** Reads an option's value as a whole number within a range; @throws {UsageError} when it is none. */
export function parseCountBetween(option: string, text: string, minimum: number, maximum: number): number {
  if (!isWholeNumber(text) || Number(text) < minimum || Number(text) > maximum) {
    throw new UsageError(`${option} must be a whole number from ${minimum} to ${maximum}.`);
  }
  return Number(text);
}

/**
 * Reads an option's value as a moment: a day (`2027-01-31`, its first moment in UTC), or a day and a time with its zone
 * (`2027-01-31T12:00:00Z`). `Date` alone reads other forms in the zone of this machine, and 30 February as 2 March.
 *
 * @param others other values that the option takes, for an error's message, for example `or none`.
 * @throws {UsageError} when the text is neither, or the day does not exist.
 */
export function parseMoment(option: string, text: string, others?: string): Date {
  const [, day = ""] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const date = new Date(text);
  if (Number.isNaN(date.getTime()) || new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) {
    const forms = `${option} must be a date, for example 2027-01-31 or 2027-01-31T12:00:00Z`;
    throw new UsageError(`${forms}${others === undefined ? "" : `, ${others}`}.`);
  }
  return date;
}

function isWholeNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

/**
 * Reads one of a few names.
 *
 * @param subject the subject of an error's message, for example `--type`.
 * @throws {UsageError} when the name is missing or unknown; the message suggests the nearest.
 */
export function parseChoice<Value extends string>(
  subject: string,
  given: string | undefined,
  allowed: readonly Value[],
): Value {
  const found = allowed.find((value) => value === given);
  if (found !== undefined) return found;
  if (given === undefined) throw new UsageError(`${subject} is missing: expected one of ${allowed.join(", ")}.`);
  const suggested = nearest(given, allowed);
  const hint = suggested === undefined ? "" : ` (did you mean ${suggested}?)`;
  throw new UsageError(`${subject} must be one of ${allowed.join(", ")}, not ${given}${hint}.`);
}
