-- Extensions, roles and the schema that holds everything.
--
-- Supabase already has the roles and the extensions schema; a bare Postgres has neither, and the
-- same migrations run on both. PostgREST exposes `public`, which holds RPCs and nothing else, so
-- no table in `funding` can be reached except through a function that admits the caller first.

create schema if not exists extensions;
create extension if not exists vector with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;

do $$
declare
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin noinherit', role_name);
    end if;
  end loop;
end
$$;

create schema funding;
revoke all on schema funding from public, anon, authenticated, service_role;

grant usage on schema public to service_role;

-- Stemmed English with accents folded, so that "Peña" is found by "Pena".
create text search configuration funding.english (copy = pg_catalog.english);
alter text search configuration funding.english
  alter mapping for hword, hword_part, word with extensions.unaccent, pg_catalog.english_stem;

-- What an operator may change without a release. One row a setting; the value's type is the
-- default's type.
create table funding.settings (
  name text primary key,
  value jsonb not null,
  description text not null
);
alter table funding.settings enable row level security;

insert into funding.settings (name, value, description) values
  ('bm25_k1', '1.5', 'BM25 term-frequency saturation. Takes effect when the lexicon is refitted.'),
  ('bm25_b', '0.6', 'BM25 length normalisation, 0 to 1. Takes effect when the lexicon is refitted.'),
  ('bm25_k3', '8', 'BM25 saturation of a word that the query repeats.'),
  ('bm25_title_weight', '2', 'How many words a word of the title counts as. Takes effect when the lexicon is refitted.'),
  ('embedding_model', '"lexicon"', 'The model whose vectors semantic search uses: lexicon, openai/NAME or supabase/NAME. npm run embed changes it.'),
  ('vector_index_minimum', '10000', 'Records from which a dataset gets an approximate vector index at the next fit.'),
  ('search_candidates', '1000', 'Records each leg of a semantic or hybrid search contributes at most, 1 to 1000.'),
  ('search_candidates_indexed', '200', 'The same for a dataset that has a vector index, where more of them cost time.'),
  ('fusion_k', '20', 'The constant of reciprocal rank fusion: the smaller, the more the first places count.'),
  ('fusion_keyword_weight', '1', 'Weight of the keyword leg in hybrid search.'),
  ('fusion_semantic_weight', '1', 'Weight of the semantic leg in hybrid search.'),
  ('floor_similarity', '{"lexicon": 0.21, "default": 0.25}', 'Least cosine similarity of a semantic match, by embedding model; default for one that is not named.'),
  ('floor_coverage', '0.25', 'Least share of the query''s inverse document frequency a keyword candidate must match.'),
  ('floor_words', '3', 'How many words of a query, its rarest, that share is taken of: the rest of a long query is context.');

-- The value of a setting. Raises when there is no such setting, so that a misspelt name cannot
-- silently become null.
create function funding.setting(setting_name text) returns jsonb
language plpgsql stable as $$
declare
  found_value jsonb;
begin
  select value into found_value from funding.settings where name = setting_name;
  if not found then
    raise exception 'unknown setting %', setting_name;
  end if;
  return found_value;
end
$$;
