-- Fingerprint of the schema: the objects that the migrations made, and a check that the database still has them.

-- Objects that the database has: functions of `funding` and `public`, and the tables, types, sequences, indexes, constraints and triggers of
-- `funding`, each with a hash of its definition. Objects of extensions are left out. So are the vector indexes, which come and go with the data, and
-- the sizes of vectors, which are those of the model.
-- Definitions are as Postgres prints them without a search path, so they name every schema. Definitions with expressions are compared without
-- brackets: a restored dump has fewer brackets.
create or replace function funding.present_objects() returns table (kind text, name text, digest text)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select found.kind, found.name, left(md5(found.definition), 12)
  from (
    select 'function' as kind,
           format('%I.%I(%s)', namespace.nspname, routine.proname, (
             select string_agg(format_type(argument.type_id, null), ', ' order by argument.position)
             from unnest(routine.proargtypes::oid[]) with ordinality as argument(type_id, position))) as name,
           concat_ws(E'\n', pg_get_function_arguments(routine.oid), pg_get_function_result(routine.oid), routine.prosrc, routine.proconfig,
             routine.prosecdef, routine.provolatile, routine.proparallel, routine.proisstrict) as definition
    from pg_proc as routine
    join pg_namespace as namespace on namespace.oid = routine.pronamespace
    where namespace.nspname in ('funding', 'public') and not exists (
      select from pg_depend where classid = 'pg_proc'::regclass and objid = routine.oid and deptype = 'e')
    union all
    -- Columns in the order of their names: the order of their creation differs between a new database and one that was upgraded.
    select case relation.relkind when 'c' then 'type' when 'S' then 'sequence' else 'table' end,
           format('funding.%I', relation.relname),
           concat_ws(E'\n', relation.relrowsecurity, (
             select string_agg(concat_ws(' ', attribute.attname, format_type(attribute.atttypid, case when attribute.atttypid <> 'extensions.halfvec'::regtype then attribute.atttypmod end), attribute.attnotnull,
                      attribute.attidentity, attribute.attgenerated, translate(pg_get_expr(stored.adbin, stored.adrelid), '()', '')), E'\n' order by attribute.attname)
             from pg_attribute as attribute
             left join pg_attrdef as stored on stored.adrelid = attribute.attrelid and stored.adnum = attribute.attnum
             where attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
               and relation.relkind <> 'S'))
    from pg_class as relation
    where relation.relnamespace = 'funding'::regnamespace and relation.relkind in ('r', 'p', 'c', 'S')
    union all
    select 'index', format('funding.%I', relation.relname), concat_ws(' ', translate(pg_get_indexdef(relation.oid), '()', ''), index.indisvalid)
    from pg_index as index
    join pg_class as relation on relation.oid = index.indexrelid
    join pg_am as method on method.oid = relation.relam
    where relation.relnamespace = 'funding'::regnamespace and method.amname <> 'ivfflat'
    union all
    -- Postgres 18 has a constraint for each column that is not null; the column says it, too.
    select 'constraint', format('funding.%I.%I', relation.relname, restriction.conname),
           concat_ws(' ', translate(pg_get_constraintdef(restriction.oid), '()', ''), restriction.convalidated)
    from pg_constraint as restriction
    join pg_class as relation on relation.oid = restriction.conrelid
    where relation.relnamespace = 'funding'::regnamespace and restriction.contype <> 'n'
    union all
    select 'trigger', format('funding.%I.%I', relation.relname, trigger.tgname), concat_ws(' ', translate(pg_get_triggerdef(trigger.oid), '()', ''), trigger.tgenabled)
    from pg_trigger as trigger
    join pg_class as relation on relation.oid = trigger.tgrelid
    where relation.relnamespace = 'funding'::regnamespace and not trigger.tgisinternal
  ) as found
$$;

-- Differences between the schema and the objects that its migrations made: { kind, name, is_missing }, functions first. Objects that an operator
-- added are no differences. The list of the made objects is checked as well: a restore without data leaves it empty.
create or replace function funding.schema_faults() returns table (kind text, name text, is_missing boolean)
language sql stable set search_path = funding, pg_temp as $$
  select fault.kind, fault.name, fault.is_missing
  from (
    select recorded.kind, recorded.name, present.name is null
    from funding.schema_objects as recorded
    left join funding.present_objects() as present on present.kind = recorded.kind and present.name = recorded.name
    where present.digest is distinct from recorded.digest
    union all
    select 'table', 'funding.schema_objects', false
    where not exists (select from funding.schema_objects)
  ) as fault(kind, name, is_missing)
  order by fault.kind <> 'function', fault.kind, fault.name
$$;
