-- Filters that are stored, of webhooks and of saved searches: checked when they are set.

-- Evaluates a filter on a record without values, in the select list, where no condition keeps later ones from being evaluated. Raises Postgres' own
-- error.
create or replace function funding.try_filter(dataset text, filter jsonb) returns void
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := funding.with_days(try_filter.filter, funding.bounded_now())
    -- An empty record has no documents.
    || case when funding.is_in_documents(try_filter.filter) then '{"passage_search": {"terms": [], "weights": "{}", "least_score": 0}}' else '{}' end::jsonb;
begin
  execute format('select %s from jsonb_populate_record(null::funding.%I, $2) as record', funding.predicate(dataset, filter), dataset)
  using filter, '{"source_id": "", "identifiers": [], "states": [], "category_keys": []}'::jsonb;
end
$$;

-- Refuses filters that Postgres cannot evaluate: PT400, which names the filter in its hint, and the parameter where that is known.
create or replace function funding.require_filters(filters jsonb) returns void
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  given record;
  parameter text;
begin
  for given in select item.key as dataset, item.value->'parameters' as filter from jsonb_each(filters) as item loop
    begin
      perform funding.try_filter(given.dataset, given.filter);
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      get stacked diagnostics parameter = pg_exception_hint;
      raise sqlstate 'PT400' using
        message = case when sqlstate = 'PT400' then sqlerrm else 'cannot be evaluated: ' || left(sqlerrm, 200) end,
        hint = concat_ws('.', 'filters', given.dataset, case when sqlstate = 'PT400' then nullif(parameter, '') end);
    end;
  end loop;
end
$$;
