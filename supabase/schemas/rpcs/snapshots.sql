-- Published snapshots of the catalogue.

-- Published snapshots in stores of one kind (`supabase` or `r2`; another kind has none), newest first, 100 at most: { is_included, snapshots: [{
-- location, manifest }] }. With an id, only that snapshot; the id `latest` is the newest. `is_included` tells whether the caller's tier has
-- snapshots: if not, the list is empty. A snapshot has all datasets, so a key that reads only some of them has no snapshots: PT403.
create or replace function public.list_snapshots(key_hash text, store text, id text default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array['grants', 'contracts', 'funders']);
  is_included constant boolean := exists (
    select from funding.subscriptions as subscription join funding.tiers as tier on tier.name = subscription.tier
    where subscription.account_id = admitted.account_id and tier.snapshots
  );
  found_snapshots json;
begin
  select coalesce(json_agg(json_build_object('location', listed.location, 'manifest', listed.manifest) order by listed.id desc), '[]')
  into found_snapshots
  from (
    select snapshots.location, snapshots.id, snapshots.manifest from funding.snapshots
    where is_included and split_part(snapshots.location, ':', 1) = list_snapshots.store and is_complete
      and (list_snapshots.id is null or list_snapshots.id = 'latest' or snapshots.id = list_snapshots.id)
    order by snapshots.id desc
    limit case when list_snapshots.id is null then 100 else 1 end
  ) as listed;
  return funding.rpc_result(admitted, json_build_object('is_included', is_included, 'snapshots', found_snapshots));
end
$$;
