import type { z } from "zod";
import { type FieldError, maximumErrors } from "../http/problems.ts";

/**
 * Turns zod's issues into field errors: one for each field, at most `maximumErrors`. The error of a missing field begins
 * with "is required". Of an object with unknown fields, each of these has the object's error.
 *
 * @param given the value that was parsed.
 */
export function fieldErrors(error: z.ZodError, given: unknown): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const { path, message, isUnknown, isCustom } of error.issues.flatMap(fieldsOf)) {
    if (errors.size === maximumErrors) break;
    const parameter = path.map((part) => sanitizeName(String(part))).join(".");
    if (errors.has(parameter)) continue;
    // A custom issue may report fields that contradict each other; then a missing field is not required.
    const isMissing = !isCustom && !isUnknown && getMember(given, path) === undefined;
    errors.set(parameter, { parameter, message: isMissing ? `is required and ${message}` : message });
  }
  return [...errors.values()];
}

/** The fields that an issue is about: the unknown ones of an object, or the one at its path. */
function fieldsOf(issue: z.core.$ZodIssue) {
  const { path, code, message } = issue;
  const isUnknown = code === "unrecognized_keys";
  const paths = isUnknown ? issue.keys.map((key) => [...path, key]) : [path];
  return paths.map((field) => ({ path: field, message, isUnknown, isCustom: code === "custom" }));
}

function getMember(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    given,
  );
}

/** Makes a client's own name of a field safe to return: short, without control characters and halves of surrogate pairs. */
export function sanitizeName(text: string): string {
  return text.replaceAll(/\p{C}/gu, "\u{FFFD}").slice(0, 80).toWellFormed();
}
