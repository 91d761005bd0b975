import * as z from "zod";

/** Registry of all problems (RFC 9457): the name that clients switch on, its status and its title. */
const registry = {
  "invalid-parameters": { status: 400, title: "Invalid parameters" },
  "invalid-body": { status: 400, title: "Invalid request body" },
  "invalid-signature": { status: 400, title: "Invalid signature" },
  unauthorized: { status: 401, title: "Missing or invalid API key" },
  "not-signed-in": { status: 401, title: "Not signed in" },
  forbidden: { status: 403, title: "No API access" },
  "outside-key-limits": { status: 403, title: "Outside the key's limits" },
  "not-included": { status: 403, title: "Not included in the tier" },
  "email-not-confirmed": { status: 403, title: "E-mail address not confirmed" },
  "role-required": { status: 403, title: "Another role is needed" },
  "not-found": { status: 404, title: "No such record" },
  "unknown-route": { status: 404, title: "No such endpoint" },
  conflict: { status: 409, title: "Conflict" },
  "method-not-allowed": { status: 405, title: "Method not allowed" },
  "body-too-large": { status: 413, title: "Request body too large" },
  "unsupported-media-type": { status: 415, title: "Unsupported content type" },
  "quota-exceeded": { status: 429, title: "Daily request quota exceeded" },
  "write-limit-exceeded": { status: 429, title: "Daily limit reached" },
  "server-error": { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "Temporarily unavailable" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemName = keyof typeof registry;

/** A failure, before it becomes a response. */
export interface Problem {
  name: ProblemName;
  /** Cause of the problem and what to do about it, for this request. Shown to the client. */
  detail: string;
  errors?: FieldError[];
  headers?: Record<string, string>;
}

export const problemNames = Object.keys(registry) as ProblemName[];

/** The `type` of each problem's document. */
export const problemTypes = problemNames.map(problemType);

export function problemType<Name extends ProblemName>(name: Name) {
  return `urn:funding-opportunities:problem:${name}` as const;
}

export function problemTitle(name: ProblemName): string {
  return registry[name].title;
}

export function problemStatus(name: ProblemName): number {
  return registry[name].status;
}

export const fieldError = z
  .object({
    parameter: z.string().meta({ description: "The parameter or field, as the client wrote it.", examples: ["limit"] }),
    message: z.string().meta({
      description: "Reason, worded to follow the parameter's name.",
      examples: ["must be an integer from 1 to 100"],
    }),
  })
  .meta({ description: "One wrong parameter or field." });

/** An RFC 9457 problem document. */
export const problemDocument = z
  .object({
    type: z.enum(problemTypes).meta({ description: "Kind of problem. Switch on this." }),
    title: z.string().meta({ description: "The kind of problem, in words." }),
    status: z.int().min(400).max(599).meta({ description: "The response's status." }),
    detail: z.string().meta({ description: "Cause of the problem and what to do about it, for this request." }),
    instance: z.string().meta({ description: "Path of the request." }),
    request_id: z.string().meta({ description: "The response's `X-Request-Id`, for support." }),
    errors: z.array(fieldError).optional().meta({ description: "All wrong parameters or fields, if any are." }),
  })
  .meta({ description: "Why a request failed (RFC 9457)." });

/** One wrong field: its name as the client wrote it, and what is wrong. */
export type FieldError = z.infer<typeof fieldError>;
export type ProblemDocument = z.infer<typeof problemDocument>;

/**
 * Makes the problem document.
 *
 * @param instance the path of the request that failed.
 */
export function problemBody(problem: Problem, instance: string, requestId: string): ProblemDocument {
  const { status, title } = registry[problem.name];
  return {
    type: problemType(problem.name),
    title,
    status,
    detail: problem.detail,
    instance,
    request_id: requestId,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  };
}

/** Limit of field errors in an answer. */
export const maximumErrors = 50;

/** Makes the problem of invalid fields: the first of them in its detail, and `maximumErrors` of them at most. */
export function invalidParameters(found: FieldError[]) {
  const errors = found.slice(0, maximumErrors);
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return {
    name: "invalid-parameters" as const,
    detail: first === undefined ? "The request is not valid." : `${first.parameter} ${first.message}${more}`,
    errors,
  };
}

/** A value, or the problem in its place. */
export type Outcome<Value> = { ok: true; value: Value } | { ok: false; problem: Problem };

export function succeed<Value>(value: Value): Outcome<Value> {
  return { ok: true, value };
}

export function fail(problem: Problem): { ok: false; problem: Problem } {
  return { ok: false, problem };
}

/** Format in which a function writes its failures. */
export interface ErrorFormat {
  contentType: string;
  /**
   * Makes the body.
   *
   * @param instance path of the request.
   */
  body(problem: Problem, instance: string, requestId: string): object;
}

/** RFC 9457: the format of every function that does not say otherwise. */
export const problemDetails: ErrorFormat = { contentType: "application/problem+json", body: problemBody };
