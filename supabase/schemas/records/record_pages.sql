-- Written by npm run schema from shared/responses/records.ts and details.ts: change those. Records as the API shows them.

-- Page of a list of grants: the records with these ids, in the order of the ids. If there is one id more than the page has, another page follows, and
-- `next` is its cursor.
create or replace function funding.grants_listed(ids uuid[], page_size bigint, sort_by text, direction text) returns funding.listed_page
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  listed_page funding.listed_page;
begin
  listed_page.page := (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids[:page_size]) with ordinality as found(id, position)
    join funding.grants as record using (id)
    cross join lateral (
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               record.listing_url,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.*) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date) as awarded
    ) as rendered);
  if cardinality(ids) > page_size then
    listed_page.next := (
      select json_build_object('sort_by', sort_by, 'order', direction, 'key', case sort_by
          when 'created_at' then to_json(funding.moment(record.created_at))
          when 'updated_at' then to_json(funding.exact_moment(record.updated_at))
          when 'deadline_date' then to_json(record.deadline_date)
          when 'amount_min' then to_json(record.amount_min)
          when 'amount_max' then to_json(record.amount_max)
          when 'title' then to_json(funding.title_key(record.title) collate "C")
        end, 'id', record.id)
      from funding.grants as record where record.id = ids[page_size]);
  end if;
  return listed_page;
end
$$;

-- Records of grants as the API shows them, each with its relevance_score, in the order of the ids.
create or replace function funding.grants_scored(ids uuid[], scores double precision[]) returns json
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids, scores) with ordinality as found(id, score, position)
    join funding.grants as record using (id)
    cross join lateral (
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               record.listing_url,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.*, found.score as relevance_score) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date, found.score as relevance_score) as awarded
    ) as rendered);
end
$$;

-- Page of a list of contracts: the records with these ids, in the order of the ids. If there is one id more than the page has, another page follows, and
-- `next` is its cursor.
create or replace function funding.contracts_listed(ids uuid[], page_size bigint, sort_by text, direction text) returns funding.listed_page
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  listed_page funding.listed_page;
begin
  listed_page.page := (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids[:page_size]) with ordinality as found(id, position)
    join funding.contracts as record using (id)
    cross join lateral (
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.document_url,
               record.listing_url,
               record.naics,
               record.primary_contact_email,
               record.set_aside_code,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.*) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date) as awarded
    ) as rendered);
  if cardinality(ids) > page_size then
    listed_page.next := (
      select json_build_object('sort_by', sort_by, 'order', direction, 'key', case sort_by
          when 'created_at' then to_json(funding.moment(record.created_at))
          when 'updated_at' then to_json(funding.exact_moment(record.updated_at))
          when 'deadline_date' then to_json(record.deadline_date)
          when 'amount_min' then to_json(record.amount_min)
          when 'amount_max' then to_json(record.amount_max)
          when 'title' then to_json(funding.title_key(record.title) collate "C")
        end, 'id', record.id)
      from funding.contracts as record where record.id = ids[page_size]);
  end if;
  return listed_page;
end
$$;

-- Records of contracts as the API shows them, each with its relevance_score, in the order of the ids.
create or replace function funding.contracts_scored(ids uuid[], scores double precision[]) returns json
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids, scores) with ordinality as found(id, score, position)
    join funding.contracts as record using (id)
    cross join lateral (
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.document_url,
               record.listing_url,
               record.naics,
               record.primary_contact_email,
               record.set_aside_code,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.*, found.score as relevance_score) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date, found.score as relevance_score) as awarded
    ) as rendered);
end
$$;

