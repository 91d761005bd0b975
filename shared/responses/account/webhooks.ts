import * as z from "zod";
import { changeableFields } from "../../catalogue/fields.generated.ts";
import { eventNames } from "../../webhooks/events.ts";
import { fieldChange } from "../changes.ts";
import { count, id, moment } from "../fields.ts";

export const deliveryStates = ["pending", "succeeded", "failed"] as const;

const fields = {
  id: id("The webhook's id."),
  url: z
    .string()
    .meta({ description: "Address that events are sent to.", examples: ["https://hooks.example.org/funding"] }),
  description: z.string().meta({ description: "Description by its owner." }),
  events: z.array(z.enum(eventNames)).meta({ description: "Events that it receives." }),
  filters: z.record(z.string(), z.string()).meta({
    description: "Query string of a list, by dataset. The webhook receives the events of that list's records.",
  }),
  deadline_days: z
    .array(z.int())
    .meta({ description: "Days before a deadline at which `deadline_approaching` is sent." }),
  expand: z.array(z.enum(["details"])).meta({ description: "What its events' records have beside their own fields." }),
  updated_fields: z.array(z.enum(changeableFields)).meta({
    description: "Fields of which one must have changed for an update to be sent. Empty: whatever changed.",
    examples: [["deadline_date", "status"]],
  }),
  state: z.enum(["active", "paused", "disabled"]),
  disabled_reason: z.string().nullable().meta({ description: "Reason why it was disabled, in words." }),
  failures_in_a_row: count("Failed attempts since the last success. Attempts at the same time count as one."),
  failing_since: moment("Time of the first of these failures.").nullable(),
  previous_secret_expires_at: moment(
    "When the earlier secret stops signing. Where there are several, when the last of them stops.",
  ).nullable(),
  created_at: moment("When it was created."),
  updated_at: moment("When its owner last changed it."),
};

/** Webhook, as its owner sees it. */
export const webhook = z.strictObject(fields).meta({ description: "An address that events are sent to." });
export const webhookList = z
  .strictObject({ webhooks: z.array(webhook) })
  .meta({ description: "The account's webhooks, oldest first." });

const secretText = z
  .string()
  .meta({ description: "Secret that its deliveries are signed with. It is shown only once: save it now." });

/** Answer to creating a webhook and to rotating its secret. */
export const issuedWebhook = z
  .strictObject({ ...fields, secret: secretText })
  .meta({ description: "A webhook with its new secret." });

/** The same, or that of a repetition: one that comes too late has no secret. */
export const repeatableWebhook = issuedWebhook
  .extend({
    secret: secretText.nullable().meta({
      description:
        "Secret that its deliveries are signed with: save it now. Null in a repetition (`Idempotency-Key`) that comes after ten minutes.",
    }),
  })
  .meta({ description: "A webhook with its new secret." });

export const deletedWebhook = z.strictObject({ id: fields.id }).meta({ description: "The deleted webhook." });

const deliveryFields = {
  event_id: id("The event's id."),
  event: z.enum(eventNames),
  record_id: id("Record that the event is about."),
  record_title: z
    .string()
    .nullable()
    .meta({ description: "Its title, or a funder's name, in the event; null where it cannot be shown." }),
  event_created_at: moment("When the event happened."),
  state: z.enum(deliveryStates),
  attempts: count("Attempts that were started."),
  next_attempt_in_seconds: z
    .int()
    .nullable()
    .meta({ description: "Seconds until the next attempt; null if none is planned, or one is under way." }),
  created_at: moment("When the delivery was created."),
  finished_at: moment("When it succeeded or failed for good.").nullable(),
  last_attempt: z
    .strictObject({
      status: z.int().nullable().meta({ description: "Status of the receiver's answer; null if there was none." }),
      error: z.string().nullable().meta({ description: "Null for a success; else as in the delivery's log." }),
      duration_ms: z.int().nullable(),
      started_at: moment("When the attempt began."),
    })
    .nullable()
    .meta({ description: "The latest attempt; null before the first." }),
};
const isTest = z.boolean().meta({ description: "Whether the event is a test, with a sample record." });

/** Delivery, as the webhook's owner sees it. */
export const webhookDelivery = z
  .strictObject({ ...deliveryFields, is_test: isTest })
  .meta({ description: "An event on its way to a webhook." });
export const webhookDeliveryPage = z
  .strictObject({
    deliveries: z.array(webhookDelivery),
    next: z.string().nullable().meta({ description: "`page` of the next request; null at the end." }),
  })
  .meta({ description: "A webhook's deliveries, newest first." });

const headers = z.record(z.string(), z.string()).nullable();
const attempt = z.strictObject({
  attempt: count("Number of the attempt, from 1."),
  url: z.string(),
  started_at: moment("When the attempt began."),
  duration_ms: z.int().nullable(),
  status: z.int().nullable().meta({ description: "Status of the receiver's answer; null if there was none." }),
  error: z.string().nullable().meta({
    description: "timeout, connection, address, redirect, status, secret, record or lost; null for a success.",
  }),
  message: z.string().nullable().meta({ description: "The error in words." }),
  request_headers: headers,
  response_headers: headers,
  response_body: z
    .string()
    .nullable()
    .meta({ description: "First 16 KiB of the answer's body, or 1 KiB after a success." }),
});

export const webhookDeliveryDetails = z
  .strictObject({
    ...deliveryFields,
    is_test: isTest,
    payload: z
      .strictObject({
        id: deliveryFields.event_id,
        event: deliveryFields.event,
        created_at: deliveryFields.event_created_at,
        data: z.record(z.string(), z.unknown()),
        changes: z.array(fieldChange).optional().meta({ description: "What changed. In events of updates." }),
        test: z.boolean().optional().meta({ description: "True in a test event; absent in others." }),
      })
      .meta({ description: "The body that is sent." }),
    log: z.array(attempt).meta({ description: "The latest 50 attempts, oldest first." }),
  })
  .meta({ description: "A delivery with its payload and its attempts." });

export const startedRecovery = z
  .strictObject({ events: count("Events in the range. Those of them that are missing will be delivered.") })
  .meta({ description: "A recovery that has started." });

export const webhookPreview = z
  .strictObject({
    deadlines: count("Deadlines that are near already. Each is a delivery at once, unless the webhook is paused."),
    is_capped: z.boolean().meta({ description: "Whether there may be more: it counts to 10,000 of a dataset." }),
  })
  .meta({ description: "Effects of a webhook that is not saved yet." });

/** Effects of a webhook that is not saved yet. */
export type WebhookPreview = z.infer<typeof webhookPreview>;
/** Webhook, as its owner sees it. */
export type Webhook = z.infer<typeof webhook>;
/** Delivery, as the webhook's owner sees it. */
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
/** Delivery, as the database has it: it does not know the samples. */
export type StoredDelivery = Omit<WebhookDelivery, "is_test">;
/** Delivery with its payload and its attempts. */
export type WebhookDeliveryDetails = z.infer<typeof webhookDeliveryDetails>;
export type LoggedAttempt = WebhookDeliveryDetails["log"][number];

/** Cursor of a list of deliveries. */
export interface DeliveryPage {
  created_at: string;
  event_id: string;
}
