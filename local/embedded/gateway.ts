import { handleAtRoot } from "../../functions/catalogue/index.ts";
import { isCataloguePage } from "../../functions/catalogue/site.ts";
import { type FullRuntime, handlers } from "../../functions/handlers.ts";
import { createGateway as createFunctionGateway } from "../../shared/endpoint/gateway.ts";

/** Handler of some paths. Returns undefined for other paths, which the next responder gets. */
export type Responder = (request: Request) => Promise<Response | undefined>;

/**
 * Routes a request of the embedded server: to the function in its path, to the catalogue, whose pages are at the root, or to the first of the other
 * responders that knows the path. The client's address comes with the request.
 */
export function createGateway(
  runtime: FullRuntime,
  others: readonly Responder[] = [],
): (request: Request, clientAddress?: string) => Promise<Response> {
  const gateway = createFunctionGateway(handlers, async (request) => {
    for (const responder of others) {
      const response = await responder(request);
      if (response !== undefined) return response;
    }
    return undefined;
  });
  return (request, clientAddress) => {
    const answer = isCataloguePage(request, runtime.variable) ? handleAtRoot : gateway;
    return answer(request, { ...runtime, clientAddress });
  };
}
