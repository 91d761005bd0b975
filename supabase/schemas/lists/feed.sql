-- Feed of changes: lists with `sort_by=updated_at&order=asc`. It misses no record that commits late (change_moments.sql).

-- Page of the feed: the settled records of a list in the order of `updated_at`. (A query of its own has read `funding.settled_until` before this
-- one.) With details, and with archived records apart ({ id, archived_at }), where the request asks for that. The whole page is of one moment: a
-- record that changes meanwhile comes in its old state, and again later. `last_updated_at` is the latest of the page's records, as the API shows it;
-- null where the page has no records.
create or replace function funding.feed_page(
  dataset text, request funding.list_request, until timestamptz, expand jsonb, archived_apart boolean,
  out listed funding.listed_page, out archived json, out last_updated_at text)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  request.page.after_cursor := coalesce((request.page).after_cursor, '{"sort_by": "updated_at", "order": "asc"}')
    || jsonb_build_object('until', until);
  listed := funding.field_page(dataset, request);
  execute format('select funding.moment(max(record.updated_at)) from funding.%I as record where record.id = any ($1)', dataset)
  into last_updated_at using array(select (item->>'id')::uuid from json_array_elements(listed.page) as item);
  if expand ? 'details' then
    listed.page := funding.with_details(dataset, listed.page, expand ? 'checks');
  end if;
  if archived_apart then
    select parts.current_records, parts.archived into listed.page, feed_page.archived from funding.without_archived(dataset, listed.page) as parts;
  end if;
end
$$;

-- Splits a page in two: records of the current catalogue, and the ids of archived ones, [{ id, archived_at }].
create or replace function funding.without_archived(dataset text, page json, out current_records json, out archived json)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  execute format($split$
    select coalesce(json_agg(item.body order by item.position) filter (where record.archived_at is null), '[]'),
           coalesce(json_agg(json_build_object('id', record.id, 'archived_at', funding.moment(record.archived_at)) order by item.position)
             filter (where record.archived_at is not null), '[]')
    from json_array_elements($1) with ordinality as item(body, position)
    left join funding.%I as record on record.id = (item.body->>'id')::uuid
  $split$, dataset)
  into current_records, archived using page;
end
$$;
