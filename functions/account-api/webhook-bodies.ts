import * as z from "zod";
import { changeableFields } from "../../shared/catalogue/fields.generated.ts";
import { type Dataset, datasets } from "../../shared/datasets.ts";
import { instant, isPlainLine, notPlainLine } from "../../shared/validation/fields.ts";
import { isStorable, notStorable } from "../../shared/validation/storable.ts";
import { urlFault } from "../../shared/webhooks/endpoint-url.ts";
import { eventNames } from "../../shared/webhooks/events.ts";
import { readFilter } from "./webhook-filter.ts";

/** Default days before a deadline at which `deadline_approaching` is sent. */
export const defaultDeadlineDays = [7];
const maximumDescription = 200;

const events = z
  .array(z.enum(eventNames, { error: `must be among ${eventNames.join(", ")}` }), { error: "must be a list of events" })
  .min(1, { error: "must name at least one event" })
  .transform((names) => eventNames.filter((name) => names.includes(name)));

const deadlineDays = z
  .array(z.int({ error: "must be whole numbers of days" }).min(1).max(365), { error: "must be a list of days" })
  .min(1, { error: "must have at least one number of days" })
  .max(10, { error: "must have at most ten numbers of days" })
  .transform((days) => [...new Set(days)].sort((one, other) => other - one));

const expand = z
  .array(z.enum(["details"], { error: "must be details" }), { error: "must be a list" })
  .transform((names) => [...new Set(names)]);

const updatedFields = z
  .array(z.enum(changeableFields, { error: `must be among ${changeableFields.join(", ")}` }), {
    error: "must be a list of fields",
  })
  .transform((names) => changeableFields.filter((name) => names.includes(name)));

const filters = z
  .partialRecord(z.enum(datasets, { error: `must be by dataset: ${datasets.join(", ")}` }), z.string(), {
    error: ({ code }) =>
      code === "invalid_type"
        ? "must be an object of query strings by dataset"
        : `is not a dataset: it may be ${datasets.join(", ")}`,
  })
  .transform((given, context) => {
    const stored = Object.entries(given).flatMap(([dataset, query]) => {
      const read = readFilter(dataset as Dataset, query ?? "");
      if (read.ok) return [[dataset, read.value] as const];
      for (const { parameter, message } of read.errors) {
        context.addIssue({ code: "custom", path: [dataset, parameter], message });
      }
      return [];
    });
    return Object.fromEntries(stored);
  });

/**
 * The bodies of requests that create or change a webhook. Each has `names`, the members there are, and a `schema`.
 *
 * @param allowLoopback see `urlFault`.
 */
export function webhookBodies(allowLoopback: boolean) {
  const url = z.string({ error: "must be a URL" }).superRefine((text, context) => {
    const fault = !isStorable(text) ? notStorable : isPlainLine(text) ? urlFault(text, allowLoopback) : notPlainLine;
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });
  const description = z
    .string({ error: "must be text" })
    .refine(isStorable, { error: notStorable })
    .trim()
    .max(maximumDescription, { error: `must be at most ${maximumDescription} characters long` })
    .refine(isPlainLine, { error: notPlainLine });
  const created = {
    url: url.meta({ description: "Where events are sent: https, a name and no address, port 443 or 8443." }),
    description: description.default(""),
    events,
    filters: filters.default({}),
    deadline_days: deadlineDays.default(defaultDeadlineDays),
    expand: expand
      .default([])
      .meta({ description: "`details`: records have their details, and updates of details alone are sent." }),
    updated_fields: updatedFields
      .default([])
      .meta({ description: "Updates are sent only where one of these fields changed. Empty: whatever changed." }),
  };
  const changed = {
    url: url.optional(),
    description: description.optional(),
    events: events.optional(),
    filters: filters.optional(),
    deadline_days: deadlineDays.optional(),
    expand: expand.optional(),
    updated_fields: updatedFields.optional(),
    state: z.enum(["active", "paused"], { error: "must be active or paused" }).optional(),
  };
  const previewed = {
    id: z.guid({ error: "must be a UUID" }).optional().meta({ description: "The webhook that is to be changed." }),
    events,
    filters: created.filters,
    deadline_days: created.deadline_days,
  };
  return {
    preview: { names: Object.keys(previewed), schema: z.strictObject(previewed) },
    create: { names: Object.keys(created), schema: z.strictObject(created) },
    update: { names: Object.keys(changed), schema: z.strictObject(changed) },
  };
}

/** Longest overlap of a rotation: 30 days, in seconds. */
const maximumOverlapSeconds = 30 * 86_400;
const rotation = {
  overlap_seconds: z
    .int({ error: "must be a whole number of seconds" })
    .min(0, { error: "must not be negative" })
    .max(maximumOverlapSeconds, { error: `must be at most ${maximumOverlapSeconds}` })
    .default(86_400),
};
/** The body of a request for a new secret. */
export const rotateBody = { names: Object.keys(rotation), schema: z.strictObject(rotation) };

const recovery = { since: instant(), until: instant().optional() };
/** The body of a request to recover a range of events. */
export const recoverBody = { names: Object.keys(recovery), schema: z.strictObject(recovery) };

const test = { event: z.enum(eventNames, { error: `must be one of ${eventNames.join(", ")}` }) };
/** The body of a request for a test event. */
export const testBody = { names: Object.keys(test), schema: z.strictObject(test) };
