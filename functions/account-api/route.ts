import * as z from "zod";
import { accountIdHeader, type RpcOutcome } from "../../shared/database/rpc.ts";
import type { PathParameters, RoutePattern } from "../../shared/endpoint/handler.ts";
import type { Answer } from "../../shared/endpoint/respond.ts";
import { fail, invalidParameters, type Outcome, succeed } from "../../shared/http/problems.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { readJsonBody } from "../../shared/validation/body.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import type { WebhookSettings } from "../../shared/webhooks/settings.ts";
import type { SignedIn } from "./sign-in-token.ts";
import type { Writes } from "./writes.ts";

/** Dependencies of the account API beside a `Runtime`. It sends nothing itself. */
export interface AccountState {
  readonly webhooks: WebhookSettings;
  /** Whether digests can be sent. */
  readonly mail: { readonly isSetUp: boolean };
}

/** Arguments of a route's `query`, beside its input. */
export interface AccountContext extends Pick<Runtime, "database" | "variable">, AccountState {
  /** The caller: first arguments of every account RPC, which starts with `funding.account_of`. */
  signedIn: SignedIn;
  /** For POST routes, whose writes are made once. */
  writes: Writes;
}

/** One route of the account API, in the order in which a request passes through it. */
export interface AccountRoute<Input = unknown, Body = unknown> extends RoutePattern {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Parses and validates the request. */
  parse(request: Request, parameters: PathParameters): Promise<Outcome<Input>> | Outcome<Input>;
  /** Calls the database, which finds the caller's account and answers for that one alone. */
  query(context: AccountContext, input: Input): Promise<RpcOutcome<Body>>;
  /** Renders the answer. */
  render(body: Body, input: Input): Answer;
}

/** Checks that a route's parts agree, then erases their types, so that routes of different types share a list. */
export function accountRoute<Input, Body>(definition: AccountRoute<Input, Body>): AccountRoute {
  return definition as unknown as AccountRoute;
}

const uuid = z.guid();

/** Reads the UUID at `{id}`, or at another name, in a path. Lower case is the form that ids are stored in. */
export function readId(parameters: PathParameters, name = "id"): Outcome<string> {
  const id = parameters[name] ?? "";
  if (uuid.safeParse(id).success) return succeed(id.toLowerCase());
  return fail(invalidParameters([{ parameter: name, message: "must be a UUID" }]));
}

/** Reads the header `X-Account-Id`: the account to use, where it is not the caller's own. */
export function readAccountId(request: Request): Outcome<string | undefined> {
  const id = request.headers.get(accountIdHeader);
  if (id === null) return succeed(undefined);
  if (uuid.safeParse(id).success) return succeed(id.toLowerCase());
  return fail(invalidParameters([{ parameter: "X-Account-Id", message: "must be a UUID" }]));
}

/** Reads the JSON body of a request that takes no query parameters. */
export async function readAccountBody<Shape extends z.core.$ZodShape>(
  request: Request,
  schema: z.ZodObject<Shape>,
): Promise<Outcome<z.output<z.ZodObject<Shape>>>> {
  const query = readQuery(new URL(request.url).search, noParameters);
  return query.ok ? readJsonBody(request, { names: Object.keys(schema.shape), schema }) : query;
}

/** Reads the id in a path, and then the rest of the input. */
export async function readWithId<Input = undefined>(
  parameters: PathParameters,
  read?: () => Promise<Outcome<Input>> | Outcome<Input>,
): Promise<Outcome<{ id: string; input: Input }>> {
  const id = readId(parameters);
  if (!id.ok) return id;
  const input = await (read === undefined ? succeed(undefined as Input) : read());
  return input.ok ? succeed({ id: id.value, input: input.value }) : input;
}
