-- Address ranges that a key is limited to. Null is no limit.
alter table funding.api_keys
  add column addresses cidr[],
  add constraint api_keys_addresses_counted
    check (cardinality(addresses) between 1 and 20 and array_position(addresses, null) is null);
