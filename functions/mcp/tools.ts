import * as z from "zod";
import { recordParameters } from "../../shared/catalogue/parameters.ts";
import { datasets } from "../../shared/datasets.ts";
import { fail, invalidParameters, type Outcome, succeed } from "../../shared/http/problems.ts";
import { defaultScope, scopeHint } from "../../shared/responses/scope.ts";
import { fieldErrors } from "../../shared/validation/errors.ts";
import { oneOf } from "../../shared/validation/fields.ts";
import description from "../openapi/openapi.json" with { type: "json" };
import { type InputSchema, inputSchemaOf } from "./input-schema.ts";

/** A tool: its description for the model, and how a call becomes a request to the API. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: InputSchema;
  /** Makes the API request of a call, or the problem where the API would not find it. */
  request(given: Record<string, unknown>): Outcome<ToolRequest>;
}

/** A request to the API: the path after `/functions/v1`, and the body of a POST. */
export interface ToolRequest {
  path: string;
  body?: object;
}

/** Parameters of lists that tools do not offer, and what a model that gives one is told. */
const refusals: Readonly<Record<string, string>> = {
  format: "is not a parameter of this tool, which always answers JSON",
  archived_as_ids: "is not a parameter of this tool; include_archived=true gives archived records as well",
};
const omitted = Object.keys(refusals);
const oneRecord = z.object({
  type: oneOf(datasets),
  id: z.guid({ error: "must be a UUID" }),
  ...recordParameters("grants").schema.shape,
  // Which ones there are depends on the type: the API checks.
  fields: z.unknown().optional(),
});

const list =
  "Answers { results, pagination: { total, ... }, meta }. Results show the start of each description; get_record gives all of it. Amounts are US dollars.";
const scope = `By default it finds ${defaultScope}. ${scopeHint} For those open now, set status=open.`;
const searching =
  "Write `search` in plain words and set search_mode=hybrid to find what means the same; keyword needs every word to be there. Ask for few results at a time (limit=5) and page with offset.";

/** Without the alternatives, of which it takes one: clients refuse them at the top of a tool's schema. The API checks. */
const { oneOf: _, ...semanticSearchInput } = description.components.schemas.SemanticSearchRequest;

const { expand: expandInput = {}, fields: fieldsInput = {} } = inputSchemaOf(
  description.paths["/grants-api/{id}"].get,
  omitted,
).properties;

export const tools: readonly Tool[] = [
  {
    name: "search_grants",
    title: "Search grants",
    description: `Finds US grants by text, status, state, amount and deadline. ${scope} For a place, set states to USPS codes and include_national=true, since most national grants name no state. opportunity_type=awarded finds money already given, to see who funds what. ${searching} ${list}`,
    input: inputSchemaOf(description.paths["/grants-api"].get, omitted),
    request: (given) => listRequest("/grants-api", given),
  },
  {
    name: "search_contracts",
    title: "Search contracts",
    description: `Finds US government contracts by text, NAICS industry code, set-aside (HUBZone, 8A, SDVOSB, WOSB...), state, amount and deadline. ${scope} ${searching} ${list}`,
    input: inputSchemaOf(description.paths["/contracts-api"].get, omitted),
    request: (given) => listRequest("/contracts-api", given),
  },
  {
    name: "search_funders",
    title: "Search funders",
    description: `Finds organizations that fund grants and contracts, by name or by what they fund: federal and state agencies, foundations. ${searching} ${list}`,
    input: inputSchemaOf(description.paths["/funders-api"].get, omitted),
    request: (given) => listRequest("/funders-api", given),
  },
  {
    name: "get_record",
    title: "Get a record",
    description:
      "Gives one grant, contract or funder with its whole description, by the id that a search gave; with expand also who may apply, agency, assistance listings, documents and the hour of the deadline, as far as the source says. A grant's or contract's funder_id is the id of its funder.",
    input: {
      type: "object",
      properties: {
        type: { type: "string", enum: datasets, description: "What the id is of." },
        id: { type: "string", format: "uuid", description: "The record's id." },
        expand: expandInput,
        // Those of all types.
        fields: { ...fieldsInput, items: { type: "string", examples: ["title"] } },
      },
      required: ["type", "id"],
      additionalProperties: false,
    },
    request(given) {
      const read = oneRecord.safeParse(given);
      if (!read.success) return fail(invalidParameters(fieldErrors(read.error, given)));
      const { type, id, ...parts } = read.data;
      return succeed({ path: `/${type}-api/${id}${queryText(parts)}` });
    },
  },
  {
    name: "semantic_search",
    title: "Search by meaning",
    description: `Finds grants and contracts together by what a sentence means, the most relevant first, each with type and relevance_score: ${defaultScope}. ${scopeHint} Best for an open question in plain words ("money for kids who go hungry in summer"); to filter or count, or for open ones alone, use search_grants or search_contracts. An empty list means that nothing here is about it.`,
    input: semanticSearchInput as unknown as InputSchema,
    request: (given) => succeed({ path: "/semantic-search", body: given }),
  },
];

/** Makes the request of a list. Tools always answer JSON: a model cannot read a file. Ids of archived records are for copies. */
function listRequest(path: string, given: Record<string, unknown>): Outcome<ToolRequest> {
  const errors = Object.entries(refusals)
    .filter(([parameter]) => Object.hasOwn(given, parameter))
    .map(([parameter, message]) => ({ parameter, message }));
  return errors.length > 0 ? fail(invalidParameters(errors)) : succeed({ path: `${path}${queryText(given)}` });
}

/** Writes arguments as a query string. A list's values repeat its name: names may have commas. */
function queryText(given: Record<string, unknown>): string {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
