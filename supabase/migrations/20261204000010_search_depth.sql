-- Begins a transaction (database/migrate.ts).
-- How deep a ranked search goes, and from how many records it has a vector index: see docs/performance.md.
update funding.settings set value = case when settings.value = settings.default_value then given.default_value else settings.value end, default_value = given.default_value
from (values ('search_candidates', '400'::jsonb), ('vector_index_minimum', '4000')) as given(name, default_value)
where settings.name = given.name;
