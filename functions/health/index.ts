import { healthEndpoint } from "../../shared/operations/health.ts";
import { edgeRuntime } from "../../shared/platform/edge.ts";

/** `GET /health` and `GET /health/ready`. */
export const handle = healthEndpoint("health");

export default { fetch: (request: Request) => handle(request, edgeRuntime()) };
