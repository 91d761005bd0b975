import { isProblem, toError, UnexpectedResponseError } from "./problems.ts";

/** Result of openapi-fetch for a request. */
export interface FetchResult<Body> {
  /** The body, or the text of its JSON. */
  data?: Body;
  error?: unknown;
  response: Response;
}

/** Returns the answer's body; undefined where the API says that there is no such record. @throws the error for any other answer. */
export function readFound<Body>(result: FetchResult<Body>): Body | undefined {
  const { error, response } = result;
  return !response.ok && isProblem(toError(error, response), "not-found") ? undefined : readBody(result);
}

/** Returns the answer's body, parsed where it is text. @throws the error for an unsuccessful answer. */
export function readBody<Body>({ data, error, response }: FetchResult<Body>): Body {
  if (!response.ok || data === undefined) throw toError(error, response);
  return typeof data === "string" ? parseBody(data, response) : data;
}

function parseBody<Body>(text: string, { status }: Response): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // No object, then.
  }
  if (typeof body !== "object" || body === null) throw new UnexpectedResponseError(status, text.slice(0, 200));
  return body as Body;
}
