import type { Handler } from "../runtime.ts";
import type { Logging } from "./handler.ts";
import { RequestContext } from "./request-context.ts";
import { respondProblem } from "./respond.ts";

/**
 * Combines functions into one handler: a request for `/functions/v1/NAME` or a path below it goes to the function of that
 * name, as Supabase's gateway sends it. Other paths are answered 404.
 *
 * @param handlers functions by name.
 * @param fallback answers paths of no function; undefined means 404.
 */
export function createGateway<Needs extends Logging>(
  handlers: Readonly<Record<string, Handler<Needs>>>,
  fallback: (request: Request) => Promise<Response | undefined> = async () => undefined,
): Handler<Needs> {
  return async (request, runtime) => {
    const name = /^\/functions\/v1\/([^/]+)/.exec(new URL(request.url).pathname)?.[1];
    const handler = name === undefined || !Object.hasOwn(handlers, name) ? undefined : handlers[name];
    if (handler !== undefined) return handler(request, runtime);
    const other = await fallback(request);
    if (other !== undefined) return other;
    const paths = Object.keys(handlers).map((known) => `/functions/v1/${known}`);
    const context = new RequestContext(request, undefined, runtime.log);
    const response = respondProblem(context, {
      name: "unknown-route",
      detail: `There is nothing at this path. The endpoints are ${paths.join(", ")}.`,
    });
    context.end(response.status);
    return response;
  };
}
