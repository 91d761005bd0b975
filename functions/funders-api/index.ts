import { checkId, collectionEndpoint } from "../../shared/endpoint/collection.ts";
import { route } from "../../shared/endpoint/endpoint.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { succeed } from "../../shared/http/problems.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { funderList } from "../../shared/validation/funders.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";

/** `GET /funders-api/{id}/statistics`: what a funder has open, and what it awarded. */
const statistics = route({
  method: "GET",
  datasets: ["funders", "grants", "contracts"],
  path: "/{id}/statistics",
  parse(request, id) {
    const query = readQuery(new URL(request.url).search, noParameters);
    return query.ok ? (checkId(id) ?? succeed({ id })) : query;
  },
  query: ({ database, keyHash }, { id }) => database.call("get_funder_statistics", { key_hash: keyHash, id }),
  render: (body) => body && { body, hasEntityTag: true },
});

/** `GET /funders-api`, `POST /funders-api/search`, `GET /funders-api/{id}`, `GET /funders-api/{id}/changes` and `GET /funders-api/{id}/statistics`. */
export const handle = collectionEndpoint("funders", funderList, [statistics]);

export default { fetch: onEdge(handle, createReadState) };
