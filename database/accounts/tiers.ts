import type { Connection } from "../connection.ts";

/** A tier as an operator sees it. */
export interface TierRow {
  name: string;
  api_access: boolean;
  /** Requests a UTC day; -1 is unlimited. */
  daily_quota: number;
  /** Whether its accounts may download snapshots. */
  snapshots: boolean;
  /** Whether accounts on other tiers are shown it. */
  listed: boolean;
  /** Number of accounts on it, whether their subscriptions are active or not. */
  accounts: number;
  /** Stripe prices that buy it. The first is the one at which it is sold. */
  prices: string | null;
}

/** Properties of a tier. In a change, absent ones stay. */
export interface TierChange {
  apiAccess?: boolean | undefined;
  dailyQuota?: number | undefined;
  snapshots?: boolean | undefined;
  isListed?: boolean | undefined;
}

/** Lists the tiers, ordered by name. */
export function listTiers(connection: Connection): Promise<TierRow[]> {
  return connection.query<TierRow>(
    `select tier.name, tier.api_access, tier.daily_quota::float8 as daily_quota, tier.snapshots, tier.is_listed as listed,
            (select count(*)::int from funding.subscriptions as subscription where subscription.tier = tier.name)
              + case tier.name when 'free' then (
                  select count(*)::int from funding.accounts as account
                  where not exists (select from funding.subscriptions as own where own.account_id = account.id)) else 0 end as accounts,
            (select string_agg(price_id, ', ' order by set_at desc, price_id desc) from funding.tier_prices as price where price.tier = tier.name) as prices
     from funding.tiers as tier order by tier.name`,
  );
}

/** Adds a tier, by default listed, with access, without a quota, and with snapshots where it has both. @throws SQLSTATE PT409 when there is such a tier, PT400 when the name is not valid. */
export async function addTier(
  connection: Connection,
  name: string,
  { apiAccess = true, dailyQuota = -1, snapshots = apiAccess && dailyQuota === -1, isListed = true }: TierChange,
): Promise<void> {
  await connection.query("select funding.add_tier($1, $2, $3, $4, $5)", [
    name,
    apiAccess,
    dailyQuota,
    snapshots,
    isListed,
  ]);
}

/** Changes a tier. @throws SQLSTATE PT404 when there is no such tier. */
export async function changeTier(
  connection: Connection,
  name: string,
  { apiAccess, dailyQuota, snapshots, isListed }: TierChange,
): Promise<void> {
  await connection.query("select funding.change_tier($1, $2, $3, $4, $5)", [
    name,
    apiAccess ?? null,
    dailyQuota ?? null,
    snapshots ?? null,
    isListed ?? null,
  ]);
}

/** Removes a tier. @throws SQLSTATE PT409 when accounts have it or a price buys it, PT404 when there is no such tier. */
export async function removeTier(connection: Connection, name: string): Promise<void> {
  await connection.query("select funding.remove_tier($1)", [name]);
}

/**
 * Sets the tier that a Stripe price buys, and at which it is sold from now on. With undefined, the price buys none.
 *
 * @throws SQLSTATE PT404 when there is no such tier, or when the price that is to buy none buys none already.
 */
export async function setPrice(connection: Connection, priceId: string, tier: string | undefined): Promise<void> {
  await connection.query("select funding.set_price($1, $2)", [priceId, tier ?? null]);
}
