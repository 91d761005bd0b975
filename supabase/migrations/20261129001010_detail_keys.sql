-- Begins a transaction (database/migrate.ts).
-- Indexes over the details' keys, which now have product codes and beginnings of codes. They take the place of those before in the next file.
create index grants_detail_keys_anew on funding.grants using gin (funding.detail_keys(details));
create index contracts_detail_keys_anew on funding.contracts using gin (funding.detail_keys(details));
