import * as z from "zod";
import { instant, integer, maximumPageSize, oneOf } from "../../validation/fields.ts";
import { id, moment } from "../fields.ts";
import { logPage } from "./log-page.ts";

/** Kinds of changed objects. A digest is part of its saved search. */
export const auditKinds = [
  "account",
  "subscription",
  "key",
  "webhook",
  "saved_search",
  "member",
  "invitation",
] as const;

/** Actions that the database logs (audit_log.sql). */
export const auditActions = [
  "account.created",
  "account.updated",
  "account.user_attached",
  "account.user_detached",
  "subscription.created",
  "subscription.updated",
  "subscription.deleted",
  "customer.offered",
  "customer.accepted",
  "customer.refused",
  "key.created",
  "key.updated",
  "key.rotated",
  "key.revoked",
  "key.deleted",
  "webhook.created",
  "webhook.updated",
  "webhook.paused",
  "webhook.resumed",
  "webhook.disabled",
  "webhook.secret_rotated",
  "webhook.recovery_started",
  "webhook.deleted",
  "saved_search.created",
  "saved_search.updated",
  "saved_search.address_issued",
  "saved_search.address_revoked",
  "saved_search.deleted",
  "digest.created",
  "digest.updated",
  "digest.paused",
  "digest.resumed",
  "digest.ended",
  "digest.unsubscribed",
  "member.added",
  "member.role_changed",
  "member.removed",
  "member.left",
  "invitation.created",
  "invitation.accepted",
  "invitation.declined",
  "invitation.withdrawn",
] as const;

/** A change in the audit log. */
export const auditEntry = z
  .strictObject({
    id: z.string().meta({ description: "The entry's id.", examples: ["4711"] }),
    at: moment("When it was changed."),
    actor: z
      .strictObject({
        kind: z.enum(["user", "operator", "system"]).meta({
          description:
            "`user`: somebody who was signed in, in the dashboard or with the account API. `operator`: the operator of the service. `system`: the service itself, for example after a webhook failed too often, or when a payment came.",
        }),
        email: z
          .string()
          .nullable()
          .meta({ description: "The user's e-mail address at that time; null for the others." }),
      })
      .meta({ description: "Who changed it." }),
    action: z.enum(auditActions).meta({ description: "What was done.", examples: ["key.revoked"] }),
    subject: z
      .strictObject({
        kind: z.enum(auditKinds),
        id: id("Its id. A subscription has the account's."),
        name: z.string().meta({
          description:
            "Its name at that time: of an account the e-mail address, of a subscription the tier, of a webhook the description or else the address, of a member or an invitation the e-mail address.",
        }),
      })
      .meta({ description: "What was changed. It may be deleted since." }),
    changes: z
      .array(
        z.strictObject({
          field: z.string().meta({ description: "Field that changed.", examples: ["daily_quota"] }),
          from: z.unknown().meta({ description: "Its value before; null where it had none." }),
          to: z.unknown().meta({ description: "Its value since; null where it has none." }),
        }),
      )
      .meta({
        description: "Fields that changed, never with a secret. Values of more than 500 characters are cut.",
        examples: [[{ field: "daily_quota", from: 1000, to: 5000 }]],
      }),
  })
  .meta({ description: "A change in the account." });
export type AuditEntry = z.infer<typeof auditEntry>;

/** Answer of `GET /account-api/audit-log`. */
export const auditLog = z
  .strictObject({
    entries: z.array(auditEntry),
    next: z.string().nullable().meta({ description: "The `page` of the next request; null at the end." }),
  })
  .meta({ description: "Changes in the account, newest first." });

/** Query parameters of `GET /account-api/audit-log`. */
export const auditLogParameters = z.strictObject({
  action: oneOf(auditActions).optional().meta({ description: "Only this action." }),
  kind: oneOf(auditKinds).optional().meta({ description: "Only changes of this kind of subject." }),
  subject: z
    .guid({ error: "must be a UUID" })
    .transform((text) => text.toLowerCase())
    .optional()
    .meta({ description: "Only changes of the subject with this id, and the rotation that made a key." }),
  since: instant().optional().meta({ description: "Only changes at this moment or later." }),
  until: instant().optional().meta({ description: "Only changes before this moment." }),
  limit: integer(1, maximumPageSize).default(50).meta({ description: "Maximum number of entries in the answer." }),
  page: logPage.optional().meta({ description: "The `next` of the answer before." }),
});
