import { beforeEach } from "vitest";
import { missingFor, type Need } from "./optional-variables.ts";

/**
 * Skips a file's tests, or those of the `describe` that it is called in, at a deployment whose environment lacks what they
 * need; the reason names the variables. The handlers in this process need nothing.
 *
 * @returns whether the tests run; if not, `beforeAll` cannot prepare anything for them.
 */
export function needs(need: Need): boolean {
  const missing = missingFor(need, process.env);
  beforeEach(({ skip }) => skip(missing.length > 0, `set ${missing.join(", ")}`));
  return missing.length === 0;
}
