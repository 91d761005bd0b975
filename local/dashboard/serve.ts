import type { DashboardConfig } from "../../shared/dashboard/config.ts";
import { dashboardCaching, dashboardHeaders } from "../../shared/dashboard/headers.ts";
import { isPageOfRouter, mayBePage } from "../../shared/dashboard/pages.ts";
import { isNotModified } from "../../shared/http/headers.ts";
import { createBuildCache } from "./files.ts";

const placeholder = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Funding Opportunities API</title>
<h1>The dashboard is not built yet</h1>
<p><code>npm start</code> builds it when its sources have changed. That takes some seconds: reload this page in a moment.
If the dashboard is still missing then, run <code>npm run build</code> in the project's folder to see why. The API works
without it.</p>
</html>
`;

/**
 * Serves the dashboard's static build: its files, index.html for the paths of its router, and `/config.json`.
 *
 * @param folder Vite's output.
 * @returns the response, or undefined if the request is for no page or file of the dashboard.
 */
export function createDashboardServer(
  folder: string,
  config: DashboardConfig,
): (request: Request) => Promise<Response | undefined> {
  const currentBuild = createBuildCache(folder);
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
 * Redirects a browser to the API's origin. To a browser, `localhost` is another origin, from which the page may not call the
 * API. Browsers keep the fragment of a sign-in link.
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
