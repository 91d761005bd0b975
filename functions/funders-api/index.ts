import { detailFields, recordFields } from "../../shared/catalogue/fields.generated.ts";
import { collectionEndpoint } from "../../shared/endpoint/collection.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { funderList } from "../../shared/validation/funders.ts";

/** `GET /funders-api`, `GET /funders-api/{id}` and `GET /funders-api/{id}/changes`. */
export const handle = collectionEndpoint({
  name: "funders-api",
  parameters: funderList,
  columns: recordFields.funders,
  detailColumns: detailFields.funders,
  list: "list_funders",
  single: "get_funder",
  dataset: "funders",
});

export default { fetch: onEdge(handle, createReadState) };
