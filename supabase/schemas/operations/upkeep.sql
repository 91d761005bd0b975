-- Upkeep of the index, which the dispatcher and imports call.

-- Makes search use a new embedding model for which no record of a small catalogue waits. Seals the records of each dataset that came or changed since the last segment, `most` slots of each. Where there are none, merges segments to some
-- of `most_merged` slots. Where no dataset has either, links versions (versions.sql), or else makes lexemes of an earlier version anew (renewal.sql) or, where there are none, cleans a
-- dataset (cleaning.sql): of up to a twentieth of `most` records, 100 in 0.1 s. That comes last, because a writer of such a record waits for the end
-- of this call. Where there was nothing to do, makes statistics of funders (funder_statistics.sql), or else a step of a renewal of the suggestions,
-- of up to half of `most` records (suggestions.sql). The caller calls again while it did something. Returns { sealed, merged, linked, renewed, cleaned,
-- suggested, counted, failures }: the number of records sealed, of segments merged or dropped, of numbers linked, of records looked at for outdated lexemes, of records
-- moved, of steps of that renewal, and of funders; and the errors. An error of one dataset leaves the others alone.
create or replace function public.seal_records(most integer default 2000, most_merged integer default 8000) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '60s' set lock_timeout = '500ms' as $$
declare
  began timestamptz;
  datasets constant text[] := array['funders', 'grants', 'contracts'];
  dataset text;
  records integer;
  sealed integer := 0;
  merged integer := 0;
  linked integer := 0;
  renewed integer := 0;
  cleaned integer := 0;
  suggested integer := 0;
  counted integer := 0;
  failures text[] := '{}';
begin
  begin
    perform funding.forget_lost_fit(most);
  exception when others then
    failures := failures || format('a lost fit: %s %s', sqlstate, sqlerrm);
  end;
  begin
    -- More vectors need an index, which takes longer than this function has: npm run embed.
    perform funding.adopt_next_model(funding.setting('vector_index_minimum')::bigint);
  exception when others then
    failures := failures || format('a new embedding model: %s %s', sqlstate, sqlerrm);
  end;
  foreach dataset in array datasets loop
    begin
      -- Records are not sealed after each batch of a renewal.
      records := funding.seal(dataset, case when funding.has_outdated_documents(dataset) then greatest(most / 2, 64) else 64 end, most);
      sealed := sealed + records;
      if records = 0 then
        merged := merged + funding.merge_segments(dataset, most_merged);
      end if;
    exception when others then
      failures := failures || format('%s: %s %s', dataset, sqlstate, sqlerrm);
    end;
  end loop;
  if sealed + merged = 0 then
    begin
      linked := funding.renew_version_links();
    exception when others then
      failures := failures || format('versions: %s %s', sqlstate, sqlerrm);
    end;
  end if;
  foreach dataset in array datasets loop
    exit when sealed + merged + linked + renewed > 0;
    begin
      renewed := funding.renew_documents(dataset, greatest(most / 20, 1));
    exception when others then
      failures := failures || format('%s: %s %s', dataset, sqlstate, sqlerrm);
    end;
  end loop;
  foreach dataset in array datasets loop
    exit when sealed + merged + linked + renewed + cleaned > 0;
    begin
      cleaned := funding.clean_segments(dataset, greatest(most / 20, 1), most_merged);
    exception when others then
      failures := failures || format('%s: %s %s', dataset, sqlstate, sqlerrm);
    end;
  end loop;
  if sealed + merged + linked + renewed + cleaned = 0 then
    begin
      counted := funding.renew_funder_statistics();
    exception when others then
      failures := failures || format('statistics: %s %s', sqlstate, sqlerrm);
    end;
  end if;
  if sealed + merged + linked + renewed + cleaned + counted = 0 then
    begin
      began := clock_timestamp();
      suggested := funding.renew_suggestions(greatest(most / 2, 1))::integer;
    -- A statement that ran out of time is none of the others.
    exception when query_canceled or others then
      perform funding.abandon_renewal(began);
      failures := failures || format('suggestions: %s %s', sqlstate, sqlerrm);
    end;
  end if;
  return json_build_object('sealed', sealed, 'merged', merged, 'linked', linked, 'renewed', renewed, 'cleaned', cleaned, 'suggested', suggested, 'counted', counted,
    'failures', failures);
end
$$;
