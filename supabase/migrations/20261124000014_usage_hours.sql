-- Usage by key and hour, for some weeks. Written with the usage, in the same batch: `record_usage`.

create table funding.usage_hours (
  api_key_id uuid not null,
  -- The first moment of a UTC hour.
  hour timestamptz not null,
  requests bigint not null,
  client_errors bigint not null,
  server_errors bigint not null,
  -- Requests by response-time bucket: { "50": 12 }.
  latencies jsonb not null,
  primary key (api_key_id, hour)
) with (fillfactor = 70);
alter table funding.usage_hours enable row level security;
create index usage_hours_hour on funding.usage_hours (hour);

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('usage_hour_days', '31', '31', 'days', '{"type": "integer", "minimum": 7, "maximum": 90}',
   'How long usage is kept by key and hour, beside that by day. At least what one request for hours spans.');
