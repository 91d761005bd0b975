import type { LoggedRequest } from "../../../shared/responses/account/requests.ts";

/** Requests of a minute: successful ones, then errors by class, as `requestSeries` has them. */
export interface Minute {
  /** Its beginning, in milliseconds. */
  at: number;
  counts: readonly [answered: number, clientErrors: number, serverErrors: number];
}

export const minuteMs = 60_000;

/**
 * Requests by minute, the earliest first, also those minutes that have none.
 *
 * @param from beginning of the first minute, in milliseconds.
 * @param until end of the last one.
 */
export function minutesOf(
  requests: readonly Pick<LoggedRequest, "at" | "status">[],
  from: number,
  until: number,
): Minute[] {
  const minutes = Array.from({ length: Math.ceil((until - from) / minuteMs) }, (_, index) => ({
    at: from + index * minuteMs,
    counts: [0, 0, 0] as [number, number, number],
  }));
  for (const { at, status } of requests) {
    const minute = minutes[Math.floor((Date.parse(at) - from) / minuteMs)];
    if (minute !== undefined) minute.counts[status >= 500 ? 2 : status >= 400 ? 1 : 0] += 1;
  }
  return minutes;
}
