-- Remembered pages have a bound in bytes. Each is forgotten after ten minutes, but until then two requests were all it took to have
-- 400,000 characters kept: a caller without a quota could fill the disk with pages that nobody else asks for.

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('page_memory_megabytes', '1024', '1024', 'MB', '{"type": "integer", "minimum": 0, "maximum": 1000000}',
   'Size on the disk from which no more pages of lists are remembered, until old ones have gone and vacuum has given their place back.');

-- Remembers a page that was just made, if the request came before.
create or replace function funding.remember_page(
  dataset text, request_key text, version bigint, came_before boolean, listed funding.listed_page) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- What a page of a hundred long records comes to; more is not worth its place.
  most_characters constant integer := 400000;
  most_bytes constant bigint := funding.setting('page_memory_megabytes')::bigint * 1048576;
begin
  if pg_table_size('funding.pages') < most_bytes then
    insert into funding.pages as remembered (dataset, request_key, version, page, next, total)
    values (remember_page.dataset, remember_page.request_key, remember_page.version,
            case when came_before and length(listed.page::text) <= most_characters then listed.page end, listed.next, listed.total)
    on conflict on constraint pages_pkey do update
      set version = excluded.version, page = excluded.page, next = excluded.next, total = excluded.total, remembered_at = excluded.remembered_at
      where remembered.version < excluded.version or remembered.page is null;
  end if;
  -- Each page takes up to four old ones with it, so the table stays the size of what some minutes' requests repeat.
  perform funding.forget_stale('pages', dataset, version, interval '10 minutes');
end
$$;

revoke execute on all functions in schema funding from public;
