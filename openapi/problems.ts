import {
  fieldError,
  type Problem,
  type ProblemName,
  problemBody,
  problemDocument,
  problemStatus,
} from "../shared/http/problems.ts";
import { maximumBodyBytes } from "../shared/validation/body.ts";
import { type HeaderName, responseHeaders } from "./headers.ts";
import { name, referenceTo } from "./json-schema.ts";

name("FieldError", fieldError);
name("ProblemDocument", problemDocument);

/** An example of each problem in the words of the API, with the path where it happened. */
const examples: Record<ProblemName, Omit<Problem, "name"> & { path: string }> = {
  "invalid-parameters": {
    path: "/grants-api",
    detail: "stats is not a parameter of this endpoint; did you mean states?",
    errors: [{ parameter: "stats", message: "is not a parameter of this endpoint; did you mean states?" }],
  },
  "invalid-body": { path: "/semantic-search", detail: "The body is not valid JSON." },
  "invalid-signature": { path: "/billing", detail: "The Stripe-Signature is missing, wrong, or too old." },
  unauthorized: { path: "/grants-api", detail: "The API key is unknown, revoked or expired." },
  "not-signed-in": { path: "/account-api", detail: "The session has ended. Sign in again." },
  forbidden: { path: "/grants-api", detail: "The subscription of this key's account does not include API access." },
  "outside-key-limits": {
    path: "/contracts-api",
    detail: "This key is for grants alone, and the request reads contracts. Use another key, or change its limits.",
  },
  "not-included": { path: "/snapshots", detail: "The tier of this key's account does not include snapshots." },
  "email-not-confirmed": { path: "/account-api", detail: "Confirm your e-mail address first." },
  "role-required": {
    path: "/account-api/invitations",
    detail: "This needs the role owner, and yours in this account is member. Ask one of its owners.",
  },
  "not-found": {
    path: "/grants-api/cb75c555-bd5f-891d-a251-07bba87727b9",
    detail: "There is no record with the id cb75c555-bd5f-891d-a251-07bba87727b9.",
  },
  "unknown-route": { path: "/grants-api/a/b", detail: "There is nothing at this path." },
  conflict: {
    path: "/account-api/keys",
    detail: "The account has 50 active keys, which is the most; revoke one first.",
  },
  "method-not-allowed": { path: "/grants-api", detail: "This path takes GET, HEAD, not DELETE." },
  "body-too-large": { path: "/semantic-search", detail: `The body must be at most ${maximumBodyBytes} bytes.` },
  "unsupported-media-type": {
    path: "/semantic-search",
    detail: "The Content-Type must be application/json, in UTF-8.",
  },
  "quota-exceeded": {
    path: "/grants-api",
    detail: "The account's quota of 1000 requests a day is used up. It resets at midnight UTC.",
  },
  "write-limit-exceeded": {
    path: "/account-api/webhooks/cb75c555-bd5f-891d-a251-07bba87727b9/test",
    detail:
      "The account's limit of 100 test deliveries a day is used up. It starts anew at midnight UTC: 2026-11-23T00:00:00.000Z.",
  },
  "server-error": { path: "/grants-api", detail: "Something went wrong on our side." },
  unavailable: { path: "/grants-api", detail: "The service could not answer in time. Try again shortly." },
};

/** Response of a failure, with its headers besides the common ones. */
export interface Failure {
  description: string;
  problems: readonly ProblemName[];
  headers?: readonly HeaderName[];
}

