import { preflightHeaders, requestId } from "../http/headers.ts";
import { noParameters, readQuery } from "../validation/query.ts";
import { findRoute } from "./find-route.ts";
import { type Exchange, respondAnswer, respondEmpty, respondProblem } from "./respond.ts";

/**
 * The endpoint of a JSON document that is the same for everybody: `GET /NAME`, without a key and without a call to
 * the database.
 *
 * @param name the function's name, which is the first segment of its path.
 */
export function publicDocument(name: string, document: object): (request: Request) => Promise<Response> {
  const routes = [{ method: "GET", path: "" }] as const;
  return async (request) => {
    const exchange: Exchange = { request, requestId: requestId(request) };
    const found = findRoute(name, routes, request);
    if ("problem" in found) return respondProblem(exchange, found.problem);
    if ("methods" in found) return respondEmpty(exchange, preflightHeaders(found.methods));
    const query = readQuery(new URL(request.url).search, noParameters);
    if (!query.ok) return respondProblem(exchange, query.problem);
    return respondAnswer(exchange, { body: document, tagged: true });
  };
}
