/** Paths of the API, the sign-in and the documentation: what is not found there is not found. */
const notPages = /^\/(functions|auth|rest|docs)(\/|$)/;

/** Whether a request may be for a page or a file of the dashboard. */
export function mayBePage(request: Request): boolean {
  return ["GET", "HEAD"].includes(request.method) && !notPages.test(new URL(request.url).pathname);
}

/**
 * Whether a request without a file of its own is for a page that the dashboard's own router knows. A browser that opens
 * an address asks for HTML; a missing script or picture must not be answered with a page.
 */
export function isPageOfRouter(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return !/\.\w+$/.test(pathname) && (request.headers.get("accept") ?? "").includes("text/html");
}
