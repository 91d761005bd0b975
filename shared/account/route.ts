import type { RpcOutcome } from "../database/rpc.ts";
import type { PathParameters, RoutePattern } from "../endpoint/find-route.ts";
import type { Answer } from "../endpoint/route.ts";
import type { Outcome } from "../http/problems.ts";
import type { Runtime } from "../runtime.ts";
import type { SignedIn } from "./sign-in-token.ts";

/** What a route of the account API asks with. */
export interface AccountContext extends Pick<Runtime, "database" | "webhooks" | "variable"> {
  /** Whose request it is: the first arguments of every account RPC, which starts with `funding.account_of`. */
  signedIn: SignedIn;
}

/** One route of the account API, in the order in which a request passes through it. */
export interface AccountRoute<Input = unknown, Body = unknown> extends RoutePattern {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Reads and checks what the request asks. */
  read(request: Request, parameters: PathParameters): Promise<Outcome<Input>> | Outcome<Input>;
  /** Asks the database, which finds the account of the caller and answers for that one alone. */
  ask(context: AccountContext, input: Input): Promise<RpcOutcome<Body>>;
  /** Shows the answer. */
  show(body: Body, input: Input): Answer;
}

/** Checks that a route's parts agree, then forgets their types, so that unlike routes share a list. */
export function accountRoute<Input, Body>(definition: AccountRoute<Input, Body>): AccountRoute {
  return definition as unknown as AccountRoute;
}
