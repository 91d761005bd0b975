import { checkId, collectionEndpoint } from "../../shared/endpoint/collection.ts";
import { route } from "../../shared/endpoint/endpoint.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { roundMs } from "../../shared/endpoint/request-context.ts";
import { succeed } from "../../shared/http/problems.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { writeCursor } from "../../shared/validation/list.ts";
import { awardsParameters, grantList } from "../../shared/validation/opportunities.ts";
import { readQuery } from "../../shared/validation/query.ts";

/** `GET /grants-api/{id}/awards`: who won the money of an opportunity, or of its programme before. */
const awards = route({
  method: "GET",
  datasets: ["grants"],
  path: "/{id}/awards",
  parse(request, id) {
    const query = readQuery(new URL(request.url).search, awardsParameters);
    if (!query.ok) return query;
    return checkId(id) ?? succeed({ id, ...query.value });
  },
  query: ({ database, keyHash }, { id, ...parameters }) =>
    database.call("list_awards", { key_hash: keyHash, id, parameters }),
  render: (body, { limit }, { elapsedMs }) =>
    body && {
      body: {
        results: body.results,
        pagination: {
          total: body.total,
          limit,
          returned: body.results.length,
          next: body.next && writeCursor(body.next),
        },
        meta: { response_time_ms: roundMs(elapsedMs), data_as_of: body.data_as_of },
      },
    },
});

/** `GET /grants-api`, `POST /grants-api/search`, `GET /grants-api/{id}`, `GET /grants-api/{id}/changes` and `GET /grants-api/{id}/awards`. */
export const handle = collectionEndpoint("grants", grantList, [awards]);

export default { fetch: onEdge(handle, createReadState) };
