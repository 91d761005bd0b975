-- Every setting has a default, a unit and a range, and refuses what is out of it with an error that names both. A typing mistake
-- is then the operator's to mend at once, and not an error of every search.

alter table funding.settings
  add column default_value jsonb,
  -- What the value is counted in.
  add column unit text,
  -- What the value may be: JSON Schema, of which `funding.fits_schema` knows what is used here.
  add column schema jsonb;

-- Whether a value is one that a schema allows. Of JSON Schema it knows type, minimum, maximum, pattern, items, minItems,
-- maxItems, properties (all of them required) and additionalProperties. A number is 0 or at least 0.000001 in size: what is smaller cannot
-- be told from 0, and products of it leave the range of a float.
create function funding.fits_schema(value jsonb, schema jsonb) returns boolean
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

-- What a schema allows, in words: "a number from 0 to 1".
create function funding.schema_words(schema jsonb) returns text
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

update funding.settings set default_value = given.default_value::jsonb, unit = given.unit, schema = given.schema::jsonb, description = given.description
from (values
  ('bm25_k1', '1.5', 'none', '{"type": "number", "minimum": 0, "maximum": 100}',
   'BM25 term-frequency saturation: 0 counts a word once however often a record says it. Takes effect at the next fit.'),
  ('bm25_b', '0.6', 'share', '{"type": "number", "minimum": 0, "maximum": 1}',
   'BM25 length normalisation, 0 for none. Takes effect at the next fit.'),
  ('bm25_k3', '8', 'none', '{"type": "number", "minimum": 0, "maximum": 1000}',
   'BM25 saturation of a word that the query repeats: 0 counts it once.'),
  ('bm25_title_weight', '2', 'words', '{"type": "number", "minimum": 0, "maximum": 100}',
   'How many words a word of the title counts as. At 0 a title is still searched, and adds nothing to the order. Takes effect at the next fit.'),
  ('embedding_model', '"lexicon"', 'model',
   '{"type": "string", "pattern": "^(lexicon|(openai|supabase)/[^[:space:]]+)$", "description": "lexicon, openai/NAME or supabase/NAME"}',
   'The model whose vectors semantic search uses. npm run embed changes it, together with the vectors.'),
  ('vector_index_minimum', '10000', 'records', '{"type": "integer", "minimum": 1, "maximum": 1000000000}',
   'Records from which a dataset gets an approximate vector index at the next fit.'),
  ('search_candidates', '1000', 'records', '{"type": "integer", "minimum": 1, "maximum": 1000}',
   'Records that each leg of a ranked search contributes at most.'),
  ('search_candidates_indexed', '200', 'records', '{"type": "integer", "minimum": 1, "maximum": 1000}',
   'The same for a semantic or hybrid search of a dataset that has a vector index, where more of them cost time.'),
  ('fusion_k', '20', 'ranks', '{"type": "number", "minimum": 0, "maximum": 1000}',
   'The constant of reciprocal rank fusion: the smaller, the more the first places count.'),
  ('fusion_keyword_weight', '1', 'none', '{"type": "number", "minimum": 0, "maximum": 100}',
   'Weight of the keyword leg in hybrid search, beside the other''s. At 0 what it alone finds comes last. One of the two must be above 0.'),
  ('fusion_semantic_weight', '1', 'none', '{"type": "number", "minimum": 0, "maximum": 100}',
   'Weight of the semantic leg in hybrid search, beside the other''s. At 0 what it alone finds comes last. One of the two must be above 0.'),
  ('floor_similarity', '{"lexicon": 0.21, "default": 0.25}', 'cosine', '{"type": "object", "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1}}',
   'Least cosine similarity of a semantic match, by embedding model; default for one that is not named.'),
  ('floor_coverage', '0.25', 'share', '{"type": "number", "minimum": 0, "maximum": 1}',
   'Least share of the query''s inverse document frequency that a keyword candidate must match.'),
  ('floor_words', '3', 'words', '{"type": "integer", "minimum": 1, "maximum": 200}',
   'How many words of a query, its rarest, that share is taken of: the rest of a long query is context.'),
  ('synonym_weight', '0.5', 'share', '{"type": "number", "minimum": 0, "maximum": 1}',
   'Weight of a synonym beside the word that was asked; 0 is off.'),
  ('spelling_weight', '0.8', 'share', '{"type": "number", "minimum": 0, "maximum": 1}',
   'Weight of the known word that an unknown one is one letter from; 0 is off.'),
  ('query_vectors_kept', '20000', 'vectors', '{"type": "integer", "minimum": 0, "maximum": 10000000}',
   'Query vectors of external models that are remembered at most.'),
  ('query_vector_days', '30', 'days', '{"type": "integer", "minimum": 0, "maximum": 3650}',
   'Days without use after which a remembered query vector goes.'),
  ('maximum_active_keys', '50', 'keys', '{"type": "integer", "minimum": 1, "maximum": 1000000}',
   'Keys that an account may have at a time. While old ones are being replaced, twice as many.'),
  ('webhook_signature_header', '"X-Service-Signature"', 'header',
   '{"type": "string", "pattern": "^[A-Za-z0-9-]{1,64}$", "description": "the name of a header: 1 to 64 letters, digits and hyphens"}',
   'The header with the hexadecimal HMAC-SHA256 of a webhook''s body.'),
  ('webhook_timeout_seconds', '15', 'seconds', '{"type": "number", "minimum": 0.1, "maximum": 60}',
   'How long a receiver may take to answer.'),
  ('webhook_retry_seconds', '[5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]', 'seconds',
   '{"type": "array", "items": {"type": "number", "minimum": 0.1, "maximum": 2592000}, "minItems": 0, "maxItems": 50}',
   'Waits between the attempts of a delivery, each give or take a fifth. One attempt more than there are waits.'),
  ('webhook_lease_seconds', '60', 'seconds', '{"type": "number", "minimum": 1, "maximum": 3600}',
   'After how long an attempt of which nothing was heard is made again. Over the timeout, and then some: else receivers get events twice.'),
  ('webhook_in_flight_maximum', '8', 'attempts', '{"type": "integer", "minimum": 1, "maximum": 1000}',
   'Attempts at a time to one endpoint. One that is failing gets one at a time.'),
  ('webhook_backoff_after', '5', 'failures', '{"type": "integer", "minimum": 1, "maximum": 1000000}',
   'From how many failures in a row an endpoint is left alone for a while.'),
  ('webhook_backoff_seconds', '[5, 3600]', 'seconds', '{"type": "array", "items": {"type": "number", "minimum": 0.1, "maximum": 2592000}, "minItems": 2, "maxItems": 2}',
   'For how long at first and at most; it doubles with each failure.'),
  ('webhook_disable_after', '{"failures": 20, "days": 5}', 'failures, days',
   '{"type": "object", "properties": {"failures": {"type": "integer", "minimum": 1, "maximum": 1000000}, "days": {"type": "number", "minimum": 0.01, "maximum": 3650}}, "additionalProperties": false}',
   'An endpoint that failed so often in a row, or for so long, is disabled.'),
  ('webhook_warn_at', '[5, 10, 15]', 'failures', '{"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 1000000}, "minItems": 0, "maxItems": 100}',
   'Failures in a row at which the dispatcher''s log warns.'),
  ('webhook_endpoints_maximum', '20', 'endpoints', '{"type": "integer", "minimum": 1, "maximum": 10000}',
   'Endpoints an account may have.'),
  ('webhook_retention_days', '30', 'days', '{"type": "number", "minimum": 1, "maximum": 3650}',
   'How long events, deliveries and attempts are kept. Over the 14 days that can be recovered.'),
  ('webhook_clock_step_seconds', '120', 'seconds', '{"type": "number", "minimum": 1, "maximum": 86400}',
   'The most that the dispatcher''s clock moves between two looks at the server''s. Over the time between two runs.')
) as given(name, default_value, unit, schema, description)
where settings.name = given.name;

