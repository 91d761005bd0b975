import { contractColumns, opportunityDetailColumns } from "../../shared/csv/columns.ts";
import { collectionEndpoint } from "../../shared/endpoint/collection.ts";
import { edgeRuntime } from "../../shared/platform/edge.ts";
import { contractList } from "../../shared/validation/opportunities.ts";

/** `GET /contracts-api` and `GET /contracts-api/{id}`. */
export const handle = collectionEndpoint({
  name: "contracts-api",
  parameters: contractList,
  columns: contractColumns,
  detailColumns: opportunityDetailColumns,
  list: "list_contracts",
  single: "get_contract",
});

export default { fetch: (request: Request) => handle(request, edgeRuntime()) };
