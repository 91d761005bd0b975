import { preflightHeaders } from "../http/headers.ts";
import type { ErrorFormat, Problem } from "../http/problems.ts";
import type { Log, LogLevel } from "../log/log.ts";
import { RequestContext } from "./request-context.ts";
import { respondEmpty, respondProblem } from "./respond.ts";

/** Method and path of a route. */
export interface RoutePattern {
  method: string;
  /** Path after the function's name: empty, or segments. A segment in braces, `{id}`, matches any text. */
  path: string;
}

/** Texts that matched a path's segments in braces, by their names. */
export type PathParameters = Readonly<Record<string, string>>;

/** Part of the runtime that every function needs. */
export interface Logging {
  readonly log: Log;
}

/** Answers a request for one of a function's routes. */
export type Responder<Route, Needs> = (
  context: RequestContext,
  match: { route: Route; parameters: PathParameters },
  runtime: Needs,
) => Promise<Response>;

export interface HandlerOptions {
  /** Log level of a request that ended as it should; by default `info`. */
  level?: LogLevel;
  /** Format of the failures; by default that of RFC 9457. */
  errorFormat?: ErrorFormat;
  /** Header in which the API key may be, beside Authorization. */
  keyHeader?: string;
}

export const serverError: Problem = { name: "server-error", detail: "Something went wrong on our side." };

/**
 * Wraps a function's answers: finds the route, answers preflights and unknown routes, turns exceptions into
 * problems, and writes one log line for each request.
 *
 * @param name the function's name, which is the first segment of its path.
 */
export function createHandler<Route extends RoutePattern, Needs extends Logging>(
  name: string,
  routes: readonly Route[],
  respond: Responder<Route, Needs>,
  { level = "info", errorFormat, keyHeader }: HandlerOptions = {},
): (request: Request, runtime: Needs) => Promise<Response> {
  async function answer(context: RequestContext, runtime: Needs): Promise<Response> {
    const match = matchRoute(name, routes, context.request);
    if ("problem" in match) return respondProblem(context, match.problem);
    if ("methods" in match) return respondEmpty(context, preflightHeaders(match.methods));
    context.route = `/${name}${match.route.path}`;
    try {
      return await respond(context, match, runtime);
    } catch (error) {
      context.error = String(error);
      return respondProblem(context, serverError);
    }
  }
  return async (request, runtime) => {
    const context = new RequestContext(request, name, runtime.log, errorFormat, keyHeader);
    const response = await answer(context, runtime);
    context.end(response.status, level);
    return response;
  };
}

/** A request's route, or the methods for a preflight, or the problem that there is none. */
type RouteMatch<Route> = { route: Route; parameters: PathParameters } | { methods: string[] } | { problem: Problem };

/**
 * Matches a request to a route. The path may start with `/functions/v1`, which Supabase's gateway removes and other
 * stacks leave on; then come the function's name and further segments.
 */
export function matchRoute<Route extends RoutePattern>(
  name: string,
  routes: readonly Route[],
  request: Request,
): RouteMatch<Route> {
  const full = new URL(request.url).pathname.replace(/^\/functions\/v1(?=\/)/, "");
  const path = full === `/${name}/` ? `/${name}` : full;
  const matching = routes.flatMap((route) => {
    const parameters = matchPath(`/${name}${route.path}`, path);
    return parameters === undefined ? [] : [{ route, parameters }];
  });
  // A path that is written out comes before one with parameters, whatever the method.
  const literal = matching.filter(({ parameters }) => Object.keys(parameters).length === 0);
  const candidates = literal.length > 0 ? literal : matching;
  if (candidates.length === 0) {
    return { problem: { name: "unknown-route", detail: `There is nothing at this path.` } };
  }

  const methods = [
    "OPTIONS",
    ...candidates.flatMap(({ route: { method } }) => (method === "GET" ? ["GET", "HEAD"] : [method])),
  ];
  if (request.method === "OPTIONS") return { methods };
  const method = request.method === "HEAD" ? "GET" : request.method;
  const found = candidates.find(({ route }) => route.method === method);
  if (found === undefined) {
    const allowed = methods.filter((other) => other !== "OPTIONS").join(", ");
    return {
      problem: {
        name: "method-not-allowed",
        detail: `This path takes ${allowed}, not ${request.method}.`,
        headers: { Allow: methods.join(", ") },
      },
    };
  }
  return found;
}

/** Returns the path's parameters by the pattern, or undefined where it does not match. */
function matchPath(pattern: string, path: string): PathParameters | undefined {
  const expected = pattern.split("/");
  const given = path.split("/");
  if (given.length !== expected.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const text = given[index] ?? "";
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (parameter === undefined ? text !== segment : text === "") return undefined;
    if (parameter !== undefined) parameters[parameter] = text;
  }
  return parameters;
}
