import { type Connection, queryOne, queryValue } from "../connection.ts";

/** An account as an operator sees it. */
export interface AccountRow {
  /** Its address, or its id where it has none, since its own user left. */
  email: string;
  tier: string;
  /** Status of the subscription; null without one. */
  status: string | null;
  /** End of the subscription; null if it has none. */
  period_end: Date | null;
  /** Whether its keys have access now. */
  access: boolean;
  /** Requests a UTC day; -1 is unlimited. */
  daily_quota: number;
  /** Requests that counted against the quota today. */
  used_today: number;
  /** Number of keys that are neither revoked nor expired. */
  keys: number;
}

/** Details of an account for an operator. */
export interface AccountDetails extends AccountRow {
  id: string;
  created_at: Date;
  /** User of Supabase Auth who signs in to it. */
  auth_user_id: string | null;
  /** Stripe customers who pay for it. */
  stripe_customers: string | null;
  /** Stripe subscription that its subscription follows; null where an operator set it. */
  stripe_subscription: string | null;
}

/** A change of the account's audit log, as an operator sees it. */
export interface AuditLogRow {
  at: Date;
  /** The user's e-mail address at that time, `operator` or `system`. */
  actor: string;
  action: string;
  /** Name of the changed object, at that time. */
  subject: string;
  /** Its id, as the account API and the other commands name it. */
  id: string;
  /** Fields that changed, as `field: from > to`; null where none is told. */
  changes: string | null;
}

/** A member of an account, or an open invitation to it, as an operator sees it. */
export interface MemberRow {
  email: string;
  role: string;
  /** When they came; null for an invitation. */
  joined_at: Date | null;
  /** Until when the invitation can be accepted; null for a member. */
  invited_until: Date | null;
}

/** Changes of a subscription. Absent parts stay. */
export interface SubscriptionChange {
  tier?: string | undefined;
  status?: string | undefined;
  /** The moment, or `none`. */
  periodEnd?: Date | "none" | undefined;
}

/**
 * Opens an account on a tier.
 *
 * @throws SQLSTATE PT409 when the e-mail address has one, PT404 when there is no such tier.
 */
export async function createAccount(connection: Connection, email: string, tier: string): Promise<string> {
  return queryValue<string>(connection, "select funding.create_account($1, $2)", [email, tier]);
}

/**
 * Changes an account's subscription at once. A tier alone makes it active and without an end.
 *
 * @throws SQLSTATE PT404 when there is no such account or tier.
 */
export async function changeSubscription(
  connection: Connection,
  email: string,
  { tier, status, periodEnd }: SubscriptionChange,
): Promise<void> {
  const end = periodEnd === "none" ? "infinity" : (periodEnd?.toISOString() ?? null);
  await connection.query("select funding.change_subscription($1, $2, $3, $4)", [
    email,
    tier ?? null,
    status ?? null,
    end,
  ]);
}

/**
 * Attaches the user of Supabase Auth who signs in to an account. With undefined, the account waits for the first user who
 * confirms its e-mail address.
 *
 * @throws SQLSTATE PT404 when there is no such account, PT409 when the user has another.
 */
export async function attachUser(connection: Connection, email: string, userId: string | undefined): Promise<void> {
  await connection.query("select funding.attach_user($1, $2)", [email, userId ?? null]);
}

/**
 * Attaches a Stripe customer to the account that it pays for.
 *
 * @throws SQLSTATE PT404 when there is no such account, PT400 when the id is not a customer's.
 */
export async function attachCustomer(connection: Connection, email: string, customerId: string): Promise<void> {
  await connection.query("select funding.attach_customer($1, $2)", [email, customerId]);
}

/** Creates a tier with API access, or changes the quota of an existing one, whose access stays. */
export async function defineTier(connection: Connection, name: string, dailyQuota: number): Promise<void> {
  await connection.query(
    `insert into funding.tiers (name, api_access, daily_quota) values ($1, true, $2)
     on conflict (name) do update set daily_quota = excluded.daily_quota`,
    [name, dailyQuota],
  );
}

