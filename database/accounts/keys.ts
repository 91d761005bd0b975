import { displayKey, generateKey, hashKey } from "../../shared/auth/key.ts";
import type { KeyLimits } from "../../shared/responses/account/keys.ts";
import { type Connection, queryValue } from "../connection.ts";

/** A new key. Its text is known only now. */
export interface IssuedKey {
  id: string;
  key: string;
}

/** A key as its owner sees it later, without its text. */
export interface KeyRow {
  id: string;
  name: string;
  /** Its beginning and its last four characters. */
  display: string;
  state: "active" | "expired" | "revoked";
  /** Datasets that it reads; null for all. */
  datasets: string[] | null;
  /** Requests a UTC day that it is allowed; null for as many as the account has. */
  daily_quota: number | null;
  /** Address ranges (CIDR) from which it works; null for any. */
  addresses: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}

/**
 * Creates a key.
 *
 * @param limits default: none.
 * @throws SQLSTATE PT404 when there is no such account, PT400 when the expiry is past.
 */
export async function createKey(
  connection: Connection,
  email: string,
  name: string,
  expiresAt?: Date,
  limits: KeyLimits = {},
): Promise<IssuedKey> {
  const key = generateKey();
  const id = await queryValue<string>(connection, "select funding.create_key($1, $2, $3, $4, $5, $6)", [
    email,
    name,
    await hashKey(key),
    displayKey(key),
    expiresAt?.toISOString() ?? null,
    JSON.stringify(limits),
  ]);
  return { id, key };
}

/**
 * Changes the limits of a key: one that is absent stays, and null takes it away.
 *
 * @throws SQLSTATE PT404 when there is no such key, PT409 when it has ended.
 */
export async function limitKey(connection: Connection, keyId: string, limits: KeyLimits): Promise<void> {
  await connection.query("select funding.limit_key($1, $2)", [keyId, JSON.stringify(limits)]);
}

/** A key that replaces another. */
export interface RotatedKey extends IssuedKey {
  /** Moment from which the old key is refused: the end of the overlap, or the key's own expiry if that is earlier. */
  oldKeyEndsAt: Date;
}

/**
 * Replaces a key. The old one works for `overlapHours` more. If it fails in between, the old key is as it was: the new one's text would be lost.
 *
 * @throws SQLSTATE PT404 when there is no such key, PT409 when it has ended or was replaced, PT400 when the overlap is not
 *   0 to 720 hours.
 */
export async function rotateKey(connection: Connection, keyId: string, overlapHours = 24): Promise<RotatedKey> {
  const key = generateKey();
  const hash = await hashKey(key);
  return connection.transaction(async (transaction) => {
    const id = await queryValue<string>(
      transaction,
      "select (funding.rotate_key($1, $2, $3, make_interval(secs => $4::float8))).id",
      [keyId, hash, displayKey(key), overlapHours * 3600],
    );
    // A separate statement, since the one above does not see its own changes.
    const expires_at = await queryValue<Date>(transaction, "select expires_at from funding.api_keys where id = $1", [
      keyId,
    ]);
    return { id, key, oldKeyEndsAt: expires_at };
  });
}

/** Revokes a key. @throws SQLSTATE PT404 when there is no such key. */
export async function revokeKey(connection: Connection, keyId: string): Promise<void> {
  await connection.query("select funding.revoke_key($1)", [keyId]);
}

/** Lists the keys of an account, the oldest first. */
export function listKeys(connection: Connection, email: string): Promise<KeyRow[]> {
  return connection.query<KeyRow>(
    `select id, name, display, datasets, daily_quota, addresses::text[], created_at, expires_at, last_used_at,
            case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end as state
     from funding.api_keys where account_id = funding.account_id($1) order by created_at`,
    [email],
  );
}
