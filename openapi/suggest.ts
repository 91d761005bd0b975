import { suggestion, suggestionsAnswer } from "../shared/responses/suggestions.ts";
import { suggestions } from "../shared/validation/suggestions.ts";
import { responseHeaders } from "./headers.ts";
import { jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter, queryParameters } from "./parameters.ts";
import { failuresOf, ofEveryKey } from "./problems.ts";

name("Suggestion", suggestion);
name("SuggestionsAnswer", suggestionsAnswer);

const example = {
  results: [
    {
      kind: "agency",
      value: "Rural Utilities Service",
      label: "Rural Utilities Service",
      records: 14,
      datasets: { grants: 12, contracts: 2 },
    },
  ],
  meta: { response_time_ms: 2.4, limit: 10, returned: 1 },
};

/** Path item of `GET /suggest`. */
export const suggestPath = {
  "/suggest": {
    get: {
      operationId: "suggest",
      tags: ["Search"],
      summary: "Complete what somebody types",
      description:
        "Agencies, funders, categories, codes, words and titles that begin so, those with current records first, with the number of records that each finds. A key that reads some datasets alone gets theirs.",
      parameters: [...queryParameters(suggestions.schema), parameter("RequestId")],
      responses: {
        200: {
          description: "The suggestions, the best first. The list is empty when there are none.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(suggestionsAnswer), { found: example }),
        },
        ...failuresOf("InvalidParameters", "Forbidden", ...ofEveryKey),
      },
    },
  },
};
