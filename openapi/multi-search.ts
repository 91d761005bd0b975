import { multiSearchAnswer } from "../shared/responses/multi-search.ts";
import { maximumSearches, multiSearch } from "../shared/validation/multi-search.ts";
import { contractExample, grantExample, listExample } from "./examples.ts";
import { responseHeaders } from "./headers.ts";
import { bodySchema, jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter } from "./parameters.ts";
import { failuresOf, ofEveryKey } from "./problems.ts";

name("MultiSearchAnswer", multiSearchAnswer);

export const multiSearchSchemas = {
  MultiSearchRequest: { ...bodySchema(multiSearch.schema), description: "Several searches." },
};

/** Path item of `POST /multi-search`. */
export const multiSearchPath = {
  "/multi-search": {
    post: {
      operationId: "multiSearch",
      tags: ["Search"],
      summary: "Make several searches in one request",
      description: `Makes up to ${maximumSearches} searches at once, each of which is counted as one request and may fail alone. Where all are refused for the caller's sake, so is the whole.`,
      parameters: [parameter("RequestId")],
      requestBody: {
        required: true,
        content: jsonContent(
          { $ref: "#/components/schemas/MultiSearchRequest" },
          {
            both: {
              searches: [
                { endpoint: "grants-api", parameters: { search: "school meals", limit: 1 } },
                { endpoint: "contracts-api", parameters: { search: "school meals", limit: 1 } },
              ],
            },
          },
        ),
      },
      responses: {
        200: {
          description: "The answers, in the order of the searches.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(multiSearchAnswer), {
            both: {
              results: [
                { status: 200, body: listExample(grantExample) },
                { status: 200, body: listExample(contractExample) },
              ],
              meta: { response_time_ms: 9.8, returned: 2 },
            },
          }),
        },
        ...failuresOf("InvalidRequest", "Forbidden", "BodyTooLarge", "UnsupportedMediaType", ...ofEveryKey),
      },
    },
  },
};
