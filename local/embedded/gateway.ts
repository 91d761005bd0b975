import { readFile } from "node:fs/promises";
import { handlers } from "../../functions/handlers.ts";
import { createGateway as createFunctionGateway } from "../../shared/endpoint/gateway.ts";
import type { Runtime } from "../../shared/runtime.ts";

const gateway = createFunctionGateway(handlers, documentation);

/** Answers a request with the function that its path names, or with a page of the documentation. */
export function createGateway(runtime: Runtime): (request: Request) => Promise<Response> {
  return (request) => gateway(request, runtime);
}

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
