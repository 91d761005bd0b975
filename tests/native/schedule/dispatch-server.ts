/**
 * Serves the edge function `dispatch` on 127.0.0.1. It may send to this machine, which on Supabase it never may.
 *
 * usage: deno run dispatch-server.ts PORT
 */
import { createEdgeSenders } from "../../../functions/dispatch/edge.ts";
import { handle } from "../../../functions/dispatch/index.ts";
import { createNodeTransport } from "../../../local/embedded/node-transport.ts";
import { edgeRuntime } from "../../../shared/platform/edge.ts";

const runtimeOf = edgeRuntime(createEdgeSenders);
const allowLoopback = true;
const transport = createNodeTransport({ allowLoopback });

Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.args[0]) }, (request) => {
  const runtime = runtimeOf(request);
  const webhooks = { ...runtime.webhooks, transport, allowLoopback };
  return handle(new Request(request.url.replace("/functions/v1", ""), request), { ...runtime, webhooks });
});
