import * as z from "zod";
import { readJsonBody } from "../validation/body.ts";
import { instant, integer, oneOf } from "../validation/fields.ts";
import { readQuery } from "../validation/query.ts";
import { recoverBody, testBody } from "../webhooks/endpoint.ts";
import { eventNames } from "../webhooks/events.ts";
import { samples } from "../webhooks/samples.ts";
import { type DeliveryPage, deliveryStates } from "../webhooks/shown.ts";
import { readId, readWithId } from "./read.ts";
import { accountRoute } from "./route.ts";

/** The query parameters of a list of deliveries. */
export const deliveryListParameters = z.strictObject({
  state: oneOf(deliveryStates).optional().meta({ description: "Only those in this state." }),
  event: oneOf(eventNames).optional().meta({ description: "Only those of this event." }),
  limit: integer(1, 100).default(50),
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

/** `GET /account-api/webhooks/{id}/deliveries`: newest first; `next` is the `page` of the next request. */
const list = accountRoute({
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  read: (request, parameters) =>
    readWithId(parameters, () =>
      readQuery(new URL(request.url).search, {
        names: Object.keys(deliveryListParameters.shape),
        schema: deliveryListParameters,
      }),
    ),
  ask: ({ database, signedIn }, { id, asked }) =>
    database.call("list_webhook_deliveries", { ...signedIn, webhook_id: id, filter: asked }),
  show: ({ deliveries, next }) => ({
    body: { deliveries, next: next === null ? null : `${next.created_at}_${next.event_id}` },
  }),
});

/** `GET /account-api/webhooks/{id}/deliveries/{event_id}`: with what was sent, and each attempt. */
const single = accountRoute({
  method: "GET",
  path: "/webhooks/{id}/deliveries/{event_id}",
  read: (_request, parameters) => readWithId(parameters, () => readId(parameters, "event_id")),
  ask: ({ database, signedIn }, { id, asked }) =>
    database.call("get_webhook_delivery", { ...signedIn, webhook_id: id, event_id: asked }),
  show: (body) => ({ body }),
});

/** `POST /account-api/webhooks/{id}/deliveries/{event_id}/resend` */
const resend = accountRoute({
  method: "POST",
  path: "/webhooks/{id}/deliveries/{event_id}/resend",
  read: (_request, parameters) => readWithId(parameters, () => readId(parameters, "event_id")),
  ask: ({ database, signedIn }, { id, asked }) =>
    database.call("resend_webhook_delivery", { ...signedIn, webhook_id: id, event_id: asked }),
  show: (body) => ({ body }),
});

/** `POST /account-api/webhooks/{id}/recover`: until now, unless it says until when. */
const recover = accountRoute({
  method: "POST",
  path: "/webhooks/{id}/recover",
  read: (request, parameters) => readWithId(parameters, () => readJsonBody(request, recoverBody)),
  ask: ({ database, signedIn }, { id, asked: { since, until } }) =>
    database.call("recover_webhook", {
      ...signedIn,
      webhook_id: id,
      since,
      until: until ?? new Date().toISOString(),
    }),
  show: (body) => ({ body }),
});

/** `POST /account-api/webhooks/{id}/test`: an event with a sample for its record. */
const test = accountRoute({
  method: "POST",
  path: "/webhooks/{id}/test",
  read: (request, parameters) => readWithId(parameters, () => readJsonBody(request, testBody)),
  ask: ({ database, signedIn }, { id, asked: { event } }) =>
    database.call("send_test_event", { ...signedIn, webhook_id: id, event, data: samples[event].data }),
  show: (body) => ({ body }),
});

export const webhookDeliveryRoutes = [list, single, resend, recover, test];
