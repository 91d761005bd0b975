-- Drift of the records from the fit that they are searched by.

-- Sums of the inverse document frequencies of some records' words: of the words without a vector in the lexicon, and of all words. `slots` are the
-- slots of these records.
create or replace function funding.unknown_words(dataset text, slots integer[], out unknown double precision, out all_words double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  execute format($sums$
    select sum(word.idf) filter (where not word.is_known), sum(word.idf)
    from (
      select lexicon.vector is not null as is_known,
             funding.inverse_document_frequency((select greatest(documents, 1) from funding.lexicon_fit), coalesce(lexicon.document_frequency, 0)) as idf
      from funding.%I as record
      cross join lateral unnest(tsvector_to_array(record.document)) as said(term)
      left join funding.lexicon on lexicon.generation = (select generation from funding.lexicon_fit) and lexicon.term = said.term
      where record.posting_number = any ($1)
    ) as word
  $sums$, dataset) into unknown, all_words using slots;
end
$$;

-- Changes since the fit, as JSON; null where there are no records:
--   changed_share     share of the records that came or changed since, or were moved by the cleaning, once three quarters had changed
--   unknown_share     share of such records' words that the lexicon does not know, beyond the same share of the records of the fit. (Every
--                     record has some words of its own, and names.) Of 300 of each dataset, at even distances, and of 300 of the fit.
--   slots_per_record  slots of segments, and slots given out since, for each record: those above 1 are of records that are gone or changed.
--                     Cleaning keeps it below 4.
create or replace function funding.lexicon_drift() returns json
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
declare
  sample_size constant integer := 300;
  known text;
  fitted_end integer;
  counts record;
  slots integer[];
  sums record;
  records bigint := 0;
  changed bigint := 0;
  given_out bigint := 0;
  unknown double precision[] := '{0,0}';
  words double precision[] := '{0,0}';
begin
  foreach known in array array['funders', 'grants', 'contracts'] loop
    fitted_end := funding.fitted_end(known);
    execute format($counts$
      select count(*) as records, count(*) filter (where posting_number >= $1) as changed,
             greatest(max(posting_number) - $2 + 1, 0) as unsealed_slots
      from funding.%I
    $counts$, known)
    into counts using fitted_end, funding.sealed_end(known);
    records := records + counts.records;
    changed := changed + counts.changed;
    given_out := given_out + (select coalesce(sum(share.slots), 0) from funding.segment_shares(known) as share) + counts.unsealed_slots;
    -- Not the newest records: they are of one import, and alike.
    execute format($sample$
      select array(
        select slot from (
          select posting_number as slot, row_number() over (order by posting_number) as position from funding.%I where posting_number >= $1) as counted
        where position %% greatest($2 / $3, 1) = 0)
    $sample$, known)
    into slots using fitted_end, counts.changed, sample_size;
    select * into sums from funding.unknown_words(known, slots);
    unknown[1] := unknown[1] + coalesce(sums.unknown, 0);
    words[1] := words[1] + coalesce(sums.all_words, 0);
    -- A sample of records, not of slots: many of the first slots have no record any more.
    execute format($sample$
      select array(
        select slot from (
          select posting_number as slot, row_number() over (order by posting_number) as position from funding.%I where posting_number < $1) as fitted
        where position %% greatest($2 / $3, 1) = 0)
    $sample$, known)
    into slots using fitted_end, counts.records - counts.changed, sample_size;
    select * into sums from funding.unknown_words(known, slots);
    unknown[2] := unknown[2] + coalesce(sums.unknown, 0);
    words[2] := words[2] + coalesce(sums.all_words, 0);
  end loop;
  return case when records > 0 then json_build_object(
    'changed_share', changed / records::double precision,
    'unknown_share', greatest(coalesce(unknown[1] / nullif(words[1], 0), 0) - coalesce(unknown[2] / nullif(words[2], 0), 0), 0),
    'slots_per_record', given_out / records::double precision)
  end;
end
$$;
