-- BM25's weights are those of the fit in force.
--
-- A change of `bm25_k1`, `bm25_b` or `bm25_title_weight` acted at once on records that were written after it, and at the next fit on
-- the others, so that the two were not comparable in between. A fit now keeps the values that it was made with, and
-- whatever is indexed or bounded until the next uses them.

alter table funding.lexicon_fit add column bm25_k1 real, add column bm25_b real, add column bm25_title_weight real;
update funding.lexicon_fit set bm25_k1 = funding.setting('bm25_k1')::real, bm25_b = funding.setting('bm25_b')::real,
  bm25_title_weight = funding.setting('bm25_title_weight')::real;
alter table funding.lexicon_fit
  alter column bm25_k1 set not null, alter column bm25_b set not null, alter column bm25_title_weight set not null;

-- A fit that is being prepared was begun without them, and would never be adopted by this version: its steps say so.
truncate funding.next_fit;
alter table funding.next_fit add column bm25_k1 real not null, add column bm25_b real not null, add column bm25_title_weight real not null;

-- Least weight of a word in a record. A weight that is not zero is also what says that the record has the word, so one that comes to
-- nothing (a word of the title at `bm25_title_weight` 0) is so small that it moves no sum, and no smaller.
create function funding.least_weight() returns real
language sql immutable parallel safe as $$
  select real '1e-20'
$$;

-- What a term's frequency in a record is worth: saturated, and normalised by the record's length. Above zero.
create or replace function funding.bm25_weight(frequency double precision, length double precision, average_length real, k1 real, b real)
returns real
language sql immutable parallel safe as $$
  select case when frequency > 0
    then greatest((frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * length / average_length)))::real, funding.least_weight())
    else funding.least_weight()
  end
$$;

-- Keeps what search needs in step with the text, whoever writes the record.
create or replace function funding.index_record() returns trigger
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
  new.bm25 := funding.bm25_document(new.document, fit.average_length, fit.bm25_k1, fit.bm25_b, fit.bm25_title_weight);
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

-- Begins to prepare a fit, in place of any other, with the weights given or those of the settings. Returns its id, which each
-- further step has to name.
drop function funding.begin_fit(integer, real, integer);
create function funding.begin_fit(documents integer, average_length real, dimensions integer,
  bm25_k1 real default funding.setting('bm25_k1')::real, bm25_b real default funding.setting('bm25_b')::real,
  bm25_title_weight real default funding.setting('bm25_title_weight')::real) returns uuid
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid := gen_random_uuid();
begin
  perform funding.forget_fit();
  insert into funding.next_fit (id, documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight, makes_vectors, keeps_numbers)
  values (fit, documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight, funding.setting('embedding_model') = '"lexicon"', (
    select bool_and(highest <= 1.5 * records) from (
      select max(posting_number) as highest, count(*) as records from funding.funders
      union all select max(posting_number), count(*) from funding.grants
      union all select max(posting_number), count(*) from funding.contracts
    ) as numbered where highest is not null) is not false);
  return fit;
end
$$;

-- Computes by the next lexicon what up to `maximum` records of a dataset (null: all) will be found by: those
-- after `after`, by id, that are not prepared as they now are. Returns how many, and the last one's id.
create or replace function funding.prepare_records(
  fit uuid, dataset text, after uuid, maximum integer, out prepared integer, out last_id uuid)
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  highest integer;
begin
  execute format($highest$
    select greatest(
      (select max(posting_number) from funding.next_vectors where dataset = $1),
      (select max(posting_number) from funding.%I where $2),
      0)
  $highest$, dataset)
  into highest using dataset, next.keeps_numbers;
  execute format($prepare$
    with written as (
      insert into funding.next_vectors as ready (dataset, id, row_version, posting_number, bm25, embedding)
      select $1, record.id, record.xmin,
             coalesce(case when $9 then record.posting_number end, $10
               + count(*) filter (where record.posting_number is null or not $9) over (order by record.id)),
             funding.bm25_document(record.document, $4, $5, $6, $7),
             case when $8 then funding.next_lexicon_embedding(record.document)::halfvec end
      from funding.%I as record
      where record.id > $2 and record.xmin is distinct from (
        select ready.row_version from funding.next_vectors as ready where ready.dataset = $1 and ready.id = record.id)
      order by record.id
      limit $3
      on conflict on constraint next_vectors_pkey do update
        set row_version = excluded.row_version, bm25 = excluded.bm25, embedding = excluded.embedding
      returning ready.id
    )
    select count(*), (array_agg(written.id order by written.id desc))[1] from written
  $prepare$, dataset)
  into prepared, last_id
  using dataset, after, maximum, next.average_length, next.bm25_k1, next.bm25_b, next.bm25_title_weight, next.makes_vectors,
        next.keeps_numbers, highest;
end
$$;

