import * as z from "zod";
import { listInQuery, repeatedNames } from "../shared/validation/query.ts";
import { type JsonSchema, requestSchema } from "./json-schema.ts";

/** An OpenAPI Parameter Object, or a reference to one. */
export type Parameter = Record<string, unknown>;

/** Makes the query parameters of a schema in `shared/validation`. Lists of codes are comma-separated, names repeat the parameter. */
export function queryParameters(schema: z.ZodType): Parameter[] {
  const { properties = {}, required = [] } = requestSchema(schema);
  const repeated = repeatedNames(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, deprecated, ...rest } = property as JsonSchema;
    const { items, anyOf = [] } = rest as { items?: { enum?: unknown[] }; anyOf?: JsonSchema[] };
    const isArray = [rest, ...anyOf].some(({ type }) => type === "array");
    // Of one possible value, there are never several.
    const isList = isArray && items?.enum?.length !== 1;
    return {
      name,
      in: "query",
      description: isList
        ? `${description} ${repeated.has(name) ? listInQuery.names : listInQuery.codes}`
        : description,
      ...(deprecated === true ? { deprecated } : {}),
      ...(required.includes(name) ? { required: true } : {}),
      ...(isArray ? { style: "form", explode: repeated.has(name) } : {}),
      schema: rest,
    };
  });
}

/** Parameters that operations reference by name. */
export const sharedParameters = {
  Id: {
    name: "id",
    in: "path",
    required: true,
    description: "The record's id.",
    schema: { ...requestSchema(z.guid()), examples: ["cb75c555-bd5f-891d-a251-07bba87727b9"] },
  },
  DocumentId: {
    name: "id",
    in: "path",
    required: true,
    description: "The document's id, which `passages`, `documents_read` and `document_facts` have.",
    schema: { ...requestSchema(z.guid()), examples: ["0b9f4b6e-5b0a-6f0d-8c55-3f1a2d4c7e90"] },
  },
  OpportunityId: {
    name: "oppId",
    in: "path",
    required: true,
    description: "The opportunity's id: that of the grant.",
    schema: { ...requestSchema(z.guid()), examples: ["cb75c555-bd5f-891d-a251-07bba87727b9"] },
  },
  AwardId: {
    name: "awdId",
    in: "path",
    required: true,
    description: "The award's id: that of the grant.",
    schema: { ...requestSchema(z.guid()), examples: ["cb75c555-bd5f-891d-a251-07bba87727b9"] },
  },
  OrganizationId: {
    name: "orgId",
    in: "path",
    required: true,
    description: "The organization's id: that of the funder.",
    schema: { ...requestSchema(z.guid()), examples: ["3fcba028-2b9c-8a62-a983-a71781e55569"] },
  },
  EventId: {
    name: "event_id",
    in: "path",
    required: true,
    description: "The event's id.",
    schema: { ...requestSchema(z.guid()), examples: ["8f14e45f-ceea-467f-a0e6-f3b0c44298f0"] },
  },
  LoggedRequestId: {
    name: "request_id",
    in: "path",
    required: true,
    description: "The `X-Request-Id` of an answer.",
    schema: { type: "string", pattern: "^[\\w.:-]{1,128}$", examples: ["7d444840-9dc0-41d1-b245-5ffdce74fad2"] },
  },
  SnapshotId: {
    name: "id",
    in: "path",
    required: true,
    description: "The snapshot's id, or `latest` for the newest.",
    schema: { type: "string", examples: ["latest"] },
  },
  SnapshotFile: {
    name: "file",
    in: "path",
    required: true,
    description: "The file's name.",
    schema: { type: "string", examples: ["grants.jsonl.gz"] },
  },
  AddressToken: {
    name: "token",
    in: "path",
    required: true,
    description: "The secret of the saved search's address.",
    schema: { type: "string", pattern: "^fo_feed_[0-9A-Za-z]{38}$" },
  },
  UnsubscribeToken: {
    name: "token",
    in: "path",
    required: true,
    description: "The token in an e-mail.",
    schema: { type: "string", pattern: "^fo_mail_[0-9A-Za-z]{38}$" },
  },
  IfModifiedSince: {
    name: "If-Modified-Since",
    in: "header",
    description: "The `Last-Modified` of the client's copy, for clients without tags. `If-None-Match` comes before it.",
    schema: { type: "string" },
  },
  Range: {
    name: "Range",
    in: "header",
    description: "A part of the file, such as the rest of one whose download broke off: `bytes=500-`.",
    schema: { type: "string", examples: ["bytes=500-"] },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of the client's copy. If it is current, the answer is 304 without a body.",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes the request once, however often it is sent: a repetition within 24 hours, with the same body, gets the first answer again. The same key with another request is a 409. A request that failed may be sent again with its key. Any text that nobody guesses, such as a random UUID.",
    schema: {
      type: "string",
      pattern: "^[\\x21-\\x7e]{16,255}$",
      examples: ["6b1f2e0c-9a53-4c1e-8a4e-0f6d5b7c2a10"],
    },
  },
  AccountId: {
    name: "X-Account-Id",
    in: "header",
    description:
      "Account that the request is about: the `account_id` of one that `GET /account-api/memberships` lists. Without it, the caller's own.",
    schema: { type: "string", format: "uuid", examples: ["8c0f2a54-6f4b-4d0e-9d55-0b6f0c1f6a11"] },
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description: "An id for this request, returned in the answer. An id that does not match the pattern is replaced.",
    schema: { type: "string", pattern: "^[\\w.:-]{1,128}$", examples: ["my-request.42"] },
  },
} satisfies Record<string, Parameter>;

/** Reference to a shared parameter. */
export function parameter(name: keyof typeof sharedParameters): Parameter {
  return { $ref: `#/components/parameters/${name}` };
}
