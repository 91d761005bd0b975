import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import * as z from "zod";
import type { Runtime } from "../runtime.ts";

/** Who sent a request, as Supabase Auth's token says: a user, and the session that the token belongs to. */
export interface SignedIn {
  user_id: string;
  session_id: string;
}

/** The token is not one that lets anybody in. */
export class SignInTokenError extends Error {}

/** Clocks of two machines may differ by this much, in seconds. */
const clockToleranceSeconds = 5;

/**
 * What an access token of a user holds. The keys of a project are tokens too, and say `anon` or `service_role`:
 * they name nobody, and are refused.
 */
const userClaims = z.object({
  sub: z.guid(),
  session_id: z.guid(),
  role: z.literal("authenticated"),
  is_anonymous: z.literal(false).optional(),
});

/**
 * Verifies an access token of Supabase Auth: signature, issuer, audience, expiry, and that it is a user's.
 *
 * The deployment says what with: `AUTH_JWT_SECRET` for tokens signed with HS256, as older projects do; for ES256 and
 * RS256, the public keys in `SUPABASE_JWKS` (which edge functions are given) or else at the issuer's own address.
 * `AUTH_ISSUER` defaults to `SUPABASE_URL` with `/auth/v1` behind it.
 *
 * @throws {SignInTokenError} when the token is not one that lets anybody in.
 * @throws when the keys cannot be had.
 */
export async function verifySignInToken(token: string, variable: Runtime["variable"]): Promise<SignedIn> {
  const issuer = variable("AUTH_ISSUER") ?? `${variable("SUPABASE_URL")}/auth/v1`;
  const secret = variable("AUTH_JWT_SECRET");
  const publicKeys = publicKeysOf(issuer, variable("SUPABASE_JWKS"));
  // The algorithm is the sender's to choose, so each kind has keys of its own: no public key ever serves as a secret.
  const keyFor: JWTVerifyGetKey = (header, token) =>
    header.alg === "HS256" ? new TextEncoder().encode(secret) : publicKeys(header, token);
  try {
    const { payload } = await jwtVerify(token, keyFor, {
      algorithms: secret === undefined ? ["ES256", "RS256"] : ["ES256", "RS256", "HS256"],
      issuer,
      audience: "authenticated",
      requiredClaims: ["exp"],
      clockTolerance: clockToleranceSeconds,
    });
    const claims = userClaims.safeParse(payload);
    if (!claims.success) throw new SignInTokenError("it is not the token of a user who signed in");
    return { user_id: claims.data.sub, session_id: claims.data.session_id };
  } catch (error) {
    throw isKeyFailure(error) ? error : new SignInTokenError(String(error));
  }
}

const knownKeys = new Map<string, JWTVerifyGetKey>();

/** The public keys, fetched at most once for many tokens where they are not given. */
function publicKeysOf(issuer: string, given: string | undefined): JWTVerifyGetKey {
  const source = given ?? issuer;
  let keys = knownKeys.get(source);
  if (keys === undefined) {
    keys =
      given === undefined
        ? createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
        : createLocalJWKSet(keySetIn(given));
    knownKeys.set(source, keys);
  }
  return keys;
}

/** Supabase writes the set as `{"keys": [...]}`, or as the bare list. */
function keySetIn(text: string): JSONWebKeySet {
  const set = JSON.parse(text) as JSONWebKeySet | JSONWebKeySet["keys"];
  return Array.isArray(set) ? { keys: set } : set;
}

/** Whether the keys could not be had, which says nothing of the token. */
function isKeyFailure(error: unknown): boolean {
  if (error instanceof SignInTokenError) return false;
  if (!(error instanceof errors.JOSEError)) return true;
  return ["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT", "ERR_JWK_INVALID"].includes(error.code);
}
