import type * as z from "zod";
import type { webhook, webhookDelivery, webhookDeliveryDetails } from "../account/schemas/webhooks.ts";

export const deliveryStates = ["pending", "succeeded", "failed"] as const;

/** An endpoint as its owner sees it. */
export type Webhook = z.infer<typeof webhook>;
/** A delivery as its owner sees it. */
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
/** The same with what it sends and each attempt. */
export type WebhookDeliveryDetails = z.infer<typeof webhookDeliveryDetails>;
export type LoggedAttempt = WebhookDeliveryDetails["log"][number];

/** Where the next page of deliveries begins. */
export interface DeliveryPage {
  created_at: string;
  event_id: string;
}
