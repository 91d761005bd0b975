import { pgliteConnection } from "../../database/pglite.ts";
import type { SessionLock } from "../embedded/session.ts";
import { prepareAuthSchema } from "./schema.ts";
import { createAuthServer } from "./server.ts";
import type { SigningKey } from "./signing-key.ts";

/** The sign-in of an embedded stack. */
export interface EmbeddedAuth {
  /** Answers `/auth/v1/...`. */
  answer(request: Request): Promise<Response | undefined>;
  /** What the functions need to verify its tokens. */
  settings: Record<string, string>;
}

/**
 * Sets up the sign-in over a PGlite in this process.
 *
 * @param origin where the server is: `http://127.0.0.1:54321`.
 */
export async function openEmbeddedAuth(lock: SessionLock, key: SigningKey, origin: string): Promise<EmbeddedAuth> {
  await lock.run((database) => prepareAuthSchema(pgliteConnection(database)));
  const issuer = `${origin}/auth/v1`;
  return {
    answer: createAuthServer({
      key,
      issuer,
      transaction: (work) => lock.run((database) => pgliteConnection(database).transaction(work)),
    }),
    // All of them, lest the environment's, which may be another stack's, be taken for what is not said.
    settings: { SUPABASE_URL: origin, AUTH_ISSUER: issuer, SUPABASE_JWKS: JSON.stringify(key.publicKeys) },
  };
}
