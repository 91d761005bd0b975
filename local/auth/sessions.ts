import { type Connection, queryOne } from "../../database/connection.ts";
import type { Session } from "./access-token.ts";
import { deriveToken, generateToken, hashToken } from "./token.ts";

/**
 * Grace period for a second use of a refresh token: two tabs of a browser refresh at once, or an answer is lost. A later use
 * means that somebody else has the token, so its session ends. (Rule and number are Supabase Auth's.)
 */
const reuseSeconds = 10;

/** A session, and the refresh token that gets its next access token. */
export interface OpenSession {
  session: Session;
  refreshToken: string;
}

/** The part of Supabase Auth's user that the embedded sign-in stores. */
export interface AuthUser {
  id: string;
  email: string;
  email_confirmed_at: string;
  last_sign_in_at: string | null;
  created_at: string;
}

/** Days after which a session that was not refreshed ends. */
const unusedDays = 400;

/** Opens a session, and deletes up to 100 that nobody has used for {@link unusedDays}. */
export async function openSession(connection: Connection, userId: string): Promise<OpenSession> {
  await connection.query(
    `delete from auth.sessions where id in (
       select session.id from auth.sessions as session
       where session.created_at < funding.bounded_now() - make_interval(days => $1::int) and not exists (
         select from auth.session_tokens as token
         where token.session_id = session.id and token.created_at >= funding.bounded_now() - make_interval(days => $1::int))
       order by session.created_at limit 100)`,
    [unusedDays],
  );
  const session = await queryOne<Session>(
    connection,
    `with signed_in as (
       update auth.users set last_sign_in_at = now() where id = $1 returning id, email
     ), opened as (
       insert into auth.sessions (user_id, created_at) select id, funding.latest_now() from signed_in returning id, user_id
     )
     select opened.id, opened.user_id, signed_in.email from opened, signed_in`,
    [userId],
  );
  const refreshToken = generateToken();
  await storeToken(connection, session.id, refreshToken);
  return { session, refreshToken };
}

/** The session with its next refresh token, or why it was not refreshed. */
export type Refreshed = OpenSession | { refusal: "unknown" | "used" };

/**
 * Exchanges a refresh token for the next one of its session.
 *
 * @param secret key that the next token is derived with. The same token used twice within the grace period gives the same
 *   next one: a session has one chain of tokens, so a stolen copy is noticed.
 */
export async function refreshSession(connection: Connection, refreshToken: string, secret: string): Promise<Refreshed> {
  const [found] = await connection.query<Session & { may_be_used: boolean }>(
    `select session.id, session.user_id, auth_user.email,
            token.used_at is null or token.used_at > funding.latest_now() - make_interval(secs => $2::float8) as may_be_used
     from auth.session_tokens as token
     join auth.sessions as session on session.id = token.session_id
     join auth.users as auth_user on auth_user.id = session.user_id
     where token.token_hash = $1
     for update of session`,
    [hashToken(refreshToken), reuseSeconds],
  );
  if (found === undefined) return { refusal: "unknown" };
  const { may_be_used, ...session } = found;
  if (!may_be_used) {
    await endSessions(connection, session.id, "local");
    return { refusal: "used" };
  }
  await connection.query(
    "update auth.session_tokens set used_at = funding.latest_now() where token_hash = $1 and used_at is null",
    [hashToken(refreshToken)],
  );
  // A token that comes again after 30 days is treated as unknown.
  await connection.query(
    "delete from auth.session_tokens where session_id = $1 and used_at < funding.bounded_now() - interval '30 days'",
    [session.id],
  );
  const next = deriveToken(refreshToken, secret);
  await storeToken(connection, session.id, next);
  return { session, refreshToken: next };
}

/** Sessions that a sign-out ends: this one, all of the user's, or all but this one. */
export type SignOutScope = "local" | "global" | "others";

export async function endSessions(connection: Connection, sessionId: string, scope: SignOutScope): Promise<void> {
  await connection.query(
    `delete from auth.sessions
     where case $2 when 'local' then id = $1
       else user_id = (select user_id from auth.sessions where id = $1) and ($2 = 'global' or id <> $1) end`,
    [sessionId, scope],
  );
}

/** Finds the user of a session; undefined if the session has ended. */
export async function findUser(connection: Connection, sessionId: string): Promise<AuthUser | undefined> {
  const [user] = await connection.query<AuthUser>(
    `select auth_user.id, auth_user.email, auth_user.email_confirmed_at, auth_user.last_sign_in_at, auth_user.created_at
     from auth.sessions as session join auth.users as auth_user on auth_user.id = session.user_id
     where session.id = $1`,
    [sessionId],
  );
  return user;
}

async function storeToken(connection: Connection, sessionId: string, token: string): Promise<void> {
  await connection.query(
    "insert into auth.session_tokens (token_hash, session_id, created_at) values ($1, $2, funding.latest_now()) on conflict (token_hash) do nothing",
    [hashToken(token), sessionId],
  );
}
