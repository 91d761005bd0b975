-- Postgres' parser skips `<` before a word as it skips `!`, `&`, `|` and brackets, so that a dash behind it excludes: thirty-three
-- `<-` in a row overflowed its stack. `<` now counts among the operators that a dash may stand behind or before.

-- Returns the query without the dashes that are punctuation. A dash excludes when it stands directly before a word or phrase.
-- Several dashes in a row, and one before space or other operators, are punctuation ("Clean Water - Round 2"); so no run is
-- left for the parser.
create or replace function funding.without_stray_dashes(query text) returns text
language sql immutable parallel safe as $$
  select case when strpos(query, '-') = 0 then query else regexp_replace(query,
    -- Quoted text stays as it is. The spaces beside \s are those that only some locales count among it.
    '("[^"]*"?)|(?<![^\s\u0085\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff!&|()<"])(?:--+|-(?=[\s\u0085\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff!&|()<]|$))',
    '\1 ', 'g') end
$$;