/** Lists the accounts, ordered by e-mail address. */
export function listAccounts(connection: Connection): Promise<AccountRow[]> {
  return connection.query<AccountRow>(`select ${rowColumns} from ${accountsWithTiers} order by account.email`);
}

/** Reads the details of an account. @throws SQLSTATE PT404 when there is no such account. */
export function readAccount(connection: Connection, email: string): Promise<AccountDetails> {
  return queryOne<AccountDetails>(
    connection,
    `select ${rowColumns}, account.id, account.created_at, account.auth_user_id,
            (select string_agg(customer.id, ', ' order by customer.id)
             from funding.stripe_customers as customer where customer.account_id = account.id) as stripe_customers,
            subscription.stripe_subscription_id as stripe_subscription
     from ${accountsWithTiers} where account.id = funding.account_id($1)`,
    [email],
  );
}

/** Reads the latest entries of an account's audit log, newest first. @throws SQLSTATE PT404 when there is no such account. */
export function readAuditLog(connection: Connection, email: string, limit: number): Promise<AuditLogRow[]> {
  return connection.query<AuditLogRow>(
    `select entry.at, coalesce(entry.actor_email, entry.actor) as actor, entry.action, entry.subject_name as subject, entry.subject_id as id,
            (select string_agg(format('%s: %s > %s', item->>'field', coalesce(item->>'from', '-'), coalesce(item->>'to', '-')), '; ' order by position)
             from jsonb_array_elements(entry.changes) with ordinality as change(item, position)) as changes
     from funding.audit_log as entry where entry.account_id = funding.account_id($1)
     order by entry.at desc, entry.id desc limit $2`,
    [email, limit],
  );
}

/** Lists an account's members, owners first, and its open invitations. @throws SQLSTATE PT404 when there is no such account. */
export function listMembers(connection: Connection, email: string): Promise<MemberRow[]> {
  return connection.query<MemberRow>(
    `select funding.member_email(member) as email, member.role, member.joined_at, null as invited_until
     from funding.members as member where member.account_id = funding.account_id($1)
     union all
     select pending.email, pending.role, null, funding.expiry_of(pending)
     from funding.invitations as pending where pending.account_id = funding.account_id($1) and funding.expiry_of(pending) > now()
     order by invited_until nulls first, role desc, joined_at`,
    [email],
  );
}

/**
 * Invites an address to an account.
 *
 * @throws SQLSTATE PT404 when there is no such account or role, PT409 when the address is a member, is invited, or there is no room.
 */
export async function inviteMember(
  connection: Connection,
  email: string,
  address: string,
  role: string,
): Promise<void> {
  await connection.query(
    `select funding.invite(account.id, $2, $3, null)
     from funding.accounts as account where account.id = funding.account_id($1) for no key update`,
    [email, address, role],
  );
}

/**
 * Removes a member from an account, by their address, or withdraws the invitation of an address.
 *
 * @throws SQLSTATE PT404 when there is no such account, member or invitation, PT409 when it is the last owner.
 */
export async function removeMember(connection: Connection, email: string, address: string): Promise<void> {
  await connection.query("select funding.remove_member_by_email($1, $2)", [email, address]);
}

const accountsWithTiers = `funding.accounts as account
  left join funding.subscriptions as subscription on subscription.account_id = account.id
  join funding.tiers as tier on tier.name = coalesce(subscription.tier, 'free')
  left join funding.daily_quota as quota on quota.account_id = account.id and quota.day = (now() at time zone 'UTC')::date`;

const rowColumns = `coalesce(account.email, account.id::text) as email, tier.name as tier, subscription.status, subscription.current_period_end as period_end,
  tier.api_access and funding.is_in_force(subscription) as access,
  tier.daily_quota::float8 as daily_quota, coalesce(quota.used, 0)::float8 as used_today,
  (select count(*)::int from funding.api_keys as key where key.account_id = account.id and funding.is_valid(key)) as keys`;
