import * as z from "zod";
import { datasets } from "../../datasets.ts";
import { addressRanges } from "../../validation/address-ranges.ts";
import { instant, name } from "../../validation/fields.ts";
import { id, moment } from "../fields.ts";

const fields = {
  id: id("The key's id."),
  name: z.string().meta({ description: "Name that its owner gave it.", examples: ["nightly sync"] }),
  display: z.string().meta({
    description: "Visible part of the key: its start and its last four characters.",
    examples: ["fo_live_Ab3d…wxyz"],
  }),
  status: z.enum(["active", "expired", "revoked"]),
  created_at: moment("When it was created."),
  expires_at: moment("When it expires; null for never. For a rotated key, the end of its overlap.").nullable(),
  revoked_at: moment("When it was revoked.").nullable(),
  last_used_at: moment("When it was last used, to the minute; null if it was never used.").nullable(),
  rotated_from: id("The key that this one replaces.").nullable(),
  replaced_by: id("The key that replaces this one.").nullable(),
  datasets: z
    .array(z.enum(datasets))
    .nullable()
    .meta({ description: "Datasets that it reads; null for all.", examples: [["grants"]] }),
  daily_quota: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: "Requests a UTC day that it is allowed; null for as many as the account has." }),
  addresses: z
    .array(z.string())
    .nullable()
    .meta({
      description: "Address ranges (CIDR) from which it works; null for any.",
      examples: [["203.0.113.0/24", "2001:db8::/32"]],
    }),
};

/** API key, as its owner sees it. */
export const accountKey = z.strictObject(fields).meta({ description: "An API key, without its text." });
export type AccountKey = z.infer<typeof accountKey>;

/** Answer of `GET /account-api/keys`. */
export const accountKeys = z.strictObject({ keys: z.array(accountKey) }).meta({
  description: "The account's keys, newest first: all active ones, and the newest of the others, 500 in all.",
});

const keyText = z.string().meta({ description: "The key itself. It is shown only once and not stored: save it now." });

/** Answer to creating and to rotating a key. */
export const issuedKey = z.strictObject({ ...fields, key: keyText }).meta({ description: "A new API key." });

/** The same, or that of a repetition: one that comes too late has no key. */
export const repeatableKey = issuedKey
  .extend({
    key: keyText.nullable().meta({
      description:
        "The key itself, which is not stored: save it now. Null in a repetition (`Idempotency-Key`) that comes after ten minutes, or after the key was used.",
    }),
  })
  .meta({ description: "A new API key." });

const explorerKeyFields = {
  id: fields.id,
  display: fields.display,
  expires_at: moment("When it expires: a few minutes from now."),
};
export type ExplorerKey = z.infer<z.ZodObject<typeof explorerKeyFields>>;

/** Answer of `POST /account-api/explorer-key`. */
export const explorerKey = z
  .strictObject({
    ...explorerKeyFields,
    key: keyText.nullable().meta({
      description:
        "The key itself, which is not stored. Null in a repetition (`Idempotency-Key`) that comes after the key was used.",
    }),
  })
  .meta({ description: "A short-lived API key, which is not among the account's keys and does not count as one." });

const datasetError = `must be among ${datasets.join(", ")}`;
/** Largest quota of a key. */
const maximumQuota = 1_000_000_000;
const quotaError = `must be a whole number of requests from 1 to ${maximumQuota}, or null for no limit`;

/** Limits of a key, each of them optional. Null is no limit. */
const limits = {
  datasets: z
    .array(z.enum(datasets, { error: datasetError }), { error: "must be a list of datasets, or null for all" })
    .min(1, { error: "must name at least one dataset; null is for all" })
    .transform((given) => datasets.filter((dataset) => given.includes(dataset)))
    .nullish()
    .meta({
      description: "Datasets that the key reads. A request for another is refused (403). Null means all.",
      examples: [["grants"]],
    }),
  daily_quota: z
    .int({ error: quotaError })
    .min(1, { error: quotaError })
    .max(maximumQuota, { error: quotaError })
    .nullish()
    .meta({
      description:
        "Requests a UTC day that the key is allowed, which count against the account's quota as well. A key and those that replace it share it. Null means no limit of its own.",
      examples: [1000],
    }),
  addresses: addressRanges()
    .nullish()
    .meta({
      description:
        "Address ranges in CIDR notation, IPv4 or IPv6, or single addresses. A request from another address is refused (403). Null means any.",
      examples: [["203.0.113.0/24", "2001:db8::/32"]],
    }),
};

/** Body of `POST /account-api/keys`. */
export const newKey = z.strictObject({
  name: name(100).meta({
    description: "Name of your choice: one line of 1 to 100 characters.",
    examples: ["nightly sync"],
  }),
  expires_at: instant().nullish().meta({ description: "When the key expires. Null or absent means never." }),
  ...limits,
});

/** Body of `PATCH /account-api/keys/{id}`. */
export const keyChanges = z
  .strictObject(limits)
  .meta({ description: "Limits of a key. One that is absent stays as it is; null takes it away." });
export type KeyLimits = z.input<typeof keyChanges>;

const overlapError = "must be a number of hours from 0 to 720";

/** Body of `POST /account-api/keys/{id}/rotate`. */
export const rotation = z.strictObject({
  overlap_hours: z
    .number({ error: overlapError })
    .min(0, { error: overlapError })
    .max(720, { error: overlapError })
    .default(24)
    .meta({ description: "Hours for which the old key works beside the new one: 0 ends it at once, 720 is 30 days." }),
});
