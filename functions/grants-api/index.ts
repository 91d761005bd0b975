import { detailFields, recordFields } from "../../shared/catalogue/fields.generated.ts";
import { collectionEndpoint } from "../../shared/endpoint/collection.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { grantList } from "../../shared/validation/opportunities.ts";

/** `GET /grants-api`, `GET /grants-api/{id}` and `GET /grants-api/{id}/changes`. */
export const handle = collectionEndpoint({
  name: "grants-api",
  parameters: grantList,
  columns: recordFields.grants,
  detailColumns: detailFields.grants,
  list: "list_grants",
  single: "get_grant",
  dataset: "grants",
});

export default { fetch: onEdge(handle, createReadState) };
