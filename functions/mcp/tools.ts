import { defaultScope, scopeHint } from "../../shared/responses/scope.ts";
import { type Arguments, notOfTool, type Tool, toolOf } from "./tool.ts";

const list =
  "Answers { results, pagination: { total, ... }, meta }. Results show the passage of each long description that was found, or its start; get_record gives all of it. Amounts are US dollars.";
const scope = `By default it finds ${defaultScope}. ${scopeHint} For those open now, set status=open.`;
const searching =
  "Write `search` in plain words and set search_mode=hybrid to find what means the same; keyword needs every word to be there. Ask for few results at a time (limit=5) and page with offset.";

/** What lists have, but for files, copies of the catalogue, and what other tools do. */
const search = {
  refusals: {
    format: `${notOfTool}, which always answers JSON`,
    archived_as_ids: `${notOfTool}; include_archived=true gives archived records as well`,
    ids: `${notOfTool}; get_records gives records by their ids`,
  },
  added: ({ search: text }: Arguments) => (text === undefined ? {} : { highlight: true }),
};

/** Arguments by which a list is the feed of changes. */
function feedOf({ type }: Arguments): Arguments {
  const order = { sort_by: "updated_at", order: "asc" };
  return type === "funders" ? order : { ...order, opportunity_type: "all", archived_as_ids: true };
}

/** Arguments by which a list finds opportunities by what their documents say, and shows it. */
const inDocuments = {
  search_in: "documents",
  passages: true,
  fields: ["title", "status", "deadline_date", "listing_url"],
};

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
  toolOf({
    name: "search_passages",
    title: "Search the text of notices",
    description:
      "Finds what the documents of grants or contracts (notices of funding, statements of work, attachments) say: who may apply, cost sharing, page limits, how proposals are scored. Gives opportunities, the best first, each with up to three passages that have what was searched for. Answer from the passages and cite page and url of each, which opens a PDF at that page (#page=12); where url is null, cite name and page. Write `search` as few words that the text would have. Ask for few results (limit=5) and page with cursor. get_document, by document_id, gives what stands before and after.",
    path: "/{type}-api",
    types: ["grants", "contracts"],
    only: [
      ...["search", "status", "opportunity_type", "agency", "category", "funder_id"],
      ...["states", "include_national", "deadline_after", "deadline_before", "closing_within", "limit", "cursor"],
    ],
    required: ["search"],
    added: () => inDocuments,
    hasWholeTexts: true,
  }),
  toolOf({
    name: "get_document",
    title: "Read a document",
    description:
      "Gives the text of one document of grants or contracts by its id, the document_id of search_passages: its records, the facts that a program read in it (deadlines, page limits, cost sharing), and its passages in order, each with page, heading and url. With page, that page's passages alone; else page with limit and offset. Cite page and url, which opens a PDF at that page. problem says why a document could not be read; is_cut, that its end is missing.",
    path: "/documents/{id}",
    hasWholeTexts: true,
  }),
];
