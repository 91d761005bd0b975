import { collectionEndpoint } from "../../shared/endpoint/collection.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { grantList } from "../../shared/validation/opportunities.ts";

/** `GET /grants-api`, `POST /grants-api/search`, `GET /grants-api/{id}` and `GET /grants-api/{id}/changes`. */
export const handle = collectionEndpoint("grants", grantList);

export default { fetch: onEdge(handle, createReadState) };
