import type { components } from "./schema.generated.ts";

/** An RFC 9457 problem document, as the API sends it. */
export type ProblemDocument = components["schemas"]["ProblemDocument"];

type NameIn<Type extends string> = Type extends `${string}:problem:${infer Name}` ? Name : never;

/** What a problem's `type` ends in, for example `quota-exceeded`. */
export type ProblemName = NameIn<ProblemDocument["type"]>;

/** The API refused a request, or failed; `problem` says why. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  constructor(
    readonly problem: ProblemDocument,
    /** Seconds to wait before the request is sent again, where the API said so. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`);
  }

  /** Which kind of problem it is: switch on this. */
  get kind(): ProblemName {
    return this.problem.type.replace(/^.*:/, "") as ProblemName;
  }

  get status(): number {
    return this.problem.status;
  }

  /** Names the request to the API's operator. */
  get requestId(): string {
    return this.problem.request_id;
  }

  /** Every wrong parameter or field, where some are. */
  get errors(): { parameter: string; message: string }[] {
    return this.problem.errors ?? [];
  }
}

/** Something that is not this API answered, a proxy for example. */
export class UnexpectedResponseError extends Error {
  override readonly name = "UnexpectedResponseError";

  constructor(
    readonly status: number,
    /** The start of what came. */
    readonly excerpt: string,
  ) {
    super(`unexpected response with status ${status}: ${excerpt}`);
  }
}

/** Whether an error is a problem of the API, and of this kind where one is given. */
export function isProblem(error: unknown, kind?: ProblemName): error is ProblemError {
  return error instanceof ProblemError && (kind === undefined || error.kind === kind);
}

/** The error that an unsuccessful answer is. */
export function errorOf(body: unknown, response: Response): ProblemError | UnexpectedResponseError {
  if (isProblemDocument(body)) return new ProblemError(body, secondsIn(response.headers.get("retry-after")));
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  return new UnexpectedResponseError(response.status, text.slice(0, 200));
}

function isProblemDocument(body: unknown): body is ProblemDocument {
  return typeof body === "object" && body !== null && "type" in body && "request_id" in body && "detail" in body;
}

function secondsIn(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
