-- RPC of GET /common-grants/orgs/{orgId}.

-- Funder with its details as it was at a moment: what changed since has the value of before. Null where there is no such funder, and before it came
-- into the catalogue. Before the changes that are kept, it is as it was before the first of them.
create or replace function funding.funder_at(record_id uuid, at timestamptz) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  shown jsonb := funding.single('funders', record_id, '["details"]');
  since timestamptz;
  later record;
begin
  select coalesce(record.first_seen_at, record.created_at) into since from funding.funders as record where record.id = record_id;
  if shown is null or at < since then
    return null;
  end if;
  for later in
    select change.previous, change.changed_at from funding.record_changes as change
    where change.dataset = 'funders' and change.record_id = funder_at.record_id and change.changed_at > at
    order by change.id desc
  loop
    shown := shown || (later.previous - 'created_at');
  end loop;
  if later.changed_at is not null then
    since := coalesce((
      select max(change.changed_at) from funding.record_changes as change
      where change.dataset = 'funders' and change.record_id = funder_at.record_id and change.changed_at <= at), since);
    shown := jsonb_set(shown, '{details,updated_at}', to_jsonb(funding.moment(since)));
  end if;
  return shown;
end
$$;

-- Funder with its details, for a caller; with `at`, as it was then (`funding.funder_at`). The body is null for an id that no funder has.
create or replace function public.get_organization(key_hash text, id uuid, at timestamptz default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array['funders']);
begin
  return funding.rpc_result(admitted, case when at is null then funding.single('funders', id, '["details"]') else funding.funder_at(id, at) end);
end
$$;
