-- Statistics of funders: what is open, and what was awarded, by fiscal year, programme and recipient. Upkeep makes them after a record changed; a
-- request reads a row.

-- Notes the funders of records that changed in what statistics count.
create or replace function funding.note_funder_statistics_due() returns trigger
language plpgsql security definer
set search_path = funding, extensions, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into funding.funder_statistics_due (funder_id) select distinct record.funder_id from new_records as record;
  elsif tg_op = 'DELETE' then
    insert into funding.funder_statistics_due (funder_id) select distinct record.funder_id from old_records as record;
  else
    insert into funding.funder_statistics_due (funder_id)
    select distinct changed.funder_id
    from old_records as before join new_records as after using (id) cross join lateral (values (before.funder_id), (after.funder_id)) as changed(funder_id)
    where (before.funder_id, before.classification, before.status, before.archived_at, before.superseded_by, before.created_at, before.amount_max, before.details)
      is distinct from (after.funder_id, after.classification, after.status, after.archived_at, after.superseded_by, after.created_at, after.amount_max, after.details);
  end if;
  return null;
end
$$;

-- Statistics of a funder, as the API shows them. An award's amount is what is obligated, else its `amount_max`. A fiscal year ends in September; a
-- source's days are days of UTC. (A funder's records are read first: before tables are analyzed, Postgres would read the index of all that is listed.)
create or replace function funding.statistics_of_funder(funder_id uuid) returns json
language sql stable
set search_path = funding, extensions, pg_temp set work_mem = '64MB' as $$
  with record as materialized (
    select 'grants' as dataset, grants.classification, grants.status, grants.created_at, grants.amount_max, grants.details
    from (select * from funding.grants as known where known.funder_id = statistics_of_funder.funder_id offset 0) as grants
    where grants.archived_at is null and grants.superseded_by is null
    union all
    select 'contracts', contracts.classification, contracts.status, contracts.created_at, contracts.amount_max, contracts.details
    from (select * from funding.contracts as known where known.funder_id = statistics_of_funder.funder_id offset 0) as contracts
    where contracts.archived_at is null and contracts.superseded_by is null
  ), award as materialized (
    select extract(year from record.created_at at time zone 'UTC' + interval '3 months')::integer as fiscal_year,
           coalesce((record.details->>'obligated_amount')::double precision, record.amount_max)::numeric as amount,
           record.details->'recipient' as recipient, record.details->'assistance_listings' as listings
    from record where record.classification = 'awarded_project'
  ), programme as (
    select item->>'number' as number, (array_agg(item->>'title' order by item->>'title') filter (where item->>'title' <> ''))[1] as title,
           count(*) as awards, coalesce(sum(award.amount), 0)::double precision as amount
    from award cross join lateral (
      select distinct on (listing->>'number') listing as item from jsonb_array_elements(nullif(award.listings, 'null')) as listing where listing->>'number' <> ''
    ) as listed
    group by item->>'number'
  ), recipient as (
    select min(award.recipient->>'name') as name, award.recipient->>'uei' as uei, count(*) as awards, coalesce(sum(award.amount), 0)::double precision as amount
    from award where award.recipient->>'name' <> ''
    group by award.recipient->>'uei', case when award.recipient->>'uei' is null then funding.name_key(award.recipient->>'name') end
  )
  select json_build_object(
    'open_opportunities', (
      select json_build_object('grants', count(*) filter (where record.dataset = 'grants'), 'contracts', count(*) filter (where record.dataset = 'contracts'))
      from record where record.classification = 'opportunity' and record.status in ('open', 'posted')),
    'awards', (
      select json_build_object('total', count(*), 'amount', coalesce(sum(amount), 0)::double precision,
        'median_amount', percentile_cont(0.5) within group (order by amount::double precision)) from award),
    'awards_by_fiscal_year', (
      select coalesce(json_agg(json_build_object('fiscal_year', fiscal_year, 'awards', awards, 'amount', amount) order by fiscal_year desc), '[]')
      from (select fiscal_year, count(*) as awards, coalesce(sum(award.amount), 0)::double precision as amount from award group by fiscal_year) as year),
    'top_programmes', (
      select coalesce(json_agg(json_build_object('number', number, 'title', title, 'awards', awards, 'amount', amount) order by amount desc, number), '[]')
      from (select * from programme order by amount desc, number limit 10) as top),
    'top_recipients', (
      select coalesce(json_agg(json_build_object('name', name, 'uei', uei, 'awards', awards, 'amount', amount) order by amount desc, name, uei), '[]')
      from (select * from recipient order by amount desc, name, uei limit 10) as top))
$$;

-- Statistics of a funder for a request, with the moment they were made: of none, where none were made yet. Null where there is no such funder.
create or replace function funding.known_statistics(funder_id uuid) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  known record;
begin
  if not exists (select from funding.funders where funders.id = known_statistics.funder_id) then
    return null;
  end if;
  select * into known from funding.funder_statistics as made where made.funder_id = known_statistics.funder_id;
  return funding.with_member(funding.with_member(
    coalesce(known.body, funding.statistics_of_funder('00000000-0000-0000-0000-000000000000')),
    'funder_id', to_json(known_statistics.funder_id)), 'as_of', coalesce(to_json(funding.moment(known.made_at)), 'null'));
end
$$;

-- Makes the statistics anew of the funders that have waited longest, as many as 100 ms allow, and of one at least. Returns their number: an import may
-- concern thousands.
create or replace function funding.renew_funder_statistics() returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  ends constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  renewed integer := 0;
  due uuid;
begin
  loop
    due := (select waiting.funder_id from funding.funder_statistics_due as waiting order by waiting.id limit 1 for update skip locked);
    exit when due is null;
    -- First, so that what changes from here on is due again.
    delete from funding.funder_statistics_due as waiting where waiting.funder_id = due;
    if exists (select from funding.funders where funders.id = due) then
      insert into funding.funder_statistics as known (funder_id, body, made_at)
      values (due, funding.statistics_of_funder(due), clock_timestamp())
      on conflict on constraint funder_statistics_pkey do update set body = excluded.body, made_at = excluded.made_at;
    else
      delete from funding.funder_statistics as known where known.funder_id = due;
    end if;
    renewed := renewed + 1;
    exit when clock_timestamp() >= ends;
  end loop;
  return renewed;
end
$$;
