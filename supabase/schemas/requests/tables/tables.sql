-- Tables. Written by npm run schema from the migrations; comments are kept.

-- Abbreviations of federal agencies that people write, in lower case, and the names that they stand for. Those that are states or several agencies
-- ("ed", "va", "doe" of Education) are left out. An operator may add others.
create table funding.agency_abbreviations (
  abbreviation text,
  name text not null,
  -- Whether it is an English word, and counts in upper case alone: "DOT", and not "quantum dot".
  is_word boolean not null default false,
  constraint agency_abbreviations_pkey primary key (abbreviation),
  constraint agency_abbreviations_abbreviation_check check (abbreviation = lower(abbreviation))
);
alter table funding.agency_abbreviations enable row level security;
