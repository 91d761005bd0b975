-- The caches of pages and totals evict by sampling (`funding.evict_stale`, supabase/schemas/totals.sql), which goes by their primary keys alone.
drop index funding.pages_version, funding.pages_remembered_at, funding.totals_version, funding.totals_remembered_at;
