-- A recovery that fails lets the others go first.
alter table funding.webhook_recoveries add column tried_at timestamptz;

comment on column funding.webhook_recoveries.tried_at is 'When a dispatcher last began a part of it that it has not finished. In the dispatcher''s time.';
