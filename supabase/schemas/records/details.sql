-- Details of opportunities: data of their sources beyond a record's own fields, in the column `details`.

-- SQL for the other versions of the row named `record` (versions.sql), the listed one first, then from new to old: [{ id, by, is_listed }]. `by` is
-- "notice" for another notice of the same source, "source" for the same opportunity from another source. (Two cases: each is found by an index.)
create or replace function funding.same_as_expression(dataset text) returns text
language sql immutable parallel safe as $$
  select 'case when record.superseded_by is null then ' || format(versions.query, versions.dataset, 'other.superseded_by = record.id')
    || ' else ' || format(versions.query, versions.dataset,
      '(other.id = record.superseded_by or other.superseded_by = record.superseded_by) and other.id <> record.id') || ' end'
  from (values (dataset, $query$(
    select coalesce(json_agg(json_build_object('id', other.id, 'by', case when other.source = record.source then 'notice' else 'source' end,
      'is_listed', other.superseded_by is null) order by other.superseded_by is not null, other.created_at desc, other.id), '[]')
    from funding.%I as other where %s)$query$)) as versions(dataset, query)
$$;

-- SQL for the details of a record, as the API shows them with `expand=details`. It reads the row named `record`. A detail that the source does not
-- give is null, an empty list, or false.
create or replace function funding.details_expression(dataset text) returns text
language plpgsql immutable parallel safe as $$
begin
  return format('json_build_object(%s ''source'', record.source, ''updated_at'', funding.moment(record.updated_at))',
    case when dataset = 'funders' then '''ein'', funding.ein_of(record.source, record.source_id),' else (
      select format('''same_as'', %s, ', funding.same_as_expression(dataset)) || string_agg(case when member.absent is null then format('%1$L, record.details->%1$L,', member.name)
        else format('%1$L, coalesce(record.details->%1$L, %2$L),', member.name, member.absent) end, ' ')
      from funding.detail_members() as member)
    end);
end
$$;

-- Employer Identification Number of a funder: what the index of foundations' returns knows it by.
create or replace function funding.ein_of(source text, source_id text) returns text
language sql immutable parallel safe as $$
  select case when source = 'irs-990pf' and source_id ~ '^[0-9]{9}$' then source_id end
$$;

-- Page of records with the details of each, as its last member. A record that was deleted since has none. With checks, details have those as well.
create or replace function funding.with_details(dataset text, page json, has_checks boolean default false) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  detailed json;
begin
  execute format($details$
    select coalesce(json_agg(case when record.id is null then item.body else funding.with_member(item.body, 'details', %s) end order by item.position), '[]')
    from json_array_elements($1) with ordinality as item(body, position)
    left join funding.%I as record on record.id = (item.body->>'id')::uuid
  $details$, case when has_checks then format('funding.with_members(%s, %s)', funding.details_expression(dataset), funding.checks_expression(dataset))
    else funding.details_expression(dataset) end, dataset)
  into detailed using page;
  return detailed;
end
$$;
