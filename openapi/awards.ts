import { award, awardsAnswer } from "../shared/responses/awards.ts";
import { awardsParameters } from "../shared/validation/opportunities.ts";
import { responseHeaders } from "./headers.ts";
import { jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter, queryParameters } from "./parameters.ts";
import { failuresOf, ofEveryKey } from "./problems.ts";

name("Award", award);
name("AwardsAnswer", awardsAnswer);

/** Path item of `GET /grants-api/{id}/awards`. */
export const awardsPath = {
  "/grants-api/{id}/awards": {
    get: {
      operationId: "listGrantAwards",
      tags: ["Grants"],
      summary: "List the awards of a grant opportunity",
      description:
        "Awards under the opportunity's number; where there are none, earlier awards of the same assistance listing and agency. Each says which it is. An award itself has none.",
      parameters: [parameter("Id"), ...queryParameters(awardsParameters.schema), parameter("RequestId")],
      responses: {
        200: {
          description: "A page of the awards, newest first. The list is empty where there are none.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(awardsAnswer)),
        },
        ...failuresOf("InvalidParameters", "Forbidden", "NotFound", ...ofEveryKey),
      },
    },
  },
};
