import { importJWK, jwtVerify, SignJWT } from "jose";
import { type SigningKey, signingAlgorithm } from "./signing-key.ts";

/** Lifetime of an access token. supabase-js refreshes it before. */
export const accessTokenSeconds = 900;

/** A session, and its user. */
export interface Session {
  id: string;
  user_id: string;
  email: string;
}

/** Signs an access token with the claims of Supabase Auth. */
export async function signAccessToken(session: Session, key: SigningKey, issuer: string): Promise<string> {
  return new SignJWT({
    role: "authenticated",
    aal: "aal1",
    amr: [{ method: "otp", timestamp: Math.floor(Date.now() / 1000) }],
    session_id: session.id,
    email: session.email,
    phone: "",
    is_anonymous: false,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: {},
  })
    .setProtectedHeader({ alg: signingAlgorithm, typ: "JWT", kid: key.privateKey.kid ?? "" })
    .setIssuer(issuer)
    .setSubject(session.user_id)
    .setAudience("authenticated")
    .setIssuedAt()
    .setExpirationTime(`${accessTokenSeconds}s`)
    .sign(await importJWK(key.privateKey, signingAlgorithm));
}

/** Verifies an access token. Returns its session's id, or undefined if the token is not ours or has expired. */
export async function verifyAccessToken(token: string, key: SigningKey, issuer: string): Promise<string | undefined> {
  try {
    const [publicKey] = key.publicKeys.keys;
    if (publicKey === undefined) return undefined;
    const verifier = await importJWK(publicKey, signingAlgorithm);
    const { payload } = await jwtVerify<{ session_id: string }>(token, verifier, {
      algorithms: [signingAlgorithm],
      issuer,
      audience: "authenticated",
    });
    return payload.session_id;
  } catch {
    return undefined;
  }
}
