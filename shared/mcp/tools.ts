import * as z from "zod";
import description from "../../functions/openapi/openapi.json" with { type: "json" };
import { fail, type Outcome, succeed } from "../http/problems.ts";
import { defaultScope, scopeHint } from "../responses/scope.ts";
import { fieldErrors } from "../validation/errors.ts";
import { oneOf } from "../validation/fields.ts";
import { invalidParameters } from "../validation/query.ts";
import { type InputSchema, inputOf } from "./input-schema.ts";

/** A tool: what a model is told of it, and the request to the API that a call of it is. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: InputSchema;
  /** The request that a call is, or what is wrong with the call where the API would not say it. */
  request(given: Record<string, unknown>): Outcome<ToolRequest>;
}

/** A request to the API: the path after `/functions/v1`, and the body of a POST. */
export interface ToolRequest {
  path: string;
  body?: object;
}

/** Parameters of lists that tools do not have. */
const withheld = ["format"];
const datasets = ["grants", "contracts", "funders"] as const;
const oneRecord = z.object({ type: oneOf(datasets), id: z.guid({ error: "must be a UUID" }) });

const list =
  "Answers { results, pagination: { total, ... }, meta }. Results show the start of each description; get_record gives all of it. Amounts are US dollars.";
const scope = `By default it finds ${defaultScope}. ${scopeHint} For those open now, set status=open.`;
const searching =
  "Write `search` in plain words and set search_mode=hybrid to find what means the same; keyword needs every word to be there. Ask for few results at a time (limit=5) and page with offset.";

export const tools: readonly Tool[] = [
  {
    name: "search_grants",
    title: "Search grants",
    description: `Finds US grants by text, status, state, amount and deadline. ${scope} For a place, set states to USPS codes and include_national=true, since most national grants name no state. opportunity_type=awarded finds money already given, to see who funds what. ${searching} ${list}`,
    input: inputOf(description.paths["/grants-api"].get, withheld),
    request: (given) => listRequest("/grants-api", given),
  },
  {
    name: "search_contracts",
    title: "Search contracts",
    description: `Finds US government contracts by text, NAICS industry code, set-aside (HUBZone, 8A, SDVOSB, WOSB...), state, amount and deadline. ${scope} ${searching} ${list}`,
    input: inputOf(description.paths["/contracts-api"].get, withheld),
    request: (given) => listRequest("/contracts-api", given),
  },
  {
    name: "search_funders",
    title: "Search funders",
    description: `Finds organizations that fund grants and contracts, by name or by what they fund: federal and state agencies, foundations. ${searching} ${list}`,
    input: inputOf(description.paths["/funders-api"].get, withheld),
    request: (given) => listRequest("/funders-api", given),
  },
  {
    name: "get_record",
    title: "Get a record",
    description:
      "Gives one grant, contract or funder with its whole description, by the id that a search gave. A grant's or contract's funder_id is the id of its funder.",
    input: {
      type: "object",
      properties: {
        type: { type: "string", enum: datasets, description: "What the id is of." },
        id: { type: "string", format: "uuid", description: "The record's id." },
      },
      required: ["type", "id"],
      additionalProperties: false,
    },
    request(given) {
      const read = oneRecord.safeParse(given);
      if (!read.success) return fail(invalidParameters(fieldErrors(read.error, given)));
      return succeed({ path: `/${read.data.type}-api/${read.data.id}` });
    },
  },
  {
    name: "semantic_search",
    title: "Search by meaning",
    description: `Finds grants and contracts together by what a sentence means, the most relevant first, each with type and relevance_score: ${defaultScope}. ${scopeHint} Best for an open question in plain words ("money for kids who go hungry in summer"); to filter or count, or for open ones alone, use search_grants or search_contracts. An empty list means that nothing here is about it.`,
    input: description.components.schemas.SemanticSearchRequest as unknown as InputSchema,
    request: (given) => succeed({ path: "/semantic-search", body: given }),
  },
];

/** The request for a list. A file is nothing that a model could read from an answer. */
function listRequest(path: string, given: Record<string, unknown>): Outcome<ToolRequest> {
  const errors = withheld
    .filter((parameter) => parameter in given)
    .map((parameter) => ({ parameter, message: "is not a parameter of this tool, which always answers JSON" }));
  return errors.length > 0 ? fail(invalidParameters(errors)) : succeed({ path: `${path}${queryText(given)}` });
}

/** What was given, as a query string. Lists are comma-separated. */
function queryText(given: Record<string, unknown>): string {
  const pairs = Object.entries(given).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(",") : String(value),
  ]);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
