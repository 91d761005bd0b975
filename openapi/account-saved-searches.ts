import { createBody, seenBody, updateBody } from "../functions/account-api/saved-search-bodies.ts";
import {
  deletedSavedSearch,
  repeatableAddress,
  savedSearch,
  savedSearchList,
} from "../shared/responses/account/saved-searches.ts";
import type { AccountOperation } from "./account-operation.ts";

const unknown = ["AccountNotFound"] as const;
const unknownOrInvalid = ["InvalidParameters", "AccountNotFound"] as const;

/** Routes of the account API for saved searches, by path and method. */
export const savedSearchOperations: Record<string, Record<string, AccountOperation>> = {
  "/account-api/saved-searches": {
    get: {
      operationId: "listSavedSearches",
      summary: "List the account's saved searches, with their new records",
      answer: ["SavedSearchList", savedSearchList],
      failures: ["InvalidParameters"],
    },
    post: {
      operationId: "createSavedSearch",
      summary: "Save a search",
      description: "Nothing that is in the catalogue already is new.",
      body: ["NewSavedSearch", createBody.schema],
      status: 201,
      answer: ["SavedSearch", savedSearch],
    },
  },
  "/account-api/saved-searches/{id}": {
    get: {
      operationId: "getSavedSearch",
      summary: "Get a saved search",
      answer: ["SavedSearch", savedSearch],
      failures: [...unknownOrInvalid],
    },
    patch: {
      operationId: "updateSavedSearch",
      summary: "Rename a saved search, change what it looks for, or set its digest",
      body: ["SavedSearchChanges", updateBody.schema],
      answer: ["SavedSearch", savedSearch],
      failures: [...unknown],
    },
    delete: {
      operationId: "deleteSavedSearch",
      summary: "Delete a saved search, and end its address and its digest",
      answer: ["DeletedSavedSearch", deletedSavedSearch],
      failures: [...unknownOrInvalid],
    },
  },
  "/account-api/saved-searches/{id}/seen": {
    post: {
      operationId: "markSavedSearchSeen",
      summary: "Mark a saved search's new records as seen",
      body: ["SeenMark", seenBody.schema],
      answer: ["SavedSearch", savedSearch],
      failures: [...unknown],
    },
  },
  "/account-api/saved-searches/{id}/address": {
    post: {
      operationId: "issueSavedSearchAddress",
      summary: "Give a saved search a new secret address for its feed and calendar",
      description: "The answer has the token, which is not shown again. A former address ends at once.",
      status: 201,
      answer: ["IssuedSavedSearchAddress", repeatableAddress],
      failures: [...unknownOrInvalid],
    },
  },
  "/account-api/saved-searches/{id}/address/revoke": {
    post: {
      operationId: "revokeSavedSearchAddress",
      summary: "End a saved search's secret address at once",
      description: "Ending it again is not an error.",
      answer: ["SavedSearch", savedSearch],
      failures: [...unknownOrInvalid],
    },
  },
};
