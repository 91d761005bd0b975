-- Retention: rows that are older than the retention of their table are deleted in small batches. The dispatcher calls for each batch, which is a
-- transaction of its own. docs/database.md says what bounds each table.

-- Tables with a retention, which a setting gives. A row, named `old`, is deleted when its `age_column` is before `cutoff` and `condition` holds for
-- it. Rows are deleted by whole units. A row is overdue by the time from the end of its unit to `retained_since`.
create or replace function funding.retention(
  out table_name text, out setting_name text, out age_column text, out unit text, out condition text,
  out retained_since timestamptz, out cutoff timestamptz)
returns setof record
language sql stable as $$
  select rule.table_name, rule.setting_name, rule.age_column, rule.unit, rule.condition, since.moment,
         date_trunc(rule.unit, since.moment, 'UTC')
  from (values
    -- Deleted with their deliveries and attempts.
    ('events', 'created_at', 'microsecond', 'webhook_retention_days', 'not funding.is_kept_unsent(old)'),
    -- Rolled up by whole months, into `usage_months`.
    ('usage', 'day', 'month', 'usage_days', 'true'),
    ('usage_hours', 'hour', 'hour', 'usage_hour_days', 'true'),
    ('daily_quota', 'day', 'day', 'quota_days', 'true'),
    ('daily_key_quota', 'day', 'day', 'quota_days', 'true'),
    ('record_changes', 'changed_at', 'microsecond', 'record_change_days', 'true'),
    ('imports', 'started_at', 'microsecond', 'import_days', 'funding.is_superseded(old)'),
    ('deadline_notices', 'noted_at', 'microsecond', 'deadline_notice_days', 'true'),
    ('stripe_events', 'received_at', 'microsecond', 'stripe_event_days', 'true'),
    ('idempotency_keys', 'created_at', 'microsecond', 'idempotency_key_days', 'true'),
    ('request_log', 'at', 'microsecond', 'request_log_days', 'true'),
    ('request_log_counts', 'hour', 'hour', 'request_log_days', 'true'),
    ('audit_log', 'at', 'microsecond', 'audit_log_days', 'true'),
    -- An invitation that can still be accepted is no older.
    ('invitations', 'created_at', 'microsecond', 'invitation_days', 'true'),
    -- A period counts as mailed for as long as its row is there.
    ('digest_mails', 'created_at', 'microsecond', 'digest_mail_days', $c$old.state not in ('claimed', 'waiting')$c$),
    -- Those of a former model.
    ('next_embeddings', 'kept_since', 'microsecond', 'former_vector_days', 'true')
  ) as rule(table_name, age_column, unit, setting_name, condition)
  cross join lateral (
    select funding.bounded_now() - funding.setting(rule.setting_name)::double precision * interval '1 day' as moment) as since
$$;

-- Whether later imports of the same source tell all that this one does: the result of the source's last run, the age of its data, and whether its
-- files end with a line break. Only an operator reads such an import.
create or replace function funding.is_superseded(old funding.imports) returns boolean
language sql stable as $$
  select old.outcome <> 'running' and exists (
    select from funding.imports as newer
    where newer.source = old.source and newer.id > old.id and newer.outcome <> 'running' and (
      old.outcome in ('failed', 'interrupted')
      or newer.outcome in ('completed', 'refused') and newer.importer = old.importer and newer.datasets = old.datasets
        and newer.as_of >= old.as_of and (newer.has_final_line_break is not null or old.has_final_line_break is null)))
$$;

-- Time for which the oldest row of each table with a retention has been overdue, in seconds; 0 where there is none. Each row is found by an index.
create or replace function funding.overdue(out table_name text, out seconds double precision) returns setof record
language plpgsql stable set search_path = funding, pg_temp set timezone = 'UTC' as $$
declare
  rule record;
begin
  for rule in select * from funding.retention() loop
    table_name := rule.table_name;
    execute format($oldest$
      select extract(epoch from $1 - (date_trunc(%4$L, old.%1$I::timestamptz) + interval '1 %4$s'))
      from funding.%2$I as old where old.%1$I < $2 and %3$s order by old.%1$I limit 1
    $oldest$, rule.age_column, rule.table_name, rule.condition, rule.unit)
    into seconds using rule.retained_since, rule.cutoff;
    seconds := greatest(0, coalesce(seconds, 0));
    return next;
  end loop;
end
$$;

