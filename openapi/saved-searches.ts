import { responseHeaders } from "./headers.ts";
import { parameter } from "./parameters.ts";
import { failuresOf } from "./problems.ts";

const about =
  "Needs no key: the token in the path is the secret, which the account API issues and revokes. Counts against no quota; the rate-limit headers tell how often the address may still be read on this UTC day.";

/** Feed and calendar of a saved search, at its secret address. */
export const savedSearchPaths = {
  "/saved-searches/{token}/feed.atom": documentOperation(
    "getSavedSearchFeed",
    "Read a saved search's records as an Atom feed",
    `The fifty that came or changed last. ${about}`,
    "application/atom+xml",
    "A feed (RFC 4287).",
  ),
  "/saved-searches/{token}/deadlines.ics": documentOperation(
    "getSavedSearchDeadlines",
    "Read a saved search's deadlines as a calendar",
    `Those of the last thirty days and all to come, 500 at most. Archived records leave it. ${about}`,
    "text/calendar",
    "An iCalendar (RFC 5545).",
  ),
};

function documentOperation(operationId: string, summary: string, description: string, type: string, what: string) {
  return {
    get: {
      operationId,
      tags: ["Saved searches"],
      summary,
      description,
      security: [],
      parameters: [
        parameter("AddressToken"),
        parameter("IfNoneMatch"),
        parameter("IfModifiedSince"),
        parameter("RequestId"),
      ],
      responses: {
        200: {
          description: what,
          headers: responseHeaders("ETag", "Last-Modified"),
          content: { [type]: { schema: { type: "string" } } },
        },
        304: { description: "The client has the current answer.", headers: responseHeaders("ETag", "Last-Modified") },
        ...failuresOf("InvalidParameters", "Forbidden", "UnknownAddress", "ReadTooOften", "ServerError", "Unavailable"),
      },
    },
  };
}
