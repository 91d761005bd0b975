import * as z from "zod";
import { datasets } from "../../shared/datasets.ts";
import { type FieldError, fail, invalidParameters, type Outcome, succeed } from "../../shared/http/problems.ts";
import { defaultScope, scopeHint } from "../../shared/responses/scope.ts";
import { fieldErrors } from "../../shared/validation/errors.ts";
import { oneOf } from "../../shared/validation/fields.ts";
import { type InputSchema, inputSchemaOf } from "./input-schema.ts";
import { operationOf } from "./operation.ts";
import { type OutputSchema, outputSchemaOf } from "./output-schema.ts";

type Arguments = Record<string, unknown>;

/** A tool: its description for the model, and how a call becomes a request to the API. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: InputSchema;
  output: OutputSchema;
  /** Whether results have their long texts whole, not their beginnings. */
  hasWholeTexts: boolean;
  /** Makes the API request of a call, or the problem where the API would not find it. */
  request(given: Arguments): Outcome<ToolRequest>;
}

/** A request to the API: the path after `/functions/v1`, and the body of a POST. */
export interface ToolRequest {
  path: string;
  body?: object;
}

/** A tool in terms of the API's operation, which has its arguments and its answers. */
interface Declaration {
  name: string;
  title: string;
  description: string;
  method?: "get" | "post";
  /** The operation's path. `{type}` stands for a dataset: the tool has that argument, and the operations of all datasets. */
  path: string;
  /** Arguments that the tool has; all by default. */
  only?: readonly string[];
  /** Arguments that must be given, beside those of the path and those that the operation requires. */
  required?: readonly "ids"[];
  /** Arguments that the tool lacks, and what a model that gives one is told. */
  refusals?: Readonly<Record<string, string>>;
  /** Arguments that the tool adds to those of a call. */
  added?(given: Arguments): Arguments;
  hasWholeTexts?: boolean;
}

/** Checks of what the API cannot check, as it would not be asked, or asked something else. */
const checked = {
  type: oneOf(datasets),
  id: z.guid({ error: "must be a UUID" }),
  ids: z.union([z.string(), z.array(z.unknown())], { error: "must be UUIDs" }),
};

function toolOf(declaration: Declaration): Tool {
  const { name, title, description, path, method = "get", only, refusals = {}, added } = declaration;
  const { required = [], hasWholeTexts = false } = declaration;
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable as keyof typeof checked);
  const isGeneric = ofPath.includes("type");
  const types = isGeneric ? datasets : [""];
  const operations = types.map((type) => operationOf(method, path.replace("{type}", type)));
  const isOffered = (argument: string) =>
    ofPath.some((one) => one === argument) || (only?.includes(argument) ?? !Object.hasOwn(refusals, argument));
  const offered = inputSchemaOf(operations, isOffered);
  const answers = new Map(operations.flatMap((one) => one.answers.map((answer) => [JSON.stringify(answer), answer])));
  const input: InputSchema = {
    type: "object",
    properties: { ...(isGeneric ? { type: datasetArgument } : {}), ...offered.properties },
    required: [...(isGeneric ? ["type"] : []), ...offered.required, ...required],
  };
  const hidden = new Set(
    operations.flatMap((operation) => operation.arguments.flatMap((one) => (isOffered(one.name) ? [] : [one.name]))),
  );
  const check = z.object(Object.fromEntries([...ofPath, ...required].map((argument) => [argument, checked[argument]])));
  return {
    name,
    title,
    description,
    input,
    output: outputSchemaOf([...answers.values()]),
    hasWholeTexts,
    request(given) {
      const refused = Object.keys(given)
        .filter((argument) => hidden.has(argument))
        .map((argument): FieldError => ({ parameter: argument, message: refusals[argument] ?? notOfThisTool }));
      if (refused.length > 0) return fail(invalidParameters(refused));
      const read = check.safeParse(given);
      if (!read.success) return fail(invalidParameters(fieldErrors(read.error, given)));
      const rest = Object.entries({ ...added?.(given), ...given }).filter(
        ([argument]) => !ofPath.some((one) => one === argument),
      );
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => String(read.data[variable]));
      if (method === "post") return succeed({ path: filled, body: Object.fromEntries(rest) });
      return succeed({ path: `${filled}${queryText(rest)}` });
    },
  };
}

const datasetArgument = { type: "string", enum: datasets, description: "What the records are." };
const notOfThisTool = "is not a parameter of this tool";

