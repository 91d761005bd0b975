-- Changes of a record, as the importer stored them: `funding.record_changes` has the former value of each field.

-- Value of a field as the API shows it.
create or replace function funding.api_value(field text, value jsonb) returns jsonb
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select case
    when value is null then 'null'
    when field in ('created_at', 'archived_at') and jsonb_typeof(value) = 'string' then to_jsonb(funding.moment((value#>>'{}')::timestamptz))
    else value
  end
$$;

-- A record with the fields of its details among its own.
create or replace function funding.flat_record(record jsonb) returns jsonb
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select record || coalesce(nullif(record->'details', 'null'), '{}')
$$;

-- Differences between two states of a record (`funding.flat_record`): [{ field, from, to }], an empty list where no field that the API shows differs.
create or replace function funding.changes_between(before jsonb, after jsonb) returns json
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select coalesce(json_agg(json_build_object('field', api.field, 'from', funding.api_value(api.field, before->api.field),
                                             'to', funding.api_value(api.field, after->api.field)) order by api.position), '[]')
  from unnest(funding.api_fields()) with ordinality as api(field, position)
  where coalesce(before->api.field, 'null') is distinct from coalesce(after->api.field, 'null')
$$;

-- Changes of a record, newest first: { results: [{ changed_at, changes: [{ field, from, to }] }], next }. With `before`, the `next` of an earlier
-- result, the changes that follow it. Null where there is no such record. The new value of a field is its value before its next change, or else its
-- present value.
create or replace function funding.changes_of(dataset text, record_id uuid, maximum integer, before bigint) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  -- Value of each field after the change that is looked at.
  state jsonb;
  known record;
  fields json;
  results json[] := '{}';
  last_id bigint;
begin
  if dataset is null or dataset not in ('grants', 'contracts', 'funders') or coalesce(maximum not between 1 and 100, true) then
    raise invalid_parameter_value using message = 'changes are of grants, contracts or funders, up to 100';
  end if;
  execute format('select funding.flat_record(to_jsonb(record)) from funding.%I as record where record.id = $1', dataset)
  into state using record_id;
  if state is null then
    return null;
  end if;
  for known in
    select change.id, change.changed_at, change.previous from funding.record_changes as change
    where change.dataset = changes_of.dataset and change.record_id = changes_of.record_id
    -- In the order in which the changes were written: `changed_at` is the time at which an import's transaction began.
    order by change.id desc
  loop
    if before is null or known.id < before then
      fields := funding.changes_between(state || known.previous, state);
      if json_array_length(fields) > 0 then
        if cardinality(results) = maximum then
          return json_build_object('results', results, 'next', last_id);
        end if;
        results := results || json_build_object('changed_at', funding.moment(known.changed_at), 'changes', fields);
        last_id := known.id;
      end if;
    end if;
    state := state || known.previous;
  end loop;
  return json_build_object('results', results, 'next', null);
end
$$;
