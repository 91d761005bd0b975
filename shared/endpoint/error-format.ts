import { type Problem, problemBody } from "../http/problems.ts";

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