/** Writes arguments as a query string. A list's values repeat its name: names may have commas. */
function queryText(given: readonly [string, unknown][]): string {
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

const list =
  "Answers { results, pagination: { total, ... }, meta }. Results show the passage of each long description that was found, or its start; get_record gives all of it. Amounts are US dollars.";
const scope = `By default it finds ${defaultScope}. ${scopeHint} For those open now, set status=open.`;
const searching =
  "Write `search` in plain words and set search_mode=hybrid to find what means the same; keyword needs every word to be there. Ask for few results at a time (limit=5) and page with offset.";

/** What lists have, but for files, copies of the catalogue, and what other tools do. */
const search = {
  refusals: {
    format: `${notOfThisTool}, which always answers JSON`,
    archived_as_ids: `${notOfThisTool}; include_archived=true gives archived records as well`,
    ids: `${notOfThisTool}; get_records gives records by their ids`,
  },
  added: ({ search: text }: Arguments) => (text === undefined ? {} : { highlight: true }),
};

/** Arguments by which a list is the feed of changes. */
function feedOf({ type }: Arguments): Arguments {
  const order = { sort_by: "updated_at", order: "asc" };
  return type === "funders" ? order : { ...order, opportunity_type: "all", archived_as_ids: true };
}

export const tools: readonly Tool[] = [
  toolOf({
    name: "search_grants",
    title: "Search grants",
    description: `Finds US grants by text, status, state, amount and deadline. ${scope} For a place, set states to USPS codes and include_national=true, since most national grants name no state. opportunity_type=awarded finds money already given, to see who funds what. ${searching} ${list}`,
    path: "/grants-api",
    ...search,
  }),
  toolOf({
    name: "search_contracts",
    title: "Search contracts",
    description: `Finds US government contracts by text, NAICS industry code, set-aside (HUBZone, 8A, SDVOSB, WOSB...), state, amount and deadline. ${scope} ${searching} ${list}`,
    path: "/contracts-api",
    ...search,
  }),
  toolOf({
    name: "search_funders",
    title: "Search funders",
    description: `Finds organizations that fund grants and contracts, by name or by what they fund: federal and state agencies, foundations. ${searching} ${list}`,
    path: "/funders-api",
    ...search,
  }),
  toolOf({
    name: "semantic_search",
    title: "Search by meaning",
    description: `Finds grants and contracts together by what a sentence means, the most relevant first, each with type and relevance_score: ${defaultScope}. ${scopeHint} Best for an open question in plain words ("money for kids who go hungry in summer"); to filter or count, or for open ones alone, use search_grants or search_contracts. An empty list means that nothing here is about it.`,
    method: "post",
    path: "/semantic-search",
    added: ({ query }) => (query === undefined ? {} : { highlight: true }),
  }),
  toolOf({
    name: "suggest",
    title: "Complete a word or name",
    description:
      "Completes the beginning of a word or name (agency, funder, category, assistance listing, NAICS code, set-aside, title), each with the number of current records. Use it to find the exact value of a filter before a search: value is what search_grants or search_contracts take as agency, category, assistance_listing, naics or set_aside; of a funder it is the funder_id.",
    path: "/suggest",
  }),
  toolOf({
    name: "get_record",
    title: "Get a record",
    description:
      "Gives one grant, contract or funder with its whole description, by the id that a search gave; with expand also who may apply, agency, assistance listings, documents and the hour of the deadline, as far as the source says. A grant's or contract's funder_id is the id of its funder.",
    path: "/{type}-api/{id}",
    hasWholeTexts: true,
  }),
  toolOf({
    name: "get_records",
    title: "Get several records",
    description:
      "Gives up to a hundred grants, contracts or funders with their whole descriptions, in the order of their ids, whatever they are: awarded, archived. It counts as one request. missing has the ids that no record has. To compare records, name what matters in fields: whole descriptions are long.",
    path: "/{type}-api",
    only: ["ids", "expand", "fields"],
    required: ["ids"],
    hasWholeTexts: true,
  }),
  toolOf({
    name: "list_awards",
    title: "List the awards of a grant",
    description:
      "Gives who won the money of a grant opportunity, by its id: with expand, each award's recipient and obligated_amount. Where no award names the opportunity's number, link is `programme`: earlier awards of the same programme, which show who tends to win it. certainty says how sure it is.",
    path: "/grants-api/{id}/awards",
  }),
  toolOf({
    name: "list_changes",
    title: "List what changed in the catalogue",
    description:
      "Gives the grants, contracts or funders that were added or changed since a time, the earliest change first; none is passed over. Set updated_after to the time of the last look: meta.last_updated_at of its last page. Page with cursor until pagination.next is null. archived has the ids of those that left the catalogue since. Results show the start of each long description. What changed in one record, list_record_changes says.",
    path: "/{type}-api",
    only: ["updated_after", "limit", "cursor", "expand", "fields"],
    added: feedOf,
  }),
  toolOf({
    name: "list_record_changes",
    title: "List what changed in a record",
    description:
      "Gives what changed in one grant, contract or funder, by its id, the newest change first: each field with its value before and since, such as a deadline that was moved. The list is empty where nothing changed.",
    path: "/{type}-api/{id}/changes",
  }),
];
