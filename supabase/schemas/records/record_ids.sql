-- Ids of the records that an import brings: one opportunity is one record, by whichever of its identifiers it comes.

-- Whether a source_id is a second one. Grants.gov's opportunities have numbers; Simpler.Grants.gov gives each a UUID, too.
create or replace function funding.is_alias(source text, source_id text) returns boolean
language sql immutable parallel safe as $$
  select source = 'grants-gov' and source_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$$;

-- Ids of a batch's records, in its order. A record that is stored under the source_id, or of which this is an alias, keeps its id. Else an
-- opportunity number decides: the only stored record with it that is known by the other kind of identifier alone; of several, the only current one.
create or replace function funding.record_ids(dataset text, batch jsonb) returns uuid[]
language plpgsql stable set search_path = funding, extensions, pg_temp as $$
begin
  if dataset <> 'grants' or not (
    exists (select from funding.record_aliases)
    or exists (select from jsonb_array_elements(batch) as item where funding.is_alias(item->>'source', item->>'source_id'))
  ) then
    return (
      select array_agg(funding.record_id(dataset, value->>'source', value->>'source_id') order by position)
      from jsonb_array_elements(batch) with ordinality as item(value, position));
  end if;
  return (
    with item as (
      select value->>'source' as source, value->>'source_id' as source_id, upper(value->'details'->>'opportunity_number') as number,
        funding.is_alias(value->>'source', value->>'source_id') as is_alias, position
      from jsonb_array_elements(batch) with ordinality as given(value, position)
    ), counted as (
      select *, count(*) over (partition by source, number, is_alias) as same from item
    )
    select array_agg(coalesce(own.id, alias.record_id, named.id, funding.record_id('grants', counted.source, counted.source_id)) order by position)
    from counted
    left join funding.grants as own on own.source = counted.source and own.source_id = counted.source_id
    left join funding.record_aliases as alias
      on alias.dataset = 'grants' and alias.source = counted.source and alias.alias = counted.source_id
    left join lateral (
      select case
          when count(*) = 1 then (array_agg(grants.id))[1]
          when count(*) filter (where grants.archived_at is null) = 1
            then (array_agg(grants.id) filter (where grants.archived_at is null))[1]
        end as id
      from funding.grants
      where own.id is null and alias.record_id is null and counted.same = 1
        and upper(grants.details->>'opportunity_number') = counted.number and grants.details ? 'opportunity_number'
        and grants.source = counted.source and funding.is_alias(grants.source, grants.source_id) <> counted.is_alias
        and not (counted.is_alias and exists (select from funding.record_aliases as known where known.record_id = grants.id))
    ) as named on true);
end
$$;

-- Notes the aliases in a batch, with the ids of its records.
create or replace function funding.note_aliases(dataset text, batch jsonb, ids uuid[]) returns void
language sql set search_path = funding, extensions, pg_temp as $$
  insert into funding.record_aliases (dataset, source, alias, record_id)
  select $1, value->>'source', value->>'source_id', ids[position]
  from jsonb_array_elements(batch) with ordinality as item(value, position)
  where funding.is_alias(value->>'source', value->>'source_id')
    and not exists (
      select from funding.record_aliases as known
      where known.dataset = $1 and known.source = value->>'source' and known.alias = value->>'source_id')
  on conflict do nothing
$$;
