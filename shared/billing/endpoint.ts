import type { BillingOutcome } from "../database/rpc.ts";
import type { Exchange } from "../endpoint/exchange.ts";
import { refusalFor } from "../endpoint/failures.ts";
import { createHandler } from "../endpoint/handler.ts";
import { respondAnswer, respondProblem } from "../endpoint/respond.ts";
import { fail, type Outcome, succeed } from "../http/problems.ts";
import type { Handler, Runtime } from "../runtime.ts";
import { readText } from "../validation/body.ts";
import { isSigned } from "./signature.ts";
import { readBillingEvent } from "./stripe-event.ts";

/** Stripe's events are some kilobytes; one with hundreds of items is not ours. */
const maximumEventBytes = 1024 * 1024;

/** What the payment provider is answered: it only looks at the status. */
type Receipt = BillingOutcome["outcome"] | "ignored";

/**
 * The endpoint that a payment provider tells of subscriptions: `POST /NAME`, signed with the secret in
 * `STRIPE_WEBHOOK_SECRET` (several, separated by commas, while one is being replaced). Without a secret it is off: 404.
 *
 * An event that is not about a subscription of ours is answered 200, so that it is not sent again. One that cannot be
 * read is answered 400 and logged: Stripe shows it as failed, and sends it again for days.
 */
export function createBillingEndpoint(name: string): Handler {
  const routes = [{ method: "POST", path: "" }] as const;
  return createHandler(name, routes, async (exchange, _found, runtime: Runtime) => {
    const receipt = await receive(exchange, runtime);
    return receipt.ok
      ? respondAnswer(exchange, { body: { outcome: receipt.value } })
      : respondProblem(exchange, receipt.problem);
  });
}

async function receive(exchange: Exchange, runtime: Runtime): Promise<Outcome<Receipt>> {
  const { request } = exchange;
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
    exchange.warn(`an event that Stripe signed cannot be read: ${read.unreadable}`);
    return fail({ name: "invalid-body", detail: `The event is not as Stripe's are: ${read.unreadable}.` });
  }
  const { event } = read;
  const outcome = await exchange.databaseOf(runtime).call("record_billing_event", { event });
  if (!outcome.ok) {
    exchange.error = `${event.id}: ${outcome.failure.code} ${outcome.failure.message}`;
    return fail(refusalFor(outcome.failure, new Date()).problem);
  }
  if (outcome.value.outcome === "unknown-customer") {
    exchange.warn(`${event.id}: no account is known for the customer ${event.customer_id}`);
  }
  return succeed(outcome.value.outcome);
}
