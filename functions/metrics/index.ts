import { metricsEndpoint } from "../../shared/operations/metrics.ts";
import { edgeRuntime } from "../../shared/platform/edge.ts";

/** `GET /metrics`. */
export const handle = metricsEndpoint("metrics");

export default { fetch: (request: Request) => handle(request, edgeRuntime()) };
