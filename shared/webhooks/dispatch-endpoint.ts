import { respondAnswer, respondProblem } from "../endpoint/respond.ts";
import { requestId } from "../http/headers.ts";
import type { Problem } from "../http/problems.ts";
import type { Handler } from "../runtime.ts";
import { dispatch } from "./dispatcher.ts";

/** How long one call begins attempts, in milliseconds. Those under way then end within the receivers' timeout. */
export const dispatchBudgetMs = 20_000;

/**
 * `POST /dispatch`: one run of the dispatcher, for a scheduler that shows the secret in `Authorization: Bearer SECRET`.
 * Answers what it did: `{ made, attempts, succeeded }`.
 */
export const dispatchEndpoint: Handler = async (request, { database, webhooks }) => {
  const exchange = { request, requestId: requestId(request) };
  const refuse = (problem: Problem) => respondProblem(exchange, problem);
  if (request.method !== "POST") {
    return refuse({ name: "method-not-allowed", detail: "This path takes POST.", headers: { Allow: "POST" } });
  }
  if (webhooks.dispatchSecret === undefined || webhooks.secrets === undefined) {
    return refuse({
      name: "unavailable",
      detail: "The dispatcher has no secret: DISPATCH_SECRET or WEBHOOK_SECRETS_KEY is not set.",
    });
  }
  const shown = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (shown === undefined || !(await isSame(shown, webhooks.dispatchSecret))) {
    return refuse({
      name: "unauthorized",
      detail: "The dispatcher is called by the scheduler, which knows its secret.",
      headers: { "WWW-Authenticate": 'Bearer realm="dispatch"' },
    });
  }
  try {
    const summary = await dispatch({ database, webhooks, budgetMs: dispatchBudgetMs });
    return await respondAnswer(exchange, { body: summary, headers: { "Cache-Control": "no-store" } });
  } catch (error) {
    console.error(JSON.stringify({ level: "error", function: "dispatch", error: String(error) }));
    return refuse({ name: "server-error", detail: "The run failed; the log says how." });
  }
};

/** Compares digests, which take the same time whatever they are of. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([digest(one), digest(other)]);
  return first.every((byte, place) => byte === second[place]);
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