-- What an operator has set out of range by now: a number goes to the end of its range that is nearer, anything else to its default.
do $$
declare
  setting funding.settings;
  mended jsonb;
begin
  for setting in select * from funding.settings where schema is not null and not funding.fits_schema(value, schema) loop
    mended := setting.default_value;
    if setting.schema->>'type' in ('number', 'integer') and jsonb_typeof(setting.value) = 'number' then
      mended := to_jsonb(least(greatest((setting.value#>>'{}')::numeric, (setting.schema->>'minimum')::numeric), (setting.schema->>'maximum')::numeric));
      if setting.schema->>'type' = 'integer' then
        mended := to_jsonb(round((mended#>>'{}')::numeric));
      elsif not funding.fits_schema(mended, setting.schema) then
        mended := '0';
      end if;
    end if;
    raise warning 'The setting % must be %. It was %, and is % from now on.', setting.name, funding.schema_words(setting.schema), setting.value, mended;
    update funding.settings set value = mended where name = setting.name;
  end loop;
  if (select bool_and(value = '0') from funding.settings where name in ('fusion_keyword_weight', 'fusion_semantic_weight')) then
    raise warning 'One of the settings fusion_keyword_weight and fusion_semantic_weight must be above 0. Both are 1 from now on.';
    update funding.settings set value = '1' where name in ('fusion_keyword_weight', 'fusion_semantic_weight');
  end if;
end
$$;

-- Refuses a value that is out of its setting's range.
create function funding.check_setting() returns trigger
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
create trigger settings_check before insert or update on funding.settings
  for each row execute function funding.check_setting();

-- How long an endpoint is left alone after so many failures in a row, in seconds; null for not at all. (Two to the power of 1,024
-- failures would be more than a number holds.)
create or replace function funding.backoff_seconds(failures_in_a_row integer) returns double precision
language sql volatile as $$
  select case when failures_in_a_row >= first then
    funding.jittered(least((setting->1)::double precision, (setting->0)::double precision * 2 ^ least(failures_in_a_row - first, 100)))
  end
  from (select (funding.setting('webhook_backoff_after'))::integer as first, funding.setting('webhook_backoff_seconds') as setting) as given
$$;

revoke execute on all functions in schema funding from public;
