-- Generations: whatever a fit makes is there twice while it makes it. Searches use what belongs to the generation that `lexicon_fit`
-- names (20261124000090); a fit writes the other one, and comes into force by naming it.

truncate funding.next_fit;
alter table funding.next_fit
  add column generation integer not null,
  add column vectors integer not null,
  -- Whether its lexicon is complete, so that whoever writes a record writes its vector, too.
  add column is_filling boolean not null default false,
  -- When anything was last done for it.
  add column prepared_at timestamptz not null default now(),
  alter column keeps_numbers drop not null;
