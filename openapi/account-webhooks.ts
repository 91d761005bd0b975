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
const unknown = ["AccountNotFound"] as const;
const unknownOrInvalid = ["InvalidParameters", "AccountNotFound"] as const;

/** Routes of the account API for webhooks, by path and method. */
export const webhookOperations: Record<string, Record<string, AccountOperation>> = {
  "/account-api/webhooks": {
    get: {
      operationId: "listWebhooks",
      summary: "List the account's webhooks",
      answer: ["WebhookList", webhookList],
      failures: ["InvalidParameters"],
    },
    post: {
      operationId: "createWebhook",
      summary: "Create a webhook",
      description: "The answer has the secret, which is not shown again.",
      body: ["NewWebhook", bodies.create.schema],
      status: 201,
      answer: ["IssuedWebhook", repeatableWebhook],
    },
  },
  "/account-api/webhooks/preview": {
    post: {
      operationId: "previewWebhook",
      summary: "Count what a webhook would be sent at once",
      description: "For settings that are not saved yet. Writes nothing, and counts against no limit.",
      body: ["PreviewedWebhook", bodies.preview.schema],
      answer: ["WebhookPreview", webhookPreview],
      isRead: true,
      failures: [...unknown],
    },
  },
  "/account-api/webhooks/{id}": {
    get: {
      operationId: "getWebhook",
      summary: "Get a webhook",
      answer: ["Webhook", webhook],
      failures: [...unknownOrInvalid],
    },
    patch: {
      operationId: "updateWebhook",
      summary: "Change, pause or start a webhook",
      description: "Starting a disabled webhook resets its failures.",
      body: ["WebhookChanges", bodies.update.schema],
      answer: ["Webhook", webhook],
      failures: [...unknown],
    },
    delete: {
      operationId: "deleteWebhook",
      summary: "Delete a webhook and its log",
      answer: ["DeletedWebhook", deletedWebhook],
      failures: [...unknownOrInvalid],
    },
  },
  "/account-api/webhooks/{id}/rotate": {
    post: {
      operationId: "rotateWebhookSecret",
      summary: "Give a webhook a new secret",
      description:
        "Until the overlap ends, deliveries are signed with both secrets, and with earlier ones whose overlap lasts: at most five, else 409. An overlap of 0 ends all others at once.",
      body: ["WebhookRotation", rotateBody.schema],
      status: 201,
      answer: ["IssuedWebhook", repeatableWebhook],
      failures: [...unknown],
    },
  },
  "/account-api/webhooks/{id}/test": {
    post: {
      operationId: "sendTestEvent",
      summary: "Send a webhook an event with a sample record",
      body: ["TestEvent", testBody.schema],
      answer: ["WebhookDelivery", webhookDelivery],
      failures: [...unknown],
    },
  },
  "/account-api/webhooks/{id}/recover": {
    post: {
      operationId: "recoverWebhook",
      summary: "Deliver the events that were missed in a range of time",
      description: "At most 14 days back.",
      body: ["Recovery", recoverBody.schema],
      answer: ["StartedRecovery", startedRecovery],
      failures: [...unknown],
    },
  },
  "/account-api/webhooks/{id}/deliveries": {
    get: {
      operationId: "listWebhookDeliveries",
      summary: "List a webhook's deliveries, the newest first",
      query: deliveryListParameters,
      answer: ["WebhookDeliveryPage", webhookDeliveryPage],
      failures: [...unknownOrInvalid],
    },
  },
  "/account-api/webhooks/{id}/deliveries/{event_id}": {
    get: {
      operationId: "getWebhookDelivery",
      summary: "Get a delivery with its payload and attempts",
      answer: ["WebhookDeliveryDetails", webhookDeliveryDetails],
      failures: [...unknownOrInvalid],
    },
  },
  "/account-api/webhooks/{id}/deliveries/{event_id}/resend": {
    post: {
      operationId: "resendWebhookDelivery",
      summary: "Deliver an event again",
      answer: ["WebhookDelivery", webhookDelivery],
      failures: [...unknownOrInvalid],
    },
  },
};
