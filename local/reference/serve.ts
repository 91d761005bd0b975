import { fileURLToPath } from "node:url";
import { isNotModified } from "../../shared/http/headers.ts";
import { createBuildCache } from "../dashboard/files.ts";

const currentBuild = createBuildCache(fileURLToPath(new URL("../../reference", import.meta.url)));

/**
 * Only the page's own files may be scripts. Scalar writes its styles into the page, so styles may be inline. It needs no
 * `eval` and contacts no other server.
 */
const headers = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-cache",
};

/** Serves the API reference at `/reference`, and its files. Returns undefined for other paths. */
export async function serveReference(request: Request): Promise<Response | undefined> {
  const path = /^\/reference(?:\/([\w.]*))?$/.exec(new URL(request.url).pathname);
  if (path === null || !["GET", "HEAD"].includes(request.method)) return undefined;
  const file = currentBuild()?.get(`/${path[1] || "index.html"}`);
  if (file === undefined) return undefined;
  const headersWithTag = { ...headers, ETag: file.entityTag };
  if (isNotModified(request.headers.get("if-none-match"), file.entityTag)) {
    return new Response(null, { status: 304, headers: headersWithTag });
  }
  return new Response(request.method === "HEAD" ? null : file.body, {
    headers: { ...headersWithTag, "Content-Type": file.contentType, "Content-Length": String(file.body.byteLength) },
  });
}
