-- Monitoring for an operator: readiness and state of the database.

-- Seconds since a moment, or null.
create or replace function funding.seconds_since(moment timestamptz) returns double precision
language sql stable as $$
  select extract(epoch from now() - moment)::double precision
$$;

-- Readiness of the database: its latest migration, whether there are records, and whether a lexicon was fitted.
create or replace function public.get_readiness() returns json
language plpgsql stable security definer set search_path = funding, pg_temp set statement_timeout = '2s' as $$
declare
  latest text;
begin
  -- A database that got the migrations by other means has no such table.
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select max(version) from supabase_migrations.schema_migrations' into latest;
  end if;
  return json_build_object(
    'migration', latest,
    'has_records', exists (select from funding.grants) or exists (select from funding.contracts) or exists (select from funding.funders),
    'clock_offset_seconds', funding.clock_offset_seconds(),
    'is_fitted', (select fitted_at is not null from funding.lexicon_fit),
    'data_as_of', (
      select json_object_agg(dataset, funding.moment(funding.data_as_of(dataset)))
      from unnest(array['grants', 'contracts', 'funders']) as dataset));
end
$$;

-- Objects of the schema that are missing or were changed: [{ kind, name, is_missing }], at most 20, functions first. See
-- `funding.schema_faults`. It takes some 15 ms, so it is not for every probe.
create or replace function public.get_schema_faults() returns json
language sql stable security definer set search_path = funding, pg_temp set statement_timeout = '2s' as $$
  select coalesce(json_agg(fault), '[]') from (select * from funding.schema_faults() limit 20) as fault
$$;

-- Metrics: totals that only grow, and the present state. Numbers that may be large are counted to 10,000, from an index, so that the call costs the
-- same however much has gathered. For records without a vector of an external model it looks at each slot. Numbers of records are the planner's
-- estimates. Times are in seconds.
create or replace function public.get_metrics() returns json
language plpgsql stable security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  dispatch_time constant timestamptz := funding.dispatch_now();
  waiting_maximum constant integer := 10000;
begin
  return json_build_object(
    'requests', (
      select coalesce(json_agg(total), '[]') from (
        select endpoint, status, latency_bucket_ms, sum(requests)::bigint as requests, sum(duration_ms) as duration_ms
        from funding.usage_totals group by 1, 2, 3 order by 1, 2, 3) as total),
    'events', (
      select json_build_object('waiting', count(*), 'oldest_seconds', funding.seconds_since(min(created_at)), 'undeliverable', (
        select count(*) from (select from funding.events where undeliverable is not null limit waiting_maximum) as undeliverable))
      from (select created_at from funding.events where fanned_out_at is null and (fan_out_after is null or fan_out_after <= dispatch_time)
        order by created_at limit waiting_maximum) as event),
    'deliveries', (
      select json_build_object('due', count(*), 'oldest_seconds', extract(epoch from dispatch_time - min(due_at)))
      from (
        select delivery.due_at
        from funding.webhook_endpoints as endpoint cross join lateral (
          select due_at from funding.webhook_deliveries
          where endpoint_id = endpoint.id and state = 'pending' and claimed_until is null and due_at < dispatch_time
          order by due_at limit waiting_maximum) as delivery
        -- Deliveries of an endpoint in backoff are not late.
        where endpoint.state = 'active' and (endpoint.retry_at is null or endpoint.retry_at < dispatch_time)
          -- Nor are deliveries of an account without access, which wait for the access.
          and funding.has_webhooks(endpoint.account_id)
        limit waiting_maximum) as delivery),
    'attempts', (
      select coalesce(json_agg(total), '[]') from (
        select outcome, attempts from funding.webhook_attempt_totals order by 1) as total),
    'endpoints', (
      select json_build_object(
        'well', count(*) filter (where state = 'active' and failures_in_a_row = 0),
        'failing', count(*) filter (where state = 'active' and failures_in_a_row > 0),
        'disabled', count(*) filter (where state = 'disabled' and set_aside_at is null),
        'set_aside', count(*) filter (where state = 'disabled' and set_aside_at is not null))
      from funding.webhook_endpoints),
    'digests', (
      select json_build_object('oldest_seconds', extract(epoch from funding.bounded_now() - min(next_at)))
      from (select next_at from funding.digests where next_at <= funding.bounded_now() and paused_at is null order by next_at limit 1) as digest),
    'digest_mails', (
      select coalesce(json_agg(result order by result.state), '[]') from (
        select state, count(*) as mails from funding.digest_mails where result_at > dispatch_time - interval '1 day' group by 1) as result),
    'dispatcher_seconds', (select funding.seconds_since(wall) from funding.dispatch_clock),
    'clock_offset_seconds', funding.clock_offset_seconds(),
    'retention', (select json_agg(overdue order by overdue.table_name) from funding.overdue() as overdue),
    'sources', (
      select coalesce(json_agg(freshness), '[]') from (
        select source, funding.seconds_since(max(as_of) filter (where outcome in ('completed', 'refused'))) as age_seconds,
               (array_agg(outcome order by id desc) filter (where outcome <> 'running'))[1] as last_outcome
        from funding.imports group by source order by source) as freshness),
    'records', (
      select json_agg(json_build_object('dataset', relation.relname, 'records', greatest(relation.reltuples, 0),
        'age_seconds', funding.seconds_since(funding.data_as_of(relation.relname)),
        'without_vector', funding.count_without_vector(relation.relname, waiting_maximum)) order by relation.relname)
      from pg_class as relation
      where relation.oid in ('funding.grants'::regclass, 'funding.contracts'::regclass, 'funding.funders'::regclass)),
    'embeddings', funding.embedding_metrics(waiting_maximum),
    'documents', (
      select json_build_object('documents', greatest(relation.reltuples, 0), 'problems', (
        select count(*) from (select from funding.documents where reason is not null limit waiting_maximum) as problem))
      from pg_class as relation where relation.oid = 'funding.documents'::regclass),
    'lexicon', (
      select json_build_object('age_seconds', funding.seconds_since(fitted_at), 'documents', documents) from funding.lexicon_fit),
    'database', (
      select json_build_object('connections', numbackends, 'maximum_connections', current_setting('max_connections')::integer,
        'bytes', pg_database_size(datid), 'deadlocks', deadlocks, 'rollbacks', xact_rollback,
        -- Transactions that keep vacuum from removing rows: those with a snapshot or changes of their own, and prepared ones. Null where the owner of
        -- this function may not see other users' sessions.
        'oldest_transaction_seconds', case when pg_has_role('pg_read_all_stats', 'usage') then (
          select coalesce(extract(epoch from clock_timestamp() - min(holder.since)), 0)
          from (
            select session.xact_start as since from pg_stat_activity as session
            where session.datname = current_database() and session.backend_type = 'client backend' and session.pid <> pg_backend_pid()
              and (session.backend_xmin is not null or session.backend_xid is not null)
            union all
            select prepared.prepared from pg_prepared_xacts as prepared where prepared.database = current_database()
          ) as holder) end)
      from pg_stat_database where datname = current_database()));
end
$$;
