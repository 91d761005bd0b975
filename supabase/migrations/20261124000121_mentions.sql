-- Places and agencies that a question mentions weigh as fields of the records (supabase/schemas/mentions.sql).
insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('fusion_field_weight', '0.3', '0.3', 'none', '{"type": "number", "minimum": 0, "maximum": 100}',
   'What a place or an agency adds to a record''s sum of scores where the search mentions it and the record has it, beside a keyword score of 1. 0: nothing.');

-- Abbreviations of federal agencies that people write, in lower case, and the names that they stand for. Those that are states or several agencies
-- ("ed", "va", "doe" of Education) are left out. An operator may add others.
create table funding.agency_abbreviations (
  abbreviation text primary key check (abbreviation = lower(abbreviation)),
  name text not null,
  -- Whether it is an English word, and counts in upper case alone: "DOT", and not "quantum dot".
  is_word boolean not null default false
);
alter table funding.agency_abbreviations enable row level security;
insert into funding.agency_abbreviations (abbreviation, name) values
  ('acf', 'Administration for Children and Families'), ('acl', 'Administration for Community Living'), ('ahrq', 'Agency for Healthcare Research and Quality'),
  ('aphis', 'Animal and Plant Health Inspection Service'), ('bja', 'Bureau of Justice Assistance'), ('blm', 'Bureau of Land Management'),
  ('cbp', 'U.S. Customs and Border Protection'), ('cdc', 'Centers for Disease Control and Prevention'), ('cms', 'Centers for Medicare and Medicaid Services'),
  ('darpa', 'Defense Advanced Research Projects Agency'), ('dhs', 'Department of Homeland Security'), ('disa', 'Defense Information Systems Agency'),
  ('dla', 'Defense Logistics Agency'), ('dod', 'Department of Defense'), ('doe', 'Department of Energy'), ('doi', 'Department of the Interior'),
  ('doj', 'Department of Justice'), ('dol', 'Department of Labor'), ('dot', 'Department of Transportation'),
  ('eda', 'Economic Development Administration'), ('epa', 'Environmental Protection Agency'), ('faa', 'Federal Aviation Administration'),
  ('fda', 'Food and Drug Administration'), ('fema', 'Federal Emergency Management Agency'), ('fhwa', 'Federal Highway Administration'),
  ('fns', 'Food and Nutrition Service'), ('fta', 'Federal Transit Administration'), ('gsa', 'General Services Administration'),
  ('hhs', 'Department of Health and Human Services'), ('hrsa', 'Health Resources and Services Administration'),
  ('hud', 'Department of Housing and Urban Development'), ('ihs', 'Indian Health Service'), ('imls', 'Institute of Museum and Library Services'),
  ('nasa', 'National Aeronautics and Space Administration'), ('neh', 'National Endowment for the Humanities'),
  ('nhtsa', 'National Highway Traffic Safety Administration'), ('nifa', 'National Institute of Food and Agriculture'),
  ('nih', 'National Institutes of Health'), ('nij', 'National Institute of Justice'), ('nist', 'National Institute of Standards and Technology'),
  ('noaa', 'National Oceanic and Atmospheric Administration'), ('nps', 'National Park Service'), ('nrc', 'Nuclear Regulatory Commission'),
  ('nrcs', 'Natural Resources Conservation Service'), ('nsf', 'National Science Foundation'),
  ('ntia', 'National Telecommunications and Information Administration'), ('ojp', 'Office of Justice Programs'), ('onr', 'Office of Naval Research'),
  ('osha', 'Occupational Safety and Health Administration'), ('samhsa', 'Substance Abuse and Mental Health Services Administration'),
  ('sba', 'Small Business Administration'), ('ssa', 'Social Security Administration'), ('usace', 'U.S. Army Corps of Engineers'),
  ('usaid', 'Agency for International Development'), ('uscg', 'U.S. Coast Guard'), ('usda', 'Department of Agriculture'),
  ('usfs', 'Forest Service'), ('usfws', 'Fish and Wildlife Service'), ('usgs', 'Geological Survey');
update funding.agency_abbreviations set is_word = true where abbreviation in ('dot', 'doe');

-- What a hybrid search mentions is part of its ranking, as synonyms are.
create trigger agency_abbreviations_changed after insert or update or delete or truncate on funding.agency_abbreviations
  for each statement execute function funding.note_data_change('search');
