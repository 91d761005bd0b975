import type { RequestContext } from "../../shared/endpoint/request-context.ts";
import { entityTag, isNotModified, transportSecurity } from "../../shared/http/headers.ts";
import type { PageAnswer } from "./answer.ts";
import { filePaths } from "./files.ts";
import { writePage } from "./layout.ts";
import type { Site } from "./site.ts";

/** Nothing but the stylesheet and the script of all pages is loaded, and that asks the catalogue alone; forms are sent to the catalogue alone, and no page is in a frame. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** How long a cache may use a page without asking again, in seconds. */
const pageMaxAgeSeconds = 60;

/** Sends an answer, or 304 where the visitor has it already. No answer differs by its visitor, so anybody's cache may keep it. */
export async function respond(context: RequestContext, answer: PageAnswer, site: Site): Promise<Response> {
  if ("movedTo" in answer) {
    const headers = { ...commonHeaders(context), ...publicFor(3_600), Location: `${site.base}${answer.movedTo}` };
    return new Response(null, { status: 301, headers });
  }
  if ("text" in answer) {
    const { text, contentType, maxAgeSeconds, headers } = answer;
    return send(context, 200, text, { "Content-Type": contentType, ...publicFor(maxAgeSeconds), ...headers });
  }
  const { page, status = 200, headers } = answer;
  const text = writePage(page, site, await filePaths());
  const isKept = status === 200 || status === 410;
  return send(context, status, text, {
    "Content-Type": "text/html; charset=utf-8",
    ...(isKept ? publicFor(pageMaxAgeSeconds) : { "Cache-Control": "no-store" }),
    ...headers,
  });
}

/** Answers OPTIONS. */
export function respondMethods(context: RequestContext, methods: readonly string[]): Response {
  const headers = { ...commonHeaders(context), "Cache-Control": "no-store", Allow: methods.join(", ") };
  return new Response(null, { status: 204, headers });
}

function publicFor(seconds: number): Record<string, string> {
  return {
    "Cache-Control": seconds > 31_000_000 ? `public, max-age=${seconds}, immutable` : `public, max-age=${seconds}`,
  };
}

function commonHeaders({ request, requestId }: RequestContext): Record<string, string> {
  return {
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "X-Request-Id": requestId,
    Vary: "Accept-Encoding",
    ...transportSecurity(request),
  };
}

async function send(
  context: RequestContext,
  status: number,
  text: string,
  given: Record<string, string>,
): Promise<Response> {
  const { request } = context;
  const headers: Record<string, string> = { ...commonHeaders(context), ...given };
  if (status === 200) {
    const tag = await entityTag(text);
    headers.ETag = tag;
    if (isNotModified(request.headers.get("if-none-match"), tag)) {
      delete headers["Content-Type"];
      return new Response(null, { status: 304, headers });
    }
  }
  if (request.method !== "HEAD") return new Response(text, { status, headers });
  return new Response(null, {
    status,
    headers: { ...headers, "Content-Length": String(new TextEncoder().encode(text).byteLength) },
  });
}
