import { sha256 } from "../encoding.ts";
import { fail, type Outcome, succeed } from "../http/problems.ts";
import { LruCache } from "../lru-cache.ts";
import { hashKey, isWellFormedKey } from "./key.ts";

/**
 * LRU cache of the hashes of API keys. Hashing runs outside the event loop, and waiting for it took more time than all
 * else that the function does for a list (28 of 100 samples of a profile).
 */
export class KeyHashes {
  #hashes = new LruCache<string>(256);

  /** Returns the SHA-256 of a key in hexadecimal; undefined where the text is not a well-formed key. */
  async hashOf(key: string): Promise<string | undefined> {
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    if (!isWellFormedKey(key)) return undefined;
    const hash = await hashKey(key);
    this.#hashes.set(key, hash);
    return hash;
  }
}

/**
 * Reads the API key of `Authorization: Bearer KEY`, or of `keyHeader`, and returns its hash. Where both are there, both must have the same key: which of
 * two is meant, only the caller knows.
 *
 * Only form and checksum are checked here, so that noise costs no database call. Whether the key exists is the
 * database's to say.
 */
export async function readApiKey(request: Request, hashes: KeyHashes, keyHeader?: string): Promise<Outcome<string>> {
  const other = keyHeader === undefined ? undefined : request.headers.get(keyHeader)?.trim() || undefined;
  if (!request.headers.has("authorization") && other === undefined) {
    const place = keyHeader === undefined ? "" : ` or \`${keyHeader}: <API_KEY>\``;
    return unauthorized(`Send your API key in the header \`Authorization: Bearer <API_KEY>\`${place}.`);
  }
  const key = request.headers.has("authorization") ? readBearerToken(request) : other;
  if (key === undefined) {
    return unauthorized("The Authorization header must be `Bearer <API_KEY>`.");
  }
  if (other !== undefined && other !== key) {
    return unauthorized(`Authorization and ${keyHeader} have different keys. Send one of them.`);
  }
  const hash = await hashes.hashOf(key);
  if (hash === undefined) {
    return unauthorized("The API key is not valid: it is mistyped, cut off, or not one of ours.");
  }
  return succeed(hash);
}

/** Problem of a request without a usable key. */
function unauthorized(detail: string) {
  return fail({ name: "unauthorized", detail, headers: { "WWW-Authenticate": 'Bearer realm="funding"' } });
}

/** Reads the token of `Authorization: Bearer TOKEN`; undefined where the header is missing or has another form. */
export function readBearerToken(request: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/**
 * Whether the request's bearer token is the operator's secret. The comparison takes the same time however much of the
 * token is right.
 */
export async function hasBearerSecret(request: Request, secret: string): Promise<boolean> {
  const token = readBearerToken(request);
  return token !== undefined && isSame(token, secret);
}

/** Compares hashes to their last byte, which takes the same time for any two texts. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([sha256(one), sha256(other)]);
  return first.reduce((difference, byte, index) => difference | (byte ^ (second[index] ?? 0)), 0) === 0;
}
