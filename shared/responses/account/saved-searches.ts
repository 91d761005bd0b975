import * as z from "zod";
import { datasets } from "../../datasets.ts";
import { count, id, moment } from "../fields.ts";

export const digestFrequencies = ["daily", "weekly"] as const;
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** Digest of new records, by e-mail. */
const digest = z.strictObject({
  frequency: z.enum(digestFrequencies),
  weekday: z.enum(weekdays).nullable().meta({ description: "Day of a weekly digest; null for a daily one." }),
  hour: z
    .int()
    .min(0)
    .max(23)
    .meta({ description: "Hour of the day in `time_zone`.", examples: [8] }),
  time_zone: z.string().meta({ description: "Name of a time zone, by IANA.", examples: ["America/New_York"] }),
  next_at: moment("When the next one is due. Without new records, none is sent."),
  last_sent_at: moment("When the last one was sent.").nullable(),
  last_failed_at: moment(
    "When one was last not sent, or may not have been. Records that were certainly not sent are in the next one.",
  ).nullable(),
  paused_at: moment(
    "When it was paused, because the mail server had refused three in a row; null while it is sent. Setting the digest again resumes it.",
  ).nullable(),
});
export type Digest = z.infer<typeof digest>;

const fields = {
  id: id("The saved search's id."),
  name: z.string().meta({ description: "Name by its owner.", examples: ["Water in Ohio"] }),
  dataset: z.enum(datasets),
  query: z.string().meta({
    description: "Query string of the dataset's list, without its page.",
    examples: ["search=drinking+water&search_mode=hybrid&states=OH"],
  }),
  filter: z.string().meta({
    description:
      "The part of it that filters, as a webhook's filter takes it. The words of a semantic or hybrid search are looked for as keywords.",
    examples: ["search=drinking+water&states=OH"],
  }),
  new_records: z
    .strictObject({
      count: count("Records of the filter that first came after `seen_until`."),
      is_capped: z.boolean().meta({
        description: "Whether there may be more: of all new records of the dataset, the 10,000 latest are looked at.",
      }),
    })
    .nullable()
    .meta({ description: "Null without API access, and where a list of searches could not be counted in time." }),
  counted_until: moment("When new records were counted. Send it as `until` to mark as seen what was counted."),
  seen_until: moment("Records that came from this moment on are new."),
  address: z
    .strictObject({
      created_at: moment("When the address was issued."),
      last_read_at: moment("When a feed or calendar was last read.").nullable(),
      reads_today: count("Reads on this UTC day, which are limited."),
    })
    .nullable()
    .meta({ description: "Secret address of its feed and calendar; null where there is none." }),
  digest: digest.nullable().meta({ description: "Digest by e-mail; null where there is none." }),
  created_at: moment("When it was saved."),
  updated_at: moment("When its owner last changed it."),
};

/** Saved search, as its owner sees it. */
export const savedSearch = z.strictObject(fields).meta({ description: "A search that was saved." });
export type SavedSearch = z.infer<typeof savedSearch>;

export const savedSearchList = z
  .strictObject({
    saved_searches: z.array(savedSearch),
    has_mailer: z
      .boolean()
      .meta({ description: "Whether this deployment sends e-mail, without which there are no digests." }),
  })
  .meta({ description: "The account's saved searches, by name." });

export const deletedSavedSearch = z.strictObject({ id: fields.id }).meta({ description: "The deleted search." });

const token = z.string().meta({
  description:
    "Secret part of the addresses `/saved-searches/TOKEN/feed.atom` and `/saved-searches/TOKEN/deadlines.ics`. It is shown only once and not stored: save the addresses now.",
});

/** Answer to issuing an address. */
export const issuedAddress = z
  .strictObject({ ...fields, token })
  .meta({ description: "A saved search with its new secret address." });

/** The same, or that of a repetition: one that comes too late has no token. */
export const repeatableAddress = issuedAddress
  .extend({
    token: token.nullable().meta({
      description:
        "Secret part of the addresses `/saved-searches/TOKEN/feed.atom` and `/saved-searches/TOKEN/deadlines.ics`, which is not stored: save them now. Null in a repetition (`Idempotency-Key`) that comes after ten minutes.",
    }),
  })
  .meta({ description: "A saved search with its new secret address." });
