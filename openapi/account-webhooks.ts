import { recoverBody, rotateBody, testBody, webhookBodies } from "../functions/account-api/webhook-bodies.ts";
import { deliveryListParameters } from "../functions/account-api/webhook-deliveries.ts";
import {
  deletedWebhook,
  repeatableWebhook,
  startedRecovery,
  webhook,
  webhookDelivery,
  webhookDeliveryDetails,
  webhookDeliveryPage,
  webhookList,
  webhookPreview,
} from "../shared/responses/account/webhooks.ts";
import type { AccountOperation } from "./account-operation.ts";

const bodies = webhookBodies(false);

/** Routes of the account API for webhooks, by method and path. */
export const webhookOperations: Record<string, AccountOperation> = {
  "GET /account-api/webhooks": {
    operationId: "listWebhooks",
    summary: "List the account's webhooks",
    answer: ["WebhookList", webhookList],
  },
  "POST /account-api/webhooks": {
    operationId: "createWebhook",
    summary: "Create a webhook",
    description: "The answer has the secret, which is not shown again.",
    body: ["NewWebhook", bodies.create.schema],
    status: 201,
    answer: ["IssuedWebhook", repeatableWebhook],
  },
  "POST /account-api/webhooks/preview": {
    operationId: "previewWebhook",
    summary: "Count what a webhook would be sent at once",
    description: "For settings that are not saved yet. Writes nothing, and counts against no limit.",
    body: ["PreviewedWebhook", bodies.preview.schema],
    answer: ["WebhookPreview", webhookPreview],
    isRead: true,
  },
  "GET /account-api/webhooks/{id}": {
    operationId: "getWebhook",
    summary: "Get a webhook",
    answer: ["Webhook", webhook],
  },
  "PATCH /account-api/webhooks/{id}": {
    operationId: "updateWebhook",
    summary: "Change, pause or start a webhook",
    description: "Starting a disabled webhook resets its failures.",
    body: ["WebhookChanges", bodies.update.schema],
    answer: ["Webhook", webhook],
  },
  "DELETE /account-api/webhooks/{id}": {
    operationId: "deleteWebhook",
    summary: "Delete a webhook and its log",
    answer: ["DeletedWebhook", deletedWebhook],
  },
  "POST /account-api/webhooks/{id}/rotate": {
    operationId: "rotateWebhookSecret",
    summary: "Give a webhook a new secret",
    description:
      "Until the overlap ends, deliveries are signed with both secrets, and with earlier ones whose overlap lasts: at most five, else 409. An overlap of 0 ends all others at once.",
    body: ["WebhookRotation", rotateBody.schema],
    status: 201,
    answer: ["IssuedWebhook", repeatableWebhook],
  },
  "POST /account-api/webhooks/{id}/test": {
    operationId: "sendTestEvent",
    summary: "Send a webhook an event with a sample record",
    body: ["TestEvent", testBody.schema],
    answer: ["WebhookDelivery", webhookDelivery],
  },
  "POST /account-api/webhooks/{id}/recover": {
    operationId: "recoverWebhook",
    summary: "Deliver the events that were missed in a range of time",
    description: "At most 14 days back.",
    body: ["Recovery", recoverBody.schema],
    answer: ["StartedRecovery", startedRecovery],
  },
  "GET /account-api/webhooks/{id}/deliveries": {
    operationId: "listWebhookDeliveries",
    summary: "List a webhook's deliveries, the newest first",
    query: deliveryListParameters,
    answer: ["WebhookDeliveryPage", webhookDeliveryPage],
  },
  "GET /account-api/webhooks/{id}/deliveries/{event_id}": {
    operationId: "getWebhookDelivery",
    summary: "Get a delivery with its payload and attempts",
    answer: ["WebhookDeliveryDetails", webhookDeliveryDetails],
  },
  "POST /account-api/webhooks/{id}/deliveries/{event_id}/resend": {
    operationId: "resendWebhookDelivery",
    summary: "Deliver an event again",
    answer: ["WebhookDelivery", webhookDelivery],
  },
};
