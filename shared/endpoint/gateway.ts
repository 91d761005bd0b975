import type { Handler } from "../runtime.ts";
import { Exchange } from "./exchange.ts";
import { respondProblem } from "./respond.ts";

/**
 * One handler of several functions: a request for `/functions/v1/NAME` and what is below goes to the
 * function of that name, as Supabase's gateway sends it; other paths are answered 404.
 *
 * @param handlers the functions by name.
 * @param elsewhere answers a path that names no function, or leaves it by answering undefined.
 */
export function createGateway(
  handlers: Readonly<Record<string, Handler>>,
  elsewhere: (request: Request) => Promise<Response | undefined> = async () => undefined,
): Handler {
  return async (request, runtime) => {
    const name = /^\/functions\/v1\/([^/]+)/.exec(new URL(request.url).pathname)?.[1];
    const handler = name === undefined || !Object.hasOwn(handlers, name) ? undefined : handlers[name];
    if (handler !== undefined) return handler(request, runtime);
    const other = await elsewhere(request);
    if (other !== undefined) return other;
    const paths = Object.keys(handlers).map((known) => `/functions/v1/${known}`);
    const exchange = new Exchange(request, undefined, runtime.log);
    const response = respondProblem(exchange, {
      name: "unknown-route",
      detail: `There is nothing at this path. The endpoints are ${paths.join(", ")}.`,
    });
    exchange.end(response.status);
    return response;
  };
}
