import { health } from "../shared/responses/health.ts";
import { responseHeaders } from "./headers.ts";
import { name, referenceTo } from "./json-schema.ts";
import { parameter } from "./parameters.ts";
import { failuresOf } from "./problems.ts";

name("Health", health);

/** `GET /health` and `GET /health/ready`. */
export const healthPaths = {
  "/health": operation("getLiveness", "Ask whether the service is live", "Asks no database.", "live"),
  "/health/ready": operation(
    "getReadiness",
    "Ask whether the service is ready",
    "Asks the database, at most once a second, and for at most two. A 503 says what is missing.",
    "ready",
  ),
};

function operation(operationId: string, summary: string, description: string, status: "live" | "ready") {
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
          description: "It is.",
          headers: responseHeaders(),
          content: {
            "application/json": { schema: referenceTo(health), examples: { [status]: { value: { status } } } },
          },
        },
        ...(status === "live" ? failuresOf("InvalidParameters") : failuresOf("InvalidParameters", "Unavailable")),
      },
    },
  };
}
