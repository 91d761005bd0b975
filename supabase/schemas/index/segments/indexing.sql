-- Lexemes and vectors that records are found by.
--
-- BM25 (Robertson and Zaragoza, 2009) scores a record by its words. Latent semantic analysis (Deerwester et al., 1990) gives each term a
-- dense vector, fitted on the operator's own records; a record or a query is the weighted sum of its terms' vectors. Both are
-- computed here, in SQL, so that one definition serves imports, refits and queries.

-- Words of a record: those of the title labelled A, the rest B. Text past the first 200,000 characters is not indexed, since
-- Postgres refuses a tsvector over 1 MB.
create or replace function funding.record_lexemes(title text, body text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('funding.english', funding.with_acronyms(funding.separate_words(left(title, 20000)))), 'A')
      || setweight(to_tsvector('funding.english', funding.with_acronyms(funding.separate_words(left(coalesce(body, ''), 200000)))), 'B')
$$;

-- Each word of a record, and how often the record has it. A word of the title counts as `title_weight` words.
create or replace function funding.term_frequencies(lexemes tsvector, title_weight real)
returns table (term text, frequency double precision)
language sql immutable parallel safe as $$
  select word.lexeme, coalesce(cardinality(word.positions) + (title_weight - 1) * cardinality(array_positions(word.weights, 'A')), 1)
  from unnest(lexemes) as word
$$;

-- Number of words of a record, each counted as often as it occurs. Of the functions in C only `ts_rank` counts words: its option 2 divides
-- the rank by the number of words. It takes 2 microseconds, a sum over `unnest` 35. The ranked word is one that no record has; it is added here.
create or replace function funding.count_words(lexemes tsvector) returns double precision
language sql immutable parallel safe as $$
  select round(ts_rank($c$' ':1$c$::tsvector, $c$' '$c$::tsquery)::double precision
    / ts_rank(lexemes || $c$' ':1$c$::tsvector, $c$' '$c$::tsquery, 2)) - 1
$$;

-- Length of a record in words, where a word of the title counts as `title_weight` words.
create or replace function funding.record_length(lexemes tsvector, title_weight real) returns double precision
language sql immutable parallel safe as $$
  select funding.count_words(lexemes) + (title_weight - 1) * funding.count_words(ts_filter(lexemes, '{a}'))
$$;

-- Inverse document frequency in Lucene's form, which is never negative.
create or replace function funding.inverse_document_frequency(documents integer, document_frequency integer) returns real
language sql immutable parallel safe as $$
  select ln(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))::real
$$;

-- Weight of a term in a record: its frequency, saturated, and normalised by the record's length. Above zero.
create or replace function funding.bm25_weight(frequency double precision, length double precision, average_length real, k1 real, b real)
returns real
language sql immutable parallel safe as $$
  select case when frequency > 0
    then greatest((frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * length / average_length)))::real, funding.least_weight())
    else funding.least_weight()
  end
$$;

-- Least weight of a word in a record. A weight other than zero also means that the record has the word. So a word of the title at
-- `bm25_title_weight` 0 gets this weight, which is too small to change a sum.
create or replace function funding.least_weight() returns real
language sql immutable parallel safe as $$
  select real '1e-20'
$$;

-- Vector of a bag of words in the fitted space, normalised. Frequencies are damped logarithmically. Null when no word has a vector, or the vectors
-- cancel out.
create or replace function funding.lexicon_embedding(lexemes tsvector, generation integer) returns extensions.vector
language sql stable parallel safe
set search_path = funding, extensions, pg_temp as $$
  select case when vector_norm(total) > 0 then l2_normalize(total) end
  from (
    select sum(
      case when cardinality(word.positions) > 1
        then known.vector * array_fill((1 + ln(cardinality(word.positions)))::real, array[384])::vector
        else known.vector
      end) as total
    from unnest(lexemes) as word
    join funding.lexicon as known
      on known.generation = lexicon_embedding.generation and known.term = word.lexeme and known.vector is not null
  ) as summed
$$;

-- Trigger of the datasets: keeps the columns that search reads in step with the text, whoever writes the record.
create or replace function funding.index_record() returns trigger
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  if tg_table_name = 'funders' then
    new.lexemes := funding.record_lexemes(new.name, new.summary);
  else
    new.lexemes := funding.record_lexemes(new.title, new.description);
  end if;
  -- The trigger `take_slot` sets another slot in place of null.
  new.slot := null;
  return new;
end
$$;

-- Vector with the same value in each dimension, as for a block of a posting list. Made by doubling a short vector: `array_fill` sets each element
-- by itself, and takes ten times as long.
create or replace function funding.filled_vector(value real, size integer) returns extensions.vector
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

-- Positions of the ones among bits, counted from 1. (A loop takes half as long as the same in SQL.)
create or replace function funding.positions_of(bits bit varying) returns integer[]
language plpgsql immutable parallel safe as $$
declare
  -- Most parts of a large bitmap have no ones, and need not become text: for 800,000 bits with 40 ones, converting all parts takes 2 ms, and this
  -- 0.07. A block is one part.
  part_size constant integer := case when length(bits) > 16000 then 4096 else 16000 end;
  -- Decompressed once here, not once for each part.
  plain constant bit varying := bits || ''::bit varying;
  part bit varying;
  zeros text;
  position integer;
  ones integer := 0;
  positions integer[];
begin
  for start in 0..length(plain) - 1 by part_size loop
    part := substring(plain from start + 1 for part_size);
    continue when bit_count(part) = 0;
    position := start;
    -- In the text, each run of zeros ends with a one; the run after the last one does not count.
    foreach zeros in array (string_to_array(part::text, '1'))[1:bit_count(part)] loop
      -- Length in bytes, which Postgres need not count: it counts characters one by one.
      position := position + octet_length(zeros) + 1;
      ones := ones + 1;
      positions[ones] := position;
    end loop;
  end loop;
  return coalesce(positions, '{}');
end
$$;
