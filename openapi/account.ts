import type * as z from "zod";
import { account } from "../shared/account/schemas/account.ts";
import { accountKey, accountKeys, issuedKey, newKey, rotation } from "../shared/account/schemas/keys.ts";
import { accountUsage, usageParameters } from "../shared/account/schemas/usage.ts";
import { webhookOperations } from "./account-webhooks.ts";
import { responseHeaders } from "./headers.ts";
import { name, referenceTo, requestSchema } from "./json-schema.ts";
import { parameter, queryParameters } from "./parameters.ts";
import { type FailureName, failuresOf } from "./problems.ts";

/** An operation of somebody who signed in to the dashboard. */
export interface AccountOperation {
  operationId: string;
  summary: string;
  description?: string;
  query?: z.ZodType;
  /** The name and the schema of the request's body. */
  body?: [name: string, schema: z.ZodType];
  /** The status of success, 200 unless it says otherwise, and what the answer is called. */
  status?: 200 | 201;
  answer: [name: string, schema: z.ZodType];
  failures?: FailureName[];
}

/** Every route of `shared/account/routes.ts`, by path and method. */
const operations: Record<string, Record<string, AccountOperation>> = {
  "/account-api": {
    get: {
      operationId: "getAccount",
      summary: "Get the account, its tier and subscription, and today's quota",
      answer: ["Account", account],
      failures: ["InvalidParameters"],
    },
  },
  "/account-api/keys": {
    get: {
      operationId: "listKeys",
      summary: "List the account's keys, the newest first",
      answer: ["AccountKeys", accountKeys],
      failures: ["InvalidParameters"],
    },
    post: {
      operationId: "createKey",
      summary: "Create a key",
      description: "The answer has the key's text, which is shown nowhere else ever again.",
      body: ["NewKey", newKey],
      status: 201,
      answer: ["IssuedKey", issuedKey],
    },
  },
  "/account-api/keys/{id}/rotate": {
    post: {
      operationId: "rotateKey",
      summary: "Replace a key",
      description: "The old key works beside the new one until the overlap is over.",
      body: ["Rotation", rotation],
      status: 201,
      answer: ["IssuedKey", issuedKey],
      failures: ["AccountNotFound"],
    },
  },
  "/account-api/keys/{id}/revoke": {
    post: {
      operationId: "revokeKey",
      summary: "End a key at once",
      description: "Ending it again is no error.",
      answer: ["AccountKey", accountKey],
      failures: ["InvalidParameters", "AccountNotFound"],
    },
  },
  "/account-api/usage": {
    get: {
      operationId: "getUsage",
      summary: "Get requests, errors and response times",
      query: usageParameters,
      answer: ["AccountUsage", accountUsage],
      failures: ["InvalidParameters", "AccountNotFound"],
    },
  },
  ...webhookOperations,
};

/** The schemas of request bodies, for `components`. */
export const accountSchemas = Object.fromEntries(
  Object.values(operations)
    .flatMap((item) => Object.values(item))
    .flatMap(({ body }) => (body === undefined ? [] : [[body[0], requestSchema(body[1])]])),
);

export const accountPaths = Object.fromEntries(
  Object.entries(operations).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, describe(path, operation)])),
  ]),
);

function describe(path: string, { query, body, status = 200, answer, failures = [], ...words }: AccountOperation) {
  return {
    ...words,
    tags: ["Account"],
    security: [{ signIn: [] }],
    parameters: [
      ...(path.includes("{id}") ? [parameter("Id")] : []),
      ...(path.includes("{event_id}") ? [parameter("EventId")] : []),
      ...(query === undefined ? [] : queryParameters(query)),
      parameter("RequestId"),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonOf(`#/components/schemas/${body[0]}`) } }),
    responses: {
      [status]: {
        description: status === 201 ? "Made." : "As asked.",
        headers: responseHeaders(),
        content: jsonOf(referenceTo(name(...answer)).$ref),
      },
      ...failuresOf(
        "NotSignedIn",
        "EmailNotConfirmed",
        ...(body === undefined ? [] : (["InvalidRequest", "BodyTooLarge", "UnsupportedMediaType"] as const)),
        ...failures,
        // A first request opens the account, which somebody else may have.
        "Conflict",
        "ServerError",
        "Unavailable",
      ),
    },
  };
}

function jsonOf($ref: string) {
  return { "application/json": { schema: { $ref } } };
}
