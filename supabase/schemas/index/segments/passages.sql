-- Passages: overlapping parts of a long text, each of which has a vector of its own under an external model. A search by meaning finds a record by the
-- nearest of its vectors, so that what a long notice says at its end is found as well as what it says first.

-- Passages of a text, 64 at most: where each begins, counted from 1, and its length, in characters. None of a text that is little longer than one
-- (`embedding_passage_characters`). Each overlaps the one before by about a sixth. They begin and end at sentences, or else at words.
create or replace function funding.passages(body text) returns table (start integer, length integer)
language plpgsql stable
set search_path = funding, pg_temp as $$
declare
  size constant integer := funding.setting('embedding_passage_characters')::integer;
  characters constant integer := coalesce(length(body), 0);
  piece text;
begin
  if size = 0 or characters <= size * 4 / 3 then
    return;
  end if;
  start := 1;
  for number in 1..64 loop
    piece := substr(body, start, size);
    if start + size > characters then
      length := length(piece);
      return next;
      return;
    end if;
    -- In the last third: after the last sentence, else after the last word.
    length := size - size / 3 + coalesce(
      length(substring(right(piece, size / 3) from '^.*[.!?](?=\s)')),
      length(substring(right(piece, size / 3) from '^.*(?=\s)')),
      size / 3);
    return next;
    -- In the last sixth of this passage: at the first sentence, else at the first word.
    start := start + length - size / 6;
    piece := substr(body, start, size / 6);
    start := start + coalesce(
      length(substring(piece from '^.*?[.!?]\s+(?=\S)')),
      length(substring(piece from '^\S*\s+(?=\S)')),
      0);
  end loop;
end
$$;

-- Texts by which a record is embedded: its title and text, cut at some 2,000 tokens, and, of a long text, the title with each passage. By the setting
-- `embedding_text`, its title alone. The number of a text, from 0, is the `passage` of its vector.
create or replace function funding.embedded_texts(title text, body text) returns text[]
language plpgsql stable as $$
begin
  if funding.setting('embedding_text') <> '"all"' or coalesce(body, '') = '' then
    return array[left(title, 8000)];
  end if;
  return left(title || E'\n\n' || body, 8000) || array(
    select title || E'\n\n' || substr(body, passage.start, passage.length) from funding.passages(body) as passage order by passage.start);
end
$$;

-- SQL for the `embedded_texts` of a row `record` of a dataset.
create or replace function funding.embedded_texts_of(dataset text) returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then 'funding.embedded_texts(record.name, record.summary)'
    else 'funding.embedded_texts(record.title, record.description)'
  end
$$;
