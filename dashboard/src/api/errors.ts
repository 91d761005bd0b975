import type { FieldError, ProblemDocument } from "../../../shared/responses/problem.ts";

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

/** The API did not answer, or not as an API would. */
export class Unreachable extends Error {
  override message = "The API does not answer.";
}

/** What to tell a person of an error: nothing of how the program is built, and what to do now. */
export interface Explained {
  title: string;
  advice: string;
  requestId?: string | undefined;
}

export function explain(error: unknown): Explained {
  if (!(error instanceof ApiProblem)) {
    return error instanceof Unreachable
      ? {
          title: "The API cannot be reached",
          advice: "Check that you are online and that the service runs, then try again.",
        }
      : { title: "Something went wrong", advice: "Load the page again. If it stays, tell whoever runs the service." };
  }
  const { status, kind, message, requestId } = error;
  if (status >= 500) {
    return { title: "The API had a problem", advice: "It is not your fault. Try again in a moment.", requestId };
  }
  if (kind === "email-not-confirmed") {
    return { title: "Confirm your e-mail address", advice: "Open the link in the mail that you were sent.", requestId };
  }
  return { title: "That did not work", advice: message, requestId };
}
