import type { DashboardConfig } from "../../shared/dashboard/config.ts";
import { dashboardCaching, dashboardHeaders } from "../../shared/dashboard/headers.ts";
import { isChangelogData, isKnownPage, isPageOfRouter, mayBePage, pageFile } from "../../shared/dashboard/pages.ts";
import { isNotModified } from "../../shared/http/headers.ts";
import type { PublicStatus } from "../../status/public.ts";
import { chooseEncoding } from "./encoding.ts";
import { type Build, type BuiltFile, createBuildCache } from "./files.ts";

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
 * Serves the dashboard's static build: its files, compressed for clients that accept it, a page for the paths of its router,
 * and `/config.json`.
 *
 * @param folder Vite's output.
 * @param readStatus the answer of `/status.json`; undefined before the server's first check of itself, which is answered 503. Default: none.
 * @returns the response, or undefined if the request is for no page or file of the dashboard.
 */
export function createDashboardServer(
  folder: string,
  config: DashboardConfig,
  readStatus?: () => Promise<PublicStatus | undefined>,
): (request: Request) => Promise<Response | undefined> {
  const currentBuild = createBuildCache(folder);
  const home = new URL(config.base_url).origin;
  return async (request) => {
    if (!mayBePage(request)) return undefined;
    const { hostname, pathname } = new URL(request.url);
    if (pathname === "/config.json") return respondText(request, JSON.stringify(config), "application/json");
    if (pathname === "/status.json" && readStatus !== undefined) {
      const status = await readStatus();
      return respondText(request, JSON.stringify(status ?? null), "application/json", status === undefined ? 503 : 200);
    }
    const build = currentBuild();
    const isPage = pathname === "/" || isPageOfRouter(request);
    if (isPage && hostname === "localhost") return redirectTo(home, request);
    if (build === undefined) {
      return isPage ? respondText(request, placeholder, "text/html; charset=utf-8") : undefined;
    }
    const file = fileFor(request, build);
    if (file !== undefined) return respondFile(request, file);
    const page = isPage ? (build.get(`${pageFile(pathname)}.html`) ?? build.get("/index.html")) : undefined;
    return page && respondFile(request, page, isKnownPage(pathname) ? 200 : 404);
  };
}

function fileFor(request: Request, build: Build): BuiltFile | undefined {
  const { pathname } = new URL(request.url);
  if (isChangelogData(request)) return build.get("/changelog.json");
  return build.get(pathname) ?? build.get(`${pathname}.html`);
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

function respondText(request: Request, text: string, contentType: string, status = 200): Response {
  const body = new TextEncoder().encode(text);
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: {
      ...dashboardHeaders(),
      "Cache-Control": "no-cache",
      "Content-Type": contentType,
      "Content-Length": String(body.byteLength),
    },
  });
}

/**
 * Sends a file whole, whatever `Range` asks for: the largest takes an instant. Each encoding has a strong entity tag of its
 * own.
 */
function respondFile(
  request: Request,
  { body, contentType, entityTag, compressed }: BuiltFile,
  status: 200 | 404 = 200,
): Response {
  const { pathname } = new URL(request.url);
  const encoding = chooseEncoding(request.headers.get("accept-encoding"), compressed);
  const sent = (encoding && compressed.get(encoding)) ?? body;
  const tag = encoding === undefined ? `"${entityTag}"` : `"${entityTag}-${encoding}"`;
  const vary = [...(pathname === "/changelog" ? ["Accept"] : []), ...(compressed.size > 0 ? ["Accept-Encoding"] : [])];
  const headers: Record<string, string> = {
    ...dashboardHeaders(),
    "Cache-Control": dashboardCaching(pathname),
    ETag: tag,
    ...(vary.length > 0 ? { Vary: vary.join(", ") } : {}),
  };
  if (status === 200 && isNotModified(request.headers.get("if-none-match"), tag))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : sent, {
    status,
    headers: {
      ...headers,
      "Content-Type": contentType,
      "Content-Length": String(sent.byteLength),
      ...(encoding === undefined ? {} : { "Content-Encoding": encoding }),
    },
  });
}
