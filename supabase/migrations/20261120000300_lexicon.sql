-- The lexicon: what the records' words are worth, and what they mean.
--
-- Two rankings are computed from it. BM25 (Robertson and Zaragoza, 2009) keeps its document side
-- in a sparse vector on each record and its query side here, so that a score is one inner product.
-- Latent semantic analysis (Deerwester et al., 1990) gives each term a dense vector, fitted on the
-- operator's own records; a record or a query is the weighted sum of its terms' vectors. Both are
-- computed here, in SQL, so that one definition serves imports, refits and queries.

create table funding.lexicon (
  term text primary key,
  document_frequency integer not null,
  -- Null for a term too rare to have a place in the fitted space.
  vector extensions.vector(384),
  constraint lexicon_frequency_positive check (document_frequency > 0)
);
alter table funding.lexicon enable row level security;
-- Over an expression, because the planner would otherwise take it for equality too, and a look-up by
-- trigrams costs many times one by the primary key.
create index lexicon_term_trigrams on funding.lexicon using gin ((term || '') extensions.gin_trgm_ops);

-- The lexicon that will be next, while a fit prepares it.
create unlogged table funding.next_lexicon (
  term text primary key,
  document_frequency integer not null,
  vector extensions.vector(384)
);
alter table funding.next_lexicon enable row level security;

-- The statistics of the corpus at the last fit. One row.
create table funding.lexicon_fit (
  singleton boolean primary key default true,
  documents integer not null,
  average_length real not null,
  dimensions integer not null,
  fitted_at timestamptz,
  constraint lexicon_fit_single_row check (singleton)
);
alter table funding.lexicon_fit enable row level security;
-- Before the first fit every length counts as average and every term as equally rare.
insert into funding.lexicon_fit (documents, average_length, dimensions) values (0, 100, 0);

-- The inverted index: for each term of a dataset, the BM25 weight that it has in each record, times the term's inverse
-- document frequency, so that most queries need only add. A record's
-- number is its `posting_number`, counted from 1; a block holds sixteen thousand of them, the most that a dense
-- vector can (or all, where there are fewer), so that ranking is adding up a few vectors. The index is made whole
-- by a fit; a record that came or changed since has no number, and is found by its own vector until the next.
create table funding.postings (
  dataset text not null,
  term text not null,
  block integer not null,
  weights extensions.sparsevec not null,
  primary key (dataset, term, block)
);
alter table funding.postings enable row level security;
alter table funding.postings alter column weights set storage external;

-- A vector that has one value in each place, as for a block of the inverted index. Made by doubling a short one: `array_fill` sets place after place, and takes
-- ten times as long.
create function funding.filled_vector(value real, size integer) returns extensions.vector
language plpgsql immutable parallel safe as $$
declare
  filled extensions.vector := array_fill(value, array[ceil(size / 128.0)::integer])::extensions.vector;
begin
  for doubling in 1..7 loop
    filled := filled operator(extensions.||) filled;
  end loop;
  return case when extensions.vector_dims(filled) = size then filled else extensions.subvector(filled, 1, size) end;
end
$$;

-- The places of the ones among bits, counted from 1. (A loop takes half as long as the same in SQL.)
create function funding.places_of(bits bit varying) returns integer[]
language plpgsql immutable parallel safe as $$
declare
  zeros text;
  place integer := 0;
  ones integer := 0;
  places integer[];
begin
  -- As text, ones are where the runs of zeros end; what follows the last is no more.
  foreach zeros in array (string_to_array(bits::text, '1'))[1:bit_count(bits)] loop
    -- In bytes, whose number is known: characters would be counted one by one.
    place := place + octet_length(zeros) + 1;
    ones := ones + 1;
    places[ones] := place;
  end loop;
  return coalesce(places, '{}');
end
$$;

-- The words of a record: title words labelled A, the rest B. Text past the first 200,000
-- characters is not indexed, since Postgres refuses a tsvector over 1 MB.
create function funding.record_document(title text, body text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('funding.english', left(title, 20000)), 'A')
      || setweight(to_tsvector('funding.english', left(coalesce(body, ''), 200000)), 'B')
$$;

-- Where a term lives in the sparse vectors. 2^29 places for some 10^5 terms: a collision is rarer
-- than one term in five thousand, and costs no more than a wrong weight for that pair.
create function funding.term_dimension(term text) returns integer
language sql immutable parallel safe as $$
  select (hashtextextended(term, 0) & 536870911)::integer + 1
