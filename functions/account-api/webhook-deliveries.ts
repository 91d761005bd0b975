import * as z from "zod";
import {
  type DeliveryPage,
  deliveryStates,
  type StoredDelivery,
  type WebhookDelivery,
} from "../../shared/responses/account/webhooks.ts";
import { readJsonBody } from "../../shared/validation/body.ts";
import { instant, integer, maximumPageSize, oneOf } from "../../shared/validation/fields.ts";
import { readQuery } from "../../shared/validation/query.ts";
import { eventNames, withTestMark } from "../../shared/webhooks/events.ts";
import { isTestEvent, sampleDetails, samples } from "../../shared/webhooks/samples.ts";
import { accountRoute, readId, readWithId } from "./route.ts";
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

/** `GET /account-api/webhooks/{id}/deliveries`: newest first; `next` is the `page` of the next request. */
const list = accountRoute({
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  parse: (request, parameters) =>
    readWithId(parameters, () =>
      readQuery(new URL(request.url).search, {
        names: Object.keys(deliveryListParameters.shape),
        schema: deliveryListParameters,
      }),
    ),
  query: ({ database, signedIn }, { id, input }) =>
    database.call("list_webhook_deliveries", { ...signedIn, webhook_id: id, filter: input }),
  render: ({ deliveries, next }) => ({
    body: {
      deliveries: deliveries.map(withIsTest),
      next: next === null ? null : `${next.created_at}_${next.event_id}`,
    },
  }),
});

/** `GET /account-api/webhooks/{id}/deliveries/{event_id}`: with the payload and each attempt. */
const single = accountRoute({
  method: "GET",
  path: "/webhooks/{id}/deliveries/{event_id}",
  parse: (_request, parameters) => readWithId(parameters, () => readId(parameters, "event_id")),
  query: ({ database, signedIn }, { id, input }) =>
    database.call("get_webhook_delivery", { ...signedIn, webhook_id: id, event_id: input }),
  render: (delivery) => ({ body: { ...withIsTest(delivery), payload: withTestMark(delivery.payload) } }),
});

/** `POST /account-api/webhooks/{id}/deliveries/{event_id}/resend` */
const resend = accountRoute({
  method: "POST",
  path: "/webhooks/{id}/deliveries/{event_id}/resend",
  parse: (_request, parameters) => readWithId(parameters, () => readId(parameters, "event_id")),
  query: ({ writes }, { id, input }) => writes.call("resend_webhook_delivery", { webhook_id: id, event_id: input }),
  render: (delivery) => ({ body: withIsTest(delivery) }),
});

/** `POST /account-api/webhooks/{id}/recover`: until now, unless `until` is given. */
const recover = accountRoute({
  method: "POST",
  path: "/webhooks/{id}/recover",
  parse: (request, parameters) => readWithId(parameters, () => readJsonBody(request, recoverBody)),
  query: ({ writes }, { id, input: { since, until } }) =>
    writes.call("recover_webhook", {
      webhook_id: id,
      since,
      until: until ?? new Date().toISOString(),
    }),
  render: (body) => ({ body }),
});

/** `POST /account-api/webhooks/{id}/test`: sends an event with a sample record. */
const test = accountRoute({
  method: "POST",
  path: "/webhooks/{id}/test",
  parse: (request, parameters) => readWithId(parameters, () => readJsonBody(request, testBody)),
  query: ({ writes }, { id, input: { event } }) =>
    writes.call("send_test_event", {
      webhook_id: id,
      event,
      data: samples[event].data,
      details: sampleDetails[event],
      ...(samples[event].changes && { changes: samples[event].changes }),
    }),
  render: (delivery) => ({ body: withIsTest(delivery) }),
});

export const webhookDeliveryRoutes = [list, single, resend, recover, test];
