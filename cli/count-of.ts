import { UsageError } from "./command.ts";

/**
 * The whole number that an option gives.
 *
 * @throws {UsageError} when it is none, or less than `minimum`.
 */
export function countOf(name: string, text: string, minimum: number): number {
  const count = Number(text);
  if (!/^\d{1,9}$/.test(text) || count < minimum) {
    throw new UsageError(`--${name} must be a whole number of at least ${minimum}.`);
  }
  return count;
}
