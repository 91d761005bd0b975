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
  return succeed(await hashOf(key));
}

/**
 * The hashes of the keys used last. A digest runs outside the event loop, and waiting for it took more
 * time than all else that the function does for a list (28 of 100 samples of a profile).
 */
const knownHashes = new Map<string, string>();
const mostKnownHashes = 256;

async function hashOf(key: string): Promise<string> {
  const hash = knownHashes.get(key) ?? (await hashKey(key));
  // Put at the end again, so that the one at the start is the one not used for longest.
  knownHashes.delete(key);
  knownHashes.set(key, hash);
  const [oldest] = knownHashes.keys();
  if (knownHashes.size > mostKnownHashes && oldest !== undefined) knownHashes.delete(oldest);
  return hash;
}

/** The problem of a request without a usable key. */
export function unauthorized(detail: string) {
  return fail({ name: "unauthorized", detail, headers: { "WWW-Authenticate": 'Bearer realm="funding"' } });
}
