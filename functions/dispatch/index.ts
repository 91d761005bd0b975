import { edgeRuntime } from "../../shared/platform/edge.ts";
import { dispatchEndpoint } from "../../shared/webhooks/dispatch-endpoint.ts";

/** `POST /dispatch`. */
export const handle = dispatchEndpoint;

export default { fetch: (request: Request) => handle(request, edgeRuntime()) };
