import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import * as z from "zod";
import type { Runtime } from "../../shared/runtime.ts";

/** Claims of an access token of Supabase Auth: the user, and the session that the token belongs to. */
export interface SignedIn {
  user_id: string;
  session_id: string;
}

/** The token is not valid. */
export class SignInTokenError extends Error {}

/** Clock skew that is tolerated, in seconds. */
const clockToleranceSeconds = 5;

/**
 * Claims of a user's access token. The keys of a project are tokens too, with the role `anon` or `service_role`: they
 * name no user, and are refused.
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
 * Settings: `AUTH_JWT_SECRET` for tokens signed with HS256, as older projects do; for ES256 and
 * RS256, the public keys in `SUPABASE_JWKS` (which edge functions are given) or else at the issuer's own address.
 * `AUTH_ISSUER` defaults to `SUPABASE_URL` with `/auth/v1` behind it.
 *
 * @throws {SignInTokenError} when the token is not valid.
 * @throws when the public keys cannot be fetched or read.
 */
export async function verifySignInToken(token: string, variable: Runtime["variable"]): Promise<SignedIn> {
  const issuer = variable("AUTH_ISSUER") ?? `${variable("SUPABASE_URL")}/auth/v1`;
  const secret = variable("AUTH_JWT_SECRET");
  const publicKeys = publicKeysOf(issuer, variable("SUPABASE_JWKS"));
  // The sender chooses the algorithm, so each kind has its own keys: a public key never serves as a secret.
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

/** Key sets of the isolate, by issuer or by their text; there is one, unless tests use several. `jose` caches and refetches. */
const keySets = new Map<string, JWTVerifyGetKey>();

/** Returns the public keys: those given, or else those at the issuer's address. */
function publicKeysOf(issuer: string, given: string | undefined): JWTVerifyGetKey {
  const source = given ?? issuer;
  let keys = keySets.get(source);
  if (keys === undefined) {
    keys =
      given === undefined
        ? createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
        : createLocalJWKSet(keySetIn(given));
    keySets.set(source, keys);
  }
  return keys;
}

/** Supabase writes the set as `{"keys": [...]}`, or as the bare list. */
function keySetIn(text: string): JSONWebKeySet {
  const set = JSON.parse(text) as JSONWebKeySet | JSONWebKeySet["keys"];
  return Array.isArray(set) ? { keys: set } : set;
}

/** Whether the keys could not be fetched or read. Such a failure says nothing about the token. */
function isKeyFailure(error: unknown): boolean {
  if (error instanceof SignInTokenError) return false;
  if (!(error instanceof errors.JOSEError)) return true;
  return ["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT", "ERR_JWK_INVALID"].includes(error.code);
}
