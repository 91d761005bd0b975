-- RPC of the sitemaps of the public catalogue.

-- Condition of the records, rows named `record`, whose page is for search engines: not those that left the catalogue, older notices of an opportunity,
-- or what ended more than a year ago. `isForSearchEngines` in functions/catalogue/opportunity-page.ts says the same of one record.
create or replace function funding.has_address(dataset text) returns text
language sql immutable parallel safe as $$
  select case when dataset = 'funders' then 'true' else $c$record.archived_at is null and record.superseded_by is null
    and (coalesce(record.deadline_date, record.project_end_date) >= funding.today_in('America/New_York') - 365) is not false$c$ end
$$;

-- Records of a dataset whose ids begin with a hexadecimal digit, and that have a page for search engines: { records: [{ id, name, updated_on }] }, by
-- id, at most 50,000, which is what a sitemap may have. Without a digit, those digits with which an id of such a record begins: { parts }.
create or replace function funding.addresses_of(dataset text, part text) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  most constant integer := 50000;
  in_part constant text := format($c$record.id between (part.digit || '0000000-0000-0000-0000-000000000000')::uuid and (part.digit || 'fffffff-ffff-ffff-ffff-ffffffffffff')::uuid
    and %s$c$, funding.has_address(dataset));
  found_addresses json;
begin
  if dataset is null or dataset not in ('grants', 'contracts', 'funders') then
    raise invalid_parameter_value using message = 'dataset is grants, contracts or funders';
  end if;
  if part is null then
    execute format($parts$
      select json_build_object('parts', coalesce(json_agg(part.digit order by part.digit), '[]'))
      from (select to_hex(number) as digit from generate_series(0, 15) as number) as part
      where exists (select from funding.%I as record where %s)
    $parts$, dataset, in_part) into found_addresses;
    return found_addresses;
  end if;
  if part !~ '\A[0-9a-f]\Z' then
    raise invalid_parameter_value using message = 'part is one hexadecimal digit, 0 to f';
  end if;
  execute format($records$
    select json_build_object('records', coalesce(json_agg(
      json_build_object('id', listed.id, 'name', listed.name, 'updated_on', to_char(listed.updated_at at time zone 'UTC', 'YYYY-MM-DD')) order by listed.id), '[]'))
    from (
      select record.id, record.%I as name, record.updated_at
      from (select $1 as digit) as part join funding.%I as record on %s
      order by record.id limit %s
    ) as listed
  $records$, case when dataset = 'funders' then 'name' else 'title' end, dataset, in_part, most) into found_addresses using part;
  return found_addresses;
end
$$;

-- Addresses of records for a sitemap of the public catalogue. See `funding.addresses_of`.
create or replace function public.list_addresses(key_hash text, dataset text, part text default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array[dataset]);
begin
  return funding.rpc_result(admitted, funding.addresses_of(dataset, part));
end
$$;