const failures = {
  InvalidParameters: { description: "A parameter is wrong.", problems: ["invalid-parameters"] },
  InvalidRequest: {
    description: "A field of the body or a parameter is wrong, or the body is not a JSON object.",
    problems: ["invalid-parameters", "invalid-body"],
  },
  Unauthorized: {
    description: "No key, a mistyped one, or one that is unknown, revoked or expired.",
    problems: ["unauthorized"],
    headers: ["WWW-Authenticate"],
  },
  NotSignedIn: {
    description: "No access token of a sign-in, or one that is no longer valid.",
    problems: ["not-signed-in"],
    headers: ["WWW-Authenticate"],
  },
  Forbidden: {
    description:
      "The account's tier has no API access, or its subscription is not in force; or the key is limited to other datasets or addresses.",
    problems: ["forbidden", "outside-key-limits"],
  },
  SnapshotsForbidden: {
    description:
      "The account's tier has no API access or no snapshots, or its subscription is not in force; or the key is limited to some of the datasets, or to other addresses.",
    problems: ["forbidden", "outside-key-limits", "not-included"],
  },
  EmailNotConfirmed: {
    description: "The user's e-mail address is not confirmed yet.",
    problems: ["email-not-confirmed"],
  },
  OwnerRequired: {
    description: "The caller is not an owner of the account, or the user's e-mail address is not confirmed yet.",
    problems: ["role-required", "email-not-confirmed"],
  },
  NotFound: { description: "There is no record with this id.", problems: ["not-found"] },
  UnknownAddress: {
    description: "There is no saved search at this address: it was replaced or revoked.",
    problems: ["not-found"],
  },
  AccountNotFound: {
    description:
      "The account has nothing with this id, billing is not set up, or the caller is in no account that `X-Account-Id` names.",
    problems: ["not-found"],
  },
  Conflict: {
    description: "The request conflicts with the present state; the detail says why.",
    problems: ["conflict"],
  },
  BodyTooLarge: { description: `The body has more than ${maximumBodyBytes} bytes.`, problems: ["body-too-large"] },
  UnsupportedMediaType: { description: "The body is not JSON in UTF-8.", problems: ["unsupported-media-type"] },
  QuotaExceeded: {
    description:
      "The requests of the account, or of the key, for the day are used up. `Retry-After` gives the seconds until midnight UTC.",
    problems: ["quota-exceeded"],
    headers: ["Retry-After"],
  },
  ReadTooOften: {
    description: "The address was read too often on this day. `Retry-After` gives the seconds until midnight UTC.",
    problems: ["quota-exceeded"],
    headers: ["Retry-After"],
  },
  WriteLimitExceeded: {
    description:
      "The account's writes of this kind for the day are used up. `Retry-After` gives the seconds until midnight UTC.",
    problems: ["write-limit-exceeded"],
    headers: ["Retry-After", "X-RateLimit-Reset"],
  },
  ServerError: { description: "An error on our side. The request id helps us find it.", problems: ["server-error"] },
  Unavailable: {
    description:
      "The service could not answer in time, cannot search by meaning at the moment, or was not answered by Stripe.",
    problems: ["unavailable"],
    headers: ["Retry-After"],
  },
} as const satisfies Record<string, Failure>;

export type FailureName = keyof typeof failures;

/** Failures of every route that takes an API key, besides those of what the key may read. */
export const ofEveryKey = ["Unauthorized", "QuotaExceeded", "ServerError", "Unavailable"] as const;

/** Makes the responses that operations reference by name. */
export function failureResponses(): Record<string, unknown> {
  return Object.fromEntries(Object.entries<Failure>(failures).map(([name, failure]) => [name, makeResponse(failure)]));
}

/** References to the responses of failures, by status. */
export function failuresOf(...names: FailureName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    names.map((name) => [failureStatus(failures[name]), { $ref: `#/components/responses/${name}` }]),
  );
}

/** A failure with its status. */
export function failureOf(name: FailureName): Failure & { status: number } {
  return { ...failures[name], status: failureStatus(failures[name]) };
}

/** An example of a problem. */
export function exampleOf(name: ProblemName): Problem {
  const { path, ...problem } = examples[name];
  return { name, ...problem };
}

function failureStatus({ problems: [first] }: Failure): number {
  if (first === undefined) throw new Error("a failure needs a problem");
  return problemStatus(first);
}

function makeResponse(failure: Failure) {
  const documents = failure.problems.map((name) => ({ name, document: makeExample(name) }));
  return {
    description: failure.description,
    headers: responseHeaders(...(failure.headers ?? [])),
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            referenceTo(problemDocument),
            {
              properties: {
                type: { enum: documents.map(({ document }) => document.type) },
                status: { const: failureStatus(failure) },
              },
            },
          ],
        },
        examples: Object.fromEntries(documents.map(({ name, document }) => [name, { value: document }])),
      },
    },
  };
}

function makeExample(name: ProblemName) {
  const { path } = examples[name];
  return problemBody(exampleOf(name), `/functions/v1${path}`, "5f0c1f6e-5b0e-4a53-a6b2-0a8c1f5b7d11");
}
