import type { z } from "zod";
import type { FieldError } from "../responses/problem.ts";

/** zod's issues as field errors, one a field. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of error.issues) {
    const parameter = issue.path.join(".");
    if (errors.some((known) => known.parameter === parameter)) continue;
    errors.push({ parameter, message: issue.message });
  }
  return errors;
}
