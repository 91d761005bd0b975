import { health } from "../shared/responses/health.ts";
import { responseHeaders } from "./headers.ts";
import { jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter } from "./parameters.ts";
import { failuresOf } from "./problems.ts";

name("Health", health);

/** Routes that need no key: `GET /openapi`, `GET /health` and `GET /health/ready`. */
export const keylessPaths = {
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
          content: jsonContent({
            type: "object",
            properties: { openapi: { const: "3.1.1" } },
            required: ["openapi"],
          }),
        },
        304: { description: "The client has the current document.", headers: responseHeaders("ETag") },
        ...failuresOf("InvalidParameters"),
      },
    },
  },
  "/health": healthOperation("getLiveness", "Ask whether the service is live", "Does not use the database.", "live"),
  "/health/ready": healthOperation(
    "getReadiness",
    "Ask whether the service is ready",
    "Queries the database, at most once a second and for at most two seconds. A 503 says what is missing.",
    "ready",
  ),
};

function healthOperation(operationId: string, summary: string, description: string, status: "live" | "ready") {
  return {
    get: {
      operationId,
      tags: ["Health"],
      summary,
      description: `${description} Needs no key and counts against no quota.`,
      security: [],
      parameters: [parameter("RequestId")],
      responses: {
        200: {
          description: "The service is live, or ready.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(health), { [status]: { status, release: "1.2.0" } }),
        },
        ...(status === "live" ? failuresOf("InvalidParameters") : failuresOf("InvalidParameters", "Unavailable")),
      },
    },
  };
}
