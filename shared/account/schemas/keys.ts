import * as z from "zod";
import { id, moment } from "../../responses/fields.ts";
import { instant, text } from "../../validation/fields.ts";

const fields = {
  id: id("The key's id."),
  name: z.string().meta({ description: "What its owner calls it.", examples: ["nightly sync"] }),
  display: z.string().meta({
    description: "What is shown of it: its start and its last four characters.",
    examples: ["fo_live_Ab3d…wxyz"],
  }),
  status: z.enum(["active", "expired", "revoked"]),
  created_at: moment("When it was made."),
  expires_at: moment("From when on it is refused; null is never. A rotated key has the end of its overlap.").nullable(),
  revoked_at: moment("When it was revoked.").nullable(),
  last_used_at: moment("To the minute; null for a key that was never used.").nullable(),
  rotated_from: id("The key that this one replaces.").nullable(),
  replaced_by: id("The key that replaces this one.").nullable(),
};

/** A key as its owner sees it. */
export const accountKey = z.strictObject(fields).meta({ description: "An API key, without its text." });
export type AccountKey = z.infer<typeof accountKey>;

/** What `GET /account-api/keys` answers. */
export const accountKeys = z
  .strictObject({ keys: z.array(accountKey) })
  .meta({ description: "Every key that the account ever had, newest first." });

/** What creating and rotating answer. */
export const issuedKey = z
  .strictObject({
    ...fields,
    key: z.string().meta({ description: "The key itself. It is shown this once and not stored: keep it now." }),
  })
  .meta({ description: "A new API key." });

/** The body of `POST /account-api/keys`. */
export const newKey = z.strictObject({
  name: text(100).meta({ description: "What you call it: 1 to 100 characters.", examples: ["nightly sync"] }),
  expires_at: instant().nullish().meta({ description: "From when on the key is refused. Null or absent is never." }),
});

const overlapError = "must be a number of hours from 0 to 720";

/** The body of `POST /account-api/keys/{id}/rotate`. */
export const rotation = z.strictObject({
  overlap_hours: z
    .number({ error: overlapError })
    .min(0, { error: overlapError })
    .max(720, { error: overlapError })
    .default(24)
    .meta({ description: "Hours for which the old key works beside the new one: 0 ends it at once, 720 is 30 days." }),
});
