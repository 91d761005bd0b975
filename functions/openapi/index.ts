import { publicDocument } from "../../shared/endpoint/public-document.ts";
import { edgeLog } from "../../shared/platform/edge-log.ts";
import document from "./openapi.json" with { type: "json" };

/** `GET /openapi`: the API's machine-readable description, as `npm run openapi` wrote it. */
export const handle = publicDocument("openapi", document);

export default { fetch: (request: Request) => handle(request, { log: edgeLog }) };
