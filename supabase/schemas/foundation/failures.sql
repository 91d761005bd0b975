-- Failures that are the server's own.

-- Whether an error is the server's own and passes: connections, deadlocks, resources, locks, shutdowns. No filter is to blame. 57014, a time limit,
-- is judged apart.
create or replace function funding.is_passing_failure(code text) returns boolean
language sql immutable parallel safe as $$
  select code ~ '^(08|40|53|55|57|58)' and code <> '57014'
$$;
