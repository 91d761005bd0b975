-- Keys of the dashboard's explorer: short-lived, made from a sign-in. They are rows that are used again, so that an account has a few at most.
alter table funding.api_keys add column is_explorer boolean not null default false;

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('explorer_key_minutes', '15', '15', 'minutes', '{"type": "integer", "minimum": 1, "maximum": 1440}',
   'How long a key that the dashboard''s explorer makes from a sign-in is valid.'),
  ('maximum_explorer_keys', '5', '5', 'keys', '{"type": "integer", "minimum": 1, "maximum": 100}',
   'Explorer''s keys that an account may have at a time: one for each open browser. One more takes the place of the one that would expire first.'),
  ('write_limit_explorer_keys', '500', '500', 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}',
   'Keys that an account''s explorers may make: for each browser that it may have open, one in a quarter of an hour.');
