import { defaultScope, scopeHint } from "../shared/responses/scope.ts";
import { foundContract, foundGrant, semanticSearchAnswer } from "../shared/responses/semantic-search.ts";
import { semanticSearch } from "../shared/validation/semantic-search.ts";
import { semanticSearchExample } from "./examples.ts";
import { responseHeaders } from "./headers.ts";
import { bodySchema, jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter } from "./parameters.ts";
import { failuresOf, ofEveryKey } from "./problems.ts";

name("FoundGrant", foundGrant);
name("FoundContract", foundContract);
name("SemanticSearchAnswer", semanticSearchAnswer);

export const semanticSearchSchemas = {
  SemanticSearchRequest: {
    ...bodySchema(semanticSearch.schema),
    description: "A search by meaning.",
    oneOf: [{ required: ["query"] }, { required: ["similar_to"] }],
  },
};

/** Path item of `POST /semantic-search`. */
export const semanticSearchPath = {
  "/semantic-search": {
    post: {
      operationId: "semanticSearch",
      tags: ["Search"],
      summary: "Find grants and contracts by meaning",
      description: `Covers ${defaultScope}: what the lists have by default. ${scopeHint}`,
      parameters: [parameter("RequestId")],
      requestBody: {
        required: true,
        content: jsonContent(
          { $ref: "#/components/schemas/SemanticSearchRequest" },
          {
            grants: { query: "cleaning up polluted lakes", type: "grants", limit: 10 },
            both: { query: "money for kids who go hungry in summer" },
          },
        ),
      },
      responses: {
        200: {
          description: "Relevant records, the best first. The list is empty when there are none.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(semanticSearchAnswer), { found: semanticSearchExample }),
        },
        ...failuresOf("InvalidRequest", "Forbidden", "BodyTooLarge", "UnsupportedMediaType", ...ofEveryKey),
      },
    },
  },
};
