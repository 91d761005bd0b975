import { collectionEndpoint } from "../../shared/endpoint/collection.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { contractList } from "../../shared/validation/opportunities.ts";

/** `GET /contracts-api`, `POST /contracts-api/search`, `GET /contracts-api/{id}` and `GET /contracts-api/{id}/changes`. */
export const handle = collectionEndpoint("contracts", contractList);

export default { fetch: onEdge(handle, createReadState) };
