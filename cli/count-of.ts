import { UsageError } from "./command.ts";

/**
 * The whole number that an option gives.
 *
 * @param maximum by default the largest number that is exact.
 * @throws {UsageError} when the text is not a whole number, or one less than `minimum` or more than `maximum`.
 */
export function countOf(name: string, text: string, minimum: number, maximum = Number.MAX_SAFE_INTEGER): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < minimum) {
    throw new UsageError(`--${name} must be a whole number of at least ${minimum}.`);
  }
  if (count > maximum) throw new UsageError(`--${name} must be at most ${maximum}.`);
  return count;
}
