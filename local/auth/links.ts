import { type Connection, queryOne } from "../../database/connection.ts";
import { generateToken, hashToken } from "./token.ts";

/** Lifetime of a sign-in link, in minutes. */
export const linkMinutes = 60;

/**
 * Creates a link that signs its visitor in, once. The token is in the fragment, which browsers never send to a server.
 *
 * @param pageUrl address of the dashboard.
 */
export async function createSignInLink(connection: Connection, email: string, pageUrl: string): Promise<string> {
  const token = generateToken();
  await connection.query(
    `with signing_in as (
       insert into auth.users (email, email_confirmed_at) values (funding.folded_address($1), now())
       on conflict (email) do update set email_confirmed_at = coalesce(users.email_confirmed_at, now())
       returning id
     ), forgotten as (
       delete from auth.sign_in_links where expires_at < funding.bounded_now() - interval '1 day'
     )
     insert into auth.sign_in_links (token_hash, user_id, expires_at)
     select $2, id, funding.latest_now() + make_interval(mins => $3::int) from signing_in`,
    [email, hashToken(token), linkMinutes],
  );
  const fragment = new URLSearchParams({ token_hash: token, type: "email" });
  return `${pageUrl}#${fragment}`;
}

/** The user that a link signs in, or why it signs nobody in. */
export type Redeemed = { userId: string } | { refusal: "unknown" | "used" | "expired" };

/** Redeems a link. If two people redeem it at once, one of them is signed in. */
export async function redeemLink(connection: Connection, token: string): Promise<Redeemed> {
  const hash = hashToken(token);
  const [used] = await connection.query<{ user_id: string }>(
    `update auth.sign_in_links set used_at = funding.latest_now()
     where token_hash = $1 and used_at is null and expires_at > funding.latest_now() returning user_id`,
    [hash],
  );
  if (used !== undefined) return { userId: used.user_id };
  const { was_used, is_known } = await queryOne<{ was_used: boolean; is_known: boolean }>(
    connection,
    `select coalesce(bool_or(used_at is not null), false) as was_used, count(*) > 0 as is_known
     from auth.sign_in_links where token_hash = $1`,
    [hash],
  );
  if (was_used) return { refusal: "used" };
  return { refusal: is_known ? "expired" : "unknown" };
}
