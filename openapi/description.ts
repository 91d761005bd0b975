import { responseHeaders } from "./headers.ts";
import { parameter } from "./parameters.ts";
import { failuresOf } from "./problems.ts";

/** `GET /openapi`, which this document is served at. */
export const descriptionPath = {
  "/openapi": {
    get: {
      operationId: "getDescription",
      tags: ["Description"],
      summary: "Read this description",
      description: "Needs no key and counts against no quota.",
      security: [],
      parameters: [parameter("IfNoneMatch"), parameter("RequestId")],
      responses: {
        200: {
          description: "An OpenAPI 3.1 document.",
          headers: responseHeaders("ETag"),
          content: {
            "application/json": {
              schema: { type: "object", properties: { openapi: { const: "3.1.1" } }, required: ["openapi"] },
            },
          },
        },
        304: { description: "The client has the document as it is.", headers: responseHeaders("ETag") },
        ...failuresOf("InvalidParameters"),
      },
    },
  },
};
