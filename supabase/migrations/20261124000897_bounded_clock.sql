-- The bounded clock (clock.sql): its time when the server's clock was `wall`, and how long that clock has run evenly since its last jump. A machine
-- without a battery starts in 1970: no database of this version is older than the version.
alter table funding.dispatch_clock
  add column bounded timestamptz not null default greatest(now(), timestamptz '2026-11-24T00:00:00Z'),
  add column even_for interval not null default '0';
alter table funding.dispatch_clock alter column bounded drop default, alter column even_for drop default;
-- Both as of now: the transaction may have begun long before.
update funding.dispatch_clock as clock
set dispatch_time = dispatch_time + least(greatest(present.moment - wall, interval '0'),
      (funding.setting('webhook_clock_step_seconds')::text || ' seconds')::interval),
    wall = present.moment, bounded = greatest(present.moment, clock.bounded)
from (select clock_timestamp() as moment offset 0) as present;

create function funding.latest_now() returns timestamptz
language plpgsql stable as $$
begin
  return (select greatest(funding.wall_clock(), clock.bounded) from funding.dispatch_clock as clock);
end
$$;

-- Rows with a retention are dated by it: one that is made while the clock is behind is not old when the clock comes right.
alter table funding.events alter column created_at set default funding.latest_now();
alter table funding.record_changes alter column changed_at set default funding.latest_now();
alter table funding.imports alter column started_at set default funding.latest_now();
alter table funding.stripe_events alter column received_at set default funding.latest_now();
alter table funding.idempotency_keys alter column created_at set default funding.latest_now();
alter table funding.invitations alter column created_at set default funding.latest_now();
alter table funding.digest_mails alter column created_at set default funding.latest_now();
alter table funding.snapshots alter column changed_at set default funding.latest_now();
alter table funding.usage_writers alter column created_at set default funding.latest_now();
alter table funding.usage_writers alter column written_at set default funding.latest_now();
