import { createEndpoint, route } from "../../shared/endpoint/endpoint.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { roundMs } from "../../shared/endpoint/request-context.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { readQuery } from "../../shared/validation/query.ts";
import { suggestions } from "../../shared/validation/suggestions.ts";

/** `GET /suggest`: completes what somebody types, with values of filters, titles and words. */
export const handle = createEndpoint("suggest", [
  route({
    method: "GET",
    path: "",
    parameterNames: { typed: "q" },
    parse: (request) => readQuery(new URL(request.url).search, suggestions),
    query: ({ database, keyHash }, { q, kinds, limit }) =>
      database.call("suggest", { key_hash: keyHash, typed: q, kinds, maximum: limit }),
    render: ({ results }, { limit }, { elapsedMs }) => ({
      body: { results, meta: { response_time_ms: roundMs(elapsedMs), limit, returned: results.length } },
    }),
  }),
]);

export default { fetch: onEdge(handle, createReadState) };
