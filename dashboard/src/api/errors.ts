import type { FieldError, ProblemDocument } from "../../../shared/http/problems.ts";

/** The API answered with a problem document. */
export class ApiProblem extends Error {
  readonly status: number;
  /** The problem's name: `not-signed-in`, `conflict`... */
  readonly kind: string;
  readonly fields: readonly FieldError[];
  readonly requestId: string | undefined;

  constructor(document: ProblemDocument) {
    super(document.detail);
    this.status = document.status;
    this.kind = document.type.split(":").at(-1) ?? "";
    this.fields = document.errors ?? [];
    this.requestId = document.request_id;
  }
}

/** Whether an answer is a problem document. */
export function isProblem(answer: unknown): answer is ProblemDocument {
  return typeof answer === "object" && answer !== null && "type" in answer && "status" in answer && "detail" in answer;
}

/** No response from the API, or one that is not the API's. */
export class Unreachable extends Error {
  override message = "The API does not answer.";
}

/** No response from the API in time. Nobody waits for as long once more: it is not sent again by itself. */
export class TimedOut extends Unreachable {}

/** Whether an error is the service's: it does not answer, or says that it failed. */
export function isOutage(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiProblem && error.status >= 500);
}

/** An error in words for the user: what is wrong and what to do, without technical details. */
export interface Explanation {
  title: string;
  advice: string;
  requestId?: string | undefined;
}

export function explain(error: unknown): Explanation {
  if (!(error instanceof ApiProblem)) {
    return error instanceof Unreachable
      ? {
          title: "The API cannot be reached",
          advice: "Check that you are online and that the service is running, then try again.",
        }
      : {
          title: "Something went wrong",
          advice: "Load the page again. If that does not help, tell the operator of the service.",
        };
  }
  const { status, kind, message, requestId } = error;
  if (status >= 500) {
    return { title: "The API had a problem", advice: "The error is on our side. Try again in a moment.", requestId };
  }
  if (kind === "email-not-confirmed") {
    return { title: "Confirm your e-mail address", advice: "Open the link in the e-mail that we sent you.", requestId };
  }
  return { title: "That did not work", advice: message, requestId };
}
