-- Stand-ins for what of Supabase the schedule needs and Debian does not carry: pg_net and Vault. pg_cron is the real one.
\set ON_ERROR_STOP on

-- As in pg_net, a call puts a request into a queue, and a worker sends it once the transaction is committed: pg-net.ts.
create schema net;
create table net.http_request_queue (
  id bigint generated always as identity primary key,
  method text not null,
  url text not null,
  headers jsonb not null,
  body bytea,
  timeout_milliseconds integer not null
);
create table net._http_response (
  id bigint,
  status_code integer,
  content text,
  error_msg text,
  created timestamptz not null default now()
);
create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000) returns bigint
language sql as $$
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values ('POST', url, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds)
  returning id
$$;

-- Without Vault's encryption, which is of no concern to who reads the view.
create schema vault;
create table vault.secrets (name text unique, secret text not null);
create view vault.decrypted_secrets as select name, secret as decrypted_secret from vault.secrets;
create function vault.create_secret(new_secret text, new_name text) returns void language sql as $$
  insert into vault.secrets (name, secret) values (new_name, new_secret)
$$;
