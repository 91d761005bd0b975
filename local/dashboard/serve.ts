import type { DashboardConfig } from "../../shared/dashboard/config.ts";
import { dashboardCaching, dashboardHeaders } from "../../shared/dashboard/headers.ts";
import { isNotModified } from "../../shared/http/etag.ts";
import { buildIn } from "./files.ts";

/** Paths of the API, the sign-in and the documentation: what is not found there is not found. */
const notPages = /^\/(functions|auth|rest|docs)(\/|$)/;

const placeholder = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Funding Opportunities API</title>
<h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> in the project's folder, then load this page again. The API works without it.</p>
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
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (!["GET", "HEAD"].includes(request.method) || notPages.test(pathname)) return undefined;
    if (pathname === "/config.json") {
      return respond(request, pathname, new TextEncoder().encode(JSON.stringify(config)), "application/json");
    }
    const build = currentBuild();
    const isPage = pathname === "/" || wantsPage(request, pathname);
    if (build === undefined) {
      return isPage
        ? respond(request, pathname, new TextEncoder().encode(placeholder), "text/html; charset=utf-8")
        : undefined;
    }
    const file = build.get(pathname) ?? (isPage ? build.get("/index.html") : undefined);
    return file && respond(request, pathname, file.body, file.contentType, file.entityTag);
  };
}

/** A browser that opens an address asks for HTML; a missing script or picture must not be answered with a page. */
function wantsPage(request: Request, pathname: string): boolean {
  return !/\.\w+$/.test(pathname) && (request.headers.get("accept") ?? "").includes("text/html");
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
