-- Begins a transaction (database/migrate.ts).
alter table funding.events validate constraint events_event_known;

-- A saved search of 1.8.0 kept where it looks in its query alone.
update funding.saved_searches as search
set filter = search.filter || jsonb_build_object('search_in', given.place), filter_query = search.filter_query || '&search_in=' || given.place
from (select id, substring(query from '(?:^|&)search_in=(documents|all)(?:&|$)') as place from funding.saved_searches) as given
where given.id = search.id and given.place is not null and search.dataset <> 'funders' and search.filter ? 'search' and not search.filter ? 'search_in';
