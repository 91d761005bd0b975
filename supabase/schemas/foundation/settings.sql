-- Settings: reading of a value, and refusal of values out of range.

-- Value of a setting. Raises when there is no such setting, so that a misspelt name does not become null.
create or replace function funding.setting(setting_name text) returns jsonb
language plpgsql stable as $$
declare
  found_value jsonb;
begin
  select value into found_value from funding.settings where name = setting_name;
  if not found then
    raise exception 'unknown setting %', setting_name;
  end if;
  return found_value;
end
$$;

-- Whether a schema allows a value. Of JSON Schema, the function knows type, minimum, maximum, pattern, items, minItems, maxItems, properties (all of
-- them required) and additionalProperties. A number is 0 or at least 0.000001 in size: a smaller one cannot be told from 0, and products of it leave
-- the range of a float.
create or replace function funding.fits_schema(value jsonb, schema jsonb) returns boolean
language plpgsql immutable parallel safe
set search_path = funding, extensions, pg_temp as $$
declare
  kind constant text := schema->>'type';
  number numeric;
begin
  if jsonb_typeof(value) is distinct from replace(kind, 'integer', 'number') then
    return false;
  end if;
  case kind
    when 'number', 'integer' then
      number := (value#>>'{}')::numeric;
      return number between (schema->>'minimum')::numeric and (schema->>'maximum')::numeric
        and (number = 0 or abs(number) >= 0.000001)
        and (kind = 'number' or number = trunc(number));
    when 'string' then
      return value#>>'{}' ~ (schema->>'pattern');
    when 'array' then
      return jsonb_array_length(value) between (schema->>'minItems')::integer and (schema->>'maxItems')::integer
        and not exists (select from jsonb_array_elements(value) as item where not funding.fits_schema(item, schema->'items'));
    when 'object' then
      return (not schema ? 'properties' or value ?& array(select jsonb_object_keys(schema->'properties')))
        and not exists (
          select from jsonb_each(value) as member(name, value)
          where not coalesce(funding.fits_schema(
            member.value, coalesce(schema->'properties'->member.name, nullif(schema->'additionalProperties', 'false'))), false));
  end case;
end
$$;

-- A schema in words: "a number from 0 to 1".
create or replace function funding.schema_words(schema jsonb) returns text
language plpgsql immutable parallel safe
set search_path = funding, extensions, pg_temp as $$
begin
  return case schema->>'type'
    when 'number' then format('a number from %s to %s', schema->>'minimum', schema->>'maximum')
    when 'integer' then format('a whole number from %s to %s', schema->>'minimum', schema->>'maximum')
    when 'string' then schema->>'description'
    when 'array' then format('a list of %s, each %s',
      case when schema->'minItems' = schema->'maxItems' then schema->>'minItems' else format('%s to %s', schema->>'minItems', schema->>'maxItems') end,
      funding.schema_words(schema->'items'))
    when 'object' then case
      when schema ? 'properties' then 'an object with ' || (
        select string_agg(format('"%s", %s', member.name, funding.schema_words(member.value)), ', and ' order by member.name desc)
        from jsonb_each(schema->'properties') as member(name, value))
      else format('an object, each of its members %s', funding.schema_words(schema->'additionalProperties'))
    end
  end;
end
$$;

-- Trigger of `funding.settings`: refuses a value that is out of its setting's range.
create or replace function funding.check_setting() returns trigger
language plpgsql set search_path = funding, extensions, pg_temp as $$
begin
  if new.schema is not null and not funding.fits_schema(new.value, new.schema) then
    raise sqlstate 'PT400' using message = format('The setting %s must be %s, and %s is not. Its default is %s.',
      new.name, funding.schema_words(new.schema), coalesce(new.value::text, 'null'), new.default_value);
  end if;
  if new.name in ('fusion_keyword_weight', 'fusion_semantic_weight') and new.value = '0' and exists (
    select from funding.settings as other
    where other.name in ('fusion_keyword_weight', 'fusion_semantic_weight') and other.name <> new.name and other.value = '0')
  then
    raise sqlstate 'PT400' using message = format('The setting %s cannot be 0 while the other weight of the fusion is 0.', new.name);
  end if;
  return new;
end
$$;
