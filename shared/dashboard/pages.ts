/** Paths of the API, the sign-in and the documentation. The dashboard answers none of them, not even a 404. */
const notPages = /^\/(functions|auth|rest|docs)(\/|$)/;

/** Whether a request can be for a page or a file of the dashboard, by its method and path. */
export function mayBePage(request: Request): boolean {
  return ["GET", "HEAD"].includes(request.method) && !notPages.test(new URL(request.url).pathname);
}

/**
 * Whether a request that matches no file is for a page of the dashboard's router. A browser that opens an address accepts
 * HTML; a missing script or picture must not be answered with a page.
 */
export function isPageOfRouter(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return !/\.\w+$/.test(pathname) && (request.headers.get("accept") ?? "").includes("text/html");
}
