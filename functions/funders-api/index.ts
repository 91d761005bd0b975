import { funderColumns, funderDetailColumns } from "../../shared/csv/columns.ts";
import { collectionEndpoint } from "../../shared/endpoint/collection.ts";
import { edgeRuntime } from "../../shared/platform/edge.ts";
import { funderList } from "../../shared/validation/funders.ts";

/** `GET /funders-api` and `GET /funders-api/{id}`. */
export const handle = collectionEndpoint({
  name: "funders-api",
  parameters: funderList,
  columns: funderColumns,
  detailColumns: funderDetailColumns,
  list: "list_funders",
  single: "get_funder",
});

export default { fetch: (request: Request) => handle(request, edgeRuntime()) };
