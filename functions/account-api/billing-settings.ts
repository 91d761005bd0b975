import type { Runtime } from "../../shared/runtime.ts";
import { isLoopback } from "../../shared/webhooks/endpoint-url.ts";
import type { StripeAccess } from "./stripe.ts";

/** Settings by which a deployment sells subscriptions. */
export type BillingSettings =
  | {
      state: "on";
      stripe: StripeAccess;
      /** Page of the dashboard that Stripe leads back to. */
      accountPageUrl: string;
    }
  | { state: "off" }
  | {
      state: "wrong";
      /** Fault of the settings, for the operator. */
      fault: string;
    };

/**
 * Reads them: `STRIPE_SECRET_KEY`, `STRIPE_WEBHOOK_SECRET` and `DASHBOARD_URL`. Without one of Stripe's secrets nothing is sold: without the
 * second, an account would pay and get nothing, since no event comes in. `STRIPE_API_URL` is for tests.
 *
 * The dashboard's address is never taken from the request: its sender chooses its headers.
 */
export function readBillingSettings(variable: Runtime["variable"]): BillingSettings {
  const secretKey = variable("STRIPE_SECRET_KEY");
  if (secretKey === undefined || variable("STRIPE_WEBHOOK_SECRET") === undefined) return { state: "off" };
  // A key of another form could not be found in the log to be removed: shared/log/redact.ts.
  if (!/^[sr]k_(live|test)_\w+$/.test(secretKey)) return wrong("STRIPE_SECRET_KEY is not a secret key of Stripe's");
  const apiUrl = readAddress(variable("STRIPE_API_URL") ?? "https://api.stripe.com");
  if (apiUrl === undefined) return wrong("STRIPE_API_URL is not an https address");
  const dashboardUrl = readAddress(variable("DASHBOARD_URL") ?? "");
  if (dashboardUrl === undefined)
    return wrong("DASHBOARD_URL is not set to an https address, which Stripe leads back to");
  return { state: "on", stripe: { apiUrl, secretKey }, accountPageUrl: `${dashboardUrl}/account` };
}

function wrong(fault: string): BillingSettings {
  return { state: "wrong", fault };
}

/** Reads an address, without slashes at its end. Plain http is for this machine alone. */
function readAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && !isLoopback(url))) return undefined;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
