import { edgeRuntime } from "../../shared/platform/edge.ts";
import { createDispatchEndpoint } from "../../shared/webhooks/dispatch-endpoint.ts";

/** `POST /dispatch`. */
export const handle = createDispatchEndpoint("dispatch");

export default { fetch: (request: Request) => handle(request, edgeRuntime()) };
