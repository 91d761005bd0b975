import { preflightHeaders } from "../http/headers.ts";
import type { Problem } from "../http/problems.ts";
import type { Log, LogLevel } from "../log/log.ts";
import { Exchange } from "./exchange.ts";
import { findRoute, type PathParameters, type RoutePattern } from "./find-route.ts";
import { respondEmpty, respondProblem } from "./respond.ts";

/** The part of a runtime that every function needs. */
export interface Logging {
  readonly log: Log;
}

/** Answers a request for one of a function's routes. */
export type Responder<Route, Needs> = (
  exchange: Exchange,
  found: { route: Route; parameters: PathParameters },
  runtime: Needs,
) => Promise<Response>;

export interface HandlerOptions {
  /** At which level a request is logged that ended as it should; by default `info`. */
  level?: LogLevel;
  /** The answer to a browser's preflight. */
  preflight?: typeof preflightHeaders;
}

export const serverError: Problem = { name: "server-error", detail: "Something went wrong on our side." };

/**
 * What all functions do around their answers: find the route, answer preflights and what is no route, make a problem
 * of what is thrown, and write one line of log for each request.
 *
 * @param name the function's name, which is the first segment of its path.
 */
export function createHandler<Route extends RoutePattern, Needs extends Logging>(
  name: string,
  routes: readonly Route[],
  respond: Responder<Route, Needs>,
  { level = "info", preflight = preflightHeaders }: HandlerOptions = {},
): (request: Request, runtime: Needs) => Promise<Response> {
  async function answer(exchange: Exchange, runtime: Needs): Promise<Response> {
    const found = findRoute(name, routes, exchange.request);
    if ("problem" in found) return respondProblem(exchange, found.problem);
    if ("methods" in found) return respondEmpty(exchange, preflight(found.methods));
    exchange.route = `/${name}${found.route.path}`;
    try {
      return await respond(exchange, found, runtime);
    } catch (error) {
      exchange.error = String(error);
      return respondProblem(exchange, serverError);
    }
  }
  return async (request, runtime) => {
    const exchange = new Exchange(request, name, runtime.log);
    const response = await answer(exchange, runtime);
    exchange.end(response.status, level);
    return response;
  };
}
