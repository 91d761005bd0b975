import * as z from "zod";
import { accountIdHeader, type RpcOutcome, type Rpcs } from "../../shared/database/rpc.ts";
import type { PathParameters, RoutePattern } from "../../shared/endpoint/handler.ts";
import type { Answer } from "../../shared/endpoint/respond.ts";
import { fail, invalidParameters, type Outcome, succeed } from "../../shared/http/problems.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { readJsonBody } from "../../shared/validation/body.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import type { WebhookSettings } from "../../shared/webhooks/settings.ts";
import type { SignedIn } from "./sign-in-token.ts";
import type { ArgumentsBeside, Writes } from "./writes.ts";

/** Dependencies of the account API beside a `Runtime`. It sends nothing itself. */
export interface AccountState {
  readonly webhooks: WebhookSettings;
  /** Whether digests can be sent. */
  readonly mail: { readonly isSetUp: boolean };
}

/** Arguments of a route's `query`, beside its input. */
export interface AccountContext extends Pick<Runtime, "variable">, AccountState {
  /** The caller. */
  signedIn: SignedIn;
  /** Calls an RPC for the caller: every account RPC starts with `funding.account_of`, which finds their account. */
  call<Name extends keyof Rpcs>(
    name: Name,
    parameters: ArgumentsBeside<Name>,
  ): Promise<RpcOutcome<Rpcs[Name]["result"]>>;
  /** For POST routes, whose writes are made once. */
  writes: Writes;
}

type Parse<Input> = (request: Request, parameters: PathParameters) => Promise<Outcome<Input>> | Outcome<Input>;

/** One route of the account API, in the order in which a request passes through it. */
export interface AccountRoute<Input = unknown, Body = unknown> extends RoutePattern {
  /** Parses and validates the request. */
  parse: Parse<Input>;
  /** Calls the database, which answers for the caller's account alone. */
  query(context: AccountContext, input: Input): Promise<RpcOutcome<Body>>;
  /** Renders the answer. */
  render(body: Body, input: Input): Answer;
}

/**
 * Makes a route. Its parts must agree; then their types are erased, so that routes of different types share a list.
 *
 * @param address method and path, from the function's name on.
 * @param render by default the body as it is.
 */
export function route<Input, Body>(
  address: `${"GET" | "POST" | "PATCH" | "DELETE"} /account-api${string}`,
  parse: Parse<Input>,
  query: AccountRoute<Input, Body>["query"],
  render: AccountRoute<Input, Body>["render"] = (body) => ({ body }),
): AccountRoute {
  const [method = "", path = ""] = address.split(" /account-api");
  return { method, path, parse, query, render } as unknown as AccountRoute;
}

/** Answer to a request that made something. */
export const created = (body: unknown): Answer => ({ body, status: 201 });

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

/** Input of a route that takes no query parameters and no body. */
export const nothing = (request: Request) => readQuery(new URL(request.url).search, noParameters);

/** Reads the query parameters of a request. */
export function inQuery<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
): Parse<z.output<z.ZodObject<Shape>>> {
  return (request) => readQuery(new URL(request.url).search, { names: Object.keys(schema.shape), schema });
}

/** Reads the JSON body of a request that takes no query parameters. */
export function inBody<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
): Parse<z.output<z.ZodObject<Shape>>> {
  return (request) => {
    const query = nothing(request);
    return query.ok ? readJsonBody(request, { names: Object.keys(schema.shape), schema }) : query;
  };
}

/** Reads a JSON body of these members. */
export function inMembers<Schema extends z.ZodType>(body: {
  names: readonly string[];
  schema: Schema;
}): Parse<z.output<Schema>> {
  return (request) => readJsonBody(request, body);
}

/** Reads the id in a path, and then the rest of the input. */
export function withId<Input = undefined>(
  parse: Parse<Input> = () => succeed(undefined as Input),
): Parse<{ id: string; input: Input }> {
  return async (request, parameters) => {
    const id = readId(parameters);
    if (!id.ok) return id;
    const input = await parse(request, parameters);
    return input.ok ? succeed({ id: id.value, input: input.value }) : input;
  };
}
