import { useState } from "react";
import { ApiProblem, explain, Unreachable } from "../api/errors.ts";
import { Callout } from "./callout.tsx";
import { inline } from "./inline.tsx";

/** Error messages by field name. Several about one field are one after the other. */
export function fieldErrors(error: unknown): Partial<Record<string, string>> {
  const messages: Partial<Record<string, string>> = {};
  if (!(error instanceof ApiProblem)) return messages;
  for (const { parameter, message } of error.fields) {
    const earlier = messages[parameter];
    messages[parameter] = earlier === undefined ? message : `${earlier}; ${message}`;
  }
  return messages;
}

/**
 * Error messages by field name of an answer, without those of fields that were changed since, which `forget` names: the
 * message would be about a value that is no longer there.
 */
export function useFieldErrors(error: unknown): {
  errors: Partial<Record<string, string>>;
  forget: (field: string) => void;
} {
  const [forgotten, setForgotten] = useState<{ of: unknown; fields: readonly string[] }>({ of: error, fields: [] });
  const fields = forgotten.of === error ? forgotten.fields : [];
  const errors = Object.entries(fieldErrors(error)).filter(([name]) => !fields.some((field) => isWithin(name, field)));
  return {
    errors: Object.fromEntries(errors),
    forget: (field) => setForgotten({ of: error, fields: [...fields, field] }),
  };
}

/** Errors of a field and of its parts: `filters.grants.states` is a part of `filters.grants`. */
export function errorWithin(errors: Partial<Record<string, string>>, field: string): string | undefined {
  const messages = Object.entries(errors).flatMap(([name, message]) => {
    if (name === field) return [message];
    return isWithin(name, field) ? [`${name.slice(field.length + 1)} ${message}`] : [];
  });
  return messages.length === 0 ? undefined : messages.join("; ");
}

function isWithin(name: string, field: string): boolean {
  return name === field || name.startsWith(`${field}.`);
}

/**
 * Error of a form as a whole. Renders nothing if the fields show all errors themselves.
 *
 * @param known fields that show their own errors, and those of their parts.
 * @param mayHaveWorked advice for a request without a response, which may have succeeded.
 */
export function FormError({
  error,
  known = [],
  mayHaveWorked,
}: {
  error: unknown;
  known?: readonly string[] | undefined;
  mayHaveWorked?: string | undefined;
}) {
  if (error === null || error === undefined) return null;
  const isShownByFields =
    error instanceof ApiProblem &&
    error.fields.length > 0 &&
    error.fields.every(({ parameter }) => known.some((field) => isWithin(parameter, field)));
  if (isShownByFields) return null;
  const { title, advice } = explain(error);
  return (
    <Callout tone="bad" title={title}>
      {inline(advice)} {error instanceof Unreachable && mayHaveWorked}
    </Callout>
  );
}
