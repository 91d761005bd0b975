-- What 20261124000090 did not look at while requests waited: requests go on meanwhile.
alter table funding.accounts validate constraint accounts_email_folded;
alter table funding.api_keys
  validate constraint api_keys_explorer_user_of_explorer, validate constraint api_keys_datasets_known, validate constraint api_keys_quota_positive,
  validate constraint api_keys_addresses_counted;
alter table funding.webhook_endpoints validate constraint webhook_endpoints_expand_known;
alter table funding.members validate constraint members_account_id_fkey;
