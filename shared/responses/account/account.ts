import * as z from "zod";
import { count, id, moment } from "../fields.ts";
import { memberRole } from "./members.ts";

const subscription = z
  .strictObject({
    status: z
      .enum(["active", "trialing", "past_due", "canceled", "unpaid", "paused", "incomplete", "incomplete_expired"])
      .meta({ description: "In Stripe's words. Of these, active, trialing and past_due give access." }),
    current_period_end: moment("When it ends unless it is renewed; null if it has no end.").nullable(),
    in_force: z.boolean().meta({ description: "Whether it gives access now." }),
  })
  .nullable()
  .meta({ description: "Null for an account that never had one." });

const tier = z
  .strictObject({
    name: z.string().meta({ description: "Name of the tier.", examples: ["developer"] }),
    api_access: z.boolean().meta({ description: "Whether it includes API access at all." }),
    daily_quota: z.int().min(-1).meta({ description: "Requests a UTC day; -1 is unlimited." }),
  })
  .meta({ description: "Tier that the account is subscribed to; `free` without a subscription." });

const quota = z
  .strictObject({
    limit: z.int().min(-1).meta({ description: "Requests allowed today; -1 is unlimited, 0 is no API access." }),
    used: count("Requests counted against the limit today; all of today's requests where there is no limit."),
    remaining: z.int().min(-1).meta({ description: "Requests left today; -1 is unlimited." }),
    resets_at: moment("The next midnight UTC."),
  })
  .meta({ description: "The daily quota, which all keys of the account share." });

/** Answer of `GET /account-api`. */
export const account = z
  .strictObject({
    id: id("The account's id."),
    email: z.email().meta({
      description:
        "E-mail address that the account is called by: of the user whose own it is, or, after that user left, of the owner who has been in it longest.",
    }),
    role: memberRole.meta({ description: "Role of the caller in the account." }),
    created_at: moment("When the account was opened."),
    api_access: z.boolean().meta({
      description: "Whether its keys are accepted now: its tier has API access and its subscription is in force.",
    }),
    tier,
    subscription,
    quota,
    keys: z.strictObject({
      active: count("Keys that are neither revoked nor expired."),
      maximum: count("Maximum number of active keys. At this number, no further key can be created."),
    }),
    keeps_search_text: z.boolean().meta({
      description: "Whether the request log keeps the texts that are searched for. By default it does not.",
    }),
  })
  .meta({ description: "Account of the signed-in user, or the one that `X-Account-Id` names." });

/** Body of `PATCH /account-api`. */
export const accountChanges = z
  .strictObject({
    keeps_search_text: z.boolean({ error: "must be true or false" }).meta({
      description:
        "Whether the request log keeps the texts that are searched for, from now on. When it is switched off, those that were kept are not shown any more, and go with their requests.",
    }),
  })
  .meta({ description: "Settings of the account." });
export type Account = z.infer<typeof account>;
