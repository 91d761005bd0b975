import { readFile } from "node:fs/promises";
import { type FullRuntime, handlers } from "../../functions/handlers.ts";
import { createGateway as createFunctionGateway } from "../../shared/endpoint/gateway.ts";
import { safetyHeaders } from "../../shared/http/headers.ts";

/** Handler of some paths. Returns undefined for other paths, which the next responder gets. */
export type Responder = (request: Request) => Promise<Response | undefined>;

/**
 * Routes a request of the embedded server: to the function in its path, to the documentation, or to the first of the
 * other responders that knows the path. The client's address comes with the request.
 */
export function createGateway(
  runtime: FullRuntime,
  others: readonly Responder[] = [],
): (request: Request, clientAddress?: string) => Promise<Response> {
  const gateway = createFunctionGateway(handlers, async (request) => {
    for (const responder of [serveDocumentation, ...others]) {
      const response = await responder(request);
      if (response !== undefined) return response;
    }
    return undefined;
  });
  return (request, clientAddress) => gateway(request, { ...runtime, clientAddress });
}

/** Serves the project's documentation at `/docs/NAME.md`, as Markdown. */
async function serveDocumentation(request: Request): Promise<Response | undefined> {
  const name = /^\/docs\/([a-z-]+\.md)$/.exec(new URL(request.url).pathname)?.[1];
  if (name === undefined || !["GET", "HEAD"].includes(request.method)) return undefined;
  const text = await readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8").catch(() => undefined);
  return text === undefined
    ? undefined
    : new Response(request.method === "HEAD" ? null : text, {
        headers: { ...safetyHeaders, "Content-Type": "text/markdown; charset=utf-8", "Cache-Control": "no-cache" },
      });
}
