import { account, accountChanges } from "../shared/responses/account/account.ts";
import { auditLog, auditLogParameters } from "../shared/responses/account/audit-log.ts";
import {
  accountKey,
  accountKeys,
  explorerKey,
  keyChanges,
  newKey,
  repeatableKey,
  rotation,
} from "../shared/responses/account/keys.ts";
import { latestRecords, latestRecordsParameters } from "../shared/responses/account/latest-records.ts";
import { loggedRequest, loggedRequests, requestListParameters } from "../shared/responses/account/requests.ts";
import { accountUsage, usageParameters } from "../shared/responses/account/usage.ts";
import { billingOperations } from "./account-billing.ts";
import { memberOperations } from "./account-members.ts";
import { type AccountOperation, describeOperation } from "./account-operation.ts";
import { savedSearchOperations } from "./account-saved-searches.ts";
import { webhookOperations } from "./account-webhooks.ts";
import { bodySchema } from "./json-schema.ts";

/** Routes of `functions/account-api/index.ts`, by method and path. */
const operations: Record<string, AccountOperation> = {
  "GET /account-api": {
    operationId: "getAccount",
    summary: "Get the account, its tier and subscription, and today's quota",
    answer: ["Account", account],
  },
  "PATCH /account-api": {
    operationId: "updateAccount",
    summary: "Change the account's settings",
    isForOwners: true,
    body: ["AccountChanges", accountChanges],
    answer: ["Account", account],
  },
  "GET /account-api/keys": {
    operationId: "listKeys",
    summary: "List the account's keys, the newest first",
    answer: ["AccountKeys", accountKeys],
  },
  "POST /account-api/keys": {
    operationId: "createKey",
    summary: "Create a key",
    description: "The answer has the key's text, which is not shown again.",
    body: ["NewKey", newKey],
    status: 201,
    answer: ["IssuedKey", repeatableKey],
  },
  "PATCH /account-api/keys/{id}": {
    operationId: "updateKey",
    summary: "Change a key's limits",
    description: "They hold from the key's next request on.",
    body: ["KeyChanges", keyChanges],
    answer: ["AccountKey", accountKey],
  },
  "POST /account-api/explorer-key": {
    operationId: "createExplorerKey",
    summary: "Create a short-lived key",
    description:
      "The dashboard's explorer sends requests with it. It ends by itself, in 15 minutes unless the operator chose another time. A user has a few at most in an account: one more ends the one of theirs that would expire first.",
    status: 201,
    answer: ["ExplorerKey", explorerKey],
  },
  "POST /account-api/keys/{id}/rotate": {
    operationId: "rotateKey",
    summary: "Replace a key",
    description: "The old key works beside the new one until the overlap is over.",
    body: ["Rotation", rotation],
    status: 201,
    answer: ["IssuedKey", repeatableKey],
  },
  "POST /account-api/keys/{id}/revoke": {
    operationId: "revokeKey",
    summary: "End a key at once",
    description: "Ending it again is not an error.",
    answer: ["AccountKey", accountKey],
  },
  "GET /account-api/usage": {
    operationId: "getUsage",
    summary: "Get requests, errors and response times",
    query: usageParameters,
    answer: ["AccountUsage", accountUsage],
  },
  "GET /account-api/requests": {
    operationId: "listRequests",
    summary: "List the account's latest requests, one by one",
    description:
      "Newest first, for seven days, unless the operator chose another time. Of each hour the first 500 that were answered are kept, and as many that failed; all are in the usage.",
    query: requestListParameters,
    answer: ["LoggedRequests", loggedRequests],
  },
  "GET /account-api/requests/{request_id}": {
    operationId: "getRequest",
    summary: "Get a request by the `X-Request-Id` of its answer",
    description: "The latest, where a client sent an id of its own more than once.",
    answer: ["LoggedRequest", loggedRequest],
  },
  "GET /account-api/latest-records": {
    operationId: "getLatestRecords",
    summary: "List opportunities that are new, and those that close next",
    description:
      "In short, for an overview: up to six of each. It counts against no quota. Without API access there are none.",
    query: latestRecordsParameters,
    answer: ["LatestRecords", latestRecords],
  },
  "GET /account-api/audit-log": {
    operationId: "listAuditLog",
    summary: "List what changed in the account, when and by whom",
    description:
      "Newest first, for 400 days, unless the operator chose another time: keys, webhooks, saved searches, digests, the account's settings, its subscription, its members and invitations.",
    query: auditLogParameters,
    answer: ["AuditLog", auditLog],
  },
  ...memberOperations,
  ...billingOperations,
  ...webhookOperations,
  ...savedSearchOperations,
};

/** Schemas of request bodies, for `components`. */
export const accountSchemas = Object.fromEntries(
  Object.values(operations).flatMap(({ body }) => (body === undefined ? [] : [[body[0], bodySchema(body[1])]])),
);

/** Routes of the account API, as path items. */
export const accountPaths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {};
for (const [address, operation] of Object.entries(operations)) {
  const [method = "", path = ""] = address.split(" ");
  accountPaths[path] = {
    ...accountPaths[path],
    [method.toLowerCase()]: describeOperation(path, method.toLowerCase(), operation),
  };
}
