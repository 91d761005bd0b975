import { readFile } from "node:fs/promises";
import { handle as contracts } from "../../functions/contracts-api/index.ts";
import { handle as funders } from "../../functions/funders-api/index.ts";
import { handle as grants } from "../../functions/grants-api/index.ts";
import { handle as semanticSearch } from "../../functions/semantic-search/index.ts";
import { respondProblem } from "../../shared/endpoint/respond.ts";
import { requestId } from "../../shared/http/headers.ts";
import type { Handler, Runtime } from "../../shared/runtime.ts";

const handlers: Record<string, Handler> = {
  "grants-api": grants,
  "contracts-api": contracts,
  "funders-api": funders,
  "semantic-search": semanticSearch,
};

/** The project's own documentation, as the files it is written in. */
async function documentation(request: Request): Promise<Response | undefined> {
  const name = /^\/docs\/([a-z-]+\.md)$/.exec(new URL(request.url).pathname)?.[1];
  if (name === undefined || !["GET", "HEAD"].includes(request.method)) return undefined;
  const text = await readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8").catch(() => undefined);
  return text === undefined
    ? undefined
    : new Response(request.method === "HEAD" ? null : text, {
        headers: { "Content-Type": "text/markdown; charset=utf-8", "X-Content-Type-Options": "nosniff" },
      });
}

/** Hands a request to the function that its path names, as Supabase's gateway does. */
export function createGateway(runtime: Runtime): (request: Request) => Promise<Response> {
  return async (request) => {
    const name = /^\/functions\/v1\/([^/]+)/.exec(new URL(request.url).pathname)?.[1];
    const handler = name === undefined || !Object.hasOwn(handlers, name) ? undefined : handlers[name];
    if (handler !== undefined) return handler(request, runtime);
    const page = await documentation(request);
    if (page !== undefined) return page;
    return respondProblem(
      { request, requestId: requestId(request) },
      {
        name: "unknown-route",
        detail: `There is nothing at this path. The endpoints are ${Object.keys(handlers)
          .map((known) => `/functions/v1/${known}`)
          .join(", ")}.`,
      },
    );
  };
}
