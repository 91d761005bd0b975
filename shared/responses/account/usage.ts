import * as z from "zod";
import { date, someOf } from "../../validation/fields.ts";
import { count, day, id, moment } from "../fields.ts";

/** Limit of days in one usage request. */
export const maximumUsageDays = 90;
/** Days in a usage request without `from`, today included. */
const defaultUsageDays = 30;
/** Limit of days in a usage request with `include=hours`. */
export const maximumHourlyDays = 7;

const millisecondsInDay = 86_400_000;

function milliseconds(share: number) {
  return z
    .int()
    .min(0)
    .nullable()
    .meta({
      description: `Milliseconds within which ${share} of 100 requests were answered; null if there were none.`,
    });
}

/** Requests, errors by class, and response times. */
const counts = {
  requests: count("All requests, errors included."),
  client_errors: count("Requests answered with 4xx."),
  server_errors: count("Requests answered with 5xx."),
  latency_ms: z.strictObject({ p50: milliseconds(50), p95: milliseconds(95), p99: milliseconds(99) }).meta({
    description:
      "Response times, from counts in buckets, each of which ends at about 1.5 times its beginning: within a few percent as a rule, and never by more than half. 10000 also means anything slower.",
  }),
};

const usageFields = {
  totals: z.strictObject(counts),
  days: z
    .array(z.strictObject({ day: day().meta({ description: "A UTC day." }), ...counts }))
    .meta({ description: "Every day of the range that is kept by day, oldest first." }),
  hours: z
    .array(z.strictObject({ hour: moment("The first moment of a UTC hour."), ...counts }))
    .optional()
    .meta({
      description:
        "Every hour up to the present one, oldest first, of those days of the range whose hours are all kept. They add up to their day. With `include=hours`.",
    }),
  months: z
    .array(
      z.strictObject({
        month: z
          .string()
          .regex(/^\d{4}-\d{2}$/)
          .meta({ description: "A UTC month.", examples: ["2025-09"] }),
        ...counts,
      }),
    )
    .meta({
      description:
        "Months of the range that are no longer kept by day and are all in it, oldest first. All other counts include them.",
    }),
  keys: z
    .array(
      z.strictObject({
        id: id("The key's id."),
        name: z.string(),
        display: z.string(),
        requests_by_day: z
          .array(count("Requests of a day, errors included."))
          .optional()
          .meta({ description: "Its requests on each of `days`, in their order. With `include=requests_by_day`." }),
        ...counts,
      }),
    )
    .meta({ description: "The requested keys, the busiest first, at most 500, including keys without requests." }),
  endpoints: z
    .array(z.strictObject({ endpoint: z.string().meta({ examples: ["grants-api/{id}"] }), ...counts }))
    .meta({ description: "Endpoints with requests, the busiest first." }),
  statuses: z
    .array(z.strictObject({ status: z.int(), requests: count("Requests answered with this status.") }))
    .meta({ description: "Requests by status, in ascending order." }),
};

export type AccountUsage = z.infer<z.ZodObject<typeof usageFields>>;

/** Usage of an account, as the database returns it. */
export type StoredUsage = Omit<AccountUsage, "hours"> & { hours: AccountUsage["hours"] | null };

/** Answer of `GET /account-api/usage`. */
export const accountUsage = z
  .strictObject({
    from: day().meta({ description: "The first day, in UTC." }),
    to: day().meta({ description: "The last day, in UTC." }),
    key_id: id("The requested key; null for all keys.").nullable(),
    ...usageFields,
  })
  .meta({ description: "Requests, errors and response times of the account." });

/** Query parameters of `GET /account-api/usage`. */
export const usageParameters = z
  .strictObject({
    from: date()
      .optional()
      .meta({ description: `The first day, in UTC. By default ${defaultUsageDays - 1} days before the last.` }),
    to: date().optional().meta({ description: "The last day, in UTC. By default today." }),
    key_id: z
      .guid({ error: "must be a UUID" })
      .optional()
      .meta({ description: "One key. By default, all keys of the account." }),
    include: someOf(["requests_by_day", "hours"])
      .optional()
      .meta({
        description: `Additions to the answer. \`requests_by_day\` gives each key's requests of each day. \`hours\` gives the hours of at most ${maximumHourlyDays} days.`,
      }),
  })
  .transform((given, context) => {
    const to = given.to ?? new Date().toISOString().slice(0, 10);
    const from = given.from ?? daysBefore(to, defaultUsageDays - 1);
    const days = (Date.parse(to) - Date.parse(from)) / millisecondsInDay + 1;
    if (days < 1) context.addIssue({ code: "custom", path: ["from"], message: "must not be after to" });
    if (days > maximumUsageDays) {
      context.addIssue({
        code: "custom",
        path: ["from"],
        message: `must be at most ${maximumUsageDays} days, both included, before to`,
      });
    }
    if (given.include?.includes("hours") && days > maximumHourlyDays) {
      context.addIssue({
        code: "custom",
        path: ["include"],
        message: `hours are given for at most ${maximumHourlyDays} days; set from and to`,
      });
    }
    return { from, to, key_id: given.key_id, include: given.include };
  });

/** Returns the day that is so many days earlier; at the earliest the first day of year 1, since Postgres has no year 0. */
function daysBefore(day: string, days: number): string {
  const moment = Math.max(Date.parse(day) - days * millisecondsInDay, Date.parse("0001-01-01"));
  return new Date(moment).toISOString().slice(0, 10);
}
