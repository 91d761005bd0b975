import * as z from "zod";
import { instant } from "../../validation/fields.ts";
import { count, day, id, moment } from "../fields.ts";

const latestRecord = z
  .strictObject({
    dataset: z.enum(["grants", "contracts"]),
    id: id("The record's id."),
    title: z.string(),
    funder_name: z.string().nullable(),
    amount_min: z.number().nullable(),
    amount_max: z.number().nullable(),
    deadline_date: day().nullable(),
    days_left: z.int().nullable().meta({ description: "Days until the deadline, where the publisher is: 0 is today." }),
    created_at: moment("When it was posted."),
    is_new: z.boolean().meta({ description: "Whether it came at `since` or later." }),
  })
  .meta({ description: "An opportunity, in short." });
export type LatestRecord = z.infer<typeof latestRecord>;

const newRecords = z.strictObject({
  count: count("Opportunities that came and are not closed."),
  is_capped: z.boolean().meta({ description: "Whether more came than are looked at: 10,000 of a dataset." }),
});

/** Answer of `GET /account-api/latest-records`. */
export const latestRecords = z
  .strictObject({
    since: moment("Moment from which on records are new."),
    counted_until: moment("What came later is not counted yet. It is the `since` that goes on from here."),
    new_records: z
      .strictObject({ grants: newRecords, contracts: newRecords })
      .nullable()
      .meta({ description: "How many are new. Null without API access, which the lists are empty without, too." }),
    latest: z.array(latestRecord).meta({ description: "Up to six: the new ones first, the latest posted first." }),
    closing: z.array(latestRecord).meta({ description: "Up to six that are open, by their deadline." }),
  })
  .meta({ description: "Opportunities that are new, and those that close next." });
export type LatestRecords = z.infer<typeof latestRecords>;

/** Days that are new without `since`. */
export const defaultNewDays = 7;

/** Query parameters of `GET /account-api/latest-records`. */
export const latestRecordsParameters = z.strictObject({
  since: instant()
    .optional()
    .meta({ description: `Records that came at this moment or later are new. By default ${defaultNewDays} days ago.` }),
});
