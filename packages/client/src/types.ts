import type { components, operations } from "./schema.generated.ts";

type Schemas = components["schemas"];

export type Grant = Schemas["Grant"];
export type Contract = Schemas["Contract"];
export type Funder = Schemas["Funder"];
export type OpportunityDetails = Schemas["OpportunityDetails"];
export type Award = Schemas["Award"];
export type FunderStatistics = Schemas["FunderStatistics"];
export type AwardsAnswer = Schemas["AwardsAnswer"];
export type DocumentAnswer = Schemas["DocumentAnswer"];
export type DocumentPassage = Schemas["DocumentPassage"];
export type RecordChanges = Schemas["RecordChanges"];
export type ListMeta = Schemas["ListMeta"];
export type Pagination = Schemas["Pagination"];
export type Snapshot = Schemas["Snapshot"];
export type SemanticSearchRequest = Schemas["SemanticSearchRequest"];
export type SemanticSearchAnswer = Schemas["SemanticSearchAnswer"];
export type Suggestion = Schemas["Suggestion"];
export type SuggestionsAnswer = Schemas["SuggestionsAnswer"];

/** A list without its records. It is the same for every dataset. */
type Envelope = Omit<Schemas["GrantList"], "results">;

/** A page of a list. `facets` is present if it was requested. */
export interface Page<Item> extends Envelope {
  results: Item[];
}

export type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]["parameters"]["query"]>;

/** Parameters of which a list may be one value by itself: `category: "Education"` is `category: ["Education"]`. */
type OneOrSeveral<Query> = {
  [Name in keyof Query]: Name extends "fields" | "ids"
    ? Query[Name]
    : NonNullable<Query[Name]> extends readonly (infer Item)[]
      ? Query[Name] | Item
      : Query[Name];
};

export type GrantQuery = OneOrSeveral<QueryOf<"listGrants">>;
export type ContractQuery = OneOrSeveral<QueryOf<"listContracts">>;
export type FunderQuery = OneOrSeveral<QueryOf<"listFunders">>;
export type SuggestQuery = QueryOf<"suggest">;
export type DocumentQuery = QueryOf<"getDocument">;
export type AwardQuery = Omit<QueryOf<"listGrantAwards">, "cursor">;

/** One of the searches of a multi-search. */
export type Search =
  | { endpoint: "grants-api"; parameters?: GrantQuery }
  | { endpoint: "contracts-api"; parameters?: ContractQuery }
  | { endpoint: "funders-api"; parameters?: FunderQuery }
  | { endpoint: "semantic-search"; parameters: SemanticSearchRequest };

/** Answers of the endpoints, by name. */
interface SearchAnswers {
  "grants-api": Page<Grant>;
  "contracts-api": Page<Contract>;
  "funders-api": Page<Funder>;
  "semantic-search": SemanticSearchAnswer;
}

/** What became of one search: the endpoint's answer, or the problem of a search that failed alone. */
export type SearchResult<Endpoint extends Search["endpoint"]> =
  | { status: 200; body: SearchAnswers[Endpoint] }
  | { status: 400 | 401 | 403 | 404 | 429 | 500 | 503; retry_after?: number; body: Schemas["ProblemDocument"] };

/** Answers of several searches, in their order. */
export interface MultiSearchAnswer<Searches extends readonly Search[]> {
  results: { [Index in keyof Searches]: SearchResult<Searches[Index]["endpoint"]> };
  meta: Schemas["MultiSearchAnswer"]["meta"];
}
