import type { Handler } from "../runtime.ts";
import { readJsonBody } from "../validation/body.ts";
import { noParameters, readQuery } from "../validation/query.ts";
import { semanticSearch } from "../validation/semantic-search.ts";
import { askWithMeaning } from "./ask-with-meaning.ts";
import { createEndpoint } from "./endpoint.ts";
import { milliseconds } from "./milliseconds.ts";
import { route } from "./route.ts";

const everyDataset = ["grants", "contracts"];

/** The endpoint that finds grants and contracts by meaning, whichever the dataset. */
export function semanticSearchEndpoint(name: string): Handler {
  return createEndpoint(name, [
    route({
      method: "POST",
      path: "",
      async read(request) {
        const query = readQuery(new URL(request.url).search, noParameters);
        return query.ok ? readJsonBody(request, semanticSearch) : query;
      },
      ask: (context, asked) =>
        askWithMeaning(context, asked.query, (meaning) =>
          context.database.call("semantic_search", {
            key_hash: context.keyHash,
            query: asked.query,
            datasets: asked.type === undefined ? everyDataset : [asked.type],
            maximum: asked.limit,
            ...meaning,
          }),
        ),
      show: ({ results, search_mode, data_as_of }, asked, { elapsedMs }) => ({
        body: {
          results,
          meta: {
            response_time_ms: milliseconds(elapsedMs),
            search_mode,
            limit: asked.limit,
            returned: results.length,
            data_as_of,
          },
        },
      }),
    }),
  ]);
}
