import type { DashboardConfig } from "../shared/dashboard/config.ts";
import { dashboardCaching, dashboardHeaders } from "../shared/dashboard/headers.ts";
import { isChangelogData, isKnownPage, isPageOfRouter, mayBePage, pageFile } from "../shared/dashboard/pages.ts";
import { transportSecurity } from "../shared/http/headers.ts";
import type { WorkerBindings } from "./runtime.ts";

type Assets = NonNullable<WorkerBindings["ASSETS"]>;

/**
 * Serves the dashboard from a Worker's static assets, with its headers and `/config.json`. Cloudflare compresses them
 * at its edge.
 *
 * @returns undefined where the Worker has no assets, or none of them is at the path.
 */
export async function workerPage(request: Request, bindings: WorkerBindings): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  const { ASSETS, SUPABASE_URL } = bindings;
  if (ASSETS === undefined || !mayBePage(request)) return undefined;
  const headers = {
    ...dashboardHeaders(SUPABASE_URL),
    ...transportSecurity(request),
    "Cache-Control": dashboardCaching(pathname),
  };
  if (pathname === "/config.json") {
    const config = configFor(request, bindings);
    return config && Response.json(config, { headers });
  }
  const file = await fetchFile(request, ASSETS);
  if (file === undefined) return undefined;
  const response = new Response(file.body, file);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  if (pathname === "/changelog") response.headers.append("Vary", "Accept");
  return response;
}

/** The page's configuration; undefined where settings of the sign-in are missing. */
function configFor(request: Request, bindings: WorkerBindings): DashboardConfig | undefined {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, DOCUMENTATION_URL, STATUS_URL } = bindings;
  if (!SUPABASE_URL || !SUPABASE_PUBLISHABLE_KEY) return undefined;
  return {
    base_url: `${new URL(request.url).origin}/functions/v1`,
    supabase_url: SUPABASE_URL,
    supabase_key: SUPABASE_PUBLISHABLE_KEY,
    sign_in: "mail",
    reference_url: "/reference",
    changelog_url: "/changelog",
    ...(STATUS_URL ? { status_url: STATUS_URL } : {}),
    ...(DOCUMENTATION_URL ? { guide_url: DOCUMENTATION_URL } : {}),
  };
}

/** Cloudflare answers `/reference` with `reference.html`, and would redirect a request for that name. */
async function fetchFile(request: Request, assets: Assets): Promise<Response | undefined> {
  const { origin, pathname } = new URL(request.url);
  const fetchPath = (path: string) => assets.fetch(new Request(`${origin}${path}`, request));
  if (isChangelogData(request)) return fetchPath("/changelog.json");
  const file = await assets.fetch(request);
  if (file.status !== 404) return file;
  if (!isPageOfRouter(request)) return undefined;
  const page = await fetchPath(pageFile(pathname));
  if (page.status === 404) return undefined;
  return isKnownPage(pathname) ? page : new Response(page.body, { status: 404, headers: page.headers });
}
