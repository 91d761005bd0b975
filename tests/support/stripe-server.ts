import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Stripe from "stripe";

/** A request that the server got. */
export interface ReceivedRequest {
  path: string;
  form: Record<string, string>;
  idempotencyKey: string;
}

/** In place of a session: an answer, or none at all. */
export type OtherAnswer = Answer | "silence";

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** A stand-in for Stripe's API on this machine: `POST /v1/checkout/sessions` and `/v1/billing_portal/sessions`. */
export interface StripeServer {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Requests so far, repetitions among them. */
  requests: ReceivedRequest[];
  /** Requests of the account or customer with an id. */
  requestsOf(id: string): ReceivedRequest[];
  /** Answers each request in this way, until it is undefined again. */
  otherAnswer: OtherAnswer | undefined;
  close(): Promise<void>;
}

export const testStripeKey = "sk_test_ofTheContractTests1";

/** The parameters of each kind of session, as the service sends them. Stripe refuses those that it does not know. */
const known = {
  "/v1/checkout/sessions": {
    url: "https://checkout.stripe.com/c/pay/cs_test_",
    required: ["mode", "line_items[0][price]", "line_items[0][quantity]", "success_url"],
    optional: [
      "cancel_url",
      "client_reference_id",
      "customer",
      "customer_email",
      "expires_at",
      "metadata[account_id]",
      "metadata[user_id]",
      "subscription_data[metadata][account_id]",
      "subscription_data[metadata][user_id]",
    ],
  },
  "/v1/billing_portal/sessions": {
    url: "https://billing.stripe.com/p/session/test_",
    required: ["customer"],
    optional: ["return_url"],
  },
} as const;

/**
 * Starts it. It checks what Stripe checks: the key, the version, the form and its parameters. A request with a known Idempotency-Key gets the
 * first answer again, or a refusal where its parameters are others.
 */
export async function startStripeServer(port = 0, key = testStripeKey): Promise<StripeServer> {
  const answered = new Map<string, { request: string; body: string }>();
  let sessions = 0;

  function answerTo(path: string, headers: Headers, body: string): Answer {
    const form = new URLSearchParams(body);
    const kind = known[path as keyof typeof known];
    if (headers.get("authorization") !== `Bearer ${key}`) {
      return refuse(401, { message: `Invalid API Key provided: ${headers.get("authorization")}` });
    }
    if (kind === undefined) return refuse(404, { message: `Unrecognized request URL (POST: ${path}).` });
    if (headers.get("stripe-version") !== Stripe.API_VERSION) return refuse(400, { message: "Invalid Stripe-Version" });
    if (headers.get("content-type") !== "application/x-www-form-urlencoded") {
      return refuse(400, { message: "Invalid Content-Type" });
    }
    const missing = kind.required.find((name) => (form.get(name) ?? "") === "");
    if (missing !== undefined) return refuse(400, { code: "parameter_missing", param: missing });
    const names: readonly string[] = [...kind.required, ...kind.optional];
    const unknown = [...form.keys()].find((name) => !names.includes(name));
    if (unknown !== undefined) return refuse(400, { code: "parameter_unknown", param: unknown });
    if (form.has("customer") && form.has("customer_email")) return refuse(400, { param: "customer_email" });
    const idempotencyKey = headers.get("idempotency-key") ?? "";
    const earlier = answered.get(idempotencyKey);
    if (earlier !== undefined && earlier.request !== path + body) return refuse(400, {}, "idempotency_error");
    const made = earlier ?? {
      request: path + body,
      body: JSON.stringify({ id: `cs_test_${++sessions}`, object: "session", url: `${kind.url}${sessions}` }),
    };
    if (idempotencyKey !== "") answered.set(idempotencyKey, made);
    return { status: 200, body: made.body };
  }

  const server = createServer(async (request, response) => {
    const headers = new Headers(request.headers as Record<string, string>);
    const body = await text(request);
    const path = request.url ?? "";
    const form = Object.fromEntries(new URLSearchParams(body));
    stripe.requests.push({ path, form, idempotencyKey: headers.get("idempotency-key") ?? "" });
    const answer = stripe.otherAnswer ?? answerTo(path, headers, body);
    if (answer === "silence") return;
    response.writeHead(answer.status, {
      "content-type": "application/json",
      "request-id": "req_OfTheTest",
      ...answer.headers,
    });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  // Where a test's service is not closed, its process ends all the same.
  server.unref();
  const stripe: StripeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    requestsOf: (id) => stripe.requests.filter(({ form }) => [form.client_reference_id, form.customer].includes(id)),
    otherAnswer: undefined,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return stripe;
}

/** An error as Stripe answers it. */
export function refuse(status: number, error: object, type = "invalid_request_error"): Answer {
  return { status, body: JSON.stringify({ error: { type, ...error } }) };
}
