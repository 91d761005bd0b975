-- The bounded clock (clock.sql) dates rows with a retention: one that is made while the clock is behind is not old when the clock comes right.
create function funding.latest_now() returns timestamptz
language plpgsql stable as $$
begin
  return (select greatest(funding.wall_clock(), clock.bounded) from funding.dispatch_clock as clock);
end
$$;
