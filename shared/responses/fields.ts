import * as z from "zod";

/** Schemas that records and answers share. */

export function id(description: string) {
  return z.guid().meta({ description, examples: ["cb75c555-bd5f-891d-a251-07bba87727b9"] });
}

/** A moment, RFC 3339 in UTC with milliseconds. */
export function moment(description: string) {
  return z.iso.datetime().meta({ description, examples: ["2026-06-11T08:00:00.000Z"] });
}

/** A calendar day, `YYYY-MM-DD`. */
export function day() {
  return z.iso.date();
}

export function count(description: string) {
  return z.int().min(0).meta({ description });
}

export const responseTime = z
  .number()
  .min(0)
  .meta({ description: "Milliseconds from the request's arrival to its answer.", examples: [3.1] });

export const searchModeUsed = z.enum(["keyword", "semantic", "hybrid"]).meta({
  description:
    "Mode that was used. It is `keyword` for a hybrid search whose query could not be embedded, because the embedding model was not reached.",
});

export const dataAsOf = moment(
  "How fresh the dataset is: the time of its newest imported file, or of its last change where none was imported. Records may change without it. Whether any changed since a moment, the feed says: `sort_by=updated_at&order=asc` of a list, with `updated_after`.",
);

export const relevanceScore = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .meta({ description: "How well the record matches the search. Only ranked results have it.", examples: [0.87] });
