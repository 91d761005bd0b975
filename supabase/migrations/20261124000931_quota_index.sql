-- Begins a transaction (database/migrate.ts).
-- The oldest rows, for retention (20261124000013): in a transaction of its own, because requests that count wait for its end.
create index daily_quota_day on funding.daily_quota (day);
