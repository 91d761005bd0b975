-- Daily limits of writes: counted by day, exactly.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(12);

insert into funding.accounts (id, email) values
  ('00000000-0000-4000-8000-00000000000a', 'one@writes.test'), ('00000000-0000-4000-8000-00000000000b', 'two@writes.test');
update funding.settings set value = '2' where name = 'write_limit_key_creations';

-- Moves the day that writes are counted on.
create function pg_temp.set_today(today text) returns void language plpgsql as $$
begin
  execute format('create or replace function funding.quota_day() returns date language sql stable as %L', format('select %L::date', today));
end
$$;
-- What is left after a write, or how it was refused.
create function pg_temp.write(letter text, kind text default 'key_creations') returns text language plpgsql as $$
begin
  return funding.count_write(('00000000-0000-4000-8000-00000000000' || letter)::uuid, kind, '{}')->'write_limit'->>'remaining';
exception when others then
  return sqlstate;
end
$$;

select pg_temp.set_today('2026-06-02');
select is(pg_temp.write('a'), '1', 'a write is counted');
select is(pg_temp.write('a'), '0', 'up to the limit');
select is(pg_temp.write('a'), 'PT429', 'and no further');
select is(pg_temp.write('a'), 'PT429', 'however often');
select is(pg_temp.write('b'), '1', 'each account by itself');
select pg_temp.set_today('2026-06-03');
select is(pg_temp.write('a'), '1', 'the next day begins anew');
select is(pg_temp.write('a'), '0', 'with the whole limit');
select pg_temp.set_today('2026-06-02');
select is(pg_temp.write('a'), 'PT429', 'a day before the last one gives nothing back: clocks differ');
select is((select used || ' on ' || day from funding.account_writes where account_id = '00000000-0000-4000-8000-00000000000a'), '2 on 2026-06-03',
  'and changes no count');
update funding.settings set value = '0' where name = 'write_limit_key_creations';
select is(pg_temp.write('b'), 'PT429', 'a limit of none refuses all');
update funding.settings set value = '-1' where name = 'write_limit_key_creations';
select is(pg_temp.write('a'), '-1', 'no limit refuses none');
select is((select sum(used)::integer from funding.account_writes where account_id::text like '00000000-0000-4000-8000-00000000000_'), 3, 'and counts none');

select * from finish();
rollback;
