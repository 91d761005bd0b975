import type { z } from "zod";
import { type FieldError, maximumErrors } from "../http/problems.ts";

/**
 * Turns zod's issues into field errors: one for each field, at most `maximumErrors`. The error of a missing field begins
 * with "is required".
 *
 * @param given the value that was parsed.
 */
export function fieldErrors(error: z.ZodError, given: unknown): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const { path, code, message } of error.issues) {
    if (errors.size === maximumErrors) break;
    const parameter = path.join(".");
    if (errors.has(parameter)) continue;
    // A custom issue may report fields that contradict each other; then a missing field is not required.
    const isMissing = code !== "custom" && getMember(given, path) === undefined;
    errors.set(parameter, { parameter, message: isMissing ? `is required and ${message}` : message });
  }
  return [...errors.values()];
}

function getMember(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    given,
  );
}

/** Makes a client's own name of a field safe to return: short, and without control characters. */
export function sanitizeName(text: string): string {
  return text.replaceAll(/\p{C}/gu, "\u{FFFD}").slice(0, 80);
}
