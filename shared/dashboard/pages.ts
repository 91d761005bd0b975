/** Paths of the API, the sign-in and the documentation. The dashboard answers none of them, not even a 404. */
const notPages = /^\/(functions|auth|rest|docs)(\/|$)/;

/** Paths of the dashboard's pages, as its router takes them. */
export const pagePaths = {
  overview: "/",
  signIn: "/sign-in",
  keys: "/keys",
  usage: "/usage",
  requests: "/requests",
  request: "/requests/:id",
  webhooks: "/webhooks",
  webhook: "/webhooks/:id",
  explorer: "/explorer",
  savedSearches: "/saved-searches",
  account: "/account",
  auditLog: "/account/audit-log",
  reference: "/reference/:id?",
  changelog: "/changelog",
  status: "/status",
} as const;

const knownPage = new RegExp(
  `^(?:${Object.values(pagePaths)
    .map((path) => path.replace("/:id?", "(?:/[^/]+)?").replace(":id", "[^/]+").replace(/\/$/, ""))
    .join("|")})/?$`,
  "i",
);

/** Whether the dashboard has a page at a path. */
export function isKnownPage(pathname: string): boolean {
  return knownPage.test(pathname);
}

/** Pages of the build that have a file of their own, so that a browser loads their scripts at once: the paths below them, too. */
const ownFile = /^\/(reference|changelog|status)(\/|$)/;

/** Pages whose paths may end like a file's: of a webhook event, `/reference/grant.created`, and of a request, since clients choose its id. */
const likeFile = /^\/(reference\/|requests\/[^/]+$)/;

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
  const isFile = /\.\w+$/.test(pathname) && !likeFile.test(pathname);
  return !isFile && acceptsHtml(request);
}

/** Path, without `.html`, of the page's file in the build. The router's other pages are all in that of `/`. */
export function pageFile(pathname: string): "/" | `/${string}` {
  const name = ownFile.exec(pathname)?.[1];
  return name === undefined ? "/" : `/${name}`;
}

/** Whether a request is for the changelog as JSON: `/changelog` is a page only for clients that accept one. */
export function isChangelogData(request: Request): boolean {
  return new URL(request.url).pathname === "/changelog" && !acceptsHtml(request);
}

function acceptsHtml(request: Request): boolean {
  return (request.headers.get("accept") ?? "").includes("text/html");
}
