import { responseHeaders } from "./headers.ts";
import { parameter } from "./parameters.ts";
import { failuresOf } from "./problems.ts";

const about =
  "Needs no key: the token in the path is the secret, which the account API issues and revokes. Counts against no quota; the rate-limit headers tell how often the address may still be read on this UTC day. Query parameters are ignored.";

/** Feed and calendar of a saved search at its secret address, and the end of its digest by the token in an e-mail. */
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
  "/saved-searches/{token}/unsubscribe": {
    get: unsubscribeOperation(
      "showUnsubscribePage",
      "Show the page that asks whether to unsubscribe from a digest",
      "Changes nothing: programs that check e-mails fetch the links in them. The page's button sends the POST.",
    ),
    post: unsubscribeOperation(
      "unsubscribeDigest",
      "Unsubscribe from a digest, by the link in an e-mail",
      "One click, as in RFC 8058: mail programs send `List-Unsubscribe=One-Click`, which is not looked at. Doing it again is not an error.",
    ),
  },
};

function unsubscribeOperation(operationId: string, summary: string, description: string) {
  const page = (what: string) => ({
    description: what,
    headers: responseHeaders(),
    content: { "text/html": { schema: { type: "string" } } },
  });
  return {
    operationId,
    tags: ["Saved searches"],
    summary,
    description: `${description} Needs no key: the token in the path is the secret.`,
    security: [],
    parameters: [parameter("UnsubscribeToken"), parameter("RequestId")],
    responses: {
      200: page("A page for people."),
      404: page("A page that says that the link has expired: the search was deleted, or the e-mail is too old."),
      ...failuresOf("ServerError", "Unavailable"),
    },
  };
}

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
        ...failuresOf("Forbidden", "UnknownAddress", "ReadTooOften", "ServerError", "Unavailable"),
      },
    },
  };
}
