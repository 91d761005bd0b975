import { ConcurrencyLimit } from "./concurrency-limit.ts";

/** More than PostgREST has connections by default (10), so that none is idle while answers are on their way. */
const defaultPlaces = 32;

/**
 * The limit of one process, isolate or function at the edge: `DATABASE_CONCURRENCY` calls at a time.
 *
 * @throws when the variable is no whole number from 1.
 */
export function edgeLimit(variable: (name: string) => string | undefined): ConcurrencyLimit {
  const text = variable("DATABASE_CONCURRENCY");
  const places = text === undefined ? defaultPlaces : Number(text);
  if (!Number.isInteger(places) || places < 1) throw new Error("DATABASE_CONCURRENCY must be a whole number from 1");
  return new ConcurrencyLimit({ places });
}
