import type { components } from "./schema.generated.ts";

/** An RFC 9457 problem document, as the API sends it. */
export type ProblemDocument = components["schemas"]["ProblemDocument"];

type NameIn<Type extends string> = Type extends `${string}:problem:${infer Name}` ? Name : never;

/** Last part of a problem's `type`, for example `quota-exceeded`. */
export type ProblemName = NameIn<ProblemDocument["type"]>;

/** The API refused a request, or failed. `problem` says why. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  constructor(
    readonly problem: ProblemDocument,
    /** Seconds to wait before a retry, if the API gave them. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`);
  }

  /** Kind of the problem, for a `switch`. */
  get kind(): ProblemName {
    return this.problem.type.replace(/^.*:/, "") as ProblemName;
  }

  get status(): number {
    return this.problem.status;
  }

  /** Identifies the request to the API's operator. */
  get requestId(): string {
    return this.problem.request_id;
  }

  /** Wrong parameters or fields. May be empty. */
  get errors(): { parameter: string; message: string }[] {
    return this.problem.errors ?? [];
  }
}

/** The answer is not from this API, but for example from a proxy. */
export class UnexpectedResponseError extends Error {
  override readonly name = "UnexpectedResponseError";

  constructor(
    readonly status: number,
    /** Beginning of the answer. */
    readonly excerpt: string,
  ) {
    super(`unexpected response with status ${status}: ${excerpt}`);
  }
}

/** Whether an error is a problem of the API, and of this kind if one is given. */
export function isProblem(error: unknown, kind?: ProblemName): error is ProblemError {
  return error instanceof ProblemError && (kind === undefined || error.kind === kind);
}

/** Makes the error for an unsuccessful answer. */
export function toError(body: unknown, response: Response): ProblemError | UnexpectedResponseError {
  if (isProblemDocument(body)) return new ProblemError(body, parseSeconds(response.headers.get("retry-after")));
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  return new UnexpectedResponseError(response.status, text.slice(0, 200));
}

function isProblemDocument(body: unknown): body is ProblemDocument {
  return typeof body === "object" && body !== null && "type" in body && "request_id" in body && "detail" in body;
}

function parseSeconds(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
