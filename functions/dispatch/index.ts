import { hasBearerSecret } from "../../shared/auth/credential.ts";
import { createHandler } from "../../shared/endpoint/handler.ts";
import { respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import type { Problem } from "../../shared/http/problems.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { dispatch } from "./dispatcher.ts";
import { createEdgeSenders } from "./edge.ts";
import type { Senders } from "./senders.ts";

/** How long one call begins attempts, in milliseconds. Those under way then end within the receivers' timeout. */
export const dispatchBudgetMs = 20_000;

/**
 * `POST /dispatch`: one run of the dispatcher, called by a scheduler with `DISPATCH_SECRET` in
 * `Authorization: Bearer SECRET`. The answer counts its work: `{ made, attempts, succeeded }`.
 */
export const handle = createHandler(
  "dispatch",
  [{ method: "POST", path: "" }],
  async (context, _match, runtime: Runtime & Senders) => {
    const { database, webhooks, mail, embedding, log } = runtime;
    const refuse = (problem: Problem) => respondProblem(context, problem);
    if (webhooks.dispatchSecret === undefined || webhooks.secrets === undefined) {
      return refuse({
        name: "unavailable",
        detail: "The dispatcher has no secret: DISPATCH_SECRET or WEBHOOK_SECRETS_KEY is not set.",
      });
    }
    if (!(await hasBearerSecret(context.request, webhooks.dispatchSecret))) {
      return refuse({
        name: "unauthorized",
        detail:
          "The dispatcher is for its scheduler: send DISPATCH_SECRET in the header `Authorization: Bearer <SECRET>`.",
        headers: { "WWW-Authenticate": 'Bearer realm="dispatch"' },
      });
    }
    try {
      const summary = await dispatch({ database, webhooks, mail, embedding, log, budgetMs: dispatchBudgetMs });
      return await respondAnswer(context, { body: summary, headers: { "Cache-Control": "no-store" } });
    } catch (error) {
      context.error = String(error);
      return refuse({ name: "server-error", detail: "The run failed; the log says how." });
    }
  },
);

export default { fetch: onEdge(handle, createEdgeSenders) };
