import { createBody, seenBody, updateBody } from "../functions/account-api/saved-search-bodies.ts";
import {
  deletedSavedSearch,
  repeatableAddress,
  savedSearch,
  savedSearchList,
} from "../shared/responses/account/saved-searches.ts";
import type { AccountOperation } from "./account-operation.ts";

/** Routes of the account API for saved searches, by method and path. */
export const savedSearchOperations: Record<string, AccountOperation> = {
  "GET /account-api/saved-searches": {
    operationId: "listSavedSearches",
    summary: "List the account's saved searches, with their new records",
    answer: ["SavedSearchList", savedSearchList],
  },
  "POST /account-api/saved-searches": {
    operationId: "createSavedSearch",
    summary: "Save a search",
    description: "Nothing that is in the catalogue already is new.",
    body: ["NewSavedSearch", createBody.schema],
    status: 201,
    answer: ["SavedSearch", savedSearch],
  },
  "GET /account-api/saved-searches/{id}": {
    operationId: "getSavedSearch",
    summary: "Get a saved search",
    answer: ["SavedSearch", savedSearch],
  },
  "PATCH /account-api/saved-searches/{id}": {
    operationId: "updateSavedSearch",
    summary: "Rename a saved search, change what it looks for, or set its digest",
    body: ["SavedSearchChanges", updateBody.schema],
    answer: ["SavedSearch", savedSearch],
  },
  "DELETE /account-api/saved-searches/{id}": {
    operationId: "deleteSavedSearch",
    summary: "Delete a saved search, and end its address and its digest",
    answer: ["DeletedSavedSearch", deletedSavedSearch],
  },
  "POST /account-api/saved-searches/{id}/seen": {
    operationId: "markSavedSearchSeen",
    summary: "Mark a saved search's new records as seen",
    body: ["SeenMark", seenBody.schema],
    answer: ["SavedSearch", savedSearch],
  },
  "POST /account-api/saved-searches/{id}/address": {
    operationId: "issueSavedSearchAddress",
    summary: "Give a saved search a new secret address for its feed and calendar",
    description: "The answer has the token, which is not shown again. A former address ends at once.",
    status: 201,
    answer: ["IssuedSavedSearchAddress", repeatableAddress],
  },
  "POST /account-api/saved-searches/{id}/address/revoke": {
    operationId: "revokeSavedSearchAddress",
    summary: "End a saved search's secret address at once",
    description: "Ending it again is not an error.",
    answer: ["SavedSearch", savedSearch],
  },
};
