import * as z from "zod";

/** Version of Stripe's API that requests are made for: the one that the types of the `stripe` package describe. */
export const stripeVersion = "2026-10-28.endive";

/** A deployment's access to Stripe. */
export interface StripeAccess {
  /** Stripe's address, without a slash at its end. */
  apiUrl: string;
  secretKey: string;
  /** Time limit of a request. Default: 10 seconds. */
  timeoutMs?: number;
}

export interface StripeRequest {
  path: "checkout/sessions" | "billing_portal/sessions";
  /** Body, as `encodeForm` makes it. */
  form: string;
  /** Stripe makes no second session for it. */
  idempotencyKey: string;
}

/** Address of the session's page; or why there is none, in words for the log, and whether Stripe refused or did not answer. */
export type StripeSession =
  | { ok: true; url: string }
  | { ok: false; reason: "refused" | "unanswered"; message: string };

/** Sessions are at Stripe's own addresses. An operator's own domain for them is not supported: the browser is sent to Stripe alone. */
const session = z.looseObject({ url: z.url({ protocol: /^https$/, hostname: /^([a-z0-9-]+\.)+stripe\.com$/ }) });

/** Asks Stripe for a session. Never throws. */
export async function createStripeSession(
  { apiUrl, secretKey, timeoutMs = 10_000 }: StripeAccess,
  { path, form, idempotencyKey }: StripeRequest,
): Promise<StripeSession> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${apiUrl}/v1/${path}`, {
      method: "POST",
      redirect: "manual",
      signal,
      headers: {
        Authorization: `Bearer ${secretKey}`,
        "Content-Type": "application/x-www-form-urlencoded",
        "Stripe-Version": stripeVersion,
        "Idempotency-Key": idempotencyKey,
      },
      body: form,
    });
    const answer = parseJson(await response.text());
    if (response.ok) {
      const read = session.safeParse(answer);
      if (read.success) return { ok: true, url: read.data.url };
      return failed(
        "unanswered",
        `Stripe answered ${response.status} without the address of a session${requestIdOf(response)}`,
      );
    }
    // 409: the same request is under way. 429: too many. Neither is about this request.
    const isRefusal = response.status >= 400 && response.status < 500 && ![409, 429].includes(response.status);
    return failed(
      isRefusal ? "refused" : "unanswered",
      `Stripe answered ${response.status}${errorOf(answer)}${requestIdOf(response)}`,
    );
  } catch (error) {
    const message = signal.aborted
      ? `Stripe did not answer within ${timeoutMs} ms`
      : `Stripe was not reached: ${String(error)}`;
    return failed("unanswered", message);
  }
}

function failed(reason: "refused" | "unanswered", message: string): StripeSession {
  return { ok: false, reason, message };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Words of Stripe's own lists, such as `resource_missing` and `line_items[0][price]`; undefined for anything else. */
const word = z
  .string()
  .regex(/^[\w.[\]-]{1,100}$/)
  .optional()
  .catch(undefined);
const refusal = z.looseObject({ error: z.looseObject({ type: word, code: word, param: word }) });

/** Kind of an error. Its message is left out: it may repeat a person's text, and a part of the key. */
function errorOf(answer: unknown): string {
  const read = refusal.safeParse(answer);
  if (!read.success) return "";
  const { type, code, param } = read.data.error;
  const known = Object.entries({ type, code, param }).filter(([, value]) => value !== undefined);
  return known.length === 0 ? "" : `: ${known.map(([name, value]) => `${name} ${value}`).join(", ")}`;
}

/** Stripe's id of the request, by which its dashboard finds it. */
function requestIdOf({ headers }: Response): string {
  const id = word.parse(headers.get("request-id") ?? undefined);
  return id === undefined ? "" : ` (${id})`;
}

/** Parameters of a request to Stripe. */
export interface FormFields {
  [name: string]: FormValue;
}
type FormValue = string | number | FormFields | readonly FormValue[];

/** Encodes parameters in Stripe's form: `line_items[0][price]=price_1`. */
export function encodeForm(fields: FormFields): string {
  return new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => entriesOf(name, value))).toString();
}

function entriesOf(name: string, value: FormValue): [string, string][] {
  if (typeof value !== "object") return [[name, String(value)]];
  return Object.entries(value).flatMap(([inner, member]) => entriesOf(`${name}[${inner}]`, member));
}
