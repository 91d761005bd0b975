import { handlers } from "../../functions/handlers.ts";
import { createGateway as createFunctionGateway } from "../../shared/endpoint/gateway.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { documentation } from "./documentation.ts";

/** Answers a request, or leaves it to the next by answering undefined. */
export type Responder = (request: Request) => Promise<Response | undefined>;

/** Where a request goes whose target is no URL (`GET http://[ HTTP/1.1`): nothing is there. */
const nowhere = "http://nowhere.invalid/functions/v1";

/**
 * Answers a request with the function that its path names, with a page of the documentation, or with the first of
 * the others that knows the path.
 */
export function createGateway(
  runtime: Runtime,
  others: readonly Responder[] = [],
): (request: Request) => Promise<Response> {
  const gateway = createFunctionGateway(handlers, async (request) => {
    for (const responder of [documentation, ...others]) {
      const response = await responder(request);
      if (response !== undefined) return response;
    }
    return undefined;
  });
  return (request) => gateway(URL.canParse(request.url) ? request : new Request(nowhere), runtime);
}
