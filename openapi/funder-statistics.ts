import { funderStatistics } from "../shared/responses/funder-statistics.ts";
import { responseHeaders } from "./headers.ts";
import { jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter } from "./parameters.ts";
import { failuresOf, ofEveryKey } from "./problems.ts";

name("FunderStatistics", funderStatistics);

/** Path item of `GET /funders-api/{id}/statistics`. */
export const funderStatisticsPath = {
  "/funders-api/{id}/statistics": {
    get: {
      operationId: "getFunderStatistics",
      tags: ["Funders"],
      summary: "Get the statistics of a funder",
      description:
        "Open opportunities, awards and dollars by fiscal year, and the greatest programmes and recipients. Made after imports: `as_of` says when.",
      parameters: [parameter("Id"), parameter("IfNoneMatch"), parameter("RequestId")],
      responses: {
        200: {
          description: "The statistics.",
          headers: responseHeaders("ETag"),
          content: jsonContent(referenceTo(funderStatistics)),
        },
        304: { description: "The client has the current statistics.", headers: responseHeaders("ETag") },
        ...failuresOf("InvalidParameters", "Forbidden", "NotFound", ...ofEveryKey),
      },
    },
  },
};
