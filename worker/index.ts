import { handleAtRoot } from "../functions/catalogue/index.ts";
import { isCataloguePage } from "../functions/catalogue/site.ts";
import { dispatch } from "../functions/dispatch/dispatcher.ts";
import { maintain } from "../functions/dispatch/retention.ts";
import { handlers } from "../functions/handlers.ts";
import { createGateway } from "../shared/endpoint/gateway.ts";
import { answerOn } from "../shared/platform/deployment.ts";
import { workerPage } from "./dashboard.ts";
import { type WorkerBindings, type WorkerContext, workerLog, workerRuntime, workerVariable } from "./runtime.ts";

const gateway = createGateway(handlers);

/** Time in which a run begins attempts, in milliseconds: most of the minute, so that few events wait for the next run. */
const scheduledBudgetMs = 40_000;

/** All functions as one Cloudflare Worker, at the paths they have on Supabase, the catalogue at the root, and the dashboard. */
export default {
  async fetch(request: Request, bindings: WorkerBindings, context: WorkerContext): Promise<Response> {
    const isOfCatalogue = isCataloguePage(request, workerVariable(bindings));
    const page = isOfCatalogue ? undefined : await workerPage(request, bindings);
    if (page !== undefined) return page;
    const handle = isOfCatalogue ? handleAtRoot : gateway;
    return answerOn(request, () => workerRuntime(bindings, context, request), workerLog(bindings), handle);
  },

  /** The cron trigger of wrangler.jsonc: one run of the dispatcher or, where webhooks are not set up, of its upkeep of the database alone. */
  async scheduled(_event: unknown, bindings: WorkerBindings, context: WorkerContext): Promise<void> {
    const { database, webhooks, mail, embedding, log } = workerRuntime(bindings, context);
    if (webhooks.secrets === undefined) await maintain({ database, mail, embedding, log, budgetMs: scheduledBudgetMs });
    else await dispatch({ database, webhooks, mail, embedding, log, budgetMs: scheduledBudgetMs, stay: true });
  },
};
