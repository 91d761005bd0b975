import { collectionEndpoint } from "../../shared/endpoint/collection.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { funderList } from "../../shared/validation/funders.ts";

/** `GET /funders-api`, `POST /funders-api/search`, `GET /funders-api/{id}` and `GET /funders-api/{id}/changes`. */
export const handle = collectionEndpoint("funders", funderList);

export default { fetch: onEdge(handle, createReadState) };
