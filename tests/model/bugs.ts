import type { PlantedBug } from "../support/planted-bug.ts";

/** Bugs that the model of accounts has to find, by what they do. */
export const accountBugs: Record<string, PlantedBug> = {
  "an expired key is let in": { name: "funding.admit", from: "api_key.expires_at > funding.latest_now()", to: "true" },
  "a request counts twice": {
    name: "funding.count_request",
    from: "used = quota.used + 1",
    to: "used = quota.used + 2",
  },
  "a canceled subscription gives access": {
    name: "funding.is_in_force_at",
    from: "'active',",
    to: "'active', 'canceled',",
  },
  "a key is replaced twice": {
    name: "funding.rotate_key",
    from: "replacement_of(old_key.id)",
    to: "replacement_of(new_key.id)",
  },
  "an overlap outlives the key": {
    name: "funding.rotate_key",
    from: "least(full_expiry, funding.latest_now() + overlap_)",
    to: "funding.latest_now() + overlap_",
  },
  "there is room for one key more": { name: "funding.require_room_for_key", from: ">= maximum", to: "> maximum" },
  "a replacement has no limits": { name: "funding.rotate_key", from: "old_key.daily_quota,", to: "null," },
  "a replacement has a count of its own": {
    name: "funding.rotate_key",
    from: "coalesce(old_key.quota_key_id, old_key.id)",
    to: "null",
  },
  "who has left goes on": {
    name: "funding.account_of",
    from: "funding.role_of(chosen_id, account_of.user_id) is null",
    to: "false",
  },
  "a member does what owners do": { name: "funding.require_owner", from: "own_role <> 'owner'", to: "false" },
  "an owner who has gone comes back by an invitation of theirs": {
    name: "funding.withdraw_invitations",
    from: "pending.invited_by_user = old.user_id",
    to: "false",
  },
  "an owner who has another address comes back by an invitation of theirs": {
    name: "funding.withdraw_invitations",
    from: "pending.invited_by_user = old.user_id",
    to: "pending.invited_by = funding.member_email(old)",
  },
  "the last owner leaves": { name: "funding.remove_from_account", from: "removed.role = 'owner'", to: "false" },
  "a repetition is made again": {
    name: "public.write_once",
    from: "where earlier.created_at < retained_since",
    to: "where true",
  },
};
