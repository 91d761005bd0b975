import { transportSecurity } from "../http/headers.ts";
import type { WorkerBindings } from "../platform/workers.ts";
import type { DashboardConfig } from "./config.ts";
import { dashboardCaching, dashboardHeaders } from "./headers.ts";
import { isPageOfRouter, mayBePage } from "./pages.ts";

/**
 * Serves the dashboard from a Worker's static assets, with its headers and `/config.json`.
 *
 * @returns undefined where the Worker has no assets, or none of them is at the path.
 */
export async function workerPage(request: Request, bindings: WorkerBindings): Promise<Response | undefined> {
  const { pathname, origin } = new URL(request.url);
  const { ASSETS, SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY } = bindings;
  if (ASSETS === undefined || !mayBePage(request)) return undefined;
  const headers = {
    ...dashboardHeaders(SUPABASE_URL),
    ...transportSecurity(request),
    "Cache-Control": dashboardCaching(pathname),
  };
  if (pathname === "/config.json") {
    // Sign-in needs both; a deployment without them has no dashboard to configure.
    if (!SUPABASE_URL || !SUPABASE_PUBLISHABLE_KEY) return undefined;
    const config: DashboardConfig = {
      base_url: `${origin}/functions/v1`,
      supabase_url: SUPABASE_URL,
      supabase_key: SUPABASE_PUBLISHABLE_KEY,
      sign_in: "mail",
      reference_url: bindings.DOCUMENTATION_URL || `${origin}/functions/v1/openapi`,
      changelog_url: null,
    };
    return Response.json(config, { headers });
  }
  let file = await ASSETS.fetch(request);
  if (file.status === 404 && isPageOfRouter(request)) file = await ASSETS.fetch(new Request(`${origin}/`, request));
  if (file.status === 404) return undefined;
  const response = new Response(file.body, file);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
