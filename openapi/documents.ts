import { documentAnswer, documentPassage } from "../shared/responses/documents.ts";
import { documentParameters } from "../shared/validation/documents.ts";
import { responseHeaders } from "./headers.ts";
import { jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter, queryParameters } from "./parameters.ts";
import { failuresOf, ofEveryKey } from "./problems.ts";

name("DocumentPassage", documentPassage);
name("DocumentAnswer", documentAnswer);

/** Path item of `GET /documents/{id}`. */
export const documentsPath = {
  "/documents/{id}": {
    get: {
      operationId: "getDocument",
      tags: ["Documents"],
      summary: "Get the text of a document",
      description:
        "A document of grants or contracts, such as a notice of funding: its records, the facts that it states, and its text by passages, each with its page.",
      parameters: [parameter("DocumentId"), ...queryParameters(documentParameters.schema), parameter("RequestId")],
      responses: {
        200: {
          description: "The document, and a part of its text in order.",
          headers: responseHeaders(),
          content: jsonContent(referenceTo(documentAnswer)),
        },
        ...failuresOf("InvalidParameters", "Forbidden", "NotFound", ...ofEveryKey),
      },
    },
  },
};