-- Page of a list of funders: the records with these ids, in the order of the ids. If there is one id more than the page has, another page follows, and
-- `next` is its cursor.
create or replace function funding.funders_listed(ids uuid[], page_size bigint, sort_by text, direction text) returns funding.listed_page
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  listed_page funding.listed_page;
begin
  listed_page.page := (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids[:page_size]) with ordinality as found(id, position)
    join funding.funders as record using (id)
    cross join lateral (
      select to_json(rendered) as body
      from (
        select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at
      ) as rendered
    ) as rendered);
  if cardinality(ids) > page_size then
    listed_page.next := (
      select json_build_object('sort_by', sort_by, 'order', direction, 'key', case sort_by
          when 'name' then to_json(funding.title_key(record.name) collate "C")
          when 'created_at' then to_json(funding.moment(record.created_at))
          when 'updated_at' then to_json(funding.exact_moment(record.updated_at))
        end, 'id', record.id)
      from funding.funders as record where record.id = ids[page_size]);
  end if;
  return listed_page;
end
$$;

-- Records of funders as the API shows them, each with its relevance_score, in the order of the ids.
create or replace function funding.funders_scored(ids uuid[], scores double precision[]) returns json
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids, scores) with ordinality as found(id, score, position)
    join funding.funders as record using (id)
    cross join lateral (
      select to_json(rendered) as body
      from (
        select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at, found.score as relevance_score
      ) as rendered
    ) as rendered);
end
$$;

-- SQL for a record as the API shows it: a query of one column, `body`, that reads the row named `record`. `further` adds members, as `, EXPRESSION as
-- NAME`. (Text in the statement is twice as fast as a function of the record, which would be called for each record.)
create or replace function funding.record_query(dataset text, further text default '') returns text
language sql immutable parallel safe as $query$
  select format(case dataset
    when 'grants' then $record$
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               record.listing_url,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.* %1$s) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date %1$s) as awarded
    $record$
    when 'contracts' then $record$
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.document_url,
               record.listing_url,
               record.naics,
               record.primary_contact_email,
               record.set_aside_code,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.* %1$s) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date %1$s) as awarded
    $record$
    when 'funders' then $record$
      select to_json(rendered) as body
      from (
        select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at %1$s
      ) as rendered
    $record$
  end, further)
$query$;

-- Details of opportunities that sources give, and what each is where a source does not give it.
create or replace function funding.detail_members() returns table (name text, absent json)
language sql immutable parallel safe as $rules$
  values
    ('opportunity_number', null::json),
    ('notice_type', null::json),
    ('agency', '[]'::json),
    ('applicant_types', '[]'::json),
    ('eligibility_text', null::json),
    ('assistance_listings', '[]'::json),
    ('funding_instrument', '[]'::json),
    ('cost_sharing', null::json),
    ('expected_awards', null::json),
    ('total_funding', null::json),
    ('psc', null::json),
    ('place_of_performance', null::json),
    ('recipient', null::json),
    ('award_number', null::json),
    ('award_type', null::json),
    ('obligated_amount', null::json),
    ('outlayed_amount', null::json),
    ('project_start_date', null::json),
    ('contact', null::json),
    ('documents', '[]'::json),
    ('deadline_at', null::json),
    ('deadline_assumed', 'false'::json),
    ('deadline_note', null::json)
$rules$;

-- Fields of a record that the API shows, among its own or in its details, and whose changes it tells.
create or replace function funding.api_fields() returns text[]
language sql immutable parallel safe as $$
  select array['title', 'description', 'amount_min', 'amount_max', 'deadline_date', 'project_end_date', 'status', 'geography', 'funder_id', 'listing_url', 'created_at', 'categories', 'document_url', 'naics', 'primary_contact_email', 'set_aside_code', 'name', 'summary', 'website', 'archived_at', 'opportunity_number', 'notice_type', 'agency', 'applicant_types', 'eligibility_text', 'assistance_listings', 'funding_instrument', 'cost_sharing', 'expected_awards', 'total_funding', 'psc', 'place_of_performance', 'recipient', 'award_number', 'award_type', 'obligated_amount', 'outlayed_amount', 'project_start_date', 'contact', 'documents', 'deadline_at', 'deadline_assumed', 'deadline_note']
$$;
