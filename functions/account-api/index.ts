import { createAccountEndpoint } from "../../shared/account/endpoint.ts";
import { accountRoutes } from "../../shared/account/routes.ts";
import { edgeRuntime } from "../../shared/platform/edge.ts";

/** `/account-api` and below: what signed-in people do in the dashboard. */
export const handle = createAccountEndpoint("account-api", accountRoutes);

export default { fetch: (request: Request) => handle(request, edgeRuntime()) };
