import { ApiProblem, explain, Unreachable } from "../api/errors.ts";
import { Callout } from "./callout.tsx";

/** What is wrong with each field, by its name. */
export function fieldErrors(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof ApiProblem)) return {};
  return Object.fromEntries(error.fields.map(({ parameter, message }) => [parameter, message]));
}

/**
 * What is wrong with a form, beyond what its fields say themselves.
 *
 * @param known the fields that show their own errors.
 * @param mayHaveWorked what to know when no answer came.
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
  const isSaid =
    error instanceof ApiProblem &&
    error.fields.length > 0 &&
    error.fields.every(({ parameter }) => known.includes(parameter));
  if (isSaid) return null;
  const { title, advice } = explain(error);
  return (
    <Callout tone="bad" title={title}>
      {advice} {error instanceof Unreachable && mayHaveWorked}
    </Callout>
  );
}
