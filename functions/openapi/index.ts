import { createHandler } from "../../shared/endpoint/handler.ts";
import { ConstantBody, respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import { edgeLog } from "../../shared/platform/environment.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import document from "./openapi.json" with { type: "json" };

const constant = new ConstantBody(document);

/** `GET /openapi`: the API's description, as `npm run openapi` wrote it. It needs no key and no call to the database. */
export const handle = createHandler("openapi", [{ method: "GET", path: "" }], async (context) => {
  const query = readQuery(new URL(context.request.url).search, noParameters);
  if (!query.ok) return respondProblem(context, query.problem);
  return respondAnswer(context, { constant });
});

export default { fetch: (request: Request) => handle(request, { log: edgeLog }) };
