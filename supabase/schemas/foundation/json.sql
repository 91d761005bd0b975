-- JSON: arrays as SQL arrays, and members added to objects as text.

-- A JSON object with one more member at its end. (jsonb would reorder the members.)
create or replace function funding.with_member(body json, name text, value json) returns json
language plpgsql immutable parallel safe as $$
begin
  return (left(body::text, -1) || ', ' || to_json(name)::text || ' : ' || value::text || '}')::json;
end
$$;

-- JSON object with the members of another after its own. Both have some.
create or replace function funding.with_members(body json, further json) returns json
language plpgsql immutable parallel safe as $$
begin
  return (left(body::text, -1) || ', ' || substr(further::text, 2))::json;
end
$$;

-- JSON array of texts as an array.
create or replace function funding.text_array(items jsonb) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return (select coalesce(array_agg(item), '{}') from jsonb_array_elements_text(items) as item);
end
$$;

-- JSON array of UUIDs as an array.
create or replace function funding.uuid_array(items jsonb) returns uuid[]
language plpgsql immutable parallel safe as $$
begin
  return (select coalesce(array_agg(item::uuid), '{}') from jsonb_array_elements_text(items) as item);
end
$$;
