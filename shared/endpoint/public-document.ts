import { noParameters, readQuery } from "../validation/query.ts";
import { createHandler, type Logging } from "./handler.ts";
import { respondAnswer, respondProblem } from "./respond.ts";

/**
 * The endpoint of a JSON document that is the same for everybody: `GET /NAME`, without a key and without a call to
 * the database.
 *
 * @param name the function's name, which is the first segment of its path.
 */
export function publicDocument(
  name: string,
  document: object,
): (request: Request, runtime: Logging) => Promise<Response> {
  return createHandler(name, [{ method: "GET", path: "" }], async (exchange) => {
    const query = readQuery(new URL(exchange.request.url).search, noParameters);
    if (!query.ok) return respondProblem(exchange, query.problem);
    return respondAnswer(exchange, { body: document, tagged: true });
  });
}
