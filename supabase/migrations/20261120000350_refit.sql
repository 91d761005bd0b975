-- Putting a new fit in force.
--
-- A fit is prepared beside the one that searches use, in batches that nobody waits for: the next lexicon, what
-- each record will be found by, and the next inverted index. Adopting it moves all of that into place in one
-- transaction, so that a search is answered by one fit or by the other. Readers do not wait for it. Writers do,
-- for the time it takes to move vectors that are ready: on 115,700 records, 4 s.
--
-- The tables of what is next are empty between fits. A crash empties them too, and the fit starts again; hence
-- unlogged.

-- Half of each page is left free for the vectors of the next fit, and freed again after it. A record then changes
-- within its page, without a change to its indexes: in 4 s rather than 13, and in tables that do not grow. (Without
-- this they grew to the same size at the first refit.)
alter table funding.funders set (fillfactor = 50);
alter table funding.grants set (fillfactor = 50);
alter table funding.contracts set (fillfactor = 50);

-- The fit that is being prepared. Whoever begins another takes its place.
create unlogged table funding.next_fit (
  id uuid primary key,
  documents integer not null,
  average_length real not null,
  dimensions integer not null,
  -- Whether records get their vectors from it; under an external model they keep their own.
  makes_vectors boolean not null,
  -- Whether records keep their posting numbers, so that no indexed column of theirs changes. They do until a third
  -- of the numbers are nobody's.
  keeps_numbers boolean not null
);
alter table funding.next_fit enable row level security;

create unlogged table funding.next_vectors (
  dataset text not null,
  id uuid not null,
  -- The version of the row that these are of: whatever changes the record gives it another.
  row_version xid not null,
  posting_number integer not null,
  bm25 extensions.sparsevec(536870912) not null,
  embedding extensions.halfvec(384),
  primary key (dataset, id),
  constraint next_vectors_number_unique unique (dataset, posting_number)
);
alter table funding.next_vectors enable row level security;

create unlogged table funding.next_postings (
  dataset text not null,
  term text not null,
  block integer not null,
  weights extensions.sparsevec not null,
  primary key (dataset, term, block)
);
alter table funding.next_postings enable row level security;
alter table funding.next_postings alter column weights set storage external;

-- Forgets what was prepared.
create function funding.forget_fit() returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  truncate funding.next_fit, funding.next_lexicon, funding.next_vectors, funding.next_postings,
    funding.next_bitmaps, funding.next_ranks, funding.next_ranked_values, funding.next_order_slices
$$;

-- Begins to prepare a fit, in place of any other. Returns its id, which each further step has to name.
create function funding.begin_fit(documents integer, average_length real, dimensions integer) returns uuid
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid := gen_random_uuid();
begin
  perform funding.forget_fit();
  insert into funding.next_fit (id, documents, average_length, dimensions, makes_vectors, keeps_numbers)
  values (fit, documents, average_length, dimensions, funding.setting('embedding_model') = '"lexicon"', (
    select bool_and(highest <= 1.5 * records) from (
      select max(posting_number) as highest, count(*) as records from funding.funders
      union all select max(posting_number), count(*) from funding.grants
      union all select max(posting_number), count(*) from funding.contracts
    ) as numbered where highest is not null) is not false);
  return fit;
end
$$;

-- The fit being prepared. Raises when another was begun, so that two cannot be mixed.
create function funding.fit_in_preparation(fit uuid) returns funding.next_fit
language plpgsql stable as $$
declare
  found_fit funding.next_fit;
begin
  select * into found_fit from funding.next_fit where id = fit;
  if not found then
    raise exception 'this fit was given up, because another was begun' using errcode = 'PT409';
  end if;
  return found_fit;
end
$$;

-- Adds terms to the next lexicon. A vector is the text of one, or null.
create function funding.prepare_terms(fit uuid, terms text[], document_frequencies integer[], vectors text[]) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  perform funding.fit_in_preparation(fit);
  insert into funding.next_lexicon (term, document_frequency, vector)
  select item.term, item.frequency, item.vector::vector
  from unnest(terms, document_frequencies, vectors) as item(term, frequency, vector);
end
$$;

-- Computes by the next lexicon what up to `maximum` records of a dataset (null: all) will be found by: those
-- after `after`, by id, that are not prepared as they now are. Returns how many, and the last one's id.
create function funding.prepare_records(
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
  using dataset, after, maximum, next.average_length, funding.setting('bm25_k1')::real, funding.setting('bm25_b')::real,
        funding.setting('bm25_title_weight')::real, next.makes_vectors, next.keeps_numbers, highest;
end
$$;

-- Makes a dataset's next inverted index, of the records that are prepared as they now are.
create function funding.prepare_postings(fit uuid, dataset text) returns void
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
  using dataset, next.average_length, funding.setting('bm25_k1')::real, funding.setting('bm25_b')::real,
        funding.setting('bm25_title_weight')::real,
        (select least(max(posting_number), 16000) from funding.next_vectors where next_vectors.dataset = prepare_postings.dataset),
        greatest(next.documents, 1);
end
$$;

-- Puts what was prepared in force, in the caller's transaction: searches use the old fit until it commits. A
-- record that came or changed since it was prepared is computed here, and is not in the inverted index.
create function funding.adopt_fit(fit uuid) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  k1 real := funding.setting('bm25_k1')::real;
  b real := funding.setting('bm25_b')::real;
  title_weight real := funding.setting('bm25_title_weight')::real;
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
  set documents = next.documents, average_length = next.average_length, dimensions = next.dimensions, fitted_at = now();

  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($stragglers$
      update funding.%I as record
      set bm25 = funding.bm25_document(record.document, $2, $3, $4, $5), posting_number = null %s
      where not exists (
        select from funding.next_vectors as ready
        where ready.dataset = $1 and ready.id = record.id and ready.row_version = record.xmin)
    $stragglers$, dataset, case when next.makes_vectors
      then $c$, embedding = funding.lexicon_embedding(record.document)::halfvec, embedding_model = 'lexicon'$c$ else '' end)
    using dataset, next.average_length, k1, b, title_weight;

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

-- Indexes every record anew by the lexicon as it stands, in the caller's transaction. Returns their number.
create function funding.reindex_records() returns bigint
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid := (select funding.begin_fit(documents, average_length, dimensions) from funding.lexicon_fit);
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
