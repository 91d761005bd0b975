import type { z } from "zod";
import type { FieldError } from "../responses/problem.ts";

/** Most field errors in an answer. After so many mistakes the rest says nothing new. */
export const maximumErrors = 50;

/** zod's issues as field errors, one a field, the first `maximumErrors` of them. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const issue of error.issues) {
    if (errors.size === maximumErrors) break;
    const parameter = issue.path.join(".");
    if (!errors.has(parameter)) errors.set(parameter, { parameter, message: issue.message });
  }
  return [...errors.values()];
}