-- Makes a dataset's next inverted index, of the records that are prepared as they now are.
create or replace function funding.prepare_postings(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  execute format($postings$
    insert into funding.next_postings (dataset, term, block, weights)
    select $1, word.term, (ready.posting_number - 1) / 16000,
           ('{' || string_agg((ready.posting_number - 1) %% 16000 + 1 || ':'
             || funding.bm25_weight(word.frequency, length.terms, $2, $3, $4)
                * funding.inverse_document_frequency($7, coalesce(lexicon.document_frequency, 0)), ',') || '}/' || $6)::sparsevec
    from funding.next_vectors as ready
    join funding.%I as record on record.id = ready.id and record.xmin = ready.row_version
    cross join lateral (select sum(frequency) as terms from funding.term_frequencies(record.document, $5)) as length
    cross join lateral funding.term_frequencies(record.document, $5) as word
    left join funding.next_lexicon as lexicon on lexicon.term = word.term
    where ready.dataset = $1
    group by 2, 3
  $postings$, dataset)
  using dataset, next.average_length, next.bm25_k1, next.bm25_b, next.bm25_title_weight,
        (select least(max(posting_number), 16000) from funding.next_vectors where next_vectors.dataset = prepare_postings.dataset),
        greatest(next.documents, 1);
end
$$;

-- Puts what was prepared in force, in the caller's transaction: searches use the old fit until it commits. A
-- record that came or changed since it was prepared is computed here, and is not in the inverted index.
create or replace function funding.adopt_fit(fit uuid) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  dataset text;
begin
  -- A record written from here on is indexed by the fit that its writer sees, and its writer sees this one.
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  if next.makes_vectors <> (funding.setting('embedding_model') = '"lexicon"') then
    raise exception 'this fit was given up, because the embedding model was changed' using errcode = 'PT409';
  end if;

  delete from funding.lexicon;
  insert into funding.lexicon (term, document_frequency, vector)
  select term, document_frequency, vector from funding.next_lexicon;
  update funding.lexicon_fit
  set documents = next.documents, average_length = next.average_length, dimensions = next.dimensions, bm25_k1 = next.bm25_k1,
      bm25_b = next.bm25_b, bm25_title_weight = next.bm25_title_weight, fitted_at = now();

  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($stragglers$
      update funding.%I as record
      set bm25 = funding.bm25_document(record.document, $2, $3, $4, $5), posting_number = null %s
      where not exists (
        select from funding.next_vectors as ready
        where ready.dataset = $1 and ready.id = record.id and ready.row_version = record.xmin)
    $stragglers$, dataset, case when next.makes_vectors
      then $c$, embedding = funding.lexicon_embedding(record.document)::halfvec, embedding_model = 'lexicon'$c$ else '' end)
    using dataset, next.average_length, next.bm25_k1, next.bm25_b, next.bm25_title_weight;

    execute format($move$
      update funding.%I as record
      set bm25 = ready.bm25, posting_number = ready.posting_number %s
      from funding.next_vectors as ready
      where ready.dataset = $1 and ready.id = record.id and ready.row_version = record.xmin
    $move$, dataset, case when next.makes_vectors then $c$, embedding = ready.embedding, embedding_model = 'lexicon'$c$ else '' end)
    using dataset;
    perform funding.adopt_bitmaps(dataset);
  end loop;

  delete from funding.postings;
  insert into funding.postings (dataset, term, block, weights)
  select next_postings.dataset, term, block, weights from funding.next_postings;
end
$$;

-- Indexes every record anew by the lexicon as it stands and with its weights, in the caller's transaction. Returns their number.
create or replace function funding.reindex_records() returns bigint
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid := (select funding.begin_fit(documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight) from funding.lexicon_fit);
  dataset text;
  total bigint := 0;
begin
  insert into funding.next_lexicon (term, document_frequency, vector)
  select term, document_frequency, vector from funding.lexicon;
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    total := total + (funding.prepare_records(fit, dataset, '00000000-0000-0000-0000-000000000000', null)).prepared;
    perform funding.prepare_postings(fit, dataset);
    perform funding.prepare_bitmaps(fit, dataset);
  end loop;
  perform funding.adopt_fit(fit);
  perform funding.forget_fit();
  return total;
end
$$;

-- The score from which a record has enough of a query for certain: what the words that are not enough alone can bring,
-- a term's weight in a record being k1 + 1 at most, and a little more, since sums are rounded. Zero where every word is enough. Beyond
-- twelve words it is `needed` itself, which is about what words worth as much bring when a record of average length says them once.
create or replace function funding.sufficient_score(asked funding.query_analysis, needed real) returns real
language plpgsql stable as $$
begin
  if cardinality(asked.words) > 12 then
    return needed;
  end if;
  return (
    select coalesce(least(sum(word.weight), needed * max(word.weight / word.worth)) * ((select fit.bm25_k1 from funding.lexicon_fit as fit) + 1) * 1.0001, 0)
    from unnest(asked.worths, asked.word_weights) as word(worth, weight)
    where word.worth < needed);
end
$$;

revoke execute on all functions in schema funding from public;
