import type { RpcFailure } from "../database/rpc.ts";
import type { Exchange } from "../endpoint/exchange.ts";
import { refusalFor } from "../endpoint/failures.ts";
import type { PathParameters } from "../endpoint/find-route.ts";
import { createHandler } from "../endpoint/handler.ts";
import { type Allowance, respondAnswer, respondProblem } from "../endpoint/respond.ts";
import type { Answer } from "../endpoint/route.ts";
import { fail, type Outcome, type Problem, problemStatus, succeed } from "../http/problems.ts";
import type { Handler, Runtime } from "../runtime.ts";
import { invalidParameters } from "../validation/query.ts";
import type { AccountRoute } from "./route.ts";
import { type SignedIn, SignInTokenError, verifySignInToken } from "./sign-in-token.ts";

/** The account API has no quota. */
const unlimited: Allowance = { daily_quota: -1, remaining: -1 };

/**
 * Makes an endpoint for signed-in people of its routes: finds the route, verifies the sign-in, checks the request,
 * asks the database and answers. 401 comes before 400, as for the holders of keys.
 *
 * @param name the function's name, which is the first segment of its path.
 */
export function createAccountEndpoint(name: string, routes: readonly AccountRoute[]): Handler {
  return createHandler(name, routes, async (exchange, { route, parameters }, runtime: Runtime) => {
    const signedIn = await readSignIn(exchange, runtime);
    if (!signedIn.ok) return respondProblem(exchange, signedIn.problem);
    const outcome = await handle(route, parameters, exchange, runtime, signedIn.value);
    return outcome.ok
      ? respondAnswer(exchange, outcome.value, unlimited)
      : respondProblem(exchange, outcome.problem, unlimited);
  });
}

async function handle(
  route: AccountRoute,
  parameters: PathParameters,
  exchange: Exchange,
  runtime: Runtime,
  signedIn: SignedIn,
): Promise<Outcome<Answer>> {
  const { webhooks, variable } = runtime;
  const database = exchange.databaseOf(runtime);
  const input = await route.read(exchange.request, parameters);
  if (!input.ok) return input;
  const outcome = await route.ask({ database, webhooks, variable, signedIn }, input.value);
  if (!outcome.ok) {
    const problem = problemFor(outcome.failure);
    if (problemStatus(problem.name) >= 500) exchange.error = `${outcome.failure.code} ${outcome.failure.message}`;
    return fail(problem);
  }
  const answer = route.show(outcome.value, input.value);
  return succeed({ ...answer, headers: { "Cache-Control": "private, no-store", ...answer.headers } });
}

/** Who sent a request, by the access token in `Authorization: Bearer TOKEN`. */
async function readSignIn(exchange: Exchange, { variable }: Runtime): Promise<Outcome<SignedIn>> {
  const token = /^Bearer +(\S+) *$/i.exec(exchange.request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) {
    return fail(notSignedIn("Send the access token of your sign-in in the header `Authorization: Bearer <TOKEN>`."));
  }
  try {
    return succeed(await verifySignInToken(token, variable));
  } catch (error) {
    if (error instanceof SignInTokenError) return fail(notSignedIn("The sign-in is not valid, or has expired."));
    exchange.error = `sign-in tokens cannot be verified: ${String(error)}`;
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

/**
 * The problem that an account RPC's failure is to its caller. The database raises PT400 and PT409 with a sentence
 * for people, and names the field in the hint.
 */
function problemFor(failure: RpcFailure): Problem {
  switch (failure.code) {
    case "PT400":
      return invalidParameters([{ parameter: failure.hint ?? "", message: failure.message }]);
    case "PT401":
      return notSignedIn("The session has ended. Sign in again.");
    case "PT403":
      return { name: "email-not-confirmed", detail: "Confirm your e-mail address first." };
    case "PT404":
      return { name: "not-found", detail: "Your account has nothing with this id." };
    case "PT409":
      return { name: "conflict", detail: `${failure.message.charAt(0).toUpperCase()}${failure.message.slice(1)}.` };
    case "PT503":
      return { name: "unavailable", detail: failure.message, headers: { "Retry-After": "3600" } };
    default:
      return refusalFor(failure, new Date()).problem;
  }
}
