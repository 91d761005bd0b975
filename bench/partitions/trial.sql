-- Tries partitions by classification: the same records in one table and in a partitioned one, nine in ten of them awarded, asked in turns. It is about
-- what Postgres and pgvector do, so the records are random and there is nothing of the service's own index. Prints milliseconds, and drops what it made.
--
--   tests/native/stack.sh start --dir DIR    # prints database_url; npm run migrate -- --database-url ... makes it the service's
--   psql DATABASE_URL -X -v rows=797000 -f bench/partitions/trial.sql
\set QUIET on
\pset footer off
\if :{?rows} \else \set rows 79700 \endif
set client_min_messages = warning;
set statement_timeout = 0;
drop schema if exists partition_trial cascade;
create schema partition_trial;
set search_path = partition_trial, extensions, public;
select setseed(0.5) \g /dev/null

-- A vector is the sum of three of two thousand, so that it has neighbours.
create temporary table base as
select number, (select array_agg(random() - 0.5 + 0 * number + 0 * dimension) from generate_series(1, 384) as dimension)::halfvec as vector
from generate_series(0, 1999) as number;
create unique index on base (number);

create table whole (
  id uuid not null, classification text not null, posted date not null, state text not null, amount bigint not null, title text not null,
  embedding halfvec(384) not null);
alter table whole alter column embedding set storage plain;
insert into whole
select gen_random_uuid(), case when item % 10 = 0 then 'open' else 'awarded' end, date '2020-01-01' + (random() * 2500)::integer,
       'S' || lpad((random() * 49)::integer::text, 2, '0'), (random() * 1e7)::bigint, repeat('Water for rural towns ' || item || ' ', 30),
       one.vector + two.vector + three.vector
from generate_series(1, :rows) as item
join base as one on one.number = (item * 79) % 2000
join base as two on two.number = (item * 1047 + item / 2000) % 2000
join base as three on three.number = (item / 7) % 2000;

create table parted (like whole) partition by list (classification);
create table parted_open partition of parted for values in ('open');
create table parted_awarded partition of parted for values in ('awarded');
alter table parted_open alter column embedding set storage plain;
alter table parted_awarded alter column embedding set storage plain;
insert into parted select * from whole;

alter table whole add primary key (id);
-- A unique key of a partitioned table has to contain what it is partitioned by.
alter table parted add primary key (classification, id);
create index on whole (classification, posted desc, id);
create index on whole (posted desc, id);
create index on parted (posted desc, id);
create index on whole (classification, state);
-- With what it is partitioned by: Postgres keeps that condition, and would look up each row for it.
create index on parted (classification, state);
create index on parted (id);
-- A list for each thousand records, a twentieth of which are read.
select format('create index on whole using ivfflat (embedding halfvec_cosine_ops) with (lists = %s)', greatest(10, :rows / 1000)) \gexec
select format('create index on parted_open using ivfflat (embedding halfvec_cosine_ops) with (lists = %s)', greatest(10, :rows / 10000)) \gexec
select format('create index on parted_awarded using ivfflat (embedding halfvec_cosine_ops) with (lists = %s)', greatest(10, :rows * 9 / 10000)) \gexec
vacuum (analyze) whole;
vacuum (analyze) parted_open;
vacuum (analyze) parted_awarded;
analyze parted;

create table times (position serial, task text, side text, ms double precision);
create table asked as
select row_number() over () as number, id, state, embedding from whole tablesample system (1) limit 200;

-- Runs a statement on both tables, in turns, once for each of the records in `asked`. `%s` is the table; $1 the id, $2 the state, $3 the vector.
create procedure compare(task text, statement text, open_probes integer, whole_probes integer) language plpgsql as $$
declare
  one record;
  side text;
  started timestamptz;
begin
  for round in 0..1 loop
    for one in select * from asked order by number loop
      foreach side in array array['whole', 'parted'] loop
        perform set_config('ivfflat.probes', (case side when 'whole' then whole_probes else open_probes end)::text, true);
        started := clock_timestamp();
        execute format(statement, side) using one.id, one.state, one.embedding;
        -- The first round warms the caches.
        if round = 1 then
          insert into times (task, side, ms) values (task, side, extract(epoch from clock_timestamp() - started) * 1000);
        end if;
      end loop;
    end loop;
  end loop;
end
$$;

select greatest(1, :rows / 20000) as whole_probes, greatest(1, :rows / 50000) as open_probes \gset
set ivfflat.iterative_scan = relaxed_order;
call compare('one record by its id', 'select * from %s where id = $1', 1, 1);
call compare('newest 20, open', $$select * from %s where classification = 'open' order by posted desc, id limit 20$$, 1, 1);
call compare('newest 20, open, of a state', $$select * from %s where classification = 'open' and state = $2 order by posted desc, id limit 20$$, 1, 1);
call compare('newest 20, all', 'select * from %s order by posted desc, id limit 20', 1, 1);
call compare('count, open, of a state', $$select count(*) from %s where classification = 'open' and state = $2$$, 1, 1);
call compare('count, all, of a state', 'select count(*) from %s where state = $2', 1, 1);
call compare('nearest 20, open', $$select id from %s where classification = 'open' order by embedding <=> $3 limit 20$$, :open_probes, :whole_probes);
call compare('nearest 20, all', 'select id from %s order by embedding <=> $3 limit 20', :whole_probes, :whole_probes);

-- Share of the exact nearest twenty open records that each side finds.
create procedure find_recall(open_probes integer, whole_probes integer) language plpgsql as $$
declare
  one record;
  side text;
  exact uuid[];
  found uuid[];
begin
  create table recalls (side text, recall double precision);
  for one in select * from asked order by number limit 50 loop
    select array_agg(id) into exact from (
      select id from parted_open order by (embedding <=> one.embedding) + 0 limit 20) as nearest;
    foreach side in array array['whole', 'parted'] loop
      perform set_config('ivfflat.probes', (case side when 'whole' then whole_probes else open_probes end)::text, true);
      execute format($q$select array_agg(id) from (
        select id from %s where classification = 'open' order by embedding <=> $1 limit 20) as nearest$q$, side)
      into found using one.embedding;
      insert into recalls values (side, (select count(*) from unnest(found) as id where id = any (exact)) / 20.0);
    end loop;
  end loop;
end
$$;
call find_recall(:open_probes, :whole_probes);

\echo recall of the nearest 20, open
select side, round(avg(recall)::numeric, 3) as recall from recalls group by 1 order by 1;

call compare('another classification', $$update %s set classification = case classification when 'open' then 'awarded' else 'open' end where id = $1$$, 1, 1);

\echo milliseconds in one table and in partitions
select task, round(max(p50) filter (where side = 'whole')::numeric, 2) as whole_p50, round(max(p50) filter (where side = 'parted')::numeric, 2) as parted_p50,
       round(max(p95) filter (where side = 'whole')::numeric, 2) as whole_p95, round(max(p95) filter (where side = 'parted')::numeric, 2) as parted_p95,
       round((max(p50) filter (where side = 'whole') / max(p50) filter (where side = 'parted'))::numeric, 2) as p50_ratio
from (
  select task, side, min(position) as position, percentile_cont(0.5) within group (order by ms) as p50,
         percentile_cont(0.95) within group (order by ms) as p95
  from times group by 1, 2) as summed
group by task order by min(position);

\echo MB with indexes
select relname as table, round(pg_total_relation_size(oid) / 1e6) as mb from pg_class
where relnamespace = 'partition_trial'::regnamespace and relname in ('whole', 'parted_open', 'parted_awarded') order by relname;

drop schema partition_trial cascade;
