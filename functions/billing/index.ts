import type { BillingOutcome } from "../../shared/database/rpc.ts";
import { problemForFailure } from "../../shared/endpoint/database-failures.ts";
import { createHandler } from "../../shared/endpoint/handler.ts";
import type { RequestContext } from "../../shared/endpoint/request-context.ts";
import { requestDatabase } from "../../shared/endpoint/request-database.ts";
import { respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import { fail, type Outcome, succeed } from "../../shared/http/problems.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { readText } from "../../shared/validation/body.ts";
import { isSigned } from "./signature.ts";
import { type BillingEvent, readBillingEvent } from "./stripe-event.ts";

/** Stripe's events are some kilobytes; one with hundreds of items is not ours. */
const maximumEventBytes = 1024 * 1024;

/** Answer to the payment provider, which only looks at the status. */
type Receipt = BillingOutcome["outcome"] | "ignored";

/**
 * `POST /billing`: Stripe's events about subscriptions, signed with the secret in `STRIPE_WEBHOOK_SECRET` (several,
 * separated by commas, while one is being replaced). Without a secret the answer is 404.
 *
 * An event that is not about a subscription of ours is answered 200, so that it is not sent again. One that cannot be
 * read is answered 400 and logged: Stripe shows it as failed, and sends it again for days.
 */
export const handle = createHandler(
  "billing",
  [{ method: "POST", path: "" }],
  async (context, _match, runtime: Runtime) => {
    const receipt = await receive(context, runtime);
    return receipt.ok
      ? respondAnswer(context, { body: { outcome: receipt.value } })
      : respondProblem(context, receipt.problem);
  },
);

export default { fetch: onEdge(handle) };

async function receive(context: RequestContext, runtime: Runtime): Promise<Outcome<Receipt>> {
  const { request } = context;
  const secrets = (runtime.variable("STRIPE_WEBHOOK_SECRET") ?? "").split(",").map((secret) => secret.trim());
  const known = secrets.filter((secret) => secret !== "");
  if (known.length === 0) return fail({ name: "unknown-route", detail: "Billing is not set up here." });
  const body = await readText(request, maximumEventBytes);
  if (!body.ok) return body;
  if (!(await isSigned(body.value, request.headers.get("stripe-signature"), known))) {
    return fail({ name: "invalid-signature", detail: "The Stripe-Signature is missing, wrong, or too old." });
  }
  const read = readBillingEvent(body.value);
  if ("ignored" in read) return succeed("ignored");
  if ("unreadable" in read) {
    context.warn(`an event that Stripe signed cannot be read: ${read.unreadable}`);
    return fail({ name: "invalid-body", detail: `The event is not in Stripe's form: ${read.unreadable}.` });
  }
  const { event } = read;
  const outcome = await requestDatabase(context, runtime, "stripe").call("record_billing_event", { event });
  if (!outcome.ok) {
    context.error = `${event.id}: ${outcome.failure.code} ${outcome.failure.message}`;
    return fail(problemForFailure(outcome.failure, new Date()).problem);
  }
  const warning = warningOf(event, outcome.value);
  if (warning !== undefined) context.warn(`${event.id}: ${warning}`);
  return succeed(outcome.value.outcome);
}

/** Returns a warning for the operator, where an event reached no account, or another than it names. */
function warningOf({ customer_id, account_id: named }: BillingEvent, { outcome, account_id }: BillingOutcome) {
  if (outcome === "unknown-customer") return `no account is known for the customer ${customer_id}`;
  if (outcome === "undecided") {
    return `the customer ${customer_id} would pay for ${account_id}: an owner decides in the dashboard`;
  }
  if (named === null || account_id === null || named.toLowerCase() === account_id) return undefined;
  return `it names the account ${named}, but the customer ${customer_id} pays for ${account_id}, which it was applied to`;
}
