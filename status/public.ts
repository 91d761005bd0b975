import * as z from "zod";
import { day, moment } from "../shared/responses/fields.ts";
import type { History } from "./history.ts";
import type { Quantile } from "./response-times.ts";
import { summarize } from "./summary.ts";

const p95 = z.int().min(0).nullable().meta({
  description:
    "Milliseconds that 19 of 20 requests did not exceed; null without requests, 10000 and more for all that is slower.",
});

/** `/status.json`: the public part of a server's history of its own checks. It has no numbers of requests. */
export const publicStatus = z.strictObject({
  checked_at: moment("The last check."),
  since: moment("The first check of these days."),
  slot_minutes: z.int().meta({ description: "Time between two checks, and length of a slot." }),
  slots: z.strictObject({
    elapsed: z.int().meta({ description: "Slots since the first check." }),
    known: z.int().meta({ description: "Those with a check." }),
    ready: z.int().meta({ description: "Those in which every check found the API ready." }),
  }),
  p95_ms: z.strictObject({ hour: p95, day: p95 }),
  endpoints: z.array(z.strictObject({ endpoint: z.string(), p95_ms: z.strictObject({ hour: p95, day: p95 }) })),
  days: z
    .array(z.strictObject({ day: day(), known: z.int(), ready: z.int(), p95_ms: p95 }))
    .meta({ description: "The last 90 days, oldest first. One without a check has 0 `known`." }),
  outages: z
    .array(
      z.strictObject({
        from: moment("Its first slot."),
        to: moment("The end of its last slot."),
        is_ongoing: z.boolean(),
      }),
    )
    .meta({ description: "Newest first: up to 20." }),
});
export type PublicStatus = z.infer<typeof publicStatus>;

const maximumOutages = 20;

/** Sums up a history for the public. */
export function publicStatusOf(history: History, slotMinutes: number): PublicStatus {
  const { days, known, ready, elapsed, firstDay, outages, responseTimes, allResponseTimes } = summarize(history);
  return {
    checked_at: history.latest.at,
    since: firstDay.toISOString(),
    slot_minutes: slotMinutes,
    slots: { elapsed, known, ready },
    p95_ms: { hour: milliseconds(allResponseTimes.hour), day: milliseconds(allResponseTimes.day) },
    endpoints: responseTimes.map(({ endpoint, hour, day }) => ({
      endpoint,
      p95_ms: { hour: milliseconds(hour), day: milliseconds(day) },
    })),
    days: days.map(({ date, known, ready, p95 }) => ({
      day: date.toISOString().slice(0, 10),
      known,
      ready,
      p95_ms: milliseconds(p95),
    })),
    outages: outages.slice(0, maximumOutages).map(({ from, to, isOngoing }) => ({
      from: from.toISOString(),
      to: to.toISOString(),
      is_ongoing: isOngoing,
    })),
  };
}

function milliseconds(quantile: Quantile | undefined): number | null {
  return quantile === undefined ? null : Math.round(quantile.ms);
}
