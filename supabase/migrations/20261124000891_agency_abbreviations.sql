-- Abbreviations of agencies that are English words, and caches that follow the table (supabase/schemas/mentions.sql).

-- Counts in upper case alone: "DOT", and not "quantum dot".
alter table funding.agency_abbreviations add column is_word boolean not null default false;
update funding.agency_abbreviations set is_word = true where abbreviation in ('dot', 'doe');

-- What a hybrid search mentions is part of its ranking, as synonyms are.
create trigger agency_abbreviations_changed after insert or update or delete or truncate on funding.agency_abbreviations
  for each statement execute function funding.note_data_change('search');
