-- Keys of the dashboard's explorer: short-lived, made from a sign-in. They are rows that are used again, so that an account has a few at most.

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('explorer_key_minutes', '15', '15', 'minutes', '{"type": "integer", "minimum": 1, "maximum": 1440}',
   'How long a key that the dashboard''s explorer makes from a sign-in is valid.'),
  ('maximum_explorer_keys', '5', '5', 'keys', '{"type": "integer", "minimum": 1, "maximum": 100}',
   'Explorer''s keys that each user in an account may have at a time: one for each open browser. One more takes the place of the user''s that would expire first.'),
  ('write_limit_explorer_keys', '2000', '2000', 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}',
   'Keys that an account''s explorers may make: for each of fifty members, one in a quarter of an hour, for ten hours.');
