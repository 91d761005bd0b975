-- Begins a transaction (database/migrate.ts).
-- Records that wait for a vector of an external model (supabase/schemas/index/fit/embedding_queue.sql).
create table funding.embedding_queue (
  dataset text,
  record_id uuid,
  queued_at timestamptz not null default now(),
  claimed_until timestamptz,
  attempts integer not null default 0,
  refusal text,
  constraint embedding_queue_pkey primary key (dataset, record_id),
  constraint embedding_queue_refused_is_not_claimed check (refusal is null or claimed_until is null)
) with (fillfactor = 70);
alter table funding.embedding_queue enable row level security;
create index embedding_queue_waiting on funding.embedding_queue (attempts, queued_at) where refusal is null;
create index embedding_queue_oldest on funding.embedding_queue (queued_at) where refusal is null;
create index embedding_queue_refused on funding.embedding_queue (queued_at) where refusal is not null;

create table funding.embedding_state (
  is_only boolean default true,
  tokens bigint not null default 0,
  requests bigint not null default 0,
  records bigint not null default 0,
  failures bigint not null default 0,
  day date not null default '2026-01-01',
  tokens_today bigint not null default 0,
  minute timestamptz not null default '2026-01-01T00:00:00Z',
  requests_in_minute integer not null default 0,
  failures_in_a_row integer not null default 0,
  paused_until timestamptz,
  last_failure text,
  constraint embedding_state_pkey primary key (is_only),
  constraint embedding_state_is_only check (is_only)
);
alter table funding.embedding_state enable row level security;
insert into funding.embedding_state default values;

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('embedding_daily_tokens', '10000000', '10000000', 'tokens', '{"type": "integer", "minimum": 0, "maximum": 1000000000000}',
   'Tokens of records that the dispatcher has embedded by an external model in a UTC day at most. 0 embeds none.'),
  ('embedding_requests_per_minute', '300', '300', 'requests', '{"type": "integer", "minimum": 20, "maximum": 1000000}',
   'Requests for records'' vectors that the dispatchers send to an external model''s provider in a minute at most.'),
  ('embedding_text', '"all"', '"all"', 'text', '{"type": "string", "pattern": "^(all|title)$", "description": "all or title"}',
   'What of a record an external model gets: all, or its title alone. Holds for records that are embedded from then on.');

update funding.settings
set schema = '{"type": "string", "pattern": "^(lexicon|(openai|supabase|workers-ai)/[^[:space:]]+)$", "description": "lexicon, openai/NAME, supabase/NAME or workers-ai/NAME"}'
where name = 'embedding_model';