-- Names of the tables that have rows past their retention.
create or replace function public.list_overdue_tables() returns json
language sql stable security definer set search_path = funding, pg_temp set statement_timeout = '3s' as $$
  select coalesce(json_agg(overdue.table_name), '[]') from funding.overdue() as overdue where overdue.seconds > 0
$$;

-- Deletes rows of a table that are past their retention, or rolls them up: at most `maximum`, and never more than 10,000. Rows that another
-- transaction has locked are left for the next batch. Returns { rows }: the number of rows. PT400 for a table without a retention.
create or replace function public.prune_table(table_name text, maximum integer) returns json
language plpgsql security definer set search_path = funding, pg_temp set timezone = 'UTC'
set statement_timeout = '3s' set lock_timeout = '500ms' as $$
declare
  most constant integer := least(greatest(coalesce(maximum, 0), 0), 10000);
  rule record;
  pruned bigint;
begin
  select * into rule from funding.retention() as listed where listed.table_name = prune_table.table_name;
  if not found then
    raise sqlstate 'PT400' using message = format('%s is not a table with a retention', coalesce(table_name, 'null'));
  end if;
  case rule.table_name
    when 'events' then
      pruned := funding.prune_events_before(rule.cutoff, most);
    when 'usage' then
      pruned := funding.roll_up_usage(rule.cutoff::date, most);
    else
      execute format($prune$
        delete from funding.%1$I where ctid = any (array(
          select old.ctid from funding.%1$I as old where old.%2$I < $1 and %3$s order by old.%2$I limit $2 for update skip locked))
      $prune$, rule.table_name, rule.age_column, rule.condition)
      using rule.cutoff, most;
      get diagnostics pruned = row_count;
  end case;
  return json_build_object('rows', pruned);
end
$$;

-- Whether an event is kept beyond its retention: it waits for its deliveries to be made, or one of these waits for an attempt. What waits for an
-- endpoint that its owner paused, or that is disabled, does not count. So no event is lost unsent where the server's clock jumps ahead by weeks, or was
-- that far behind when the event came. After twice the retention it goes all the same: perhaps nobody ever sends it.
create or replace function funding.is_kept_unsent(event funding.events) returns boolean
language plpgsql as $$
begin
  return event.created_at >= funding.bounded_now() - 2 * funding.setting('webhook_retention_days')::double precision * interval '1 day'
    and (event.fanned_out_at is null and event.undeliverable is null or exists (
      select from funding.webhook_deliveries as delivery join funding.webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
      where delivery.event_id = event.id and delivery.state = 'pending' and endpoint.state = 'active'));
end
$$;

-- Deletes the oldest events before a moment, their attempts first, then their deliveries: at most `maximum` rows in all, since one event may have
-- thousands of deliveries. Returns the number of rows.
create or replace function funding.prune_events_before(cutoff timestamptz, maximum integer) returns bigint
language plpgsql as $$
declare
  old constant uuid[] := array(
    select happened.id from funding.events as happened
    where happened.created_at < cutoff and not funding.is_kept_unsent(happened)
    order by happened.created_at limit maximum);
  pruned bigint := 0;
  deleted bigint;
begin
  delete from funding.webhook_attempts where ctid = any (array(
    select attempt.ctid
    from unnest(old) as event(id)
    join funding.webhook_deliveries as delivery on delivery.event_id = event.id
    join funding.webhook_attempts as attempt on attempt.endpoint_id = delivery.endpoint_id and attempt.event_id = delivery.event_id
    limit maximum for update of attempt skip locked));
  get diagnostics pruned = row_count;
  delete from funding.webhook_deliveries where ctid = any (array(
    select delivery.ctid
    from unnest(old) as event(id) join funding.webhook_deliveries as delivery on delivery.event_id = event.id
    where not exists (
      select from funding.webhook_attempts as attempt
      where attempt.endpoint_id = delivery.endpoint_id and attempt.event_id = delivery.event_id)
    limit maximum - pruned for update of delivery skip locked));
  get diagnostics deleted = row_count;
  pruned := pruned + deleted;
  delete from funding.events where id in (
    select event.id from funding.events as event
    where event.id = any (old) and not exists (select from funding.webhook_deliveries as delivery where delivery.event_id = event.id)
    order by event.created_at
    limit maximum - pruned for update skip locked);
  get diagnostics deleted = row_count;
  return pruned + deleted;
end
$$;
