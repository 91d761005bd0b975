/**
 * Serves the edge functions under Deno on 127.0.0.1, over a PostgREST. With CONSTANT_ANSWER set, every call of the
 * database is answered with the contents of that file instead, so that only the function is measured. There is no gateway
 * between function and PostgREST, because there is none before PostgREST alone either.
 *
 * usage: serve-api.ts PORT, with POSTGREST_URL and SERVICE_KEY in the environment, and SUPABASE_READ_URL where replicas are asked
 */
import { readFileSync } from "node:fs";
import { withoutMail } from "../../../functions/dispatch/mail/platform.ts";
import { withoutWebhooks } from "../../../functions/dispatch/webhook-platform.ts";
import { type FullRuntime, handlers } from "../../../functions/handlers.ts";
import { ReadinessCache } from "../../../functions/health/readiness.ts";
import { dataFolderPath } from "../../../local/caller-path.mjs";
import { createFolderStore, publishedFolder } from "../../../local/embedded/snapshot-folder.ts";
import { createDatabaseClient } from "../../../shared/database/client.ts";
import { createGateway } from "../../../shared/endpoint/gateway.ts";
import { createReadState } from "../../../shared/endpoint/read-state.ts";
import { createLog } from "../../../shared/log/log.ts";
import { createEdgeLimit } from "../../../shared/overload/concurrency-limit.ts";
import { VisitorLimit } from "../../../shared/overload/visitor-limit.ts";
import { processPlatform } from "../../../shared/platform/environment.ts";
import { fetchDirectly } from "./requests.ts";

const postgrestUrl = process.env.POSTGREST_URL ?? "";
const answerPath = process.env.CONSTANT_ANSWER;
const constant = answerPath === undefined ? undefined : readFileSync(answerPath, "utf8");

const log = createLog({ variable: processPlatform.variable });
const database = createDatabaseClient(
  {
    url: postgrestUrl,
    serviceKey: process.env.SERVICE_KEY ?? "",
    fetch: constant === undefined ? fetchDirectly : () => Promise.resolve(json(constant)),
  },
  processPlatform.variable,
  log,
);

const runtime: FullRuntime = {
  ...createReadState({ ...processPlatform, database, log }),
  documentationUrl: undefined,
  database,
  limit: createEdgeLimit(processPlatform.variable),
  snapshots: createFolderStore(publishedFolder(dataFolderPath())),
  visitors: new VisitorLimit(),
  readiness: new ReadinessCache(),
  webhooks: withoutWebhooks,
  mail: withoutMail,
  log,
  // The process keeps running, and so does the work.
  waitUntil: () => undefined,
  variable: processPlatform.variable,
};
const gateway = createGateway(handlers);

Deno.serve({ hostname: "127.0.0.1", port: Number(process.argv[2]), onListen: () => undefined }, (request) =>
  gateway(request, runtime),
);

function json(body: string): Response {
  return new Response(body, { headers: { "content-type": "application/json" } });
}
