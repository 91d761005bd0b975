import { readFile } from "node:fs/promises";
import { safetyHeaders } from "../../shared/http/headers.ts";

/** The project's own documentation at `/docs/`, as the files it is written in. */
export async function documentation(request: Request): Promise<Response | undefined> {
  const name = /^\/docs\/([a-z-]+\.md)$/.exec(new URL(request.url).pathname)?.[1];
  if (name === undefined || !["GET", "HEAD"].includes(request.method)) return undefined;
  const text = await readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8").catch(() => undefined);
  return text === undefined
    ? undefined
    : new Response(request.method === "HEAD" ? null : text, {
        headers: { ...safetyHeaders, "Content-Type": "text/markdown; charset=utf-8", "Cache-Control": "no-cache" },
      });
}
