import * as z from "zod";
import { count, id, moment } from "../../responses/fields.ts";
import { eventNames } from "../../webhooks/events.ts";
import { deliveryStates } from "../../webhooks/shown.ts";

const fields = {
  id: id("The webhook's id."),
  url: z.string().meta({ description: "Where events are sent.", examples: ["https://hooks.example.org/funding"] }),
  description: z.string().meta({ description: "What its owner calls it." }),
  events: z.array(z.enum(eventNames)).meta({ description: "What it is told of." }),
  filters: z
    .record(z.string(), z.string())
    .meta({ description: "By dataset, the query string of the list whose records it is told of." }),
  deadline_days: z
    .array(z.int())
    .meta({ description: "Days before a deadline at which `deadline_approaching` is sent." }),
  state: z.enum(["active", "paused", "disabled"]),
  disabled_reason: z.string().nullable().meta({ description: "Why it was disabled, in words." }),
  failures_in_a_row: count("Failed attempts without a success in between. Those at the same time count as one."),
  failing_since: moment("When the first of them was.").nullable(),
  previous_secret_expires_at: moment(
    "Until when a secret before the present one signs as well: the last of them, where there are several.",
  ).nullable(),
  created_at: moment("When it was made."),
  updated_at: moment("When its owner changed it last."),
};

/** A webhook as its owner sees it. */
export const webhook = z.strictObject(fields).meta({ description: "An address that events are sent to." });
export const webhookList = z
  .strictObject({ webhooks: z.array(webhook) })
  .meta({ description: "The account's webhooks, oldest first." });

/** What creating and rotating answer. */
export const issuedWebhook = z
  .strictObject({
    ...fields,
    secret: z
      .string()
      .meta({ description: "What its deliveries are signed with. It is shown this once: keep it now." }),
  })
  .meta({ description: "A webhook with its new secret." });

export const deletedWebhook = z.strictObject({ id: fields.id }).meta({ description: "The webhook that is no more." });

const deliveryFields = {
  event_id: id("The event's id."),
  event: z.enum(eventNames),
  record_id: id("The record that it is about."),
  event_created_at: moment("When it happened."),
  state: z.enum(deliveryStates),
  attempts: count("Attempts begun."),
  next_attempt_in_seconds: z.int().nullable().meta({ description: "Null when none is to come, or one is under way." }),
  created_at: moment("When the delivery was made of the event."),
  finished_at: moment("When it succeeded or failed for good.").nullable(),
};

/** A delivery as its owner sees it. */
export const webhookDelivery = z
  .strictObject(deliveryFields)
  .meta({ description: "An event on its way to a webhook." });
export const webhookDeliveryPage = z
  .strictObject({
    deliveries: z.array(webhookDelivery),
    next: z.string().nullable().meta({ description: "The `page` of the next request, or null at the end." }),
  })
  .meta({ description: "A webhook's deliveries, newest first." });

const headers = z.record(z.string(), z.string()).nullable();
const attempt = z.strictObject({
  attempt: count("Its number, from 1."),
  url: z.string(),
  started_at: moment("When it began."),
  duration_ms: z.int().nullable(),
  status: z.int().nullable().meta({ description: "The receiver's answer; null when there was none." }),
  error: z.string().nullable().meta({
    description: "timeout, connection, address, redirect, status, secret or lost; null for a success.",
  }),
  message: z.string().nullable().meta({ description: "The error in words." }),
  request_headers: headers,
  response_headers: headers,
  response_body: z.string().nullable().meta({ description: "The first 16 KiB of it." }),
});

export const webhookDeliveryDetails = z
  .strictObject({
    ...deliveryFields,
    payload: z
      .strictObject({
        id: deliveryFields.event_id,
        event: deliveryFields.event,
        created_at: deliveryFields.event_created_at,
        data: z.record(z.string(), z.unknown()),
      })
      .meta({ description: "The body that is sent." }),
    log: z.array(attempt).meta({ description: "Each attempt, the first one first." }),
  })
  .meta({ description: "A delivery, what it sends, and how its attempts went." });

export const startedRecovery = z
  .strictObject({ events: count("Events in the range, of which those that are missing will be delivered.") })
  .meta({ description: "A recovery that has begun." });
