import { type Connection, queryOne } from "../database/connection.ts";

/** An account as an operator sees it. */
export interface AccountRow {
  id: string;
  email: string;
  tier: string | null;
  status: string | null;
  /** Requests a UTC day; -1 is unlimited. */
  daily_quota: number | null;
  /** Requests that counted against the quota today. */
  used_today: number;
  keys: number;
}

/**
 * Opens an account on a tier.
 *
 * @throws SQLSTATE PT409 when the e-mail has one, PT404 when there is no such tier.
 */
export async function createAccount(connection: Connection, email: string, tier: string): Promise<string> {
  const { id } = await queryOne<{ id: string }>(connection, "select funding.create_account($1, $2) as id", [
    email,
    tier,
  ]);
  return id;
}

/** Puts an account on a tier from now on. */
export async function setTier(connection: Connection, email: string, tier: string): Promise<void> {
  await connection.query("select funding.set_tier($1, $2)", [email, tier]);
}

/** Creates a tier with API access, or changes the quota of one; whether that has API access stays as it was. */
export async function defineTier(connection: Connection, name: string, dailyQuota: number): Promise<void> {
  await connection.query(
    `insert into funding.tiers (name, api_access, daily_quota) values ($1, true, $2)
     on conflict (name) do update set daily_quota = excluded.daily_quota`,
    [name, dailyQuota],
  );
}

export function listAccounts(connection: Connection): Promise<AccountRow[]> {
  return connection.query<AccountRow>(
    `select account.id, account.email, subscription.tier, subscription.status,
            tier.daily_quota::float8 as daily_quota, coalesce(quota.used, 0)::float8 as used_today,
            (select count(*)::int from funding.api_keys as key where key.account_id = account.id and key.revoked_at is null) as keys
     from funding.accounts as account
     left join funding.subscriptions as subscription on subscription.account_id = account.id
     left join funding.tiers as tier on tier.name = subscription.tier
     left join funding.daily_quota as quota
       on quota.account_id = account.id and quota.day = (now() at time zone 'UTC')::date
     order by account.email`,
  );
}
