import { semanticSearchEndpoint } from "../../shared/endpoint/semantic-search.ts";
import { edgeRuntime } from "../../shared/platform/edge.ts";

/** `POST /semantic-search`. */
export const handle = semanticSearchEndpoint("semantic-search");

export default { fetch: (request: Request) => handle(request, edgeRuntime()) };
