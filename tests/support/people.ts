import { importJWK, type JWTPayload, SignJWT } from "jose";
import { type Connection, queryOne } from "../../database/connection.ts";
import type { SigningKey } from "../../local/auth/signing-key.ts";

/** Somebody with a session of Supabase Auth, as far as the service can tell. */
export interface Person {
  userId: string;
  sessionId: string;
  email: string;
  /**
   * An access token.
   *
   * @param claims come before, or with undefined take away, those that a token has.
   * @param key signs it in the place of the right one.
   */
  token(claims?: JWTPayload, key?: SigningKey): Promise<string>;
}

/** Makes people, by the tables that Supabase Auth writes and the key that it signs with. */
export interface People {
  issuer: string;
  key: SigningKey;
  newPerson(options?: { email?: string; isConfirmed?: boolean }): Promise<Person>;
  /** Ends a session, as a sign-out does. */
  endSession(person: Person): Promise<void>;
  /** For what an operator does. */
  connection: Connection;
}

export function createPeople(connection: Connection, key: SigningKey, issuer: string): People {
  return {
    issuer,
    key,
    connection,
    async newPerson({ email = `person-${crypto.randomUUID()}@people.example`, isConfirmed = true } = {}) {
      const { user_id, session_id } = await queryOne<{ user_id: string; session_id: string }>(
        connection,
        `with person as (
           insert into auth.users (id, email, email_confirmed_at)
           values (gen_random_uuid(), $1, case when $2::boolean then now() end) returning id
         )
         insert into auth.sessions (id, user_id) select gen_random_uuid(), id from person
         returning user_id, id as session_id`,
        [email, isConfirmed],
      );
      const ownClaims = {
        iss: issuer,
        aud: "authenticated",
        role: "authenticated",
        sub: user_id,
        session_id,
        email,
        is_anonymous: false,
      };
      return {
        userId: user_id,
        sessionId: session_id,
        email,
        token: (claims = {}, signer = key) => signToken({ ...inAnHour(), ...ownClaims, ...claims }, signer),
      };
    },
    async endSession({ sessionId }) {
      await connection.query("delete from auth.sessions where id = $1", [sessionId]);
    },
  };
}

function inAnHour(): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  return { iat: now, exp: now + 3600 };
}

async function signToken(claims: JWTPayload, { privateKey }: SigningKey): Promise<string> {
  const present = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return new SignJWT(present)
    .setProtectedHeader({ alg: "ES256", typ: "JWT", kid: privateKey.kid ?? "" })
    .sign(await importJWK(privateKey, "ES256"));
}
