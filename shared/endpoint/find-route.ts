import type { Problem } from "../http/problems.ts";

/** What finding a route needs to know of it. */
export interface RoutePattern {
  method: string;
  /** What follows the function's name: nothing, or segments, of which those in braces stand for any text. */
  path: string;
}

/** What stood in the place of a path's segments in braces, by their names. */
export type PathParameters = Readonly<Record<string, string>>;

/** The route that a request means, or the methods that a preflight asks for, or why there is none. */
export type FoundRoute<Found> =
  | { route: Found; parameters: PathParameters }
  | { methods: string[] }
  | { problem: Problem };

/**
 * Finds the route of a request. The path may start with `/functions/v1`, which Supabase's gateway
 * takes off and others leave on; then come the function's name and, perhaps, more segments.
 */
export function findRoute<Found extends RoutePattern>(
  name: string,
  routes: readonly Found[],
  request: Request,
): FoundRoute<Found> {
  const full = new URL(request.url).pathname.replace(/^\/functions\/v1(?=\/)/, "");
  const path = full === `/${name}/` ? `/${name}` : full;
  const candidates = routes.flatMap((route) => {
    const parameters = match(`/${name}${route.path}`, path);
    return parameters === undefined ? [] : [{ route, parameters }];
  });
  if (candidates.length === 0) {
    return { problem: { name: "unknown-route", detail: `There is nothing at this path.` } };
  }

  const methods = [
    "OPTIONS",
    ...candidates.flatMap(({ route: { method } }) => (method === "GET" ? ["GET", "HEAD"] : [method])),
  ];
  if (request.method === "OPTIONS") return { methods };
  const method = request.method === "HEAD" ? "GET" : request.method;
  const found = candidates.find(({ route }) => route.method === method);
  if (found === undefined) {
    const allowed = methods.filter((other) => other !== "OPTIONS").join(", ");
    return {
      problem: {
        name: "method-not-allowed",
        detail: `This path takes ${allowed}, not ${request.method}.`,
        headers: { Allow: methods.join(", ") },
      },
    };
  }
  return found;
}

/** The parameters with which a path is the pattern's, or undefined when it is not. */
function match(pattern: string, path: string): PathParameters | undefined {
  const expected = pattern.split("/");
  const given = path.split("/");
  if (given.length !== expected.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [place, segment] of expected.entries()) {
    const text = given[place] ?? "";
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (parameter === undefined ? text !== segment : text === "") return undefined;
    if (parameter !== undefined) parameters[parameter] = text;
  }
  return parameters;
}
