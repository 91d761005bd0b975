import { fail, type Outcome, succeed } from "../http/problems.ts";
import { hashKey, isWellFormedKey } from "./key.ts";

/**
 * The hash of the key that a request carries in `Authorization: Bearer KEY`.
 *
 * Only the form is checked here, so that noise costs no database call; whether such a key exists is
 * the database's to say.
 */
export async function readCredential(request: Request): Promise<Outcome<string>> {
  const header = request.headers.get("authorization");
  if (header === null) {
    return unauthorized("Send your API key in the header `Authorization: Bearer <API_KEY>`.");
  }
  const key = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (key === undefined) {
    return unauthorized("The Authorization header must be `Bearer <API_KEY>`.");
  }
  if (!isWellFormedKey(key)) {
    return unauthorized("The API key is not valid: it is mistyped, cut off, or not one of ours.");
  }
  return succeed(await hashKey(key));
}

/** The problem of a request without a usable key. */
export function unauthorized(detail: string) {
  return fail({ name: "unauthorized", detail, headers: { "WWW-Authenticate": 'Bearer realm="funding"' } });
}
