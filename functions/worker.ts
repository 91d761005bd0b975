import { createGateway } from "../shared/endpoint/gateway.ts";
import { type WorkerBindings, type WorkerContext, workerRuntime } from "../shared/platform/workers.ts";
import { handlers } from "./handlers.ts";

const gateway = createGateway(handlers);

/** All functions as one Cloudflare Worker, at the paths they have on Supabase. */
export default {
  fetch: (request: Request, bindings: WorkerBindings, context: WorkerContext) =>
    gateway(request, workerRuntime(bindings, context)),
};
