/**
 * Serves the edge functions under Deno on 127.0.0.1, over a PostgREST or, with CONSTANT_ANSWER set,
 * over nothing: every call is then answered with what that file holds, so that only the function is
 * timed. No gateway stands between function and PostgREST, as none stands before PostgREST alone.
 *
 * usage: serve-api.ts PORT, with POSTGREST_URL and SERVICE_KEY in the environment
 */
import { readFileSync } from "node:fs";
import { handlers } from "../../../functions/handlers.ts";
import { createRpcClient } from "../../../shared/database/client.ts";
import { sharingConfirmations } from "../../../shared/database/shared-confirmations.ts";
import { createQueryEmbedder } from "../../../shared/embeddings/query-embedder.ts";
import { createGateway } from "../../../shared/endpoint/gateway.ts";
import { RecentLists } from "../../../shared/endpoint/recent-lists.ts";
import { createLog } from "../../../shared/log/log.ts";
import { ReadinessCache } from "../../../shared/operations/readiness.ts";
import { edgeLimit } from "../../../shared/overload/edge-limit.ts";
import { processPlatform } from "../../../shared/platform/process.ts";
import type { Runtime } from "../../../shared/runtime.ts";
import { UsageRecorder } from "../../../shared/usage/recorder.ts";
import { withoutWebhooks } from "../../../shared/webhooks/platform.ts";

const postgrestUrl = process.env.POSTGREST_URL ?? "";
const answerPath = process.env.CONSTANT_ANSWER;
const constant = answerPath === undefined ? undefined : readFileSync(answerPath, "utf8");

const database = createRpcClient({
  url: postgrestUrl,
  serviceKey: process.env.SERVICE_KEY ?? "",
  fetch: constant === undefined ? direct : () => Promise.resolve(json(constant)),
});

const log = createLog({ variable: processPlatform.variable });
const runtime: Runtime = {
  // The constant is what a list's own RPC answers.
  database: constant === undefined ? sharingConfirmations(database) : database,
  limit: edgeLimit(processPlatform.variable),
  embeddings: createQueryEmbedder(processPlatform),
  lists: new RecentLists(),
  readiness: new ReadinessCache(),
  usage: new UsageRecorder(database, log),
  webhooks: withoutWebhooks,
  log,
  // The process stays, and the work with it.
  waitUntil: () => undefined,
  variable: processPlatform.variable,
};
const gateway = createGateway(handlers);

Deno.serve({ hostname: "127.0.0.1", port: Number(process.argv[2]), onListen: () => undefined }, (request) =>
  gateway(request, runtime),
);

/** Supabase's gateway takes the prefix off; here there is none. */
function direct(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  return fetch(String(input instanceof Request ? input.url : input).replace("/rest/v1/", "/"), init);
}

function json(body: string): Response {
  return new Response(body, { headers: { "content-type": "application/json" } });
}
