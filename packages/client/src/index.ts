export { type ClientOptions, createFundingClient, type FundingClient } from "./client.ts";
export type {
  Chosen,
  Collection,
  FieldName,
  ListQuery,
  MirrorBatch,
  MirrorPosition,
  MirrorQuery,
  RecordChange,
  RecordQuery,
  RequestOptions,
} from "./collection.ts";
export {
  isProblem,
  type ProblemDocument,
  ProblemError,
  type ProblemName,
  UnexpectedResponseError,
} from "./problems.ts";
export type { RetryOptions } from "./retry.ts";
export type { components, operations, paths } from "./schema.generated.ts";
export type { Snapshots } from "./snapshots.ts";
export type {
  Award,
  AwardQuery,
  Contract,
  DocumentAnswer,
  DocumentPassage,
  DocumentQuery,
  Funder,
  FunderStatistics,
  Grant,
  ListMeta,
  MultiSearchAnswer,
  OpportunityDetails,
  Page,
  Pagination,
  RecordChanges,
  Search,
  SearchResult,
  SemanticSearchAnswer,
  SemanticSearchRequest,
  Snapshot,
  Suggestion,
  SuggestionsAnswer,
  SuggestQuery,
} from "./types.ts";
