import { health } from "../shared/responses/health.ts";
import { responseHeaders } from "./headers.ts";
import { jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter } from "./parameters.ts";
import { failuresOf } from "./problems.ts";

name("Health", health);

/** Routes that need no key: `GET /openapi` and the texts below it, `GET /health` and `GET /health/ready`. */
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
  "/openapi/llms.txt": {
    get: textOperation(
      "getIndex",
      "List what there is to read",
      "The pages of the documentation, in the form of llmstxt.org.",
      [],
    ),
  },
  "/openapi/docs/{page}": {
    get: textOperation(
      "getPage",
      "Read a page of the documentation",
      "A page as Markdown, by its name in `llms.txt`.",
      [
        {
          name: "page",
          in: "path",
          required: true,
          description: "Name of the page.",
          schema: { type: "string", pattern: "^[a-z-]+\\.md$", examples: ["filters.md"] },
        },
      ],
    ),
  },
  "/health": healthOperation("getLiveness", "Ask whether the service is live", "Does not use the database.", "live"),
  "/health/ready": healthOperation(
    "getReadiness",
    "Ask whether the service is ready",
    "Queries the database, at most once a second and for at most two seconds. A 503 says what is missing.",
    "ready",
  ),
};

function textOperation(operationId: string, summary: string, description: string, parameters: object[]) {
  return {
    operationId,
    tags: ["Description"],
    summary,
    description: `${description} Needs no key and counts against no quota.`,
    security: [],
    parameters: [...parameters, parameter("IfNoneMatch"), parameter("RequestId")],
    responses: {
      200: {
        description: "Markdown.",
        headers: responseHeaders("ETag"),
        content: { "text/markdown": { schema: { type: "string" } } },
      },
      304: { description: "The client has the current text.", headers: responseHeaders("ETag") },
      ...failuresOf("InvalidParameters", ...(parameters.length > 0 ? (["NotFound"] as const) : [])),
    },
  };
}

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
