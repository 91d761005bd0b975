-- Cleaning of segments with few live records. Each change retires a slot, and a segment stays as long as one record has one of its slots. So the live
-- records of such a segment are moved: they get new slots, are sealed with new and changed records, and the segment is dropped.
--
-- Number of writes for it: only segments that no merge reaches any more are cleaned, so each slot is paid for once. At most a quarter of such a
-- segment's slots are live; the other three quarters were retired by changes. A segment with few records is all that is left of the last
-- `most_merged` slots. Together, these are at most two moves for three slots that changes took; where all records change at random, one for three. In
-- return a dataset has at most four slots for each record, and a segment for each `most_merged / 32` records, beside the newest `most_merged` slots
-- and a block; where all records change at random, 1.8 slots for each record.
--
-- Slots are given out only once. There are 2,147,000,000: at 20 changes a second and the moves for them, they last two and a half years (with
-- imports, which take two slots for a change, 15 months). After 1,000,000,000 the next fit begins with 1 again (`funding.renumber_slots`).

-- Gives new slots to up to `most` records of a range of slots. Nothing else of the records changes, so this is no change of the data: cached answers
-- stay right, and the age of the data stays the same. Records that other transactions have locked are left out, so it waits for nobody. A transaction
-- that writes one of the moved records waits for this one. Returns the number of moved records.
create or replace function funding.move_records(dataset text, first_slot integer, last_slot integer, most integer) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  moved integer;
begin
  begin
    execute format('lock table funding.%I in row exclusive mode nowait', dataset);
  exception when lock_not_available then
    return 0;
  end;
  perform set_config('funding.moves_records', 'on', true);
  -- The trigger `take_slot` sets another slot in place of null.
  execute format($move$
    update funding.%1$I set slot = null
    where id = any (array(
      select id from funding.%1$I where slot between $1 and $2 limit $3 for no key update skip locked))
  $move$, dataset) using first_slot, last_slot, most;
  get diagnostics moved = row_count;
  perform set_config('funding.moves_records', 'off', true);
  return moved;
end
$$;

-- Moves up to `most` records out of a segment with few live ones: less than a quarter of its slots, or so few that segments would become too many.
-- Moves none while more than `most` records (at least 64) wait to be sealed. Only segments that merges to `most_merged` slots do not reach any more
-- are cleaned: others may become part of a larger one. A segment of a fit is judged as a whole as well: its blocks are dropped only together. Returns
-- the number of moved records.
create or replace function funding.clean_segments(dataset text, most integer default 100, most_merged integer default 8000) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  sealed_end constant integer := funding.sealed_end(dataset);
  known record;
  moved integer := 0;
begin
  if not pg_try_advisory_xact_lock(funding.segments_lock(dataset)) or funding.count_unsealed(dataset, sealed_end, greatest(most, 64)) > greatest(most, 64) then
    return 0;
  end if;
  for known in
    select * from funding.segment_shares(dataset) as share
    where share.live > 0 and share.last_slot + 1 < sealed_end and sealed_end - share.first_slot >= most_merged
      and (share.live * 4 < share.slots or share.live <= most_merged / 32)
    order by share.live
  loop
    moved := funding.move_records(dataset, known.first_slot, known.last_slot, most);
    exit when moved > 0;
  end loop;
  return moved;
end
$$;

-- Gives the records of a dataset slots from 1 on, where more than `most` slots were given out, and makes one segment of them by the fit in force.
-- Transactions that write to the dataset wait. Returns whether it gave out new slots.
create or replace function funding.renumber_slots(dataset text, most integer default 1000000000) returns boolean
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  block constant integer := funding.first_block(fit.generation);
  vectors_table constant text := funding.vectors_table(dataset, fit.vectors);
  given_out integer;
  records integer;
  segment funding.segment;
begin
  execute format('select last_value from funding.%I', dataset || '_slots') into given_out;
  if given_out <= most then
    return false;
  end if;
  perform pg_advisory_xact_lock(funding.segments_lock(dataset));
  execute format('lock table funding.%I in share row exclusive mode', dataset);
  -- Vectors are moved first, by way of negative slots, which no record has. Otherwise a trigger would move each vector with its record, to a slot
  -- that another vector may still have.
  execute format('update funding.%2$I as known set slot = - moved.new_slot
    from (select slot, row_number() over (order by slot) as new_slot from funding.%1$I) as moved
    where known.slot = moved.slot', dataset, vectors_table);
  execute format('update funding.%I set slot = - slot', vectors_table);
  perform set_config('funding.moves_records', 'all', true);
  execute format('update funding.%1$I as record set slot = moved.new_slot
    from (select id, row_number() over (order by slot) as new_slot from funding.%1$I) as moved where record.id = moved.id', dataset);
  get diagnostics records = row_count;
  perform set_config('funding.moves_records', 'off', true);
  perform funding.drop_segments(dataset);
  delete from funding.slot_marks where slot_marks.dataset = renumber_slots.dataset;
  execute format('alter sequence funding.%I restart with %s', dataset || '_slots', records + 1);
  if records > 0 and fit.fitted_at is not null then
    segment := (dataset, block, block, 1, records, least(records, 16000));
    -- This segment stands for the segments of the fit.
    perform funding.index_words(segment, funding.slotted_records(dataset, 1, records), fit);
    perform funding.index_fields(segment, funding.slotted_records(dataset, 1, records), fit);
    update funding.blocks set is_fitted = true where blocks.dataset = renumber_slots.dataset;
  end if;
  return true;
end
$$;
