-- User whose explorer has the key: each user in an account has a few, in place of the account. Null for other keys, and for those from before.
alter table funding.api_keys
  add column explorer_user_id uuid,
  add constraint api_keys_explorer_user_of_explorer check (explorer_user_id is null or is_explorer);

update funding.settings
set description = 'Explorer''s keys that each user in an account may have at a time: one for each open browser. One more takes the place of the user''s that would expire first.'
where name = 'maximum_explorer_keys';
-- It was enough for the five browsers that an account could have.
update funding.settings
set value = case when value = default_value then '2000' else value end, default_value = '2000',
    description = 'Keys that an account''s explorers may make: for each of fifty members, one in a quarter of an hour, for ten hours.'
where name = 'write_limit_explorer_keys';
