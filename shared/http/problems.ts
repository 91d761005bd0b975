import type { FieldError, ProblemDocument } from "../responses/problem.ts";

/**
 * Every way a request can fail, in one place: the status, the words, and the name that clients
 * switch on. Errors are RFC 9457 problem documents.
 */
const registry = {
  "invalid-parameters": { status: 400, title: "Invalid parameters" },
  "invalid-body": { status: 400, title: "Invalid request body" },
  "invalid-signature": { status: 400, title: "Invalid signature" },
  unauthorized: { status: 401, title: "Missing or invalid API key" },
  "not-signed-in": { status: 401, title: "Not signed in" },
  forbidden: { status: 403, title: "No API access" },
  "email-not-confirmed": { status: 403, title: "E-mail address not confirmed" },
  "not-found": { status: 404, title: "No such record" },
  "unknown-route": { status: 404, title: "No such endpoint" },
  conflict: { status: 409, title: "Not possible as things are" },
  "method-not-allowed": { status: 405, title: "Method not allowed" },
  "body-too-large": { status: 413, title: "Request body too large" },
  "unsupported-media-type": { status: 415, title: "Unsupported content type" },
  "quota-exceeded": { status: 429, title: "Daily request quota exceeded" },
  "server-error": { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "Temporarily unavailable" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemName = keyof typeof registry;

/** A failure, before it becomes a response. */
export interface Problem {
  name: ProblemName;
  /** What happened and what to do about it, for this request. Shown to the client. */
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

/**
 * The problem document.
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

/** A value, or the problem that stands in its way. */
export type Outcome<Value> = { ok: true; value: Value } | { ok: false; problem: Problem };

export function succeed<Value>(value: Value): Outcome<Value> {
  return { ok: true, value };
}

export function fail(problem: Problem): { ok: false; problem: Problem } {
  return { ok: false, problem };
}
