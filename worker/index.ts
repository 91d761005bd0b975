import { dispatch } from "../functions/dispatch/dispatcher.ts";
import { maintain } from "../functions/dispatch/retention.ts";
import { handlers } from "../functions/handlers.ts";
import { createGateway } from "../shared/endpoint/gateway.ts";
import { answerOn } from "../shared/platform/deployment.ts";
import { workerPage } from "./dashboard.ts";
import { type WorkerBindings, type WorkerContext, workerLog, workerRuntime } from "./runtime.ts";

const gateway = createGateway(handlers);

/** Time in which a run begins attempts, in milliseconds: most of the minute, so that few events wait for the next run. */
const scheduledBudgetMs = 40_000;

/** All functions as one Cloudflare Worker, at the paths they have on Supabase, and the dashboard. */
export default {
  fetch: async (request: Request, bindings: WorkerBindings, context: WorkerContext) =>
    (await workerPage(request, bindings)) ??
    answerOn(request, () => workerRuntime(bindings, context, request), workerLog(bindings), gateway),

  /** The cron trigger of wrangler.jsonc: one run of the dispatcher or, where webhooks are not set up, of its upkeep of the database alone. */
  async scheduled(_event: unknown, bindings: WorkerBindings, context: WorkerContext): Promise<void> {
    const { database, webhooks, mail, log } = workerRuntime(bindings, context);
    if (webhooks.secrets === undefined) await maintain({ database, mail, log, budgetMs: scheduledBudgetMs });
    else await dispatch({ database, webhooks, mail, log, budgetMs: scheduledBudgetMs, stay: true });
  },
};
