-- Numbers of opportunities, in the spellings of their awards.

-- Numbers of the opportunities that a number means, in upper case: those that have it as it is; else those that have it in another spelling
-- (`funding.number_keys`); else those that have it with a version more or less. It means one opportunity only where it finds one number.
create or replace function funding.numbers_meant(number text) returns text[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  keys constant text[] := funding.number_keys(number);
  spelling constant text := substr(keys[1], 2);
  wanted text[];
  found text[] := array(
    select upper(number) from funding.grants as record
    where upper(record.details->>'opportunity_number') = upper(number) and record.details ? 'opportunity_number' and record.classification = 'opportunity'
    limit 1);
begin
  foreach wanted slice 1 in array array[
    array['=' || spelling, '=' || spelling], array['~' || spelling, coalesce('=' || substr(keys[2], 2), '~' || spelling)]
  ] loop
    if found <> '{}' then
      exit;
    end if;
    found := array(
      select distinct upper(record.details->>'opportunity_number') from funding.grants as record
      where record.details ? 'opportunity_number' and funding.number_keys(record.details->>'opportunity_number') && wanted
        and record.classification = 'opportunity');
  end loop;
  return found;
end
$$;

-- Numbers under which the awards of an opportunity's number were given, in upper case. A number that is not the opportunity's as it is counts where it
-- means this opportunity alone.
create or replace function funding.numbers_of_awards(number text) returns text[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  own constant text := upper(number);
  keys constant text[] := funding.number_keys(number);
  wanted constant text[] := array_remove(array[keys[1], '~' || substr(keys[1], 2), '=' || substr(keys[2], 2)], null);
begin
  return array(
    select given.number
    from (
      select distinct upper(record.details->>'opportunity_number') as number from funding.grants as record
      where record.details ? 'opportunity_number' and funding.number_keys(record.details->>'opportunity_number') && wanted
        and record.classification = 'awarded_project'
    ) as given
    where given.number = own or funding.numbers_meant(given.number) = array[own]);
end
$$;

-- The same for the opportunities with these ids, together.
create or replace function funding.award_numbers(opportunities jsonb) returns text[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return array(
    select distinct award.number
    from funding.grants as record cross join lateral unnest(funding.numbers_of_awards(record.details->>'opportunity_number')) as award(number)
    where record.id = any (array(select asked.id::uuid from jsonb_array_elements_text(opportunities) as asked(id)))
      and record.details ? 'opportunity_number' and record.classification = 'opportunity');
end
$$;
