-- Pages of records as the API shows them. The lateral queries are those of `funding.record_query`, written out so that their plans are cached;
-- tests/webhooks/one-truth.test.ts compares what they show.

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
        select record.id, record.title, record.description, record.amount_min, record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography,
               record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               record.listing_url, funding.moment(record.created_at) as created_at, record.categories
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

-- Page of a list of contracts, as `funding.grants_listed`.
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
        select record.id, record.title, record.description, record.amount_min, record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography,
               record.document_url, record.listing_url, record.naics, record.primary_contact_email, record.set_aside_code,
               record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               funding.moment(record.created_at) as created_at, record.categories
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

-- Page of a list of funders, as `funding.grants_listed`.
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

-- Grants as the API shows them, each with its relevance_score, in the order of the ids.
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
        select record.id, record.title, record.description, record.amount_min, record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography,
               record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               record.listing_url, funding.moment(record.created_at) as created_at, record.categories
      ) as rendered
      cross join lateral (select rendered.*, found.score as relevance_score) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date, found.score as relevance_score) as awarded
    ) as rendered);
end
$$;

-- Contracts as the API shows them, each with its relevance_score, in the order of the ids.
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
        select record.id, record.title, record.description, record.amount_min, record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography,
               record.document_url, record.listing_url, record.naics, record.primary_contact_email, record.set_aside_code,
               record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               funding.moment(record.created_at) as created_at, record.categories
      ) as rendered
      cross join lateral (select rendered.*, found.score as relevance_score) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date, found.score as relevance_score) as awarded
    ) as rendered);
end
$$;

-- Funders as the API shows them, each with its relevance_score, in the order of the ids.
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
