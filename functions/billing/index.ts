import { createBillingEndpoint } from "../../shared/billing/endpoint.ts";
import { edgeRuntime } from "../../shared/platform/edge.ts";

/** `POST /billing`: what Stripe tells of subscriptions. */
export const handle = createBillingEndpoint("billing");

export default { fetch: (request: Request) => handle(request, edgeRuntime()) };
