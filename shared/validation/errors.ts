import type { z } from "zod";
import type { FieldError } from "../responses/problem.ts";

/** Most field errors in an answer. After so many mistakes the rest says nothing new. */
export const maximumErrors = 50;

/**
 * zod's issues as field errors, one a field, the first `maximumErrors` of them. A field that is missing is told to be
 * required, before what it must be.
 *
 * @param given what was parsed.
 */
export function fieldErrors(error: z.ZodError, given: unknown): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const { path, code, message } of error.issues) {
    if (errors.size === maximumErrors) break;
    const parameter = path.join(".");
    if (errors.has(parameter)) continue;
    // A custom issue may be of fields that do not go together, where one is absent as it may be.
    const isMissing = code !== "custom" && memberAt(given, path) === undefined;
    errors.set(parameter, { parameter, message: isMissing ? `is required and ${message}` : message });
  }
  return [...errors.values()];
}

function memberAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    given,
  );
}