$$;

-- Inverse document frequency in Lucene's form, which is never negative.
create function funding.inverse_document_frequency(documents integer, document_frequency integer) returns real
language sql immutable parallel safe as $$
  select ln(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))::real
$$;

-- What a term's frequency in a record is worth: saturated, and normalised by the record's length.
create function funding.bm25_weight(frequency double precision, length double precision, average_length real, k1 real, b real)
returns real
language sql immutable parallel safe as $$
  select (frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * length / average_length)))::real
$$;

-- How often a record says each of its words. A word of the title counts as `title_weight` words.
create function funding.term_frequencies(document tsvector, title_weight real)
returns table (term text, frequency double precision)
language sql immutable parallel safe as $$
  select word.lexeme, coalesce(cardinality(word.positions) + (title_weight - 1) * cardinality(array_positions(word.weights, 'A')), 1)
  from unnest(document) as word
$$;

-- The document side of BM25, as a vector of its terms' weights.
create function funding.bm25_document(document tsvector, average_length real, k1 real, b real, title_weight real)
returns extensions.sparsevec
language sql immutable parallel safe
set search_path = funding, extensions, pg_temp as $$
  with term as (
    select funding.term_dimension(word.term) as dimension, sum(word.frequency) as frequency
    from funding.term_frequencies(document, title_weight) as word
    group by 1
  ), length as (
    select coalesce(sum(frequency), 0) as terms from term
  ), kept as (
    -- The most that a sparsevec holds. Only a dictionary has more different words.
    select * from term order by frequency desc, dimension limit 16000
  )
  select ('{' || coalesce(string_agg(
    dimension || ':' || funding.bm25_weight(frequency, length.terms, average_length, k1, b),
    ','), '') || '}/536870912')::sparsevec
  from kept, length
$$;

-- lexicon_embedding and next_lexicon_embedding: the vector of a bag of words in the fitted space, normalised.
-- Frequencies are damped logarithmically. Null when no word is in the lexicon.
do $$
declare
  lexicon text;
begin
  foreach lexicon in array array['lexicon', 'next_lexicon'] loop
    execute format($create$
      create function funding.%1$s_embedding(document tsvector) returns extensions.vector
      language sql stable parallel safe
      set search_path = funding, extensions, pg_temp as $body$
        select l2_normalize(sum(
          case when cardinality(word.positions) > 1
            then known.vector * array_fill((1 + ln(cardinality(word.positions)))::real, array[384])::vector
            else known.vector
          end))
        from unnest(document) as word
        join funding.%1$I as known on known.term = word.lexeme and known.vector is not null
      $body$
    $create$, lexicon);
  end loop;
end
$$;

-- Keeps what search needs in step with the text, whoever writes the record.
create function funding.index_record() returns trigger
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit funding.lexicon_fit;
begin
  select * into fit from funding.lexicon_fit;
  if tg_table_name = 'funders' then
    new.document := funding.record_document(new.name, new.summary);
  else
    new.document := funding.record_document(new.title, new.description);
  end if;
  new.bm25 := funding.bm25_document(new.document, fit.average_length,
    (funding.setting('bm25_k1'))::real, (funding.setting('bm25_b'))::real, (funding.setting('bm25_title_weight'))::real);
  new.posting_number := null;
  -- A vector of an external model belongs to text that is gone; the embedder makes the new one.
  new.embedding := null;
  new.embedding_model := null;
  if fit.dimensions > 0 and funding.setting('embedding_model') = '"lexicon"' then
    new.embedding := funding.lexicon_embedding(new.document)::halfvec;
    new.embedding_model := 'lexicon';
  end if;
  return new;
end
$$;

create trigger funders_index_insert before insert on funding.funders
  for each row execute function funding.index_record();
create trigger funders_index_update before update on funding.funders
  for each row when (old.name is distinct from new.name or old.summary is distinct from new.summary)
  execute function funding.index_record();

create trigger grants_index_insert before insert on funding.grants
  for each row execute function funding.index_record();
create trigger grants_index_update before update on funding.grants
  for each row when (old.title is distinct from new.title or old.description is distinct from new.description)
  execute function funding.index_record();

create trigger contracts_index_insert before insert on funding.contracts
  for each row execute function funding.index_record();
create trigger contracts_index_update before update on funding.contracts
  for each row when (old.title is distinct from new.title or old.description is distinct from new.description)
  execute function funding.index_record();
