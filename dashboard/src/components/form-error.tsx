import { ApiProblem, explain, Unreachable } from "../api/errors.ts";
import { Callout } from "./callout.tsx";

/** Error messages by field name. */
export function fieldErrors(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof ApiProblem)) return {};
  return Object.fromEntries(error.fields.map(({ parameter, message }) => [parameter, message]));
}

/**
 * Error of a form as a whole. Renders nothing if the fields show all errors themselves.
 *
 * @param known fields that show their own errors.
 * @param mayHaveWorked advice for a request without a response, which may have succeeded.
 */
export function FormError({
  error,
  known = [],
  mayHaveWorked,
}: {
  error: unknown;
  known?: readonly string[];
  mayHaveWorked?: string;
}) {
  if (error === null || error === undefined) return null;
  const isShownByFields =
    error instanceof ApiProblem &&
    error.fields.length > 0 &&
    error.fields.every(({ parameter }) => known.includes(parameter));
  if (isShownByFields) return null;
  const { title, advice } = explain(error);
  return (
    <Callout tone="bad" title={title}>
      {advice} {error instanceof Unreachable && mayHaveWorked}
    </Callout>
  );
}
