import { createEndpoint, route } from "../../shared/endpoint/endpoint.ts";
import { callWithQueryEmbedding, withHighlights } from "../../shared/endpoint/query-embedding.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { roundMs } from "../../shared/endpoint/request-context.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { readJsonBody } from "../../shared/validation/body.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { semanticSearch } from "../../shared/validation/semantic-search.ts";

const allDatasets = ["grants", "contracts"];

/** `POST /semantic-search`: finds grants and contracts by meaning, in both datasets or one. */
export const handle = createEndpoint("semantic-search", [
  route({
    method: "POST",
    path: "",
    parameterNames: { search: "query" },
    async parse(request) {
      const query = readQuery(new URL(request.url).search, noParameters);
      return query.ok ? readJsonBody(request, semanticSearch) : query;
    },
    query: (context, { query, similar_to, explain, highlight, type, limit }) =>
      callWithQueryEmbedding(
        context,
        "semantic_search",
        {
          key_hash: context.keyHash,
          query: query ?? "",
          datasets: type === undefined ? allDatasets : [type],
          maximum: limit,
          ...(similar_to === undefined ? {} : { similar_to }),
          ...(explain === undefined ? {} : { explain }),
          ...(highlight === undefined ? {} : { highlight }),
        },
        query,
      ).then(withHighlights),
    render: ({ results, search_mode, understood, data_as_of }, { limit }, { elapsedMs }) => ({
      body: {
        results,
        meta: {
          response_time_ms: roundMs(elapsedMs),
          search_mode,
          limit,
          returned: results.length,
          data_as_of,
          ...(understood === null ? {} : { understood }),
        },
      },
    }),
  }),
]);

export default { fetch: onEdge(handle, createReadState) };
