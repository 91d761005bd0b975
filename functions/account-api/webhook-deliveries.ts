import * as z from "zod";
import {
  type DeliveryPage,
  deliveryStates,
  type StoredDelivery,
  type WebhookDelivery,
} from "../../shared/responses/account/webhooks.ts";
import { instant, integer, maximumPageSize, oneOf } from "../../shared/validation/fields.ts";
import { eventNames, withTestMark } from "../../shared/webhooks/events.ts";
import { isTestEvent, sampleDetails, samples } from "../../shared/webhooks/samples.ts";
import { inMembers, inQuery, readId, route, withId } from "./route.ts";
import { recoverBody, testBody } from "./webhook-bodies.ts";

/** Query parameters of a list of deliveries. */
export const deliveryListParameters = z.strictObject({
  state: oneOf(deliveryStates).optional().meta({ description: "Only those in this state." }),
  event: oneOf(eventNames).optional().meta({ description: "Only those of this event." }),
  limit: integer(1, maximumPageSize).default(50),
  page: z
    .string()
    .min(1)
    .transform((text, context): DeliveryPage => {
      const [created_at = "", event_id = "", ...rest] = text.split("_");
      if (rest.length > 0 || !instant().safeParse(created_at).success || !z.guid().safeParse(event_id).success) {
        context.addIssue({ code: "custom", message: "must be what an answer had in next" });
      }
      return { created_at, event_id };
    })
    .optional()
    .meta({ description: "The `next` of the answer before." }),
});

/** Adds whether the event is a test. */
function withIsTest<Delivery extends Pick<StoredDelivery, "event" | "record_id" | "record_title">>(
  delivery: Delivery,
): Delivery & Pick<WebhookDelivery, "is_test"> {
  return { ...delivery, is_test: isTestEvent(delivery) };
}

/** The event in a path, behind the webhook. */
const withEvent = withId((_request, parameters) => readId(parameters, "event_id"));

export const webhookDeliveryRoutes = [
  /** Newest first; `next` is the `page` of the next request. */
  route(
    "GET /account-api/webhooks/{id}/deliveries",
    withId(inQuery(deliveryListParameters)),
    ({ call }, { id, input }) => call("list_webhook_deliveries", { webhook_id: id, filter: input }),
    ({ deliveries, next }) => ({
      body: {
        deliveries: deliveries.map(withIsTest),
        next: next === null ? null : `${next.created_at}_${next.event_id}`,
      },
    }),
  ),
  /** With the payload and each attempt. */
  route(
    "GET /account-api/webhooks/{id}/deliveries/{event_id}",
    withEvent,
    ({ call }, { id, input }) => call("get_webhook_delivery", { webhook_id: id, event_id: input }),
    (delivery) => ({ body: { ...withIsTest(delivery), payload: withTestMark(delivery.payload) } }),
  ),
  route(
    "POST /account-api/webhooks/{id}/deliveries/{event_id}/resend",
    withEvent,
    ({ writes }, { id, input }) => writes.call("resend_webhook_delivery", { webhook_id: id, event_id: input }),
    (delivery) => ({ body: withIsTest(delivery) }),
  ),
  /** Until now, unless `until` is given. */
  route(
    "POST /account-api/webhooks/{id}/recover",
    withId(inMembers(recoverBody)),
    ({ writes }, { id, input: { since, until = new Date().toISOString() } }) =>
      writes.call("recover_webhook", { webhook_id: id, since, until }),
  ),
  /** Sends an event with a sample record. */
  route(
    "POST /account-api/webhooks/{id}/test",
    withId(inMembers(testBody)),
    ({ writes }, { id, input: { event } }) =>
      writes.call("send_test_event", {
        webhook_id: id,
        event,
        data: samples[event].data,
        details: sampleDetails[event],
        ...(samples[event].changes && { changes: samples[event].changes }),
      }),
    (delivery) => ({ body: withIsTest(delivery) }),
  ),
];
