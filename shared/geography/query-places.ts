import { type FieldError, fail, invalidParameters, type Outcome, succeed } from "../http/problems.ts";
import { describeUnknownStates, unknownStates } from "../validation/fields.ts";
import { readPlace } from "./read-place.ts";

/**
 * Completes the reading of a list's query string with what the place reader makes of the words in it: the states that the deprecated `geography` names,
 * by which a hybrid search filters rather than by the text, and codes for what `states` has in their place.
 *
 * @param search the raw query string.
 */
export function withPlaces<Value>(read: Outcome<Value>, search: string): Outcome<Value> {
  if (read.ok) return succeed(addGeographyStates(read.value));
  if (read.problem.errors === undefined) return read;
  const given = new URLSearchParams(search).getAll("states").join(",");
  return fail(invalidParameters(suggestStates(read.problem.errors, given)));
}

function addGeographyStates<Value>(parameters: Value): Value {
  const { geography } = parameters as { geography?: string };
  const states = geography === undefined ? [] : readPlace(geography).states;
  return states.length === 0 ? parameters : { ...parameters, geography_states: states };
}

/**
 * Adds codes to the error of `states`: OH for "Ohio".
 *
 * @param given the value of `states`.
 */
export function suggestStates(errors: readonly FieldError[], given: string): FieldError[] {
  const unknown = unknownStates(given);
  const meant = unknown.flatMap((name) => readPlace(name.slice(0, 40)).states);
  if (meant.length === 0) return [...errors];
  const described = describeUnknownStates(unknown);
  return errors.map((error) =>
    error.parameter === "states" && error.message === described
      ? { ...error, message: `${described} (did you mean ${meant.join(",")}?)` }
      : error,
  );
}
