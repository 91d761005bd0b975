import { readBearerToken } from "../../shared/auth/credential.ts";
import type { Counted, RpcFailure, Rpcs, WriteLimit } from "../../shared/database/rpc.ts";
import { problemForFailure } from "../../shared/endpoint/database-failures.ts";
import { createHandler, type PathParameters } from "../../shared/endpoint/handler.ts";
import type { RequestContext } from "../../shared/endpoint/request-context.ts";
import { requestDatabase } from "../../shared/endpoint/request-database.ts";
import { type Answer, respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import { type Allowance, secondsUntil } from "../../shared/http/headers.ts";
import {
  fail,
  invalidParameters,
  type Outcome,
  type Problem,
  problemStatus,
  succeed,
} from "../../shared/http/problems.ts";
import { readMailSettings } from "../../shared/mail/settings.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { readWebhookSettings } from "../../shared/webhooks/settings.ts";
import { overviewRoutes } from "./account.ts";
import { auditLogRoutes } from "./audit-log.ts";
import { billingProblems, billingRoutes } from "./billing.ts";
import { keyRoutes } from "./keys.ts";
import { latestRecordRoutes } from "./latest-records.ts";
import { memberRoutes } from "./members.ts";
import { requestRoutes } from "./requests.ts";
import { type AccountContext, type AccountRoute, type AccountState, readAccountId } from "./route.ts";
import { savedSearchRoutes } from "./saved-searches.ts";
import { type SignedIn, SignInTokenError, verifySignInToken } from "./sign-in-token.ts";
import { webhookDeliveryRoutes } from "./webhook-deliveries.ts";
import { webhookRoutes } from "./webhooks.ts";
import { readIdempotencyKey, writesOnce } from "./writes.ts";

/** All routes of the account API. */
export const accountRoutes: readonly AccountRoute[] = [
  ...overviewRoutes,
  ...latestRecordRoutes,
  ...keyRoutes,
  ...requestRoutes,
  ...auditLogRoutes,
  ...memberRoutes,
  ...billingRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...savedSearchRoutes,
];

/** Outcome of a request, and the limit that its headers tell. */
type Result = { allowance: Allowance } & ({ answer: Answer } | { problem: Problem });

/**
 * `/account-api` and below: requests of signed-in users of the dashboard. Each request: finds the route, verifies the
 * sign-in, parses the request, queries the database and renders the answer. 401 comes before 400, as for API keys.
 */
export const handle = createHandler(
  "account-api",
  accountRoutes,
  async (context, { route, parameters }, runtime: Runtime & AccountState) => {
    const signedIn = await readSignIn(context, runtime);
    if (!signedIn.ok) return respondProblem(context, notStored(signedIn.problem));
    const result = await answer(route, parameters, context, runtime, signedIn.value);
    return "answer" in result
      ? respondAnswer(context, result.answer, result.allowance)
      : respondProblem(context, notStored(result.problem), result.allowance);
  },
);

const noStore = { "Cache-Control": "private, no-store" };

/** A problem that no cache keeps: it may name people. */
function notStored(problem: Problem): Problem {
  return { ...problem, headers: { ...noStore, ...problem.headers } };
}

export default {
  fetch: onEdge(handle, ({ variable, apiUrl }) => ({
    webhooks: readWebhookSettings(variable),
    mail: readMailSettings(variable, { hasSockets: true, apiUrl }),
  })),
};

async function answer(
  route: AccountRoute,
  parameters: PathParameters,
  context: RequestContext,
  runtime: Runtime & AccountState,
  signedIn: SignedIn,
): Promise<Result> {
  const { webhooks, mail, variable } = runtime;
  const accountId = readAccountId(context.request);
  if (!accountId.ok) return { problem: accountId.problem, allowance: unlimited };
  const database = requestDatabase(context, runtime, signedIn.user_id, accountId.value);
  const input = await route.parse(context.request, parameters);
  if (!input.ok) return { problem: input.problem, allowance: unlimited };
  const key = route.method === "POST" ? readIdempotencyKey(context.request) : succeed(undefined);
  if (!key.ok) return { problem: key.problem, allowance: unlimited };
  // Without a key of the caller's as well: Deno's `fetch` sends a POST again on its own when its connection ends before the answer.
  const writes = writesOnce(database, signedIn, key.value ?? crypto.randomUUID(), {
    path: route.path,
    parameters,
    input: input.value,
  });
  const call: AccountContext["call"] = (name, given) =>
    database.call(name, { ...signedIn, ...given } as Rpcs[typeof name]["arguments"]);
  const outcome = await route.query({ call, webhooks, mail, variable, signedIn, writes }, input.value);
  if (!outcome.ok) {
    const refusal = problemAndLimit(outcome.failure, new Date());
    if (problemStatus(refusal.problem.name) >= 500) {
      context.error = `${outcome.failure.code} ${outcome.failure.message}`;
    }
    return refusal;
  }
  runtime.limit.noteAnswer(signedIn.user_id);
  const { body, allowance } = separateLimit(outcome.value);
  const rendered = route.render(body, input.value);
  const headers = {
    ...noStore,
    ...(key.value !== undefined && writes.isRepetition ? { "Idempotent-Replayed": "true" } : {}),
  };
  return { answer: { ...rendered, headers: { ...headers, ...rendered.headers } }, allowance };
}

/** Verifies the access token in `Authorization: Bearer TOKEN`, and returns its user and session. */
async function readSignIn(
  context: RequestContext,
  { variable }: Pick<Runtime, "variable">,
): Promise<Outcome<SignedIn>> {
  const token = readBearerToken(context.request);
  if (token === undefined) {
    return fail(notSignedIn("Send the access token of your sign-in in the header `Authorization: Bearer <TOKEN>`."));
  }
  try {
    return succeed(await verifySignInToken(token, variable));
  } catch (error) {
    if (error instanceof SignInTokenError) return fail(notSignedIn("The sign-in is not valid, or has expired."));
    context.error = `sign-in tokens cannot be verified: ${String(error)}`;
    return fail({
      name: "unavailable",
      detail: "Sign-ins cannot be checked at the moment.",
      headers: { "Retry-After": "5" },
    });
  }
}

function notSignedIn(detail: string): Problem {
  return { name: "not-signed-in", detail, headers: { "WWW-Authenticate": 'Bearer realm="account"' } };
}

/** Returns the problem for an account RPC's failure, and the limit, which a PT429 has in its detail. */
function problemAndLimit(failure: RpcFailure, now: Date): { problem: Problem; allowance: Allowance } {
  if (failure.code !== "PT429") return { problem: problemFor(failure, now), allowance: unlimited };
  const limit = limitIn(failure.details);
  return {
    problem: {
      name: "write-limit-exceeded",
      detail: failure.message,
      headers: { "Retry-After": String(secondsUntil(Date.parse(limit.resets_at ?? ""), now)) },
    },
    allowance: allowanceOf(limit),
  };
}

/** Returns the problem for an account RPC's failure. The message of a PT400 and PT409 is a sentence for people. */
function problemFor(failure: RpcFailure, now: Date): Problem {
  switch (failure.code) {
    case "PT400":
      return invalidParameters([{ parameter: failure.hint ?? "", message: failure.message }]);
    case "PT401":
      return notSignedIn("The session has ended. Sign in again.");
    case "PT403":
      return failure.hint === "role"
        ? { name: "role-required", detail: failure.message }
        : { name: "email-not-confirmed", detail: "Confirm your e-mail address first." };
    case "PT404":
      return { name: "not-found", detail: notFound[failure.hint ?? ""] ?? "Your account has nothing with this id." };
    case "PT409":
      return { name: "conflict", detail: `${failure.message.charAt(0).toUpperCase()}${failure.message.slice(1)}.` };
    // Another transaction held a row for two seconds: see `funding.lock_webhook`.
    case "55P03":
      return {
        ...problemForFailure(failure, now).problem,
        detail: "Another change of the same thing is under way. Try again in a few seconds.",
      };
    case "PT503":
      return { name: "unavailable", detail: failure.message, headers: { "Retry-After": failure.hint ?? "3600" } };
    default:
      return billingProblems[failure.code] ?? problemForFailure(failure, now).problem;
  }
}

/** Sentences of a PT404 that is not about something of the account, by its hint. */
const notFound: Record<string, string> = {
  "X-Account-Id": "You are in no account with the id that the header X-Account-Id has.",
  invitation: "There is no open invitation with this id to your e-mail address.",
  billing: "Billing is not set up here.",
  customer: "The account has paid nothing at Stripe yet, so it has no billing page there. Subscribe to a tier first.",
};

/** Allowance of requests that count against no limit: those that read, and writes refused for another reason. */
const unlimited: Allowance = { daily_quota: -1, remaining: -1 };

/** Separates the limit from an account RPC's answer. */
function separateLimit(value: unknown): { body: unknown; allowance: Allowance } {
  if (typeof value !== "object" || value === null || !("write_limit" in value))
    return { body: value, allowance: unlimited };
  const { write_limit, ...body } = value as Counted<object>;
  return { body, allowance: allowanceOf(write_limit) };
}

/** Reads the limit in the detail of an account RPC's PT429. */
function limitIn(details: string | null): WriteLimit {
  return JSON.parse(details ?? "null") as WriteLimit;
}

function allowanceOf({ limit, remaining, resets_at }: WriteLimit): Allowance {
  return { daily_quota: limit, remaining, ...(resets_at === null ? {} : { resets_at }) };
}
