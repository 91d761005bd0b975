import type { Problem } from "../http/problems.ts";
import type { Route } from "./route.ts";

/** What tells one route from another. */
export type RoutePattern = Pick<Route, "method" | "path">;

/** The route that a request means, or the methods that a preflight asks for, or why there is none. */
export type FoundRoute<Pattern> = { route: Pattern; id: string } | { methods: string[] } | { problem: Problem };

/**
 * Finds the route of a request. The path may start with `/functions/v1`, which Supabase's gateway
 * takes off and others leave on; then come the function's name and, perhaps, an id.
 */
export function findRoute<Pattern extends RoutePattern>(
  name: string,
  routes: readonly Pattern[],
  request: Request,
): FoundRoute<Pattern> {
  const path = new URL(request.url).pathname.replace(/^\/functions\/v1(?=\/)/, "");
  const [, first, id = "", ...rest] = path.split("/");
  const pattern = id === "" ? "" : "/{id}";
  const candidates = first === name && rest.length === 0 ? routes.filter((route) => route.path === pattern) : [];
  if (candidates.length === 0) {
    return { problem: { name: "unknown-route", detail: `There is nothing at this path.` } };
  }

  const methods = ["OPTIONS", ...candidates.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))];
  if (request.method === "OPTIONS") return { methods };
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = candidates.find((candidate) => candidate.method === method);
  if (route === undefined) {
    const allowed = methods.filter((other) => other !== "OPTIONS").join(", ");
    return {
      problem: {
        name: "method-not-allowed",
        detail: `This path takes ${allowed}, not ${request.method}.`,
        headers: { Allow: methods.join(", ") },
      },
    };
  }
  return { route, id };
}
