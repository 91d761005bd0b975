import { importJWK, jwtVerify, SignJWT } from "jose";
import { type SigningKey, signingAlgorithm } from "./signing-key.ts";

/** How long an access token is good for. supabase-js gets the next one before. */
export const accessTokenSeconds = 900;

/** Whom an access token is for. */
export interface Session {
  id: string;
  user_id: string;
  email: string;
}

/** Signs an access token with the claims that Supabase Auth's have. */
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

/** The session that an access token of ours names, or undefined when it is none, or expired. */
export async function readAccessToken(token: string, key: SigningKey, issuer: string): Promise<string | undefined> {
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
