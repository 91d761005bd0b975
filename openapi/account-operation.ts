import type * as z from "zod";
import { responseHeaders } from "./headers.ts";
import { jsonContent, name, referenceTo } from "./json-schema.ts";
import { parameter, queryParameters } from "./parameters.ts";
import { failuresOf } from "./problems.ts";

/** An operation of a user who signed in to the dashboard. */
export interface AccountOperation {
  operationId: string;
  summary: string;
  description?: string;
  query?: z.ZodType;
  /** Name and schema of the request's body. */
  body?: [name: string, schema: z.ZodType];
  /** Status of success. Default: 200. */
  status?: 200 | 201;
  /** Name and schema of the answer. */
  answer: [name: string, schema: z.ZodType];
  /** A POST that writes nothing: it has no limit, and no Idempotency-Key. */
  isRead?: true;
  /** Owners of the account alone may. */
  isForOwners?: true;
}

/** Makes the OpenAPI operation of a route of the account API. */
export function describeOperation(
  path: string,
  method: string,
  { query, body, status = 200, answer, isRead, isForOwners, ...words }: AccountOperation,
) {
  const isWrite = method !== "get" && !isRead;
  return {
    ...words,
    tags: ["Account"],
    security: [{ signIn: [] }],
    parameters: [
      ...(path.includes("{id}") ? [parameter("Id")] : []),
      ...(path.includes("{event_id}") ? [parameter("EventId")] : []),
      ...(path.includes("{request_id}") ? [parameter("LoggedRequestId")] : []),
      ...(query === undefined ? [] : queryParameters(query)),
      ...(method === "post" && isWrite ? [parameter("IdempotencyKey")] : []),
      parameter("AccountId"),
      parameter("RequestId"),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent({ $ref: `#/components/schemas/${body[0]}` }) } }),
    responses: {
      [status]: {
        description: status === 201 ? "Created." : "Success.",
        headers: responseHeaders(
          ...(isWrite ? (["X-RateLimit-Reset"] as const) : []),
          ...(method === "post" && isWrite ? (["Idempotent-Replayed"] as const) : []),
        ),
        content: jsonContent(referenceTo(name(...answer))),
      },
      ...failuresOf(
        "NotSignedIn",
        isForOwners ? "OwnerRequired" : "EmailNotConfirmed",
        ...(body === undefined
          ? (["InvalidParameters"] as const)
          : (["InvalidRequest", "BodyTooLarge", "UnsupportedMediaType"] as const)),
        // Also where the caller is not in the account of `X-Account-Id`.
        "AccountNotFound",
        // A user's first request opens the account, and the e-mail address may have one already.
        "Conflict",
        ...(isWrite ? (["WriteLimitExceeded"] as const) : []),
        "ServerError",
        "Unavailable",
      ),
    },
  };
}
