import * as z from "zod";
import { recordParameters } from "../shared/catalogue/parameters.ts";
import type { Dataset } from "../shared/datasets.ts";
import { recordChanges } from "../shared/responses/changes.ts";
import { funderDetails, opportunityDetails } from "../shared/responses/details.ts";
import { explanation, understood } from "../shared/responses/explanation.ts";
import { highlightOfField, highlights } from "../shared/responses/highlights.ts";
import { listMeta, listOf, pagination, total } from "../shared/responses/lists.ts";
import { changesParameters } from "../shared/validation/query.ts";
import { type HeaderName, responseHeaders } from "./headers.ts";
import { bodySchema, jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter, queryParameters } from "./parameters.ts";
import { failuresOf, ofEveryKey } from "./problems.ts";

name("Total", total);
name("Pagination", pagination);
name("ListMeta", listMeta);
name("Understood", understood);
name("Explanation", explanation);
name("Highlight", highlightOfField);
name("Highlights", highlights);
name("OpportunityDetails", opportunityDetails);
name("FunderDetails", funderDetails);
name("RecordChanges", recordChanges);

/** Failures of the routes of one record. */
const recordFailures = failuresOf("InvalidParameters", "Forbidden", "NotFound", ...ofEveryKey);

/** Description of a dataset's routes. */
export interface Collection {
  /** Name of a record, for example `Grant`. Names of paths, schemas and operations are derived from it. */
  record: string;
  parameters: z.ZodType;
  schema: z.ZodObject<{ id: z.ZodType; details: z.ZodType }>;
  examples: { list: object; single: object };
  /** Headers of lists besides the common ones. */
  listHeaders?: HeaderName[];
  summaries: { list: string; single: string };
}

const detailChoice = { description: "The details that `fields` names." };
const opportunityChoice = name("OpportunityDetailsFields", opportunityDetails.partial().meta(detailChoice));
const funderChoice = name("FunderDetailsFields", funderDetails.partial().meta(detailChoice));

/** Makes the path items of `GET /NAME`, `POST /NAME/search`, `GET /NAME/{id}` and `GET /NAME/{id}/changes`. */
export function collectionPaths(collection: Collection) {
  const { record, schema, examples, summaries } = collection;
  const tag = `${record}s`;
  const path = `${tag.toLowerCase()}-api`;
  const dataset = tag.toLowerCase() as Dataset;
  const details = dataset === "funders" ? funderChoice : opportunityChoice;
  const chosen = name(
    `${record}Fields`,
    z
      .object({ ...schema.partial().shape, id: schema.shape.id, details: details.optional() })
      .meta({ description: `A ${record.toLowerCase()} with the fields that \`fields\` names.` }),
  );
  const chosenList = name(
    `${record}FieldsList`,
    listOf(chosen).meta({ description: "A page of records with the fields that `fields` names." }),
  );
  const list = name(
    `${record}List`,
    listOf(name(record, schema)).meta({ description: `A page of ${record.toLowerCase()}s.` }),
  );
  const listAnswer = {
    description: "A page of the list, or with `count_only` its total; with `format=csv` all of it.",
    headers: responseHeaders("X-Total-Count", "Content-Disposition", ...(collection.listHeaders ?? [])),
    content: {
      // The first is the default in forms that try a request.
      ...jsonContent(
        { anyOf: [referenceTo(list), referenceTo(chosenList), referenceTo(total)] },
        { page: examples.list, count_only: { total: 129 } },
      ),
      "text/csv": {
        schema: {
          type: "string",
          description:
            "A header line with the fields' names, then one record after the other (RFC 4180, CRLF); text with line breaks is in quotes. Items of a list are separated by `; `, and in quotes where needed. Text that a spreadsheet might run as a formula has an apostrophe before it; docs/csv.md says how to remove it.",
        },
      },
    },
  };
  return {
    [`/${path}`]: {
      get: {
        operationId: `list${record}s`,
        tags: [tag],
        summary: summaries.list,
        parameters: [...queryParameters(collection.parameters), parameter("RequestId")],
        responses: {
          200: listAnswer,
          ...failuresOf("InvalidParameters", "Forbidden", ...ofEveryKey),
        },
      },
    },
    [`/${path}/search`]: {
      post: {
        operationId: `search${record}s`,
        tags: [tag],
        summary: `${summaries.list} by a query in the body`,
        description: `The list of \`GET /${path}\` for a query that is too long for an address: the same parameters, the same answer. A list may be an array.`,
        parameters: [parameter("RequestId")],
        requestBody: {
          required: true,
          content: jsonContent(
            // It stands here, and not by name: behind the parameters of the same words it adds next to nothing to the compressed Worker.
            bodySchema(collection.parameters),
            { search: { search: "water", search_mode: "hybrid", limit: 10 } },
          ),
        },
        responses: {
          200: listAnswer,
          ...failuresOf("InvalidRequest", "Forbidden", "BodyTooLarge", "UnsupportedMediaType", ...ofEveryKey),
        },
      },
    },
    [`/${path}/{id}`]: {
      get: {
        operationId: `get${record}`,
        tags: [tag],
        summary: summaries.single,
        parameters: [
          parameter("Id"),
          ...queryParameters(recordParameters(dataset).schema),
          parameter("IfNoneMatch"),
          parameter("RequestId"),
        ],
        responses: {
          200: {
            description: "The record.",
            headers: responseHeaders("ETag"),
            content: jsonContent({ anyOf: [referenceTo(schema), referenceTo(chosen)] }, { record: examples.single }),
          },
          304: { description: "The client has the current record.", headers: responseHeaders("ETag") },
          ...recordFailures,
        },
      },
    },
    [`/${path}/{id}/changes`]: {
      get: {
        operationId: `list${record}Changes`,
        tags: [tag],
        summary: `List what changed in a ${record.toLowerCase()}`,
        parameters: [parameter("Id"), ...queryParameters(changesParameters.schema), parameter("RequestId")],
        responses: {
          200: {
            description: "The record's changes, newest first, as far as imports noted them.",
            headers: responseHeaders(),
            content: jsonContent(referenceTo(recordChanges)),
          },
          ...recordFailures,
        },
      },
    },
  };
}
