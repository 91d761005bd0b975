-- Details of opportunities: data of their sources beyond a record's own fields, in the column `details`.

-- SQL for the details of a record, as the API shows them with `expand=details`. It reads the row named `record`. A detail that the source does not
-- give is null, an empty list, or false.
create or replace function funding.details_expression(dataset text) returns text
language plpgsql immutable parallel safe as $$
begin
  return format('json_build_object(%s ''source'', record.source, ''updated_at'', funding.moment(record.updated_at))',
    case when dataset <> 'funders' then (
      select string_agg(case when member.absent is null then format('%1$L, record.details->%1$L,', member.name)
        else format('%1$L, coalesce(record.details->%1$L, %2$L),', member.name, member.absent) end, ' ')
      from funding.detail_members() as member)
    end);
end
$$;

-- Page of records with the details of each, as its last member. A record that was deleted since has none.
create or replace function funding.with_details(dataset text, page json) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  detailed json;
begin
  execute format($details$
    select coalesce(json_agg(case when record.id is null then item.body else funding.with_member(item.body, 'details', %s) end order by item.position), '[]')
    from json_array_elements($1) with ordinality as item(body, position)
    left join funding.%I as record on record.id = (item.body->>'id')::uuid
  $details$, funding.details_expression(dataset), dataset)
  into detailed using page;
  return detailed;
end
$$;
