-- New funding on the dashboard's overview.

-- SQL for an opportunity on the overview, on the row `record`. $1 is the time from which on an opportunity is new.
create or replace function funding.latest_record_expression(dataset text) returns text
language sql immutable parallel safe as $$
  select format($r$json_build_object('dataset', %L, 'id', record.id, 'title', record.title,
    'funder_name', (select funders.name from funding.funders where funders.id = record.funder_id),
    'amount_min', record.amount_min, 'amount_max', record.amount_max, 'deadline_date', funding.iso_date(record.deadline_date),
    'days_left', record.deadline_date - funding.today_of(record.source),
    'created_at', funding.moment(record.created_at), 'is_new', coalesce(record.first_seen_at >= $1, false))$r$, dataset)
$$;

-- Opportunities of a dataset on the overview. `new_records` counts those that are not closed and came from `since` to `until`, of the ten thousand
-- that came last. `latest` has up to `most`: these first, then others, the latest posted first. `closing` has up to `most` that are open and close
-- next.
create or replace function funding.latest_of(
  dataset text, since timestamptz, until timestamptz, most integer, out new_records json, out latest json, out closing json)
language plpgsql volatile as $$
declare
  most_read constant integer := 10000;
  -- The first of the days that are today somewhere, for the index.
  first_today constant date := funding.today_in('UTC') - 1;
begin
  execute format($latest$
    with seen as materialized (
      select record.id, record.created_at, record.classification, record.status, record.archived_at, record.superseded_by from funding.%1$I as record
      where record.first_seen_at >= $1 and record.first_seen_at < $2 order by record.first_seen_at desc limit $4
    ), seen_open as materialized (
      select seen.id, seen.created_at from seen
      where seen.classification = 'opportunity' and not funding.has_ended(seen.status) and seen.archived_at is null and seen.superseded_by is null
    ), posted as (
      select record.id, record.created_at from funding.%1$I as record
      where record.classification = 'opportunity' and not funding.has_ended(record.status) and record.archived_at is null and record.superseded_by is null
      order by record.created_at desc, record.id desc limit $3
    ), chosen as (
      (select seen_open.id, seen_open.created_at, true as is_new from seen_open order by seen_open.created_at desc, seen_open.id desc limit $3)
      union all
      select posted.id, posted.created_at, false from posted where not exists (select from seen_open where seen_open.id = posted.id)
    )
    select json_build_object('count', (select count(*) from seen_open), 'is_capped', (select count(*) from seen) >= $4),
      (select coalesce(json_agg(%2$s order by shown.is_new desc, shown.created_at desc, shown.id desc), '[]')
       from (select * from chosen order by is_new desc, created_at desc, id desc limit $3) as shown join funding.%1$I as record using (id)),
      (select coalesce(json_agg(%2$s order by record.deadline_date, record.id), '[]')
       from (select * from funding.%1$I as soon
         where soon.deadline_date >= $5 and soon.deadline_date >= funding.today_of(soon.source) and soon.archived_at is null and soon.superseded_by is null and soon.classification = 'opportunity' and soon.status in ('open', 'posted')
         order by soon.deadline_date, soon.id limit $3) as record)
  $latest$, dataset, funding.latest_record_expression(dataset))
  into new_records, latest, closing using since, until, most, most_read, first_today;
end
$$;

-- Opportunities that came since a moment, the latest of all, and those that close next: { since, counted_until, new_records, latest, closing }.
-- Without API access, new_records is null and the lists are empty: the tier has no records.
create or replace function public.get_latest_records(user_id uuid, session_id uuid, since timestamptz) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_latest_records.user_id, get_latest_records.session_id);
  most constant integer := 6;
  until constant timestamptz := funding.settled_mark();
  grants record;
  contracts record;
begin
  if not funding.has_webhooks(own_id) then
    return json_build_object('since', funding.moment(since), 'counted_until', funding.moment(until), 'new_records', null,
      'latest', '[]'::json, 'closing', '[]'::json);
  end if;
  select * into grants from funding.latest_of('grants', since, until, most);
  select * into contracts from funding.latest_of('contracts', since, until, most);
  return json_build_object(
    'since', funding.moment(since),
    'counted_until', funding.moment(until),
    'new_records', json_build_object('grants', grants.new_records, 'contracts', contracts.new_records),
    'latest', (
      select coalesce(json_agg(shown.record order by (shown.record->>'is_new')::boolean desc, shown.record->>'created_at' desc, shown.record->>'id' desc), '[]')
      from (
        select record from (
          select * from json_array_elements(grants.latest) union all select * from json_array_elements(contracts.latest)) as either(record)
        order by (record->>'is_new')::boolean desc, record->>'created_at' desc, record->>'id' desc limit most) as shown),
    'closing', (
      select coalesce(json_agg(shown.record order by shown.record->>'deadline_date', shown.record->>'id'), '[]')
      from (
        select record from (
          select * from json_array_elements(grants.closing) union all select * from json_array_elements(contracts.closing)) as either(record)
        order by record->>'deadline_date', record->>'id' limit most) as shown));
end
$$;
