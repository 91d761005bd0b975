import { showsSecret } from "../auth/operator-secret.ts";
import { createHandler } from "../endpoint/handler.ts";
import { respondAnswer, respondProblem } from "../endpoint/respond.ts";
import type { Problem } from "../http/problems.ts";
import type { Handler, Runtime } from "../runtime.ts";
import { dispatch } from "./dispatcher.ts";

/** How long one call begins attempts, in milliseconds. Those under way then end within the receivers' timeout. */
export const dispatchBudgetMs = 20_000;

/**
 * `POST /dispatch`: one run of the dispatcher, for a scheduler that shows the secret in `Authorization: Bearer SECRET`.
 * Answers what it did: `{ made, attempts, succeeded }`.
 *
 * @param name the function's name, which is its path.
 */
export function createDispatchEndpoint(name: string): Handler {
  return createHandler(name, [{ method: "POST", path: "" }], async (exchange, _found, runtime: Runtime) => {
    const { database, webhooks, log } = runtime;
    const refuse = (problem: Problem) => respondProblem(exchange, problem);
    if (webhooks.dispatchSecret === undefined || webhooks.secrets === undefined) {
      return refuse({
        name: "unavailable",
        detail: "The dispatcher has no secret: DISPATCH_SECRET or WEBHOOK_SECRETS_KEY is not set.",
      });
    }
    if (!(await showsSecret(exchange.request, webhooks.dispatchSecret))) {
      return refuse({
        name: "unauthorized",
        detail: "The dispatcher is called by the scheduler, which knows its secret.",
        headers: { "WWW-Authenticate": 'Bearer realm="dispatch"' },
      });
    }
    try {
      const summary = await dispatch({ database, webhooks, log, budgetMs: dispatchBudgetMs });
      return await respondAnswer(exchange, { body: summary, headers: { "Cache-Control": "no-store" } });
    } catch (error) {
      exchange.error = String(error);
      return refuse({ name: "server-error", detail: "The run failed; the log says how." });
    }
  });
}
