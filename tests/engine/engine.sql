-- Replaces what ranks searches by the database `engine` of the same server. It stands for any engine that a function of Postgres can ask.

create extension dblink schema extensions;
create server engine foreign data wrapper dblink_fdw options (host :'HOST', port :'PORT', dbname 'engine');
create user mapping for current_user server engine options (user :'USER', password :'password');

-- Opens this session's connection to the engine, if it has none or has lost it.
create function funding.connect_engine() returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
begin
  begin
    perform from dblink('engine', 'select 1') as answered(one integer);
    return;
  exception when connection_exception then
    if 'engine' = any (dblink_get_connections()) then
      perform dblink_disconnect('engine');
    end if;
  end;
  perform dblink_connect('engine', 'engine');
end
$$;

-- Brings the engine up to date: the records that changed since its latest, funders first, which the others name. What an engine that is behind answers
-- would be cached as current.
create function funding.feed_engine() returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  changed jsonb;
  columns text[];
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('select jsonb_agg(to_jsonb(record) order by record.id) from funding.%I as record where record.updated_at > $1', dataset)
    into changed using (
      select newest.updated_at from dblink('engine', format('select max(updated_at) from funding.%I', dataset)) as newest(updated_at timestamptz));
    continue when changed is null;
    columns := array(
      select attribute.attname from pg_attribute as attribute
      where attribute.attrelid = format('funding.%I', dataset)::regclass and attribute.attnum > 0 and not attribute.attisdropped
        and attribute.attgenerated = '' and attribute.attname <> 'slot');
    perform dblink_exec('engine', format('insert into funding.%1$I (%2$s) select %2$s from jsonb_populate_recordset(null::funding.%1$I, %3$L) '
      || 'on conflict (id) do update set %4$s', dataset, array_to_string(columns, ', '), changed,
      (select string_agg(format('%1$I = excluded.%1$I', name), ', ') from unnest(columns) as name)));
  end loop;
end
$$;

create or replace function funding.ranked(
  dataset text, filter jsonb, mode text, query_vector extensions.halfvec default null, most bigint default null)
returns table (id uuid, score double precision, total bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
begin
  perform funding.connect_engine();
  perform funding.feed_engine();
  return query select * from dblink('engine', format('select * from funding.ranked(%L, %L, %L, %L, %L)', dataset, filter, mode, query_vector, most))
    as found(id uuid, score double precision, total bigint);
end
$$;

create or replace function funding.score_parts(dataset text, filter jsonb, mode text, query_vector extensions.halfvec, ids uuid[])
returns table (id uuid, is_identifier boolean, keyword_rank bigint, keyword_score double precision, semantic_rank bigint, similarity double precision,
  sum_rank bigint, sum_score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
begin
  perform funding.connect_engine();
  return query select * from dblink('engine', format('select * from funding.score_parts(%L, %L, %L, %L, %L)', dataset, filter, mode, query_vector, ids))
    as part(id uuid, is_identifier boolean, keyword_rank bigint, keyword_score double precision, semantic_rank bigint, similarity double precision,
      sum_rank bigint, sum_score double precision);
end
$$;

-- From here on, nothing in this database ranks: its functions raise, and it has no vectors. The inverted index stays, which filters by words use.
do $$
declare
  ranking record;
begin
  for ranking in
    select routine.oid::regprocedure as signature, pg_get_functiondef(routine.oid) as definition, routine.prosrc as body
    from pg_proc as routine
    where routine.pronamespace = 'funding'::regnamespace
      and routine.proname in ('keyword_candidates', 'semantic_candidates', 'document_candidates', 'similarities', 'hybrid_scores')
  loop
    execute replace(ranking.definition, ranking.body, format('begin raise exception %L; end', ranking.signature || ' ranks beside the engine'));
  end loop;
end
$$;
truncate funding.grants_vectors_0, funding.grants_vectors_1, funding.contracts_vectors_0, funding.contracts_vectors_1, funding.funders_vectors_0,
  funding.funders_vectors_1;

-- These functions are meant to be as they are: `/health/ready` would warn of them.
update funding.schema_objects as recorded set digest = present.digest
from funding.present_objects() as present
where present.kind = recorded.kind and present.name = recorded.name and present.digest <> recorded.digest;
