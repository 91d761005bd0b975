import type { DashboardConfig } from "../../shared/dashboard/config.ts";
import { dashboardCaching, dashboardHeaders } from "../../shared/dashboard/headers.ts";
import { isPageOfRouter, mayBePage } from "../../shared/dashboard/pages.ts";
import { isNotModified } from "../../shared/http/etag.ts";
import { buildIn } from "./files.ts";

const placeholder = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Funding Opportunities API</title>
<h1>The dashboard is not built yet</h1>
<p>npm start builds it when its sources have changed, which takes some seconds: load this page again in a moment. If it
stays so, run <code>npm run build</code> in the project's folder to see why. The API works without it.</p>
</html>
`;

/**
 * Serves the dashboard's static build: its files, index.html for the paths that its own router knows, and
 * `/config.json`.
 *
 * @param folder Vite's output.
 * @returns an answer, or undefined for what is no page or file of the dashboard.
 */
export function createDashboardServer(
  folder: string,
  config: DashboardConfig,
): (request: Request) => Promise<Response | undefined> {
  const currentBuild = buildIn(folder);
  const home = new URL(config.base_url).origin;
  return async (request) => {
    if (!mayBePage(request)) return undefined;
    const { hostname, pathname } = new URL(request.url);
    if (pathname === "/config.json") {
      return respond(request, pathname, new TextEncoder().encode(JSON.stringify(config)), "application/json");
    }
    const build = currentBuild();
    const isPage = pathname === "/" || isPageOfRouter(request);
    if (isPage && hostname === "localhost") return redirectTo(home, request);
    if (build === undefined) {
      return isPage
        ? respond(request, pathname, new TextEncoder().encode(placeholder), "text/html; charset=utf-8")
        : undefined;
    }
    const file = build.get(pathname) ?? (isPage ? build.get("/index.html") : undefined);
    return file && respond(request, pathname, file.body, file.contentType, file.entityTag);
  };
}

/**
 * Sends a browser to the origin that the API is at. `localhost` is another one to it, with which the page may not talk
 * to the API; a sign-in link's fragment goes along.
 */
function redirectTo(origin: string, request: Request): Response {
  const { pathname, search } = new URL(request.url);
  return new Response(null, {
    status: 307,
    headers: { ...dashboardHeaders(), "Cache-Control": "no-store", Location: `${origin}${pathname}${search}` },
  });
}

function respond(
  request: Request,
  pathname: string,
  body: Uint8Array<ArrayBuffer>,
  contentType: string,
  entityTag?: string,
): Response {
  const headers: Record<string, string> = { ...dashboardHeaders(), "Cache-Control": dashboardCaching(pathname) };
  if (entityTag !== undefined) headers.ETag = entityTag;
  if (entityTag !== undefined && isNotModified(request.headers.get("if-none-match"), entityTag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === "HEAD" ? null : body, {
    headers: { ...headers, "Content-Type": contentType, "Content-Length": String(body.byteLength) },
  });
}
