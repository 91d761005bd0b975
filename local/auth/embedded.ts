import { pgliteConnection } from "../../database/pglite.ts";
import type { SessionLock } from "../embedded/session.ts";
import { createAuthServer } from "./server.ts";
import type { SigningKey } from "./signing-key.ts";
import { createAuthTables } from "./tables.ts";

/** Sign-in of the embedded stack. */
export interface EmbeddedAuth {
  /** Answers `/auth/v1/...`. */
  answer(request: Request): Promise<Response | undefined>;
  /** Settings with which the functions verify its tokens. */
  settings: Record<string, string>;
}

/**
 * Sets up the sign-in over the PGlite in this process, and creates its tables where they are missing.
 *
 * @param origin of the server: `http://127.0.0.1:54321`.
 */
export async function openEmbeddedAuth(lock: SessionLock, key: SigningKey, origin: string): Promise<EmbeddedAuth> {
  await lock.run((database) => createAuthTables(pgliteConnection(database)));
  const issuer = `${origin}/auth/v1`;
  return {
    answer: createAuthServer({
      key,
      issuer,
      transaction: (work) => lock.run((database) => pgliteConnection(database).transaction(work)),
    }),
    // Each of them is set: an environment variable that is left over from another stack must not apply here.
    settings: { SUPABASE_URL: origin, AUTH_ISSUER: issuer, SUPABASE_JWKS: JSON.stringify(key.publicKeys) },
  };
}
