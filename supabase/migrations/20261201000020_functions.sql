-- Begins a transaction (database/migrate.ts).
-- Written by npm run schema -- --whole from supabase/schemas: change those.

-- A body may call functions that come later.
set check_function_bodies = off;


-- supabase/schemas/foundation/settings.sql
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

-- supabase/schemas/foundation/change_moments.sql
-- Moments of changes: the `updated_at` of records, in an order that misses no record that commits late.
--
-- A record's `updated_at` is not the time at which its transaction commits: nobody knows that time while the transaction writes. So a writer takes a
-- shared advisory lock, and holds it to the end of its transaction. The lock names the time from which on the writer may still have changes. Readers
-- of changes, such as the feed (feed.sql), end before the earliest such time (`funding.settled_until`). Records that they leave out come with a later
-- request.

-- Earliest time of the next change, in milliseconds since 1970: after the latest change, and not before the clock. A clock that is set back does not
-- take the feed back.
create or replace function funding.next_change_ms() returns bigint
language sql volatile as $$
  select greatest(floor(extract(epoch from funding.wall_clock()) * 1000)::bigint, last_value + 1) from funding.change_moments
$$;

-- Milliseconds since 1970 as a moment.
create or replace function funding.moment_of_ms(ms bigint) returns timestamptz
language sql immutable parallel safe as $$
  select 'epoch'::timestamptz + ms * interval '1 ms'
$$;

-- Bits that distinguish these locks from others, above the bits of the milliseconds.
create or replace function funding.change_lock_class() returns bigint
language sql immutable parallel safe as $$
  select 466281::bigint << 44
$$;

-- Time of a change that is about to be made: the `updated_at` of the records that are written next. No two are the same, and each is later than all
-- before.
create or replace function funding.change_moment() returns timestamptz
language plpgsql volatile
set search_path = pg_catalog, pg_temp as $$
declare
  turn constant bigint := funding.change_lock_class() - 1;
  moment_ms bigint;
begin
  perform pg_advisory_xact_lock_shared(funding.change_lock_class() | funding.next_change_ms());
  begin
    -- Held for as long as it takes to read and write the latest moment, and no longer: writers do not wait for each other.
    perform pg_advisory_xact_lock(turn);
    -- Read again: a feed that did not see the first lock has read an earlier time.
    moment_ms := funding.next_change_ms();
    perform setval('funding.change_moments', moment_ms);
    -- Rolling back this block releases the lock, and so does a cancellation. A sequence and a variable keep their values.
    raise sqlstate 'FN001' using message = 'the lock is released';
  exception when sqlstate 'FN001' then
    null;
  end;
  return funding.moment_of_ms(moment_ms);
end
$$;

-- Time before which nothing will change any more: all records with an earlier `updated_at` are there for a query that begins after this one. A
-- replica does not see the locks. Changes that were settled when the heartbeat was written had been committed before it.
create or replace function funding.settled_until() returns timestamptz
language plpgsql volatile
set search_path = pg_catalog, pg_temp as $$
declare
  -- Read before the locks.
  next_ms constant bigint := funding.next_change_ms();
  first_open_ms bigint;
begin
  if pg_is_in_recovery() then
    return (select heartbeat.settled_until from funding.replication_heartbeat as heartbeat);
  end if;
  select min((classid::bigint << 32 | objid::bigint) & ((1::bigint << 44) - 1)) into first_open_ms
  from pg_locks
  where locktype = 'advisory' and objsubid = 1 and database = (select oid from pg_database where datname = current_database())
    and classid::bigint << 32 >> 44 << 44 = funding.change_lock_class();
  return funding.moment_of_ms(least(next_ms, first_open_ms));
end
$$;

-- Mark for later use, up to which somebody has seen or was told everything: `funding.settled_until`. Every later change comes after the mark, also
-- where the clock was ahead and is set back.
create or replace function funding.settled_mark() returns timestamptz
language plpgsql volatile
set search_path = pg_catalog, pg_temp as $$
declare
  settled constant timestamptz := funding.settled_until();
begin
  perform funding.change_moment();
  return settled;
end
$$;

-- supabase/schemas/foundation/clock.sql
-- Clocks. The server's is the machine's, which may be wrong. The row of `funding.dispatch_clock` remembers what it said last, and has two clocks that
-- no jump moves far: the bounded clock, which tells dates, and the dispatcher's, which measures waits. The dispatcher moves both on, at least every
-- ten seconds.
--
-- Whatever deletes, expires for good, closes or announces goes by the bounded clock (`bounded_now`). What only answers or refuses may read the server's:
-- it is right again as soon as the clock is. `tests/clock` finds what does neither.

-- Server's clock. All other functions read it here, so that a test can move it.
create or replace function funding.wall_clock() returns timestamptz
language sql volatile as $$
  select clock_timestamp()
$$;

-- Longest time between two looks at the server's clock that counts as time that passed. A longer one is a jump of the clock, or a server that stood
-- still: nobody can tell these apart by the time alone.
create or replace function funding.clock_step() returns interval
language sql immutable parallel safe as $$
  select interval '5 minutes'
$$;

-- Time for which the server's clock must run evenly after a jump before the bounded clock begins to follow it.
create or replace function funding.clock_patience() returns interval
language sql immutable parallel safe as $$
  select interval '10 minutes'
$$;

-- Time by which the bounded clock catches up in each second: six hours a minute. A weekend is caught up with in twenty minutes, and three weeks in an hour
-- and a half. A clock that is years ahead takes more than an hour to bring anything two weeks nearer, and says so meanwhile.
create or replace function funding.clock_catch_up() returns double precision
language sql immutable parallel safe as $$
  select 360
$$;

-- Time of the bounded clock when the server's says `seen`. It runs as the server's does, makes a step of `clock_step` at most, is never ahead of both
-- the server's clock and itself, and never goes back: where the server's clock is behind it, it stands still. Where it is behind the server's clock
-- after a jump, it catches up once that clock has run evenly for `clock_patience`.
create or replace function funding.bounded_time(clock funding.dispatch_clock, seen timestamptz) returns timestamptz
language plpgsql immutable as $$
declare
  passed constant interval := least(greatest(seen - clock.wall, interval '0'), funding.clock_step());
begin
  return greatest(clock.bounded, least(seen, clock.bounded + passed * case
    when clock.bounded < clock.wall and clock.even_for >= funding.clock_patience() then 1 + funding.clock_catch_up() else 1 end));
end
$$;

-- Time of the bounded clock: for whatever deletes, expires for good, closes or announces.
create or replace function funding.bounded_now() returns timestamptz
language plpgsql stable as $$
begin
  return (select funding.bounded_time(clock, funding.wall_clock()) from funding.dispatch_clock as clock);
end
$$;

-- Time that a row is dated with, and that ends what has an end: the server's, or the bounded clock's where the server's is behind it. So a row is not
-- taken for an old one when a clock that was behind comes right, and a key that has expired does not come to life when the clock is set back.
create or replace function funding.latest_now() returns timestamptz
language plpgsql stable as $$
begin
  return (select greatest(funding.wall_clock(), clock.bounded) from funding.dispatch_clock as clock);
end
$$;

-- Time by which the server's clock was ahead of the bounded clock at the last look, in seconds; negative where it was behind. 0 when they agree.
create or replace function funding.clock_offset_seconds() returns double precision
language plpgsql stable as $$
begin
  return (select extract(epoch from clock.wall - clock.bounded)::double precision from funding.dispatch_clock as clock);
end
$$;

-- Time of the dispatcher. It runs as the server's clock does, never backwards, and jumps by `webhook_clock_step_seconds` at most.
create or replace function funding.dispatch_now() returns timestamptz
language plpgsql volatile as $$
begin
  return (
    select dispatch_time + least(greatest(funding.wall_clock() - wall, interval '0'),
      (funding.setting('webhook_clock_step_seconds')::text || ' seconds')::interval)
    from funding.dispatch_clock);
end
$$;

-- Moves both clocks on, and returns the dispatcher's time. Where another transaction moves them, this one does not wait.
create or replace function funding.tick() returns timestamptz
language plpgsql as $$
declare
  seen constant timestamptz := funding.wall_clock();
  ticked timestamptz;
begin
  perform from funding.dispatch_clock for update skip locked;
  if found then
    update funding.dispatch_clock as clock
    set dispatch_time = funding.dispatch_now(), wall = seen, bounded = funding.bounded_time(clock, seen),
        even_for = case when seen - clock.wall between interval '0' and funding.clock_step()
          then least(clock.even_for + (seen - clock.wall), funding.clock_patience()) else interval '0' end
    where seen - clock.wall not between interval '0' and interval '1 second'
    returning dispatch_time into ticked;
  end if;
  return coalesce(ticked, funding.dispatch_now());
end
$$;

-- Lets the bounded clock follow the server's where nobody has looked at it for `clock_step`: no dispatcher runs, and imports alone tell what day it is.
-- By a week for each import: those of every day or week keep up, and a clock that is years ahead moves it no further.
create or replace function funding.follow_unwatched_clock() returns void
language sql as $$
  update funding.dispatch_clock as clock
  set dispatch_time = funding.dispatch_now(), wall = present.moment, even_for = interval '0',
      bounded = greatest(clock.bounded, least(present.moment, clock.bounded + interval '7 days'))
  from (select funding.wall_clock() as moment offset 0) as present
  where present.moment - clock.wall > funding.clock_step()
$$;

-- Confirms that the server's clock is right: the bounded clock follows it at once, also back. For an operator, after a long stop or a clock that was
-- mended. Returns the time.
create or replace function funding.confirm_clock() returns timestamptz
language plpgsql as $$
declare
  confirmed timestamptz;
begin
  perform from funding.dispatch_clock for update;
  confirmed := funding.wall_clock();
  update funding.dispatch_clock set dispatch_time = funding.dispatch_now(), wall = confirmed, bounded = confirmed, even_for = interval '0';
  return confirmed;
end
$$;

-- supabase/schemas/foundation/disk_space.sql
-- Room on the disk: what only grows the database is refused before the disk is full, while there is room for what reading writes.

-- Raises 53100 (disk full) where the server has said that the disk is nearly full, by the setting `funding.has_no_room` of the session. The embedded
-- server says it. Elsewhere nobody does, and Postgres raises the same code once its disk is full.
create or replace function funding.require_room() returns void
language plpgsql stable as $$
begin
  if current_setting('funding.has_no_room', true) = 'on' then
    raise sqlstate '53100' using message = 'little room is left on the disk of the data folder, so nothing new is stored until there is more';
  end if;
end
$$;

-- supabase/schemas/foundation/failures.sql
-- Failures that are the server's own.

-- Whether an error is the server's own and passes: connections, deadlocks, resources, locks, shutdowns. No filter is to blame. 57014, a time limit,
-- is judged apart.
create or replace function funding.is_passing_failure(code text) returns boolean
language sql immutable parallel safe as $$
  select code ~ '^(08|40|53|55|57|58)' and code <> '57014'
$$;

-- supabase/schemas/foundation/json.sql
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

-- supabase/schemas/foundation/rendering.sql
-- Values as the API shows them.
--
-- Functions that every request calls are in PL/pgSQL, which caches plans: an SQL function that cannot be inlined is planned for
-- each request, and together these took as long as the rest of a cached list.

-- RFC 3339 in UTC with milliseconds, whatever the session's time zone and date style.
create or replace function funding.moment(at timestamptz) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$$;

-- Same as `funding.moment`, but with microseconds.
create or replace function funding.exact_moment(at timestamptz) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
end
$$;

-- RFC 3339 date, whatever the session's date style.
create or replace function funding.iso_date(day date) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(day, 'YYYY-MM-DD');
end
$$;

-- Names of weekdays by their numbers: 1 is Monday.
create or replace function funding.weekday_names() returns text[]
language sql immutable parallel safe as $$
  select array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
$$;

-- supabase/schemas/foundation/replicas.sql
-- Reads on replicas. In a read-only transaction, an RPC that reads writes nothing. Every transaction of a replica (hot standby) is read-only. The RPC
-- then caches nothing and counts nothing: `remaining` is null where the caller has to count the request on the primary, by `public.admit_request`.

-- Whether this transaction may write.
create or replace function funding.may_write() returns boolean
language sql stable as $$
  select current_setting('transaction_read_only') = 'off'
$$;

-- Whether the cache of pages can be read: it is an unlogged table, which a replica does not have.
create or replace function funding.has_caches() returns boolean
language plpgsql stable as $$
begin
  return not pg_is_in_recovery();
end
$$;

-- Writes the heartbeat of replication, if the last one is a second old, or is ahead of the clock, which was set back. Called with each batch of
-- usage, so only while requests come.
create or replace function funding.beat() returns void
language plpgsql
set search_path = funding, pg_temp as $$
declare
  settled timestamptz;
begin
  if not exists (select from funding.replication_heartbeat as last where last.at not between clock_timestamp() - interval '1 second' and clock_timestamp()) then
    return;
  end if;
  settled := funding.settled_until();
  update funding.replication_heartbeat as last set at = clock_timestamp(), settled_until = settled
  where last.singleton = (select locked.singleton from funding.replication_heartbeat as locked for update skip locked);
end
$$;

-- Whether the data of this read-only transaction may be older than the setting `replica_lag_seconds`: no commit of the primary in that time has been
-- replayed. A promoted replica, which follows no primary, is behind, too. Without requests there are no heartbeats. So the replica seems behind to
-- the first request after a pause, which then costs a call of the primary.
create or replace function funding.is_behind() returns boolean
language plpgsql stable as $$
begin
  if funding.may_write() then
    return false;
  end if;
  return greatest((select last.at from funding.replication_heartbeat as last), pg_last_xact_replay_timestamp())
    < clock_timestamp() - funding.setting('replica_lag_seconds')::double precision * interval '1 second';
end
$$;

-- supabase/schemas/foundation/text.sql
-- Text, prepared for Postgres' parser.

-- Text prepared for Postgres' parser: characters that join words are replaced by space. By itself the parser takes words with a slash or dots between
-- them for a path or a host's name ("HIV/AIDS", "water.Soil"), and a dash before a number for its sign ("COVID-19").
-- * Angle brackets become space: text between two is no tag ("<Title of Project>"), since importers have taken tags out.
-- * A slash becomes space. An address on the web is read as its host and the words of its path; "https" is none of them.
-- * Initials lose their dots ("U.S." becomes "US").
-- * A dot before a capital letter becomes space: there the next sentence lacks its space. Not before "Gov" and its like.
-- * A dash before a digit becomes space.
-- Dashes between letters stay: the parser knows them, and makes "low-income" three words. E-mail addresses, the names of hosts ("grants.gov") and
-- decimals stay as well. A text that has been separated stays the same.
--
-- Patterns that take no memory first check for such a dot or dash: replacing by a pattern takes several microseconds for each match. No pattern looks
-- further ahead than four characters: to look from each dot of a text of 200,000 to its end would take a minute.
create or replace function funding.separate_words(body text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  separated text := body;
  addresses constant text := '\S*@\S*';
begin
  if separated ~ '[<>]' then
    separated := translate(separated, '<>', '  ');
  end if;
  if strpos(separated, '@') > 0 then
    return (
      select string_agg(funding.separate_words(part) || coalesce(address, ''), '' order by position)
      from unnest(
        regexp_split_to_array(separated, addresses),
        array(select matched[1] from regexp_matches(separated, '(' || addresses || ')', 'g') as matched)
      ) with ordinality as cut(part, address, position));
  end if;
  if strpos(separated, '/') > 0 then
    separated := translate(replace(replace(separated, 'https://', ' '), 'http://', ' '), '/', ' ');
  end if;
  if separated ~ '(?:^|[^A-Za-z0-9])[A-Za-z]\.[A-Za-z]' then
    separated := regexp_replace(separated, '\m([A-Za-z])\.(?=[A-Za-z]\M)', '\1', 'g');
  end if;
  if separated ~ '[a-z0-9]\.[A-Z]|[A-Z]\.[A-Z][a-z]' then
    separated := regexp_replace(separated,
      '(?:([a-z0-9])\.(?=[A-Z])|([A-Z])\.(?=[A-Z][a-z]))(?!(?:G[Oo][Vv]|C[Oo][Mm]|O[Rr][Gg]|E[Dd][Uu]|N[Ee][Tt]|M[Ii][Ll])\M)', '\1\2 ', 'g');
  end if;
  if separated ~ '-[0-9]' then
    for digit in 0..9 loop
      separated := replace(separated, '-' || digit, ' ' || digit);
    end loop;
  end if;
  return separated;
end
$$;

-- Text in which acronyms and letters that would be stop words are words of their own, such as `acronym0it` (a word with a digit in it is never stemmed,
-- corrected or left out): IT, WHO and DON in capitals, and a single capital I or A after a word that such a letter numbers ("Title I", "Part A",
-- "Hepatitis A"). The number of words stays the same.
create or replace function funding.with_acronyms(body text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  numbered constant text :=
    'appendix|category|class|grade|group|hepatitis|influenza|level|option|part|phase|schedule|section|stage|tier|title|track|type|vitamin';
begin
  if body !~ '\m(?:IT|WHO|DON|I|A)\M' then
    return body;
  end if;
  return regexp_replace(
    regexp_replace(body, '\m(IT|WHO|DON)\M(?![''’]\w)', 'acronym0\1', 'g'),
    '\m((?:' || numbered || '|' || initcap(numbered) || '|' || upper(numbered) || ')[ \u00a0-]+)(I|A)\M(?![.''’]\w)', '\1acronym0\2', 'g');
end
$$;

-- Word of a text as it is shown to people: an acronym without its mark.
create or replace function funding.shown_word(word text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(word, '^acronym0', '')
$$;

-- `with_acronyms` of a search. Quotes say what capitals do: `"it"` and `"title i"`. A search of three or more words in capitals alone says nothing by them.
create or replace function funding.with_asked_acronyms(query text) returns text
language plpgsql immutable strict parallel safe as $$
begin
  if query ~ '\w\W+\w+\W+\w' and query !~ '[[:lower:]]' then
    return with_asked_acronyms.query;
  end if;
  if query ~* '"(?:it|who|don|[^"]* [ia])"' then
    query := regexp_replace(query, '"it"', '"IT"', 'gi');
    query := regexp_replace(query, '"who"', '"WHO"', 'gi');
    query := regexp_replace(query, '"don"', '"DON"', 'gi');
    query := regexp_replace(query, '("[^"]* )i"', '\1I"', 'g');
    query := regexp_replace(query, '("[^"]* )a"', '\1A"', 'g');
  end if;
  return funding.with_acronyms(query);
end
$$;

-- supabase/schemas/records/records.sql
-- Records: ids, keys that texts are compared by, the columns that sources fill, and the version of the data.

-- Stable id of a record. The same source and source id give the same UUID on every machine, so a client's stored ids survive
-- a database rebuilt from the same sources. (RFC 9562 version 8.)
create or replace function funding.record_id(dataset text, source text, source_id text) returns uuid
language sql immutable parallel safe as $$
  select overlay(overlay(hash placing '8' from 13) placing 'a' from 17)::uuid
  -- A slash inside a source is escaped, so that it cannot be taken for the slash after the source.
  from md5(dataset || '/' || replace(replace(source, '%', '%25'), '/', '%2F') || '/' || source_id) as hash
$$;

-- Key that names are compared by: case, accents, punctuation and spacing do not matter. Letters of every script do, so only
-- known punctuation is dropped.
create or replace function funding.name_key(name text) returns text
language plpgsql immutable parallel safe as $$
begin
  return btrim(regexp_replace(lower(extensions.unaccent('extensions.unaccent'::regdictionary, name)), '[\s\u00a0\u2000-\u200b\u202f\u3000!-/:-@\[-`{-~]+', ' ', 'g'));
end
$$;

-- Keys by which an opportunity's number is found in other spellings: `=` and its letters and digits without a version in words ("Amendment 2", "Rev. 1"),
-- and, where it ends like "-01", `~` and those before that. A number of fewer than five letters and digits is compared as it is.
create or replace function funding.number_keys(number text) returns text[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
declare
  base constant text := regexp_replace(btrim(upper(left(number, 200))),
    '[\s(,;:_./-]+((AMENDMENT|MODIFICATION|REVISION|AMENDED|MODIFIED|REVISED)[\s.#:_-]*((NO|NUMBER)[\s.#:_-]*)?\d{0,3}|(AMEND|AMDT|AMD|MOD|REV|VERSION|VER|V)[\s.#:_-]*\d{1,3})[\s).]*$', '');
  spelling constant text := regexp_replace(base, '[^[:alnum:]]', '', 'g');
  unversioned constant text := regexp_replace(regexp_replace(base, '[\s_./-]+\d{1,2}$', ''), '[^[:alnum:]]', '', 'g');
begin
  return case
    when number is null then '{}'
    when char_length(spelling) < 5 then array['=' || btrim(upper(left(number, 200)))]
    when unversioned <> spelling and char_length(unversioned) >= 5 then array['=' || spelling, '~' || unversioned]
    else array['=' || spelling]
  end;
end
$$;

-- Key of the number by which an opportunity's versions are looked for: letters and digits, without a version in words. Null for a number of fewer than six
-- letters and digits, or without a digit, such as "TBD": many opportunities have those.
create or replace function funding.version_key(details jsonb) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
declare
  key constant text := (funding.number_keys(details->>'opportunity_number'))[1];
begin
  return case when char_length(key) > 6 and key ~ '\d' then key end;
end
$$;

-- Key that titles and names are sorted by: their beginning. That is enough, and no index takes a text of any length.
create or replace function funding.title_key(title text) returns text
language sql immutable parallel safe as $$
  select left(lower(title), 300)
$$;

-- Texts in lower case, in their order.
create or replace function funding.lowercased(values_ text[]) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(lower(value) order by position), '{}')
  from unnest(values_) with ordinality as item(value, position)
$$;

-- Columns that a source fills, in the order in which they are compared.
create or replace function funding.content_columns(dataset text) returns text[]
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then array['name', 'summary', 'website', 'created_at']
    else array['title', 'description', 'amount_min', 'amount_max', 'deadline_date', 'project_end_date', 'status',
      'classification', 'geography', 'states', 'is_national', 'funder_id', 'listing_url', 'created_at', 'categories',
      'identifiers', 'archived_at'] || case dataset
        when 'contracts' then array['document_url', 'naics', 'primary_contact_email', 'set_aside_code']
        else '{}'
      end
  end
$$;

-- Trigger of the datasets and of the tables that ranking depends on: makes a new version of the data. Records that only move to other slots make
-- none.
create or replace function funding.note_data_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if current_setting('funding.moves_records', true) in ('on', 'all') then
    return null;
  end if;
  update funding.data_versions
  set version = version + 1, changed_at = clock_timestamp()
  where dataset = coalesce(tg_argv[0], tg_table_name);
  return null;
end
$$;

-- Freshness of a dataset: the time of the newest file whose records are all in. Records that no import brought are as fresh as the last change to the
-- dataset. Each dataset has an index of its own (`imports_of_grants`), whose condition has to be repeated here word for word: the log has 100,000
-- imports in a year of one every five minutes, and each answer of a list reads this.
create or replace function funding.data_as_of(dataset text) returns timestamptz
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
begin
  return coalesce(
    case dataset
      when 'grants' then (
        select max(as_of) from funding.imports where outcome in ('completed', 'refused') and datasets @> array['grants'])
      when 'contracts' then (
        select max(as_of) from funding.imports where outcome in ('completed', 'refused') and datasets @> array['contracts'])
      when 'funders' then (
        select max(as_of) from funding.imports where outcome in ('completed', 'refused') and datasets @> array['funders'])
    end,
    (select changed_at from funding.data_versions where data_versions.dataset = data_as_of.dataset));
end
$$;

-- supabase/schemas/requests/values.sql
-- Values of fields, in the form in which filters compare them.

-- Name of the bitmap of a field's value. A value too long for an index is named by its hash.
create or replace function funding.bitmap_name(field text, value text) returns text
language sql immutable parallel safe as $$
  select field || case when octet_length(value) <= 200 then '=' || value else '#' || md5(value) end
$$;

-- Keys by which an opportunity's details are filtered: `applicant_type=individual`, `agency=...` with the name in the form in which names are
-- compared. They have an index of their own.
create or replace function funding.detail_keys(details jsonb) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select case when details is null then '{}' else array(
    select funding.bitmap_name(known.field, key)
    from funding.detail_fields() as known, jsonb_array_elements_text(jsonb_path_query_array(details, known.path)) as value,
         unnest(funding.beginnings_of(funding.compared_value(known.form, value), known.beginnings)) as key
    where value is not null)
  end
$$;

-- Those keys that have bitmaps.
create or replace function funding.detail_bitmaps(details jsonb) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select array(
    select key from unnest(funding.detail_keys(details)) as key where substring(key from '^[a-z_]+') <> all (funding.details_without_bitmaps()))
$$;

-- A code, and its beginnings of these lengths.
create or replace function funding.beginnings_of(code text, lengths integer[]) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select array[code] || array(select left(code, length) from unnest(lengths) as length where length < char_length(code))
$$;

-- A value in the form in which it is compared.
create or replace function funding.compared_value(form text, value text) returns text
language sql immutable parallel safe as $$
  select case form when 'lower' then lower(value) when 'upper' then upper(value) when 'agency' then funding.name_key(value) else value end
$$;

-- Values that a filter wants, one or a list, in the form in which they are compared.
--
-- In plpgsql, which keeps its plans: a function in SQL would be planned at each call.
create or replace function funding.wanted_values(form text, wanted jsonb) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return case form
    when 'status' then array(select distinct unnest(funding.statuses_meant(value)) from funding.listed_values(wanted) as value)
    else array(select funding.compared_value(form, value) from funding.listed_values(wanted) as value)
  end;
end
$$;

-- Values of a filter, which has one or a list.
create or replace function funding.listed_values(wanted jsonb) returns setof text
language sql immutable parallel safe as $$
  select jsonb_array_elements_text(case jsonb_typeof(wanted) when 'array' then wanted else jsonb_build_array(wanted) end)
$$;

-- Names of the bitmaps of a field for the values that a filter wants, which are the keys of details, too.
create or replace function funding.wanted_names(field text, form text, wanted jsonb) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return array(select funding.bitmap_name(field, value) from unnest(funding.wanted_values(form, wanted)) as value);
end
$$;

-- Keys of the details of records that one of a filter's applicants may apply for. A record that is open to any applicant is open to those, too.
create or replace function funding.wanted_applicant_types(filter jsonb) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select funding.wanted_names('applicant_type', 'exact', filter->'applicant_type')
    || case when coalesce((filter->>'include_unrestricted')::boolean, true) then array['applicant_type=unrestricted'] else '{}' end
$$;

-- Stored statuses that a status filter means: the API has two vocabularies, in which `open` and `posted` are one thing, and
-- `upcoming` and `forecasted` another.
create or replace function funding.statuses_meant(status text) returns text[]
language sql immutable parallel safe as $$
  select case lower(status)
    when 'open' then array['open', 'posted']
    when 'posted' then array['open', 'posted']
    when 'upcoming' then array['upcoming', 'forecasted']
    when 'forecasted' then array['upcoming', 'forecasted']
    else array[lower(status)]
  end
$$;

-- LIKE pattern for text that contains `part`, in which % and _ mean themselves.
create or replace function funding.containing(part text) returns text
language sql immutable parallel safe as $$
  select '%' || replace(replace(replace(part, '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;

-- supabase/schemas/requests/identifiers.sql
-- Identifiers that people quote: opportunity and solicitation numbers, assistance listings, NAICS codes, EINs. They are compared
-- without their case, hyphens and spaces.

-- Identifier without its case and punctuation: "ZX99-26-R-0043" and "zx99 26 r 0043" are "zx9926r0043". Letters of every script stay. The form is
-- cut, since no index takes a text of any length. (A regular expression takes ten times as long, and few identifiers need it.)
create or replace function funding.identifier_form(identifier text) returns text
language sql immutable parallel safe as $$
  select left(lower(case
    when octet_length(identifier) = char_length(identifier) then translate(identifier, E' -./_:#()[]{}<>"''`,;!?$%&*+=@^|~\\\t\n\r\f\x0b', '')
    else regexp_replace(identifier, '[\s!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u206f\u2212\u3000-\u3003\ufe58\ufe63\ufeff\uff0d]+', '', 'g')
  end), 200)
$$;

-- Identifier without the label that people put before it ("CFDA 93.243", "Solicitation No. W912-24"), or null where it has none. Words
-- that also begin names ("grant", "award") are a label only with "number" or the like.
create or replace function funding.without_label(identifier text) returns text
language sql immutable parallel safe as $$
  -- The beginnings of labels are matched first, and few identifiers have one: the whole pattern takes many times as long.
  select case when identifier ~* '^\W*(?:federal|assis|cfda|aln|naics|ein|fain|piid|foa|nofo|fund|oppo|soli|noti|award|grant|cont|refe)' then
    substring(identifier from '(?i)^\W*(?:'
    || '(?:(?:federal\s+)?assistance\s+listings?|cfda|aln|naics|ein|fain|piid|foa|nofo)(?:\s+(?:numbers?|no|nos|codes?|id))?'
    || '|(?:funding\s+opportunity|opportunity|solicitation|notice|award|grant|contract|reference)(?:\s+(?:number|no|id)|\s*#)'
    || ')(?:[\s.:#-]+|(?=[0-9]))(\S.*)$') end
$$;

-- Whether an identifier is written like an assistance listing, "93.243". The dot distinguishes it from other numbers with the same digits.
create or replace function funding.is_assistance_listing(identifier text) returns boolean
language sql immutable parallel safe as $$
  select btrim(identifier) like '__.___' and identifier ~* '^\s*[0-9]{2}\.[0-9a-z]{3}\s*$'
$$;

-- Forms by which a record is found, from its identifiers: each with and without its label; an assistance listing also as it is written. An identifier
-- without a digit has no form, so that no word is taken for an identifier.
--
-- A list that many records match is read in its order, and this function is called for each record. It takes 16 microseconds for two identifiers;
-- with a search path of its own and the whole pattern of labels it took 70. (A higher cost of the function would not avoid the calls: the planner
-- adds the cost to index searches as well.)
create or replace function funding.identifier_forms(identifiers text[]) returns text[]
language plpgsql immutable parallel safe as $$
declare
  identifier text;
  written text;
  forms text[] := '{}';
begin
  foreach identifier in array identifiers loop
    foreach written in array array[identifier, funding.without_label(identifier)] loop
      continue when coalesce(written !~ '[0-9]', true);
      forms := forms || funding.identifier_form(written);
      if funding.is_assistance_listing(written) then
        forms := forms || lower(btrim(written));
      end if;
    end loop;
  end loop;
  return forms;
end
$$;

-- Identifiers of the row named `record`, as SQL: the expression of its index.
create or replace function funding.identifiers_of(dataset text) returns text
language sql immutable as $$
  select case dataset
    when 'grants' then 'record.identifiers'
    when 'contracts' then 'array_append(record.identifiers, record.naics)'
    -- The identifier of a foundation is its EIN, that of an agency its code.
    else 'array[record.source_id]'
  end
$$;

-- Forms of a query that is an identifier or, with `or`, of each alternative. Empty where the query is no identifier: a number among words is a word.
-- Words that the query excludes do not count.
create or replace function funding.query_identifiers(query text) returns text[]
language plpgsql immutable parallel safe
set search_path = funding, pg_temp as $$
declare
  -- No identifier with its label is longer, and most longer texts have some digits.
  longest constant integer := 300;
  wanted text;
  named text;
  written text;
  forms text[] := '{}';
begin
  if coalesce(query !~ '[0-9]' or char_length(query) > longest, true) then
    return forms;
  end if;
  wanted := funding.wanted_words(funding.without_dashes(query));
  for named in select wanted union select regexp_split_to_table(wanted, '\s+or\s+', 'i') loop
    foreach written in array array[named, funding.without_label(named)] loop
      continue when coalesce(written !~ '[0-9]', true);
      -- Quotes around an identifier are no part of it.
      written := btrim(written, E' \t\n\r"''\u201c\u201d\u2018\u2019');
      forms := forms || case when funding.is_assistance_listing(written) then lower(written) else funding.identifier_form(written) end;
    end loop;
  end loop;
  return forms;
end
$$;

-- SQL condition on the row named `record`: the filter's search is one of the record's identifiers. Null where the search is no identifier. The
-- condition depends on the record alone, unless `identifier_matches` lists the records.
create or replace function funding.identifier_condition(dataset text, filter jsonb) returns text
language plpgsql immutable
set search_path = funding, pg_temp as $$
begin
  if filter ? 'identifier_matches' then
    return case when filter->'identifier_matches' <> '[]' then $c$record.id = any (funding.uuid_array($1->'identifier_matches'))$c$ end;
  elsif cardinality(funding.query_identifiers(filter->>'search')) > 0 then
    return format(case when funding.query_ids(filter->>'search') = '{}' then '%1$s' else '(%1$s or %2$s)' end,
      format($c$funding.identifier_forms(%s) && funding.query_identifiers($1->>'search')$c$, funding.identifiers_of(dataset)),
      $c$record.id = any (funding.query_ids($1->>'search'))$c$);
  end if;
  return null;
end
$$;

-- Ids of records that a search or its alternatives may be: a record's id is an identifier, too.
create or replace function funding.query_ids(query text) returns uuid[]
language sql immutable parallel safe as $$
  select array(select form::uuid from unnest(funding.query_identifiers(query)) as form where form ~ '^[0-9a-f]{32}$')
$$;

-- Ids of the records that have the search as an identifier, as JSON, `[]` where no record has it. Null where the search is no identifier, and where
-- so many records have it that an index of identifiers finds them as soon. Sequential and plain index scans are off: the planner cannot know how many
-- records match an array that it does not see, and without the identifiers' index each record would be read.
create or replace function funding.identified_ids(dataset text, query text) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $$
declare
  most constant integer := 100;
  forms constant text[] := funding.query_identifiers(query);
  ids uuid[];
begin
  if forms = '{}' then
    return null;
  end if;
  ids := case dataset
    when 'grants' then array(
      select record.id from funding.grants as record where funding.identifier_forms(record.identifiers) && forms limit most + 1)
    when 'contracts' then array(
      select record.id from funding.contracts as record where funding.identifier_forms(array_append(record.identifiers, record.naics)) && forms limit most + 1)
    when 'funders' then array(
      select record.id from funding.funders as record where funding.identifier_forms(array[record.source_id]) && forms limit most + 1)
  end;
  if cardinality(ids) > most then
    return null;
  end if;
  return to_jsonb(ids || funding.query_ids(query));
end
$$;

-- Records of a search's scope that have the query as an identifier: an opportunity or solicitation number, an assistance listing, a NAICS code, an
-- EIN.
create or replace function funding.identifier_matches(scope funding.search_scope, maximum integer) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  identified constant text := funding.identifier_condition(scope.dataset, scope.parameters);
  ids uuid[];
begin
  -- Few queries are identifiers.
  if identified is null then
    return '{}';
  end if;
  execute format('select array(select record.id from funding.%I as record where (%s) and (%s) order by record.id limit $2)',
    scope.dataset, identified, scope.condition)
  into ids using scope.parameters, maximum;
  return ids;
end
$$;

-- supabase/schemas/search/query/query.sql
-- Analysis of a query: its words, their weights, its meaning, and the terms that stand for its words.

-- Lexeme of a word.
create or replace function funding.stem(word text) returns text
language sql immutable parallel safe as $$
  select (tsvector_to_array(to_tsvector('funding.english', funding.separate_words(word))))[1]
$$;

-- Whether two words are at edit distance 1: one letter inserted, deleted or replaced, or two neighbours swapped.
create or replace function funding.is_one_edit(one text, other text) returns boolean
language sql immutable parallel safe as $$
  select case
    when abs(length(one) - length(other)) > 1 then false
    -- The common beginning and the common end cover all letters but one.
    when same.head + same.tail >= greatest(length(one), length(other)) - 1 then true
    else length(one) = length(other) and same.head + same.tail = length(one) - 2
      and substr(one, same.head + 1, 2) = reverse(substr(other, same.head + 1, 2))
  end
  from (
    select
      (select count(*)::integer from generate_series(1, least(length(one), length(other))) as size where left(one, size) = left(other, size)) as head,
      (select count(*)::integer from generate_series(1, least(length(one), length(other))) as size where right(one, size) = right(other, size)) as tail
  ) as same
$$;

-- Most likely correction of an unknown word: the word of the lexicon at edit distance 1 that the most records have. Null for words of fewer than six
-- letters, which are one letter away from too many others.
create or replace function funding.respelled(unknown text) returns text
language sql stable
set search_path = funding, extensions, pg_temp as $$
  select lexicon.term from funding.lexicon
  where lexicon.generation = (select fit.generation from funding.lexicon_fit as fit)
    and unknown ~ '^[a-z]{6,}$' and (lexicon.term || '') % unknown and funding.is_one_edit(lexicon.term, unknown)
  order by lexicon.document_frequency desc, lexicon.term
  limit 1
$$;

-- Reads a query with the lexicon and the synonyms. A synonym counts, with the weight `synonym_weight`, if more records have it than the word of the
-- query. A word that no record has is replaced by its correction, with the weight `spelling_weight`.
create or replace function funding.analyze_query(query text) returns funding.query_analysis
language plpgsql stable
-- Otherwise Postgres would plan the queries anew at each call, for the number of words.
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  query_lexemes tsvector := to_tsvector('funding.english', funding.with_asked_acronyms(funding.separate_words(funding.wanted_words(query))));
  synonym_weight real := funding.setting('synonym_weight')::real;
  spelling_weight real := funding.setting('spelling_weight')::real;
  k3 real := funding.setting('bm25_k3')::real;
  -- Word limit of a query: the rarest are kept. The most frequent hardly change a score, and each word costs a millisecond.
  most_words constant integer := 200;
  -- Limit of spelling corrections: each takes a search of its own.
  most_misspelt constant integer := 32;
  misspelt text[];
  corrections text[];
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  documents constant integer := greatest(fit.documents, 1);
  candidates text[];
  analysis funding.query_analysis;
begin
  if query_lexemes = '' then
    return analysis;
  end if;
  if length(query_lexemes) > most_words then
    query_lexemes := ts_delete(query_lexemes, array(
      select word.term
      from unnest(tsvector_to_array(query_lexemes)) as word(term)
      left join funding.lexicon on lexicon.generation = fit.generation and lexicon.term = word.term
      order by lexicon.document_frequency nulls last, word.term
      offset most_words));
  end if;
  select array_agg(term) into candidates
  from (
    select unnest(tsvector_to_array(query_lexemes)) as term
    union
    select unnest(tsvector_to_array(to_tsvector('funding.english', funding.separate_words(synonyms.means))))
    from funding.synonyms where synonyms.term = any (tsvector_to_array(query_lexemes)) and synonym_weight > 0
  ) as candidate;

  if spelling_weight > 0 then
    with unknown as materialized (
      select lexeme.term
      from unnest(tsvector_to_array(query_lexemes)) as lexeme(term)
      where not exists (select from funding.lexicon where lexicon.generation = fit.generation and lexicon.term = lexeme.term)
        and not exists (select from funding.synonyms where synonyms.term = lexeme.term)
      limit most_misspelt
    ), word as materialized (
      -- Expensive, so only for unknown words.
      select unknown.term, funding.respelled(unknown.term) as instead from unknown
    )
    select array_agg(word.term), array_agg(word.instead) into misspelt, corrections
    from word where word.instead is not null;
    candidates := candidates || corrections;
  end if;

  with known as materialized (
    select lexicon.term, lexicon.document_frequency, lexicon.vector
    from funding.lexicon where lexicon.generation = fit.generation and lexicon.term = any (candidates)
  ), word as materialized (
    select item.lexeme as term, cardinality(item.positions) as frequency,
           coalesce(known.document_frequency, 0) as document_frequency
    from unnest(query_lexemes) as item left join known on known.term = item.lexeme
  ), query_term as materialized (
    select word.term as word, word.term, word.frequency, 1::real as share, word.document_frequency
    from word
    union all
    select word.term, known.term, word.frequency, synonym_weight, known.document_frequency
    from word
    -- Each synonym once, though two rows may be forms of the word ("farm" and "farming").
    cross join lateral (
      select distinct unnest(tsvector_to_array(to_tsvector('funding.english', funding.separate_words(synonyms.means)))) as term
      from funding.synonyms where synonyms.term = word.term
    ) as synonym
    join known on known.term = synonym.term
    where synonym_weight > 0
      and known.document_frequency > word.document_frequency
      and known.term <> all (tsvector_to_array(query_lexemes))
    union all
    select word.term, known.term, word.frequency, spelling_weight, known.document_frequency
    from unnest(misspelt, corrections) as correction(term, instead)
    join word on word.term = correction.term
    join known on known.term = correction.instead
    where known.term <> all (tsvector_to_array(query_lexemes))
  ), valued as materialized (
    select query_term.*, known.vector,
           funding.inverse_document_frequency(documents, query_term.document_frequency) as idf
    from query_term left join known on known.term = query_term.term
    -- Sums in a fixed order: another order, by another plan, can change the last digit of the query's vector.
    order by query_term.term, query_term.word
  ), known_word as materialized (
    select row_number() over (order by valued.word) as position, valued.word, string_agg(funding.quoted_lexeme(valued.term), ' | ')::tsquery as terms,
           coalesce(
             max(valued.idf) filter (where valued.term = valued.word and valued.document_frequency > 0),
             max(valued.idf) filter (where valued.document_frequency > 0)) as known_idf,
           max(valued.idf) as highest_idf,
           bool_or(valued.vector is not null) as is_known
    from valued group by valued.word
  ), query_word as materialized (
    -- A word that no record has is worth at most twice an average known one. So one misspelt word or place name does not empty the result. Two
    -- such words beside one known word still do.
    select known_word.*, coalesce(known_word.known_idf, least(known_word.highest_idf, 2 * avg(known_word.known_idf) over ()), known_word.highest_idf)::real as idf
    from known_word
  ), term as materialized (
    select valued.term, valued.idf, valued.document_frequency,
           max(valued.share * valued.frequency * (k3 + 1) / (valued.frequency + k3))::real as factor, max(query_word.idf) as word_idf
    from valued join query_word using (word)
    group by valued.term, valued.idf, valued.document_frequency
  )
  select (select string_agg(distinct funding.quoted_lexeme(valued.term), ' | ')::tsquery from valued),
         -- The attribute `bm25`, which nothing reads since 1.2.
         null,
         (select array_agg(term.term order by term.term) from term),
         (select array_agg(term.idf * term.factor order by term.term) from term),
         (select array_agg(term.factor order by term.term) from term),
         -- `term_worths`, which is `term_word_idfs` since 1.2.
         null,
         (select 1 - exp(sum(ln(1 - least(term.document_frequency / documents::double precision, 0.999)))) from term),
         (select array_agg(query_word.terms order by query_word.position) from query_word),
         -- `worths`, which is `word_idfs` since 1.2.
         null,
         (select array_agg(word.weight order by word.position)
          from (
            select query_word.position, sum(term.idf * term.factor order by term.term)::real as weight
            from valued join query_word using (word) join term using (term)
            group by query_word.position
          ) as word),
         -- Weighted by rarity, unlike a record's vector: a query is short, and its rare words show its topic.
         (select l2_normalize(sum(valued.vector
             * array_fill((valued.idf * valued.share * (1 + ln(valued.frequency)))::real, array[384])::vector))::halfvec
          from valued where valued.vector is not null),
         (select sqrt(sum(idf * idf) filter (where is_known) / sum(idf * idf))::real from query_word),
         (select array_agg(term.word_idf order by term.term) from term),
         (select array_agg(query_word.idf order by query_word.position) from query_word)
  into analysis;
  return analysis;
end
$$;

-- Reads a query. Under an external model, `query_vector` is its vector.
create or replace function funding.read_query(query text, query_vector extensions.halfvec) returns funding.query_analysis
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  analysis funding.query_analysis := funding.analyze_query(query);
begin
  if funding.external_model() is not null then
    analysis.embedding := query_vector;
    -- A language model knows every word.
    analysis.known_share := 1;
  end if;
  return analysis;
end
$$;

-- supabase/schemas/accounts/accounts.sql
-- Accounts, tiers and subscriptions, as an operator's commands change them. Errors that the caller can correct are raised as PT4xx with a message for
-- people: 404 for something that does not exist, 400 for something that is not allowed, 409 for a conflict.

-- E-mail address as it is stored and compared, everywhere: the letters A to Z in lower case, and every other character as it is. `lower` alone would
-- fold by the database's locale: it takes U+212A, the sign for kelvin, for a k, and so another person's address for this one.
create or replace function funding.folded_address(address text) returns text
language sql immutable parallel safe as $$
  select lower(address collate "C")
$$;

-- Id of the account with an e-mail address, or PT404. An account has no address after its own user left it; its id names it then.
create or replace function funding.account_id(email text) returns uuid
language plpgsql stable as $$
declare
  found_id uuid;
begin
  if account_id.email ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    select accounts.id into found_id from funding.accounts where accounts.id = account_id.email::uuid;
  else
    select accounts.id into found_id from funding.accounts where accounts.email = funding.folded_address(account_id.email);
  end if;
  if found_id is null then
    raise sqlstate 'PT404' using message = format('there is no account %s', email);
  end if;
  return found_id;
end
$$;

-- Opens an account on a tier. Returns its id.
create or replace function funding.create_account(email text, tier text default 'developer') returns uuid
language plpgsql as $$
declare
  new_id uuid;
begin
  if create_account.email is null then
    raise sqlstate 'PT400' using message = 'an account is opened for an e-mail address';
  end if;
  insert into funding.accounts (email) values (funding.folded_address(create_account.email))
  on conflict on constraint accounts_email_unique do nothing
  returning accounts.id into new_id;
  if new_id is null then
    raise sqlstate 'PT409' using message = format('there is an account %s already', email);
  end if;
  perform funding.set_tier(email, tier);
  return new_id;
end
$$;

-- Puts an account on a tier, at once and without an end.
create or replace function funding.set_tier(email text, tier text) returns void
language sql as $$
  select funding.change_subscription(email, tier, null, null)
$$;

-- Makes an account a user's own. The user whose own it was is no member any more; other members stay. With null, the account is no user's own. An
-- account that is no user's own waits for a user with its e-mail address.
create or replace function funding.attach_user(email text, user_id uuid) returns void
language plpgsql as $$
begin
  if exists (select from funding.accounts where auth_user_id = attach_user.user_id and accounts.id <> funding.account_id(attach_user.email)) then
    raise sqlstate 'PT409' using message = format('the user %s signs in to another account', user_id);
  end if;
  update funding.accounts set auth_user_id = attach_user.user_id where accounts.id = funding.account_id(attach_user.email);
end
$$;

-- Adds a tier. A daily quota of -1 is unlimited. A tier that is not listed is shown only to the accounts on it.
create or replace function funding.add_tier(name text, api_access boolean, daily_quota bigint, snapshots boolean, is_listed boolean default true) returns void
language plpgsql as $$
begin
  if add_tier.name !~ '^[a-z0-9][a-z0-9-]{0,39}$' then
    raise sqlstate 'PT400' using message = 'a tier''s name is 1 to 40 lower-case letters, digits and hyphens';
  end if;
  insert into funding.tiers (name, api_access, daily_quota, snapshots, is_listed)
  values (add_tier.name, add_tier.api_access, add_tier.daily_quota, add_tier.snapshots, add_tier.is_listed)
  on conflict on constraint tiers_pkey do nothing;
  if not found then
    raise sqlstate 'PT409' using message = format('there is a tier %s already', add_tier.name);
  end if;
end
$$;

-- Changes the settings of a tier, for all its accounts and at once. Null leaves a setting as it is.
create or replace function funding.change_tier(name text, api_access boolean, daily_quota bigint, snapshots boolean, is_listed boolean default null)
returns void
language plpgsql as $$
begin
  update funding.tiers
  set api_access = coalesce(change_tier.api_access, tiers.api_access), daily_quota = coalesce(change_tier.daily_quota, tiers.daily_quota),
      snapshots = coalesce(change_tier.snapshots, tiers.snapshots), is_listed = coalesce(change_tier.is_listed, tiers.is_listed)
  where tiers.name = change_tier.name;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no tier %s', change_tier.name);
  end if;
end
$$;

-- Removes a tier that no account has and no price buys. The tier free stays: accounts without a subscription have it.
create or replace function funding.remove_tier(name text) returns void
language plpgsql as $$
declare
  subscribers constant bigint := (select count(*) from funding.subscriptions where subscriptions.tier = remove_tier.name);
  prices constant bigint := (select count(*) from funding.tier_prices where tier_prices.tier = remove_tier.name);
begin
  if remove_tier.name = 'free' then
    raise sqlstate 'PT409' using message = 'the tier free cannot be removed: accounts without a subscription have it';
  end if;
  if subscribers > 0 then
    raise sqlstate 'PT409' using message = format('%s accounts are on the tier %s; put them on another first', subscribers, remove_tier.name);
  end if;
  if prices > 0 then
    raise sqlstate 'PT409' using message = format('the tier %s is sold at %s prices; take those from it first', remove_tier.name, prices);
  end if;
  delete from funding.tiers where tiers.name = remove_tier.name;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no tier %s', remove_tier.name);
  end if;
end
$$;

-- Changes an account's subscription, or gives it one. A tier makes the subscription active and without an end, unless a status or an end is given,
-- too. Without a tier, null leaves a part as it is; the end `infinity` means no end. The change is one statement, and so one change in the audit log.
-- From then on the row is an operator's: it follows no Stripe subscription until one gives access (billing.sql).
create or replace function funding.change_subscription(email text, tier text, status text, period_end timestamptz) returns void
language plpgsql as $$
begin
  if change_subscription.tier is not null and not exists (select from funding.tiers where tiers.name = change_subscription.tier) then
    raise sqlstate 'PT404' using message = format('there is no tier %s; there are %s', tier,
      (select string_agg(tiers.name, ', ' order by tiers.name) from funding.tiers));
  end if;
  insert into funding.subscriptions as own (account_id, tier, status, current_period_end)
  values (funding.account_id(email), coalesce(change_subscription.tier, 'free'), coalesce(change_subscription.status, 'active'),
    nullif(period_end, 'infinity'))
  on conflict on constraint subscriptions_pkey do update
    set tier = coalesce(change_subscription.tier, own.tier),
        status = coalesce(change_subscription.status, case when change_subscription.tier is null then own.status else 'active' end),
        current_period_end = case
          when period_end is not null then nullif(period_end, 'infinity')
          when change_subscription.tier is null then own.current_period_end end,
        grace = '0', stripe_subscription_id = null, updated_at = now();
end
$$;

-- supabase/schemas/accounts/admission.sql
-- Admission: each data RPC identifies the key and checks its account's tier and quota first, and counts the request last.

-- Day that requests are counted on now.
create or replace function funding.quota_day() returns date
language sql stable as $$
  select (funding.latest_now() at time zone 'UTC')::date
$$;

-- Admits the holder of a key, without a lock, or raises:
--   PT401  no such key, or revoked, or expired
--   PT403  the client's address is in none of the key's ranges; or the account's tier has no API access, or its subscription is not in force; or
--          the key does not read all of these `datasets`
--   PT429  the quota of the UTC day is used up: the account's, or the key's own
-- The errors' detail is JSON: api_key_id, daily_quota, remaining. Every data RPC calls this function first, and `funding.rpc_result` last. That one
-- counts the request: `remaining` is null until then, and -1 where there is no quota.
--
-- In a read-only transaction the quotas are not checked: the primary counts the request, and may have counted it already (replicas.sql).
--
-- With `is_counted` only the key, its addresses, its tier and its datasets are checked: an earlier call counted the request, or nothing is to be
-- counted.
--
-- 'catalogue' in the place of a hash is the public catalogue, whose visitors have no key: the function of that name limits them, where an operator turned
-- it on. No key has this hash. It reads all datasets, and counts against no quota.
create or replace function funding.admit(key_hash text, is_counted boolean default false, datasets text[] default null)
returns funding.admission
language plpgsql as $$
declare
  found_key record;
  admitted funding.admission;
begin
  if admit.key_hash = 'catalogue' then
    admitted.daily_quota := -1;
    admitted.remaining := -1;
    return admitted;
  end if;
  select api_key.id, api_key.account_id, api_key.datasets, api_key.addresses, api_key.daily_quota as key_quota,
         coalesce(api_key.quota_key_id, api_key.id) as quota_key_id,
         coalesce(tier.api_access, false) as api_access,
         coalesce(tier.daily_quota, 0) as daily_quota,
         coalesce(quota.used, 0) as used,
         funding.is_in_force(subscription) as in_force
  into found_key
  from funding.api_keys as api_key
  left join funding.subscriptions as subscription on subscription.account_id = api_key.account_id
  left join funding.tiers as tier on tier.name = subscription.tier
  left join funding.daily_quota as quota on quota.account_id = api_key.account_id and quota.day = funding.quota_day()
  where api_key.key_hash = admit.key_hash
    and api_key.revoked_at is null
    and (api_key.expires_at is null or api_key.expires_at > funding.latest_now());

  if not found then
    raise sqlstate 'PT401' using message = 'unknown key', detail = '{}';
  end if;
  -- Checked first, so that a client with a stolen key at another address learns nothing else about the key's account.
  if found_key.addresses is not null then
    perform funding.require_address(found_key.id, found_key.addresses);
  end if;
  if not (found_key.api_access and found_key.in_force) then
    raise sqlstate 'PT403' using message = 'no api access',
      detail = json_build_object('api_key_id', found_key.id, 'daily_quota', 0, 'remaining', 0);
  end if;

  admitted := (found_key.id, found_key.account_id, found_key.daily_quota, null, found_key.key_quota, found_key.quota_key_id,
    found_key.datasets);
  -- The comparison is null, and so refuses nothing, where the key or the request has no datasets.
  if not admit.datasets <@ admitted.datasets then
    perform funding.refuse_datasets(admitted, admit.datasets);
  end if;
  if admitted.daily_quota < 0 and admitted.key_quota is null then
    admitted.remaining := -1;
  elsif is_counted then
    admitted := funding.with_remaining(admitted, found_key.used, funding.used_by_key(admitted));
  elsif funding.may_write() then
    if admitted.key_quota is not null and funding.used_by_key(admitted) >= admitted.key_quota then
      perform funding.refuse_key_quota(admitted);
    end if;
    if admitted.daily_quota >= 0 and found_key.used >= admitted.daily_quota then
      perform funding.refuse_quota(admitted);
    end if;
  end if;
  return admitted;
end
$$;

-- Address of the client that sent this request; null where it is not known. The functions send it with each call, in a header of their own. PostgREST
-- takes these calls only from the service role, so nobody else can set the header.
create or replace function funding.client_address() returns inet
language sql stable as $$
  -- The setting is empty, not null, where an earlier transaction of the session had headers.
  select (nullif(current_setting('request.headers', true), '')::json->>'x-client-address')::inet
$$;

-- Raises PT403 unless the client's address is known and in one of the key's ranges.
create or replace function funding.require_address(key_id uuid, ranges cidr[]) returns void
language plpgsql stable as $$
declare
  client_address constant inet := funding.client_address();
begin
  if client_address <<= any (ranges) then
    return;
  end if;
  raise sqlstate 'PT403' using message = 'outside of the addresses of the key',
    detail = json_build_object('api_key_id', key_id, 'daily_quota', 0, 'remaining', 0, 'key_addresses', ranges,
      'client_address', host(client_address));
end
$$;

-- Requests of today that count against the quota of a key.
create or replace function funding.used_by_key(admitted funding.admission) returns bigint
language plpgsql stable as $$
begin
  if admitted.key_quota is null then
    return 0;
  end if;
  return coalesce((
    select quota.used from funding.daily_key_quota as quota
    where quota.api_key_id = admitted.quota_key_id and quota.day = funding.quota_day()), 0);
end
$$;

-- Returns the admission with the `daily_quota` and `remaining` of the quota that has less left: the account's or the key's.
create or replace function funding.with_remaining(admitted funding.admission, used bigint, used_by_key bigint) returns funding.admission
language plpgsql immutable as $$
declare
  left_of_key constant bigint := greatest(0, admitted.key_quota - used_by_key);
begin
  admitted.remaining := case when admitted.daily_quota >= 0 then greatest(0, admitted.daily_quota - used) end;
  if admitted.key_quota is not null and left_of_key <= coalesce(admitted.remaining, left_of_key) then
    admitted.daily_quota := admitted.key_quota;
    admitted.remaining := left_of_key;
  end if;
  return admitted;
end
$$;

-- Counts a request against the quotas of its key and of its account. Returns the admission with the remainder of the quota that has less left. Raises
-- PT429 where one of the quotas is used up, and then counts against neither.
--
-- The row of a key or an account and day is locked until the RPC commits, so requests of the same key or account wait here for each other:
-- `funding.rpc_result` calls this function last. A transaction that holds the row for longer than `lock_timeout` has stopped, and the waiting
-- requests would fill the connections of all accounts: they fail with 55P03. (A lock of a row is waited for in two steps, each with that limit.) The
-- key's row always comes first. So two requests never wait for each other's rows, and requests with the account's other keys wait only for the last
-- step.
create or replace function funding.count_request(admitted funding.admission) returns funding.admission
language plpgsql set lock_timeout = '250ms' as $$
declare
  used_today bigint;
  used_by_key_today bigint;
begin
  -- No request waits for the disk. A crash of the database may lose the counts of its last half second; usage is recorded elsewhere, and durably.
  perform set_config('synchronous_commit', 'off', true);
  -- One statement checks the quota and counts, so parallel requests cannot share the last request of a quota.
  if admitted.key_quota is not null then
    insert into funding.daily_key_quota as quota (api_key_id, day, used)
    values (admitted.quota_key_id, funding.quota_day(), 1)
    on conflict (api_key_id, day) do update set used = quota.used + 1
      where quota.used < admitted.key_quota
    returning quota.used into used_by_key_today;
    if used_by_key_today is null then
      perform funding.refuse_key_quota(admitted);
    end if;
  end if;
  if admitted.daily_quota >= 0 then
    insert into funding.daily_quota as quota (account_id, day, used)
    values (admitted.account_id, funding.quota_day(), 1)
    on conflict (account_id, day) do update set used = quota.used + 1
      where quota.used < admitted.daily_quota
    returning quota.used into used_today;
    if used_today is null then
      perform funding.refuse_quota(admitted);
    end if;
  end if;
  return funding.with_remaining(admitted, used_today, used_by_key_today);
end
$$;

-- Time at which the quotas of this day begin anew, by the database's clock: the clock of the edge function may be in the next day already.
create or replace function funding.quota_resets_at() returns text
language plpgsql stable as $$
begin
  return funding.moment((funding.quota_day() + 1)::timestamp at time zone 'UTC');
end
$$;

-- Refuses a request whose account's quota is used up: PT429.
create or replace function funding.refuse_quota(admitted funding.admission) returns void
language plpgsql stable as $$
begin
  raise sqlstate 'PT429' using message = 'quota exceeded',
    detail = json_build_object('api_key_id', admitted.api_key_id, 'daily_quota', admitted.daily_quota, 'remaining', 0,
      'resets_at', funding.quota_resets_at());
end
$$;

-- Refuses a request whose key's quota is used up: PT429, with `quota_of` in its detail.
create or replace function funding.refuse_key_quota(admitted funding.admission) returns void
language plpgsql stable as $$
begin
  raise sqlstate 'PT429' using message = 'quota of the key exceeded',
    detail = json_build_object('api_key_id', admitted.api_key_id, 'daily_quota', admitted.key_quota, 'remaining', 0, 'quota_of', 'key',
      'resets_at', funding.quota_resets_at());
end
$$;

-- Refuses a request whose key does not read all of its datasets: PT403, with the key's datasets and the others in its detail.
create or replace function funding.refuse_datasets(admitted funding.admission, datasets text[]) returns void
language plpgsql immutable as $$
begin
  raise sqlstate 'PT403' using message = 'outside of the datasets of the key',
    detail = json_build_object('api_key_id', admitted.api_key_id, 'daily_quota', 0, 'remaining', 0, 'key_datasets', admitted.datasets,
      'unread_datasets', array(
        select asked.name from unnest(datasets) with ordinality as asked(name, position)
        where asked.name <> all (admitted.datasets) order by asked.position));
end
$$;

-- Result of every RPC: the admission, and the body. Counts the request, unless it was counted before or counts against no quota. So it is called once
-- the body is made. In a read-only transaction it cannot count (replicas.sql): `remaining` stays null, and the client of the RPC counts the request
-- on the primary. `is_behind` says that a replica is far behind. Where the body asks for a vector, or is null, the admission names the day on which
-- the request is counted (null where it counts against no quota): only a second call decides whether the request stays counted, and midnight may pass
-- before that call.
create or replace function funding.rpc_result(admitted funding.admission, body json) returns json
language plpgsql as $$
declare
  is_behind constant boolean := funding.is_behind();
begin
  if admitted.remaining is null and funding.may_write() then
    admitted := funding.count_request(admitted);
  end if;
  -- Looking for the member would parse every page.
  if body is null or starts_with(body::text, '{"wanted_embedding"') then
    return json_build_object(
      'admission', json_build_object(
        'api_key_id', admitted.api_key_id,
        'daily_quota', admitted.daily_quota,
        'remaining', admitted.remaining,
        'counted_on', case when admitted.remaining is distinct from -1 then funding.quota_day() end,
        'is_behind', is_behind),
      'body', body);
  end if;
  return json_build_object(
    'admission', json_build_object(
      'api_key_id', admitted.api_key_id,
      'daily_quota', admitted.daily_quota,
      'remaining', admitted.remaining,
      'is_behind', is_behind),
    'body', body);
end
$$;

-- Admits and counts a request that needs no data, such as one with wrong parameters. `datasets` are those of its route.
create or replace function public.admit_request(key_hash text, datasets text[] default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  return funding.rpc_result(funding.admit(key_hash, false, datasets), null);
end
$$;

-- Admits the holder of a key without counting a request, so that PT429 is never raised. It serves answers that a caller gets before it asks for data,
-- such as the list of MCP's tools.
create or replace function public.identify_key(key_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  return funding.rpc_result(funding.admit(key_hash, true), null);
end
$$;

-- Takes back the count of a request that failed on our side after the RPC that counted it. The count is taken from the day on which the request was
-- counted, since midnight may have passed.
create or replace function public.withdraw_request(key_hash text, counted_on date default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set lock_timeout = '250ms' as $$
declare
  admitted funding.admission := funding.admit(key_hash, true);
begin
  if admitted.key_quota is not null then
    update funding.daily_key_quota as quota set used = quota.used - 1
    where quota.api_key_id = admitted.quota_key_id and quota.day = coalesce(counted_on, funding.quota_day()) and quota.used > 0;
  end if;
  update funding.daily_quota as quota set used = quota.used - 1
  where quota.account_id = admitted.account_id and quota.day = coalesce(counted_on, funding.quota_day()) and quota.used > 0;
  return funding.rpc_result(funding.admit(key_hash, true), null);
end
$$;

-- supabase/schemas/accounts/audit_log.sql
-- Audit log: the changes in an account, with their time and actor. Triggers write it in the transaction of the change, so that no way of making a
-- change is left out: the account API, commands, Stripe, the dispatcher, SQL by hand. A change that fails or changes nothing is not logged. The
-- triggers fire for columns that are set on purpose; columns that change with traffic (`last_used_at`, failures, reads) cost nothing.

-- A value as the log keeps it: its first five hundred characters, and null for an empty text or list.
create or replace function funding.audited_value(value jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  return case
    when value is null or value in ('""', '[]', '{}') then 'null'
    when length(value::text) > 500 then to_jsonb(left(value #>> '{}', 500) || '…')
    else value end;
end
$$;

-- Fields that differ between two objects, each as { field, from, to }. A null object has none.
create or replace function funding.audited_changes(before jsonb, after jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'field', field.name, 'from', funding.audited_value(before->field.name), 'to', funding.audited_value(after->field.name)) order by field.name collate "C"), '[]')
    from (select jsonb_object_keys(before) union select jsonb_object_keys(after)) as field(name)
    where before->field.name is distinct from after->field.name
      and (funding.audited_value(before->field.name) <> 'null' or funding.audited_value(after->field.name) <> 'null'));
end
$$;

-- Fields of a key that the log shows. Here and below: never a secret or the hash of one.
create or replace function funding.audited_fields(api_key funding.api_keys) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'name', api_key.name, 'display', api_key.display, 'expires_at', funding.moment(api_key.expires_at),
    'revoked_at', funding.moment(api_key.revoked_at), 'datasets', api_key.datasets, 'daily_quota', api_key.daily_quota,
    'addresses', api_key.addresses);
end
$$;

-- Fields of a webhook that the log shows.
create or replace function funding.audited_fields(endpoint funding.webhook_endpoints) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'url', endpoint.url, 'description', endpoint.description, 'events', endpoint.events,
    'filters', (select jsonb_object_agg(item.key, item.value->'query') from jsonb_each(endpoint.filters) as item),
    'deadline_days', endpoint.deadline_days, 'expand', endpoint.expand, 'updated_fields', endpoint.updated_fields, 'state', endpoint.state,
    'disabled_reason', endpoint.disabled_reason);
end
$$;

-- Fields of a saved search that the log shows.
create or replace function funding.audited_fields(search funding.saved_searches) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'name', search.name, 'dataset', search.dataset, 'query', search.query, 'address_created_at', funding.moment(search.address_created_at));
end
$$;

-- Fields of a digest that the log shows.
create or replace function funding.audited_fields(digest funding.digests) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'frequency', digest.frequency, 'weekday', (funding.weekday_names())[digest.weekday], 'hour', digest.hour, 'time_zone', digest.time_zone,
    'paused_at', funding.moment(digest.paused_at));
end
$$;

-- Fields of a subscription that the log shows.
create or replace function funding.audited_fields(subscription funding.subscriptions) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'tier', subscription.tier, 'status', subscription.status, 'current_period_end', funding.moment(subscription.current_period_end));
end
$$;

-- Fields of an account that the log shows.
create or replace function funding.audited_fields(account funding.accounts) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'email', account.email, 'user_id', account.auth_user_id, 'keeps_search_text', account.keeps_search_text);
end
$$;

-- Fields of a member that the log shows.
create or replace function funding.audited_fields(member funding.members) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object('role', member.role);
end
$$;

-- Fields of an invitation that the log shows.
create or replace function funding.audited_fields(invitation funding.invitations) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object('role', invitation.role);
end
$$;

-- Writes a change into the log of its account. Writes nothing where the account is gone: a deletion that follows from the account's is no change of
-- its own.
create or replace function funding.audit(account_id uuid, action text, subject_kind text, subject_id uuid, subject_name text, changes jsonb)
returns void
language plpgsql as $$
begin
  insert into funding.audit_log (account_id, at, actor, actor_email, action, subject_kind, subject_id, subject_name, changes)
  select account.id, funding.latest_now(), actor.kind, actor.email, audit.action, audit.subject_kind, audit.subject_id,
         left(audit.subject_name, 200), audit.changes
  from funding.accounts as account cross join funding.actor() as actor
  where account.id = audit.account_id;
end
$$;

-- Trigger of `api_keys`, except for the explorer's keys. A rotation is one change, of the old key: the rotation sets the old key's expiry, after it
-- has made the new key in the same transaction.
create or replace function funding.audit_key() returns trigger
language plpgsql as $$
declare
  former constant funding.api_keys := old;
  present constant funding.api_keys := new;
  before constant jsonb := funding.audited_fields(former);
  after jsonb := funding.audited_fields(present);
  action text := case tg_op when 'INSERT' then 'key.created' when 'DELETE' then 'key.deleted' else 'key.updated' end;
  replacement uuid;
begin
  if tg_op = 'UPDATE' and present.revoked_at is not null and former.revoked_at is null then
    action := 'key.revoked';
  elsif tg_op = 'UPDATE' and before - 'expires_at' = after - 'expires_at' then
    select newer.id into replacement from funding.api_keys as newer
    where newer.rotated_from = present.id and newer.created_at = now() and newer.revoked_at is null;
    if found then
      action := 'key.rotated';
      after := after || jsonb_build_object('replaced_by', replacement);
    end if;
  end if;
  if before <> after then
    perform funding.audit(coalesce(present.account_id, former.account_id), action, 'key', coalesce(present.id, former.id),
      coalesce(present.name, former.name), funding.audited_changes(before, after));
  end if;
  return null;
end
$$;

-- Name of a webhook in the log: its description, or else its address.
create or replace function funding.webhook_name(endpoint funding.webhook_endpoints) returns text
language sql immutable parallel safe as $$
  select coalesce(nullif(endpoint.description, ''), endpoint.url)
$$;

-- Trigger of `webhook_endpoints`. Of secrets, the log shows only that there is a new one, and the time until which former ones sign.
create or replace function funding.audit_webhook() returns trigger
language plpgsql as $$
declare
  former constant funding.webhook_endpoints := old;
  present constant funding.webhook_endpoints := new;
  before constant jsonb := funding.audited_fields(former);
  after jsonb := funding.audited_fields(present);
  action text := case tg_op when 'INSERT' then 'webhook.created' when 'DELETE' then 'webhook.deleted' else 'webhook.updated' end;
begin
  if tg_op = 'UPDATE' and present.secret <> former.secret then
    action := 'webhook.secret_rotated';
    after := after || jsonb_build_object('previous_secret_expires_at', (
      select funding.moment(max(earlier.expires_at)) from funding.webhook_former_secrets as earlier where earlier.endpoint_id = present.id));
  elsif tg_op = 'UPDATE' and present.state <> former.state then
    action := case present.state when 'disabled' then 'webhook.disabled' when 'paused' then 'webhook.paused' else 'webhook.resumed' end;
  end if;
  perform funding.audit(coalesce(present.account_id, former.account_id), action, 'webhook', coalesce(present.id, former.id),
    coalesce(funding.webhook_name(present), funding.webhook_name(former)), funding.audited_changes(before, after));
  return null;
end
$$;

-- Trigger of `webhook_recoveries`: logs the start of a recovery.
create or replace function funding.audit_recovery() returns trigger
language plpgsql as $$
begin
  perform funding.audit(endpoint.account_id, 'webhook.recovery_started', 'webhook', endpoint.id, funding.webhook_name(endpoint),
    funding.audited_changes(null, jsonb_build_object('since', funding.moment(coalesce(new.since, new.after_time)), 'until', funding.moment(new.until))))
  from funding.webhook_endpoints as endpoint where endpoint.id = new.endpoint_id;
  return null;
end
$$;

-- Trigger of `saved_searches`. Of addresses, the log shows only that there is a new one, or that there is none any more.
create or replace function funding.audit_saved_search() returns trigger
language plpgsql as $$
declare
  former constant funding.saved_searches := old;
  present constant funding.saved_searches := new;
  action constant text := case
    when tg_op = 'INSERT' then 'saved_search.created'
    when tg_op = 'DELETE' then 'saved_search.deleted'
    when present.address_hash is not distinct from former.address_hash then 'saved_search.updated'
    when present.address_hash is null then 'saved_search.address_revoked'
    else 'saved_search.address_issued' end;
begin
  perform funding.audit(coalesce(present.account_id, former.account_id), action, 'saved_search', coalesce(present.id, former.id),
    coalesce(present.name, former.name), funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)));
  return null;
end
$$;

-- Trigger of `digests`. The log shows a digest's changes as those of its saved search. A deletion without a user comes from the link in a mail. The
-- deletion of a digest with its saved search is no change of its own.
create or replace function funding.audit_digest() returns trigger
language plpgsql as $$
declare
  former constant funding.digests := old;
  present constant funding.digests := new;
  action constant text := case
    when tg_op = 'INSERT' then 'digest.created'
    when tg_op = 'DELETE' and (funding.actor()).kind = 'system' then 'digest.unsubscribed'
    when tg_op = 'DELETE' then 'digest.ended'
    when present.paused_at is not null and former.paused_at is null then 'digest.paused'
    when present.paused_at is null and former.paused_at is not null then 'digest.resumed'
    else 'digest.updated' end;
begin
  perform funding.audit(search.account_id, action, 'saved_search', search.id, search.name,
    funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)))
  from funding.saved_searches as search where search.id = coalesce(present.saved_search_id, former.saved_search_id);
  return null;
end
$$;

-- Trigger of `subscriptions`. An account has one subscription, with the account's id.
create or replace function funding.audit_subscription() returns trigger
language plpgsql as $$
declare
  former constant funding.subscriptions := old;
  present constant funding.subscriptions := new;
  own_id constant uuid := coalesce(present.account_id, former.account_id);
  action constant text := case tg_op
    when 'INSERT' then 'subscription.created' when 'DELETE' then 'subscription.deleted' else 'subscription.updated' end;
begin
  perform funding.audit(own_id, action, 'subscription', own_id, coalesce(present.tier, former.tier),
    funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)));
  return null;
end
$$;

-- Trigger of `accounts`.
create or replace function funding.audit_account() returns trigger
language plpgsql as $$
declare
  former constant funding.accounts := old;
  present constant funding.accounts := new;
  action constant text := case
    when tg_op = 'INSERT' then 'account.created'
    when present.auth_user_id is not distinct from former.auth_user_id then 'account.updated'
    when present.auth_user_id is null then 'account.user_detached'
    else 'account.user_attached' end;
begin
  perform funding.audit(present.id, action, 'account', present.id, coalesce(present.email, former.email, present.id::text),
    funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)));
  return null;
end
$$;

-- Trigger of `members`. A member who joins by an invitation is logged by the end of the invitation, and the account's own user by the change of the
-- account.
create or replace function funding.audit_member() returns trigger
language plpgsql as $$
declare
  former constant funding.members := old;
  present constant funding.members := new;
  either constant funding.members := case when tg_op = 'DELETE' then former else present end;
  name constant text := funding.member_email(either);
  actor constant record := funding.actor();
  action constant text := case
    when tg_op = 'INSERT' then 'member.added'
    when tg_op = 'UPDATE' then 'member.role_changed'
    when funding.actor_user_id() = either.user_id then 'member.left'
    else 'member.removed' end;
begin
  if tg_op = 'INSERT' and (actor.kind <> 'operator'
      or exists (select from funding.accounts as own where own.id = present.account_id and own.auth_user_id = present.user_id)) then
    return null;
  end if;
  perform funding.audit(either.account_id, action, 'member', either.id, name,
    funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)));
  return null;
end
$$;

-- Trigger of `invitations`. The end of an expired invitation is not logged. An accepted invitation is logged with the role that it gives.
create or replace function funding.audit_invitation() returns trigger
language plpgsql as $$
declare
  former constant funding.invitations := old;
  present constant funding.invitations := new;
  either constant funding.invitations := case when tg_op = 'DELETE' then former else present end;
  action constant text := case tg_op when 'INSERT' then 'invitation.created' else 'invitation.' || coalesce(former.outcome, 'withdrawn') end;
begin
  if funding.expiry_of(either) <= funding.latest_now() then
    return null;
  end if;
  perform funding.audit(either.account_id, action, 'invitation', either.id, either.email, case
    when former.outcome = 'accepted' then funding.audited_changes(null, funding.audited_fields(former))
    else funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)) end);
  return null;
end
$$;

-- Trigger of `accounts`: deletes the log with its account. It replaces a foreign key, which would lock the account after its key or webhook, while a
-- deletion locks them in the other order. The trigger fires after the cascades, which wait for changes that are under way, so no row is added later.
create or replace function funding.delete_audit_log() returns trigger
language plpgsql as $$
begin
  delete from funding.audit_log where account_id = old.id;
  return null;
end
$$;

-- An entry as its account sees it.
create or replace function funding.audit_body(entry funding.audit_log) returns json
language sql stable as $$
  select json_build_object(
    'id', entry.id::text, 'at', funding.moment(entry.at),
    'actor', json_build_object('kind', entry.actor, 'email', entry.actor_email),
    'action', entry.action,
    'subject', json_build_object('kind', entry.subject_kind, 'id', entry.subject_id, 'name', entry.subject_name),
    'changes', entry.changes)
$$;

-- Lists the account's audit log, newest first: { entries, next }, with `next` as the `page` of the next call, or null. `filter` may have action,
-- kind, subject (an id, also the id of the key that replaced a rotated one), since, until, page: { at, id } and limit.
create or replace function public.list_audit_log(user_id uuid, session_id uuid, filter jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_audit_log.user_id, list_audit_log.session_id);
  page_size constant integer := least(coalesce((filter->>'limit')::integer, 50), 100);
  result json;
begin
  with found as (
    select entry, entry.at, entry.id
    from funding.audit_log as entry
    where entry.account_id = own_id
      and (not filter ? 'action' or entry.action = filter->>'action')
      and (not filter ? 'kind' or entry.subject_kind = filter->>'kind')
      and (not filter ? 'subject' or entry.subject_id = (filter->>'subject')::uuid
        or entry.changes @> jsonb_build_array(jsonb_build_object('field', 'replaced_by', 'to', filter->>'subject')))
      and (not filter ? 'since' or entry.at >= (filter->>'since')::timestamptz)
      and (not filter ? 'until' or entry.at < (filter->>'until')::timestamptz)
      and (not filter ? 'page' or (entry.at, entry.id) < ((filter->'page'->>'at')::timestamptz, (filter->'page'->>'id')::bigint))
    order by entry.at desc, entry.id desc
    limit page_size + 1
  ), numbered as (
    select found.*, row_number() over (order by found.at desc, found.id desc) as position from found
  )
  select json_build_object(
    'entries', coalesce(json_agg(funding.audit_body(numbered.entry) order by numbered.position)
      filter (where numbered.position <= page_size), '[]'),
    'next', case when count(*) > page_size then (
      select json_build_object('at', funding.exact_moment(last.at), 'id', last.id::text)
      from numbered as last where last.position = page_size) end)
  into result from numbered;
  return result;
end
$$;

-- supabase/schemas/accounts/billing.sql
-- Subscriptions that Stripe drives. Stripe's events come more than once and in any order. So the state of each Stripe subscription is stored with the
-- time of its newest event, and an account's own subscription follows from all of its Stripe subscriptions.

-- Rank of a subscription's status by its progress: a second event of the same second may not lower it. (Stripe's times are whole seconds, and a
-- subscription is often made and paid within one. Canceled is for ever.)
create or replace function funding.stripe_status_rank(status text) returns integer
language sql immutable as $$
  select case status when 'incomplete' then 0 when 'trialing' then 1 when 'canceled' then 9 when 'incomplete_expired' then 9 else 2 end
$$;

-- Whether a Stripe subscription is ongoing, with access or without: a second subscription would be paid beside it. A subscription that still waits
-- for its first payment (incomplete) is not ongoing: Stripe ends it within a day.
create or replace function funding.is_ongoing(stripe_status text) returns boolean
language sql immutable as $$
  select stripe_status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
$$;

-- A customer's subscriptions at Stripe that have a price which buys a tier. Of several such prices in one subscription, the first counts. An active
-- subscription with a failed payment after its newest event is past due: its own event about that says the same, and more, but may come later.
create or replace function funding.subscriptions_of_customer(customer_id text)
returns table (id text, tier text, status text, current_period_end timestamptz, event_at timestamptz)
language sql stable as $$
  select paid.id, price.tier,
         case when paid.status in ('active', 'trialing') and paid.payment_failed_at > paid.event_at then 'past_due' else paid.status end,
         paid.current_period_end, paid.event_at
  from funding.stripe_subscriptions as paid
  join lateral (
    select tier_prices.tier
    from unnest(paid.price_ids) with ordinality as item(price_id, position)
    join funding.tier_prices on tier_prices.price_id = item.price_id
    order by item.position limit 1
  ) as price on true
  where paid.customer_id = subscriptions_of_customer.customer_id
$$;

-- The same of all customers who pay for an account.
create or replace function funding.bought_subscriptions(account_id uuid)
returns table (id text, tier text, status text, current_period_end timestamptz, event_at timestamptz)
language sql stable as $$
  select paid.*
  from funding.stripe_customers as customer cross join lateral funding.subscriptions_of_customer(customer.id) as paid
  where customer.account_id = bought_subscriptions.account_id
$$;

-- Order of tiers by what they include: API access, requests a day, snapshots. The greater includes more.
create or replace function funding.tier_rank(tier text) returns numeric[]
language sql stable as $$
  select array[known.api_access::integer, case when known.daily_quota < 0 then 1e30 else known.daily_quota end, known.snapshots::integer]
  from funding.tiers as known where known.name = tier_rank.tier
$$;

-- Makes an account's subscription follow its subscriptions at Stripe. Of those with a price that buys a tier and that give access, the one of the tier
-- that includes most, and of one tier the one that gives access for longest: nobody lowers an account by a subscription beside its own. Where none
-- gives access, the one that changed last. `stripe_subscription_id` is the id of that one; null marks an operator's row. A subscription at Stripe
-- replaces an operator's row only if it gives access and, while that row is in force, its tier includes as much; or if the operator says so
-- (`by_operator`). Where no subscription at Stripe buys a tier, a row that followed one is deleted, and an operator's row stays.
create or replace function funding.follow_stripe(account_id uuid, by_operator boolean default false) returns void
language plpgsql as $$
declare
  -- Stripe finishes an invoice about an hour after the period's end, and may have to send its event again.
  renewal_grace constant interval := '1 day';
  bought record;
begin
  -- Events of two customers of one account take turns: the later event sees the rows that the earlier one wrote.
  perform from funding.accounts where accounts.id = follow_stripe.account_id for no key update;
  select candidate.* into bought
  from (
    select paid.*, coalesce(
      paid.status in ('active', 'trialing', 'past_due') and paid.current_period_end + renewal_grace > funding.bounded_now(), false) as gives_access
    from funding.bought_subscriptions(follow_stripe.account_id) as paid
  ) as candidate
  order by candidate.gives_access desc,
           case when candidate.gives_access then funding.tier_rank(candidate.tier) end desc,
           case when candidate.gives_access then candidate.current_period_end else candidate.event_at end desc, candidate.id
  limit 1;
  if not found then
    delete from funding.subscriptions as own where own.account_id = follow_stripe.account_id and own.stripe_subscription_id is not null;
    return;
  end if;
  insert into funding.subscriptions as own (account_id, tier, status, current_period_end, grace, stripe_subscription_id)
  values (follow_stripe.account_id, bought.tier, bought.status, bought.current_period_end, renewal_grace, bought.id)
  on conflict on constraint subscriptions_pkey do update
    set tier = excluded.tier, status = excluded.status, current_period_end = excluded.current_period_end,
        grace = excluded.grace, stripe_subscription_id = excluded.stripe_subscription_id, updated_at = now()
    where (own.stripe_subscription_id is not null
        or bought.gives_access and (by_operator or not funding.is_in_force_at(own, funding.bounded_now()) or funding.tier_rank(bought.tier) >= funding.tier_rank(own.tier)))
      and (own.tier, own.status, own.current_period_end, own.grace, own.stripe_subscription_id)
        is distinct from (excluded.tier, excluded.status, excluded.current_period_end, excluded.grace, excluded.stripe_subscription_id);
end
$$;

-- Makes events of one Stripe customer, and changes of its account, wait for one another until the transaction ends.
create or replace function funding.lock_stripe_customer(customer_id text) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('stripe customer ' || customer_id, 0))
$$;

-- Sets the account that a Stripe customer pays for, as an operator does. The subscription of the account that it paid for before is updated, too.
create or replace function funding.attach_customer(email text, customer_id text) returns void
language plpgsql as $$
declare
  new_id constant uuid := funding.account_id(email);
  former_id uuid;
begin
  if attach_customer.customer_id !~ '^cus_\w{1,250}$' then
    raise sqlstate 'PT400' using message = format('%s is not the id of a Stripe customer', customer_id);
  end if;
  perform funding.lock_stripe_customer(attach_customer.customer_id);
  select known.account_id into former_id from funding.stripe_customers as known where known.id = attach_customer.customer_id;
  insert into funding.stripe_customers (id, account_id) values (attach_customer.customer_id, new_id)
  on conflict on constraint stripe_customers_pkey do update set account_id = excluded.account_id;
  delete from funding.offered_customers as offered where offered.customer_id = attach_customer.customer_id;
  -- In the order of the accounts' ids, as everywhere: each call locks its account.
  perform funding.follow_stripe(paying.account_id, by_operator => paying.account_id = new_id)
  from (select distinct id as account_id from unnest(array[former_id, new_id]) as id where id is not null order by id) as paying;
end
$$;

-- Sets the tier that a Stripe price buys; the tier is sold at this price from now on. With null, the price buys no tier. If the tier changes,
-- accounts with an ongoing subscription that has the price follow at once; without a tier they are on the tier free.
create or replace function funding.set_price(price_id text, tier text) returns void
language plpgsql as $$
declare
  former_tier constant text := (select known.tier from funding.tier_prices as known where known.price_id = set_price.price_id);
begin
  if set_price.tier is null then
    delete from funding.tier_prices where tier_prices.price_id = set_price.price_id;
    if not found then
      raise sqlstate 'PT404' using message = format('the price %s buys no tier', price_id);
    end if;
  else
    if not exists (select from funding.tiers where tiers.name = set_price.tier) then
      raise sqlstate 'PT404' using message = format('there is no tier %s', set_price.tier);
    end if;
    insert into funding.tier_prices (price_id, tier, set_at) values (set_price.price_id, set_price.tier, clock_timestamp())
    on conflict on constraint tier_prices_pkey do update set tier = excluded.tier, set_at = excluded.set_at;
  end if;
  if set_price.tier is not distinct from former_tier then
    return;
  end if;
  perform funding.follow_stripe(paying.account_id)
  from (
    select distinct customer.account_id
    from funding.stripe_subscriptions as paid join funding.stripe_customers as customer on customer.id = paid.customer_id
    where set_price.price_id = any (paid.price_ids) and funding.is_ongoing(paid.status)
    order by customer.account_id
  ) as paying;
end
$$;

-- Applies an event of Stripe's. The edge has verified its signature. `event`:
--   id, created (Unix seconds), customer_id
--   account_id    account that the checkout or the subscription names, or null
--   opened_by     user who opened the checkout here, or null
--   is_by_operator  whether the operator named the account, in the metadata of a subscription
--   subscription  { id, status, price_ids, current_period_end (Unix seconds) } as it was then, or null
--   failed_subscription_id  subscription with a failed payment, or null
-- Returns { outcome, account_id }; the outcome is `applied`, `duplicate`, `unknown-customer` or `undecided`. With the last two the event is stored, and
-- applied with the customer's checkout, or when an owner accepts the customer. `account_id` is the account that the customer pays for, or would pay
-- for. It stays the same where a later event names another account.
--
-- Whoever knows an account's id can name it in a checkout of a payment link. So a customer pays for an account without a question only if it is the
-- account's first, and somebody who is an owner opened the checkout, or the operator named the account. Each other customer is a question for the
-- owners, without any effect until they decide (billing_api.sql).
create or replace function public.record_billing_event(event jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  happened_at constant timestamptz := to_timestamp((event->>'created')::double precision);
  customer constant text := event->>'customer_id';
  paid constant jsonb := nullif(event->'subscription', 'null');
  named uuid := (event->>'account_id')::uuid;
  paying uuid;
  is_known boolean;
  is_entitled boolean;
begin
  insert into funding.stripe_events (id) values (event->>'id') on conflict do nothing;
  if not found then
    return json_build_object('outcome', 'duplicate', 'account_id', null);
  end if;
  -- Events of one customer are applied one after the other.
  perform funding.lock_stripe_customer(customer);

  if paid is not null then
    insert into funding.stripe_subscriptions as known (id, customer_id, price_ids, status, current_period_end, event_at)
    values (paid->>'id', customer, array(select jsonb_array_elements_text(paid->'price_ids')), paid->>'status',
      to_timestamp((paid->>'current_period_end')::double precision), happened_at)
    on conflict on constraint stripe_subscriptions_pkey do update
      set customer_id = excluded.customer_id, price_ids = excluded.price_ids, status = excluded.status,
          current_period_end = excluded.current_period_end, event_at = excluded.event_at
      where (excluded.event_at, funding.stripe_status_rank(excluded.status)) >= (known.event_at, funding.stripe_status_rank(known.status))
        and known.status not in ('canceled', 'incomplete_expired');
  end if;
  -- Stored apart from the state in the subscription's own events: an event that was made earlier may still come.
  update funding.stripe_subscriptions as known set payment_failed_at = happened_at
  where known.id = event->>'failed_subscription_id' and (known.payment_failed_at < happened_at) is not false;

  select stripe_customers.account_id into paying from funding.stripe_customers where stripe_customers.id = customer;
  if paying is null and named is not null then
    -- Of two customers at once, one is the first.
    perform from funding.accounts where accounts.id = named for no key update;
    is_known := found;
    is_entitled := not exists (select from funding.stripe_customers as other where other.account_id = named)
      and (coalesce((event->>'is_by_operator')::boolean, false) or exists (
        select from funding.members as member
        where member.account_id = named and member.user_id = (event->>'opened_by')::uuid and member.role = 'owner'));
    if is_known and not is_entitled then
      insert into funding.offered_customers (customer_id, account_id) values (customer, named)
      on conflict on constraint offered_customers_customer do nothing;
      if found then
        perform funding.audit(named, 'customer.offered', 'subscription', named, customer, '[]');
      end if;
    elsif is_known then
      insert into funding.stripe_customers (id, account_id) values (customer, named);
      delete from funding.offered_customers as offered where offered.customer_id = customer;
      paying := named;
    end if;
  end if;
  if paying is null then
    select offered.account_id into named from funding.offered_customers as offered where offered.customer_id = customer;
    return json_build_object('outcome', case when found then 'undecided' else 'unknown-customer' end, 'account_id', case when found then named end);
  end if;
  perform funding.follow_stripe(paying);
  return json_build_object('outcome', 'applied', 'account_id', paying);
end
$$;

-- supabase/schemas/accounts/keys.sql
-- Keys of an account: adding, replacing, revoking. Errors as in accounts.sql.

-- Whether a key is neither revoked nor expired. The tier of its account is not checked.
create or replace function funding.is_valid(api_key funding.api_keys) returns boolean
language sql stable as $$
  select api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > funding.latest_now())
$$;

-- Raises unless an account may have one more valid key, and makes the account's other key changes wait for this one. The explorer's keys do not
-- count.
create or replace function funding.require_room_for_key(account_id uuid, maximum bigint) returns void
language plpgsql as $$
begin
  perform from funding.accounts where accounts.id = require_room_for_key.account_id for no key update;
  if (select count(*) from funding.api_keys as api_key
      where api_key.account_id = require_room_for_key.account_id and not api_key.is_explorer and funding.is_valid(api_key)) >= maximum then
    raise sqlstate 'PT409' using message = format('the account has %s active keys, which is the most; revoke one first', maximum);
  end if;
end
$$;

-- Adds a key to an account, and returns the key. `limits` are described at `funding.with_limits`.
create or replace function funding.create_key(
  account_id uuid, name text, key_hash text, display text, expires_at timestamptz, limits jsonb default null)
returns funding.api_keys
language plpgsql as $$
declare
  limited constant funding.api_keys := funding.with_limits(null, limits);
  new_key funding.api_keys;
begin
  if create_key.expires_at <= funding.latest_now() then
    raise sqlstate 'PT400' using message = 'the expiry must be in the future', hint = 'expires_at';
  end if;
  perform funding.require_room_for_key(create_key.account_id, funding.setting('maximum_active_keys')::bigint);
  insert into funding.api_keys (account_id, name, key_hash, display, expires_at, datasets, daily_quota, addresses)
  values (create_key.account_id, create_key.name, create_key.key_hash, create_key.display, create_key.expires_at, limited.datasets,
    limited.daily_quota, limited.addresses)
  returning * into new_key;
  return new_key;
end
$$;

-- Issues a short-lived key to the explorer of a user in the account, and returns it. A user who has `maximum_explorer_keys` valid ones loses the one
-- that would expire first: its row is used again. Otherwise a row of the account whose key is no longer valid is used again, with its usage. So an
-- account has at most that many rows for each member. No user's keys end those of another: where they did, and more browsers were open than keys
-- allowed, each request made a key. Keys and callers from before the column have no user, and share a number of their own.
create or replace function funding.issue_explorer_key(account_id uuid, key_hash text, display text, user_id uuid default null)
returns funding.api_keys
language plpgsql as $$
declare
  expiry constant timestamptz := funding.latest_now() + make_interval(mins => funding.setting('explorer_key_minutes')::integer);
  maximum constant bigint := funding.setting('maximum_explorer_keys')::bigint;
  must_end_one boolean;
  issued funding.api_keys;
begin
  perform from funding.accounts where accounts.id = issue_explorer_key.account_id for no key update;
  select count(*) >= maximum into must_end_one
  from funding.api_keys as own_key
  where own_key.account_id = issue_explorer_key.account_id and own_key.is_explorer
    and own_key.explorer_user_id is not distinct from issue_explorer_key.user_id and funding.is_valid(own_key);
  update funding.api_keys as used_again
  set key_hash = issue_explorer_key.key_hash, display = issue_explorer_key.display, explorer_user_id = issue_explorer_key.user_id,
      created_at = now(), expires_at = expiry, revoked_at = null, last_used_at = null
  where used_again.id = (
    select candidate.id
    from funding.api_keys as candidate
    where candidate.account_id = issue_explorer_key.account_id and candidate.is_explorer
      and case when must_end_one
        then candidate.explorer_user_id is not distinct from issue_explorer_key.user_id and funding.is_valid(candidate)
        else not funding.is_valid(candidate) end
    order by candidate.expires_at, candidate.id
    limit 1)
  returning * into issued;
  if not found then
    insert into funding.api_keys (account_id, name, key_hash, display, expires_at, is_explorer, explorer_user_id)
    values (issue_explorer_key.account_id, 'Explorer', issue_explorer_key.key_hash, issue_explorer_key.display, expiry, true,
      issue_explorer_key.user_id)
    returning * into issued;
  end if;
  return issued;
end
$$;

-- Adds a key to the account of an e-mail address. Returns the key's id.
create or replace function funding.create_key(
  email text, name text, key_hash text, display text, expires_at timestamptz default null, limits jsonb default null)
returns uuid
language sql as $$
  select (funding.create_key(funding.account_id(email), name, key_hash, display, expires_at, limits)).id
$$;

-- Key with other limits, those of a JSON object: `datasets` (a list), `daily_quota` (a number) and `addresses` (a list of CIDR ranges). Null is no
-- limit. A limit that is absent stays.
create or replace function funding.with_limits(api_key funding.api_keys, limits jsonb) returns funding.api_keys
language plpgsql immutable as $$
begin
  if limits ? 'datasets' then
    api_key.datasets := case when jsonb_typeof(limits->'datasets') = 'array' then
      array(select jsonb_array_elements_text(limits->'datasets')) end;
  end if;
  if limits ? 'daily_quota' then
    api_key.daily_quota := (limits->>'daily_quota')::bigint;
  end if;
  if limits ? 'addresses' then
    api_key.addresses := case when jsonb_typeof(limits->'addresses') = 'array' then
      array(select jsonb_array_elements_text(limits->'addresses')::cidr) end;
  end if;
  return api_key;
end
$$;

-- Changes the limits of a key, and returns the key. The limits hold from its next request on. `account_id` as in `rotate_key`, `limits` as in
-- `with_limits`.
create or replace function funding.limit_key(key_id uuid, limits jsonb, account_id uuid default null) returns funding.api_keys
language plpgsql as $$
declare
  limited funding.api_keys;
begin
  select * into limited from funding.api_keys
  where api_keys.id = limit_key.key_id and api_keys.account_id = coalesce(limit_key.account_id, api_keys.account_id)
    and not api_keys.is_explorer
  for no key update;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;
  if not funding.is_valid(limited) then
    raise sqlstate 'PT409' using message = 'the key is revoked or expired; create a new one';
  end if;
  limited := funding.with_limits(limited, limits);
  update funding.api_keys set datasets = limited.datasets, daily_quota = limited.daily_quota, addresses = limited.addresses
  where api_keys.id = limited.id
  returning * into limited;
  return limited;
end
$$;

-- Key that replaces a key, or null. A new key that was revoked before it was replaced in turn does not count: the old key still runs out, and can be
-- replaced again.
create or replace function funding.replacement_of(key_id uuid) returns uuid
language sql stable as $$
  select newer.id from funding.api_keys as newer
  where newer.rotated_from = replacement_of.key_id
    and (newer.revoked_at is null or exists (select from funding.api_keys as next where next.rotated_from = newer.id))
  order by newer.created_at desc, newer.id limit 1
$$;

-- Replaces a key by a new one of the same name, expiry and limits, and returns the new key. Both count against one quota. The old key stays valid for
-- the overlap, or until its own expiry if that is sooner. A key is replaced once: a caller that asks again, because the answer was lost on its way,
-- has a new key already. Only if the new key was revoked is the old key replaced again; the next new key then gets the expiry from before the first
-- replacement.
--
-- With an account, the key of another account is as unknown as one that does not exist. So is an explorer's key: the explorer gets a new one instead.
create or replace function funding.rotate_key(key_id uuid, key_hash text, display text, overlap_ interval default '24 hours', account_id uuid default null)
returns funding.api_keys
language plpgsql as $$
declare
  old_key funding.api_keys;
  new_key funding.api_keys;
  full_expiry timestamptz;
begin
  if overlap_ is null or overlap_ < interval '0' or overlap_ > interval '30 days' then
    raise sqlstate 'PT400' using message = 'the overlap must be from 0 to 30 days', hint = 'overlap_hours';
  end if;
  select * into old_key from funding.api_keys
  where api_keys.id = rotate_key.key_id and api_keys.account_id = coalesce(rotate_key.account_id, api_keys.account_id)
    and not api_keys.is_explorer
  for no key update;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;
  if not funding.is_valid(old_key) then
    raise sqlstate 'PT409' using message = 'the key is revoked or expired; create a new one';
  end if;
  if funding.replacement_of(old_key.id) is not null then
    raise sqlstate 'PT409' using message = 'the key has been replaced already; rotate the one that replaced it';
  end if;
  select coalesce(max(revoked.expires_at), case when count(*) = 0 then old_key.expires_at end) into full_expiry
  from funding.api_keys as revoked where revoked.rotated_from = old_key.id;
  perform funding.require_room_for_key(old_key.account_id, 2 * funding.setting('maximum_active_keys')::bigint);
  insert into funding.api_keys (account_id, name, key_hash, display, expires_at, rotated_from, datasets, daily_quota, quota_key_id, addresses)
  values (old_key.account_id, old_key.name, rotate_key.key_hash, rotate_key.display, full_expiry, old_key.id, old_key.datasets,
    old_key.daily_quota, coalesce(old_key.quota_key_id, old_key.id), old_key.addresses)
  returning * into new_key;
  update funding.api_keys
  set expires_at = least(full_expiry, funding.latest_now() + overlap_)
  where api_keys.id = old_key.id;
  return new_key;
end
$$;

-- Revokes a key at once, and returns it. Revoking it twice is no error. `account_id` as in `rotate_key`.
create or replace function funding.revoke_key(key_id uuid, account_id uuid default null) returns funding.api_keys
language plpgsql as $$
declare
  revoked funding.api_keys;
begin
  update funding.api_keys set revoked_at = coalesce(revoked_at, now())
  where api_keys.id = revoke_key.key_id and api_keys.account_id = coalesce(revoke_key.account_id, api_keys.account_id)
  returning * into revoked;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;
  return revoked;
end
$$;

-- Largest number of keys that a response lists. It is never less than the number of keys that can be active.
create or replace function funding.keys_told() returns bigint
language plpgsql stable as $$
begin
  return greatest(500, 2 * funding.setting('maximum_active_keys')::bigint);
end
$$;

-- supabase/schemas/accounts/members.sql
-- Members of accounts: the users who may use an account, and their roles. An `owner` does everything; a `member` does everything except deciding who
-- is in the account and what it is charged for. The user of `accounts.auth_user_id`, whose own account it is, is a member like the others:
-- `funding.keep_own_member`.
--
-- Changes of an account's members lock the account's row first and check the caller's role again behind the lock, so that two of them at once cannot
-- leave the account without an owner. Functions that check are volatile: a stable one would not see changes that were committed meanwhile.

-- Role of a user in an account; null where the user is not in it.
create or replace function funding.role_of(account_id uuid, user_id uuid) returns text
language plpgsql volatile as $$
begin
  return (select member.role from funding.members as member where member.account_id = role_of.account_id and member.user_id = role_of.user_id);
end
$$;

-- Raises unless the user is an owner of the account: PT403, or PT404 where the user is not in the account, as for an account that does not exist.
create or replace function funding.require_owner(account_id uuid, user_id uuid) returns void
language plpgsql volatile as $$
declare
  own_role constant text := funding.role_of(account_id, user_id);
begin
  if own_role is null then
    raise sqlstate 'PT404' using message = 'you are in no such account', hint = 'X-Account-Id';
  end if;
  if own_role <> 'owner' then
    raise sqlstate 'PT403' using hint = 'role', message = format(
      'This needs the role owner, and yours in this account is %s. Ask one of its owners.', own_role);
  end if;
end
$$;

-- Makes other changes of the account's members and invitations wait for this one. `may_release` is for a change with which the account's address may
-- go: it takes the stronger lock at once. Two changes that made their locks stronger later would wait for each other.
create or replace function funding.lock_members(account_id uuid, may_release boolean default false) returns void
language plpgsql as $$
begin
  if may_release then
    perform from funding.accounts where accounts.id = lock_members.account_id for update;
  else
    perform from funding.accounts where accounts.id = lock_members.account_id for no key update;
  end if;
end
$$;

-- Present e-mail address of a member; where the user is deleted, the address by which they came.
create or replace function funding.member_email(member funding.members) returns text
language plpgsql stable as $$
begin
  if to_regclass('auth.users') is null then
    return member.email;
  end if;
  return coalesce((select funding.folded_address(auth_user.email) from auth.users as auth_user where auth_user.id = member.user_id and auth_user.email <> ''), member.email);
end
$$;

-- Whether a member's user exists and was not deleted.
create or replace function funding.has_user(member funding.members) returns boolean
language plpgsql stable as $$
begin
  return to_regclass('auth.users') is not null
    and exists (select from auth.users as auth_user where auth_user.id = member.user_id and auth_user.deleted_at is null);
end
$$;

-- Address by which an account is called. Where its own user left, it is the address of the owner who joined first.
create or replace function funding.account_email(account funding.accounts) returns text
language plpgsql stable as $$
begin
  return coalesce(account.email, (
    select funding.member_email(member) from funding.members as member where member.account_id = account.id
    order by member.role = 'owner' desc, member.joined_at, member.id limit 1), account.id || '@account.invalid');
end
$$;

-- Raises unless the account has an owner besides this member. An owner whose user is deleted does not count.
create or replace function funding.require_other_owner(member funding.members) returns void
language plpgsql volatile as $$
begin
  if not exists (
    select from funding.members as other join auth.users as auth_user on auth_user.id = other.user_id
    where other.account_id = member.account_id and other.id <> member.id and other.role = 'owner' and auth_user.deleted_at is null
  ) then
    raise sqlstate 'PT409' using message = 'this is the last owner of the account; make somebody else an owner first';
  end if;
end
$$;

-- Raises PT400 for an unknown role.
create or replace function funding.require_role(role text) returns void
language plpgsql immutable as $$
begin
  if role is null or role not in ('owner', 'member') then
    raise sqlstate 'PT400' using message = 'must be owner or member', hint = 'role';
  end if;
end
$$;

-- Trigger of `members`: withdraws the open invitations of somebody who is an owner no more, in whatever way that came: they could come back by one of
-- them. An invitation knows its owner by the user, because addresses change.
create or replace function funding.withdraw_invitations() returns trigger
language plpgsql as $$
begin
  perform funding.end_invitation(pending, 'withdrawn') from funding.invitations as pending
  where pending.account_id = old.account_id and pending.invited_by_user = old.user_id;
  return null;
end
$$;

-- Whether an invitation still has the authority by which it was made: the operator's, or that of a user who is an owner of the account and exists.
create or replace function funding.is_authorized(invitation funding.invitations) returns boolean
language plpgsql stable as $$
begin
  return invitation.invited_by is null or exists (
    select from funding.members as inviter join auth.users as auth_user on auth_user.id = inviter.user_id
    where inviter.account_id = invitation.account_id and inviter.user_id = invitation.invited_by_user and inviter.role = 'owner'
      and auth_user.deleted_at is null and (auth_user.banned_until is null or auth_user.banned_until <= now()));
end
$$;

-- Present address of the owner who made an invitation; null for the operator.
create or replace function funding.inviter_email(invitation funding.invitations) returns text
language sql stable as $$
  select coalesce((
    select funding.member_email(inviter) from funding.members as inviter
    where inviter.account_id = invitation.account_id and inviter.user_id = invitation.invited_by_user), invitation.invited_by)
$$;

-- Raises PT404 where a user is not in the account, behind its lock: a user who was removed while the request waited gets nothing.
create or replace function funding.require_member(account_id uuid, user_id uuid) returns void
language plpgsql volatile as $$
begin
  if funding.role_of(account_id, user_id) is null then
    raise sqlstate 'PT404' using message = 'you are in no such account', hint = 'X-Account-Id';
  end if;
end
$$;

-- Gives a member another role. Returns the member. PT404 where the account has no such member. The caller has locked the account.
create or replace function funding.change_role(account_id uuid, member_id uuid, role text) returns funding.members
language plpgsql as $$
declare
  changed funding.members;
begin
  perform funding.require_role(change_role.role);
  select * into changed from funding.members as member where member.id = member_id and member.account_id = change_role.account_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no member %s', member_id);
  end if;
  if changed.role = 'owner' and change_role.role <> 'owner' then
    perform funding.require_other_owner(changed);
  end if;
  update funding.members as member set role = change_role.role where member.id = changed.id and member.role <> change_role.role;
  changed.role := change_role.role;
  return changed;
end
$$;

-- Removes a member from an account. Keys, webhooks and saved searches that the member made stay: they are the account's. The caller has locked the
-- account.
create or replace function funding.remove_from_account(account_id uuid, member_id uuid) returns void
language plpgsql as $$
declare
  removed funding.members;
begin
  select * into removed from funding.members as member where member.id = member_id and member.account_id = remove_from_account.account_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no member %s', member_id);
  end if;
  if removed.role = 'owner' then
    perform funding.require_other_owner(removed);
  end if;
  delete from funding.members as member where member.id = removed.id;
  -- These keys are, or may be, in the removed member's browser.
  update funding.api_keys as explorer_key set revoked_at = now()
  where explorer_key.account_id = remove_from_account.account_id and explorer_key.is_explorer and funding.is_valid(explorer_key)
    and coalesce(explorer_key.explorer_user_id = removed.user_id, true);
end
$$;

-- Removes the member with an e-mail address from an account, or withdraws the address's invitation, as an operator does. A member whose user was
-- deleted keeps an address that another may have by now: who can sign in is meant first.
create or replace function funding.remove_member_by_email(account text, address text) returns void
language plpgsql as $$
declare
  own_id constant uuid := funding.account_id(account);
  member_id uuid;
begin
  perform funding.lock_members(own_id, may_release => true);
  select member.id into member_id from funding.members as member
  where member.account_id = own_id and funding.member_email(member) = funding.folded_address(address)
  order by funding.has_user(member) desc, member.id
  limit 1;
  if found then
    perform funding.remove_from_account(own_id, member_id);
    return;
  end if;
  perform funding.end_invitation(pending, 'withdrawn') from funding.invitations as pending
  where pending.account_id = own_id and pending.email = funding.folded_address(address) and funding.expiry_of(pending) > funding.latest_now();
  if not found then
    raise sqlstate 'PT404' using message = format('%s is neither a member of the account nor invited', address);
  end if;
end
$$;

-- Time until which an invitation can be accepted.
create or replace function funding.expiry_of(invitation funding.invitations) returns timestamptz
language sql stable as $$
  select invitation.created_at + funding.setting('invitation_days')::double precision * interval '1 day'
$$;

-- Invites the user who confirms an e-mail address. Returns the invitation. `invited_by` is an owner's present address and `invited_by_user` the owner;
-- both are null for the operator. The caller has locked the account. The account's expired invitations are deleted, so an earlier one of the address
-- gives way: as soon as nobody can accept it, also while the bounded clock is behind.
create or replace function funding.invite(account_id uuid, email text, role text, invited_by text, invited_by_user uuid default null)
returns funding.invitations
language plpgsql as $$
declare
  address constant text := funding.folded_address(invite.email);
  maximum constant bigint := funding.setting('maximum_invitations')::bigint;
  invitation funding.invitations;
begin
  perform funding.require_role(invite.role);
  if exists (select from funding.members as member where member.account_id = invite.account_id and funding.member_email(member) = address) then
    raise sqlstate 'PT409' using message = format('%s is a member of the account already', address);
  end if;
  delete from funding.invitations as expired where expired.account_id = invite.account_id
    and funding.expiry_of(expired) <= case when expired.email = address then funding.latest_now() else funding.bounded_now() end;
  if (
    select count(*) from funding.invitations as pending
    where pending.account_id = invite.account_id and funding.expiry_of(pending) > funding.latest_now()
  ) >= maximum then
    raise sqlstate 'PT409' using message = format('the account has %s open invitations, which is the most; withdraw one first', maximum);
  end if;
  insert into funding.invitations as pending (account_id, email, role, invited_by, invited_by_user)
  values (invite.account_id, address, invite.role, invite.invited_by, invite.invited_by_user)
  on conflict on constraint invitations_once do nothing
  returning * into invitation;
  if not found then
    raise sqlstate 'PT409' using message = format('%s is invited already; withdraw that invitation first', address);
  end if;
  return invitation;
end
$$;

-- Ends an invitation: accepted, declined or withdrawn. Its trigger logs the outcome.
create or replace function funding.end_invitation(invitation funding.invitations, outcome text) returns void
language plpgsql as $$
begin
  update funding.invitations as pending set outcome = end_invitation.outcome where pending.id = invitation.id;
  delete from funding.invitations as pending where pending.id = invitation.id;
end
$$;

-- Open invitation to an e-mail address, locked together with its account, or PT404: also for an invitation to another address.
create or replace function funding.received_invitation(invitation_id uuid, email text) returns funding.invitations
language plpgsql volatile as $$
declare
  invitation funding.invitations;
begin
  -- The account is locked first, as by a withdrawal of the invitation.
  perform funding.lock_members(pending.account_id) from funding.invitations as pending
  where pending.id = invitation_id and pending.email = received_invitation.email;
  select * into invitation from funding.invitations as pending
  where pending.id = invitation_id and pending.email = received_invitation.email and funding.expiry_of(pending) > funding.latest_now()
    and funding.is_authorized(pending);
  if not found then
    raise sqlstate 'PT404' using message = format('there is no invitation %s', invitation_id), hint = 'invitation';
  end if;
  return invitation;
end
$$;

-- Trigger of `accounts`: makes the account's own user an owner. A new own user takes the place of the former one.
create or replace function funding.keep_own_member() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from funding.members as former where former.account_id = new.id and former.user_id = old.auth_user_id;
  end if;
  if new.auth_user_id is not null then
    insert into funding.members (account_id, user_id, email, role)
    values (new.id, new.auth_user_id, coalesce(new.email, new.id || '@account.invalid'), 'owner')
    on conflict on constraint members_once do update set role = 'owner';
  end if;
  return null;
end
$$;

-- Trigger of `members`: an account whose own user goes is nobody's own any more, and has no address. With its address, the account would be given
-- back to that user at their next sign-in.
create or replace function funding.release_account() returns trigger
language plpgsql as $$
begin
  update funding.accounts set auth_user_id = null, email = null where accounts.id = old.account_id and accounts.auth_user_id = old.user_id;
  return null;
end
$$;

-- supabase/schemas/accounts/request_log.sql
-- Request log: an account's latest requests, one by one.

-- Writes the requests of a batch of usage into the log: each item of `events` may have `lines`, its requests one by one: { request_id, at, method,
-- duration_ms, problem, detail, errors, head, parameters, searches }. Of each account, the first answered requests of an hour are kept, and as many failed ones, so
-- that a flood of answers hides no failure. All accounts together have a maximum. Beyond it each account still has its first requests, a
-- five-hundredth of the maximum, so that busy accounts leave something for the others. The last statement of `record_usage`, and in the order of
-- accounts, so that two batches cannot deadlock.
create or replace function funding.log_requests(events jsonb) returns void
language plpgsql as $$
declare
  present constant timestamptz := funding.latest_now();
  -- A time from a clock that is far behind must not make a request too old to be kept.
  earliest constant timestamptz := funding.bounded_now() - interval '1 day';
  this_hour constant timestamptz := date_trunc('hour', present, 'UTC');
  maximum constant bigint := funding.setting('request_log_account_maximum')::bigint;
  overall constant bigint := funding.setting('request_log_maximum')::bigint;
  guaranteed constant bigint := overall / 500;
  room bigint;
begin
  if maximum = 0 then
    return;
  end if;
  select overall - coalesce(sum(least(known.answered, maximum) + least(known.failed, maximum)), 0)
  into room from funding.request_log_counts as known where known.hour = this_hour;

  with line as materialized (
    select api_key.account_id, api_key.id as api_key_id, api_key.name as key_name, account.keeps_search_text, event.endpoint, event.status,
           greatest(least(item.at, present), earliest) as at, item.request_id, item.method, item.duration_ms, item.problem, item.detail, item.errors, item.head, item.parameters, item.searches,
           row_number() over of_kind as position,
           count(*) over (partition by api_key.account_id, event.status >= 400) as in_batch
    from jsonb_to_recordset(events) as event(api_key_id uuid, key_hash text, endpoint text, status smallint, lines jsonb)
    join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
    join funding.accounts as account on account.id = api_key.account_id
    cross join lateral jsonb_to_recordset(event.lines) as item(
      request_id text, at timestamptz, method text, duration_ms real, problem text, detail text, errors jsonb, head jsonb, parameters jsonb, searches jsonb)
    window of_kind as (partition by api_key.account_id, event.status >= 400 order by item.at)
  ), counted as (
    insert into funding.request_log_counts as known (hour, account_id, answered, failed)
    select this_hour, line.account_id, count(*) filter (where line.status < 400), count(*) filter (where line.status >= 400)
    from line group by line.account_id order by line.account_id
    on conflict on constraint request_log_counts_pkey do update
      set answered = known.answered + excluded.answered, failed = known.failed + excluded.failed
    returning known.account_id, known.answered, known.failed
  ), placed as (
    -- Number of the request among the account's requests of this hour and kind: the number in earlier batches, and its place in this one.
    select line.*, case when line.status >= 400 then counted.failed else counted.answered end - line.in_batch + line.position as in_hour
    from line join counted on counted.account_id = line.account_id
  ), ranked as (
    select placed.*, row_number() over (order by placed.status >= 400 desc, placed.at) as in_room
    from placed where placed.in_hour <= maximum
  )
  insert into funding.request_log
    (account_id, at, request_id, api_key_id, key_name, method, endpoint, status, duration_ms, problem, detail, errors, head, parameters, searches)
  select ranked.account_id, ranked.at, ranked.request_id, ranked.api_key_id, ranked.key_name, ranked.method, ranked.endpoint, ranked.status,
         ranked.duration_ms, ranked.problem, ranked.detail, ranked.errors, ranked.head, coalesce(ranked.parameters, '{}'),
         case when ranked.keeps_search_text then coalesce(ranked.searches, '{}') else funding.search_lengths(ranked.searches) end
  from ranked where ranked.in_room <= room or ranked.in_hour <= guaranteed;
end
$$;

-- Searches by name with the number of characters in place of each text.
create or replace function funding.search_lengths(searches jsonb) returns jsonb
language sql immutable as $$
  select coalesce(jsonb_object_agg(item.key, case jsonb_typeof(item.value)
    when 'string' then to_jsonb(length(item.value #>> '{}')) else item.value end), '{}')
  from jsonb_each(coalesce(searches, '{}')) as item
$$;

-- A request as its account sees it. Stored texts are left out once the account does not keep texts any more.
create or replace function funding.request_body(request funding.request_log) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'request_id', request.request_id,
    'at', funding.moment(request.at),
    'key', jsonb_build_object('id', request.api_key_id, 'name', coalesce(
      (select api_key.name from funding.api_keys as api_key where api_key.id = request.api_key_id), request.key_name)),
    'method', request.method,
    'endpoint', request.endpoint,
    'status', request.status,
    'duration_ms', round(request.duration_ms::numeric, 2),
    'problem', case when request.problem is not null then
      jsonb_build_object('name', request.problem, 'detail', coalesce(request.detail, ''), 'errors', coalesce(request.errors, '[]')) end,
    'head', coalesce(request.head, '{}'),
    'parameters', request.parameters || coalesce((
      select jsonb_object_agg(item.key, item.value)
      from jsonb_each(request.searches) as item
      where account.keeps_search_text and jsonb_typeof(item.value) = 'string'), '{}'),
    'withheld', coalesce((
      select jsonb_object_agg(item.key, item.value)
      from jsonb_each(funding.search_lengths(request.searches)) as item
      where not (account.keeps_search_text and jsonb_typeof(request.searches -> item.key) = 'string')), '{}'))
  from (select coalesce(
    (select accounts.keeps_search_text from funding.accounts where accounts.id = request.account_id), false) as keeps_search_text) as account
$$;

-- The account's requests, newest first: { requests, next }, with `next` as the `page` of the next call, or null. `filter` may have request_id,
-- status_class (2 to 5), endpoint, key_id, since, until, page: { at, id } and limit.
create or replace function public.list_account_requests(user_id uuid, session_id uuid, filter jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_account_requests.user_id, list_account_requests.session_id);
  page_size constant integer := least(coalesce((filter->>'limit')::integer, 50), 100);
  result json;
begin
  with found as (
    select logged, logged.at, logged.id
    from funding.request_log as logged
    where logged.account_id = own_id
      and (not filter ? 'request_id' or logged.request_id = filter->>'request_id')
      and (not filter ? 'status_class' or logged.status / 100 = (filter->>'status_class')::integer)
      and (not filter ? 'endpoint' or logged.endpoint = filter->>'endpoint')
      and (not filter ? 'key_id' or logged.api_key_id = (filter->>'key_id')::uuid)
      and (not filter ? 'since' or logged.at >= (filter->>'since')::timestamptz)
      and (not filter ? 'until' or logged.at < (filter->>'until')::timestamptz)
      and (not filter ? 'page' or (logged.at, logged.id) < ((filter->'page'->>'at')::timestamptz, (filter->'page'->>'id')::bigint))
    order by logged.at desc, logged.id desc
    limit page_size + 1
  ), numbered as (
    select found.*, row_number() over (order by found.at desc, found.id desc) as position from found
  )
  select json_build_object(
    'requests', coalesce(json_agg(funding.request_body(numbered.logged) order by numbered.position)
      filter (where numbered.position <= page_size), '[]'),
    'next', case when count(*) > page_size then
      (select json_build_object('at', to_char(last.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'id', last.id::text) from numbered as last where last.position = page_size) end)
  into result from numbered;
  return result;
end
$$;

-- The account's latest request with this id, or PT404. A client may send an id of its own more than once.
create or replace function public.get_account_request(user_id uuid, session_id uuid, request_id text) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_account_request.user_id, get_account_request.session_id);
  found_request funding.request_log;
begin
  select * into found_request from funding.request_log as logged
  where logged.account_id = own_id and logged.request_id = get_account_request.request_id
  order by logged.at desc, logged.id desc limit 1;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no request %s', get_account_request.request_id);
  end if;
  return funding.request_body(found_request);
end
$$;

-- supabase/schemas/accounts/sign_in.sql
-- Sign-in: the user who calls an RPC of the account API, and the account that the call is for.

-- Actor of this transaction's changes: the signed-in user, where `funding.account_of` found one; else the service itself, in an RPC; else an
-- operator.
create or replace function funding.actor(out kind text, out email text)
language plpgsql stable as $$
begin
  email := nullif(current_setting('funding.actor_email', true), '');
  kind := case when email is not null then 'user' when current_setting('role') = 'service_role' then 'system' else 'operator' end;
end
$$;

-- User who makes this transaction's changes; null where nobody is signed in. Who somebody is, is asked by it: addresses change.
create or replace function funding.actor_user_id() returns uuid
language plpgsql stable as $$
begin
  return case when (funding.actor()).kind = 'user' then nullif(current_setting('funding.actor_user_id', true), '')::uuid end;
end
$$;

-- Confirmed e-mail address of a signed-in user. The edge has verified the token's signature, issuer, audience and expiry, and passes on the token's
-- user and session. Facts that a token cannot state are read from the schema of Supabase Auth. (`user_metadata.email_verified` in a token can be
-- changed by the token's owner.) Without Supabase, local/auth/schema.sql makes that schema. Raises:
--   PT401  the session was ended, or there is no such user any more
--   PT403  the user's e-mail address is not confirmed
create or replace function funding.signed_in_email(user_id uuid, session_id uuid) returns text
language plpgsql as $$
declare
  signed_in record;
begin
  select funding.folded_address(auth_user.email) as email, auth_user.email_confirmed_at is not null as is_confirmed
  into signed_in
  from auth.sessions as session
  join auth.users as auth_user on auth_user.id = session.user_id
  where session.id = signed_in_email.session_id and session.user_id = signed_in_email.user_id
    and (session.not_after is null or session.not_after > now())
    and (auth_user.banned_until is null or auth_user.banned_until <= now())
    and auth_user.deleted_at is null;
  if not found then
    raise sqlstate 'PT401' using message = 'the session has ended';
  end if;
  if not signed_in.is_confirmed or coalesce(signed_in.email, '') = '' then
    raise sqlstate 'PT403' using message = 'the e-mail address is not confirmed';
  end if;
  -- For the audit log: `funding.actor` and `funding.actor_user_id`.
  perform set_config('funding.actor_email', signed_in.email, true);
  perform set_config('funding.actor_user_id', signed_in_email.user_id::text, true);
  return signed_in.email;
end
$$;

-- Account that the request names instead of the caller's own; null where it names none. The edge function sends it with each call, in a header of its
-- own, as with `funding.client_address`.
create or replace function funding.chosen_account() returns uuid
language sql stable as $$
  select (nullif(current_setting('request.headers', true), '')::json->>'x-account-id')::uuid
$$;

-- Account of a signed-in user: the account that the request names (`funding.chosen_account`), or else the user's own. Raises as
-- `funding.signed_in_email`, and:
--   PT404  the user is not a member of the account that the request names, or there is no such account
--   PT409  the account of the user's e-mail address belongs to another user
--
-- The first sign-in takes the account that an operator opened for the e-mail address, or else makes a new one, on the free tier. Later sign-ins get
-- the same account, also with a new e-mail address: the account takes over the new address.
create or replace function funding.account_of(user_id uuid, session_id uuid) returns uuid
language plpgsql as $$
declare
  own_email constant text := funding.signed_in_email(account_of.user_id, account_of.session_id);
  chosen_id constant uuid := funding.chosen_account();
  account funding.accounts;
begin
  perform set_config('funding.needs_owner', '', true);
  select * into account from funding.accounts where accounts.auth_user_id = account_of.user_id;
  if chosen_id is not null and chosen_id is distinct from account.id then
    if funding.role_of(chosen_id, account_of.user_id) is null then
      raise sqlstate 'PT404' using message = 'you are in no such account', hint = 'X-Account-Id';
    end if;
    return chosen_id;
  end if;
  if account.email = own_email then
    return account.id;
  end if;
  if account.id is not null then
    -- An address that another account has stays with that account.
    update funding.accounts set email = own_email
    where accounts.id = account.id and not exists (select from funding.accounts as other where other.email = own_email);
    return account.id;
  end if;

  -- Two first requests at once meet at one of the two constraints.
  insert into funding.accounts (email, auth_user_id) values (own_email, account_of.user_id)
  on conflict do nothing
  returning * into account;
  if not found then
    -- The address is the user's, so an account of this address that waits for a user becomes theirs.
    update funding.accounts as waiting set auth_user_id = account_of.user_id
    where waiting.email = own_email and waiting.auth_user_id is null
      and not exists (select from funding.accounts as own where own.auth_user_id = account_of.user_id);
    select * into account from funding.accounts where accounts.auth_user_id = account_of.user_id;
  end if;
  if not found then
    raise sqlstate 'PT409' using message = 'the account of your e-mail address belongs to another sign-in';
  end if;
  return account.id;
end
$$;

-- Account of a signed-in user who has to be one of its owners. Called in place of `funding.account_of`. `funding.require_write` then checks it again.
create or replace function funding.owned_account_of(user_id uuid, session_id uuid) returns uuid
language plpgsql as $$
declare
  own_id constant uuid := funding.account_of(owned_account_of.user_id, owned_account_of.session_id);
begin
  perform funding.require_owner(own_id, owned_account_of.user_id);
  perform set_config('funding.needs_owner', 'true', true);
  return own_id;
end
$$;

-- supabase/schemas/accounts/subscriptions.sql
-- Subscriptions: whether one gives access.

-- Whether a subscription gives access at a moment. It is stable, as the sum of a time and an interval is: Postgres would not inline it otherwise.
create or replace function funding.is_in_force_at(subscription funding.subscriptions, at timestamptz) returns boolean
language sql stable parallel safe as $$
  select coalesce(subscription.status in ('active', 'trialing', 'past_due')
    and (subscription.current_period_end is null or subscription.current_period_end + subscription.grace > at), false)
$$;

-- Whether a subscription gives access now: requests are let in or refused by it, and let in again when a wrong clock is right.
create or replace function funding.is_in_force(subscription funding.subscriptions) returns boolean
language sql stable as $$
  select funding.is_in_force_at(subscription, now())
$$;

-- Whether an account's subscription includes webhooks, which are part of every tier with API access. By the bounded clock: an event that is fanned out
-- without an account's webhooks is lost to them.
create or replace function funding.has_webhooks(account_id uuid) returns boolean
language plpgsql stable as $$
begin
  return exists (
    select from funding.subscriptions as subscription
    join funding.tiers as tier on tier.name = subscription.tier
    where subscription.account_id = has_webhooks.account_id and tier.api_access
      and funding.is_in_force_at(subscription, funding.bounded_now()));
end
$$;

-- supabase/schemas/accounts/usage.sql
-- Usage: requests, errors and response times by day, key, status and endpoint.

-- Adds a batch of finished requests to the usage counts. Each item of `events`:
-- { api_key_id, at, endpoint, status, latency_bucket_ms, requests, duration_ms }, with key_hash in place of api_key_id where the request failed
-- before the key was looked up. An item may have `lines`, its requests one by one, for the request log (request_log.sql). An item with 0 `requests`,
-- of keys that are not valid any more, is only for the log. Keys that do not exist are skipped. The rows are written in key order, so that two
-- batches cannot deadlock. A time in the future, from a clock that is ahead, is counted now, and a time before yesterday is counted yesterday: only
-- retention (retention.sql) writes rows of earlier days.
-- A writer numbers its batches from 1 and sends the next when this one is in; without a writer, every call counts.
create or replace function public.record_usage(events jsonb, writer uuid default null, batch bigint default null) returns void
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  today constant date := funding.quota_day();
  earliest constant timestamptz := (today - 1)::timestamp at time zone 'UTC';
  latest constant timestamptz := least(greatest(now(), today::timestamp at time zone 'UTC'),
    (today + 1)::timestamp at time zone 'UTC' - interval '1 microsecond');
begin
  if writer is not null then
    insert into funding.usage_writers as known (id, batch) values (writer, record_usage.batch)
    on conflict (id) do update set batch = excluded.batch, written_at = funding.latest_now() where known.batch < excluded.batch;
    if not found then
      return;
    end if;
    -- A new writer deletes some old writers. No writer goes on sending a batch for an hour after the batch is in.
    if batch = 1 then
      delete from funding.usage_writers where id in (
        select old.id from funding.usage_writers as old
        where old.created_at < funding.bounded_now() - interval '1 hour' and old.written_at < funding.bounded_now() - interval '1 hour'
        order by old.created_at limit 100 for update skip locked);
    end if;
  end if;

  -- The keys stay until the counts are in: a deletion under way is waited for, and one that comes later waits.
  perform from funding.api_keys
  where id = any (array(select (item ->> 'api_key_id')::uuid from jsonb_array_elements(events) as item))
     or key_hash = any (array(select item ->> 'key_hash' from jsonb_array_elements(events) as item))
  order by id
  for key share;

  insert into funding.usage as counted (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
  select api_key.id, least(greatest((event.at at time zone 'UTC')::date, today - 1), today), event.endpoint, event.status,
         event.latency_bucket_ms, sum(event.requests)
  from jsonb_to_recordset(events) as event(
    api_key_id uuid, key_hash text, at timestamptz, endpoint text, status smallint, latency_bucket_ms integer, requests bigint)
  join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
  where event.requests > 0
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
  on conflict (api_key_id, day, endpoint, status, latency_bucket_ms)
    do update set requests = counted.requests + excluded.requests;

  -- Usage by hour, a row for each key. The day of an hour is the one on which the request is counted, so that hours add up to their day.
  insert into funding.usage_hours as counted (api_key_id, hour, requests, client_errors, server_errors, latencies)
  select bucket.api_key_id, bucket.hour, sum(bucket.requests), sum(bucket.client_errors), sum(bucket.server_errors),
         jsonb_object_agg(bucket.latency_bucket_ms, bucket.requests)
  from (
    select api_key.id as api_key_id, event.latency_bucket_ms, sum(event.requests) as requests,
           date_trunc('hour', greatest(least(event.at, latest), earliest), 'UTC') as hour,
           coalesce(sum(event.requests) filter (where event.status between 400 and 499), 0) as client_errors,
           coalesce(sum(event.requests) filter (where event.status >= 500), 0) as server_errors
    from jsonb_to_recordset(events) as event(
      api_key_id uuid, key_hash text, at timestamptz, status smallint, latency_bucket_ms integer, requests bigint)
    join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
    where event.requests > 0
    group by api_key.id, event.latency_bucket_ms, hour
  ) as bucket
  group by 1, 2
  order by 1, 2
  on conflict on constraint usage_hours_pkey do update set
    requests = counted.requests + excluded.requests, client_errors = counted.client_errors + excluded.client_errors,
    server_errors = counted.server_errors + excluded.server_errors,
    -- Written out as in `funding.added_counts`: a call of that function takes longer than the rest of the row.
    latencies = (
      select jsonb_object_agg(merged.key, merged.requests)
      from (
        select item.key, sum(item.value::bigint) as requests
        from (
          select * from jsonb_each_text(counted.latencies) union all select * from jsonb_each_text(excluded.latencies)) as item
        group by item.key
      ) as merged);

  insert into funding.usage_totals as counted (shard, endpoint, status, latency_bucket_ms, requests, duration_ms)
  select pg_backend_pid() % 16, event.endpoint, event.status, event.latency_bucket_ms, sum(event.requests),
         coalesce(sum(event.duration_ms), 0)
  from jsonb_to_recordset(events) as event(
    api_key_id uuid, key_hash text, endpoint text, status smallint, latency_bucket_ms integer, requests bigint,
    duration_ms double precision)
  join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
  where event.requests > 0
  group by 2, 3, 4
  order by 2, 3, 4
  on conflict (shard, endpoint, status, latency_bucket_ms) do update
    set requests = counted.requests + excluded.requests, duration_ms = counted.duration_ms + excluded.duration_ms;

  -- A time to the minute is enough for the key's owner, and spares a row version for each request. The keys are locked in key order, too, and no more
  -- strongly than by the update itself: each batch's counts refer to the key and lock it in share, so stronger locks of two batches would deadlock.
  with used as (
    select api_key.id, event.at
    from (
      select item.api_key_id, least(max(item.at), now()) as at
      from jsonb_to_recordset(events) as item(api_key_id uuid, at timestamptz)
      group by 1
    ) as event
    join funding.api_keys as api_key on api_key.id = event.api_key_id
    where api_key.last_used_at is null or api_key.last_used_at < event.at - interval '1 minute'
    order by api_key.id
    for no key update of api_key
  )
  update funding.api_keys as api_key set last_used_at = used.at from used where api_key.id = used.id;

  perform funding.beat();

  -- The counts, by which bills go, stay even if the log fails.
  begin
    perform funding.log_requests(events);
  exception when others then
    raise warning 'requests are not in the request log: %', sqlerrm;
  end;
end
$$;

-- Upper bounds of the response-time buckets, in milliseconds, as in shared/usage/recorder.ts.
create or replace function funding.latency_bounds() returns integer[]
language sql immutable parallel safe as $$
  select array[1, 2, 3, 5, 7, 10, 15, 22, 33, 50, 75, 110, 165, 250, 375, 560, 850, 1300, 2000, 3000, 4500, 7000, 10000]
$$;

-- Response time that a share of the requests do not exceed, in milliseconds, or null without requests. `counts` is an object of requests by bucket. A
-- bucket's requests count as evenly spread in it, as in Prometheus' `histogram_quantile`; in the last one, which has no upper bound, as its lower bound.
create or replace function funding.latency_at(counts jsonb, share double precision) returns integer
language sql immutable as $$
  select case when ranked.bucket = 2147483647 then 10000
    else greatest(1, round(bound.lower + (ranked.bucket - bound.lower) * (share * ranked.all_requests - ranked.so_far + ranked.requests) / ranked.requests)) end
  from (
    select item.key::integer as bucket, item.value::bigint as requests,
           sum(item.value::bigint) over (order by item.key::integer) as so_far,
           sum(item.value::bigint) over () as all_requests
    from jsonb_each_text(counts) as item
  ) as ranked
  cross join lateral (select coalesce(max(known), 0) as lower from unnest(funding.latency_bounds()) as known where known < ranked.bucket) as bound
  where ranked.so_far >= share * ranked.all_requests
  order by ranked.bucket
  limit 1
$$;

-- Requests, errors by class and response times, of usage that was summed by bucket.
create or replace function funding.usage_body(requests bigint, client_errors bigint, server_errors bigint, latencies jsonb) returns jsonb
language sql immutable as $$
  select jsonb_build_object(
    'requests', coalesce(requests, 0),
    'client_errors', coalesce(client_errors, 0),
    'server_errors', coalesce(server_errors, 0),
    'latency_ms', jsonb_build_object(
      'p50', funding.latency_at(latencies, 0.5),
      'p95', funding.latency_at(latencies, 0.95),
      'p99', funding.latency_at(latencies, 0.99)))
$$;

-- Usage of these keys by hour, from one UTC day to another, both included, up to the present hour. Only days whose hours are all kept are included:
-- there the hours add up to the count of the day. Hours are counted since an upgrade, and are kept for `usage_hour_days`.
create or replace function funding.usage_by_hour(keys uuid[], first_day date, last_day date) returns json
language sql stable as $$
  with kept_since as materialized (
    select date_trunc('hour', funding.wall_clock() - funding.setting('usage_hour_days')::double precision * interval '1 day', 'UTC') as moment
  ), counted as materialized (
    select by_hour.* from funding.usage_hours as by_hour
    where by_hour.api_key_id = any (keys)
      and by_hour.hour >= first_day::timestamp at time zone 'UTC' and by_hour.hour < (last_day + 1)::timestamp at time zone 'UTC'
  ), summed as (
    select counted.hour, sum(counted.requests)::bigint as requests, sum(counted.client_errors)::bigint as client_errors,
           sum(counted.server_errors)::bigint as server_errors
    from counted group by 1
  ), by_day as (
    select usage.day, sum(usage.requests) as requests
    from funding.usage where usage.api_key_id = any (keys) and usage.day between first_day and last_day group by 1
  ), hours_by_day as (
    select (summed.hour at time zone 'UTC')::date as day, sum(summed.requests) as requests from summed group by 1
  ), whole_day as (
    select listed.day::date as day
    from generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') as listed(day)
    left join by_day on by_day.day = listed.day::date
    left join hours_by_day on hours_by_day.day = listed.day::date
    where listed.day at time zone 'UTC' >= (select kept_since.moment from kept_since)
      and coalesce(by_day.requests, 0) = coalesce(hours_by_day.requests, 0)
  ), bucket as (
    select counted.hour, item.key, sum(item.value::bigint) as requests
    from counted cross join lateral jsonb_each_text(counted.latencies) as item group by 1, 2
  ), latencies as (
    select bucket.hour, jsonb_object_agg(bucket.key, bucket.requests) as counts from bucket group by 1
  )
  select coalesce(json_agg(
    jsonb_build_object('hour', funding.moment(moment.hour))
      || funding.usage_body(summed.requests, summed.client_errors, summed.server_errors, coalesce(latencies.counts, '{}'))
    order by moment.hour), '[]')
  from whole_day
  cross join lateral (
    select whole_day.day::timestamp at time zone 'UTC' + number * interval '1 hour' as hour from generate_series(0, 23) as number) as moment
  left join summed on summed.hour = moment.hour
  left join latencies on latencies.hour = moment.hour
  where moment.hour <= funding.wall_clock()
$$;

-- Rows of `funding.usage` that a usage page reads at most: one for each key, day, endpoint, status and class of response times. They take a fifth of a
-- second, in which the embedded database serves nobody else.
create or replace function funding.usage_page_rows() returns integer
language sql immutable parallel safe as $$ select 150000 $$;

-- The account's usage from one UTC day to another, both included. With a key, only of that key; raises PT404 when the key is not the account's. Of
-- the account's keys, the busiest are listed one by one: `funding.keys_told` of them. A month that is no longer kept by day is counted where the
-- whole month is asked for, and has no days. `include` may have requests_by_day, each key's requests of each day: with 500 busy keys these take a
-- fifth longer for 14 days and two thirds longer for 90. It may also have hours (`funding.usage_by_hour`), null otherwise.
create or replace function public.get_account_usage(
  user_id uuid, session_id uuid, first_day date, last_day date, key_id uuid default null, include text[] default '{}')
returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_account_usage.user_id, get_account_usage.session_id);
  result json;
begin
  if get_account_usage.key_id is not null and not exists (
    select from funding.api_keys where api_keys.id = get_account_usage.key_id and api_keys.account_id = own_id)
  then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;
  if funding.usage_page_rows() < (
    select count(*) from (
      select from funding.usage join funding.api_keys on api_keys.id = usage.api_key_id
      where api_keys.account_id = own_id and (get_account_usage.key_id is null or api_keys.id = get_account_usage.key_id)
        and usage.day between first_day and last_day
      limit funding.usage_page_rows() + 1) as counted)
  then
    raise sqlstate 'PT400' using
      message = 'must be later: the keys of this account have too many counts from this day on to add them up. Ask for fewer days, or for one key with key_id',
      hint = 'from';
  end if;

  with own_key as (
    select api_keys.* from funding.api_keys
    where api_keys.account_id = own_id and (get_account_usage.key_id is null or api_keys.id = get_account_usage.key_id)
  ), rolled as materialized (
    -- Months that are kept as a whole, or are about to be: some of their days may not be rolled up yet.
    select distinct month.month, month.month >= first_day and month.month + interval '1 month' <= last_day + 1 as is_asked
    from funding.usage_months as month join own_key on own_key.id = month.api_key_id
    where month.month between date_trunc('month', first_day::timestamp) and last_day
  ), counted as not materialized (
    select usage.api_key_id, case when rolled.month is null then usage.day end as day, rolled.month,
           usage.endpoint, usage.status, usage.latency_bucket_ms, usage.requests
    from funding.usage join own_key on own_key.id = usage.api_key_id
    left join rolled on rolled.month = date_trunc('month', usage.day::timestamp)
    where usage.day between first_day and last_day and coalesce(rolled.is_asked, true)
    union all
    select month.api_key_id, null, month.month, counter.endpoint, counter.status, counter.latency_bucket_ms, counter.requests
    from rolled join funding.usage_months as month on month.month = rolled.month join own_key on own_key.id = month.api_key_id
    cross join lateral funding.month_counters(month.counts) as counter
    where rolled.is_asked
  ), over_keys as materialized (
    -- Of an account with many keys, a hundredth of the rows. Half a million rows are read twice, with one sum each: every view of its own took three
    -- times as long.
    select counted.month, counted.day, counted.endpoint, counted.status, counted.latency_bucket_ms, sum(counted.requests) as requests
    from counted group by 1, 2, 3, 4, 5
  ), of_key as (
    select counted.api_key_id, counted.latency_bucket_ms, least(counted.status / 100, 5) as status_class, sum(counted.requests) as requests
    from counted group by 1, 2, 3
  ), bucket as (
    -- Each view is a grouping set; a bucket's counts are summed first, then made an object.
    select grouping(over_keys.month, over_keys.day, over_keys.endpoint) as view_,
           over_keys.month, over_keys.day, over_keys.endpoint, over_keys.latency_bucket_ms,
           sum(over_keys.requests) as requests,
           sum(over_keys.requests) filter (where over_keys.status between 400 and 499) as client_errors,
           sum(over_keys.requests) filter (where over_keys.status >= 500) as server_errors
    from over_keys
    group by grouping sets (
      (over_keys.latency_bucket_ms), (over_keys.month, over_keys.latency_bucket_ms), (over_keys.day, over_keys.latency_bucket_ms),
      (over_keys.endpoint, over_keys.latency_bucket_ms))
  ), summed as (
    select bucket.view_, bucket.month, bucket.day, bucket.endpoint, sum(bucket.requests)::bigint as requests,
           funding.usage_body(sum(bucket.requests)::bigint, sum(bucket.client_errors)::bigint, sum(bucket.server_errors)::bigint,
             jsonb_object_agg(bucket.latency_bucket_ms, bucket.requests)) as body
    from bucket group by 1, 2, 3, 4
  ), key_bucket as (
    select of_key.api_key_id, of_key.latency_bucket_ms, sum(of_key.requests) as requests,
           sum(of_key.requests) filter (where of_key.status_class = 4) as client_errors,
           sum(of_key.requests) filter (where of_key.status_class = 5) as server_errors
    from of_key group by 1, 2
  ), summed_key as (
    select key_bucket.api_key_id, sum(key_bucket.requests)::bigint as requests,
           funding.usage_body(sum(key_bucket.requests)::bigint, sum(key_bucket.client_errors)::bigint, sum(key_bucket.server_errors)::bigint,
             jsonb_object_agg(key_bucket.latency_bucket_ms, key_bucket.requests)) as body
    from key_bucket group by 1
  ), nothing as (
    select funding.usage_body(0, 0, 0, '{}') as body
  ), calendar as materialized (
    select listed.day::date as day
    from generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') as listed(day)
    where date_trunc('month', listed.day) not in (select rolled.month from rolled)
  ), told as materialized (
    select own_key.id, own_key.name, own_key.display, own_key.created_at, coalesce(summed_key.requests, 0) as requests, summed_key.body
    from own_key left join summed_key on summed_key.api_key_id = own_key.id
    order by coalesce(summed_key.requests, 0) desc, own_key.created_at desc, own_key.id
    limit funding.keys_told()
  ), told_days as (
    select told.id, json_agg(coalesce(by_day.requests, 0) order by calendar.day) as requests
    from told cross join calendar
    left join (
      select counted.api_key_id, counted.day, sum(counted.requests)::bigint as requests from counted group by 1, 2
    ) as by_day on by_day.api_key_id = told.id and by_day.day = calendar.day
    where 'requests_by_day' = any (get_account_usage.include)
    group by 1
  )
  select json_build_object(
    'totals', coalesce((select summed.body from summed where summed.view_ = 7), nothing.body),
    'days', (
      select coalesce(json_agg(
        jsonb_build_object('day', funding.iso_date(calendar.day)) || coalesce(summed.body, nothing.body) order by calendar.day), '[]')
      from calendar left join summed on summed.view_ = 5 and summed.day = calendar.day),
    'hours', case when 'hours' = any (get_account_usage.include)
      then funding.usage_by_hour(array(select own_key.id from own_key), first_day, last_day) end,
    'months', (
      select coalesce(json_agg(
        jsonb_build_object('month', left(funding.iso_date(summed.month), 7)) || summed.body order by summed.month), '[]')
      from summed where summed.view_ = 3 and summed.month is not null),
    'keys', (
      select coalesce(json_agg(
        jsonb_build_object('id', told.id, 'name', told.name, 'display', told.display)
          || case when 'requests_by_day' = any (get_account_usage.include)
            then jsonb_build_object('requests_by_day', coalesce(told_days.requests, '[]')) else '{}' end
          || coalesce(told.body, nothing.body)
        order by told.requests desc, told.created_at desc, told.id), '[]')
      from told left join told_days on told_days.id = told.id),
    'endpoints', (
      select coalesce(json_agg(jsonb_build_object('endpoint', summed.endpoint) || summed.body
        order by summed.requests desc, summed.endpoint), '[]')
      from summed where summed.view_ = 6),
    'statuses', (
      select coalesce(json_agg(json_build_object('status', by_status.status, 'requests', by_status.requests) order by by_status.status), '[]')
      from (select over_keys.status, sum(over_keys.requests)::bigint as requests from over_keys group by 1) as by_status))
  into result from nothing;
  return result;
end
$$;

-- supabase/schemas/accounts/usage_months.sql
-- Usage by month: what is older than the retention of usage by day.

-- Name of a counter in `funding.usage_months`. `funding.month_counters` reads it.
create or replace function funding.month_counter(status smallint, latency_bucket_ms integer, endpoint text) returns text
language sql immutable parallel safe as $$
  select format('%s %s %s', status, latency_bucket_ms, endpoint)
$$;

-- Counters of a row of `funding.usage_months`.
create or replace function funding.month_counters(
  counts jsonb, out status smallint, out latency_bucket_ms integer, out endpoint text, out requests bigint) returns setof record
language sql immutable parallel safe as $$
  select split_part(item.key, ' ', 1)::smallint, split_part(item.key, ' ', 2)::integer, regexp_replace(item.key, '^\S+ \S+ ', ''), item.value::bigint
  from jsonb_each_text(counts) as item
$$;

-- Sum of two objects of counts.
create or replace function funding.added_counts(one jsonb, other jsonb) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(jsonb_object_agg(counter.key, counter.requests), '{}')
  from (
    select item.key, sum(item.value::bigint) as requests
    from (select * from jsonb_each_text(one) union all select * from jsonb_each_text(other)) as item
    group by item.key
  ) as counter
$$;

-- Adds usage of days before `cutoff` to its months, and deletes it: at most `maximum` rows, of the keys with the oldest usage. It goes key by key,
-- since each batch writes its months anew: day by day that was 31 times a month. One statement does both, so at any time a request is counted in one
-- place. A key that is being deleted is left alone. Returns the number of rows.
create or replace function funding.roll_up_usage(cutoff date, maximum integer) returns bigint
language plpgsql as $$
declare
  keys constant uuid[] := array(
    select distinct oldest.api_key_id
    from (
      select old.api_key_id from funding.usage as old join funding.api_keys as api_key on api_key.id = old.api_key_id
      where old.day < cutoff order by old.day limit maximum for key share of api_key skip locked) as oldest);
  rolled bigint;
begin
  with gone as (
    delete from funding.usage where ctid = any (array(
      select old.ctid
      from unnest(keys) as key(id)
      -- A subquery of its own, so that no plan goes day by day.
      cross join lateral (
        select candidate.ctid from funding.usage as candidate
        where candidate.api_key_id = key.id and candidate.day < cutoff limit maximum for update skip locked) as old
      limit maximum))
    returning api_key_id, day, endpoint, status, latency_bucket_ms, requests
  ), counter as (
    select gone.api_key_id, date_trunc('month', gone.day::timestamp)::date as month,
           funding.month_counter(gone.status, gone.latency_bucket_ms, gone.endpoint) as name, sum(gone.requests) as requests
    from gone group by 1, 2, 3
  ), added as (
    insert into funding.usage_months as known (api_key_id, month, counts)
    select counter.api_key_id, counter.month, jsonb_object_agg(counter.name, counter.requests) from counter group by 1, 2 order by 1, 2
    on conflict on constraint usage_months_pkey do update set counts = funding.added_counts(known.counts, excluded.counts)
  )
  select count(*) into rolled from gone;
  return rolled;
end
$$;

-- supabase/schemas/accounts/write_limits.sql
-- Rate limits: daily limits of a signed-in user's writes, by account and kind. Each such write makes rows, or has something sent to an address that
-- the account names.

-- Limit of an account's writes of a kind on this day: { limit, remaining, resets_at }. -1 means no limit.
create or replace function funding.write_limit(account_id uuid, kind text) returns json
language plpgsql stable as $$
declare
  today constant date := funding.quota_day();
  maximum constant bigint := funding.setting('write_limit_' || kind)::bigint;
  -- A write that began before midnight may come after one of the new day.
  used_today constant bigint := coalesce((
    select counted.used from funding.account_writes as counted
    where counted.account_id = write_limit.account_id and counted.kind = write_limit.kind and counted.day >= today), 0);
begin
  return json_build_object(
    'limit', maximum,
    'remaining', case when maximum < 0 then -1 else greatest(0, maximum - used_today) end,
    'resets_at', case when maximum >= 0 then funding.moment((today + 1)::timestamp at time zone 'UTC') end);
end
$$;

-- Begins a write. Raises PT429 with the limit as its detail when an account has no write of a kind left, and 53100 when the disk has no room for one:
-- that is checked first and without a lock, so that a write which will be refused costs nothing. Then whoever makes the write stays in the account,
-- and in the role that the write needs, until it ends: a removal waits for it, and a write that waited for a removal is refused.
create or replace function funding.require_write(account_id uuid, kind text) returns void
language plpgsql volatile as $$
declare
  allowed constant json := funding.write_limit(account_id, kind);
  actor_id constant uuid := nullif(current_setting('funding.actor_user_id', true), '')::uuid;
begin
  perform funding.require_room();
  if allowed->>'remaining' = '0' then
    raise sqlstate 'PT429' using detail = allowed, message = format(
      'The account''s limit of %s %s a day is used up. It starts anew at midnight UTC: %s.',
      allowed->>'limit', replace(kind, '_', ' '), allowed->>'resets_at');
  end if;
  if actor_id is null then
    return;
  end if;
  if current_setting('funding.needs_owner', true) = 'true' then
    perform funding.lock_members(require_write.account_id);
    perform funding.require_owner(require_write.account_id, actor_id);
  else
    -- Members' writes do not wait for each other.
    perform from funding.accounts where accounts.id = require_write.account_id for key share;
    perform funding.require_member(require_write.account_id, actor_id);
  end if;
end
$$;

-- Counts a write and returns its result, with the limit as `write_limit` in it, or raises as `require_write` does. It is the last statement of a
-- write: it locks the account's count of this kind until the transaction ends, which is at once. A write that is refused or fails is not counted.
create or replace function funding.count_write(account_id uuid, kind text, body json) returns json
language plpgsql as $$
declare
  maximum constant bigint := funding.setting('write_limit_' || kind)::bigint;
begin
  if maximum >= 0 then
    -- One statement checks the limit and counts, so parallel writes cannot share the last one of a limit.
    insert into funding.account_writes as counted (account_id, kind, day, used)
    select count_write.account_id, count_write.kind, funding.quota_day(), 1 where maximum > 0
    on conflict on constraint account_writes_pkey do update
      set used = case when counted.day < excluded.day then 1 else counted.used + 1 end, day = greatest(counted.day, excluded.day)
      where counted.day < excluded.day or counted.used < maximum;
    if not found then
      perform funding.require_write(account_id, kind);
    end if;
  end if;
  return funding.with_write_limit(account_id, kind, body);
end
$$;

-- A result with `write_limit` as its last member.
create or replace function funding.with_write_limit(account_id uuid, kind text, body json) returns json
language sql stable as $$
  select json_object_agg(member.key, member.value order by member.position)
  from (
    select key, value, ordinality as position from json_each(body) with ordinality
    union all
    select 'write_limit', funding.write_limit(account_id, kind), null
  ) as member
$$;

-- supabase/schemas/lists/awards.sql
-- Awards of an opportunity: those under its number, else earlier ones of its programme.

-- Awards under an opportunity's number, the newest first: ids of a page and one more where another page follows, how sure each is, and the total.
create or replace function funding.awards_by_number(
  number text, after_cursor jsonb, page_size bigint, out ids uuid[], out certainties text[], out total bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  own constant text := upper(number);
  numbers constant text[] := funding.numbers_of_awards(number);
  is_shared constant boolean := 1 < (
    select count(*) from funding.grants as record
    where upper(record.details->>'opportunity_number') = own and record.details ? 'opportunity_number' and record.classification = 'opportunity');
begin
  with linked as materialized (
    select record.id, record.created_at,
           case when upper(record.details->>'opportunity_number') = own and not is_shared then 'certain' else 'likely' end as certainty
    from funding.grants as record
    where record.details ? 'opportunity_number' and upper(record.details->>'opportunity_number') = any (numbers)
      and record.classification = 'awarded_project' and record.archived_at is null
  ), listed as (
    select linked.id, linked.certainty, linked.created_at from linked
    where after_cursor is null or (linked.created_at, linked.id) < ((after_cursor->>'key')::timestamptz, (after_cursor->>'id')::uuid)
    order by linked.created_at desc, linked.id desc
    limit page_size + 1
  )
  select array_agg(listed.id order by listed.created_at desc, listed.id desc), array_agg(listed.certainty order by listed.created_at desc, listed.id desc),
         (select count(*) from linked)
  into ids, certainties, total
  from listed;
end
$$;

-- Names under which publishers give an agency: its abbreviation for its name, the name for the abbreviation, with and without "U.S.".
create or replace function funding.agency_spellings(agency text) returns text[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  plain constant text := regexp_replace(agency, '^(U\.? ?S\.?|United States) (?=\w)', '', 'i');
  full_name constant text := coalesce((select known.name from funding.agency_abbreviations as known where known.abbreviation = lower(agency)), plain);
begin
  return array[agency, full_name, 'U.S. ' || full_name] || array(
    select upper(known.abbreviation) from funding.agency_abbreviations as known where funding.name_key(known.name) = funding.name_key(full_name));
end
$$;

-- Filter of the earlier awards of an opportunity's programme; null where its programme is not known. The same agency is one of those below its
-- department, where it names any.
create or replace function funding.programme_filter(details jsonb, posted_at timestamptz) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  listings constant jsonb := jsonb_path_query_array(details, '$.assistance_listings[*].number');
  agency constant jsonb := details->'agency';
begin
  if listings = '[]' or coalesce(jsonb_array_length(agency), 0) = 0 then
    return null;
  end if;
  return jsonb_build_object('opportunity_type', 'awarded', 'assistance_listing', listings,
    'agency', (
      select jsonb_agg(distinct spelling)
      from jsonb_array_elements_text(case when jsonb_array_length(agency) > 1 then agency - 0 else agency end) as given(name)
      cross join unnest(funding.agency_spellings(given.name)) as spelling),
    'posted_range', jsonb_build_object('operator', 'between', 'min', '0001-01-01T00:00:00Z', 'max', funding.moment(posted_at)));
end
$$;

-- Awards of an opportunity, the newest first: { results, total, next, data_as_of }, each record with its `link` and `certainty`. None of an award;
-- null where there is no such record. `parameters` has `limit`, `cursor` and `expand` of a list.
create or replace function funding.awards_of(record_id uuid, parameters jsonb) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  page_size constant bigint := (parameters->>'limit')::bigint;
  -- Read before the records.
  current_version constant bigint := funding.page_version('grants');
  opportunity record;
  filter jsonb;
  numbered record := row(null);
  listed funding.listed_page := ('[]', null, 0);
  link text := 'number';
begin
  perform funding.require_bounds(null, page_size, 0);
  select record.details, record.created_at, record.classification into opportunity from funding.grants as record where record.id = record_id;
  if not found then
    return null;
  end if;
  if opportunity.classification = 'opportunity' then
    select * into numbered from funding.awards_by_number(opportunity.details->>'opportunity_number', parameters->'cursor', page_size);
    filter := funding.programme_filter(opportunity.details, opportunity.created_at);
    if numbered.total > 0 then
      listed := funding.grants_listed(coalesce(numbered.ids, '{}'), page_size, 'created_at', 'desc');
      listed.total := numbered.total;
    elsif filter is not null then
      link := 'programme';
      listed := funding.cached_page('grants', funding.list_request_of('grants', filter || '{"sort_by": "created_at", "order": "desc", "offset": 0}'
        || jsonb_strip_nulls(jsonb_build_object('limit', page_size, 'cursor', parameters->'cursor'))), null, null, current_version);
    end if;
  end if;
  if parameters->'expand' ? 'details' then
    listed.page := funding.with_details('grants', listed.page);
  end if;
  return json_build_object('results', (
      select coalesce(json_agg(funding.with_member(funding.with_member(item.body, 'link', to_json(link)), 'certainty',
        to_json(case link when 'number' then numbered.certainties[array_position(numbered.ids, (item.body->>'id')::uuid)] else 'possible' end))
        order by item.position), '[]')
      from json_array_elements(listed.page) with ordinality as item(body, position)),
    'total', listed.total, 'next', listed.next, 'data_as_of', funding.moment(funding.data_as_of('grants')));
end
$$;

-- supabase/schemas/lists/facets.sql
-- Facets: how many of a list's records each value of a field would leave, as the total of the list with the field's parameter set to it.

-- SQL of what a facet counts: the beginning of a query, which ends with `keyed`, the spellings of values with their keys, and `counted`, a value for
-- each key with its number of records. It reads `matching`, which has the records' ids, their values under the facet's name and, where some records are
-- found by all values, whether they are under NAME_by_all.
--
-- Values that are taken together are counted as one, under the spelling that most records have. A value that the parameter does not take, because it
-- is too long, is left out. Where the list is filtered by the parameter, the values are those of the filter: a count of another would be of the
-- records that have both.
create or replace function funding.facet_values(dataset text, facet text, filter jsonb) returns text
language plpgsql immutable as $$
declare
  field record;
begin
  select * into field from funding.facet_fields(dataset) as known where known.name = facet;
  return format($values$
      with spelled as materialized (
        select value, %5$s as records from matching, unnest(matching.%1$I) as value
        where char_length(value) <= 200
        group by value
      ), keyed as materialized (
        select key, value, records, count(*) over (partition by key) as spellings
        from (select %2$s as key, value, records from spelled) as item
        where %4$s
      ), repeated as (
        -- A record may have several spellings of a value, and counts once.
        select keyed.key, count(distinct matching.id) as records
        from matching, unnest(matching.%1$I) as item, keyed
        -- Looked for once: mostly there are none.
        where (select exists (select from keyed where keyed.spellings > 1))
          and matching.%1$I && (select array_agg(keyed.value) from keyed where keyed.spellings > 1) and keyed.spellings > 1 and keyed.value = item
        group by keyed.key
      ), counted as (
        select keyed.key, (array_agg(keyed.value order by keyed.records desc, keyed.value))[1] as value,
               coalesce(%3$s, sum(keyed.records)) + %6$s as records
        from keyed
        group by keyed.key
      )$values$, facet, coalesce(field.key, 'value'),
    -- A single value has a single spelling.
    case when field.key is null or field.values_of like 'array[%' then 'null::bigint'
      else '(select repeated.records from repeated where repeated.key = keyed.key)' end,
    case
      when not filter ? facet then 'true'
      when field.beginnings is null then format('key = any (%s)', field.chosen)
      else format('funding.beginnings_of(key, %L) && %s', field.beginnings, field.chosen)
    end,
    case when field.found_by_all is null then 'count(*)' else format('count(*) filter (where not matching.%I)', facet || '_by_all') end,
    case when field.found_by_all is null then '0' else format('(select count(*) from matching where matching.%I)', facet || '_by_all') end);
end
$$;

-- SQL for the counts of a facet: a JSON array of { value, count }, the most frequent first.
create or replace function funding.facet_counts(dataset text, facet text, filter jsonb) returns text
language plpgsql immutable as $$
begin
  return format($counts$(
      %s
      select coalesce(json_agg(json_build_object('value', most.value, 'count', most.records) order by most.records desc, most.value), '[]')
      from (select counted.value, counted.records from counted order by counted.records desc, counted.value limit 100) as most
    )$counts$, funding.facet_values(dataset, facet, filter));
end
$$;

-- SQL for the amounts of a facet: a JSON array of { value, count, amount }, the largest sum first. A sum is null where no record of the value has an
-- `amount`, which `matching` has as well.
create or replace function funding.facet_amounts(dataset text, facet text, filter jsonb) returns text
language plpgsql immutable as $$
declare
  field record;
begin
  select * into field from funding.facet_fields(dataset) as known where known.name = facet;
  return format($amounts$(
      %2$s, summed as (
        select once.key, sum(once.amount) as amount
        from (
          -- A record may have several spellings of a value, and counts once.
          select distinct keyed.key, matching.id, matching.amount
          from matching, unnest(matching.%1$I) as item join keyed on keyed.value = item
          where matching.amount is not null %3$s
        ) as once
        group by once.key
      )
      select coalesce(json_agg(json_build_object('value', most.value, 'count', most.records, 'amount', most.amount)
        order by most.amount desc nulls last, most.records desc, most.value), '[]')
      from (
        select counted.value, counted.records, (%4$s)::double precision as amount
        from counted left join summed on summed.key = counted.key
        order by amount desc nulls last, counted.records desc, counted.value
        limit 100
      ) as most
    )$amounts$, facet, funding.facet_values(dataset, facet, filter),
    case when field.found_by_all is null then '' else format('and not matching.%I', facet || '_by_all') end,
    case when field.found_by_all is null then 'summed.amount' else format(
      'select sum(part.amount) from (values (summed.amount), ((select sum(matching.amount) from matching where matching.%I))) as part(amount)',
      facet || '_by_all') end);
end
$$;

-- Facets of a list: { NAME: [{ value, count }] } for each of `names`, a JSON array, most frequent first, at most a hundred values each; by amount,
-- { value, count, amount }, the dollars of the records' awards. An award's are what is obligated, else its `amount_max`. The facets of a ranked search
-- are those of the records that it found. `is_last` is that of `funding.cache_page`.
create or replace function funding.facets(
  dataset text, filter jsonb, names jsonb, by_amount boolean, mode text, query_vector extensions.halfvec, is_last boolean) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  key constant text := md5(concat_ws(' ', case when by_amount then 'facet amounts' else 'facet counts' end, names, mode, filter));
  current_version bigint := funding.page_version(dataset, filter ? 'similar_to');
  known funding.pages;
  found_facets json;
begin
  if funding.has_caches() then
    select * into known from funding.pages where pages.dataset = facets.dataset and pages.request_key = key;
  end if;
  if known.version = current_version and known.page is not null then
    return known.page;
  end if;
  if exists (select jsonb_array_elements_text(names) except select field.name from funding.facet_fields(dataset) as field) then
    raise invalid_parameter_value using message = format('%s have no facets %s', dataset, names);
  end if;
  execute format($facets$
    with matching as materialized (
      select record.id, %2$s %5$s from funding.%1$I as record where %3$s
    )
    select json_build_object(%4$s)
  $facets$, dataset,
    (select string_agg(format('%s as %I', field.values_of, field.name)
       || case when field.found_by_all is null then '' else format(', %s as %I', field.found_by_all, field.name || '_by_all') end, ', ')
     from funding.facet_fields(dataset) as field where names ? field.name),
    case when mode is null then funding.predicate(dataset, filter) else 'record.id in (select id from funding.ranked($2, $1, $3, $4))' end,
    (select string_agg(format('%L, %s', name, case when by_amount then funding.facet_amounts(dataset, name, filter)
       else funding.facet_counts(dataset, name, filter) end), ', ') from jsonb_array_elements_text(names) as name),
    case when by_amount then $amount$, case when record.classification = 'awarded_project'
      then coalesce((record.details->>'obligated_amount')::double precision, record.amount_max)::numeric end as amount$amount$ end)
  into found_facets using filter, dataset, mode, query_vector;
  -- Expensive enough to be cached at once.
  perform funding.cache_page(dataset, key, current_version, true, (found_facets, null, null)::funding.listed_page, is_last);
  return found_facets;
end
$$;

-- Facets that a list's parameters ask for. Where they are disjunctive, each is of the list without the filter by its own parameter.
create or replace function funding.asked_facets(
  dataset text, filter jsonb, parameters jsonb, mode text, query_vector extensions.halfvec, is_last boolean) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  names constant jsonb := parameters->'facets';
  by_amount constant boolean := coalesce(parameters->>'facets_sort_by' = 'amount', false);
  own constant text[] := case when parameters->>'facets_mode' = 'disjunctive'
    then array(select name from jsonb_array_elements_text(names) as name where filter ? name) else '{}' end;
  others constant jsonb := names - own;
  name text;
  counts json[] := '{}';
  other_counts json;
begin
  foreach name in array own loop
    counts := counts || (funding.facets(dataset, filter - name, jsonb_build_array(name), by_amount, mode, query_vector,
      is_last and others = '[]' and name = own[cardinality(own)])->name);
  end loop;
  if others <> '[]' then
    other_counts := funding.facets(dataset, filter, others, by_amount, mode, query_vector, is_last);
  end if;
  if own = '{}' then
    return other_counts;
  end if;
  return (
    select json_object_agg(asked.name, coalesce(other_counts->asked.name, counts[array_position(own, asked.name)]) order by asked.position)
    from jsonb_array_elements_text(names) with ordinality as asked(name, position));
end
$$;

-- supabase/schemas/lists/feed.sql
-- Feed of changes: lists with `sort_by=updated_at&order=asc`. It misses no record that commits late (change_moments.sql).

-- Page of the feed: the settled records of a list in the order of `updated_at`. (A query of its own has read `funding.settled_until` before this
-- one.) With details, and with archived records apart ({ id, archived_at }), where the request asks for that. The whole page is of one moment: a
-- record that changes meanwhile comes in its old state, and again later. `last_updated_at` is the latest of the page's records, as the API shows it;
-- null where the page has no records.
create or replace function funding.feed_page(
  dataset text, request funding.list_request, until timestamptz, expand jsonb, archived_apart boolean,
  out listed funding.listed_page, out archived json, out last_updated_at text)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  request.page.after_cursor := coalesce((request.page).after_cursor, '{"sort_by": "updated_at", "order": "asc"}')
    || jsonb_build_object('until', until);
  listed := funding.field_page(dataset, request);
  execute format('select funding.moment(max(record.updated_at)) from funding.%I as record where record.id = any ($1)', dataset)
  into last_updated_at using array(select (item->>'id')::uuid from json_array_elements(listed.page) as item);
  if expand ? 'details' then
    listed.page := funding.with_details(dataset, listed.page, expand ? 'checks');
  end if;
  if archived_apart then
    select parts.current_records, parts.archived into listed.page, feed_page.archived from funding.without_archived(dataset, listed.page) as parts;
  end if;
end
$$;

-- Splits a page in two: records of the current catalogue, and the ids of archived ones, [{ id, archived_at }].
create or replace function funding.without_archived(dataset text, page json, out current_records json, out archived json)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  execute format($split$
    select coalesce(json_agg(item.body order by item.position) filter (where record.archived_at is null), '[]'),
           coalesce(json_agg(json_build_object('id', record.id, 'archived_at', funding.moment(record.archived_at)) order by item.position)
             filter (where record.archived_at is not null), '[]')
    from json_array_elements($1) with ordinality as item(body, position)
    left join funding.%I as record on record.id = (item.body->>'id')::uuid
  $split$, dataset)
  into current_records, archived using page;
end
$$;

-- supabase/schemas/lists/lists.sql
-- Lists and single records, as the RPCs return them.

-- Version of a list: its ranking, the version of its data, and the day where its parameters are relative to that. While the version is the same, the list
-- is the same: the edge function's list cache revalidates by the version.
create or replace function funding.list_version(ranked_by text, version bigint, parameters jsonb) returns text
language plpgsql stable as $$
begin
  return concat_ws('.', coalesce(ranked_by, 'field'), version,
    case when funding.is_relative(parameters) then funding.publishers_day(0, funding.wall_clock()) #>> '{}' end);
end
$$;

-- Records with these ids as the API shows them, in the order of the ids, without those that there are not. `expand` is that of `funding.single`.
create or replace function funding.named_records(dataset text, ids uuid[], expand jsonb) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- A page, since the plans of pages are cached.
  page json := case dataset
    when 'grants' then (funding.grants_listed(ids, cardinality(ids), null, null)).page
    when 'contracts' then (funding.contracts_listed(ids, cardinality(ids), null, null)).page
    when 'funders' then (funding.funders_listed(ids, cardinality(ids), null, null)).page
  end;
begin
  return case when expand ? 'details' then funding.with_details(dataset, page, expand ? 'checks') else page end;
end
$$;

-- Result of a request for records by their ids, whatever they are: as that of `funding.list`, with the ids that no record has in `missing`.
create or replace function funding.list_of_ids(dataset text, parameters jsonb, if_none_match text) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  ids constant uuid[] := array(select named.id::uuid from jsonb_array_elements_text(parameters->'ids') with ordinality as named(id, position) order by position);
  -- Read before the records.
  list_version constant text := funding.list_version(null, funding.page_version(dataset), parameters);
  page json;
  missing uuid[];
begin
  perform funding.require_bounds(null, cardinality(ids), 0);
  if list_version = if_none_match and not coalesce(parameters->'expand' ? 'checks', false) then
    return json_build_object('data_as_of', funding.moment(funding.data_as_of(dataset)));
  end if;
  page := funding.named_records(dataset, ids, parameters->'expand');
  missing := array(
    select named.id from unnest(ids) with ordinality as named(id, position)
    where named.id <> all (array(select (item.body->>'id')::uuid from json_array_elements(page) as item(body)))
    order by position);
  return json_build_object(
    'results', page, 'missing', missing, 'archived', null, 'last_updated_at', null, 'total', cardinality(ids) - cardinality(missing), 'next', null,
    'facets', null, 'sort_by', 'ids', 'order', 'asc', 'search_mode', 'keyword', 'data_as_of', funding.moment(funding.data_as_of(dataset)),
    'understood', null, 'tag', list_version);
end
$$;

-- Result of a list request: { results, archived, last_updated_at, total, next, sort_by, order, search_mode, data_as_of, understood, facets, tag }, or
-- { total, facets } with count_only, or that of `funding.list_of_ids` with ids, or { wanted_embedding } when the query's vector is needed first. `next` is the cursor of the next page.
-- `archived`, `facets`, `understood` (explain.sql) and `marks` (marks.sql) are there if the request asks for them, and `last_updated_at` in a feed
-- (feed.sql); each may be null.
--
-- `tag` is `funding.list_version`. A caller that gives it back with the same parameters, as `if_none_match`, gets only { data_as_of } while the list
-- is unchanged.
create or replace function funding.list(dataset text, parameters jsonb, query_vector jsonb default null, if_none_match text default null) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  asked_mode constant text := coalesce(parameters->>'search_mode', 'keyword');
  request funding.list_request;
  -- Null while nothing is ranked.
  ranked_by text;
  counting boolean := coalesce((parameters->>'count_only')::boolean, false);
  meaning funding.query_meaning;
  current_version bigint;
  list_version text;
  listed funding.listed_page;
  facets json;
  has_facets constant boolean := coalesce(jsonb_array_length(parameters->'facets') > 0, false);
  is_detailed constant boolean := coalesce(parameters->'expand' ? 'details', false);
  has_checks constant boolean := coalesce(parameters->'expand' ? 'checks', false);
  archived_apart constant boolean := coalesce((parameters->>'archived_as_ids')::boolean, false);
  is_feed boolean;
  settled_until timestamptz;
  feed record;
  last_updated_at text;
  archived json;
  understood json;
  marks json;
begin
  if parameters ? 'ids' then
    return funding.list_of_ids(dataset, parameters, if_none_match);
  end if;
  perform funding.require_bounds(parameters->>'search', case when counting then 1 else (parameters->>'limit')::bigint end,
    case when counting then 0 else (parameters->>'offset')::bigint end);
  if asked_mode <> 'keyword' then
    meaning := funding.meaning_of(parameters->>'search', query_vector);
    if meaning.wanted is not null then
      return json_build_object('wanted_embedding', meaning.wanted);
    end if;
  end if;
  -- Read before the filter is made: the filter's `identifier_matches` are then of this version or a later one.
  current_version := funding.page_version(dataset, parameters ? 'similar_to');
  if asked_mode = 'semantic' then
    request := funding.list_request_of(dataset, parameters);
  end if;
  ranked_by := case
    -- An identifier is found without vectors.
    when asked_mode = 'semantic' and funding.identifier_condition(dataset, request.filter) is not null then asked_mode
    else funding.ranking_mode(dataset, funding.asked_ranking(parameters), coalesce(meaning.is_missing, false))
  end;
  list_version := funding.list_version(ranked_by, current_version, parameters);
  is_feed := coalesce(ranked_by is null and coalesce(parameters->>'sort_by' = 'updated_at', false) and (funding.order_of(dataset, parameters)).direction = 'asc', false);
  -- The feed's end and the checks of records move on without a new version of the data, so neither is ever answered as unchanged.
  if list_version = if_none_match and not counting and not is_feed and not has_checks then
    return json_build_object('data_as_of', funding.moment(funding.data_as_of(dataset)));
  end if;

  -- Not made before: in the other modes, making the filter would be a third of the cost of confirming a cached page.
  if request.filter is null then
    request := funding.list_request_of(dataset, parameters);
  end if;
  -- Before the page, which is cached last and evicts: of many pages, the facets are cached once.
  if has_facets and not (counting or is_feed) then
    facets := funding.asked_facets(dataset, request.filter, parameters, ranked_by, meaning.vector, false);
  end if;
  if not counting and is_feed then
    settled_until := funding.settled_until();
    select * into feed from funding.feed_page(dataset, request, settled_until, parameters->'expand', archived_apart);
    listed := feed.listed;
    listed.total := coalesce(listed.total, funding.total(dataset, request.filter, not has_facets));
    archived := feed.archived;
    last_updated_at := feed.last_updated_at;
  elsif not counting then
    listed := funding.cached_page(dataset, request, ranked_by, meaning.vector, current_version);
  elsif ranked_by is not null then
    listed.total := coalesce((select total from funding.ranked(dataset, request.filter, ranked_by, meaning.vector, 1)), 0);
  else
    listed.total := funding.total(dataset, request.filter, not has_facets);
  end if;
  -- After a total, which may be cached: what evicts caches nothing more.
  if has_facets and (counting or is_feed) then
    facets := funding.asked_facets(dataset, request.filter, parameters, ranked_by, meaning.vector, true);
  end if;
  if is_detailed and not counting and not is_feed then
    listed.page := funding.with_details(dataset, listed.page, has_checks);
  end if;
  if archived_apart and not counting and not is_feed then
    select parts.current_records, parts.archived into listed.page, archived from funding.without_archived(dataset, listed.page) as parts;
  end if;
  if (parameters->>'explain')::boolean and not counting then
    listed.page := funding.with_explanations(dataset, request.filter, ranked_by, meaning.vector, listed.page);
    understood := funding.understood(dataset, request.filter, ranked_by, meaning.vector);
  end if;
  if (parameters->>'highlight')::boolean and not counting then
    marks := json_build_array(funding.marks(dataset, request.filter, ranked_by, meaning.vector, listed.page));
  end if;

  if counting then
    return case when facets is null then json_build_object('total', listed.total) else json_build_object('total', listed.total, 'facets', facets) end;
  end if;
  return json_build_object(
    'results', listed.page, 'archived', archived, 'last_updated_at', last_updated_at, 'total', listed.total, 'next', listed.next, 'facets', facets, 'sort_by', (request.list_order).sort_by, 'order', (request.list_order).direction,
    'search_mode', coalesce(ranked_by, asked_mode), 'data_as_of', funding.moment(funding.data_as_of(dataset)), 'understood', understood, 'marks', marks, 'tag', list_version);
end
$$;

-- One record as the API shows it, or null. `expand` is a JSON array of the parts to add: "details", with it "checks" (links.sql), and, of a grant or contract for the catalogue's pages,
-- "archived_at", which is null of a current record.
create or replace function funding.single(dataset text, record_id uuid, expand jsonb default null) returns json
language plpgsql stable as $$
declare
  shown json := funding.named_records(dataset, array[record_id], expand)->0;
  archived_at timestamptz;
begin
  if shown is null or dataset = 'funders' or not coalesce(expand ? 'archived_at', false) then
    return shown;
  end if;
  execute format('select record.archived_at from funding.%I as record where record.id = $1', dataset)
    into archived_at using (shown->>'id')::uuid;
  return shown::jsonb || jsonb_build_object('archived_at', funding.moment(archived_at));
end
$$;

-- supabase/schemas/lists/page_cache.sql
-- Cache of pages, facets and counted totals.

-- Version of the data that a dataset's pages show. With `of_all`, of every dataset: a record that results are to be similar to may be in any of them.
-- Versions only grow, so their sum is the same only when each version is. The version has to be read before the records.
create or replace function funding.page_version(dataset text, of_all boolean default false) returns bigint
language plpgsql stable as $$
begin
  return (
    select sum(data_versions.version)::bigint from funding.data_versions
    where of_all or data_versions.dataset in (page_version.dataset, 'funders', 'search'));
end
$$;

-- Whether this transaction may cache a page under a key: false while another transaction does so, and where it may not write (replicas.sql). The
-- other transaction's row stays locked until that transaction has counted its request, for which it may wait. The page is in the answer without the
-- cache, too.
create or replace function funding.may_cache(dataset text, key text) returns boolean
language sql volatile as $$
  select case when funding.may_write() then pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', 'pages', dataset, key), 0)) else false end
$$;

-- Evicts the stale pages among some eight, sampled at random as Redis samples keys that expire: those of an older version of their dataset after a
-- minute, all others after ten. Each insert calls it, so in the long run about a quarter of the cache is stale. Half of the calls sample the other
-- datasets, for which nobody may ask any more.
--
-- In the order of age, each call would pass all rows that were evicted before, for as long as an open transaction (a dump, a forgotten session) keeps
-- vacuum from removing them: 1.2 ms after 16,000 calls. Between two keys, a call passes only the evicted rows there: for each row that is left, as
-- many as in the whole cache.
--
-- Called last in a transaction. Another transaction that caches an evicted row again waits for this one; if this one then waited for a row of the
-- other, they would deadlock.
create or replace function funding.evict_stale(dataset text, version bigint) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set enable_seqscan = off set enable_sort = off as $$
declare
  sampled_dataset constant text := (array[dataset, 'grants', 'contracts', 'funders'])[1 + floor(random() * 4)::integer];
  -- Keys are MD5 hashes, of which the first 32 bits are enough. The table has a guess of its rows from its last vacuum; 0 or less before the first.
  keys constant bigint := 4294967296;
  width constant bigint := keys * least(1, 8 / greatest(1,
    (select relation.reltuples from pg_catalog.pg_class as relation where relation.oid = 'funding.pages'::regclass)));
  -- From before the lowest key, so that each has the same chance.
  first_number constant bigint := floor(random() * (keys + width)) - width;
  first_key constant text := lpad(to_hex(greatest(0, first_number)), 8, '0');
  last_key constant text := case when first_number + width >= keys then 'g' else lpad(to_hex(first_number + width), 8, '0') end;
  -- So that enough rows are left beside the evicted ones, however fast the data change.
  stale_after constant interval := '1 minute';
begin
  delete from funding.pages where ctid = any (array(
    select ctid from funding.pages as old
    where old.dataset = sampled_dataset
      and old.request_key = any (array(
        select sampled.request_key from funding.pages as sampled
        where sampled.dataset = sampled_dataset and sampled.request_key >= first_key and sampled.request_key < last_key
        order by sampled.request_key limit 32))
      and (old.remembered_at < now() - interval '10 minutes'
        or old.dataset = evict_stale.dataset and old.version < evict_stale.version and old.remembered_at < now() - stale_after)
    for update skip locked));
end
$$;

-- Caches a page that was just made, if the request came before, up to the setting `page_memory_megabytes`. (Pages are evicted after ten
-- minutes, but until then a caller without a quota could fill the disk with pages that nobody else asks for.) Then evicts stale pages, if this page
-- `is_last` to be cached in its transaction.
create or replace function funding.cache_page(
  dataset text, request_key text, version bigint, came_before boolean, listed funding.listed_page, is_last boolean) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- Size of a page of a hundred long records; a larger one is not worth its memory.
  most_characters constant integer := 400000;
  most_bytes constant bigint := funding.setting('page_memory_megabytes')::bigint * 1048576;
begin
  if not funding.may_write() then
    return;
  end if;
  if pg_table_size('funding.pages') < most_bytes and funding.may_cache(dataset, request_key) then
    insert into funding.pages as cached (dataset, request_key, version, page, next, total)
    values (cache_page.dataset, cache_page.request_key, cache_page.version,
            case when came_before and length(listed.page::text) <= most_characters then listed.page end, listed.next, listed.total)
    on conflict on constraint pages_pkey do update
      set version = excluded.version, page = excluded.page, next = excluded.next, total = excluded.total, remembered_at = excluded.remembered_at
      where cached.version < excluded.version or cached.page is null;
  end if;
  if is_last then
    -- By the version of this dataset alone: that of a list of similar records counts all datasets, and would make the others' pages look old.
    perform funding.evict_stale(dataset, funding.page_version(dataset));
  end if;
end
$$;

-- supabase/schemas/lists/pages.sql
-- Pages of lists and of ranked searches.

-- Records of a page of a list, and one more where another page follows, by an index in the order of the list or of its filter. Each record is read
-- (`xmin` is in no index). Where an index has every column of the query, the planner would otherwise sort the whole list instead of going through it
-- in its order. That takes 70 ms in place of 20 for a page at 10,000. Of an order by several keys, the index of the first gives the records in its
-- order, and those with the same are sorted by the others. A part after the cursor is read where those before it do not fill the page.
create or replace function funding.page_by_index(dataset text, request funding.list_request) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  sort_order constant text := funding.sort_order((request.list_order).sort_by, (request.list_order).direction);
  condition constant text := funding.predicate(dataset, request.filter);
  page_offset constant bigint := (request.page).page_offset;
  -- One record more than the page has, to know whether another page follows. The records of the offset may be in several parts.
  last_position constant bigint := (request.page).page_size + 1 + page_offset;
  after_this text;
  more uuid[];
  ids uuid[] := '{}';
begin
  if (request.page).after_cursor is null then
    execute format('select array(select record.id from funding.%I as record where (%s) and record.xmin is not null order by %s limit $2 offset $3)',
      dataset, condition, sort_order)
    into ids using request.filter, last_position - page_offset, page_offset;
    return ids;
  end if;
  foreach after_this in array funding.after_cursor((request.page).after_cursor) loop
    execute format('select array(select record.id from funding.%I as record where (%s) and %s and record.xmin is not null order by %s limit $3)',
      dataset, condition, after_this, sort_order)
    into more using request.filter, (request.page).after_cursor, last_position - cardinality(ids);
    ids := ids || more;
    exit when cardinality(ids) = last_position;
  end loop;
  return ids[page_offset + 1:];
end
$$;

-- Page of a list in the order of one of its fields. Its total is null where the total has to be counted.
create or replace function funding.field_page(dataset text, request funding.list_request) returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  page constant funding.found_page := funding.bitmap_page(dataset, request);
  ids constant uuid[] := coalesce(page.ids, funding.page_by_index(dataset, request));
  page_size constant bigint := (request.page).page_size;
  sort_by constant text := (request.list_order).sort_by;
  direction constant text := (request.list_order).direction;
  listed funding.listed_page := case dataset
    when 'grants' then funding.grants_listed(ids, page_size, sort_by, direction)
    when 'contracts' then funding.contracts_listed(ids, page_size, sort_by, direction)
    else funding.funders_listed(ids, page_size, sort_by, direction)
  end;
begin
  -- The functions of pages know the keys of single orders.
  if listed.next is not null and strpos(sort_by, ',') > 0 then
    execute format('select json_build_object(''sort_by'', $1, ''order'', $2, ''key'', %s, ''id'', record.id) from funding.%I as record where id = $3',
      funding.cursor_key(sort_by), dataset)
    into listed.next using sort_by, direction, ids[page_size];
  end if;
  listed.total := page.total;
  return listed;
end
$$;

-- Page of a ranked search, each record with its relevance_score.
create or replace function funding.ranked_page(
  dataset text, request funding.list_request, mode text, query_vector extensions.halfvec)
returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  sort_by constant text := (request.list_order).sort_by;
  direction constant text := (request.list_order).direction;
  after_cursor constant jsonb := (request.page).after_cursor;
  page_size constant bigint := (request.page).page_size;
  first_position constant bigint := (request.page).page_offset + 1;
  last_position constant bigint := (request.page).page_offset + page_size;
  ids uuid[];
  scores double precision[];
  listed funding.listed_page;
  is_own_order boolean := sort_by = 'relevance' and direction = 'desc' and after_cursor is null;
begin
  select array_agg(ranked.id), array_agg(ranked.score), max(ranked.total) into ids, scores, listed.total
  from funding.ranked(dataset, request.filter, mode, query_vector, case when is_own_order then last_position end) as ranked;

  -- In the ranking's own order, a page is a part of it.
  if is_own_order then
    listed.total := coalesce(listed.total, 0);
    if listed.total > last_position then
      listed.next := json_build_object('sort_by', sort_by, 'order', direction, 'key', scores[last_position], 'id', ids[last_position]);
    end if;
    ids := ids[first_position:last_position];
    scores := scores[first_position:last_position];
    listed.page := case dataset
      when 'grants' then funding.grants_scored(ids, scores)
      when 'contracts' then funding.contracts_scored(ids, scores)
      else funding.funders_scored(ids, scores)
    end;
    return listed;
  end if;

  execute format($page$
    with found as materialized (
      select id, score from unnest($1, $5) as found(id, score)
    ), listed as materialized (
      select found.id, found.score, row_number() over (order by %3$s) as position, count(*) over () as following
      from found %4$s
      where %5$s
      order by position
      limit $3 offset $4
    )
    select coalesce(json_agg(rendered.body order by found.position), '[]'),
           (array_agg(json_build_object('sort_by', %7$L, 'order', %8$L, 'key', %6$s, 'id', record.id) order by found.position desc) filter (where found.following > $3 + $4))[1],
           (select count(*) from found)
    from listed as found join funding.%1$I as record using (id)
    cross join lateral (%2$s) as rendered
  $page$, dataset, funding.record_query(dataset, ', found.score as relevance_score'), funding.sort_order(sort_by, direction),
    -- Only another order than the ranking's own needs the records themselves.
    case sort_by when 'relevance' then '' else format('join funding.%I as record using (id)', dataset) end,
    case when after_cursor is null then 'true' else '(' || array_to_string(funding.after_cursor(after_cursor), ') or (') || ')' end,
    funding.cursor_key(sort_by), sort_by, direction)
  into listed
  using ids, after_cursor, page_size, first_position - 1, scores;
  return listed;
end
$$;

-- Page of a list, from the cache while neither the data nor the ranking has changed. Without a `mode` it is a list in the order of a field, else a
-- ranked search. `current_version` is `funding.page_version`.
create or replace function funding.cached_page(
  dataset text, request funding.list_request, mode text, query_vector extensions.halfvec, current_version bigint)
returns funding.listed_page
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- While there are no vectors, the mode may be another than the request's.
  key text := md5(coalesce(mode, '') || request::text);
  known funding.pages;
  listed funding.listed_page;
begin
  -- Looked up by the primary key alone: an index on versions looks as good to the planner, and is not.
  if funding.has_caches() then
    select * into known from funding.pages where pages.dataset = cached_page.dataset and pages.request_key = key;
  end if;
  if known.version = current_version and known.page is not null then
    return (known.page, known.next, known.total);
  end if;
  if mode is null then
    listed := funding.field_page(dataset, request);
    listed.total := coalesce(listed.total, funding.total(dataset, request.filter, false));
  else
    listed := funding.ranked_page(dataset, request, mode, query_vector);
  end if;
  perform funding.cache_page(dataset, key, current_version, coalesce(known.version = current_version, false), listed, true);
  return listed;
end
$$;

-- supabase/schemas/lists/suggestions.sql
-- Suggestions: what may complete the words that somebody types, with the number of current records that it finds.

-- Words by which a text is found: in lower case, without accents and punctuation.
create or replace function funding.words_of_name(name text) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select array(select distinct left(word, 60) from unnest(string_to_array(funding.name_key(name), ' ')) as word where word <> '')
$$;

-- Bucket of a word: its first letter and a class of the second; '' before 'a'. The letters after 'z' are with it. A word and its lexeme are in the same
-- one, since the stemmer keeps the first letter, and of the second ("dying", "die") makes at most 'y' an 'i'.
create or replace function funding.word_bucket(word text) returns text
language sql immutable parallel safe as $$
  select case when word < 'a' collate "C" then ''
    else (case when word >= 'z' collate "C" then 'z' else left(word, 1) end) || ascii(replace(substr(word, 2, 1), 'y', 'i')) % 5 end
$$;

-- The bucket after this one; null after the last.
create or replace function funding.next_bucket(bucket text) returns text
language sql immutable parallel safe as $$
  select case when bucket = '' then 'a0' when right(bucket, 1) < '4' then left(bucket, 1) || right(bucket, 1)::integer + 1
    when bucket < 'z' collate "C" then chr(ascii(bucket) + 1) || '0' end
$$;

-- Abbreviations of names of organizations, each with those of the one that the name begins with: "Department of Energy - Office of Science".
create or replace function funding.abbreviations_of(names text[]) returns table (name text, form text, abbreviations text)
language sql stable
set search_path = pg_catalog, pg_temp as $$
  with known as materialized (
    select known.abbreviation, funding.name_key(known.name) || ' ' as beginning from funding.agency_abbreviations as known
  ), named as materialized (
    select one.name, funding.name_key(one.name) as form from unnest(names) as one(name)
  )
  select named.name, named.form,
         (select string_agg(known.abbreviation, ' ' order by known.abbreviation) from known where starts_with(named.form || ' ', known.beginning))
  from named
$$;

-- SQL for the values of records of a dataset, `record`: (kind, form, value, label, others, current). `others` are words that find one besides those of
-- its label, `current` its current records. A record counts once, however many spellings of a value it has: records are taken together by the whole
-- of a field first, which also makes the names to compare few.
--
-- An agency is found by its abbreviation and by those of the organizations that it is within: "usda rur" finds the Rural Utilities Service.
create or replace function funding.suggested_values(dataset text) returns text
language sql immutable as $values$
  select case when dataset = 'funders' then $funders$
    select 'funder' as kind, record.id::text as form, record.id::text as value, record.name as label, named.abbreviations as others, 0::bigint as current
    from record join funding.abbreviations_of(array(select distinct name from record)) as named using (name)
  $funders$ else format($records$
    select 'agency' as kind, named.form, named.name as value, named.name as label, named.others, given.current
    from (select agency, count(*) filter (where is_current) as current from record where agency is not null group by agency) as given
    cross join lateral (
      select distinct on (form) form, name, others
      from (
        select known.form, item.name, string_agg(known.abbreviations, ' ') over (order by item.level) as others, item.level
        from jsonb_array_elements_text(given.agency) with ordinality as item(name, level)
        join abbreviated as known using (name)
      ) as item
      order by form, level
    ) as named
    union all
    select 'category', given.form, given.category, given.category, null, given.current
    from (
      select form, category, count(*) filter (where is_current) as current
      from record cross join lateral (select distinct on (lower(category)) lower(category) as form, category from unnest(record.categories) as category) as item
      group by form, category
    ) as given
    union all
    select 'assistance_listing', listing.number, listing.number, concat_ws(' ', listing.number, listing.title), null, given.current
    from (select listings, count(*) filter (where is_current) as current from record where listings is not null group by listings) as given
    cross join lateral (
      select distinct on (item->>'number') item->>'number' as number, item->>'title' as title from jsonb_array_elements(given.listings) as item
    ) as listing
    union all
    select 'funder', funder_id::text, funder_id::text, null, null, count(*) filter (where is_current) from record group by funder_id
    %s
  $records$, case dataset when 'contracts' then $contracts$
    union all
    select 'naics', naics, naics, naics, null, count(*) filter (where is_current) from record where naics is not null group by naics
    union all
    select 'psc', psc, psc, psc, null, count(*) filter (where is_current) from record where psc is not null group by psc
    union all
    select 'set_aside', given.code, given.code, concat_ws(' ', given.code, known.name), null, given.current
    from (select upper(set_aside_code) as code, count(*) filter (where is_current) as current from record where set_aside_code is not null group by 1) as given
    left join funding.set_aside_names as known on known.code = given.code
  $contracts$ end) end
$values$;

-- A step of a renewal: reads the next records of a dataset by id, so many at most. Writes their titles, and notes their values and words as the part of
-- this number. Returns the id of the last one; null at the dataset's end.
create or replace function funding.read_for_suggestions(dataset text, after_id uuid, most integer, part integer) returns uuid
language plpgsql
set search_path = funding, extensions, pg_temp set work_mem = '64MB' as $$
declare
  first constant uuid := coalesce(after_id, '00000000-0000-0000-0000-000000000000');
  last uuid;
begin
  execute format('select record.id from funding.%I as record where record.id > $1 order by record.id offset $2 - 1 limit 1', dataset)
  into last using first, most;

  if dataset <> 'funders' then
    execute format($titles$
      with titled as materialized (
        select record.id::text as form, record.title, (extract(epoch from record.created_at) / 86400)::integer as weight,
               -- Mostly the same as before.
               coalesce(before.words, array_to_tsvector(funding.words_of_name(record.title) || '=title'::text)) as words
        from funding.%1$I as record
        left join funding.suggestions as before
          on before.kind = 'title' and before.form = record.id::text and before.form > $1::text and before.form <= $2::text and before.label = record.title
        where record.id > $1 and record.id <= $2 and %2$s
      ), gone as (
        delete from funding.suggestions as before
        where before.kind = 'title' and before.form > $1::text and before.form <= $2::text and before.%1$I is not null
          and before.form not in (select titled.form from titled)
      ), written as (
        insert into funding.suggestions as before (kind, form, value, label, words, %1$I, weight)
        select 'title', form, form, title, words, 1, weight from titled
        on conflict (kind, form) do update
        set label = excluded.label, words = excluded.words, %1$I = excluded.%1$I, weight = excluded.weight
        where (before.label, before.words, before.%1$I, before.weight) is distinct from (excluded.label, excluded.words, excluded.%1$I, excluded.weight)
      ), spelled as (
        select word, count(*)::integer as titles from titled, unnest(tsvector_to_array(titled.words)) as word where word <> '=title' group by word
      )
      insert into funding.suggestion_parts (kind, bucket, part, dataset, forms, spellings, counts)
      select 'spelling', funding.word_bucket(word), $3, $4,
             array_agg(case when word ~ '^[a-z]{3,}$' then (ts_lexize('english_stem', word))[1] end), array_agg(word), array_agg(titles)
      from spelled
      group by 2
    $titles$, dataset, funding.usual_condition(dataset)) using first, coalesce(last, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), part, dataset;
  end if;

  execute format($values$
    with record as materialized (
      select %s from funding.%I as record where record.id > $1 and record.id <= $2
    ), abbreviated as materialized (
      select known.* from funding.abbreviations_of(%s) as known
    )
    insert into funding.suggestion_parts (kind, bucket, part, dataset, forms, spellings, labels, others, counts)
    select found.kind, '', $3, $4, array_agg(form), array_agg(value), array_agg(label), array_agg(others), array_agg(current::integer)
    from (%s) as found
    where char_length(value) between 1 and 200 and octet_length(form) <= 1000
    group by found.kind
  $values$, case when dataset = 'funders' then 'record.id, record.name' else format(
      $c$record.funder_id, record.categories, record.details->'agency' as agency, record.details->'assistance_listings' as listings, %s %s as is_current$c$,
      case dataset when 'contracts' then $n$record.naics, record.details->>'psc' as psc, record.set_aside_code,$n$ end, funding.usual_condition(dataset)) end,
    dataset,
    case when dataset = 'funders' then '''{}''' else 'array(select distinct name from record, jsonb_array_elements_text(record.agency) as name)' end,
    funding.suggested_values(dataset))
  using first, coalesce(last, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), part, dataset;

  insert into funding.suggestion_parts (kind, bucket, part, dataset, forms, counts)
  select 'lexeme', funding.word_bucket(stat.word), read_for_suggestions.part, read_for_suggestions.dataset, array_agg(stat.word), array_agg(stat.ndoc)
  from ts_stat(format('select record.lexemes from funding.%I as record where record.id > %L and record.id <= %L and %s',
    dataset, first, coalesce(last, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), funding.usual_condition(dataset))) as stat
  where stat.word ~ '^[a-z]'
  group by 2;
  return last;
end
$$;

-- A step of a renewal: makes the suggestions of a kind of value of the parts. Notes their words as a part of this number.
create or replace function funding.merge_suggested_values(kind text, part integer) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set work_mem = '64MB' as $$
begin
  with item as materialized (
    select parts.dataset, item.form, item.value, item.label, item.others, sum(item.current)::integer as current
    from funding.suggestion_parts as parts
    cross join lateral unnest(parts.forms, parts.spellings, parts.labels, parts.others, parts.counts) as item(form, value, label, others, current)
    where parts.kind = merge_suggested_values.kind
    group by parts.dataset, item.form, item.value, item.label, item.others
  ), found as materialized (
    select item.form, (array_agg(item.value order by item.current desc, item.value))[1] as value,
           (array_agg(item.label order by item.current desc, char_length(item.label) desc, item.label) filter (where item.label is not null))[1] as label,
           string_agg(distinct item.others, ' ') as others,
           sum(item.current) filter (where item.dataset = 'grants')::integer as grants,
           sum(item.current) filter (where item.dataset = 'contracts')::integer as contracts
    from item
    group by item.form
  ), worded as materialized (
    select found.*, coalesce(found.grants, 0) + coalesce(found.contracts, 0) as weight,
           array_to_tsvector(funding.words_of_name(concat_ws(' ', found.label, found.others)) || ('=' || merge_suggested_values.kind)) as words
    from found
    where found.label is not null
  ), gone as (
    delete from funding.suggestions as before
    where before.kind = merge_suggested_values.kind and before.form not in (select worded.form from worded)
  ), written as (
    insert into funding.suggestions as before (kind, form, value, label, words, grants, contracts, weight)
    select merge_suggested_values.kind, worded.form, worded.value, worded.label, worded.words, worded.grants, worded.contracts, worded.weight from worded
    on conflict on constraint suggestions_pkey do update
    set value = excluded.value, label = excluded.label, words = excluded.words, grants = excluded.grants, contracts = excluded.contracts,
        weight = excluded.weight
    where (before.value, before.label, before.words, before.grants, before.contracts, before.weight)
      is distinct from (excluded.value, excluded.label, excluded.words, excluded.grants, excluded.contracts, excluded.weight)
  ), counted as (
    select word, count(*)::integer as suggestions from worded, unnest(tsvector_to_array(worded.words)) as word where word not like '=%' group by word
  )
  insert into funding.suggestion_parts (kind, bucket, part, dataset, spellings, counts)
  select 'value word', funding.word_bucket(word), merge_suggested_values.part, '', array_agg(word), array_agg(suggestions) from counted group by 2;
end
$$;

-- A step of a renewal: makes the suggestions of words of a bucket of the parts, and the words in which mistyped ones are looked for.
create or replace function funding.merge_suggested_words(bucket text) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set work_mem = '64MB' as $$
declare
  -- Its words begin with this letter, and those of the next letter with that; null after the last.
  letter constant text := left(bucket, 1);
  until constant text := case letter when '' then 'a' when 'z' then null else chr(ascii(letter) + 1) end;
begin
  -- The words of titles, each in the spelling that most titles have, with the records that have it anywhere: what a search for it finds.
  with spelled as materialized (
    select item.lexeme, item.word, sum(item.titles) as titles
    from funding.suggestion_parts as parts cross join lateral unnest(parts.forms, parts.spellings, parts.counts) as item(lexeme, word, titles)
    where parts.kind = 'spelling' and parts.bucket = merge_suggested_words.bucket
    group by item.lexeme, item.word
  ), counted as materialized (
    select item.lexeme, sum(item.records) filter (where parts.dataset = 'grants')::integer as grants,
           sum(item.records) filter (where parts.dataset = 'contracts')::integer as contracts,
           sum(item.records) filter (where parts.dataset = 'funders')::integer as funders
    from funding.suggestion_parts as parts cross join lateral unnest(parts.forms, parts.counts) as item(lexeme, records)
    where parts.kind = 'lexeme' and parts.bucket = merge_suggested_words.bucket
    group by item.lexeme
  ), found as materialized (
    select usual.word, coalesce(counted.grants, 0) as grants, coalesce(counted.contracts, 0) as contracts, coalesce(counted.funders, 0) as funders
    from (select distinct on (lexeme) lexeme, word from spelled where lexeme is not null order by lexeme, titles desc, word) as usual
    join counted using (lexeme)
  ), gone as (
    delete from funding.suggestions as before
    where before.kind = 'word' and before.form >= letter and (until is null or before.form < until)
      and funding.word_bucket(before.form) = bucket and before.form not in (select found.word from found)
  ), written as (
    insert into funding.suggestions as before (kind, form, value, label, words, grants, contracts, funders, weight)
    select 'word', word, word, word, array_to_tsvector(array[word, '=word']), grants, contracts, funders, grants + contracts + funders
    from found
    on conflict (kind, form) do update
    set grants = excluded.grants, contracts = excluded.contracts, funders = excluded.funders, weight = excluded.weight
    where (before.grants, before.contracts, before.funders) is distinct from (excluded.grants, excluded.contracts, excluded.funders)
  ), worded as materialized (
    select word, sum(suggestions)::integer as suggestions
    from (
      select word, titles as suggestions from spelled
      union all
      select item.word, item.suggestions
      from funding.suggestion_parts as parts cross join lateral unnest(parts.spellings, parts.counts) as item(word, suggestions)
      where parts.kind = 'value word' and parts.bucket = merge_suggested_words.bucket
      union all
      select word, 1 from found
    ) as item
    group by word
  ), unused as (
    delete from funding.suggestion_words as before
    where before.word >= letter and (until is null or before.word < until)
      and funding.word_bucket(before.word) = bucket and before.word not in (select worded.word from worded)
  )
  insert into funding.suggestion_words as before (word, suggestions)
  select word, suggestions from worded
  on conflict (word) do update set suggestions = excluded.suggestions where before.suggestions <> excluded.suggestions;
end
$$;

-- Empties the parts of a renewal. A dump that reads them, which holds a truncation back, does not hold the renewal back.
create or replace function funding.drop_suggestion_parts() returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
begin
  lock table funding.suggestion_parts in access exclusive mode nowait;
  truncate funding.suggestion_parts;
exception when lock_not_available then
  delete from funding.suggestion_parts;
end
$$;

-- Makes the suggestions anew where the data has changed, a step of some 100 ms in each call: the caller calls again while it returns true. First it
-- reads all records, up to `most` in a step, as many as the last step's pace allows; then it makes the values of each kind; then the words, bucket
-- by bucket. Only the rows that differ are written, and until then readers have those of before. What changes meanwhile has another version, and so is
-- for the next renewal: that begins when twenty times as long has passed as all steps of this one took.
--
-- The state is in unlogged tables, which a crash empties together: the renewal begins anew then, and where these functions have another `method` than
-- those that began it.
create or replace function funding.renew_suggestions(most integer) returns boolean
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  -- Count it up when a change of these functions makes earlier parts useless.
  method constant integer := 1;
  step_ms constant integer := 100;
  first_size constant integer := 100;
  stages constant text[] := array['funders', 'grants', 'contracts', 'agency', 'category', 'assistance_listing', 'funder', 'naics', 'psc', 'set_aside', 'words'];
  began constant timestamptz := clock_timestamp();
  known record;
  state record;
  took_ms double precision;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('suggestions', 0)) then
    return false;
  end if;
  select * into state from funding.suggestion_progress;
  if state.method is distinct from method then
    select funding.page_version(null, true) as version, interval '0' as duration, 1 as stage, null::text as after, 0 as part, first_size as size into state;
    select renewal.version, renewal.renewed_at, renewal.duration into known from funding.suggestion_renewal as renewal;
    if known.version = state.version or began >= known.renewed_at and began < known.renewed_at + 20 * known.duration then
      return false;
    end if;
    perform funding.drop_suggestion_parts();
  end if;
  state.part := state.part + 1;
  case
    when state.stage <= 3 then
      state.after := funding.read_for_suggestions(stages[state.stage], state.after::uuid, least(state.size, greatest(most, 1)), state.part);
      took_ms := extract(epoch from clock_timestamp() - began) * 1000;
      state.size := greatest(20, least(2 * state.size, state.size * step_ms / greatest(took_ms, 1), most));
    when stages[state.stage] <> 'words' then
      perform funding.merge_suggested_values(stages[state.stage], state.part);
    else
      state.after := coalesce(state.after, '');
      loop
        perform funding.merge_suggested_words(state.after);
        state.after := funding.next_bucket(state.after);
        exit when state.after is null or clock_timestamp() > began + step_ms / 2 * interval '1 millisecond';
      end loop;
  end case;
  if state.after is null then
    state.stage := state.stage + 1;
    state.size := first_size;
  end if;
  state.duration := state.duration + (clock_timestamp() - began);
  delete from funding.suggestion_progress;
  if state.stage <= cardinality(stages) then
    insert into funding.suggestion_progress (method, version, duration, stage, after, part, size)
    values (method, state.version, state.duration, state.stage, state.after, state.part, state.size);
  else
    perform funding.drop_suggestion_parts();
    perform funding.note_renewal(state.version, state.duration);
  end if;
  return true;
end
$$;

-- Notes that a renewal of the suggestions of this version of the data ended, and how long it took.
create or replace function funding.note_renewal(version bigint, duration interval) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
begin
  insert into funding.suggestion_renewal as renewal (is_only, version, renewed_at, duration)
  values (true, note_renewal.version, clock_timestamp(), note_renewal.duration)
  on conflict (is_only) do update set version = excluded.version, renewed_at = excluded.renewed_at, duration = excluded.duration;
end
$$;

-- Ends a renewal of which a step, begun then, failed. It has the version -1: another begins after twenty times as long as it took.
create or replace function funding.abandon_renewal(began timestamptz) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  before interval;
begin
  delete from funding.suggestion_progress as progress returning progress.duration into before;
  perform funding.note_renewal(-1, coalesce(before, '0') + (clock_timestamp() - began));
end
$$;

-- Beginnings of words that some suggestion has, at edit distance 1 of a word's beginning: one letter inserted, deleted or replaced, or two neighbours
-- swapped. The eight that most suggestions have. Each possible one is looked up, some 500 for a word of ten letters.
create or replace function funding.respelled_beginnings(word text) returns text[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return (
    with given as (
      select left(word, 12) as word, least(char_length(word), 12) as size
    ), letter as (
      select chr(code) as letter from generate_series(97, 122) as code
    ), variant as (
      select left(given.word, place - 1) || letter || substr(given.word, place + 1) as variant from given, generate_series(1, given.size) as place, letter
      union
      select left(given.word, place - 1) || letter || substr(given.word, place) from given, generate_series(1, given.size) as place, letter
      union
      select left(given.word, place - 1) || substr(given.word, place + 1) from given, generate_series(1, given.size) as place
      union
      select left(given.word, place - 1) || reverse(substr(given.word, place, 2)) || substr(given.word, place + 2)
      from given, generate_series(1, given.size - 1) as place
    )
    select coalesce(array_agg(variant), '{}')
    from (
      select variant.variant
      from variant
      cross join lateral (
        select known.suggestions from funding.suggestion_words as known
        where known.word >= variant.variant collate "C" and known.word < (variant.variant || '~') collate "C"
        order by known.word
        limit 1
      ) as known
      order by known.suggestions desc, variant.variant
      limit 8
    ) as nearest);
end
$$;

-- Number of current records in these datasets that a suggestion finds; null where they have none, archived ones included.
create or replace function funding.found_in(datasets text[], grants integer, contracts integer, funders integer) returns integer
language sql immutable parallel safe as $$
  select case when 'grants' = any (datasets) and grants is not null or 'contracts' = any (datasets) and contracts is not null
      or 'funders' = any (datasets) and funders is not null
    then case when 'grants' = any (datasets) then coalesce(grants, 0) else 0 end
      + case when 'contracts' = any (datasets) then coalesce(contracts, 0) else 0 end
      + case when 'funders' = any (datasets) then coalesce(funders, 0) else 0 end
  end
$$;

-- Suggestions of these kinds for what somebody has typed: a JSON array of { kind, value, label, records, datasets }. Those with current records in
-- these datasets come first, then those spelt so, then the best of each kind in turn. Each word that was typed is the beginning of one of the
-- suggestion's words. Where fewer than five suggestions have them all, those follow that have them with one typo, in a word of four letters or more.
create or replace function funding.suggested(typed text, kinds text[], datasets text[], maximum integer) returns json
language plpgsql stable
-- Plans need not know the words. These are found by their index alone.
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  fewest constant integer := 5;
  typed_form constant text := funding.name_key(typed);
  typed_words constant text[] := array(select left(word, 60) from unnest(string_to_array(typed_form, ' ')) as word where word <> '');
  wanted constant tsquery := (select string_agg(funding.quoted_lexeme(word) || ':*', ' & ') from unnest(typed_words) as word)::tsquery;
  near tsquery;
  -- Those that were found, by their key.
  found_kinds text[];
  found_forms text[];
  exact integer;
  -- No more suggestions have all words than have the rarest.
  at_most bigint;
begin
  if typed_words = '{}' then
    return '[]';
  end if;
  at_most := (
    select min((select coalesce(sum(known.suggestions), 0) from funding.suggestion_words as known where known.word >= typed_word collate "C" and known.word < (typed_word || '~') collate "C"))
    from unnest(typed_words) as typed_word);
  select coalesce(array_agg(given.kind), '{}'), coalesce(array_agg(given.form), '{}') into found_kinds, found_forms
  from funding.suggestions_with(wanted, kinds, datasets, maximum, at_most) as given;
  exact := cardinality(found_forms);
  if exact < fewest then
    select string_agg(others.words || '(' || respelled.beginnings || ')', ' | ')::tsquery, sum(respelled.suggestions) into near, at_most
    from unnest(typed_words) with ordinality as word(word, place)
    cross join lateral (
      select string_agg(funding.quoted_lexeme(beginning) || ':*', ' | ') as beginnings, sum(known.suggestions) as suggestions
      from unnest(funding.respelled_beginnings(word.word)) as beginning
      cross join lateral (
        select sum(known.suggestions) as suggestions from funding.suggestion_words as known
        where known.word >= beginning collate "C" and known.word < (beginning || '~') collate "C"
      ) as known
    ) as respelled
    cross join lateral (
      select coalesce(string_agg(funding.quoted_lexeme(other) || ':* & ', ''), '') as words
      from unnest(typed_words) with ordinality as other(other, place) where other.place <> word.place
    ) as others
    where word.word ~ '^[a-z]{4,}$' and respelled.beginnings is not null;
    if near is not null then
      select found_kinds || coalesce(array_agg(given.kind), '{}'), found_forms || coalesce(array_agg(given.form), '{}') into found_kinds, found_forms
      from funding.suggestions_with(near, kinds, datasets, maximum, at_most) as given;
    end if;
  end if;
  return (
    select coalesce(json_agg(json_build_object('kind', chosen.kind, 'value', chosen.value, 'label', chosen.label, 'records', chosen.records, 'datasets',
      json_strip_nulls(json_build_object(
        'grants', case when 'grants' = any (datasets) then chosen.grants end,
        'contracts', case when 'contracts' = any (datasets) then chosen.contracts end,
        'funders', case when 'funders' = any (datasets) then chosen.funders end))) order by chosen.place), '[]')
    from (
      select ranked.*, row_number() over (
        order by ranked.records = 0, ranked.is_near, ranked.place_in_kind, array_position(kinds, ranked.kind)) as place
      from (
        select item.*, row_number() over (
          partition by item.kind, item.records = 0, item.is_near
          order by not starts_with(lower(item.label), lower(typed)), item.records desc, item.weight desc, item.label, item.form) as place_in_kind
        from (
          select one.*, known.place > exact as is_near, funding.found_in(datasets, one.grants, one.contracts, one.funders) as records
          from (
            -- Those with a typo may have the words as they are, too.
            select kind, form, min(place) as place from unnest(found_kinds, found_forms) with ordinality as given(kind, form, place) group by kind, form
          ) as known
          join funding.suggestions as one using (kind, form)
        ) as item
      ) as ranked
      order by place
      limit maximum
    ) as chosen);
end
$$;

-- Keys of the suggestions with these words: of each kind those of most weight, so many at most. What is frequent is found among the first of its kind,
-- the rest by the index of words, which has the kinds as well. `at_most`: no more suggestions have the words; null where that is not known.
create or replace function funding.suggestions_with(wanted tsquery, kinds text[], datasets text[], maximum integer, at_most bigint)
returns table (kind text, form text)
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  first_looks constant integer := 400;
  -- As many are read by the index in the time of the first looks.
  few constant integer := 4000;
  wanted_kind text;
  forms text[];
  kind_words text[] := '{}';
begin
  foreach wanted_kind in array kinds loop
    if at_most <= few then
      kind_words := kind_words || funding.quoted_lexeme('=' || wanted_kind);
      continue;
    end if;
    forms := array(
      select looked.form
      from (
        select * from funding.suggestions where suggestions.kind = wanted_kind order by suggestions.weight desc limit first_looks
      ) as looked
      where looked.words @@ wanted and funding.found_in(datasets, looked.grants, looked.contracts, looked.funders) is not null
      limit maximum);
    if cardinality(forms) = maximum or not exists (
      select from funding.suggestions where suggestions.kind = wanted_kind order by suggestions.weight desc offset first_looks limit 1
    ) then
      return query select wanted_kind, found from unnest(forms) as found;
    else
      kind_words := kind_words || funding.quoted_lexeme('=' || wanted_kind);
    end if;
  end loop;
  if kind_words <> '{}' then
    return query
      select ranked.kind, ranked.form
      from (
        select suggestion.kind, suggestion.form, row_number() over (partition by suggestion.kind order by suggestion.weight desc, suggestion.form) as place
        from funding.suggestions as suggestion
        where suggestion.words @@ (array_to_string(kind_words, ' | ')::tsquery && wanted)
          and funding.found_in(datasets, suggestion.grants, suggestion.contracts, suggestion.funders) is not null
      ) as ranked
      where ranked.place <= maximum;
  end if;
end
$$;

-- supabase/schemas/lists/totals.sql
-- Totals of lists: from the bitmap index, or counted one by one.

-- Number of records that match a filter, by the bitmaps, and by reading the records in no segment. Null where the bitmaps cannot answer the filter.
create or replace function funding.bitmap_total(dataset text, filters jsonb) returns bigint
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  found constant funding.bitmap_matches := funding.match_by_bitmaps(dataset, filters);
  others bigint := 0;
begin
  if found.unsealed > 0 then
    execute format('select count(*) from %s where %s', funding.unsealed_records(dataset, '$2', found.unsealed), funding.predicate(dataset, filters))
    into others using filters, found.sealed_end;
  end if;
  return case when found.sealed_end is not null then funding.count_of(found.sealed) + others end;
end
$$;

-- Number of records that match a filter: by the bitmaps or, where these cannot answer the filter, one by one, and then cached beside the pages.
-- `is_last` is that of `funding.cache_page`.
create or replace function funding.total(dataset text, filter jsonb, is_last boolean default true) returns bigint
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  counted bigint := funding.bitmap_total(dataset, filter);
  key constant text := md5('total ' || filter::text);
  current_version bigint;
  known funding.pages;
begin
  if counted is not null then
    return counted;
  end if;
  current_version := funding.page_version(dataset);
  if funding.has_caches() then
    select * into known from funding.pages where pages.dataset = total.dataset and pages.request_key = key;
  end if;
  if known.version = current_version then
    return known.total;
  end if;
  execute format('select count(*) from funding.%I as record where %s', dataset, funding.predicate(dataset, filter)) into counted using filter;
  perform funding.cache_page(dataset, key, current_version, false, (null, null, counted)::funding.listed_page, is_last);
  return counted;
end
$$;

-- supabase/schemas/operations/dispatch_schedule.sql
-- Schedule of the dispatcher on Supabase: pg_cron calls the function `dispatch` every ten seconds, with pg_net.
--
-- Where both extensions are installed, as on a hosted project that has them enabled, the migration schedules the call; elsewhere `select
-- funding.schedule_dispatch()` can be called later. The address and the secret are read from Supabase's Vault at each call: `dispatch_url` and
-- `dispatch_secret`. While they are missing, nothing is called.

-- Deletes pg_cron's rows of this job's runs of more than a day ago, 1,000 at most. pg_cron keeps a row for each run for ever: 8,640 a day. A failure
-- is only a warning: the call of `dispatch` matters more.
create or replace function funding.prune_dispatch_runs() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if to_regclass('cron.job_run_details') is null then
    return;
  end if;
  execute $history$
    delete from cron.job_run_details where runid in (
      select runid from cron.job_run_details
      where command = 'select funding.call_dispatch()' and end_time < funding.bounded_now() - interval '1 day' limit 1000)
  $history$;
exception when others then
  raise warning 'old runs of the dispatcher''s job stay in cron.job_run_details: %', sqlerrm;
end
$$;

-- Calls `dispatch` once, if the Vault has its address and secret. Returns whether it did.
create or replace function funding.call_dispatch() returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  url text;
  secret text;
begin
  perform funding.prune_dispatch_runs();
  if to_regclass('vault.decrypted_secrets') is null then
    return false;
  end if;
  execute $vault$
    select max(decrypted_secret) filter (where name = 'dispatch_url'), max(decrypted_secret) filter (where name = 'dispatch_secret')
    from vault.decrypted_secrets where name in ('dispatch_url', 'dispatch_secret')
  $vault$ into url, secret;
  if url is null or secret is null then
    return false;
  end if;
  execute 'select net.http_post(url => $1, headers => $2, body => $3, timeout_milliseconds => 60000)'
  using url, jsonb_build_object('Authorization', 'Bearer ' || secret, 'Content-Type', 'application/json'), '{}'::jsonb;
  return true;
end
$$;

-- Puts the call on pg_cron's schedule, where pg_cron and pg_net are installed. Returns whether they are. Doing it again changes nothing.
create or replace function funding.schedule_dispatch() returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if to_regprocedure('cron.schedule(text, text, text)') is null or to_regnamespace('net') is null then
    return false;
  end if;
  execute $schedule$select cron.schedule('funding dispatch', '10 seconds', 'select funding.call_dispatch()')$schedule$;
  return true;
end
$$;

-- supabase/schemas/operations/fingerprint.sql
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

-- supabase/schemas/operations/operations.sql
-- Monitoring for an operator: readiness and state of the database.

-- Seconds since a moment, or null.
create or replace function funding.seconds_since(moment timestamptz) returns double precision
language sql stable as $$
  select extract(epoch from now() - moment)::double precision
$$;

-- Readiness of the database: its latest migration, whether there are records, and whether a lexicon was fitted.
create or replace function public.get_readiness() returns json
language plpgsql stable security definer set search_path = funding, pg_temp set statement_timeout = '2s' as $$
declare
  latest text;
begin
  -- A database that got the migrations by other means has no such table.
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select max(version) from supabase_migrations.schema_migrations' into latest;
  end if;
  return json_build_object(
    'migration', latest,
    'has_records', exists (select from funding.grants) or exists (select from funding.contracts) or exists (select from funding.funders),
    'clock_offset_seconds', funding.clock_offset_seconds(),
    'is_fitted', (select fitted_at is not null from funding.lexicon_fit),
    'data_as_of', (
      select json_object_agg(dataset, funding.moment(funding.data_as_of(dataset)))
      from unnest(array['grants', 'contracts', 'funders']) as dataset));
end
$$;

-- Objects of the schema that are missing or were changed: [{ kind, name, is_missing }], at most 20, functions first. See
-- `funding.schema_faults`. It takes some 15 ms, so it is not for every probe.
create or replace function public.get_schema_faults() returns json
language sql stable security definer set search_path = funding, pg_temp set statement_timeout = '2s' as $$
  select coalesce(json_agg(fault), '[]') from (select * from funding.schema_faults() limit 20) as fault
$$;

-- Metrics: totals that only grow, and the present state. Numbers that may be large are counted to 10,000, from an index, so that the call costs the
-- same however much has gathered. For records without a vector of an external model it looks at each slot. Numbers of records are the planner's
-- estimates. Times are in seconds.
create or replace function public.get_metrics() returns json
language plpgsql stable security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  dispatch_time constant timestamptz := funding.dispatch_now();
  waiting_maximum constant integer := 10000;
begin
  return json_build_object(
    'requests', (
      select coalesce(json_agg(total), '[]') from (
        select endpoint, status, latency_bucket_ms, sum(requests)::bigint as requests, sum(duration_ms) as duration_ms
        from funding.usage_totals group by 1, 2, 3 order by 1, 2, 3) as total),
    'events', (
      select json_build_object('waiting', count(*), 'oldest_seconds', funding.seconds_since(min(created_at)), 'undeliverable', (
        select count(*) from (select from funding.events where undeliverable is not null limit waiting_maximum) as undeliverable))
      from (select created_at from funding.events where fanned_out_at is null and (fan_out_after is null or fan_out_after <= dispatch_time)
        order by created_at limit waiting_maximum) as event),
    'deliveries', (
      select json_build_object('due', count(*), 'oldest_seconds', extract(epoch from dispatch_time - min(due_at)))
      from (
        select delivery.due_at
        from funding.webhook_endpoints as endpoint cross join lateral (
          select due_at from funding.webhook_deliveries
          where endpoint_id = endpoint.id and state = 'pending' and claimed_until is null and due_at < dispatch_time
          order by due_at limit waiting_maximum) as delivery
        -- Deliveries of an endpoint in backoff are not late.
        where endpoint.state = 'active' and (endpoint.retry_at is null or endpoint.retry_at < dispatch_time)
          -- Nor are deliveries of an account without access, which wait for the access.
          and funding.has_webhooks(endpoint.account_id)
        limit waiting_maximum) as delivery),
    'attempts', (
      select coalesce(json_agg(total), '[]') from (
        select outcome, attempts from funding.webhook_attempt_totals order by 1) as total),
    'endpoints', (
      select json_build_object(
        'well', count(*) filter (where state = 'active' and failures_in_a_row = 0),
        'failing', count(*) filter (where state = 'active' and failures_in_a_row > 0),
        'disabled', count(*) filter (where state = 'disabled' and set_aside_at is null),
        'set_aside', count(*) filter (where state = 'disabled' and set_aside_at is not null))
      from funding.webhook_endpoints),
    'digests', (
      select json_build_object('oldest_seconds', extract(epoch from funding.bounded_now() - min(next_at)))
      from (select next_at from funding.digests where next_at <= funding.bounded_now() and paused_at is null order by next_at limit 1) as digest),
    'digest_mails', (
      select coalesce(json_agg(result order by result.state), '[]') from (
        select state, count(*) as mails from funding.digest_mails where result_at > dispatch_time - interval '1 day' group by 1) as result),
    'dispatcher_seconds', (select funding.seconds_since(wall) from funding.dispatch_clock),
    'clock_offset_seconds', funding.clock_offset_seconds(),
    'retention', (select json_agg(overdue order by overdue.table_name) from funding.overdue() as overdue),
    'sources', (
      select coalesce(json_agg(freshness), '[]') from (
        select source, funding.seconds_since(max(as_of) filter (where outcome in ('completed', 'refused'))) as age_seconds,
               (array_agg(outcome order by id desc) filter (where outcome <> 'running'))[1] as last_outcome
        from funding.imports group by source order by source) as freshness),
    'records', (
      select json_agg(json_build_object('dataset', relation.relname, 'records', greatest(relation.reltuples, 0),
        'age_seconds', funding.seconds_since(funding.data_as_of(relation.relname)),
        'without_vector', funding.count_without_vector(relation.relname, waiting_maximum)) order by relation.relname)
      from pg_class as relation
      where relation.oid in ('funding.grants'::regclass, 'funding.contracts'::regclass, 'funding.funders'::regclass)),
    'embeddings', funding.embedding_metrics(waiting_maximum),
    'lexicon', (
      select json_build_object('age_seconds', funding.seconds_since(fitted_at), 'documents', documents) from funding.lexicon_fit),
    'database', (
      select json_build_object('connections', numbackends, 'maximum_connections', current_setting('max_connections')::integer,
        'bytes', pg_database_size(datid), 'deadlocks', deadlocks, 'rollbacks', xact_rollback,
        -- Transactions that keep vacuum from removing rows: those with a snapshot or changes of their own, and prepared ones. Null where the owner of
        -- this function may not see other users' sessions.
        'oldest_transaction_seconds', case when pg_has_role('pg_read_all_stats', 'usage') then (
          select coalesce(extract(epoch from clock_timestamp() - min(holder.since)), 0)
          from (
            select session.xact_start as since from pg_stat_activity as session
            where session.datname = current_database() and session.backend_type = 'client backend' and session.pid <> pg_backend_pid()
              and (session.backend_xmin is not null or session.backend_xid is not null)
            union all
            select prepared.prepared from pg_prepared_xacts as prepared where prepared.database = current_database()
          ) as holder) end)
      from pg_stat_database where datname = current_database()));
end
$$;

-- supabase/schemas/operations/retention.sql
-- Retention: rows that are older than the retention of their table are deleted in small batches. The dispatcher calls for each batch, which is a
-- transaction of its own. docs/database.md says what bounds each table.

-- Tables with a retention, which a setting gives. A row, named `old`, is deleted when its `age_column` is before `cutoff` and `condition` holds for
-- it. Rows are deleted by whole units. A row is overdue by the time from the end of its unit to `retained_since`.
create or replace function funding.retention(
  out table_name text, out setting_name text, out age_column text, out unit text, out condition text,
  out retained_since timestamptz, out cutoff timestamptz)
returns setof record
language sql stable as $$
  select rule.table_name, rule.setting_name, rule.age_column, rule.unit, rule.condition, since.moment,
         date_trunc(rule.unit, since.moment, 'UTC')
  from (values
    -- Deleted with their deliveries and attempts.
    ('events', 'created_at', 'microsecond', 'webhook_retention_days', 'not funding.is_kept_unsent(old)'),
    -- Rolled up by whole months, into `usage_months`.
    ('usage', 'day', 'month', 'usage_days', 'true'),
    ('usage_hours', 'hour', 'hour', 'usage_hour_days', 'true'),
    ('daily_quota', 'day', 'day', 'quota_days', 'true'),
    ('daily_key_quota', 'day', 'day', 'quota_days', 'true'),
    ('record_changes', 'changed_at', 'microsecond', 'record_change_days', 'true'),
    ('imports', 'started_at', 'microsecond', 'import_days', 'funding.is_superseded(old)'),
    ('deadline_notices', 'noted_at', 'microsecond', 'deadline_notice_days', 'true'),
    ('stripe_events', 'received_at', 'microsecond', 'stripe_event_days', 'true'),
    ('idempotency_keys', 'created_at', 'microsecond', 'idempotency_key_days', 'true'),
    ('request_log', 'at', 'microsecond', 'request_log_days', 'true'),
    ('request_log_counts', 'hour', 'hour', 'request_log_days', 'true'),
    ('audit_log', 'at', 'microsecond', 'audit_log_days', 'true'),
    -- An invitation that can still be accepted is no older.
    ('invitations', 'created_at', 'microsecond', 'invitation_days', 'true'),
    -- A period counts as mailed for as long as its row is there.
    ('digest_mails', 'created_at', 'microsecond', 'digest_mail_days', $c$old.state not in ('claimed', 'waiting')$c$),
    -- Those of a former model.
    ('next_embeddings', 'kept_since', 'microsecond', 'former_vector_days', 'true')
  ) as rule(table_name, age_column, unit, setting_name, condition)
  cross join lateral (
    select funding.bounded_now() - funding.setting(rule.setting_name)::double precision * interval '1 day' as moment) as since
$$;

-- Whether later imports of the same source tell all that this one does: the result of the source's last run, the age of its data, and whether its
-- files end with a line break. Only an operator reads such an import.
create or replace function funding.is_superseded(old funding.imports) returns boolean
language sql stable as $$
  select old.outcome <> 'running' and exists (
    select from funding.imports as newer
    where newer.source = old.source and newer.id > old.id and newer.outcome <> 'running' and (
      old.outcome in ('failed', 'interrupted')
      or newer.outcome in ('completed', 'refused') and newer.importer = old.importer and newer.datasets = old.datasets
        and newer.as_of >= old.as_of and (newer.has_final_line_break is not null or old.has_final_line_break is null)))
$$;

-- Time for which the oldest row of each table with a retention has been overdue, in seconds; 0 where there is none. Each row is found by an index.
create or replace function funding.overdue(out table_name text, out seconds double precision) returns setof record
language plpgsql stable set search_path = funding, pg_temp set timezone = 'UTC' as $$
declare
  rule record;
begin
  for rule in select * from funding.retention() loop
    table_name := rule.table_name;
    execute format($oldest$
      select extract(epoch from $1 - (date_trunc(%4$L, old.%1$I::timestamptz) + interval '1 %4$s'))
      from funding.%2$I as old where old.%1$I < $2 and %3$s order by old.%1$I limit 1
    $oldest$, rule.age_column, rule.table_name, rule.condition, rule.unit)
    into seconds using rule.retained_since, rule.cutoff;
    seconds := greatest(0, coalesce(seconds, 0));
    return next;
  end loop;
end
$$;

-- Names of the tables that have rows past their retention.
create or replace function public.list_overdue_tables() returns json
language sql stable security definer set search_path = funding, pg_temp set statement_timeout = '3s' as $$
  select coalesce(json_agg(overdue.table_name), '[]') from funding.overdue() as overdue where overdue.seconds > 0
$$;

-- Deletes rows of a table that are past their retention, or rolls them up: at most `maximum`, and never more than 10,000. Rows that another
-- transaction has locked are left for the next batch. Returns { rows }: the number of rows. PT400 for a table without a retention.
create or replace function public.prune_table(table_name text, maximum integer) returns json
language plpgsql security definer set search_path = funding, pg_temp set timezone = 'UTC'
set statement_timeout = '3s' set lock_timeout = '500ms' as $$
declare
  most constant integer := least(greatest(coalesce(maximum, 0), 0), 10000);
  rule record;
  pruned bigint;
begin
  select * into rule from funding.retention() as listed where listed.table_name = prune_table.table_name;
  if not found then
    raise sqlstate 'PT400' using message = format('%s is not a table with a retention', coalesce(table_name, 'null'));
  end if;
  case rule.table_name
    when 'events' then
      pruned := funding.prune_events_before(rule.cutoff, most);
    when 'usage' then
      pruned := funding.roll_up_usage(rule.cutoff::date, most);
    else
      execute format($prune$
        delete from funding.%1$I where ctid = any (array(
          select old.ctid from funding.%1$I as old where old.%2$I < $1 and %3$s order by old.%2$I limit $2 for update skip locked))
      $prune$, rule.table_name, rule.age_column, rule.condition)
      using rule.cutoff, most;
      get diagnostics pruned = row_count;
  end case;
  return json_build_object('rows', pruned);
end
$$;

-- Whether an event is kept beyond its retention: it waits for its deliveries to be made, or one of these waits for an attempt. What waits for an
-- endpoint that its owner paused, or that is disabled, does not count. So no event is lost unsent where the server's clock jumps ahead by weeks, or was
-- that far behind when the event came. After twice the retention it goes all the same: perhaps nobody ever sends it.
create or replace function funding.is_kept_unsent(event funding.events) returns boolean
language plpgsql as $$
begin
  return event.created_at >= funding.bounded_now() - 2 * funding.setting('webhook_retention_days')::double precision * interval '1 day'
    and (event.fanned_out_at is null and event.undeliverable is null or exists (
      select from funding.webhook_deliveries as delivery join funding.webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
      where delivery.event_id = event.id and delivery.state = 'pending' and endpoint.state = 'active'));
end
$$;

-- Deletes the oldest events before a moment, their attempts first, then their deliveries: at most `maximum` rows in all, since one event may have
-- thousands of deliveries. Returns the number of rows.
create or replace function funding.prune_events_before(cutoff timestamptz, maximum integer) returns bigint
language plpgsql as $$
declare
  old constant uuid[] := array(
    select happened.id from funding.events as happened
    where happened.created_at < cutoff and not funding.is_kept_unsent(happened)
    order by happened.created_at limit maximum);
  pruned bigint := 0;
  deleted bigint;
begin
  delete from funding.webhook_attempts where ctid = any (array(
    select attempt.ctid
    from unnest(old) as event(id)
    join funding.webhook_deliveries as delivery on delivery.event_id = event.id
    join funding.webhook_attempts as attempt on attempt.endpoint_id = delivery.endpoint_id and attempt.event_id = delivery.event_id
    limit maximum for update of attempt skip locked));
  get diagnostics pruned = row_count;
  delete from funding.webhook_deliveries where ctid = any (array(
    select delivery.ctid
    from unnest(old) as event(id) join funding.webhook_deliveries as delivery on delivery.event_id = event.id
    where not exists (
      select from funding.webhook_attempts as attempt
      where attempt.endpoint_id = delivery.endpoint_id and attempt.event_id = delivery.event_id)
    limit maximum - pruned for update of delivery skip locked));
  get diagnostics deleted = row_count;
  pruned := pruned + deleted;
  delete from funding.events where id in (
    select event.id from funding.events as event
    where event.id = any (old) and not exists (select from funding.webhook_deliveries as delivery where delivery.event_id = event.id)
    order by event.created_at
    limit maximum - pruned for update skip locked);
  get diagnostics deleted = row_count;
  return pruned + deleted;
end
$$;

-- supabase/schemas/operations/upgrade_locks.sql
-- Locks of an upgrade, beside requests.

-- Locks those tables of `funding` until the transaction ends, so that nobody reads or writes them: all of them, or none. A request under way, a backup
-- or somebody's open transaction may hold one: then what was locked is released, the requests that queued are answered, and it is tried again, 60
-- times. Requests wait for an attempt, 0.05 s at first, and 0.8 s at most: sooner than Postgres looks for a deadlock.
create or replace function funding.lock_tables(names text[]) returns void
language plpgsql as $$
declare
  former_timeout constant text := current_setting('lock_timeout');
  name text;
  patience interval := '50 ms';
  until timestamptz;
begin
  for attempt in 1..60 loop
    begin
      until := clock_timestamp() + patience;
      foreach name in array names loop
        perform set_config('lock_timeout', greatest(1, extract(milliseconds from until - clock_timestamp())::integer)::text, true);
        execute format('lock table funding.%I in access exclusive mode', name);
      end loop;
      perform set_config('lock_timeout', former_timeout, true);
      return;
    exception when lock_not_available or deadlock_detected then
      perform pg_sleep(1);
      patience := least(patience * 1.3, interval '800 ms');
    end;
  end loop;
  raise lock_not_available using
    message = 'the upgrade could not lock the tables of requests within a minute or two: somebody holds one of them',
    hint = 'select pid, query from pg_stat_activity where xact_start < now() - interval ''1 minute'' tells who: let it end, then upgrade again.';
end
$$;

-- supabase/schemas/operations/upkeep.sql
-- Upkeep of the index, which the dispatcher and imports call.

-- Makes search use a new embedding model for which no record of a small catalogue waits. Seals the records of each dataset that came or changed since the last segment, `most` slots of each. Where there are none, merges segments to some
-- of `most_merged` slots. Where no dataset has either, links versions (versions.sql), or else makes lexemes of an earlier version anew (renewal.sql) or, where there are none, cleans a
-- dataset (cleaning.sql): of up to a twentieth of `most` records, 100 in 0.1 s. That comes last, because a writer of such a record waits for the end
-- of this call. Where there was nothing to do, makes statistics of funders (funder_statistics.sql), or else a step of a renewal of the suggestions,
-- of up to half of `most` records (suggestions.sql). The caller calls again while it did something. Returns { sealed, merged, linked, renewed, cleaned,
-- suggested, counted, failures }: the number of records sealed, of segments merged or dropped, of numbers linked, of records looked at for outdated lexemes, of records
-- moved, of steps of that renewal, and of funders; and the errors. An error of one dataset leaves the others alone.
create or replace function public.seal_records(most integer default 2000, most_merged integer default 8000) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '60s' set lock_timeout = '500ms' as $$
declare
  began timestamptz;
  datasets constant text[] := array['funders', 'grants', 'contracts'];
  dataset text;
  records integer;
  sealed integer := 0;
  merged integer := 0;
  linked integer := 0;
  renewed integer := 0;
  cleaned integer := 0;
  suggested integer := 0;
  counted integer := 0;
  failures text[] := '{}';
begin
  begin
    perform funding.forget_lost_fit(most);
  exception when others then
    failures := failures || format('a lost fit: %s %s', sqlstate, sqlerrm);
  end;
  begin
    -- More vectors need an index, which takes longer than this function has: npm run embed.
    perform funding.adopt_next_model(funding.setting('vector_index_minimum')::bigint);
  exception when others then
    failures := failures || format('a new embedding model: %s %s', sqlstate, sqlerrm);
  end;
  foreach dataset in array datasets loop
    begin
      -- Records are not sealed after each batch of a renewal.
      records := funding.seal(dataset, case when funding.has_outdated_documents(dataset) then greatest(most / 2, 64) else 64 end, most);
      sealed := sealed + records;
      if records = 0 then
        merged := merged + funding.merge_segments(dataset, most_merged);
      end if;
    exception when others then
      failures := failures || format('%s: %s %s', dataset, sqlstate, sqlerrm);
    end;
  end loop;
  if sealed + merged = 0 then
    begin
      linked := funding.renew_version_links();
    exception when others then
      failures := failures || format('versions: %s %s', sqlstate, sqlerrm);
    end;
  end if;
  foreach dataset in array datasets loop
    exit when sealed + merged + linked + renewed > 0;
    begin
      renewed := funding.renew_documents(dataset, greatest(most / 20, 1));
    exception when others then
      failures := failures || format('%s: %s %s', dataset, sqlstate, sqlerrm);
    end;
  end loop;
  foreach dataset in array datasets loop
    exit when sealed + merged + linked + renewed + cleaned > 0;
    begin
      cleaned := funding.clean_segments(dataset, greatest(most / 20, 1), most_merged);
    exception when others then
      failures := failures || format('%s: %s %s', dataset, sqlstate, sqlerrm);
    end;
  end loop;
  if sealed + merged + linked + renewed + cleaned = 0 then
    begin
      counted := funding.renew_funder_statistics();
    exception when others then
      failures := failures || format('statistics: %s %s', sqlstate, sqlerrm);
    end;
  end if;
  if sealed + merged + linked + renewed + cleaned + counted = 0 then
    begin
      began := clock_timestamp();
      suggested := funding.renew_suggestions(greatest(most / 2, 1))::integer;
    -- A statement that ran out of time is none of the others.
    exception when query_canceled or others then
      perform funding.abandon_renewal(began);
      failures := failures || format('suggestions: %s %s', sqlstate, sqlerrm);
    end;
  end if;
  return json_build_object('sealed', sealed, 'merged', merged, 'linked', linked, 'renewed', renewed, 'cleaned', cleaned, 'suggested', suggested, 'counted', counted,
    'failures', failures);
end
$$;

-- supabase/schemas/records/award_numbers.sql
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

-- supabase/schemas/records/details.sql
-- Details of opportunities: data of their sources beyond a record's own fields, in the column `details`.

-- SQL for the other versions of the row named `record` (versions.sql), the listed one first, then from new to old: [{ id, by, is_listed }]. `by` is
-- "notice" for another notice of the same source, "source" for the same opportunity from another source. (Two cases: each is found by an index.)
create or replace function funding.same_as_expression(dataset text) returns text
language sql immutable parallel safe as $$
  select 'case when record.superseded_by is null then ' || format(versions.query, versions.dataset, 'other.superseded_by = record.id')
    || ' else ' || format(versions.query, versions.dataset,
      '(other.id = record.superseded_by or other.superseded_by = record.superseded_by) and other.id <> record.id') || ' end'
  from (values (dataset, $query$(
    select coalesce(json_agg(json_build_object('id', other.id, 'by', case when other.source = record.source then 'notice' else 'source' end,
      'is_listed', other.superseded_by is null) order by other.superseded_by is not null, other.created_at desc, other.id), '[]')
    from funding.%I as other where %s)$query$)) as versions(dataset, query)
$$;

-- SQL for the details of a record, as the API shows them with `expand=details`. It reads the row named `record`. A detail that the source does not
-- give is null, an empty list, or false.
create or replace function funding.details_expression(dataset text) returns text
language plpgsql immutable parallel safe as $$
begin
  return format('json_build_object(%s ''source'', record.source, ''updated_at'', funding.moment(record.updated_at))',
    case when dataset = 'funders' then '''ein'', funding.ein_of(record.source, record.source_id),' else (
      select format('''same_as'', %s, ', funding.same_as_expression(dataset)) || string_agg(case when member.absent is null then format('%1$L, record.details->%1$L,', member.name)
        else format('%1$L, coalesce(record.details->%1$L, %2$L),', member.name, member.absent) end, ' ')
      from funding.detail_members() as member)
    end);
end
$$;

-- Employer Identification Number of a funder: what the index of foundations' returns knows it by.
create or replace function funding.ein_of(source text, source_id text) returns text
language sql immutable parallel safe as $$
  select case when source = 'irs-990pf' and source_id ~ '^[0-9]{9}$' then source_id end
$$;

-- Page of records with the details of each, as its last member. A record that was deleted since has none. With checks, details have those as well.
create or replace function funding.with_details(dataset text, page json, has_checks boolean default false) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  detailed json;
begin
  execute format($details$
    select coalesce(json_agg(case when record.id is null then item.body else funding.with_member(item.body, 'details', %s) end order by item.position), '[]')
    from json_array_elements($1) with ordinality as item(body, position)
    left join funding.%I as record on record.id = (item.body->>'id')::uuid
  $details$, case when has_checks then format('funding.with_members(%s, %s)', funding.details_expression(dataset), funding.checks_expression(dataset))
    else funding.details_expression(dataset) end, dataset)
  into detailed using page;
  return detailed;
end
$$;

-- supabase/schemas/records/documents.sql
-- Documents of opportunities: files that their publishers link.

-- Addresses of the documents of current opportunities that are not over, each once.
create or replace function funding.current_documents() returns setof text
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  with record as (
    select grants.details, null::text as document_url from funding.grants
    where classification = 'opportunity' and archived_at is null and superseded_by is null and not funding.has_ended(status)
    union all
    select contracts.details, contracts.document_url from funding.contracts
    where classification = 'opportunity' and archived_at is null and superseded_by is null and not funding.has_ended(status)
  ), linked as (
    select document->>'url' as url from record cross join jsonb_array_elements(record.details->'documents') as document
    union
    select record.document_url from record
  )
  select linked.url from linked where linked.url ~* '^https?://' order by linked.url
$$;

-- supabase/schemas/records/due_dates.sql
-- Dates that act when they come: deadlines, planned archive dates, posting dates that are still ahead. A record has what its source states
-- (`stated_status`, `stated_archived_at`) beside what is shown (`status`, `archived_at`). The state that is shown follows from the statement and the
-- time alone: at each write of the record, and within a minute after a date came, by the dispatcher. So it does not matter whether a file was imported
-- before a date or after it.

-- Time zone of publishers of which nothing else is known: Eastern, that of federal agencies.
create or replace function funding.default_time_zone() returns text
language sql immutable parallel safe as $$
  select 'America/New_York'
$$;

-- Time zone of a source: where its publisher is.
create or replace function funding.time_zone_of(source text) returns text
language plpgsql stable as $$
begin
  return coalesce((select known.time_zone from funding.source_time_zones as known where known.source = time_zone_of.source), funding.default_time_zone());
end
$$;

-- Today in a time zone, as it is told. Every rule about "today" or "in N days" of records takes the day from here or from `announced_day`.
create or replace function funding.today_in(time_zone text) returns date
language sql stable as $$
  select (funding.wall_clock() at time zone time_zone)::date
$$;

-- Today where a source's publisher is.
create or replace function funding.today_of(source text) returns date
language sql stable as $$
  select funding.today_in(funding.time_zone_of(source))
$$;

-- Day where a source's publisher is by the bounded clock: what is announced goes by it.
create or replace function funding.announced_day(source text) returns date
language sql stable as $$
  select (funding.bounded_now() at time zone funding.time_zone_of(source))::date
$$;

-- Latest midnight of all time zones that records are in, by the bounded clock: from then on some records' day is another than before.
create or replace function funding.last_midnight() returns timestamptz
language sql stable as $$
  select max(date_trunc('day', funding.bounded_now(), zone.name))
  from (select funding.default_time_zone() as name union select time_zone from funding.source_time_zones) as zone
$$;

-- Moment at which a deadline has passed: that of `deadline_at`, where the source gives an hour of that day, else the end of the day in the time zone.
-- Midnight is no hour: programs write it for a day alone. Null without a deadline.
create or replace function funding.deadline_end(deadline_date date, details jsonb, time_zone text) returns timestamptz
language sql stable parallel safe as $$
  select case
    when details->>'deadline_at' like to_char(deadline_date, 'YYYY-MM-DD') || 'T%' and details->'deadline_assumed' is distinct from 'true'
      and substr(details->>'deadline_at', 12, 5) <> '00:00' then (details->>'deadline_at')::timestamptz
    else (deadline_date + 1)::timestamp at time zone time_zone
  end
$$;

-- Moment at which a stated date acts. Midnight UTC stands for a day, which begins in the time zone.
create or replace function funding.beginning_of(stated timestamptz, time_zone text) returns timestamptz
language sql immutable parallel safe as $$
  select case
    when isfinite(stated) and (stated at time zone 'UTC')::time = '00:00' then (stated at time zone 'UTC') at time zone time_zone
    else stated
  end
$$;

-- State of an opportunity or award at a moment, from what its source states. `stated_archived_at` may be in the future; `-infinity` stands for an
-- archived record whose source has no date: it is archived since `known_archived_at`, or from now on.
--
-- An archived record is closed. An opportunity is closed after its deadline, and upcoming before its posting date. All other statuses stay. What is
-- imported after a long stop is not upcoming while the bounded clock catches up: the server's clock opens a record, too.
create or replace function funding.state_at(
  source text, classification text, stated_status text, stated_archived_at timestamptz, deadline_date date, details jsonb, created_at timestamptz,
  known_archived_at timestamptz, at timestamptz, out status text, out archived_at timestamptz)
language plpgsql stable as $$
declare
  time_zone constant text := funding.time_zone_of(source);
begin
  if stated_archived_at = '-infinity' then
    archived_at := coalesce(known_archived_at, at);
  elsif funding.beginning_of(stated_archived_at, time_zone) <= at then
    archived_at := stated_archived_at;
  end if;
  status := case
    when stated_status not in ('open', 'posted', 'forecasted', 'upcoming') then stated_status
    when archived_at is not null then 'closed'
    when classification <> 'opportunity' then stated_status
    when funding.deadline_end(deadline_date, details, time_zone) <= at then 'closed'
    when stated_status in ('open', 'posted') and funding.beginning_of(created_at, time_zone) > greatest(at, funding.wall_clock()) then 'upcoming'
    else stated_status
  end;
end
$$;

-- Records of a dataset whose state is no longer the one that is shown, as ids: at most `maximum` of each kind.
create or replace function funding.records_due(dataset text, at timestamptz, maximum integer) returns uuid[]
language plpgsql stable as $$
declare
  due uuid[];
begin
  execute format($due$
    select array(
      (select record.id from funding.%1$I as record
       where record.archived_at is null and record.classification = 'opportunity'
         and record.status in ('open', 'posted', 'forecasted', 'upcoming')
         -- The day begins at UTC+14 first.
         and record.deadline_date <= ($1 at time zone 'UTC' + interval '14 hours')::date
         and funding.deadline_end(record.deadline_date, record.details, funding.time_zone_of(record.source)) <= $1
       order by record.deadline_date limit $2)
      union
      (select record.id from funding.%1$I as record
       where record.archived_at is null and record.stated_archived_at <= $1 + interval '14 hours'
         and funding.beginning_of(record.stated_archived_at, funding.time_zone_of(record.source)) <= $1
       order by record.stated_archived_at limit $2)
      union
      (select record.id from funding.%1$I as record
       where record.status = 'upcoming' and record.stated_status in ('open', 'posted') and record.archived_at is null
         and funding.beginning_of(record.created_at, funding.time_zone_of(record.source)) <= $1
       limit $2))
  $due$, dataset) into due using at, maximum;
  return due;
end
$$;

-- Lets the dates act that have come: closes, archives and opens records, at most `maximum` of each kind and dataset, with a change each. Records that
-- somebody is writing are left to the next call. Moves the clocks on first. Returns { records, has_more, clock_offset_seconds }: the last one as
-- `funding.clock_offset_seconds` has it.
create or replace function public.apply_due_dates(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD'
set statement_timeout = '7s' as $$
declare
  ticked constant timestamptz := funding.tick();
  present constant timestamptz := funding.bounded_now();
  dataset text;
  due uuid[];
  changed_at timestamptz;
  written integer;
  archived uuid[];
  total integer := 0;
  has_more boolean := false;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    due := funding.records_due(dataset, present, maximum);
    continue when due = '{}';
    has_more := has_more or cardinality(due) >= maximum;
    changed_at := funding.change_moment();
    execute format($apply$
      with locked as materialized (
        select * from funding.%1$I where id = any ($1) order by id for update skip locked
      ), changed as (
        select locked.id, locked.status as old_status, locked.archived_at as old_archived_at, state.*
        from locked cross join lateral funding.state_at(locked.source, locked.classification, coalesce(locked.stated_status, locked.status),
          locked.stated_archived_at, locked.deadline_date, locked.details, locked.created_at, locked.archived_at, $2) as state
        where (state.status, state.archived_at) is distinct from (locked.status, locked.archived_at)
      ), written as (
        update funding.%1$I as record
        set status = changed.status, archived_at = changed.archived_at, stated_status = coalesce(record.stated_status, record.status), updated_at = $3
        from changed where changed.id = record.id
      ), noted as (
        insert into funding.record_changes (dataset, record_id, previous)
        select %1$L, id, case when old_status <> status then jsonb_build_object('status', old_status) else '{}' end
          || case when archived_at is not null then '{"archived_at": null}'::jsonb else '{}' end
        from changed
      )
      select count(*), coalesce(array_agg(id) filter (where archived_at is distinct from old_archived_at), '{}') from changed
    $apply$, dataset) into written, archived using due, present, changed_at;
    if archived <> '{}' then
      perform funding.link_versions(dataset, archived, changed_at);
    end if;
    total := total + written;
  end loop;
  return json_build_object('records', total, 'has_more', has_more and total > 0, 'clock_offset_seconds', funding.clock_offset_seconds());
end
$$;

-- Keeps the time zone of a source's publisher. Raises where Postgres knows no such zone.
create or replace function funding.set_time_zone(source text, time_zone text) returns void
language plpgsql set search_path = funding, pg_temp as $$
begin
  perform funding.today_in(set_time_zone.time_zone);
  insert into funding.source_time_zones as known (source, time_zone) values (set_time_zone.source, set_time_zone.time_zone)
  on conflict on constraint source_time_zones_pkey do update set time_zone = excluded.time_zone
  where known.time_zone <> excluded.time_zone;
end
$$;

-- Whether an opportunity with this status takes no applications any more. Contracts keep `cancelled` and `awarded`; of grants, these are closed.
create or replace function funding.has_ended(status text) returns boolean
language sql immutable parallel safe as $$
  select status in ('closed', 'cancelled', 'awarded')
$$;

-- supabase/schemas/records/funder_names.sql
-- Names that each funder has or had. A renamed funder is still found by the name that its sources go on using, and two imports at once do not make
-- one funder twice.

-- Hash of a name: the same for names that `name_key` compares as equal.
create or replace function funding.name_hash(name text) returns uuid
language sql immutable parallel safe as $$
  select md5(funding.name_key(name))::uuid
$$;

-- Trigger of new funders: stores their names.
create or replace function funding.note_new_funder_names() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into funding.funder_names as known (funder_id, name_hash, name)
  select id, funding.name_hash(name), name from inserted order by created_at, id
  on conflict (funder_id, name_hash) do update set name = excluded.name, former_order = null;
  return null;
end
$$;

-- Trigger of a changed funder: stores its new name, and marks its other names as former ones. (A row trigger: a statement's trigger would be given
-- copies of all the records that a refit updates.)
create or replace function funding.note_funder_rename() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.id <> old.id then
    update funding.funder_names set funder_id = new.id where funder_id = old.id;
  end if;
  insert into funding.funder_names as known (funder_id, name_hash, name)
  values (new.id, funding.name_hash(new.name), new.name)
  on conflict (funder_id, name_hash) do update set name = excluded.name, former_order = null;
  if new.name <> old.name then
    perform funding.touch_opportunities_of(new.id);
  end if;
  update funding.funder_names set former_order = nextval('funding.funder_name_order')
  where funder_id = new.id and former_order is null and name_hash <> funding.name_hash(new.name);
  return null;
end
$$;

-- Trigger of deleted funders: deletes their names.
create or replace function funding.forget_funder_names() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from funding.funder_names;
  else
    delete from funding.funder_names where funder_id in (select id from deleted);
  end if;
  return null;
end
$$;

-- Makes transactions that bring the same funders take turns: the second waits until the first has committed, and then sees its funders. A key is a
-- name's hash, or an id that a funder may be given. All transactions lock in the order of the keys, so two cannot wait for each other. Postgres waits
-- for a row that another running transaction has inserted, even if that transaction has deleted the row again. So no row stays.
create or replace function funding.lock_funders(keys uuid[]) returns void
language plpgsql as $$
begin
  insert into funding.funder_locks (key)
  select distinct key from unnest(keys) as key where key is not null order by key
  on conflict (key) do nothing;
  delete from funding.funder_locks where key = any (keys);
end
$$;

-- Id of the new funder for an unknown funder that a source names.
create or replace function funding.mentioned_id(source text, code text, name_key text) returns uuid
language sql immutable parallel safe as $$
  select funding.record_id('funders', source, coalesce(code, 'name:' || name_key))
$$;

-- The different ways in which the opportunities of a batch name their funders, where they name one, and the stored funder for each.
create or replace function funding.funder_mentions(batch jsonb)
returns table (source text, code text, name text, name_key text, positions bigint[], funder_id uuid, is_by_name boolean)
language sql stable as $$
  select mention.source, mention.code, mention.name, mention.name_key, mention.positions,
         coalesce(by_code.id, by_other_code.id, by_name.id, made.id),
         coalesce(by_code.id, by_other_code.id) is null and coalesce(by_name.id, made.id) is not null
  from (
    select value->>'source' as source, value->>'funder_source_id' as code, value->>'funder_name' as name,
           funding.name_key(value->>'funder_name') as name_key, array_agg(position order by position) as positions
    from jsonb_array_elements(batch) with ordinality as item(value, position)
    group by 1, 2, 3
  ) as mention
  left join funding.funders as by_code on by_code.source = mention.source and by_code.source_id = mention.code
  left join (funding.funder_codes as other_code join funding.funders as by_other_code on by_other_code.id = other_code.funder_id)
    on other_code.source = mention.source and other_code.code = mention.code
  left join lateral (
    select funders.id
    from funding.funder_names as known join funding.funders on funders.id = known.funder_id
    where known.name_hash = funding.name_hash(mention.name)
    -- Present names come before former ones, then funders of the same source. Of former names, the last that was given up comes first; of present
    -- ones, the oldest.
    order by known.former_order is null desc, funders.source = mention.source desc, known.former_order desc, known.known_order
    limit 1
  ) as by_name on true
  -- The funder that was made for this very mention, in case its name and code were forgotten: its id is taken.
  left join funding.funders as made on made.id = funding.mentioned_id(mention.source, mention.code, mention.name_key)
$$;

-- Funder that each opportunity of a batch names, in the order of the batch. It is found by its code within the source, else by its name in any
-- spelling, also a former name; where none is found, a new funder is made. Null where an opportunity names none. A batch gives the same as its
-- opportunities one by one.
create or replace function funding.match_funders(batch jsonb) returns uuid[]
language plpgsql as $$
declare
  matched uuid[];
  keys uuid[];
  is_locked boolean := false;
  made_at timestamptz;
begin
  loop
    -- To be stored: a new funder, or the code of a funder that was found by its name.
    select array_agg(funder_id order by position),
           array_agg(funding.name_hash(name)) filter (where is_new)
             || array_agg(funding.mentioned_id(source, code, name_key)) filter (where is_new)
    into matched, keys
    from funding.funder_mentions(batch), unnest(positions) as position,
         lateral (select name is not null and (funder_id is null or is_by_name and code is not null) as is_new) as novelty;
    exit when keys is null;
    if not is_locked then
      -- Locks in an order that all imports have: names and codes, then the funders that are there, then new ones, then
      -- the version of the data, which an insert holds to the end.
      perform funding.lock_funders(keys);
      perform from funding.funders
      where id in (select funder_id from funding.funder_mentions(batch)) order by id for key share;
      is_locked := true;
      -- Another import may have made these funders while this one waited.
      continue;
    end if;
    -- The code is stored, so that it finds the funder when the source uses another name.
    insert into funding.funder_codes (source, code, funder_id)
    select source, code, funder_id
    from (
      select *, row_number() over (partition by source, code order by positions[1]) as code_position
      from funding.funder_mentions(batch)
      where name is not null and code is not null and (funder_id is null or is_by_name)
    ) as mention
    where is_by_name and code_position = 1
    order by source, code
    on conflict (source, code) do update set funder_id = excluded.funder_id;
    -- An insert of nothing would count as a change to the funders.
    if exists (select from funding.funder_mentions(batch) where funder_id is null and name is not null) then
      -- One funder for each name and code; other mentions of the name, or the code, are looked up again.
      made_at := funding.change_moment();
      insert into funding.funders (id, name, created_at, updated_at, first_seen_at, source, source_id, content_hash)
      select funding.mentioned_id(source, code, name_key), name, now(), made_at, made_at, source, coalesce(code, 'name:' || name_key), ''
      from (
        select *, row_number() over (partition by source, code order by positions[1]) as code_position,
               row_number() over (partition by funder_id is null, name_key order by positions[1]) as name_position
        from funding.funder_mentions(batch)
        where name is not null and (funder_id is null or is_by_name)
      ) as mention
      where funder_id is null and name_position = 1 and (code is null or code_position = 1)
      order by 1
      on conflict (id) do nothing;
    end if;
  end loop;
  return matched;
end
$$;

-- Ids of a batch of funder records, in its order. A funder that was known by its name alone, from an opportunity, keeps its id when its record comes:
-- the opportunities and the API's clients have that id.
create or replace function funding.funder_record_ids(batch jsonb) returns uuid[]
language plpgsql as $$
declare
  ids uuid[];
  keys uuid[];
begin
  -- Locks in the order that `match_funders` has.
  select array_agg(funding.name_hash(value->>'name'))
         || array_agg(funding.record_id('funders', value->>'source', value->>'source_id'))
  into keys
  from jsonb_array_elements(batch)
  left join funding.funders as own on own.source = value->>'source' and own.source_id = value->>'source_id'
  where own.id is null or own.name <> value->>'name';
  if keys is not null then
    perform funding.lock_funders(keys);
    perform from funding.funders
    where content_hash = '' and id in (
      select known.funder_id from funding.funder_names as known
      where known.name_hash = any (keys) and known.former_order is null)
    order by id for update;
  end if;
  with item as (
    select value->>'source' as source, value->>'source_id' as source_id, position,
           funding.name_hash(value->>'name') as name_hash
    from jsonb_array_elements(batch) with ordinality as item(value, position)
  ), known as (
    select item.*, own.id as own_id, namesake.id as namesake_id,
           row_number() over (partition by namesake.id, own.id is null order by position) as turn
    from item
    left join funding.funders as own on own.source = item.source and own.source_id = item.source_id
    left join lateral (
      select funders.id
      from funding.funder_names as known join funding.funders on funders.id = known.funder_id
      where known.name_hash = item.name_hash and known.former_order is null and funders.content_hash = ''
      order by known.known_order limit 1
    ) as namesake on true
  ), adopted as (
    -- The funder's source used a code for it, and will use the code again.
    insert into funding.funder_codes (source, code, funder_id)
    select funders.source, funders.source_id, funders.id
    from known join funding.funders on funders.id = known.namesake_id
    where known.own_id is null and known.turn = 1 and funders.source_id not like 'name:%'
    order by 1, 2
    on conflict (source, code) do update set funder_id = excluded.funder_id
  )
  select array_agg(coalesce(own_id, case when turn = 1 then namesake_id end,
    funding.record_id('funders', source, source_id)) order by position)
  into ids from known;
  return ids;
end
$$;

-- Moves the opportunities of a renamed funder in the feed: they show the funder's name.
create or replace function funding.touch_opportunities_of(renamed uuid) returns void
language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  changed_at timestamptz;
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    -- Locked in the order in which imports lock them.
    execute format('select from funding.%I where funder_id = $1 order by id for no key update', dataset) using renamed;
    changed_at := coalesce(changed_at, funding.change_moment());
    execute format('update funding.%I set updated_at = $2 where funder_id = $1', dataset) using renamed, changed_at;
  end loop;
end
$$;

-- supabase/schemas/records/funder_statistics.sql
-- Statistics of funders: what is open, and what was awarded, by fiscal year, programme and recipient. Upkeep makes them after a record changed; a
-- request reads a row.

-- Notes the funders of records that changed in what statistics count.
create or replace function funding.note_funder_statistics_due() returns trigger
language plpgsql security definer
set search_path = funding, extensions, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into funding.funder_statistics_due (funder_id) select distinct record.funder_id from new_records as record;
  elsif tg_op = 'DELETE' then
    insert into funding.funder_statistics_due (funder_id) select distinct record.funder_id from old_records as record;
  else
    insert into funding.funder_statistics_due (funder_id)
    select distinct changed.funder_id
    from old_records as before join new_records as after using (id) cross join lateral (values (before.funder_id), (after.funder_id)) as changed(funder_id)
    where (before.funder_id, before.classification, before.status, before.archived_at, before.superseded_by, before.created_at, before.amount_max, before.details)
      is distinct from (after.funder_id, after.classification, after.status, after.archived_at, after.superseded_by, after.created_at, after.amount_max, after.details);
  end if;
  return null;
end
$$;

-- Statistics of a funder, as the API shows them. An award's amount is what is obligated, else its `amount_max`. A fiscal year ends in September; a
-- source's days are days of UTC. (A funder's records are read first: before tables are analyzed, Postgres would read the index of all that is listed.)
create or replace function funding.statistics_of_funder(funder_id uuid) returns json
language sql stable
set search_path = funding, extensions, pg_temp set work_mem = '64MB' as $$
  with record as materialized (
    select 'grants' as dataset, grants.classification, grants.status, grants.created_at, grants.amount_max, grants.details
    from (select * from funding.grants as known where known.funder_id = statistics_of_funder.funder_id offset 0) as grants
    where grants.archived_at is null and grants.superseded_by is null
    union all
    select 'contracts', contracts.classification, contracts.status, contracts.created_at, contracts.amount_max, contracts.details
    from (select * from funding.contracts as known where known.funder_id = statistics_of_funder.funder_id offset 0) as contracts
    where contracts.archived_at is null and contracts.superseded_by is null
  ), award as materialized (
    select extract(year from record.created_at at time zone 'UTC' + interval '3 months')::integer as fiscal_year,
           coalesce((record.details->>'obligated_amount')::double precision, record.amount_max)::numeric as amount,
           record.details->'recipient' as recipient, record.details->'assistance_listings' as listings
    from record where record.classification = 'awarded_project'
  ), programme as (
    select item->>'number' as number, (array_agg(item->>'title' order by item->>'title') filter (where item->>'title' <> ''))[1] as title,
           count(*) as awards, coalesce(sum(award.amount), 0)::double precision as amount
    from award cross join lateral (
      select distinct on (listing->>'number') listing as item from jsonb_array_elements(nullif(award.listings, 'null')) as listing where listing->>'number' <> ''
    ) as listed
    group by item->>'number'
  ), recipient as (
    select min(award.recipient->>'name') as name, award.recipient->>'uei' as uei, count(*) as awards, coalesce(sum(award.amount), 0)::double precision as amount
    from award where award.recipient->>'name' <> ''
    group by award.recipient->>'uei', case when award.recipient->>'uei' is null then funding.name_key(award.recipient->>'name') end
  )
  select json_build_object(
    'open_opportunities', (
      select json_build_object('grants', count(*) filter (where record.dataset = 'grants'), 'contracts', count(*) filter (where record.dataset = 'contracts'))
      from record where record.classification = 'opportunity' and record.status in ('open', 'posted')),
    'awards', (
      select json_build_object('total', count(*), 'amount', coalesce(sum(amount), 0)::double precision,
        'median_amount', percentile_cont(0.5) within group (order by amount::double precision)) from award),
    'awards_by_fiscal_year', (
      select coalesce(json_agg(json_build_object('fiscal_year', fiscal_year, 'awards', awards, 'amount', amount) order by fiscal_year desc), '[]')
      from (select fiscal_year, count(*) as awards, coalesce(sum(award.amount), 0)::double precision as amount from award group by fiscal_year) as year),
    'top_programmes', (
      select coalesce(json_agg(json_build_object('number', number, 'title', title, 'awards', awards, 'amount', amount) order by amount desc, number), '[]')
      from (select * from programme order by amount desc, number limit 10) as top),
    'top_recipients', (
      select coalesce(json_agg(json_build_object('name', name, 'uei', uei, 'awards', awards, 'amount', amount) order by amount desc, name, uei), '[]')
      from (select * from recipient order by amount desc, name, uei limit 10) as top))
$$;

-- Statistics of a funder for a request, with the moment they were made: of none, where none were made yet. Null where there is no such funder.
create or replace function funding.known_statistics(funder_id uuid) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  known record;
begin
  if not exists (select from funding.funders where funders.id = known_statistics.funder_id) then
    return null;
  end if;
  select * into known from funding.funder_statistics as made where made.funder_id = known_statistics.funder_id;
  return funding.with_member(funding.with_member(
    coalesce(known.body, funding.statistics_of_funder('00000000-0000-0000-0000-000000000000')),
    'funder_id', to_json(known_statistics.funder_id)), 'as_of', coalesce(to_json(funding.moment(known.made_at)), 'null'));
end
$$;

-- Makes the statistics anew of the funders that have waited longest, as many as 100 ms allow, and of one at least. Returns their number: an import may
-- concern thousands.
create or replace function funding.renew_funder_statistics() returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  ends constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  renewed integer := 0;
  due uuid;
begin
  loop
    due := (select waiting.funder_id from funding.funder_statistics_due as waiting order by waiting.id limit 1 for update skip locked);
    exit when due is null;
    -- First, so that what changes from here on is due again.
    delete from funding.funder_statistics_due as waiting where waiting.funder_id = due;
    if exists (select from funding.funders where funders.id = due) then
      insert into funding.funder_statistics as known (funder_id, body, made_at)
      values (due, funding.statistics_of_funder(due), clock_timestamp())
      on conflict on constraint funder_statistics_pkey do update set body = excluded.body, made_at = excluded.made_at;
    else
      delete from funding.funder_statistics as known where known.funder_id = due;
    end if;
    renewed := renewed + 1;
    exit when clock_timestamp() >= ends;
  end loop;
  return renewed;
end
$$;

-- supabase/schemas/records/imports.sql
-- Log of imports.

-- Logs the beginning of an import, and returns its number. An earlier import of the same source without an end was interrupted.
create or replace function funding.start_import(source text, importer text, datasets text[], file text, is_full boolean, as_of timestamptz)
returns bigint
language sql security definer set search_path = funding, extensions, pg_temp as $$
  select funding.follow_unwatched_clock();
  update funding.imports set outcome = 'interrupted', finished_at = now()
  where imports.source = start_import.source and outcome = 'running';
  insert into funding.imports (source, importer, datasets, file, is_full, as_of)
  values (source, importer, datasets, file, is_full, least(as_of, now()))
  returning id
$$;

-- Logs the end of an import.
create or replace function funding.finish_import(
  import_id bigint, outcome text, counts jsonb, message text, has_final_line_break boolean default null
) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  update funding.imports
  set outcome = finish_import.outcome, counts = finish_import.counts, message = finish_import.message,
      has_final_line_break = finish_import.has_final_line_break, finished_at = clock_timestamp()
  where id = import_id
$$;

-- Runs of the same source and dataset whose files are newer than those of an import, by more than an hour (files that came together are of one time):
-- the start of the first run, the time of the newest file, and whether a full list is among the runs that ended. Failed runs count: they may have
-- written records. Nulls where there is no such run.
create or replace function funding.newer_runs(import_id bigint, out since timestamptz, out as_of timestamptz, out has_full_list boolean)
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  -- Records have times of whole milliseconds.
  select date_trunc('milliseconds', min(newer.started_at)), max(newer.as_of), bool_or(newer.is_full and newer.outcome in ('completed', 'refused'))
  from funding.imports as run
  join funding.imports as newer
    on newer.source = run.source and newer.datasets && run.datasets and newer.as_of > run.as_of + interval '1 hour' and newer.id <> run.id
  where run.id = import_id
$$;

-- Locks a source for this transaction, unless another import has locked it; returns whether it did. The lock is not the session's: a pooler in
-- transaction mode would keep such a lock for ever.
create or replace function funding.lock_source(source text) returns boolean
language sql as $$
  select pg_try_advisory_xact_lock(hashtextextended('import of ' || source, 0))
$$;

-- Whether the files of a source's newest finished run by this importer ended with a line break. A file of lines that was cut between two values looks
-- complete, except that this line break is missing. Where the source's files had it before, a file without it was cut.
create or replace function funding.had_final_line_break(source text, importer text) returns boolean
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select coalesce((
    select has_final_line_break from funding.imports
    where imports.source = had_final_line_break.source and imports.importer = had_final_line_break.importer
      and outcome in ('completed', 'refused') and has_final_line_break is not null
    order by id desc limit 1), false)
$$;

-- supabase/schemas/records/ingest.sql
-- Writing records: batches of JSON in the shape of ingest/record.ts. The same batch twice changes nothing, and a change writes
-- only the records that differ.

-- Defaults of the fields that a new record leaves out.
create or replace function funding.least_record() returns jsonb
language sql immutable parallel safe as $$
  select '{"description": "", "classification": "opportunity", "states": [], "is_national": false, "categories": [], "identifiers": []}'::jsonb
$$;

-- SQL for the new value of a record's column within upsert_records, as its source states it.
create or replace function funding.merged_column(name text) returns text
language sql immutable as $$
  select case name
    when 'funder_id' then 'coalesce($3[item.position], stored.funder_id)'
    -- Under an alias, the record has an address of its own already.
    when 'listing_url' then
      'case when funding.is_alias(item.value->>''source'', item.value->>''source_id'') then coalesce(stored.listing_url, given.listing_url) else given.listing_url end'
    -- A source that gives no date keeps the one from its first import.
    when 'created_at' then 'coalesce(given.created_at, stored.created_at, now()::timestamptz(3))'
    -- A part of a record that says "posted" does not know of the archive date that is planned.
    when 'archived_at' then $c$case when given.archived_at is null and not item.value ?& $4 and stored.stated_archived_at > funding.bounded_now()
      then stored.stated_archived_at else given.archived_at end$c$
    else format('given.%I', name)
  end
$$;

-- SQL for the new values of a record as its source states them, column by column.
create or replace function funding.merged_columns(columns text[]) returns text
language sql immutable as $$
  select string_agg(funding.merged_column(name), ', ' order by position) from unnest(columns) with ordinality as listed(name, position)
$$;

-- New details of an opportunity. The details of a whole record replace the stored ones; those of a part of a record change the fields that they have.
-- Documents, and titles of assistance listings, stay where a source gives none: Grants.gov's daily extract has neither, and its API has both.
create or replace function funding.merged_details(stored jsonb, given jsonb, is_whole boolean) returns jsonb
language plpgsql immutable parallel safe as $$
declare
  merged jsonb := case when is_whole then given else coalesce(stored, '{}') || given end;
begin
  if given is null or stored is null then
    return coalesce(given, stored);
  end if;
  if stored ? 'documents' and not given ? 'documents' then
    merged := merged || jsonb_build_object('documents', stored->'documents');
  end if;
  if jsonb_typeof(given->'assistance_listings') = 'array' and jsonb_typeof(stored->'assistance_listings') = 'array' then
    merged := merged || jsonb_build_object('assistance_listings', (
      select jsonb_agg(
        case when item->>'title' is null then item || coalesce((
          select jsonb_build_object('title', known->'title') from jsonb_array_elements(stored->'assistance_listings') as known
          where known->>'number' = item->>'number' limit 1), '{}')
        else item end order by position)
      from jsonb_array_elements(given->'assistance_listings') with ordinality as listed(item, position)));
  end if;
  return merged;
end
$$;

-- Writes a batch of records in the shape of ingest/record.ts, and returns { inserted, updated, unchanged }. A field that a record leaves out keeps
-- its stored value. The status and the archive date that are shown follow from the stated ones (due_dates.sql); a record whose statement alone changed
-- counts as unchanged. A record that was changed at `kept_since` or later stays as it is. A batch that changes nothing touches no table and fires no
-- trigger. Time zone and date style are pinned because a record's content is compared as text.
create or replace function funding.upsert_records(dataset text, batch jsonb, kept_since timestamptz default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  columns text[] := funding.content_columns(dataset);
  has_details constant boolean := dataset <> 'funders';
  -- New statement about a record: from the item and, for the fields that the item leaves out, from the stored record.
  given constant text := format($given$
    jsonb_populate_record(
      case when item.value ?& $4 then null::funding.%1$I else %2$s end,
      case when stored.id is null and not item.value ?& $4 then funding.least_record() || item.value else item.value end) as given
  $given$, dataset, case when has_details then $stated$
    jsonb_populate_record(stored, jsonb_build_object(
      'status', coalesce(stored.stated_status, stored.status), 'archived_at', coalesce(stored.stated_archived_at, stored.archived_at)))
  $stated$ else 'stored' end);
  merged constant text := funding.merged_columns(columns);
  merged_details constant text := $merge$funding.merged_details(stored.details, item.value->'details', item.value ?& $4)$merge$;
  state constant text := format('cross join lateral funding.state_at(%s) as state', concat_ws(', ', 'item.value->>''source''',
    'given.classification', funding.merged_column('status'), funding.merged_column('archived_at'), 'given.deadline_date', merged_details,
    funding.merged_column('created_at'), 'stored.archived_at', '$8'));
  -- Columns that a write compares and notes: what is shown, not what is stated.
  shown constant text := (select string_agg(case when has_details and name in ('status', 'archived_at') then 'state.' || name
    else funding.merged_column(name) end, ', ' order by position) from unnest(columns) with ordinality as listed(name, position));
  -- Positions of the records to write, among those at $5 (null: all).
  compare constant text := format($compare$
    select array_agg(item.position order by item.position)
    from jsonb_array_elements($1) with ordinality as item(value, position)
    left join funding.%1$I as stored on stored.id = $2[item.position]
    where ($5 is null or item.position = any ($5))
      and ($6 is null or stored.id is null or stored.updated_at < $6)
      and (stored.id is null
        or (stored.source_id <> item.value->>'source_id' and not funding.is_alias(item.value->>'source', item.value->>'source_id'))
        or stored.content_hash <> (select md5(row(%2$s)::text) from %3$s) %4$s)
  $compare$, dataset, merged, given, case when has_details then 'or stored.details is distinct from ' || merged_details end);
  ids uuid[];
  funder_ids uuid[];
  changed bigint[];
  locked integer;
  inserted bigint := 0;
  updated bigint := 0;
  changed_at timestamptz;
begin
  perform funding.require_room();
  if dataset = 'funders' then
    ids := funding.funder_record_ids(batch);
  else
    ids := funding.record_ids(dataset, batch);
    funder_ids := funding.match_funders(batch);
  end if;

  execute compare into changed using batch, ids, funder_ids, array_remove(columns, 'funder_id'), changed, kept_since;
  if changed is not null then
    -- Locked in the order of their ids, before the write's foreign keys lock them in the write's own order: an import of a directory may be adopting
    -- several of these funders.
    if dataset <> 'funders' then
      perform from funding.funders
      where id in (select funder_ids[position] from unnest(changed) as position) order by id for key share;
    end if;
    -- From here on no other transaction is writing one of these records, and a part of a record is merged with the latest stored state.
    execute format('select from funding.%I where id = any ($1) order by id for update', dataset)
    using array(select ids[position] from unnest(changed) as position);
    get diagnostics locked = row_count;
    if locked > 0 then
      execute compare into changed using batch, ids, funder_ids, array_remove(columns, 'funder_id'), changed, kept_since;
    end if;
  end if;

  if changed is not null then
    changed_at := funding.change_moment();
    execute format($write$
      with item as (
        select $2[position] as id, $1->(position - 1)::integer as value, position from unnest($5) as position
      ), before as (
        select * from funding.%1$I where id in (select id from item)
      ), written as (
        insert into funding.%1$I as record (id, source, source_id, updated_at, first_seen_at, content_hash, %4$s %8$s)
        select item.id, item.value->>'source', item.value->>'source_id', $7, $7, md5(row(%2$s)::text), %14$s %9$s
        from item left join funding.%1$I as stored on stored.id = item.id cross join lateral %3$s %15$s
        order by item.id
        on conflict (id) do update set source = excluded.source,
          source_id = case when funding.is_alias(excluded.source, excluded.source_id) then record.source_id else excluded.source_id end,
          content_hash = excluded.content_hash, %5$s %10$s,
          updated_at = case when (%16$s) is distinct from (%17$s) then excluded.updated_at else record.updated_at end
        returning record.xmax = 0 as is_new, record.xmax <> 0 and record.updated_at = $7 as is_updated, record.id,
          case when record.xmax <> 0 then jsonb_build_object(%6$s) %11$s end as content %13$s
      ), difference as (
        select written.id, (
          select jsonb_object_agg(old.key, old.value)
          from jsonb_each(jsonb_build_object(%7$s) %12$s) as old
          where old.value is distinct from coalesce(written.content->old.key, 'null')) as previous
        from written join before on before.id = written.id
        where not written.is_new
      ), noted as (
        insert into funding.record_changes (dataset, record_id, previous)
        select $6, id, previous from difference where previous is not null
      )
      select count(*) filter (where is_new), count(*) filter (where is_updated) from written
    $write$, dataset, merged, given,
      (select string_agg(format('%I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$I = excluded.%1$I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$L, record.%1$I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$L, before.%1$I', name), ', ') from unnest(columns) as name),
      case when has_details then ', details, stated_status, stated_archived_at' end,
      case when has_details then concat(', ', merged_details, ', ', funding.merged_column('status'), ', ', funding.merged_column('archived_at')) end,
      case when has_details then
        ', details = excluded.details, stated_status = excluded.stated_status, stated_archived_at = excluded.stated_archived_at' end,
      case when has_details then '|| coalesce(record.details, ''{}'')' end,
      -- Details that the record did not have before were null, unless nothing was known of its details.
      case when has_details then $before$
        || case when before.details is null then '{}'
             else (select coalesce(jsonb_object_agg(name, null), '{}') from jsonb_object_keys(record_details) as name) || before.details
           end
      $before$ end,
      case when has_details then ', coalesce(record.details, ''{}'') as record_details' end,
      shown, case when has_details then state end,
      (select string_agg(format('record.%I', name), ', ') from unnest(columns || case when has_details then 'details' end) as name where name is not null),
      (select string_agg(format('excluded.%I', name), ', ') from unnest(columns || case when has_details then 'details' end) as name where name is not null))
    into inserted, updated
    using batch, ids, funder_ids, array_remove(columns, 'funder_id'), changed, dataset, changed_at, funding.bounded_now();
    if has_details then
      perform funding.link_versions(dataset, array(select ids[position] from unnest(changed) as position), changed_at);
    end if;
  end if;
  if dataset = 'grants' then
    perform funding.note_aliases(dataset, batch, ids);
  end if;
  return json_build_object('inserted', inserted, 'updated', updated,
    'unchanged', jsonb_array_length(batch) - inserted - updated);
end
$$;

-- Identifiers of a source's records in the current catalogue, in pages: those after `after`, in their order. Records that were changed at
-- `kept_since` or later are left out, as are those that are known by an alias alone: no full list can have them.
create or replace function funding.current_source_ids(
  dataset text, source text, after text, page integer, kept_since timestamptz default null) returns setof text
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($ids$
    select source_id from funding.%I where source = $1 and archived_at is null and source_id > $2 and ($4 is null or updated_at < $4)
      and not funding.is_alias(source, source_id)
    order by source_id limit $3
  $ids$, dataset) using source, after, page, kept_since;
end
$$;

-- Takes records that their source no longer lists out of the current catalogue; returns their number. Their content hash is cleared, so each comes
-- back as soon as its source lists it again.
create or replace function funding.archive_records(dataset text, source text, source_ids text[]) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  archived uuid[];
  changed_at constant timestamptz := funding.change_moment();
begin
  execute format($archive$
    with before as (
      select id, status from funding.%1$I where source = $1 and source_id = any ($2) and archived_at is null
    ), written as (
      update funding.%1$I as record
      set archived_at = now(), stated_archived_at = now(), stated_status = coalesce(record.stated_status, record.status), updated_at = $4, content_hash = '',
          status = case when record.status in ('open', 'posted', 'forecasted', 'upcoming') then 'closed' else record.status end
      from before where before.id = record.id
      returning record.id, before.status as old_status, record.status as new_status
    ), noted as (
      insert into funding.record_changes (dataset, record_id, previous)
      select $3, id, '{"archived_at": null}'::jsonb
        || case when old_status <> new_status then jsonb_build_object('status', old_status) else '{}' end
      from written
    )
    select coalesce(array_agg(id), '{}') from written
  $archive$, dataset) into archived using source, source_ids, dataset, changed_at;
  perform funding.link_versions(dataset, archived, changed_at);
  return cardinality(archived);
end
$$;

-- supabase/schemas/records/links.sql
-- Checks of the addresses that records have: whether somebody who follows one finds anything.

-- Key of an address.
create or replace function funding.link_hash(url text) returns uuid
language sql immutable parallel safe as $$
  select md5(url)::uuid
$$;

-- Addresses that are checked, each once: those of opportunities that are current, and of funders.
create or replace function funding.current_links() returns setof text
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select listing_url from funding.grants where archived_at is null and classification = 'opportunity' and listing_url ~* '^https?://'
  union
  select listing_url from funding.contracts where archived_at is null and classification = 'opportunity' and listing_url ~* '^https?://'
  union
  select website from funding.funders where website ~* '^https?://'
$$;

-- Addresses that were not checked for so many days, those that were never checked first, then the oldest: at most `maximum`.
create or replace function funding.due_links(days double precision, maximum integer) returns setof text
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select listed.url
  from funding.current_links() as listed(url)
  left join funding.links as known on known.url_hash = funding.link_hash(listed.url)
  where known.url_hash is null or known.checked_at < funding.bounded_now() - days * interval '1 day'
  order by known.checked_at nulls first, listed.url
  limit maximum
$$;

-- Stores what was found at addresses: [{ url, result, reason }], the result `ok`, `failing` or `unknown`. A failure counts if it is six days after the one
-- that counted before: three in a row, in three weeks of weekly checks, make a link `broken`. One that a host does not let us check is `unknown`, which
-- neither mends nor breaks it.
create or replace function funding.note_links(results jsonb) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  insert into funding.links as known (url_hash, url, checked_at, status, reason, failures, failed_at)
  select funding.link_hash(item->>'url'), item->>'url', funding.bounded_now(), item->>'result', item->>'reason',
         case when item->>'result' = 'failing' then 1 else 0 end, case when item->>'result' = 'failing' then funding.bounded_now() end
  from jsonb_array_elements(results) as item
  order by 1
  on conflict (url_hash) do update set
    checked_at = excluded.checked_at, reason = excluded.reason,
    (status, failures, failed_at) = (
      select case when excluded.status = 'failing' and counted.failures >= 3 then 'broken' else excluded.status end, counted.failures, counted.failed_at
      from (
        select case
            when excluded.status = 'ok' then 0
            when excluded.status = 'failing' and counts.is_new then known.failures + 1
            else known.failures
          end as failures,
          case when excluded.status = 'failing' and counts.is_new then excluded.checked_at when excluded.status <> 'ok' then known.failed_at end as failed_at
        from (select known.failed_at is null or excluded.checked_at >= known.failed_at + interval '6 days' as is_new) as counts
      ) as counted)
$$;

-- Forgets addresses that no current record has; returns their number.
create or replace function funding.forget_links() returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  forgotten integer;
begin
  delete from funding.links where url_hash not in (select funding.link_hash(listed.url) from funding.current_links() as listed(url));
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

-- SQL for the checks of a record, over the row named `record`: when an import last had it, and what was found at its address.
create or replace function funding.checks_expression(dataset text) returns text
language sql immutable parallel safe as $$
  select format($checks$(
    select json_build_object('first_seen_at', funding.moment(record.first_seen_at), 'last_seen_at', funding.moment(funding.last_seen(%1$L, record.id, record.source)),
      'link_status', link.status, 'link_checked_at', funding.moment(link.checked_at))
    from (values (1)) as one left join funding.links as link on link.url_hash = funding.link_hash(record.%2$I))
  $checks$, dataset, case dataset when 'funders' then 'website' else 'listing_url' end)
$$;

-- Current records whose links are broken, by their addresses.
create or replace function funding.broken_links() returns table (dataset text, id uuid, url text, reason text)
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select record.dataset, record.id, link.url, link.reason
  from funding.links as link
  join (
    select 'grants' as dataset, grants.id, grants.listing_url as url from funding.grants where archived_at is null and classification = 'opportunity'
    union all
    select 'contracts', contracts.id, contracts.listing_url from funding.contracts where archived_at is null and classification = 'opportunity'
    union all
    select 'funders', funders.id, funders.website from funding.funders
  ) as record on record.url = link.url
  where link.status = 'broken'
  order by link.url, record.id
$$;

-- supabase/schemas/records/record_changes.sql
-- Changes of a record, as the importer stored them: `funding.record_changes` has the former value of each field.

-- Value of a field as the API shows it.
create or replace function funding.api_value(field text, value jsonb) returns jsonb
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select case
    when value is null then 'null'
    when field in ('created_at', 'archived_at') and jsonb_typeof(value) = 'string' then to_jsonb(funding.moment((value#>>'{}')::timestamptz))
    else value
  end
$$;

-- A record with the fields of its details among its own.
create or replace function funding.flat_record(record jsonb) returns jsonb
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select record || coalesce(nullif(record->'details', 'null'), '{}')
$$;

-- Differences between two states of a record (`funding.flat_record`): [{ field, from, to }], an empty list where no field that the API shows differs.
create or replace function funding.changes_between(before jsonb, after jsonb) returns json
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select coalesce(json_agg(json_build_object('field', api.field, 'from', funding.api_value(api.field, before->api.field),
                                             'to', funding.api_value(api.field, after->api.field)) order by api.position), '[]')
  from unnest(funding.api_fields()) with ordinality as api(field, position)
  where coalesce(before->api.field, 'null') is distinct from coalesce(after->api.field, 'null')
$$;

-- Changes of a record, newest first: { results: [{ changed_at, changes: [{ field, from, to }] }], next }. With `before`, the `next` of an earlier
-- result, the changes that follow it. Null where there is no such record. The new value of a field is its value before its next change, or else its
-- present value.
create or replace function funding.changes_of(dataset text, record_id uuid, maximum integer, before bigint) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  -- Value of each field after the change that is looked at.
  state jsonb;
  known record;
  fields json;
  results json[] := '{}';
  last_id bigint;
begin
  if dataset is null or dataset not in ('grants', 'contracts', 'funders') or coalesce(maximum not between 1 and 100, true) then
    raise invalid_parameter_value using message = 'changes are of grants, contracts or funders, up to 100';
  end if;
  execute format('select funding.flat_record(to_jsonb(record)) from funding.%I as record where record.id = $1', dataset)
  into state using record_id;
  if state is null then
    return null;
  end if;
  for known in
    select change.id, change.changed_at, change.previous from funding.record_changes as change
    where change.dataset = changes_of.dataset and change.record_id = changes_of.record_id
    -- In the order in which the changes were written: `changed_at` is the time at which an import's transaction began.
    order by change.id desc
  loop
    if before is null or known.id < before then
      fields := funding.changes_between(state || known.previous, state);
      if json_array_length(fields) > 0 then
        if cardinality(results) = maximum then
          return json_build_object('results', results, 'next', last_id);
        end if;
        results := results || json_build_object('changed_at', funding.moment(known.changed_at), 'changes', fields);
        last_id := known.id;
      end if;
    end if;
    state := state || known.previous;
  end loop;
  return json_build_object('results', results, 'next', null);
end
$$;

-- supabase/schemas/records/record_ids.sql
-- Ids of the records that an import brings: one opportunity is one record, by whichever of its identifiers it comes.

-- Whether a source_id is a second one. Grants.gov's opportunities have numbers; Simpler.Grants.gov gives each a UUID, too.
create or replace function funding.is_alias(source text, source_id text) returns boolean
language sql immutable parallel safe as $$
  select source = 'grants-gov' and source_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$$;

-- Ids of a batch's records, in its order. A record that is stored under the source_id, or of which this is an alias, keeps its id. Else an
-- opportunity number decides: the only stored record with it that is known by the other kind of identifier alone; of several, the only current one.
create or replace function funding.record_ids(dataset text, batch jsonb) returns uuid[]
language plpgsql stable set search_path = funding, extensions, pg_temp as $$
begin
  if dataset <> 'grants' or not (
    exists (select from funding.record_aliases)
    or exists (select from jsonb_array_elements(batch) as item where funding.is_alias(item->>'source', item->>'source_id'))
  ) then
    return (
      select array_agg(funding.record_id(dataset, value->>'source', value->>'source_id') order by position)
      from jsonb_array_elements(batch) with ordinality as item(value, position));
  end if;
  return (
    with item as (
      select value->>'source' as source, value->>'source_id' as source_id, upper(value->'details'->>'opportunity_number') as number,
        funding.is_alias(value->>'source', value->>'source_id') as is_alias, position
      from jsonb_array_elements(batch) with ordinality as given(value, position)
    ), counted as (
      select *, count(*) over (partition by source, number, is_alias) as same from item
    )
    select array_agg(coalesce(own.id, alias.record_id, named.id, funding.record_id('grants', counted.source, counted.source_id)) order by position)
    from counted
    left join funding.grants as own on own.source = counted.source and own.source_id = counted.source_id
    left join funding.record_aliases as alias
      on alias.dataset = 'grants' and alias.source = counted.source and alias.alias = counted.source_id
    left join lateral (
      select case
          when count(*) = 1 then (array_agg(grants.id))[1]
          when count(*) filter (where grants.archived_at is null) = 1
            then (array_agg(grants.id) filter (where grants.archived_at is null))[1]
        end as id
      from funding.grants
      where own.id is null and alias.record_id is null and counted.same = 1
        and upper(grants.details->>'opportunity_number') = counted.number and grants.details ? 'opportunity_number'
        and grants.source = counted.source and funding.is_alias(grants.source, grants.source_id) <> counted.is_alias
        and not (counted.is_alias and exists (select from funding.record_aliases as known where known.record_id = grants.id))
    ) as named on true);
end
$$;

-- Notes the aliases in a batch, with the ids of its records.
create or replace function funding.note_aliases(dataset text, batch jsonb, ids uuid[]) returns void
language sql set search_path = funding, extensions, pg_temp as $$
  insert into funding.record_aliases (dataset, source, alias, record_id)
  select $1, value->>'source', value->>'source_id', ids[position]
  from jsonb_array_elements(batch) with ordinality as item(value, position)
  where funding.is_alias(value->>'source', value->>'source_id')
    and not exists (
      select from funding.record_aliases as known
      where known.dataset = $1 and known.source = value->>'source' and known.alias = value->>'source_id')
  on conflict do nothing
$$;

-- supabase/schemas/records/record_pages.sql
-- Written by npm run schema from shared/responses/records.ts and details.ts: change those. Records as the API shows them.

-- Page of a list of grants: the records with these ids, in the order of the ids. If there is one id more than the page has, another page follows, and
-- `next` is its cursor.
create or replace function funding.grants_listed(ids uuid[], page_size bigint, sort_by text, direction text) returns funding.listed_page
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  listed_page funding.listed_page;
begin
  listed_page.page := (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids[:page_size]) with ordinality as found(id, position)
    join funding.grants as record using (id)
    cross join lateral (
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               record.listing_url,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.*) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date) as awarded
    ) as rendered);
  if cardinality(ids) > page_size then
    listed_page.next := (
      select json_build_object('sort_by', sort_by, 'order', direction, 'key', case sort_by
          when 'created_at' then to_json(funding.moment(record.created_at))
          when 'updated_at' then to_json(funding.exact_moment(record.updated_at))
          when 'deadline_date' then to_json(record.deadline_date)
          when 'amount_min' then to_json(record.amount_min)
          when 'amount_max' then to_json(record.amount_max)
          when 'title' then to_json(funding.title_key(record.title) collate "C")
        end, 'id', record.id)
      from funding.grants as record where record.id = ids[page_size]);
  end if;
  return listed_page;
end
$$;

-- Records of grants as the API shows them, each with its relevance_score, in the order of the ids.
create or replace function funding.grants_scored(ids uuid[], scores double precision[]) returns json
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids, scores) with ordinality as found(id, score, position)
    join funding.grants as record using (id)
    cross join lateral (
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               record.listing_url,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.*, found.score as relevance_score) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date, found.score as relevance_score) as awarded
    ) as rendered);
end
$$;

-- Page of a list of contracts: the records with these ids, in the order of the ids. If there is one id more than the page has, another page follows, and
-- `next` is its cursor.
create or replace function funding.contracts_listed(ids uuid[], page_size bigint, sort_by text, direction text) returns funding.listed_page
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  listed_page funding.listed_page;
begin
  listed_page.page := (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids[:page_size]) with ordinality as found(id, position)
    join funding.contracts as record using (id)
    cross join lateral (
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.document_url,
               record.listing_url,
               record.naics,
               record.primary_contact_email,
               record.set_aside_code,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.*) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date) as awarded
    ) as rendered);
  if cardinality(ids) > page_size then
    listed_page.next := (
      select json_build_object('sort_by', sort_by, 'order', direction, 'key', case sort_by
          when 'created_at' then to_json(funding.moment(record.created_at))
          when 'updated_at' then to_json(funding.exact_moment(record.updated_at))
          when 'deadline_date' then to_json(record.deadline_date)
          when 'amount_min' then to_json(record.amount_min)
          when 'amount_max' then to_json(record.amount_max)
          when 'title' then to_json(funding.title_key(record.title) collate "C")
        end, 'id', record.id)
      from funding.contracts as record where record.id = ids[page_size]);
  end if;
  return listed_page;
end
$$;

-- Records of contracts as the API shows them, each with its relevance_score, in the order of the ids.
create or replace function funding.contracts_scored(ids uuid[], scores double precision[]) returns json
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids, scores) with ordinality as found(id, score, position)
    join funding.contracts as record using (id)
    cross join lateral (
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.document_url,
               record.listing_url,
               record.naics,
               record.primary_contact_email,
               record.set_aside_code,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.*, found.score as relevance_score) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date, found.score as relevance_score) as awarded
    ) as rendered);
end
$$;

-- Page of a list of funders: the records with these ids, in the order of the ids. If there is one id more than the page has, another page follows, and
-- `next` is its cursor.
create or replace function funding.funders_listed(ids uuid[], page_size bigint, sort_by text, direction text) returns funding.listed_page
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  listed_page funding.listed_page;
begin
  listed_page.page := (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids[:page_size]) with ordinality as found(id, position)
    join funding.funders as record using (id)
    cross join lateral (
      select to_json(rendered) as body
      from (
        select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at
      ) as rendered
    ) as rendered);
  if cardinality(ids) > page_size then
    listed_page.next := (
      select json_build_object('sort_by', sort_by, 'order', direction, 'key', case sort_by
          when 'name' then to_json(funding.title_key(record.name) collate "C")
          when 'created_at' then to_json(funding.moment(record.created_at))
          when 'updated_at' then to_json(funding.exact_moment(record.updated_at))
        end, 'id', record.id)
      from funding.funders as record where record.id = ids[page_size]);
  end if;
  return listed_page;
end
$$;

-- Records of funders as the API shows them, each with its relevance_score, in the order of the ids.
create or replace function funding.funders_scored(ids uuid[], scores double precision[]) returns json
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(json_agg(rendered.body order by found.position), '[]')
    from unnest(ids, scores) with ordinality as found(id, score, position)
    join funding.funders as record using (id)
    cross join lateral (
      select to_json(rendered) as body
      from (
        select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at, found.score as relevance_score
      ) as rendered
    ) as rendered);
end
$$;

-- SQL for a record as the API shows it: a query of one column, `body`, that reads the row named `record`. `further` adds members, as `, EXPRESSION as
-- NAME`. (Text in the statement is twice as fast as a function of the record, which would be called for each record.)
create or replace function funding.record_query(dataset text, further text default '') returns text
language sql immutable parallel safe as $query$
  select format(case dataset
    when 'grants' then $record$
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               record.listing_url,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.* %1$s) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date %1$s) as awarded
    $record$
    when 'contracts' then $record$
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id,
               record.title,
               record.description,
               record.amount_min,
               record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date,
               record.status,
               record.geography,
               record.document_url,
               record.listing_url,
               record.naics,
               record.primary_contact_email,
               record.set_aside_code,
               record.funder_id,
               (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               funding.moment(record.created_at) as created_at,
               record.categories
      ) as rendered
      cross join lateral (select rendered.* %1$s) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date %1$s) as awarded
    $record$
    when 'funders' then $record$
      select to_json(rendered) as body
      from (
        select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at %1$s
      ) as rendered
    $record$
  end, further)
$query$;

-- Details of opportunities that sources give, and what each is where a source does not give it.
create or replace function funding.detail_members() returns table (name text, absent json)
language sql immutable parallel safe as $rules$
  values
    ('opportunity_number', null::json),
    ('notice_type', null::json),
    ('agency', '[]'::json),
    ('applicant_types', '[]'::json),
    ('eligibility_text', null::json),
    ('assistance_listings', '[]'::json),
    ('funding_instrument', '[]'::json),
    ('cost_sharing', null::json),
    ('expected_awards', null::json),
    ('total_funding', null::json),
    ('psc', null::json),
    ('place_of_performance', null::json),
    ('recipient', null::json),
    ('award_number', null::json),
    ('award_type', null::json),
    ('obligated_amount', null::json),
    ('outlayed_amount', null::json),
    ('project_start_date', null::json),
    ('contact', null::json),
    ('documents', '[]'::json),
    ('deadline_at', null::json),
    ('deadline_assumed', 'false'::json),
    ('deadline_note', null::json)
$rules$;

-- Fields of a record that the API shows, among its own or in its details, and whose changes it tells.
create or replace function funding.api_fields() returns text[]
language sql immutable parallel safe as $$
  select array['title', 'description', 'amount_min', 'amount_max', 'deadline_date', 'project_end_date', 'status', 'geography', 'funder_id', 'listing_url', 'created_at', 'categories', 'document_url', 'naics', 'primary_contact_email', 'set_aside_code', 'name', 'summary', 'website', 'archived_at', 'opportunity_number', 'notice_type', 'agency', 'applicant_types', 'eligibility_text', 'assistance_listings', 'funding_instrument', 'cost_sharing', 'expected_awards', 'total_funding', 'psc', 'place_of_performance', 'recipient', 'award_number', 'award_type', 'obligated_amount', 'outlayed_amount', 'project_start_date', 'contact', 'documents', 'deadline_at', 'deadline_assumed', 'deadline_note']
$$;

-- supabase/schemas/records/sightings.sql
-- When an import's input last had a record. A run that saw a record again changes neither the record nor its feed, and a full list writes one row for
-- all of its records.

-- Notes that an input that is no full list had these records, by their sources and source_ids. `seen_at` is when the input was written.
create or replace function funding.note_seen(dataset text, sources text[], source_ids text[], seen_at timestamptz) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  execute format($note$
    insert into funding.sightings as known (record_id, seen_at)
    select distinct coalesce(record.id, alias.record_id) as id, $3
    from unnest($1, $2) as given(source, source_id)
    left join funding.%I as record on record.source = given.source and record.source_id = given.source_id
    left join funding.record_aliases as alias on alias.dataset = $4 and alias.source = given.source and alias.alias = given.source_id
    where coalesce(record.id, alias.record_id) is not null
    order by id
    on conflict (record_id) do update set seen_at = excluded.seen_at where coalesce(known.seen_at < excluded.seen_at, true)
  $note$, dataset) using sources, source_ids, seen_at, dataset;
end
$$;

-- Identifiers of a source's records, archived ones too, in pages: those after `after`, in their order, and whether the last full list lacked them.
create or replace function funding.sighted_ids(dataset text, source text, after text, page integer)
returns table (source_id text, is_missing boolean)
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($ids$
    select record.source_id, coalesce(known.is_missing, false)
    from funding.%I as record left join funding.sightings as known on known.record_id = record.id
    where record.source = $1 and record.source_id > $2
    order by record.source_id limit $3
  $ids$, dataset) using source, after, page;
end
$$;

-- Notes records of a source that its full list lacks, or has again. One that it lacks was last seen when it was before this list.
create or replace function funding.note_missing(dataset text, source text, source_ids text[], is_missing boolean) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  execute format($note$
    insert into funding.sightings as known (record_id, seen_at, is_missing)
    select record.id, funding.last_seen($3, record.id, $1), $4 from funding.%I as record where record.source = $1 and record.source_id = any ($2)
    order by 1
    on conflict (record_id) do update set seen_at = excluded.seen_at, is_missing = excluded.is_missing
  $note$, dataset) using source, source_ids, dataset, is_missing;
end
$$;

-- Notes that a full list of a source was imported, and forgets the sightings before it, which it tells of. `seen_at` is when it was written.
create or replace function funding.note_full_list(dataset text, source text, seen_at timestamptz) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  insert into funding.full_lists as known (dataset, source, seen_at) values (note_full_list.dataset, note_full_list.source, note_full_list.seen_at)
  on conflict on constraint full_lists_pkey do update set seen_at = greatest(known.seen_at, excluded.seen_at);
  execute format($forget$
    delete from funding.sightings as known using funding.%I as record
    where record.id = known.record_id and record.source = $1 and not known.is_missing and coalesce(known.seen_at <= $2, true)
  $forget$, dataset) using source, seen_at;
end
$$;

-- When the input of an import last had a record; null where none did since this is noted.
create or replace function funding.last_seen(dataset text, record_id uuid, source text) returns timestamptz
language sql stable as $$
  select greatest(known.seen_at, case when known.is_missing is not true then full_list.seen_at end)
  from (values (1)) as one
  left join funding.sightings as known on known.record_id = last_seen.record_id
  left join funding.full_lists as full_list on full_list.dataset = last_seen.dataset and full_list.source = last_seen.source
$$;

-- supabase/schemas/records/versions.sql
-- Versions of an opportunity: the notices of one solicitation (presolicitation, solicitation, amendments), and the same opportunity from several sources.
-- Lists show one of them. The others have its id in `superseded_by`, and stay what they are: they answer by their ids, and lists with
-- `include_versions=true` have them. Whatever writes records links those that it wrote, in its transaction; a request never does.
--
-- A wrong link hides an opportunity, which is worse than a duplicate. So two records are linked only where number, agency and title agree.

-- Department and agency of an opportunity, as they are compared: by full names, without the offices below. Of a record without a path, its funder.
create or replace function funding.version_agencies(details jsonb, funder_name text) returns text[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return array(
    select coalesce((select funding.name_key(known.name) from funding.agency_abbreviations as known where known.abbreviation = lower(given.name)),
                    funding.name_key(given.name))
    from jsonb_array_elements_text(case when jsonb_typeof(details->'agency') = 'array' and details->'agency' <> '[]' then details->'agency'
      else jsonb_build_array(funder_name) end) with ordinality as given(name, position)
    where given.name <> '' and given.position <= 2);
end
$$;

-- Words of a title that tell an opportunity from others. `marks` are those that tell a part, a year or a lot, and have to be the same: with a digit, Roman
-- numerals, single letters. `words` are the others, without what names a kind of notice. The opportunity's own number, numbers of amendments and
-- the code of a product before `--` are neither.
create or replace function funding.title_parts(title text, number text, out words text[], out marks text[])
language plpgsql immutable
set search_path = funding, extensions, pg_temp as $$
declare
  kinds constant text[] := regexp_split_to_array('a an the of for and or to in on at by with from no number new notice notices special solicitation solicitations
    presolicitation pre combined synopsis sources source sought sole intent award request requests information proposal proposals quote quotes quotation quotations
    application applications rfi rfp rfq rfa nofo foa baa draft final update updated amended amendment amendments modification mod addendum revised revision
    correction corrected reissue reissued repost reposted extension extended cancelled canceled cancellation market research announcement opportunity', '\s+');
  spelling text := ' ' || funding.name_key(regexp_replace(title, '^\s*[A-Z0-9]{1,4}\s*--\s*', '')) || ' ';
begin
  spelling := replace(spelling, ' ' || funding.name_key(number) || ' ', ' ');
  spelling := regexp_replace(spelling,
    '\m(amendment|amend|amdt|modification|mod|revision|rev|addendum|version)( (no|number))? (\d{1,4}|[ivx]+|one|two|three|four|five|six)\M', ' ', 'g');
  select coalesce(array_agg(word) filter (where not is_mark and word <> all (kinds)), '{}'), coalesce(array_agg(word order by word) filter (where is_mark), '{}')
  into words, marks
  from (
    select distinct word, word ~ '\d|^([ivx]+|[b-z])$' as is_mark from regexp_split_to_table(btrim(spelling), '\s+') as word where word <> ''
  ) as told;
end
$$;

-- Whether titles are alike: the same marks, and at least 0.6 of their words in common (Sorensen and Dice). A title without a word of its own is like none.
create or replace function funding.are_alike(words text[], marks text[], other_words text[], other_marks text[]) returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
  return marks = other_marks and words <> '{}' and other_words <> '{}'
    and 2 * cardinality(array(select unnest(words) intersect select unnest(other_words))) >= 0.6 * (cardinality(words) + cardinality(other_words));
end
$$;

-- Records of a dataset under these keys, each with the version that lists show in its place: null for that one itself, and for a record without others.
-- Current records come first, then the newest by the publisher's date. A record is a version of the first one before it that it is like: each is
-- compared with what is shown in its place. The agencies of one have to be among those of the other. A number that more than 200 opportunities have links
-- none.
create or replace function funding.versions_under(dataset text, keys text[]) returns table (id uuid, key text, shown uuid)
language plpgsql stable rows 50
set search_path = funding, extensions, pg_temp as $$
declare
  record record;
  heads jsonb[];
  head jsonb;
begin
  for record in execute format($members$
    select member.id, member.key, member.is_alone, parts.words, parts.marks, agencies.names as agencies
    from (
      select given.*, count(*) over (partition by given.key) not between 2 and 200 as is_alone
      from (
        select known.id, known.title, known.details, known.funder_id, known.archived_at, known.created_at, known.deadline_date,
               funding.version_key(known.details) as key
        from funding.%I as known
        where funding.version_key(known.details) = any ($1) and known.classification = 'opportunity' and known.details ? 'opportunity_number'
        offset 0
      ) as given
    ) as member
    left join lateral funding.title_parts(member.title, member.details->>'opportunity_number') as parts on not member.is_alone
    left join lateral (
      select funding.version_agencies(member.details, funders.name) as names from funding.funders where funders.id = member.funder_id
    ) as agencies on not member.is_alone
    order by member.key, member.archived_at is not null, member.created_at desc, member.deadline_date desc nulls last, member.id
  $members$, dataset) using keys
  loop
    if record.key is distinct from key then
      key := record.key;
      heads := '{}';
    end if;
    id := record.id;
    shown := null;
    if not record.is_alone then
      foreach head in array heads loop
        if funding.are_alike(record.words, record.marks, funding.text_array(head->'words'), funding.text_array(head->'marks'))
          and record.agencies <> '{}' and (record.agencies <@ funding.text_array(head->'agencies') or record.agencies @> funding.text_array(head->'agencies'))
        then
          shown := (head->>'id')::uuid;
          exit;
        end if;
      end loop;
      if shown is null and record.agencies <> '{}' then
        heads := heads || jsonb_build_object('id', record.id, 'words', record.words, 'marks', record.marks, 'agencies', record.agencies);
      end if;
    end if;
    return next;
  end loop;
end
$$;

-- Links the opportunities under these keys anew, and frees those of `freed` that are under none of them. Returns the number of records that are shown
-- or left out from now on. Waits for no record: a number with one that somebody is writing is left to upkeep. The version of the data is locked until the
-- transaction ends, as by each write, so that no other importer decides at the same time.
create or replace function funding.link_numbers(dataset text, keys text[], freed uuid[], changed_at timestamptz) returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  ids uuid[];
  known_keys text[];
  shown uuid[];
  linked integer;
begin
  perform from funding.data_versions where data_versions.dataset = link_numbers.dataset for update;
  select array_agg(decided.id), array_agg(decided.key), array_agg(decided.shown) into ids, known_keys, shown
  from funding.versions_under(dataset, keys) as decided;
  execute format($write$
    with decided as materialized (
      select * from unnest($1, $2, $3) as item(id, key, shown)
      union all
      select given.id, null, null from unnest($4) as given(id) where given.id <> all ($1)
    ), record as materialized (
      select known.id, known.superseded_by from funding.%1$I as known where known.id = any ($1 || $4)
    ), differing as materialized (
      select decided.* from decided join record using (id) where record.superseded_by is distinct from decided.shown
    ), locked as materialized (
      select known.id from funding.%1$I as known where known.id = any (array(select id from differing)) order by known.id for no key update skip locked
    ), written as (
      update funding.%1$I as known set superseded_by = differing.shown, updated_at = $5
      from differing join locked on locked.id = differing.id
      where known.id = differing.id and known.id = any (array(select id from locked))
      returning known.id
    ), left_over as (
      insert into funding.version_links_due (dataset, key)
      select distinct %1$L, key from differing where key is not null and id not in (select id from locked)
    )
    select count(*) from written
  $write$, dataset) into linked using coalesce(ids, '{}'), known_keys, shown, freed, changed_at;
  return linked;
end
$$;

-- Links the opportunities that a transaction wrote, with all that have or had their numbers. To be called after the write, with its moment. (The records
-- are read by their ids first: with the condition of an index over what is superseded, Postgres would read all of that.)
create or replace function funding.link_versions(dataset text, ids uuid[], changed_at timestamptz) returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  keys text[];
begin
  execute format($keys$
    with own as materialized (
      select record.details, record.superseded_by from funding.%1$I as record where record.id = any ($1)
    )
    select array_agg(distinct known.key)
    from (
      select funding.version_key(own.details) as key from own
      union all
      select funding.version_key(record.details) from funding.%1$I as record where record.superseded_by = any ($1)
      union all
      select funding.version_key(record.details) from funding.%1$I as record where record.id = any (array(select own.superseded_by from own))
    ) as known
    where known.key is not null
  $keys$, dataset) into keys using ids;
  return funding.link_numbers(dataset, coalesce(keys, '{}'), ids, changed_at);
end
$$;

-- Links what waits for it, as many numbers as 100 ms allow, and some at least. Returns how many.
create or replace function funding.renew_version_links() returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  ends constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  renewed integer := 0;
  next_dataset text;
  keys text[];
begin
  loop
    next_dataset := (select due.dataset from funding.version_links_due as due order by due.id limit 1);
    exit when next_dataset is null;
    with taken as (
      delete from funding.version_links_due as due
      where due.id in (
        select waiting.id from funding.version_links_due as waiting
        where waiting.dataset = next_dataset order by waiting.id limit 50 for update skip locked)
      returning due.key
    )
    select array_agg(distinct taken.key) into keys from taken;
    exit when keys is null;
    perform funding.link_numbers(next_dataset, keys, '{}', funding.change_moment());
    renewed := renewed + cardinality(keys);
    exit when clock_timestamp() >= ends;
  end loop;
  return renewed;
end
$$;

-- supabase/schemas/requests/catalogue.sql
-- Written by npm run schema from shared/catalogue: change that. Rows about fields and filters, over which other functions loop.

-- Filters of a dataset, in their order. `condition` is SQL over the row `record` and the filter $1; it is null where a function makes it:
-- `funding.own_condition` for the kind `own`, `funding.range_condition` for `within`. `several` is the same for a filter that wants several values, where
-- that is another, and `beginning` for the beginning %1$s of a code. `field` and `form` name the bitmaps or ranks, and `value` is SQL for what is compared by
-- size. `is_always`: also where the filter lacks it. `is_excluding`: the filter leaves out what meets the condition. `beginnings` are lengths of a code's
-- beginnings that are wanted, too.
create or replace function funding.filter_rules(dataset text)
returns table (name text, kind text, condition text, several text, beginning text, field text, form text, value text, is_ranked boolean, is_always boolean,
  is_excluding boolean, beginnings integer[])
language sql immutable parallel safe as $rules$
  select rule.name, rule.kind, rule.condition, rule.several, rule.beginning, rule.field, rule.form, rule.value, rule.is_ranked, rule.is_always,
         rule.is_excluding, rule.beginnings::integer[]
  from (values
    ('{grants,contracts,funders}'::text[], 'search', 'own', null, null, null, null, null, null, true, false, false, null),
    ('{grants,contracts,funders}', 'search_mode', 'modifier', null, null, null, null, null, null, true, false, false, null),
    ('{grants,contracts,funders}', 'identifier_matches', 'modifier', null, null, null, null, null, null, true, false, false, null),
    ('{grants,contracts,funders}', 'similar_to', 'modifier', null, null, null, null, null, null, true, false, false, null),
    ('{grants,contracts}', 'opportunity_type', 'own', null, null, null, 'opportunity_type', null, null, true, true, false, null),
    ('{grants,contracts}', 'status', 'value', 'record.status = lower($1->>''status'')', 'record.status = any (funding.wanted_values(''status'', $1->''status''))', null, 'status', 'status', null, true, false, false, null),
    ('{grants,contracts}', 'exclude_status', 'value', 'record.status = lower($1->>''exclude_status'')', 'record.status = any (funding.wanted_values(''status'', $1->''exclude_status''))', null, 'status', 'status', null, true, false, true, null),
    ('{grants,contracts}', 'states', 'own', null, null, null, 'states', null, null, true, false, false, null),
    ('{grants,contracts}', 'include_national', 'modifier', null, null, null, null, null, null, true, false, false, null),
    ('{grants,contracts}', 'geography', 'own', null, null, null, null, null, null, true, false, false, null),
    ('{grants,contracts}', 'geography_states', 'modifier', null, null, null, null, null, null, true, false, false, null),
    ('{grants,contracts}', 'category', 'value', 'record.category_keys @> array[lower($1->>''category'')]', 'record.category_keys && funding.wanted_values(''lower'', $1->''category'')', null, 'category', 'lower', null, true, false, false, null),
    ('{grants,contracts}', 'exclude_category', 'value', 'record.category_keys @> array[lower($1->>''exclude_category'')]', 'record.category_keys && funding.wanted_values(''lower'', $1->''exclude_category'')', null, 'category', 'lower', null, true, false, true, null),
    ('{grants,contracts}', 'min_amount', 'from', 'record.amount_max >= ($1->>''min_amount'')::double precision', null, null, 'amount_max', 'number', 'record.amount_max', true, false, false, null),
    ('{grants,contracts}', 'max_amount', 'upto', 'record.amount_min <= ($1->>''max_amount'')::double precision', null, null, 'amount_min', 'number', 'record.amount_min', true, false, false, null),
    ('{grants,contracts}', 'deadline_after', 'above', 'record.deadline_date > ($1->>''deadline_after'')::date', null, null, 'deadline_date', 'day', 'record.deadline_date', true, false, false, null),
    ('{grants,contracts}', 'deadline_before', 'below', 'record.deadline_date < ($1->>''deadline_before'')::date', null, null, 'deadline_date', 'day', 'record.deadline_date', true, false, false, null),
    ('{grants,contracts}', 'closing_within', 'own', null, null, null, null, null, null, true, false, false, null),
    ('{grants,contracts}', 'posted_after', 'above', 'record.created_at > ($1->>''posted_after'')::timestamptz', null, null, 'created_at', 'moment', 'record.created_at', true, false, false, null),
    ('{grants,contracts}', 'posted_before', 'below', 'record.created_at < ($1->>''posted_before'')::timestamptz', null, null, 'created_at', 'moment', 'record.created_at', true, false, false, null),
    ('{grants,contracts}', 'applicant_type', 'own', null, null, null, 'applicant_type', null, null, true, false, false, null),
    ('{grants,contracts}', 'include_unrestricted', 'modifier', null, null, null, null, null, null, true, false, false, null),
    ('{grants,contracts}', 'agency', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''agency'', ''agency'', $1->''agency'')', null, null, 'agency', 'agency', null, true, false, false, null),
    ('{grants,contracts}', 'exclude_agency', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''agency'', ''agency'', $1->''exclude_agency'')', null, null, 'agency', 'agency', null, true, false, true, null),
    ('{grants,contracts}', 'funder_id', 'value', 'record.funder_id = ($1->>''funder_id'')::uuid', 'record.funder_id = any (funding.wanted_values(''uuid'', $1->''funder_id'')::uuid[])', null, null, 'uuid', null, false, false, false, null),
    ('{grants,contracts}', 'exclude_funder_id', 'value', 'record.funder_id = ($1->>''exclude_funder_id'')::uuid', 'record.funder_id = any (funding.wanted_values(''uuid'', $1->''exclude_funder_id'')::uuid[])', null, null, 'uuid', null, false, false, true, null),
    ('{grants,contracts}', 'assistance_listing', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''assistance_listing'', ''exact'', $1->''assistance_listing'')', null, null, 'assistance_listing', 'exact', null, true, false, false, '{3}'),
    ('{grants,contracts}', 'exclude_assistance_listing', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''assistance_listing'', ''exact'', $1->''exclude_assistance_listing'')', null, null, 'assistance_listing', 'exact', null, true, false, true, '{3}'),
    ('{grants,contracts}', 'funding_instrument', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''funding_instrument'', ''exact'', $1->''funding_instrument'')', null, null, 'funding_instrument', 'exact', null, true, false, false, null),
    ('{grants,contracts}', 'cost_sharing', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''cost_sharing'', ''exact'', $1->''cost_sharing'')', null, null, 'cost_sharing', 'exact', null, true, false, false, null),
    ('{grants,contracts}', 'source', 'value', 'record.source = $1->>''source''', 'record.source = any (funding.wanted_values(''exact'', $1->''source''))', null, 'source', 'exact', null, true, false, false, null),
    ('{grants,contracts}', 'exclude_source', 'value', 'record.source = $1->>''exclude_source''', 'record.source = any (funding.wanted_values(''exact'', $1->''exclude_source''))', null, 'source', 'exact', null, true, false, true, null),
    ('{grants,contracts,funders}', 'updated_after', 'condition', 'record.updated_at >= ($1->>''updated_after'')::timestamptz + interval ''1 ms''', null, null, null, null, null, true, false, false, null),
    ('{grants,contracts,funders}', 'updated_before', 'condition', 'record.updated_at < ($1->>''updated_before'')::timestamptz', null, null, null, null, null, true, false, false, null),
    ('{grants,contracts,funders}', 'first_seen_after', 'condition', 'record.first_seen_at >= ($1->>''first_seen_after'')::timestamptz + interval ''1 ms''', null, null, null, null, null, true, false, false, null),
    ('{grants,contracts,funders}', 'first_seen_before', 'condition', 'record.first_seen_at < ($1->>''first_seen_before'')::timestamptz', null, null, null, null, null, true, false, false, null),
    ('{grants,contracts}', 'min_expected_awards', 'from', '(record.details->>''expected_awards'')::double precision >= ($1->>''min_expected_awards'')::double precision', null, null, 'expected_awards', 'number', '(record.details->>''expected_awards'')::double precision', true, false, false, null),
    ('{grants,contracts}', 'max_expected_awards', 'upto', '(record.details->>''expected_awards'')::double precision <= ($1->>''max_expected_awards'')::double precision', null, null, 'expected_awards', 'number', '(record.details->>''expected_awards'')::double precision', true, false, false, null),
    ('{grants,contracts}', 'min_total_funding', 'from', '(record.details->>''total_funding'')::double precision >= ($1->>''min_total_funding'')::double precision', null, null, 'total_funding', 'number', '(record.details->>''total_funding'')::double precision', true, false, false, null),
    ('{grants,contracts}', 'max_total_funding', 'upto', '(record.details->>''total_funding'')::double precision <= ($1->>''max_total_funding'')::double precision', null, null, 'total_funding', 'number', '(record.details->>''total_funding'')::double precision', true, false, false, null),
    ('{grants,contracts}', 'project_start_after', 'above', '(record.details->>''project_start_date'')::date > ($1->>''project_start_after'')::date', null, null, 'project_start_date', 'day', '(record.details->>''project_start_date'')::date', true, false, false, null),
    ('{grants,contracts}', 'project_start_before', 'below', '(record.details->>''project_start_date'')::date < ($1->>''project_start_before'')::date', null, null, 'project_start_date', 'day', '(record.details->>''project_start_date'')::date', true, false, false, null),
    ('{grants,contracts}', 'project_end_after', 'above', 'record.project_end_date > ($1->>''project_end_after'')::date', null, null, 'project_end_date', 'day', 'record.project_end_date', true, false, false, null),
    ('{grants,contracts}', 'project_end_before', 'below', 'record.project_end_date < ($1->>''project_end_before'')::date', null, null, 'project_end_date', 'day', 'record.project_end_date', true, false, false, null),
    ('{grants,contracts}', 'recipient', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''recipient'', ''agency'', $1->''recipient'')', null, null, null, 'agency', null, false, false, false, null),
    ('{grants,contracts}', 'exclude_recipient', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''recipient'', ''agency'', $1->''exclude_recipient'')', null, null, null, 'agency', null, false, false, true, null),
    ('{grants,contracts}', 'uei', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''uei'', ''exact'', $1->''uei'')', null, null, null, 'exact', null, false, false, false, null),
    ('{grants,contracts}', 'exclude_uei', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''uei'', ''exact'', $1->''exclude_uei'')', null, null, null, 'exact', null, false, false, true, null),
    ('{grants,contracts}', 'recipient_state', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''recipient_state'', ''upper'', $1->''recipient_state'')', null, null, 'recipient_state', 'upper', null, true, false, false, null),
    ('{grants,contracts}', 'exclude_recipient_state', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''recipient_state'', ''upper'', $1->''exclude_recipient_state'')', null, null, 'recipient_state', 'upper', null, true, false, true, null),
    ('{grants,contracts}', 'include_archived', 'own', null, null, null, 'include_archived', null, null, true, true, false, null),
    ('{grants,contracts}', 'include_versions', 'own', null, null, null, null, null, null, true, true, false, null),
    ('{contracts}', 'naics', 'value', 'record.naics = $1->>''naics''', 'record.naics = any (funding.wanted_values(''exact'', $1->''naics''))', 'record.naics between rpad(%1$s, 6, ''0'') and rpad(%1$s, 6, ''9'')', 'naics', 'exact', null, true, false, false, '{2,3,4,5}'),
    ('{contracts}', 'exclude_naics', 'value', 'record.naics = $1->>''exclude_naics''', 'record.naics = any (funding.wanted_values(''exact'', $1->''exclude_naics''))', 'record.naics between rpad(%1$s, 6, ''0'') and rpad(%1$s, 6, ''9'')', 'naics', 'exact', null, true, false, true, '{2,3,4,5}'),
    ('{contracts}', 'psc', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''psc'', ''exact'', $1->''psc'')', null, null, 'psc', 'exact', null, true, false, false, '{1,2,3}'),
    ('{contracts}', 'exclude_psc', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''psc'', ''exact'', $1->''exclude_psc'')', null, null, 'psc', 'exact', null, true, false, true, '{1,2,3}'),
    ('{contracts}', 'set_aside', 'value', 'upper(record.set_aside_code) = upper($1->>''set_aside'')', 'upper(record.set_aside_code) = any (funding.wanted_values(''upper'', $1->''set_aside''))', null, 'set_aside', 'upper', null, true, false, false, null),
    ('{contracts}', 'exclude_set_aside', 'value', 'upper(record.set_aside_code) = upper($1->>''exclude_set_aside'')', 'upper(record.set_aside_code) = any (funding.wanted_values(''upper'', $1->''exclude_set_aside''))', null, 'set_aside', 'upper', null, true, false, true, null),
    ('{grants}', 'statuses', 'value', 'record.status = lower($1->>''statuses'')', 'record.status = any (funding.wanted_values(''status'', $1->''statuses''))', null, 'status', 'status', null, true, false, false, null),
    ('{grants}', 'deadline_range', 'within', null, null, null, 'deadline_date', 'day', 'record.deadline_date', true, false, false, null),
    ('{grants}', 'amount_min_range', 'within', null, null, null, 'amount_min', 'number', 'record.amount_min', true, false, false, null),
    ('{grants}', 'amount_max_range', 'within', null, null, null, 'amount_max', 'number', 'record.amount_max', true, false, false, null),
    ('{grants}', 'total_funding_range', 'within', null, null, null, 'total_funding', 'number', '(record.details->>''total_funding'')::double precision', true, false, false, null),
    ('{grants}', 'awarded_amount_range', 'condition', '(coalesce((record.details->>''obligated_amount'')::double precision, record.amount_max) between ($1->''awarded_amount_range''->>''min'')::double precision and ($1->''awarded_amount_range''->>''max'')::double precision) = ($1->''awarded_amount_range''->>''operator'' is distinct from ''outside'')', null, null, null, null, null, true, false, false, null),
    ('{grants}', 'runs_on', 'condition', 'coalesce(record.project_end_date >= ($1->>''runs_on'')::date, true)', null, null, null, null, null, true, false, false, null),
    ('{grants}', 'awarded_under', 'condition', '(record.details ? ''opportunity_number'' and upper(record.details->>''opportunity_number'') = any ((select funding.award_numbers($1->''awarded_under''->''ids''))::text[])) is not distinct from ($1->''awarded_under''->>''operator'' = ''in'')', null, null, null, null, null, true, false, false, null),
    ('{funders}', 'ein', 'condition', '(record.source = ''irs-990pf'' and record.source_id = $1->>''ein'')', null, null, null, null, null, true, false, false, null),
    ('{funders}', 'has_ein', 'condition', 'record.source = ''irs-990pf''', null, null, null, null, null, true, false, false, null),
    ('{grants}', 'posted_range', 'within', null, null, null, 'created_at', 'moment', 'record.created_at', true, false, false, null)
  ) as rule(datasets, name, kind, condition, several, beginning, field, form, value, is_ranked, is_always, is_excluding, beginnings)
  where dataset = any (rule.datasets)
$rules$;

-- Parameters of a list's order, pages and format, which do not filter.
create or replace function funding.presentation_parameters() returns text[]
language sql immutable parallel safe as $rules$
  select array['sort_by', 'order', 'count_only', 'limit', 'offset', 'cursor', 'format', 'facets', 'facets_mode', 'facets_sort_by', 'ids', 'expand', 'fields', 'archived_as_ids', 'explain', 'highlight']
$rules$;

-- Facets of a dataset. Each member is SQL over the row `record`, the text `value` or the filter $1:
--
-- `values_of` is a record's values, each once. `key` is the same for values that the parameter takes together, or null where the parameter takes each
-- by itself. `chosen` has the keys that the parameter has in a filter, or beginnings of them, whose lengths are `beginnings`. `found_by_all` is whether
-- every value finds the record.
create or replace function funding.facet_fields(dataset text)
returns table (name text, values_of text, key text, chosen text, found_by_all text, beginnings integer[])
language sql immutable parallel safe as $rules$
  select facet.name, facet.values_of, facet.key, facet.chosen, facet.found_by_all, facet.beginnings::integer[]
  from (values
    ('{grants,contracts}'::text[], 'status', 'array[record.status]', '(funding.statuses_meant(value))[1]', 'funding.wanted_values(''status'', $1->''status'')', null, null),
    ('{grants,contracts}', 'states', 'record.states', null, 'funding.text_array($1->''states'')', 'record.is_national and coalesce(($1->>''include_national'')::boolean, false)', null),
    ('{grants,contracts}', 'category', 'record.categories', 'lower(value)', 'funding.wanted_values(''lower'', $1->''category'')', null, null),
    ('{grants,contracts}', 'applicant_type', 'array(select jsonb_array_elements_text(record.details->''applicant_types''))', null, 'funding.text_array($1->''applicant_type'')', 'coalesce(record.details->''applicant_types'' ? ''unrestricted'', false) and coalesce(($1->>''include_unrestricted'')::boolean, true)', null),
    ('{grants,contracts}', 'agency', 'array(select distinct jsonb_array_elements_text(record.details->''agency''))', 'funding.name_key(value)', 'funding.wanted_values(''agency'', $1->''agency'')', null, null),
    ('{grants,contracts}', 'assistance_listing', 'array(select item->>''number'' from jsonb_array_elements(record.details->''assistance_listings'') as item)', null, 'funding.wanted_values(''exact'', $1->''assistance_listing'')', null, '{3}'),
    ('{grants,contracts}', 'funding_instrument', 'array(select jsonb_array_elements_text(record.details->''funding_instrument''))', null, 'funding.wanted_values(''exact'', $1->''funding_instrument'')', null, null),
    ('{grants,contracts}', 'cost_sharing', 'array[record.details->>''cost_sharing'']', null, 'funding.wanted_values(''exact'', $1->''cost_sharing'')', null, null),
    ('{grants,contracts}', 'source', 'array[record.source]', null, 'funding.wanted_values(''exact'', $1->''source'')', null, null),
    ('{grants,contracts}', 'recipient', 'array[record.details->''recipient''->>''name'']', 'funding.name_key(value)', 'funding.wanted_values(''agency'', $1->''recipient'')', null, null),
    ('{grants,contracts}', 'recipient_state', 'array[record.details->''recipient''->>''state'']', 'upper(value)', 'funding.wanted_values(''upper'', $1->''recipient_state'')', null, null),
    ('{contracts}', 'naics', 'array[record.naics]', null, 'funding.wanted_values(''exact'', $1->''naics'')', null, '{2,3,4,5}'),
    ('{contracts}', 'psc', 'array[record.details->>''psc'']', null, 'funding.wanted_values(''exact'', $1->''psc'')', null, '{1,2,3}'),
    ('{contracts}', 'set_aside', 'array[record.set_aside_code]', 'upper(value)', 'funding.wanted_values(''upper'', $1->''set_aside'')', null, null)
  ) as facet(datasets, name, values_of, key, chosen, found_by_all, beginnings)
  where dataset = any (facet.datasets)
$rules$;

-- Names of a record's bitmaps, as SQL over the row `record`: arrays, in which some names are null or repeated.
create or replace function funding.bitmap_fields(dataset text) returns setof text
language sql immutable parallel safe as $rules$
  select field.names
  from (values
    ('{grants,contracts}'::text[], 'array[''classification='' || record.classification]'),
    ('{grants,contracts}', 'array[funding.bitmap_name(''status'', record.status)]'),
    ('{grants,contracts}', 'array(select funding.bitmap_name(''state'', state) from unnest(record.states) as state) || case when record.is_national then ''national'' end'),
    ('{grants,contracts}', 'array(select funding.bitmap_name(''category'', value) from unnest(record.category_keys) as value)'),
    ('{grants,contracts}', 'array[funding.bitmap_name(''source'', record.source)]'),
    ('{grants,contracts}', 'array[case when record.archived_at is null and record.superseded_by is null then ''current'' end, case when record.superseded_by is not null then ''version'' end, case when record.superseded_by is not null and record.archived_at is null then ''current version'' end]'),
    ('{contracts}', 'array(select funding.bitmap_name(''naics'', code) from unnest(funding.beginnings_of(record.naics, ''{2,3,4,5}'')) as code)'),
    ('{contracts}', 'array[funding.bitmap_name(''set_aside'', upper(record.set_aside_code))]')
  ) as field(datasets, names)
  where dataset = any (field.datasets)
$rules$;

-- Fields of a dataset that its segments have bitmaps or ranks of.
create or replace function funding.indexed_fields(dataset text) returns text[]
language sql immutable parallel safe as $rules$
  select coalesce(array_agg(indexed.field), '{}')
  from (values
    ('{grants,contracts}'::text[], 'opportunity_type'),
    ('{grants,contracts}', 'status'),
    ('{grants,contracts}', 'states'),
    ('{grants,contracts}', 'category'),
    ('{grants,contracts}', 'amount_max'),
    ('{grants,contracts}', 'amount_min'),
    ('{grants,contracts}', 'deadline_date'),
    ('{grants,contracts}', 'created_at'),
    ('{grants,contracts}', 'applicant_type'),
    ('{grants,contracts}', 'agency'),
    ('{grants,contracts}', 'assistance_listing'),
    ('{grants,contracts}', 'assistance_listing beginnings'),
    ('{grants,contracts}', 'funding_instrument'),
    ('{grants,contracts}', 'cost_sharing'),
    ('{grants,contracts}', 'source'),
    ('{grants,contracts}', 'expected_awards'),
    ('{grants,contracts}', 'total_funding'),
    ('{grants,contracts}', 'project_start_date'),
    ('{grants,contracts}', 'project_end_date'),
    ('{grants,contracts}', 'recipient_state'),
    ('{grants,contracts}', 'include_archived'),
    ('{contracts}', 'naics'),
    ('{contracts}', 'naics beginnings'),
    ('{contracts}', 'psc'),
    ('{contracts}', 'psc beginnings'),
    ('{contracts}', 'set_aside')
  ) as indexed(datasets, field)
  where dataset = any (indexed.datasets)
$rules$;

-- Fields of opportunities that are compared by size, and their values as SQL; `sort_column` is the column of the lists' order, if they have one by it.
create or replace function funding.ranked_fields(dataset text) returns table (field text, value text, sort_column text)
language sql immutable parallel safe as $rules$
  select ranked.field, ranked.value, ranked.sort_column
  from (values
    ('amount_min', 'record.amount_min', 'amount_min'),
    ('amount_max', 'record.amount_max', 'amount_max'),
    ('deadline_date', 'extract(epoch from record.deadline_date)::double precision', 'deadline_date'),
    ('created_at', 'extract(epoch from record.created_at)::double precision', 'created_at'),
    ('expected_awards', '(record.details->>''expected_awards'')::double precision', null),
    ('total_funding', '(record.details->>''total_funding'')::double precision', null),
    ('project_start_date', 'extract(epoch from (record.details->>''project_start_date'')::date)::double precision', null),
    ('project_end_date', 'extract(epoch from record.project_end_date)::double precision', null)
  ) as ranked(field, value, sort_column)
  where dataset <> 'funders'
$rules$;

-- Orders of lists: SQL for what is sorted by, over the row `record` or over `found` of a ranking, the same as cursors show it, its type, and whether
-- records may lack it.
create or replace function funding.list_orders() returns table (name text, key text, cursor_key text, type text, has_nulls boolean)
language sql immutable parallel safe as $rules$
  values
    ('name', 'funding.title_key(record.name) collate "C"', 'funding.title_key(record.name) collate "C"', 'text', false),
    ('created_at', 'record.created_at', 'funding.moment(record.created_at)', 'timestamptz', false),
    ('updated_at', 'record.updated_at', 'funding.exact_moment(record.updated_at)', 'timestamptz', false),
    ('deadline_date', 'record.deadline_date', 'record.deadline_date', 'date', true),
    ('amount_min', 'record.amount_min', 'record.amount_min', 'double precision', true),
    ('amount_max', 'record.amount_max', 'record.amount_max', 'double precision', true),
    ('title', 'funding.title_key(record.title) collate "C"', 'funding.title_key(record.title) collate "C"', 'text', false),
    ('relevance', 'found.score', 'found.score', 'double precision', false),
    ('status', 'case when record.status in (''open'', ''posted'') then ''open'' when record.status = ''closed'' then ''closed'' else ''forecasted'' end collate "C"', 'case when record.status in (''open'', ''posted'') then ''open'' when record.status = ''closed'' then ''closed'' else ''forecasted'' end collate "C"', 'text', false),
    ('total_funding', '(record.details->>''total_funding'')::double precision', '(record.details->>''total_funding'')::double precision', 'double precision', true),
    ('expected_awards', '(record.details->>''expected_awards'')::double precision', '(record.details->>''expected_awards'')::double precision', 'double precision', true),
    ('awarded_amount', 'coalesce((record.details->>''obligated_amount'')::double precision, record.amount_max)', 'coalesce((record.details->>''obligated_amount'')::double precision, record.amount_max)', 'double precision', true)
$rules$;

-- supabase/schemas/requests/detail_fields.sql
-- Written by npm run schema from shared/catalogue: change those.

-- Details that filters look for values in, with the JSON path of the values, and lengths of their beginnings that are looked for, too.
create or replace function funding.detail_fields() returns table (field text, path jsonpath, form text, beginnings integer[])
language sql immutable parallel safe as $rules$
  values
    ('applicant_type', '$.applicant_types[*]'::jsonpath, 'exact', null::integer[]),
    ('agency', '$.agency[*]'::jsonpath, 'agency', null::integer[]),
    ('assistance_listing', '$.assistance_listings[*].number'::jsonpath, 'exact', '{3}'::integer[]),
    ('funding_instrument', '$.funding_instrument[*]'::jsonpath, 'exact', null::integer[]),
    ('cost_sharing', '$.cost_sharing'::jsonpath, 'exact', null::integer[]),
    ('psc', '$.psc'::jsonpath, 'exact', '{1,2,3}'::integer[]),
    ('recipient', '$.recipient.name'::jsonpath, 'agency', null::integer[]),
    ('uei', '$.recipient.uei'::jsonpath, 'exact', null::integer[]),
    ('recipient_state', '$.recipient.state'::jsonpath, 'upper', null::integer[])
$rules$;

-- Those of them that have too many values for a bitmap each.
create or replace function funding.details_without_bitmaps() returns text[]
language sql immutable parallel safe as $rules$
  select array['recipient', 'uei']
$rules$;

-- supabase/schemas/requests/filters.sql
-- The one predicate builder, for lists, counts, searches and webhook filters (stored as parameters).
--
-- The predicate's text depends only on which parameters are present; their values are never in it. Building it per request, rather than writing `(p
-- is null or ...)`, lets the planner use the indexes.

-- Raises 22023 where a filter has a key that no rule has: it would be ignored. Here and below, the plan of the rules is kept: it would be made anew for
-- each call, which takes longer than the call.
create or replace function funding.require_rules(dataset text, filter jsonb) returns void
language plpgsql immutable set plan_cache_mode = force_generic_plan as $$
declare
  unknown constant jsonb := filter - array(select rule.name from funding.filter_rules(require_rules.dataset) as rule);
begin
  if unknown <> '{}' then
    raise invalid_parameter_value using message = format('%s have no filter %s', dataset, (select string_agg(name, ', ') from jsonb_object_keys(unknown) as name));
  end if;
end
$$;

-- Conditions of a filter, as SQL: for lists, counts, searches and (stored) webhook filters. See `funding.filter_of`.
--
-- The conditions depend on which parameters are present, on whether each has one value, several, or beginnings of codes, on whether the search requires or
-- excludes words, and on the operators of ranges; values are never in the text. The statement around it binds the filter as $1 and names the row `record`.
create or replace function funding.predicate(dataset text, filter jsonb) returns text
language plpgsql immutable set plan_cache_mode = force_generic_plan as $$
declare
  rule record;
  conditions text[] := '{}';
begin
  perform funding.require_rules(dataset, filter);
  for rule in
    select known.* from funding.filter_rules(predicate.dataset) as known
    where (filter ? known.name or known.is_always) and known.kind <> 'modifier'
  loop
    conditions := array_append(conditions, case
      -- Sources' time zones have different days.
      when rule.form = 'day' and rule.kind in ('above', 'below') and jsonb_typeof(filter->rule.name) = 'object' then
        format('%s %s %s', rule.value, case rule.kind when 'above' then '>' else '<' end,
          funding.day_expression(format('($1->%L)', rule.name), filter->rule.name))
      else case rule.kind
      when 'own' then funding.own_condition(dataset, rule.name, filter)
      when 'within' then funding.range_condition(filter, rule.name, rule.value, rule.form)
      when 'value' then format(case when rule.is_excluding then '(%s) is not true' else '%s' end,
        funding.value_condition(rule.name, filter->rule.name, rule.form, rule.condition, rule.several, rule.beginning, rule.beginnings))
      else rule.condition
    end end);
  end loop;
  return coalesce(nullif(array_to_string(conditions, ' and '), ''), 'true');
end
$$;

-- Condition that a record has a value that a filter wants, as SQL. One value is compared as such, and not as a list of one: an index has the records of a
-- single value in the order of the list. Members as in `funding.filter_rules`.
create or replace function funding.value_condition(
  name text, wanted jsonb, form text, condition text, several text, beginning text, beginnings integer[]) returns text
language plpgsql immutable as $$
begin
  if beginning is not null and exists (select from funding.listed_values(wanted) as code where char_length(code) = any (beginnings)) then
    return case when jsonb_typeof(wanted) = 'array' then (
      select '(' || string_agg(format(beginning, format('($1->%L->>%s)', name, position - 1)), ' or ') || ')'
      from generate_series(1, jsonb_array_length(wanted)) as position)
      else format(beginning, format('($1->>%L)', name)) end;
  end if;
  return case
    when several is not null and (jsonb_typeof(wanted) = 'array' or form = 'status' and cardinality(funding.wanted_values(form, wanted)) > 1) then several
    else condition
  end;
end
$$;

-- Condition of a filter that no rule of shared/catalogue expresses, as SQL; null where it leaves out no record. `funding.own_bitmaps` has the same
-- filters.
create or replace function funding.own_condition(dataset text, name text, filter jsonb) returns text
language plpgsql immutable as $$
begin
  case name
    when 'search' then
      return funding.search_condition(dataset, filter);
    when 'opportunity_type' then
      return case coalesce(filter->>'opportunity_type', 'open')
        when 'open' then $c$record.classification = 'opportunity'$c$
        when 'awarded' then $c$record.classification = 'awarded_project'$c$
      end;
    when 'include_archived' then
      return case when not coalesce((filter->>'include_archived')::boolean, false) then $c$record.archived_at is null$c$ end;
    when 'include_versions' then
      return case when not coalesce((filter->>'include_versions')::boolean, false) then $c$record.superseded_by is null$c$ end;
    when 'states' then
      return case when coalesce((filter->>'include_national')::boolean, false)
        then $c$(record.states && funding.text_array($1->'states') or record.is_national)$c$
        else $c$record.states && funding.text_array($1->'states')$c$ end;
    when 'closing_within' then
      return format($c$(record.status = any ('{open,posted}') and record.deadline_date between %s and %s)$c$,
        funding.day_expression($c$($1->'closing_within'->'from')$c$, filter->'closing_within'->'from'),
        funding.day_expression($c$($1->'closing_within'->'upto')$c$, filter->'closing_within'->'upto'));
    when 'geography' then
      return case when filter->>'search_mode' = 'hybrid' and filter ? 'geography_states'
        then $c$record.states && funding.text_array($1->'geography_states')$c$
        else $c$record.geography ilike funding.containing($1->>'geography')$c$ end;
    when 'applicant_type' then
      return $c$funding.detail_keys(record.details) && funding.wanted_applicant_types($1)$c$;
  end case;
end
$$;

-- Condition of a filter's search, as SQL; null where it leaves out no record. A record matches if the search is its identifier. A ranking weighs the
-- words; the words and phrases that the query excludes or quotes stay conditions.
create or replace function funding.search_condition(dataset text, filter jsonb) returns text
language plpgsql immutable as $$
declare
  mode constant text := coalesce(filter->>'search_mode', 'keyword');
  identified constant text := funding.identifier_condition(dataset, filter);
  is_excluding constant boolean := filter->>'search' like '%-%' and funding.excluded_words(filter->>'search') is not null;
  excluding constant text := $c$not record.lexemes @@ funding.excluded_words($1->>'search')$c$;
begin
  if mode = 'keyword' then
    return format(
      case when identified is null then '%1$s' when is_excluding then '(%1$s or %2$s and %3$s)' else '(%1$s or %2$s)' end,
      $c$record.lexemes @@ funding.parse_query($1->>'search')$c$, identified, excluding);
  end if;
  return nullif(concat_ws(' and ',
    case when is_excluding then excluding end,
    case when mode = 'ranked_keyword' and funding.required_phrases(filter->>'search') is not null then format(
      case when identified is null then '%1$s' else '(%1$s or %2$s)' end,
      $c$record.lexemes @@ funding.required_phrases($1->>'search')$c$, identified) end), '');
end
$$;

-- Condition of a filter's range ({ operator, min, max }), as SQL: the value is `between` its bounds, both included, or `outside` of them. A record
-- without the value meets neither.
create or replace function funding.range_condition(filter jsonb, name text, value text, form text) returns text
language plpgsql immutable parallel safe as $$
begin
  return format(
    case filter->name->>'operator'
      when 'outside' then '(%1$s < ($1->%2$L->>''min'')::%3$s or %1$s > ($1->%2$L->>''max'')::%3$s)'
      else '%1$s between ($1->%2$L->>''min'')::%3$s and ($1->%2$L->>''max'')::%3$s'
    end, value, name, case form when 'day' then 'date' when 'moment' then 'timestamptz' else 'double precision' end);
end
$$;

-- SQL condition of every list that does not say otherwise: `funding.predicate` of no parameters. It has indexes of its own, and statements with
-- cached plans.
create or replace function funding.usual_condition(dataset text) returns text
language plpgsql immutable as $$
begin
  return case dataset when 'funders' then 'true' else $c$record.classification = 'opportunity' and record.archived_at is null and record.superseded_by is null$c$ end;
end
$$;

-- supabase/schemas/requests/list_requests.sql
-- A list request is a filter, an order and a page, each a value of its own.

-- Filter of a request's parameters, which the edge's validation makes of a query string: names as in the API, `states` as an
-- array, dates and moments as text, numbers and booleans as JSON's own. `statuses` and the ranges are parameters of the CommonGrants
-- search alone (functions/common-grants): an array of stored statuses, and { operator, min, max }. Beside the parameters that filter, a filter has:
--   search_mode  absent: records have all words of the search; `ranked_keyword`: enough of them; `semantic`, `hybrid`
--   identifier_matches  ids of the records that have the search as an identifier; absent when the predicate compares identifiers
create or replace function funding.filter_of(dataset text, parameters jsonb) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  filter jsonb := parameters - funding.presentation_parameters() - 'search_mode';
  mode constant text := coalesce(parameters->>'search_mode', 'keyword');
  identifier_matches jsonb;
begin
  perform funding.require_rules(dataset, filter);
  if (parameters->>'archived_as_ids')::boolean then
    filter := filter || '{"include_archived": true, "include_versions": true}';
  end if;
  if mode <> 'keyword' then
    filter := filter || jsonb_build_object('search_mode', mode);
  -- A list with `similar_to` has this order by itself, and a search in it is a filter.
  elsif parameters->>'sort_by' = 'relevance' and not parameters ? 'similar_to' then
    filter := filter || '{"search_mode": "ranked_keyword"}';
  end if;
  filter := funding.with_agencies(dataset, filter);
  if parameters ? 'search' then
    identifier_matches := funding.identified_ids(dataset, parameters->>'search');
    if identifier_matches is not null then
      filter := filter || jsonb_build_object('identifier_matches', identifier_matches);
    end if;
  end if;
  return filter;
end
$$;

-- Filter with the names of its agencies, for their ids and abbreviations.
create or replace function funding.with_agencies(dataset text, filter jsonb) returns jsonb
language plpgsql stable as $$
declare
  name text;
begin
  foreach name in array array['agency', 'exclude_agency'] loop
    if jsonb_typeof(filter->name) = 'array' then
      filter := filter || jsonb_build_object(name, (
        select jsonb_agg(funding.agency_name(dataset, agency)) from jsonb_array_elements_text(filter->name) as agency));
    elsif filter ? name then
      filter := filter || jsonb_build_object(name, funding.agency_name(dataset, filter->>name));
    end if;
  end loop;
  return filter;
end
$$;

-- Name of an agency that a filter of a dataset names: by its id as a funder, or by its abbreviation where no record has that as a name itself.
create or replace function funding.agency_name(dataset text, agency text) returns text
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  full_name text;
  is_name boolean;
begin
  if agency ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return coalesce((select funders.name from funding.funders where funders.id = agency::uuid), agency);
  end if;
  select known.name into full_name from funding.agency_abbreviations as known where known.abbreviation = lower(agency);
  if full_name is null then
    return agency;
  end if;
  execute format('select exists (select from funding.%I as record where funding.detail_keys(record.details) && $1)', dataset)
  into is_name using funding.wanted_names('agency', 'agency', to_jsonb(agency));
  return case when is_name then agency else full_name end;
end
$$;

-- Ranking mode that the parameters ask for; null for a list in the order of a field. Reads no tables.
create or replace function funding.asked_ranking(parameters jsonb) returns text
language plpgsql immutable as $$
begin
  return case
    when parameters ? 'similar_to' then 'hybrid'
    when coalesce(parameters->>'search_mode', 'keyword') <> 'keyword' then parameters->>'search_mode'
    when parameters->>'sort_by' = 'relevance' then 'keyword'
  end;
end
$$;

-- Order of a request's parameters.
create or replace function funding.order_of(dataset text, parameters jsonb) returns funding.list_order
language plpgsql immutable as $$
declare
  sort_by constant text := coalesce(parameters->>'sort_by',
    case when funding.asked_ranking(parameters) is not null then 'relevance' when dataset = 'funders' then 'name' else 'created_at' end);
begin
  return (sort_by, coalesce(parameters->>'order', case when sort_by <> 'relevance' and dataset = 'funders' then 'asc' else 'desc' end));
end
$$;

-- Page of a request's parameters.
create or replace function funding.page_of(parameters jsonb) returns funding.list_page
language plpgsql immutable as $$
begin
  return ((parameters->>'limit')::bigint, (parameters->>'offset')::bigint, parameters->'cursor');
end
$$;

-- List request of a request's parameters, whose days from today are those of now.
create or replace function funding.list_request_of(dataset text, parameters jsonb) returns funding.list_request
language plpgsql stable as $$
begin
  return (funding.filter_of(dataset, funding.with_days(parameters, funding.wall_clock())), funding.order_of(dataset, parameters), funding.page_of(parameters));
end
$$;

-- Raises 22023 unless a search and a page are as small as the edge allows, for every caller: a page without a limit would be the whole table. The
-- offset may be as large as in the CommonGrants lists, which have no cursor.
create or replace function funding.require_bounds(query text, page_size bigint, page_offset bigint) returns void
language plpgsql immutable as $$
begin
  if char_length(query) > 4000
    or coalesce(page_size not between 1 and 10000, true) or coalesce(page_offset not between 0 and 1000000, true) then
    raise invalid_parameter_value using message = 'a search has at most 4000 characters, a page a limit of at most 10000 and an offset of at most 1000000';
  end if;
end
$$;

-- supabase/schemas/requests/parse_query.sql
-- Operators in the text of a search: -words, "phrases" and or.

-- Returns the query without the dashes that are punctuation. A dash excludes when it stands directly before a word or phrase.
-- Several dashes in a row, and one before space or other operators, are punctuation ("Clean Water - Round 2"); so no run is
-- left for the parser.
create or replace function funding.without_stray_dashes(query text) returns text
language plpgsql immutable parallel safe as $$
begin
  if strpos(query, '-') = 0 then
    return without_stray_dashes.query;
  end if;
  return regexp_replace(query,
    -- Quoted text stays as it is. The spaces beside \s are those that \s matches only in some locales.
    '("[^"]*"?)|(?<![^\s\u0085\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff!&|()<"])(?:--+|-(?=[\s\u0085\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff!&|()<]|$))',
    '\1 ', 'g');
end
$$;

-- Query in which words that are joined by dashes, slashes or dots are phrases of their parts: "low-income" finds "low income" as well, since the two
-- words follow each other in both, and a dash before the phrase excludes both. Quotes also protect a part that would be an operator otherwise
-- ("and/or"). Of several parts, only the first one loses its dashes: records have "low-income" as a word before its parts, so behind another part it
-- is a place further away. Angle brackets and slashes by themselves become space, as in records.
create or replace function funding.joined_as_phrases(query text) returns text
language plpgsql immutable parallel safe as $$
begin
  if query !~ '[-./<>]' then
    return joined_as_phrases.query;
  end if;
  return (
    select string_agg(case
        when cut.piece like '"%' then parts.words
        when cut.piece !~ '\w' then translate(cut.piece, '<>/', '   ')
        -- A host's name or an e-mail address stays one word.
        when parts.first ~ '\w-+\w' and parts.first !~ '@|\.\w' then '"' || replace(parts.first, '-', ' ') || substr(parts.words, length(parts.first) + 1) || '"'
        when parts.words <> cut.piece then '"' || parts.words || '"'
        else cut.piece
      end, '' order by cut.position)
    from regexp_matches(query, '("[^"]*"?|\w[\w@+:./-]*|[^"\w]+)', 'g') with ordinality as found(matched, position)
    cross join lateral (select found.matched[1] as piece, found.position) as cut
    cross join lateral (select said.words, split_part(said.words, ' ', 1) as first from funding.separate_words(cut.piece) as said(words)) as parts);
end
$$;

-- Query without dashes between words: they are punctuation ("Clean Water - Round 2"), and exclude nothing.
create or replace function funding.without_dashes(query text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(query, '(^|\s)-+(?=\s|$)', ' ', 'g')
$$;

-- A long query with each word and phrase once, except those next to `or`: each is looked up by itself, and a word that occurs 450 times took fifteen
-- times as long as a single one.
create or replace function funding.without_repeats(query text) returns text
language plpgsql immutable parallel safe as $$
begin
  if length(query) <= 200 then
    return without_repeats.query;
  end if;
  return (
    select string_agg(token, ' ' order by position)
    from (
      select token, position, is_bound, row_number() over (partition by token, is_bound order by position) as occurrence
      from (
        select token, position,
               coalesce('or' in (lower(token), lower(lag(token, 1, '') over words), lower(lead(token, 1, '') over words)), false) as is_bound
        from (
          select matched[1] as token, position
          from regexp_matches(query, '(?:[^\s"]*"[^"]*")+[^\s"]*|\S+', 'g') with ordinality as found(matched, position)
        ) as token
        window words as (order by position)
      ) as neighbour
    ) as counted
    where is_bound or occurrence = 1);
end
$$;

-- Words, phrases and alternatives of a search. Only this function hands user text to Postgres' parser. Raises PT400, which names the parameter in its
-- hint, where the parser gives up all the same. A time limit or want of memory is not the text's fault and passes through. The planner calls the
-- function once for a statement: values are constants to it (`execute ... using`).
--
-- Postgres' parser stacks a run of operators, and forty dashes before a word overflowed its stack. This internal error was answered with 500 and, in
-- a webhook's filter, stopped everybody's deliveries.
create or replace function funding.parse_query(query text) returns tsquery
language plpgsql immutable strict parallel restricted as $$
begin
  -- Stray dashes go last, because leaving out a repetition can open or close a quote.
  return websearch_to_tsquery('funding.english', funding.with_asked_acronyms(funding.without_stray_dashes(
    funding.joined_as_phrases(funding.without_repeats(funding.without_dashes(query))))));
exception when data_exception or syntax_error or program_limit_exceeded or internal_error then
  raise sqlstate 'PT400' using message = 'cannot be read as a search: use words, phrases in quotes, -words and or', hint = 'search';
end
$$;

-- Query without the words and phrases that it excludes. A dash in quotes excludes nothing: quoted text is matched first, and stays.
create or replace function funding.wanted_words(query text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(query, '("[^"]*"?)|(^|\s)-("[^"]+"?|\w[^\s"]*)', '\1\2', 'g')
$$;

-- Words and phrases that a ranked search excludes, as they are written: those that `wanted_words` leaves out.
create or replace function funding.excluded_texts(query text) returns setof text
language sql immutable parallel safe as $$
  select excluded[1]
  from regexp_matches(query, '"[^"]*"?|(?:^|\s)-("[^"]+"?|\w[^\s"]*)', 'g') as excluded
  where excluded[1] is not null
$$;

-- Words that a ranked search excludes ("water -rights"), or null when it excludes none.
create or replace function funding.excluded_words(query text) returns tsquery
language sql immutable parallel restricted as $$
  select case when numnode(words) > 0 then words end
  from (
    select funding.parse_query(string_agg(excluded, ' or ')) as words
    from funding.excluded_texts(query) as excluded
  ) as given
$$;

-- Phrases in quotes that a keyword ranking must find, or null when the query has none. Quotes in a text of more than twelve words are no requirement.
create or replace function funding.required_phrases(query text) returns tsquery
language sql immutable parallel restricted as $$
  select case when numnode(phrases) > 0 then phrases end
  from (
    select funding.parse_query(string_agg(quoted[1], ' ')) as phrases
    from regexp_matches(query, '(?:^|\s)("[^"]+")', 'g') as quoted
    where cardinality(regexp_split_to_array(btrim(query), '\s+')) <= 12
  ) as given
$$;

-- Lexeme as it is written in a tsquery's text, whatever characters it has.
create or replace function funding.quoted_lexeme(lexeme text) returns text
language sql immutable parallel safe as $$
  select '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''
$$;

-- supabase/schemas/requests/relative_days.sql
-- Days of a filter that are relative to today: `deadline_after=today`, `deadline_before=today+14d`, `closing_within=14`. A filter is stored with these words,
-- and `funding.with_days` puts days in their place whenever it is evaluated, so that it moves with the day. `funding.predicate` reads days alone.

-- Days from today that a filter's text means: 14 of `today+14d`; null where it means none.
create or replace function funding.days_from_today(text text) returns integer
language sql immutable parallel safe as $$
  select case when text ~ '^today([+-][0-9]{1,4}d)?$' then coalesce(nullif(rtrim(substr(text, 6), 'd'), '')::integer, 0) end
$$;

-- Day at a distance from today at a moment, where publishers are: a date or, while sources' time zones have different days, { day, of: { SOURCE: day } }
-- with those sources that have another day than all others.
create or replace function funding.publishers_day(days integer, at timestamptz) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  day constant date := (at at time zone funding.default_time_zone())::date + days;
  others jsonb;
begin
  select jsonb_object_agg(zone.source, (at at time zone zone.time_zone)::date + days) into others
  from funding.source_time_zones as zone
  where (at at time zone zone.time_zone)::date + days <> day;
  return case when others is null then to_jsonb(day) else jsonb_build_object('day', day, 'of', others) end;
end
$$;

-- Whether a filter or a list's parameters have days that are relative to today.
create or replace function funding.is_relative(filter jsonb) returns boolean
language sql immutable parallel safe as $$
  select filter ? 'closing_within' or filter->>'deadline_after' like 'today%' or filter->>'deadline_before' like 'today%'
$$;

-- A filter with the days that its words mean at a moment. One that has days already stays as it is.
create or replace function funding.with_days(filter jsonb, at timestamptz) returns jsonb
language plpgsql stable as $$
declare
  name text;
begin
  if not coalesce(funding.is_relative(filter), false) then
    return filter;
  end if;
  foreach name in array array['deadline_after', 'deadline_before'] loop
    if filter->>name like 'today%' then
      filter := filter || jsonb_build_object(name, funding.publishers_day(funding.days_from_today(filter->>name), at));
    end if;
  end loop;
  if jsonb_typeof(filter->'closing_within') = 'number' then
    filter := filter || jsonb_build_object('closing_within', jsonb_build_object(
      'from', funding.publishers_day(0, at), 'upto', funding.publishers_day((filter->>'closing_within')::integer, at)));
  end if;
  return filter;
end
$$;

-- SQL for a day of a filter: `path` is SQL for the day as `funding.publishers_day` returns it, and `value` its value.
create or replace function funding.day_expression(path text, value jsonb) returns text
language sql immutable parallel safe as $$
  select format(case jsonb_typeof(value)
    when 'object' then 'coalesce(%1$s->''of''->>record.source, %1$s->>''day'')::date'
    else '(%1$s #>> ''{}'')::date' end, path)
$$;

-- supabase/schemas/requests/sorting.sql
-- Orders of lists, and cursors, as SQL.

-- An order by its name.
create or replace function funding.list_order(sort_by text) returns table (key text, cursor_key text, type text, has_nulls boolean)
language plpgsql immutable as $$
begin
  return query select known.key, known.cursor_key, known.type, known.has_nulls from funding.list_orders() as known where known.name = sort_by;
  if not found then
    raise invalid_parameter_value using message = format('no such order: %s', sort_by);
  end if;
end
$$;

-- Keys of a list's order. Of several ("deadline_date,-amount_max"), each has its direction, which `-` makes descending.
create or replace function funding.sort_keys(sort_by text, direction text) returns table (place integer, name text, direction text)
language sql immutable as $$
  select named.place::integer, ltrim(named.key, '-'),
    case when strpos(sort_keys.sort_by, ',') = 0 then sort_keys.direction when named.key like '-%' then 'desc' else 'asc' end
  from unnest(coalesce(nullif(string_to_array(sort_by, ','), '{}'), array[''])) with ordinality as named(key, place)
$$;

-- SQL for the order of a list. Nulls are last in both directions. Ties are by id in the same direction, but those of a ranking and of several keys
-- always upwards.
create or replace function funding.sort_order(sort_by text, direction text) returns text
language plpgsql immutable set plan_cache_mode = force_generic_plan as $$
begin
  if sort_by is null or direction is null or direction not in ('asc', 'desc') then
    raise invalid_parameter_value using message = format('no such order: %s %s', sort_by, direction);
  end if;
  return (
    select string_agg(format('%s %s', known.key, asked.direction) || case when known.has_nulls then ' nulls last' else '' end, ', ' order by asked.place)
      || case when sort_by = 'relevance' then ', found.id asc' when count(*) > 1 then ', record.id asc' else format(', record.id %s', sort_order.direction) end
    from funding.sort_keys(sort_by, direction) as asked, funding.list_order(asked.name) as known);
end
$$;

-- SQL for the key in the cursor of the row named `record`; of several, an array. `after_cursor` reads the key.
create or replace function funding.cursor_key(sort_by text) returns text
language sql immutable as $$
  select case when count(*) = 1 then max(known.cursor_key)
    else format('json_build_array(%s)', string_agg(known.cursor_key, ', ' order by asked.place)) end
  from funding.sort_keys(sort_by, 'asc') as asked, funding.list_order(asked.name) as known
$$;

-- The conditions of `after_cursor` for several keys. The first is for the records with the same first key, which are ordered by the others; the rest
-- come after them, nulls last.
create or replace function funding.after_cursor_of_keys(cursor jsonb) returns text[]
language plpgsql immutable as $$
declare
  asked record;
  seen text;
  is_same text;
  is_after text[];
  -- After the cursor by the keys from this one on: made from the last key to the first.
  following text := $c$record.id > ($2->>'id')::uuid$c$;
begin
  for asked in
    select keys.place, keys.direction, known.key, known.type, known.has_nulls, cursor->'key'->>(keys.place - 1) is null as is_null
    from funding.sort_keys(cursor->>'sort_by', cursor->>'order') as keys, funding.list_order(keys.name) as known
    order by keys.place desc
  loop
    seen := format($c$($2->'key'->>%s)::%s$c$, asked.place - 1, asked.type);
    is_same := case when asked.is_null then format('%s is null', asked.key) else format('%s = %s', asked.key, seen) end;
    is_after := case when asked.is_null then '{}'::text[] else array_remove(array[
      format('%s %s %s', asked.key, case asked.direction when 'asc' then '>' else '<' end, seen),
      case when asked.has_nulls then format('%s is null', asked.key) end], null) end;
    if asked.place = 1 then
      return format('%s and (%s)', is_same, following) || is_after;
    end if;
    following := array_to_string(format('%s and (%s)', is_same, following) || is_after, ' or ');
  end loop;
end
$$;

-- Keyset paging: conditions of the records after a cursor, `$2` ({ sort_by, order, key, id } of the last record seen). The records of each
-- condition come before those of the next. The index of the order, or of its first key, serves each condition.
create or replace function funding.after_cursor(cursor jsonb) returns text[]
language plpgsql immutable as $$
declare
  known record;
  seen_key text;
  seen_id constant text := $c$($2->>'id')::uuid$c$;
  further text := case cursor->>'order' when 'asc' then '>' else '<' end;
begin
  if strpos(cursor->>'sort_by', ',') > 0 then
    return funding.after_cursor_of_keys(cursor);
  end if;
  known := funding.list_order(cursor->>'sort_by');
  seen_key := format($c$($2->>'key')::%s$c$, known.type);
  if cursor->>'sort_by' = 'relevance' then
    return array[format('(%1$s %2$s %3$s or %1$s = %3$s and found.id > %4$s)', known.key, further, seen_key, seen_id)];
  end if;
  -- The feed ends where changes are not settled (change_moments.sql). Its first page has no record before it, and so no key.
  if cursor ? 'until' then
    return array[concat_ws(' and ', $c$record.updated_at < ($2->>'until')::timestamptz$c$,
      case when cursor ? 'key' then format('(%s, record.id) %s (%s, %s)', known.key, further, seen_key, seen_id) end)];
  end if;
  -- Nulls are last, and ordered by id.
  if cursor->>'key' is null then
    return array[format('%s is null and record.id %s %s', known.key, further, seen_id)];
  end if;
  return array_remove(array[
    format('(%s, record.id) %s (%s, %s)', known.key, further, seen_key, seen_id),
    case when known.has_nulls then format('%s is null', known.key) end
  ], null);
end
$$;

-- supabase/schemas/requests/stored_filters.sql
-- Filters that are stored, of webhooks and of saved searches: checked when they are set.

-- Evaluates a filter on a record without values, in the select list, where no condition keeps later ones from being evaluated. Raises Postgres' own
-- error.
create or replace function funding.try_filter(dataset text, filter jsonb) returns void
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := funding.with_days(try_filter.filter, funding.bounded_now());
begin
  execute format('select %s from jsonb_populate_record(null::funding.%I, $2) as record', funding.predicate(dataset, filter), dataset)
  using filter, '{"source_id": "", "identifiers": [], "states": [], "category_keys": []}'::jsonb;
end
$$;

-- Refuses filters that Postgres cannot evaluate: PT400, which names the filter in its hint, and the parameter where that is known.
create or replace function funding.require_filters(filters jsonb) returns void
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  given record;
  parameter text;
begin
  for given in select item.key as dataset, item.value->'parameters' as filter from jsonb_each(filters) as item loop
    begin
      perform funding.try_filter(given.dataset, given.filter);
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      get stacked diagnostics parameter = pg_exception_hint;
      raise sqlstate 'PT400' using
        message = case when sqlstate = 'PT400' then sqlerrm else 'cannot be evaluated: ' || left(sqlerrm, 200) end,
        hint = concat_ws('.', 'filters', given.dataset, case when sqlstate = 'PT400' then nullif(parameter, '') end);
    end;
  end loop;
end
$$;

-- supabase/schemas/rpcs/account_api.sql
-- RPCs of the dashboard for an account and its keys. Each starts with `funding.account_of`, or with `funding.owned_account_of` where it requires an
-- owner, and reads and changes only rows of that account. Their results are bounded, however many keys an account has gathered. (300 a day can be
-- made.)

-- A key as its owner sees it.
create or replace function funding.key_body(api_key funding.api_keys) returns json
language plpgsql stable as $$
begin
  return json_build_object(
    'id', api_key.id,
    'name', api_key.name,
    'display', api_key.display,
    'status', case
      when api_key.revoked_at is not null then 'revoked'
      when api_key.expires_at <= funding.latest_now() then 'expired'
      else 'active' end,
    'created_at', funding.moment(api_key.created_at),
    'expires_at', funding.moment(api_key.expires_at),
    'revoked_at', funding.moment(api_key.revoked_at),
    'last_used_at', funding.moment(api_key.last_used_at),
    'rotated_from', api_key.rotated_from,
    'replaced_by', funding.replacement_of(api_key.id),
    'datasets', api_key.datasets,
    'daily_quota', api_key.daily_quota,
    'addresses', api_key.addresses);
end
$$;

-- The account, its tier and subscription, and its use today. Without a quota, the requests of the day are counted from the account's usage.
create or replace function public.get_account(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_account.user_id, get_account.session_id);
  today constant date := funding.quota_day();
  account funding.accounts;
  subscription funding.subscriptions;
  tier funding.tiers;
  has_access boolean;
  daily_limit bigint;
  used_today bigint;
begin
  select * into account from funding.accounts where accounts.id = own_id;
  select * into subscription from funding.subscriptions where subscriptions.account_id = own_id;
  select * into tier from funding.tiers where tiers.name = coalesce(subscription.tier, 'free');
  has_access := tier.api_access and funding.is_in_force(subscription);
  daily_limit := case when has_access then tier.daily_quota else 0 end;
  if daily_limit < 0 then
    select coalesce(sum(usage.requests), 0) into used_today
    from funding.usage join funding.api_keys on api_keys.id = usage.api_key_id
    where api_keys.account_id = own_id and usage.day = today;
  else
    select coalesce(sum(quota.used), 0) into used_today
    from funding.daily_quota as quota where quota.account_id = own_id and quota.day = today;
  end if;
  return json_build_object(
    'id', account.id,
    'email', funding.account_email(account),
    'role', funding.role_of(own_id, get_account.user_id),
    'created_at', funding.moment(account.created_at),
    'api_access', has_access,
    'tier', json_build_object('name', tier.name, 'api_access', tier.api_access, 'daily_quota', tier.daily_quota),
    'subscription', case when subscription.account_id is not null then json_build_object(
      'status', subscription.status,
      'current_period_end', funding.moment(subscription.current_period_end),
      'in_force', funding.is_in_force(subscription)) end,
    'quota', json_build_object(
      'limit', daily_limit,
      'used', used_today,
      'remaining', case when daily_limit < 0 then -1 else greatest(0, daily_limit - used_today) end,
      'resets_at', funding.moment((today + 1)::timestamp at time zone 'UTC')),
    'keys', json_build_object(
      'active', (select count(*) from funding.api_keys where api_keys.account_id = own_id and not api_keys.is_explorer and funding.is_valid(api_keys)),
      'maximum', funding.setting('maximum_active_keys')),
    'keeps_search_text', account.keeps_search_text);
end
$$;

-- Changes the account's own settings. Only owners may. `changes` may have keeps_search_text. Returns the account.
create or replace function public.update_account(user_id uuid, session_id uuid, changes jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(update_account.user_id, update_account.session_id);
begin
  perform funding.require_write(own_id, 'account_changes');
  update funding.accounts
  set keeps_search_text = coalesce((changes->>'keeps_search_text')::boolean, accounts.keeps_search_text)
  where accounts.id = own_id;
  return funding.count_write(own_id, 'account_changes', public.get_account(update_account.user_id, update_account.session_id));
end
$$;

-- Lists the account's keys, newest first: all active keys, and the newest of the others, `funding.keys_told` in all. The explorer's keys are left
-- out: they end by themselves.
create or replace function public.list_account_keys(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_account_keys.user_id, list_account_keys.session_id);
begin
  return (
    select coalesce(json_agg(funding.key_body(told.api_key) order by (told.api_key).created_at desc, (told.api_key).id), '[]')
    from (
      select own_key as api_key from funding.api_keys as own_key where own_key.account_id = own_id and not own_key.is_explorer
      order by funding.is_valid(own_key) desc, own_key.created_at desc, own_key.id
      limit funding.keys_told()
    ) as told);
end
$$;

-- Adds a key to the account, and returns the key. `limits` are described at `funding.with_limits`.
create or replace function public.create_account_key(
  user_id uuid, session_id uuid, name text, key_hash text, display text, expires_at timestamptz default null, limits jsonb default null)
returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(create_account_key.user_id, create_account_key.session_id);
begin
  perform funding.require_write(own_id, 'key_creations');
  return funding.count_write(own_id, 'key_creations', funding.key_body(funding.create_key(own_id, create_account_key.name,
    create_account_key.key_hash, create_account_key.display, create_account_key.expires_at, create_account_key.limits)));
end
$$;

-- Changes the limits of a key, and returns the key. `limits` are described at `funding.with_limits`.
create or replace function public.limit_account_key(user_id uuid, session_id uuid, key_id uuid, limits jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(limit_account_key.user_id, limit_account_key.session_id);
begin
  perform funding.require_write(own_id, 'key_changes');
  return funding.count_write(own_id, 'key_changes',
    funding.key_body(funding.limit_key(limit_account_key.key_id, limit_account_key.limits, own_id)));
end
$$;

-- Issues a short-lived key to the dashboard's explorer. Returns { id, display, expires_at }. See `funding.issue_explorer_key`.
create or replace function public.create_explorer_key(user_id uuid, session_id uuid, key_hash text, display text) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(create_explorer_key.user_id, create_explorer_key.session_id);
  issued funding.api_keys;
begin
  perform funding.require_write(own_id, 'explorer_keys');
  issued := funding.issue_explorer_key(own_id, create_explorer_key.key_hash, create_explorer_key.display, create_explorer_key.user_id);
  return funding.count_write(own_id, 'explorer_keys',
    json_build_object('id', issued.id, 'display', issued.display, 'expires_at', funding.moment(issued.expires_at)));
end
$$;

-- Replaces a key. Returns the new one. See `funding.rotate_key`.
create or replace function public.rotate_account_key(
  user_id uuid, session_id uuid, key_id uuid, key_hash text, display text, overlap_hours double precision)
returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(rotate_account_key.user_id, rotate_account_key.session_id);
begin
  perform funding.require_write(own_id, 'key_rotations');
  return funding.count_write(own_id, 'key_rotations', funding.key_body(funding.rotate_key(rotate_account_key.key_id,
    rotate_account_key.key_hash, rotate_account_key.display, make_interval(secs => overlap_hours * 3600), own_id)));
end
$$;

-- Revokes a key. Revoking it again writes nothing and counts nothing: otherwise anybody with a session could use up the account's revocations on one
-- key, and its owner could revoke no other.
create or replace function public.revoke_account_key(user_id uuid, session_id uuid, key_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(revoke_account_key.user_id, revoke_account_key.session_id);
  revoked funding.api_keys;
begin
  select * into revoked from funding.api_keys
  where api_keys.id = revoke_account_key.key_id and api_keys.account_id = own_id and api_keys.revoked_at is not null;
  if found then
    return funding.with_write_limit(own_id, 'key_revocations', funding.key_body(revoked));
  end if;
  perform funding.require_write(own_id, 'key_revocations');
  return funding.count_write(own_id, 'key_revocations', funding.key_body(funding.revoke_key(revoke_account_key.key_id, own_id)));
end
$$;

-- supabase/schemas/rpcs/addresses.sql
-- RPC of the sitemaps of the public catalogue.

-- Condition of the records, rows named `record`, whose page is for search engines: not those that left the catalogue, older notices of an opportunity,
-- or what ended more than a year ago. `isForSearchEngines` in functions/catalogue/opportunity-page.ts says the same of one record.
create or replace function funding.has_address(dataset text) returns text
language sql immutable parallel safe as $$
  select case when dataset = 'funders' then 'true' else $c$record.archived_at is null and record.superseded_by is null
    and (coalesce(record.deadline_date, record.project_end_date) >= funding.today_in('America/New_York') - 365) is not false$c$ end
$$;

-- Records of a dataset whose ids begin with a hexadecimal digit, and that have a page for search engines: { records: [{ id, name, updated_on }] }, by
-- id, at most 50,000, which is what a sitemap may have. Without a digit, those digits with which an id of such a record begins: { parts }.
create or replace function funding.addresses_of(dataset text, part text) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  most constant integer := 50000;
  in_part constant text := format($c$record.id between (part.digit || '0000000-0000-0000-0000-000000000000')::uuid and (part.digit || 'fffffff-ffff-ffff-ffff-ffffffffffff')::uuid
    and %s$c$, funding.has_address(dataset));
  found_addresses json;
begin
  if dataset is null or dataset not in ('grants', 'contracts', 'funders') then
    raise invalid_parameter_value using message = 'dataset is grants, contracts or funders';
  end if;
  if part is null then
    execute format($parts$
      select json_build_object('parts', coalesce(json_agg(part.digit order by part.digit), '[]'))
      from (select to_hex(number) as digit from generate_series(0, 15) as number) as part
      where exists (select from funding.%I as record where %s)
    $parts$, dataset, in_part) into found_addresses;
    return found_addresses;
  end if;
  if part !~ '\A[0-9a-f]\Z' then
    raise invalid_parameter_value using message = 'part is one hexadecimal digit, 0 to f';
  end if;
  execute format($records$
    select json_build_object('records', coalesce(json_agg(
      json_build_object('id', listed.id, 'name', listed.name, 'updated_on', to_char(listed.updated_at at time zone 'UTC', 'YYYY-MM-DD')) order by listed.id), '[]'))
    from (
      select record.id, record.%I as name, record.updated_at
      from (select $1 as digit) as part join funding.%I as record on %s
      order by record.id limit %s
    ) as listed
  $records$, case when dataset = 'funders' then 'name' else 'title' end, dataset, in_part, most) into found_addresses using part;
  return found_addresses;
end
$$;

-- Addresses of records for a sitemap of the public catalogue. See `funding.addresses_of`.
create or replace function public.list_addresses(key_hash text, dataset text, part text default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array[dataset]);
begin
  return funding.rpc_result(admitted, funding.addresses_of(dataset, part));
end
$$;

-- supabase/schemas/rpcs/awards.sql
-- RPC of GET /grants-api/{id}/awards.

-- Awards of an opportunity, for a caller. The body is null for an id that no record has. See `funding.awards_of`.
create or replace function public.list_awards(key_hash text, id uuid, parameters jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array['grants']);
begin
  return funding.rpc_result(admitted, funding.awards_of(id, parameters));
end
$$;

-- supabase/schemas/rpcs/billing_api.sql
-- RPCs of the dashboard for tiers, and for Stripe's pages on which owners subscribe and manage the subscription. The edge opens those pages.
-- `prepare_checkout` and `prepare_portal` decide whether it may, and return the data that it has to send to Stripe.

-- Name of an account's tier, whether its subscription is in force or not.
create or replace function funding.tier_of(account_id uuid) returns text
language sql stable as $$
  select coalesce((select subscription.tier from funding.subscriptions as subscription where subscription.account_id = tier_of.account_id), 'free')
$$;

-- Stripe price at which a tier is sold: of the prices that buy the tier, the one that was set last. Null where there is none.
create or replace function funding.sold_price(tier text) returns text
language sql stable as $$
  select price.price_id from funding.tier_prices as price where price.tier = sold_price.tier order by price.set_at desc, price.price_id desc limit 1
$$;

-- Whether an account has an ongoing Stripe subscription that buys a tier. It counts also after its period's end: the event of a renewal may be late,
-- or lost.
create or replace function funding.has_stripe_subscription(account_id uuid) returns boolean
language sql stable as $$
  select exists (
    select from funding.bought_subscriptions(has_stripe_subscription.account_id) as bought where funding.is_ongoing(bought.status))
$$;

-- Stripe customer as which an account pays; null where there is none. Of several customers, the one whose subscription the account follows, or else
-- one with an ongoing subscription, or else the one with the latest.
create or replace function funding.stripe_customer_of(account_id uuid) returns text
language sql stable as $$
  select customer.id
  from funding.stripe_customers as customer
  left join funding.stripe_subscriptions as paid on paid.customer_id = customer.id
  where customer.account_id = stripe_customer_of.account_id
  order by paid.id is not distinct from (
             select own.stripe_subscription_id from funding.subscriptions as own where own.account_id = stripe_customer_of.account_id)
             and paid.id is not null desc,
           coalesce(funding.is_ongoing(paid.status), false) desc, paid.event_at desc nulls last, customer.id
  limit 1
$$;

-- Lists the tiers that the account is shown: its own and all listed ones, at most a hundred. Returns { tiers, has_subscription, has_customer }; the
-- last two are about Stripe. The tier that includes least comes first.
create or replace function public.list_tiers(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_tiers.user_id, list_tiers.session_id);
  own_tier constant text := funding.tier_of(own_id);
begin
  return json_build_object(
    'tiers', (
      select coalesce(json_agg(
        json_build_object(
          'name', shown.name, 'api_access', shown.api_access, 'daily_quota', shown.daily_quota, 'snapshots', shown.snapshots,
          'is_own', shown.name = own_tier, 'has_price', funding.sold_price(shown.name) is not null)
        order by shown.api_access, shown.daily_quota < 0, shown.daily_quota, shown.name), '[]')
      from (
        select * from funding.tiers as tier where tier.is_listed or tier.name = own_tier
        order by tier.name = own_tier desc, tier.name limit 100
      ) as shown),
    'has_subscription', funding.has_stripe_subscription(own_id),
    'has_customer', funding.stripe_customer_of(own_id) is not null);
end
$$;

-- Decides whether an owner may subscribe to a tier at Stripe. Returns { account_id, email, customer_id, price_id, expires_at }: the page ends at
-- `expires_at`, in Unix seconds. That is soon, so that a page which was left open is not paid after another. PT409 where the account would pay twice.
create or replace function public.prepare_checkout(user_id uuid, session_id uuid, tier text) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(prepare_checkout.user_id, prepare_checkout.session_id);
  price constant text := (
    select funding.sold_price(shown.name) from funding.tiers as shown
    where shown.name = prepare_checkout.tier and (shown.is_listed or shown.name = funding.tier_of(own_id)));
  account funding.accounts;
begin
  perform funding.require_write(own_id, 'checkouts');
  if price is null then
    raise sqlstate 'PT400' using message = 'must be a tier that is for sale: GET /account-api/tiers lists them', hint = 'tier';
  end if;
  if funding.has_stripe_subscription(own_id) then
    raise sqlstate 'PT409' using
      message = 'the account has a subscription at Stripe, and would pay twice; change that one on its billing page (POST /account-api/billing/portal)';
  end if;
  select * into account from funding.accounts where accounts.id = own_id;
  return funding.count_write(own_id, 'checkouts', json_build_object(
    'account_id', own_id, 'email', funding.account_email(account), 'customer_id', funding.stripe_customer_of(own_id), 'price_id', price,
    'expires_at', floor(extract(epoch from now()))::bigint + 3600));
end
$$;

-- Decides whether an owner may open the account's billing page at Stripe. Returns { customer_id }. PT404 where the account has never paid there.
create or replace function public.prepare_portal(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(prepare_portal.user_id, prepare_portal.session_id);
  customer constant text := funding.stripe_customer_of(own_id);
begin
  perform funding.require_write(own_id, 'portal_sessions');
  if customer is null then
    raise sqlstate 'PT404' using message = 'the account has no customer at Stripe', hint = 'customer';
  end if;
  return funding.count_write(own_id, 'portal_sessions', json_build_object('customer_id', customer));
end
$$;

-- Offers of customers to pay for an account: those without a decision first, then the newest, at most a hundred. Each has the subscription of the
-- customer that would give most.
create or replace function public.list_offered_customers(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_offered_customers.user_id, list_offered_customers.session_id);
begin
  return json_build_object('offers', (
    select coalesce(json_agg(funding.offer_body(listed.offered)
      order by (listed.offered).refused_at is null desc, (listed.offered).offered_at desc, (listed.offered).id), '[]')
    from (
      select offered from funding.offered_customers as offered where offered.account_id = own_id
      order by offered.refused_at is null desc, offered.offered_at desc, offered.id limit 100
    ) as listed));
end
$$;

-- An offer as the account's members see it.
create or replace function funding.offer_body(offered funding.offered_customers) returns json
language plpgsql stable as $$
begin
  return json_build_object(
    'id', offered.id, 'customer', offered.customer_id, 'offered_at', funding.moment(offered.offered_at),
    'refused_at', funding.moment(offered.refused_at),
    'subscription', (
      select json_build_object('tier', paid.tier, 'status', paid.status, 'current_period_end', funding.moment(paid.current_period_end))
      from funding.subscriptions_of_customer(offered.customer_id) as paid
      order by funding.is_ongoing(paid.status) desc, funding.tier_rank(paid.tier) desc, paid.current_period_end desc nulls last, paid.id limit 1));
end
$$;

-- Decides about an offer, as owners do. An accepted customer pays for the account from then on, beside the others. A refused one has no effect, and is
-- not asked about again; it can still be accepted. Returns { id, accepted }.
create or replace function public.decide_offered_customer(user_id uuid, session_id uuid, offer_id uuid, accepted boolean) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(decide_offered_customer.user_id, decide_offered_customer.session_id);
  kind constant text := case when decide_offered_customer.accepted then 'customer_acceptances' else 'customer_refusals' end;
  offered funding.offered_customers;
begin
  -- First the customer and then the account, which `require_write` locks, as with each event of Stripe's: in the other order, both would wait.
  perform funding.lock_stripe_customer(known.customer_id)
  from funding.offered_customers as known where known.id = offer_id and known.account_id = own_id;
  perform funding.require_write(own_id, kind);
  select * into offered from funding.offered_customers as known where known.id = offer_id and known.account_id = own_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no offer %s', offer_id);
  end if;
  if decide_offered_customer.accepted then
    delete from funding.offered_customers as known where known.id = offered.id;
    insert into funding.stripe_customers (id, account_id) values (offered.customer_id, own_id);
    perform funding.audit(own_id, 'customer.accepted', 'subscription', own_id, offered.customer_id, '[]');
    perform funding.follow_stripe(own_id);
  else
    update funding.offered_customers as known set refused_at = now() where known.id = offered.id and known.refused_at is null;
    if found then
      perform funding.audit(own_id, 'customer.refused', 'subscription', own_id, offered.customer_id, '[]');
    end if;
  end if;
  return funding.count_write(own_id, kind, json_build_object('id', offered.id, 'accepted', decide_offered_customer.accepted));
end
$$;

-- supabase/schemas/rpcs/funder_statistics.sql
-- RPC of GET /funders-api/{id}/statistics.

-- Statistics of a funder, for a caller. The body is null for an id that no funder has. See `funding.statistics_of_funder`.
create or replace function public.get_funder_statistics(key_hash text, id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array['funders', 'grants', 'contracts']);
begin
  return funding.rpc_result(admitted, funding.known_statistics(id));
end
$$;

-- supabase/schemas/rpcs/idempotency.sql
-- POSTs of the account API: each is made once, and a repetition gets the first response. A request without an Idempotency-Key gets one in the edge
-- function; only the function's own repetition has that key.

-- Whether the secret of a remembered response is given out again. For ten minutes it is: a caller whose connection ended before the answer came asks
-- again in that time. After the API key was used it is not, since then the answer has arrived.
create or replace function funding.may_repeat_secret(known funding.idempotency_keys) returns boolean
language sql stable set search_path = funding, pg_temp as $$
  select known.created_at > funding.latest_now() - interval '10 minutes'
     and not exists (
       select from funding.api_keys as api_key
       where api_key.id = (known.response->>'id')::uuid and api_key.account_id = known.account_id and api_key.last_used_at is not null)
$$;

-- Makes a write of the account API once for an Idempotency-Key: calls the RPC with the user, the session and these arguments, and stores its response
-- in the same transaction. Returns { response, is_repetition, sealed_secret }. A write that fails leaves nothing behind: the next call is the first.
-- A write that is under way is waited for. PT409 where the key was used for another request.
create or replace function public.write_once(
  user_id uuid, session_id uuid, key_hash text, request_hash text, rpc text, arguments json, sealed_secret text default null)
returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' set lock_timeout = '3s' as $$
declare
  own_id constant uuid := funding.account_of(write_once.user_id, write_once.session_id);
  writes constant text[] := array['create_account_key', 'create_explorer_key', 'rotate_account_key', 'revoke_account_key',
    'create_webhook', 'rotate_webhook_secret', 'resend_webhook_delivery', 'recover_webhook', 'send_test_event',
    'create_saved_search', 'mark_saved_search_seen', 'issue_saved_search_address', 'revoke_saved_search_address',
    'create_invitation', 'accept_invitation', 'decline_invitation', 'decline_invitations', 'prepare_checkout', 'prepare_portal',
    'decide_offered_customer'];
  owners_writes constant text[] := array['create_invitation', 'prepare_checkout', 'prepare_portal', 'decide_offered_customer'];
  retained_since constant timestamptz := funding.bounded_now() - funding.setting('idempotency_key_days')::double precision * interval '1 day';
  -- Names of the arguments after the user's and the session's ids.
  names constant text[] := (select proargnames[3:] from pg_proc where pronamespace = 'public'::regnamespace and proname = write_once.rpc);
  required constant text[] := (
    select proargnames[3:pronargs - pronargdefaults] from pg_proc where pronamespace = 'public'::regnamespace and proname = write_once.rpc);
  given constant text[] := array(select json_object_keys(arguments));
  known funding.idempotency_keys;
  -- Far above the number that the limits of a day allow. A revocation that changes nothing counts against no limit.
  most_rows constant integer := 5000;
  made_response json;
begin
  if rpc is null or rpc <> all (writes) then
    raise sqlstate 'PT400' using message = format('must be one of %s', array_to_string(writes, ', ')), hint = 'rpc';
  end if;
  if not (given <@ names and required <@ given) then
    raise sqlstate 'PT400' using message = format('must have %s', array_to_string(names, ', ')), hint = 'arguments';
  end if;
  -- Checked also before an earlier response is repeated: the caller may have made that request as an owner.
  if rpc = any (owners_writes) then
    perform funding.require_owner(own_id, write_once.user_id);
  end if;
  -- An unfinished request with the same key is waited for here.
  insert into funding.idempotency_keys as earlier (account_id, key_hash, request_hash, sealed_secret)
  values (own_id, write_once.key_hash, write_once.request_hash, write_once.sealed_secret)
  on conflict on constraint idempotency_keys_pkey do update
    set request_hash = excluded.request_hash, sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, response = null
    where earlier.created_at < retained_since
  returning earlier.* into known;
  if not found then
    select * into known from funding.idempotency_keys as earlier
    where earlier.account_id = own_id and earlier.key_hash = write_once.key_hash;
    if known.request_hash <> write_once.request_hash then
      raise sqlstate 'PT409' using
        message = 'the Idempotency-Key was used for another request before; send another one, or the same request again';
    end if;
    return json_build_object('response', known.response, 'is_repetition', true,
      'sealed_secret', case when funding.may_repeat_secret(known) then known.sealed_secret end);
  end if;
  delete from funding.idempotency_keys as old where old.ctid = any (array(
    select own.ctid from funding.idempotency_keys as own where own.account_id = own_id order by own.created_at desc offset most_rows));
  update funding.idempotency_keys as old set sealed_secret = null
  where old.account_id = own_id and old.sealed_secret is not null and not funding.may_repeat_secret(old);
  -- Values as a parameter, so that they are in no log.
  execute format('select public.%I(user_id => $1, session_id => $2%s)', rpc, (
    select string_agg(format(', %1$I => ($3->>%1$L)::%2$s', argument.name, format_type(argument.type, null)), '')
    from pg_proc cross join unnest(proargnames, proargtypes::oid[]) as argument(name, type)
    where pronamespace = 'public'::regnamespace and proname = write_once.rpc and argument.name = any (given)))
  into made_response using write_once.user_id, write_once.session_id, arguments;
  update funding.idempotency_keys as made set response = made_response
  where made.account_id = own_id and made.key_hash = write_once.key_hash;
  return json_build_object('response', made_response, 'is_repetition', false, 'sealed_secret', null);
end
$$;

-- supabase/schemas/rpcs/latest_records.sql
-- New funding on the dashboard's overview.

-- SQL for an opportunity on the overview, on the row `record`. $1 is the time from which on an opportunity is new.
create or replace function funding.latest_record_expression(dataset text) returns text
language sql immutable parallel safe as $$
  select format($r$json_build_object('dataset', %L, 'id', record.id, 'title', record.title,
    'funder_name', (select funders.name from funding.funders where funders.id = record.funder_id),
    'amount_min', record.amount_min, 'amount_max', record.amount_max, 'deadline_date', funding.iso_date(record.deadline_date),
    'days_left', record.deadline_date - funding.today_of(record.source),
    'created_at', funding.moment(record.created_at), 'is_new', coalesce(record.first_seen_at >= $1, false))$r$, dataset)
$$;

-- Opportunities of a dataset on the overview. `new_records` counts those that are not closed and came from `since` to `until`, of the ten thousand
-- that came last. `latest` has up to `most`: these first, then others, the latest posted first. `closing` has up to `most` that are open and close
-- next.
create or replace function funding.latest_of(
  dataset text, since timestamptz, until timestamptz, most integer, out new_records json, out latest json, out closing json)
language plpgsql volatile as $$
declare
  most_read constant integer := 10000;
  -- The first of the days that are today somewhere, for the index.
  first_today constant date := funding.today_in('UTC') - 1;
begin
  execute format($latest$
    with seen as materialized (
      select record.id, record.created_at, record.classification, record.status, record.archived_at, record.superseded_by from funding.%1$I as record
      where record.first_seen_at >= $1 and record.first_seen_at < $2 order by record.first_seen_at desc limit $4
    ), seen_open as materialized (
      select seen.id, seen.created_at from seen
      where seen.classification = 'opportunity' and not funding.has_ended(seen.status) and seen.archived_at is null and seen.superseded_by is null
    ), posted as (
      select record.id, record.created_at from funding.%1$I as record
      where record.classification = 'opportunity' and not funding.has_ended(record.status) and record.archived_at is null and record.superseded_by is null
      order by record.created_at desc, record.id desc limit $3
    ), chosen as (
      (select seen_open.id, seen_open.created_at, true as is_new from seen_open order by seen_open.created_at desc, seen_open.id desc limit $3)
      union all
      select posted.id, posted.created_at, false from posted where not exists (select from seen_open where seen_open.id = posted.id)
    )
    select json_build_object('count', (select count(*) from seen_open), 'is_capped', (select count(*) from seen) >= $4),
      (select coalesce(json_agg(%2$s order by shown.is_new desc, shown.created_at desc, shown.id desc), '[]')
       from (select * from chosen order by is_new desc, created_at desc, id desc limit $3) as shown join funding.%1$I as record using (id)),
      (select coalesce(json_agg(%2$s order by record.deadline_date, record.id), '[]')
       from (select * from funding.%1$I as soon
         where soon.deadline_date >= $5 and soon.deadline_date >= funding.today_of(soon.source) and soon.archived_at is null and soon.superseded_by is null and soon.classification = 'opportunity' and soon.status in ('open', 'posted')
         order by soon.deadline_date, soon.id limit $3) as record)
  $latest$, dataset, funding.latest_record_expression(dataset))
  into new_records, latest, closing using since, until, most, most_read, first_today;
end
$$;

-- Opportunities that came since a moment, the latest of all, and those that close next: { since, counted_until, new_records, latest, closing }.
-- Without API access, new_records is null and the lists are empty: the tier has no records.
create or replace function public.get_latest_records(user_id uuid, session_id uuid, since timestamptz) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_latest_records.user_id, get_latest_records.session_id);
  most constant integer := 6;
  until constant timestamptz := funding.settled_mark();
  grants record;
  contracts record;
begin
  if not funding.has_webhooks(own_id) then
    return json_build_object('since', funding.moment(since), 'counted_until', funding.moment(until), 'new_records', null,
      'latest', '[]'::json, 'closing', '[]'::json);
  end if;
  select * into grants from funding.latest_of('grants', since, until, most);
  select * into contracts from funding.latest_of('contracts', since, until, most);
  return json_build_object(
    'since', funding.moment(since),
    'counted_until', funding.moment(until),
    'new_records', json_build_object('grants', grants.new_records, 'contracts', contracts.new_records),
    'latest', (
      select coalesce(json_agg(shown.record order by (shown.record->>'is_new')::boolean desc, shown.record->>'created_at' desc, shown.record->>'id' desc), '[]')
      from (
        select record from (
          select * from json_array_elements(grants.latest) union all select * from json_array_elements(contracts.latest)) as either(record)
        order by (record->>'is_new')::boolean desc, record->>'created_at' desc, record->>'id' desc limit most) as shown),
    'closing', (
      select coalesce(json_agg(shown.record order by shown.record->>'deadline_date', shown.record->>'id'), '[]')
      from (
        select record from (
          select * from json_array_elements(grants.closing) union all select * from json_array_elements(contracts.closing)) as either(record)
        order by record->>'deadline_date', record->>'id' limit most) as shown));
end
$$;

-- supabase/schemas/rpcs/list_api.sql
-- RPCs for lists, single records, their changes, and semantic search. Each admits its caller first, and counts the request last, in `funding.rpc_result`.

-- Admits the holder of a key to a list, as `funding.admit` does, and to the record that the results are to be similar to (`similar_to`): the key has
-- to read that record's dataset as well. An id without a record is left to the list, whose error names the parameter.
create or replace function funding.admit_list(key_hash text, dataset text, parameters jsonb, query_vector jsonb) returns funding.admission
language plpgsql as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, funding.is_second_call(query_vector), array[dataset]);
begin
  if admitted.datasets is not null and parameters ? 'similar_to' then
    perform funding.require_readable(admitted, (parameters->>'similar_to')::uuid);
  end if;
  return admitted;
end
$$;

-- Raises PT403 where a record is in a dataset that the key does not read. The ids of records are public.
create or replace function funding.require_readable(admitted funding.admission, record_id uuid) returns void
language plpgsql stable as $$
declare
  unread text;
begin
  foreach unread in array array(select unnest(array['grants', 'contracts', 'funders']) except select unnest(admitted.datasets)) loop
    if funding.slot_of(unread, record_id) is not null then
      perform funding.refuse_datasets(admitted, array[unread]);
    end if;
  end loop;
end
$$;

-- List of grants. See `funding.list`; `query_vector` is described at `funding.meaning_of`. `known_tag` is the name of `if_none_match` in the edge
-- functions of 1.1, which call this until they are replaced.
create or replace function public.list_grants(
  key_hash text, parameters jsonb, query_vector jsonb default null, known_tag text default null, if_none_match text default null)
returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit_list(key_hash, 'grants', parameters, query_vector);
begin
  return funding.rpc_result(admitted, funding.list('grants', parameters, query_vector, coalesce(if_none_match, known_tag)));
end
$$;

-- List of contracts, as `list_grants`.
create or replace function public.list_contracts(
  key_hash text, parameters jsonb, query_vector jsonb default null, known_tag text default null, if_none_match text default null)
returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit_list(key_hash, 'contracts', parameters, query_vector);
begin
  return funding.rpc_result(admitted, funding.list('contracts', parameters, query_vector, coalesce(if_none_match, known_tag)));
end
$$;

-- List of funders, as `list_grants`.
create or replace function public.list_funders(
  key_hash text, parameters jsonb, query_vector jsonb default null, known_tag text default null, if_none_match text default null)
returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit_list(key_hash, 'funders', parameters, query_vector);
begin
  return funding.rpc_result(admitted, funding.list('funders', parameters, query_vector, coalesce(if_none_match, known_tag)));
end
$$;

-- One grant. The body is null for an id that no record has. `expand` is described at `funding.single`.
create or replace function public.get_grant(key_hash text, id uuid, expand jsonb default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, false, array['grants']);
begin
  return funding.rpc_result(admitted, funding.single('grants', id, expand));
end
$$;

-- One contract, as `get_grant`.
create or replace function public.get_contract(key_hash text, id uuid, expand jsonb default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, false, array['contracts']);
begin
  return funding.rpc_result(admitted, funding.single('contracts', id, expand));
end
$$;

-- One funder, as `get_grant`.
create or replace function public.get_funder(key_hash text, id uuid, expand jsonb default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, false, array['funders']);
begin
  return funding.rpc_result(admitted, funding.single('funders', id, expand));
end
$$;

-- Changes of a record, for a caller. The body is null for an id that no record has.
create or replace function public.get_changes(key_hash text, dataset text, id uuid, maximum integer, before bigint default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, false, array[dataset]);
begin
  return funding.rpc_result(admitted, funding.changes_of(dataset, id, maximum, before));
end
$$;

-- Opportunities nearest in meaning to a query, or to a record (`similar_to`), over one dataset or both: { results, search_mode, understood,
-- marks, data_as_of }, or { wanted_embedding } when the query's vector is needed first.
create or replace function public.semantic_search(
  key_hash text, query text, datasets text[], maximum integer, query_vector jsonb default null, similar_to uuid default null,
  explain boolean default false, highlight boolean default false) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, funding.is_second_call(query_vector), datasets);
  parameters jsonb := case
    when similar_to is null then jsonb_build_object('search', query, 'search_mode', 'semantic')
    else jsonb_build_object('similar_to', similar_to)
  end;
  meaning funding.query_meaning := case when similar_to is null then funding.meaning_of(query, query_vector) else (null, null, false)::funding.query_meaning end;
  -- The filter of each dataset.
  filters jsonb;
  is_identifier boolean;
  results json;
  marks json;
begin
  perform funding.require_bounds(query, maximum, 0);
  if not coalesce(datasets <@ array['grants', 'contracts'] and array_position(datasets, null) is null, false) then
    raise invalid_parameter_value using message = format('no such datasets: %s', datasets);
  end if;
  if admitted.datasets is not null and similar_to is not null then
    perform funding.require_readable(admitted, similar_to);
  end if;
  if meaning.wanted is not null then
    return funding.rpc_result(admitted, json_build_object('wanted_embedding', meaning.wanted));
  end if;
  select jsonb_object_agg(asked.dataset, asked.filter), bool_or(funding.identifier_condition(asked.dataset, asked.filter) is not null)
  into filters, is_identifier
  from (select name, funding.filter_of(name, parameters) from unnest(datasets) as name) as asked(dataset, filter);
  -- An identifier is found without vectors.
  if not is_identifier then
    perform funding.ranking_mode(name, 'semantic', coalesce(meaning.is_missing, false)) from unnest(datasets) as name;
  end if;
  with found as (
    select asked.dataset, ranked.id, ranked.score
    from unnest(datasets) as asked(dataset), funding.ranked(asked.dataset, filters->asked.dataset, 'semantic', meaning.vector, maximum) as ranked
    order by ranked.score desc, ranked.id
    limit maximum
  ), page as (
    select found.dataset, json_agg(
      funding.with_member(
        funding.with_member(funding.single(found.dataset, found.id), 'type', to_json(found.dataset)),
        'relevance_score', to_json(found.score))) as records
    from found group by found.dataset
  )
  select coalesce(json_agg(item.body order by (item.body->>'relevance_score')::double precision desc, (item.body->>'id')::uuid), '[]')
  into results
  from page, lateral json_array_elements(case
    when explain then funding.with_explanations(page.dataset, filters->page.dataset, 'semantic', meaning.vector, page.records)
    else page.records
  end) as item(body);
  if highlight and similar_to is null then
    select json_agg(funding.marks(page.dataset, filters->page.dataset, 'semantic', meaning.vector, page.records)) into marks
    from (
      select item->>'type' as dataset, json_agg(item) as records from json_array_elements(results) as item group by 1
    ) as page;
  end if;
  return funding.rpc_result(admitted, json_build_object(
    'results', results,
    'search_mode', 'semantic',
    'marks', marks,
    'understood', case when explain then funding.understood(datasets[1], filters->datasets[1], 'semantic', meaning.vector) end,
    -- As fresh as the older of the datasets.
    'data_as_of', (select funding.moment(min(funding.data_as_of(asked.dataset))) from unnest(datasets) as asked(dataset))));
end
$$;

-- supabase/schemas/rpcs/member_api.sql
-- RPCs of the dashboard for an account's members and invitations, and for the accounts that a user is in. A user who is not in an account gets the
-- same answer as for an account that does not exist.

-- A member as the account's members see them. `user_id` is the caller's.
create or replace function funding.member_body(member funding.members, user_id uuid) returns json
language plpgsql stable as $$
begin
  return json_build_object(
    'id', member.id, 'email', funding.member_email(member), 'role', member.role, 'joined_at', funding.moment(member.joined_at),
    'is_you', member.user_id = member_body.user_id);
end
$$;

-- An invitation as the account's members see it.
create or replace function funding.invitation_body(invitation funding.invitations) returns json
language sql stable as $$
  select json_build_object(
    'id', invitation.id, 'email', invitation.email, 'role', invitation.role, 'invited_by', funding.inviter_email(invitation),
    'created_at', funding.moment(invitation.created_at), 'expires_at', funding.moment(funding.expiry_of(invitation)))
$$;

-- An invitation as the invited user sees it.
create or replace function funding.received_body(invitation funding.invitations) returns json
language sql stable as $$
  select json_build_object(
    'id', invitation.id, 'account_email', funding.account_email(account), 'role', invitation.role, 'invited_by', funding.inviter_email(invitation),
    'created_at', funding.moment(invitation.created_at), 'expires_at', funding.moment(funding.expiry_of(invitation)))
  from funding.accounts as account where account.id = invitation.account_id
$$;

-- An account as one of its members sees it in the list of memberships.
create or replace function funding.membership_body(member funding.members) returns json
language sql stable as $$
  select json_build_object(
    'account_id', account.id, 'email', funding.account_email(account), 'role', member.role,
    'is_own', account.auth_user_id is not distinct from member.user_id)
  from funding.accounts as account where account.id = member.account_id
$$;

-- Accounts that the user is in, their own first and at most a hundred, and open invitations to their address, one of each account, newest first:
-- { memberships, invitations, next }. There are fifty invitations on a page; `next` is the `page` of the next call, { at, id }, or null. Whoever has
-- many accounts can make many invitations, but hides none by them.
create or replace function public.list_memberships(user_id uuid, session_id uuid, page jsonb default null) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_memberships.user_id, list_memberships.session_id);
  own_email constant text := (funding.actor()).email;
  page_size constant integer := 50;
  invitations json;
  next_page json;
begin
  with found as (
    select pending, pending.created_at, pending.id
    from funding.invitations as pending
    where pending.email = own_email and funding.expiry_of(pending) > funding.latest_now() and funding.is_authorized(pending)
      and (page is null or (pending.created_at, pending.id) < ((page->>'at')::timestamptz, (page->>'id')::uuid))
    order by pending.created_at desc, pending.id desc
    limit page_size + 1
  ), numbered as (
    select found.*, row_number() over (order by found.created_at desc, found.id desc) as position from found
  )
  select coalesce(json_agg(funding.received_body(numbered.pending) order by numbered.position) filter (where numbered.position <= page_size), '[]'),
         case when count(*) > page_size then (
           select json_build_object('at', funding.exact_moment(last.created_at), 'id', last.id)
           from numbered as last where last.position = page_size) end
  into invitations, next_page from numbered;
  return json_build_object(
    'memberships', (
      select coalesce(json_agg(funding.membership_body(listed.member) order by listed.is_own desc, (listed.member).joined_at, (listed.member).id), '[]')
      from (
        select member, account.auth_user_id is not distinct from member.user_id as is_own
        from funding.members as member join funding.accounts as account on account.id = member.account_id
        where member.user_id = list_memberships.user_id
        order by is_own desc, member.account_id = own_id desc, member.joined_at, member.id limit 100
      ) as listed),
    'invitations', invitations,
    'next', next_page);
end
$$;

-- The account's members: owners first, then in the order in which they joined. There are at most `maximum_members`.
create or replace function public.list_members(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_members.user_id, list_members.session_id);
begin
  return json_build_object('members', (
    select coalesce(json_agg(funding.member_body(member, list_members.user_id) order by member.role = 'owner' desc, member.joined_at, member.id), '[]')
    from funding.members as member where member.account_id = own_id));
end
$$;

-- Changes a member: `changes` has the role. Returns the member.
create or replace function public.update_member(user_id uuid, session_id uuid, member_id uuid, changes jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(update_member.user_id, update_member.session_id);
begin
  perform funding.require_write(own_id, 'member_changes');
  return funding.count_write(own_id, 'member_changes',
    funding.member_body(funding.change_role(own_id, update_member.member_id, changes->>'role'), update_member.user_id));
end
$$;

-- Removes a member from the account. An owner may remove anybody, and a member only themselves. Returns { id }.
create or replace function public.remove_member(user_id uuid, session_id uuid, member_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(remove_member.user_id, remove_member.session_id);
begin
  -- Before `require_write`, whose lock is weaker: two removals would wait for each other.
  perform funding.lock_members(own_id, may_release => true);
  perform funding.require_write(own_id, 'member_removals');
  if not exists (
    select from funding.members as member
    where member.id = remove_member.member_id and member.account_id = own_id and member.user_id = remove_member.user_id
  ) then
    perform funding.require_owner(own_id, remove_member.user_id);
  end if;
  perform funding.remove_from_account(own_id, remove_member.member_id);
  return funding.count_write(own_id, 'member_removals', json_build_object('id', remove_member.member_id));
end
$$;

-- The account's open invitations, newest first. There are at most `maximum_invitations`.
create or replace function public.list_invitations(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_invitations.user_id, list_invitations.session_id);
begin
  return json_build_object('invitations', (
    select coalesce(json_agg(funding.invitation_body(pending) order by pending.created_at desc, pending.id), '[]')
    from funding.invitations as pending where pending.account_id = own_id and funding.expiry_of(pending) > funding.latest_now()));
end
$$;

-- Invites the user who confirms an e-mail address. Returns the invitation.
create or replace function public.create_invitation(user_id uuid, session_id uuid, email text, role text) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(create_invitation.user_id, create_invitation.session_id);
begin
  perform funding.require_write(own_id, 'invitation_creations');
  return funding.count_write(own_id, 'invitation_creations', funding.invitation_body(
    funding.invite(own_id, create_invitation.email, create_invitation.role, (funding.actor()).email, create_invitation.user_id)));
end
$$;

-- Withdraws an invitation of the account. Returns { id }.
create or replace function public.withdraw_invitation(user_id uuid, session_id uuid, invitation_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(withdraw_invitation.user_id, withdraw_invitation.session_id);
  invitation funding.invitations;
begin
  perform funding.require_write(own_id, 'invitation_withdrawals');
  select * into invitation from funding.invitations as pending
  where pending.id = invitation_id and pending.account_id = own_id and funding.expiry_of(pending) > funding.latest_now();
  if not found then
    raise sqlstate 'PT404' using message = format('there is no invitation %s', invitation_id);
  end if;
  perform funding.end_invitation(invitation, 'withdrawn');
  return funding.count_write(own_id, 'invitation_withdrawals', json_build_object('id', invitation.id));
end
$$;

-- Accepts an invitation to the caller's address. Returns the membership. Like declining, it counts for the account that the request is made in.
create or replace function public.accept_invitation(user_id uuid, session_id uuid, invitation_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(accept_invitation.user_id, accept_invitation.session_id);
  maximum constant bigint := funding.setting('maximum_members')::bigint;
  invitation funding.invitations;
  joined funding.members;
begin
  perform funding.require_write(own_id, 'invitation_acceptances');
  invitation := funding.received_invitation(accept_invitation.invitation_id, (funding.actor()).email);
  if (select count(*) from funding.members as member where member.account_id = invitation.account_id) >= maximum then
    raise sqlstate 'PT409' using message = format('the account has %s members, which is the most', maximum);
  end if;
  insert into funding.members as member (account_id, user_id, email, role)
  values (invitation.account_id, accept_invitation.user_id, invitation.email, invitation.role)
  on conflict on constraint members_once do nothing
  returning * into joined;
  if not found then
    raise sqlstate 'PT409' using message = 'you are in the account already';
  end if;
  perform funding.end_invitation(invitation, 'accepted');
  return funding.count_write(own_id, 'invitation_acceptances', funding.membership_body(joined));
end
$$;

-- Declines an invitation to the caller's address. Returns { id }.
create or replace function public.decline_invitation(user_id uuid, session_id uuid, invitation_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(decline_invitation.user_id, decline_invitation.session_id);
  invitation funding.invitations;
begin
  perform funding.require_write(own_id, 'invitation_refusals');
  invitation := funding.received_invitation(decline_invitation.invitation_id, (funding.actor()).email);
  perform funding.end_invitation(invitation, 'declined');
  return funding.count_write(own_id, 'invitation_refusals', json_build_object('id', invitation.id));
end
$$;

-- Declines all open invitations to the caller's address. Returns { declined }: how many there were.
create or replace function public.decline_invitations(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(decline_invitations.user_id, decline_invitations.session_id);
  own_email constant text := (funding.actor()).email;
  account_ids constant uuid[] := array(
    select pending.account_id from funding.invitations as pending where pending.email = own_email order by pending.account_id);
  declined bigint;
begin
  perform funding.require_write(own_id, 'invitation_clearances');
  -- In the order of the accounts' ids, as everywhere.
  perform funding.lock_members(listed.account_id) from unnest(account_ids) as listed(account_id);
  select count(*) into declined
  from funding.invitations as pending, lateral funding.end_invitation(pending, 'declined')
  where pending.email = own_email and pending.account_id = any (account_ids) and funding.expiry_of(pending) > funding.latest_now();
  return funding.count_write(own_id, 'invitation_clearances', json_build_object('declined', declined));
end
$$;

-- supabase/schemas/rpcs/organizations.sql
-- RPC of GET /common-grants/orgs/{orgId}.

-- Funder with its details as it was at a moment: what changed since has the value of before. Null where there is no such funder, and before it came
-- into the catalogue. Before the changes that are kept, it is as it was before the first of them.
create or replace function funding.funder_at(record_id uuid, at timestamptz) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  shown jsonb := funding.single('funders', record_id, '["details"]');
  since timestamptz;
  later record;
begin
  select coalesce(record.first_seen_at, record.created_at) into since from funding.funders as record where record.id = record_id;
  if shown is null or at < since then
    return null;
  end if;
  for later in
    select change.previous, change.changed_at from funding.record_changes as change
    where change.dataset = 'funders' and change.record_id = funder_at.record_id and change.changed_at > at
    order by change.id desc
  loop
    shown := shown || (later.previous - 'created_at');
  end loop;
  if later.changed_at is not null then
    since := coalesce((
      select max(change.changed_at) from funding.record_changes as change
      where change.dataset = 'funders' and change.record_id = funder_at.record_id and change.changed_at <= at), since);
    shown := jsonb_set(shown, '{details,updated_at}', to_jsonb(funding.moment(since)));
  end if;
  return shown;
end
$$;

-- Funder with its details, for a caller; with `at`, as it was then (`funding.funder_at`). The body is null for an id that no funder has.
create or replace function public.get_organization(key_hash text, id uuid, at timestamptz default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array['funders']);
begin
  return funding.rpc_result(admitted, case when at is null then funding.single('funders', id, '["details"]') else funding.funder_at(id, at) end);
end
$$;

-- supabase/schemas/rpcs/read_data.sql
-- RPC that reads in a read-only transaction, as on a replica (replicas.sql).

-- Calls an RPC that reads, in a read-only transaction. PostgREST begins one for a GET, and for a POST to a function that is stable, so both work on a
-- replica. `arguments` is a JSON object: the RPC's arguments by name. It is text, because PostgREST takes the JSON of an address for a string.
create or replace function public.read_data(rpc text, arguments text) returns json
language plpgsql stable security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  given constant jsonb := arguments;
  key_hash constant text := given->>'key_hash';
  parameters constant jsonb := given->'parameters';
  -- JSON's null means no value.
  query_vector constant jsonb := nullif(given->'query_vector', 'null');
  expand constant jsonb := nullif(given->'expand', 'null');
  if_none_match constant text := given->>'if_none_match';
begin
  if rpc is null or rpc not in ('list_grants', 'list_contracts', 'list_funders', 'get_grant', 'get_contract', 'get_funder', 'get_organization', 'get_changes', 'list_awards', 'list_addresses', 'get_funder_statistics', 'semantic_search') then
    raise invalid_parameter_value using message = format('%s is no RPC that reads', rpc);
  end if;
  return case rpc
    when 'list_grants' then public.list_grants(key_hash, parameters, query_vector, null, if_none_match)
    when 'list_contracts' then public.list_contracts(key_hash, parameters, query_vector, null, if_none_match)
    when 'list_funders' then public.list_funders(key_hash, parameters, query_vector, null, if_none_match)
    when 'get_grant' then public.get_grant(key_hash, (given->>'id')::uuid, expand)
    when 'get_contract' then public.get_contract(key_hash, (given->>'id')::uuid, expand)
    when 'get_funder' then public.get_funder(key_hash, (given->>'id')::uuid, expand)
    when 'get_organization' then public.get_organization(key_hash, (given->>'id')::uuid, (given->>'at')::timestamptz)
    when 'get_changes' then public.get_changes(
      key_hash, given->>'dataset', (given->>'id')::uuid, (given->>'maximum')::integer, (given->>'before')::bigint)
    when 'list_awards' then public.list_awards(key_hash, (given->>'id')::uuid, parameters)
    when 'list_addresses' then public.list_addresses(key_hash, given->>'dataset', given->>'part')
    when 'get_funder_statistics' then public.get_funder_statistics(key_hash, (given->>'id')::uuid)
    when 'semantic_search' then public.semantic_search(
      key_hash, given->>'query', array(select jsonb_array_elements_text(given->'datasets')), (given->>'maximum')::integer, query_vector,
      (given->>'similar_to')::uuid, coalesce((given->>'explain')::boolean, false),
      coalesce((given->>'highlight')::boolean, false))
  end;
end
$$;

-- supabase/schemas/rpcs/saved_search_api.sql
-- RPCs of the dashboard for saved searches: each calls the function of the same name in `funding`, for the account of the user and
-- session. Those that write are limited (write_limits.sql).

-- The account's saved searches, each with the number of its new records.
create or replace function public.list_saved_searches(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_saved_searches.user_id, list_saved_searches.session_id);
begin
  return funding.list_saved_searches(own_id);
end
$$;

-- One saved search.
create or replace function public.get_saved_search(user_id uuid, session_id uuid, saved_search_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_saved_search.user_id, get_saved_search.session_id);
begin
  return funding.counted_saved_search(funding.saved_search_of(own_id, get_saved_search.saved_search_id));
end
$$;

-- Saves a search.
create or replace function public.create_saved_search(user_id uuid, session_id uuid, saved_search jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(create_saved_search.user_id, create_saved_search.session_id);
begin
  perform funding.require_write(own_id, 'saved_search_creations');
  return funding.count_write(own_id, 'saved_search_creations',
    funding.create_saved_search(own_id, create_saved_search.saved_search));
end
$$;

-- Changes a saved search.
create or replace function public.update_saved_search(user_id uuid, session_id uuid, saved_search_id uuid, changes jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(update_saved_search.user_id, update_saved_search.session_id);
begin
  perform funding.require_write(own_id, 'saved_search_changes');
  return funding.count_write(own_id, 'saved_search_changes',
    funding.update_saved_search(own_id, update_saved_search.saved_search_id, update_saved_search.changes));
end
$$;

-- Deletes a saved search.
create or replace function public.delete_saved_search(user_id uuid, session_id uuid, saved_search_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(delete_saved_search.user_id, delete_saved_search.session_id);
begin
  perform funding.require_write(own_id, 'saved_search_deletions');
  return funding.count_write(own_id, 'saved_search_deletions',
    funding.delete_saved_search(own_id, delete_saved_search.saved_search_id));
end
$$;

-- Marks a saved search's new records as seen.
create or replace function public.mark_saved_search_seen(user_id uuid, session_id uuid, saved_search_id uuid, until timestamptz default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(mark_saved_search_seen.user_id, mark_saved_search_seen.session_id);
begin
  perform funding.require_write(own_id, 'saved_search_marks');
  return funding.count_write(own_id, 'saved_search_marks',
    funding.mark_saved_search_seen(own_id, mark_saved_search_seen.saved_search_id, mark_saved_search_seen.until));
end
$$;

-- Gives a saved search a new secret address.
create or replace function public.issue_saved_search_address(user_id uuid, session_id uuid, saved_search_id uuid, token_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(issue_saved_search_address.user_id, issue_saved_search_address.session_id);
begin
  perform funding.require_write(own_id, 'saved_search_addresses');
  return funding.count_write(own_id, 'saved_search_addresses',
    funding.issue_saved_search_address(own_id, issue_saved_search_address.saved_search_id, issue_saved_search_address.token_hash));
end
$$;

-- Ends a saved search's secret address.
create or replace function public.revoke_saved_search_address(user_id uuid, session_id uuid, saved_search_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(revoke_saved_search_address.user_id, revoke_saved_search_address.session_id);
begin
  perform funding.require_write(own_id, 'saved_search_revocations');
  return funding.count_write(own_id, 'saved_search_revocations',
    funding.revoke_saved_search_address(own_id, revoke_saved_search_address.saved_search_id));
end
$$;

-- supabase/schemas/rpcs/snapshots.sql
-- Published snapshots of the catalogue.

-- Published snapshots in stores of one kind (`supabase` or `r2`; another kind has none), newest first, 100 at most: { is_included, snapshots: [{
-- location, manifest }] }. With an id, only that snapshot; the id `latest` is the newest. `is_included` tells whether the caller's tier has
-- snapshots: if not, the list is empty. A snapshot has all datasets, so a key that reads only some of them has no snapshots: PT403.
create or replace function public.list_snapshots(key_hash text, store text, id text default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array['grants', 'contracts', 'funders']);
  is_included constant boolean := exists (
    select from funding.subscriptions as subscription join funding.tiers as tier on tier.name = subscription.tier
    where subscription.account_id = admitted.account_id and tier.snapshots
  );
  found_snapshots json;
begin
  select coalesce(json_agg(json_build_object('location', listed.location, 'manifest', listed.manifest) order by listed.id desc), '[]')
  into found_snapshots
  from (
    select snapshots.location, snapshots.id, snapshots.manifest from funding.snapshots
    where is_included and split_part(snapshots.location, ':', 1) = list_snapshots.store and is_complete
      and (list_snapshots.id is null or list_snapshots.id = 'latest' or snapshots.id = list_snapshots.id)
    order by snapshots.id desc
    limit case when list_snapshots.id is null then 100 else 1 end
  ) as listed;
  return funding.rpc_result(admitted, json_build_object('is_included', is_included, 'snapshots', found_snapshots));
end
$$;

-- supabase/schemas/rpcs/suggest.sql
-- RPC of GET /suggest.

-- Suggestions for what somebody types: { results: [{ kind, value, label, records, datasets }], data_as_of }. Those of the datasets that the key reads.
create or replace function public.suggest(key_hash text, typed text, kinds text[], maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash);
begin
  return funding.rpc_result(admitted, json_build_object(
    'results', funding.suggested(typed,
      -- No kind is as long, and a lexeme must not be longer than 2 KB.
      case when kinds is not null then array(select kind from unnest(kinds) as kind where length(kind) < 60) end,
      coalesce(admitted.datasets, array['grants', 'contracts', 'funders']), least(maximum, 20))));
end
$$;

-- supabase/schemas/rpcs/webhook_api.sql
-- RPCs of the dashboard for webhooks: each calls the function of the same name in `funding`, for the account of the user and
-- session. Those that write are limited (write_limits.sql).

-- Creates a webhook.
create or replace function public.create_webhook(user_id uuid, session_id uuid, webhook jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(create_webhook.user_id, create_webhook.session_id);
begin
  perform funding.require_write(own_id, 'webhook_creations');
  return funding.count_write(own_id, 'webhook_creations', funding.create_webhook(own_id, create_webhook.webhook));
end
$$;

-- Deadlines that a webhook would be notified of at once.
create or replace function public.preview_webhook(user_id uuid, session_id uuid, webhook jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(preview_webhook.user_id, preview_webhook.session_id);
begin
  return funding.preview_webhook(own_id, preview_webhook.webhook);
end
$$;

-- The account's webhooks.
create or replace function public.list_webhooks(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_webhooks.user_id, list_webhooks.session_id);
begin
  return funding.list_webhooks(own_id);
end
$$;

-- One webhook.
create or replace function public.get_webhook(user_id uuid, session_id uuid, webhook_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_webhook.user_id, get_webhook.session_id);
begin
  return funding.get_webhook(own_id, get_webhook.webhook_id);
end
$$;

-- Changes a webhook.
create or replace function public.update_webhook(user_id uuid, session_id uuid, webhook_id uuid, changes jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(update_webhook.user_id, update_webhook.session_id);
begin
  perform funding.require_write(own_id, 'webhook_changes');
  return funding.count_write(own_id, 'webhook_changes', funding.update_webhook(own_id, update_webhook.webhook_id, update_webhook.changes));
end
$$;

-- Deletes a webhook, or some of its deliveries: { id, is_deleted }. Only the call that deletes the webhook counts, and has `write_limit` as well.
create or replace function public.delete_webhook(user_id uuid, session_id uuid, webhook_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(delete_webhook.user_id, delete_webhook.session_id);
  deletion json;
begin
  perform funding.require_write(own_id, 'webhook_deletions');
  deletion := funding.delete_webhook(own_id, delete_webhook.webhook_id);
  return case when (deletion->>'is_deleted')::boolean then funding.count_write(own_id, 'webhook_deletions', deletion) else deletion end;
end
$$;

-- Gives a webhook a new secret.
create or replace function public.rotate_webhook_secret(user_id uuid, session_id uuid, webhook_id uuid, secret text, overlap_seconds integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(rotate_webhook_secret.user_id, rotate_webhook_secret.session_id);
begin
  perform funding.require_write(own_id, 'webhook_secret_rotations');
  return funding.count_write(own_id, 'webhook_secret_rotations', funding.rotate_webhook_secret(own_id, rotate_webhook_secret.webhook_id, rotate_webhook_secret.secret, rotate_webhook_secret.overlap_seconds));
end
$$;

-- Deliveries of a webhook, newest first.
create or replace function public.list_webhook_deliveries(user_id uuid, session_id uuid, webhook_id uuid, filter jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_webhook_deliveries.user_id, list_webhook_deliveries.session_id);
begin
  return funding.list_webhook_deliveries(own_id, list_webhook_deliveries.webhook_id, list_webhook_deliveries.filter);
end
$$;

-- One delivery, with its attempts.
create or replace function public.get_webhook_delivery(user_id uuid, session_id uuid, webhook_id uuid, event_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_webhook_delivery.user_id, get_webhook_delivery.session_id);
begin
  return funding.get_webhook_delivery(own_id, get_webhook_delivery.webhook_id, get_webhook_delivery.event_id);
end
$$;

-- Delivers an event again.
create or replace function public.resend_webhook_delivery(user_id uuid, session_id uuid, webhook_id uuid, event_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(resend_webhook_delivery.user_id, resend_webhook_delivery.session_id);
begin
  perform funding.require_write(own_id, 'redeliveries');
  return funding.count_write(own_id, 'redeliveries', funding.resend_webhook_delivery(own_id, resend_webhook_delivery.webhook_id, resend_webhook_delivery.event_id));
end
$$;

-- Delivers the events of a range of time that did not arrive.
create or replace function public.recover_webhook(user_id uuid, session_id uuid, webhook_id uuid, since timestamptz, until timestamptz) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(recover_webhook.user_id, recover_webhook.session_id);
begin
  perform funding.require_write(own_id, 'recoveries');
  return funding.count_write(own_id, 'recoveries', funding.recover_webhook(own_id, recover_webhook.webhook_id, recover_webhook.since, recover_webhook.until));
end
$$;

-- Sends a sample event.
create or replace function public.send_test_event(user_id uuid, session_id uuid, webhook_id uuid, event text, data json, details json default null,
                                                  changes json default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(send_test_event.user_id, send_test_event.session_id);
begin
  perform funding.require_write(own_id, 'test_deliveries');
  return funding.count_write(own_id, 'test_deliveries', funding.send_test_event(own_id, send_test_event.webhook_id, send_test_event.event, send_test_event.data,
    send_test_event.details, send_test_event.changes));
end
$$;

-- supabase/schemas/saved_searches/digest_mails.sql
-- Digests, as the dispatcher sends them: it chooses one, claims it and sends it. The claim is committed before anything is sent, and the next period
-- begins with the claim. So neither a crash nor a second dispatcher sends a digest twice. The times at which digests are due are in the server's
-- time, as their owners see it; claims and retries are in the dispatcher's time.

-- Time that a dispatcher has for one attempt; it uses a quarter of that. Afterwards the mail may have been sent, and counts as sent.
create or replace function funding.digest_lease() returns interval
language sql immutable parallel safe as $$
  select interval '2 minutes'
$$;

-- Backoff: wait until a digest is tried again after so many attempts. 1, 2, 4 and so on up to 32 minutes.
create or replace function funding.digest_retry_wait(attempts integer) returns interval
language sql immutable parallel safe as $$
  select interval '1 minute' * 2 ^ least(greatest(attempts, 1) - 1, 5)
$$;

-- Address that an account's digests go to: the confirmed one of the account's own user, or else of the owner who joined first. Null where there is no
-- such user, or the account has no API access any more.
create or replace function funding.digest_recipient(account_id uuid) returns text
language plpgsql volatile as $$
begin
  if to_regclass('auth.users') is null or not funding.has_webhooks(account_id) then
    return null;
  end if;
  return (
    select funding.folded_address(auth_user.email)
    from funding.accounts as account
    join funding.members as member on member.account_id = account.id
    join auth.users as auth_user on auth_user.id = member.user_id
    where account.id = digest_recipient.account_id and (member.user_id = account.auth_user_id or member.role = 'owner')
      and auth_user.email <> '' and auth_user.email_confirmed_at is not null
      and (auth_user.banned_until is null or auth_user.banned_until <= funding.bounded_now()) and auth_user.deleted_at is null
    order by member.user_id is not distinct from account.auth_user_id desc, member.joined_at, member.id limit 1);
end
$$;

-- SQL for a record as a digest shows it, on the row `record`.
create or replace function funding.digest_expression(dataset text) returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then $f$json_build_object('title', record.name, 'url', record.website, 'funder_name', null, 'agency', '[]'::json,
      'deadline_date', null, 'amount_min', null, 'amount_max', null)$f$
    else format($o$json_build_object('title', record.title, 'url', %s,
      'funder_name', (select funders.name from funding.funders where funders.id = record.funder_id),
      'agency', coalesce(record.details->'agency', '[]'), 'deadline_date', funding.iso_date(record.deadline_date),
      'amount_min', record.amount_min, 'amount_max', record.amount_max)$o$,
      case dataset when 'contracts' then 'coalesce(record.listing_url, record.document_url)' else 'record.listing_url' end)
  end
$$;

-- Records of a saved search that came from `since` to `until`: the latest twenty of them, among the latest 100,000 of the dataset. The query reads
-- only as far as it has to. `funding.new_records` counts among 10,000, and reads all of those.
create or replace function funding.digest_records(search funding.saved_searches, since timestamptz, until timestamptz) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  most_told constant integer := 20;
  most_read constant integer := 100000;
  filter constant jsonb := funding.filter_of(search.dataset, funding.with_days(search.filter, funding.bounded_now()));
  records json;
begin
  execute format($records$
    select coalesce(json_agg(%3$s order by record.first_seen_at desc, record.id), '[]')
    from (
      select record.* from (
        select * from funding.%1$I where first_seen_at >= $2 and first_seen_at < $3 order by first_seen_at desc limit $4
      ) as record
      where %2$s order by record.first_seen_at desc, record.id limit $5
    ) as record
  $records$, search.dataset, funding.predicate(search.dataset, filter), funding.digest_expression(search.dataset))
  into records using filter, since, until, most_read, most_told;
  return records;
end
$$;

-- Puts the records of a mail that was certainly not sent into the next mail.
create or replace function funding.give_back_records(mail funding.digest_mails) returns void
language sql as $$
  update funding.digests as digest
  set reported_until = least(digest.reported_until, mail.records_from), last_failed_at = funding.latest_now()
  where digest.saved_search_id = mail.saved_search_id
$$;

-- Whether another transaction has a digest locked. If not, locks the digest. It waits for nobody: claims lock digests before mails.
create or replace function funding.is_digest_busy(saved_search_id uuid) returns boolean
language plpgsql as $$
begin
  perform from funding.digests as digest where digest.saved_search_id = is_digest_busy.saved_search_id for no key update skip locked;
  return not found and exists (select from funding.digests as digest where digest.saved_search_id = is_digest_busy.saved_search_id);
end
$$;

-- Ends mails that no dispatcher handles any more: claims without a result in time, whose mail may have been sent, and retries whose time is over.
create or replace function funding.settle_digest_mails(present timestamptz) returns void
language plpgsql as $$
declare
  window_length constant interval := funding.setting('digest_retry_hours')::integer * interval '1 hour';
  mail funding.digest_mails;
begin
  for mail in
    select * from funding.digest_mails as open where open.state = 'claimed' and open.claimed_until <= present
    order by open.saved_search_id limit 100 for no key update skip locked
  loop
    continue when funding.is_digest_busy(mail.saved_search_id);
    update funding.digest_mails set state = 'unknown', claimed_until = null, result_at = present
    where saved_search_id = mail.saved_search_id and due_at = mail.due_at;
    update funding.digests set last_failed_at = funding.latest_now() where saved_search_id = mail.saved_search_id;
  end loop;
  for mail in
    select * from funding.digest_mails as open where open.state = 'waiting' and open.first_tried_at + window_length <= present
    order by open.saved_search_id limit 100 for no key update skip locked
  loop
    continue when funding.is_digest_busy(mail.saved_search_id);
    update funding.digest_mails set state = 'failed', retry_at = null where saved_search_id = mail.saved_search_id and due_at = mail.due_at;
    perform funding.give_back_records(mail);
  end loop;
end
$$;

-- Circuit breaker of the mailer: true when the last three results of the last five minutes are bad, and are of several accounts or include an
-- uncertain one. Then nothing is claimed, so that few digests are spent on a mailer that does not work. Refusals of one account's mails concern that
-- account, and have a backoff or a pause of their own.
create or replace function funding.is_mailer_failing(present timestamptz) returns boolean
language sql stable as $$
  select count(*) = 3 and bool_and(last.state in ('waiting', 'failed', 'refused', 'unknown'))
    and (count(distinct last.account_id) > 1 or bool_or(last.state = 'unknown'))
  from (
    select mail.state, search.account_id
    from funding.digest_mails as mail join funding.saved_searches as search on search.id = mail.saved_search_id
    where mail.result_at > present - interval '5 minutes'
    order by mail.result_at desc limit 3) as last
$$;

-- Chooses a digest that is due, and commits the choice before the work begins, so that a digest that runs into a time limit comes last the next time.
-- A digest is chosen again after 1, 2, 4 and so on minutes; after five times, its period is left out. Returns { saved_search_id, is_left_out }; the
-- id is null when none is due.
create or replace function public.next_digest() returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '3s' as $$
declare
  most_tries constant integer := 5;
  present constant timestamptz := funding.tick();
  chosen funding.digests;
begin
  perform funding.settle_digest_mails(present);
  if funding.is_mailer_failing(present) then
    return json_build_object('saved_search_id', null, 'is_left_out', false);
  end if;
  -- Later than any digest can be due: the clock was ahead, and has been set back.
  update funding.digests as digest
  set next_at = funding.next_digest_at(digest.frequency, digest.weekday, digest.hour, digest.time_zone, funding.bounded_now())
  where digest.next_at > funding.bounded_now() + interval '8 days';
  update funding.digests as digest set tried_at = present, tries = digest.tries + 1
  where digest.saved_search_id = (
    select due.saved_search_id from funding.digests as due
    where due.saved_search_id in (
        select waiting.saved_search_id from funding.digests as waiting
        where waiting.next_at <= funding.bounded_now() and waiting.paused_at is null and not exists (
          select from funding.digest_mails as open where open.saved_search_id = waiting.saved_search_id and open.state in ('claimed', 'waiting'))
        union all
        select mail.saved_search_id from funding.digest_mails as mail where mail.state = 'waiting' and mail.retry_at <= present)
      and (due.tried_at is null or due.tried_at <= present - funding.digest_retry_wait(due.tries))
    order by due.tried_at nulls first, due.next_at, due.saved_search_id
    limit 1
    for no key update skip locked)
  returning * into chosen;
  if chosen.tries > most_tries then
    update funding.digests as digest
    set next_at = funding.next_digest_at(digest.frequency, digest.weekday, digest.hour, digest.time_zone, funding.bounded_now()),
        tried_at = null, tries = 0, last_failed_at = funding.latest_now()
    where digest.saved_search_id = chosen.saved_search_id;
    return json_build_object('saved_search_id', chosen.saved_search_id, 'is_left_out', true);
  end if;
  return json_build_object('saved_search_id', chosen.saved_search_id, 'is_left_out', false);
end
$$;

-- Claims a digest for one attempt to send it. `token_hash` is the hash of the token that the mail is to have. From the claim on the period counts as
-- sent, unless `finish_digest` says that the mail certainly was not. Returns { outcome }:
--   claimed      with { due_at, attempt, recipient, search: { id, name, dataset, query }, frequency, weekday, hour, time_zone, count, is_capped,
--                records }: the latest twenty records of `count`
--   empty        there is no new record: no mail
--   unreachable  there is no confirmed address, or no API access: no mail, and the records stay for the next one
--   failed       the search cannot be evaluated, with { message }; the records stay for the next one
--   none         the digest is not due, or another dispatcher has claimed it
create or replace function public.claim_digest(saved_search_id uuid, token_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  own_id constant uuid := saved_search_id;
  own_hash constant text := token_hash;
  present constant timestamptz := funding.dispatch_now();
  search funding.saved_searches;
  digest funding.digests;
  mail funding.digest_mails;
  is_retry boolean;
  recipient text;
  counted json;
  records json;
  message text;
  outcome text;
begin
  -- Locked in the same order as by transactions that change or delete a search. The lock is waited for: another dispatcher's choice, which began
  -- before this one's was committed, may have the row for a moment, and the digest would be passed over for a minute.
  select * into search from funding.saved_searches as known where known.id = own_id for key share;
  select * into digest from funding.digests as known where known.saved_search_id = search.id for no key update;
  if digest.saved_search_id is null then
    return json_build_object('outcome', 'none');
  end if;
  select * into mail from funding.digest_mails as open
  where open.saved_search_id = own_id and open.state in ('claimed', 'waiting') for no key update;
  is_retry := found;
  if is_retry and (mail.state = 'claimed' or mail.retry_at > present) or not is_retry and digest.next_at > funding.bounded_now() then
    return json_build_object('outcome', 'none');
  end if;
  if not is_retry then
    -- Cut to milliseconds, as the dispatcher returns the time; an operator may have set a finer one.
    mail.due_at := date_trunc('milliseconds', digest.next_at);
    mail.records_from := digest.reported_until;
    mail.records_until := greatest(digest.reported_until, funding.settled_mark());
  end if;

  recipient := funding.digest_recipient(search.account_id);
  if recipient is null then
    outcome := 'unreachable';
  else
    begin
      counted := funding.count_records(search, mail.records_from, mail.records_until);
      records := funding.digest_records(search, mail.records_from, mail.records_until);
      outcome := case when json_array_length(records) = 0 then 'empty' else 'claimed' end;
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      message := left(sqlerrm, 200);
      outcome := 'failed';
    end;
  end if;

  if is_retry then
    update funding.digests as changed set tried_at = null, tries = 0 where changed.saved_search_id = own_id;
  else
    update funding.digests as changed
    set next_at = funding.next_digest_at(digest.frequency, digest.weekday, digest.hour, digest.time_zone, funding.bounded_now()),
        reported_until = case when outcome in ('claimed', 'empty') then mail.records_until else digest.reported_until end,
        last_failed_at = case when outcome = 'failed' then funding.latest_now() else digest.last_failed_at end,
        tried_at = null, tries = 0
    where changed.saved_search_id = own_id;
  end if;
  if outcome <> 'claimed' then
    if is_retry then
      update funding.digest_mails as ended set state = case when outcome = 'empty' then 'empty' else 'failed' end, retry_at = null
      where ended.saved_search_id = own_id and ended.due_at = mail.due_at;
      if outcome <> 'empty' then
        perform funding.give_back_records(mail);
      end if;
    end if;
    return json_build_object('outcome', outcome, 'message', message);
  end if;

  -- Nothing is claimed where this period has had its mail already, as after a clock was set back.
  insert into funding.digest_mails as known (saved_search_id, due_at, records_from, records_until, state, attempts, token_hash, first_tried_at, claimed_until)
  values (own_id, mail.due_at, mail.records_from, mail.records_until, 'claimed', 1, own_hash, present, present + funding.digest_lease())
  on conflict on constraint digest_mails_pkey do update set
    state = 'claimed', attempts = known.attempts + 1, token_hash = excluded.token_hash, claimed_until = excluded.claimed_until, retry_at = null
  where known.state = 'waiting'
  returning * into mail;
  if not found then
    update funding.digests as changed set reported_until = digest.reported_until where changed.saved_search_id = own_id;
    return json_build_object('outcome', 'none');
  end if;
  return json_build_object(
    'outcome', 'claimed', 'due_at', funding.moment(mail.due_at), 'attempt', mail.attempts, 'recipient', recipient,
    'search', json_build_object('id', search.id, 'name', search.name, 'dataset', search.dataset, 'query', search.query),
    'frequency', digest.frequency, 'weekday', (funding.weekday_names())[digest.weekday], 'hour', digest.hour, 'time_zone', digest.time_zone,
    'count', greatest((counted->>'count')::bigint, json_array_length(records)), 'is_capped', counted->'is_capped', 'records', records);
end
$$;

-- Records the result of an attempt to send a digest. `outcome` is sent, unknown (the mail may have been sent: it counts as sent), refused (the mail
-- server does not take the mail), failed (the mail was certainly not sent: it is tried again, within `digest_retry_hours`) or busy (the same, because
-- too many were sent: no sign of a mailer that does not work). The records of a mail that was certainly not sent are in the next mail. After three
-- refusals in a row the digest is paused. A result of another attempt than the latest decides nothing. Returns { state }, null where the result
-- decided nothing.
create or replace function public.finish_digest(saved_search_id uuid, due_at timestamptz, attempt integer, outcome text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := saved_search_id;
  own_due_at constant timestamptz := due_at;
  present constant timestamptz := funding.dispatch_now();
  window_length constant interval := funding.setting('digest_retry_hours')::integer * interval '1 hour';
  most_refusals constant integer := 3;
  has_digest boolean;
  mail funding.digest_mails;
  wait interval;
begin
  if outcome is null or outcome not in ('sent', 'unknown', 'refused', 'failed', 'busy') then
    raise invalid_parameter_value using message = 'the outcome is sent, unknown, refused, failed or busy';
  end if;
  -- Locked in the order of claims.
  perform from funding.digests as known where known.saved_search_id = own_id for no key update;
  has_digest := found;
  select * into mail from funding.digest_mails as known
  where known.saved_search_id = own_id and known.due_at = own_due_at and known.attempts = attempt
    -- A success counts also after its claim has ended.
    and (known.state = 'claimed' or known.state = 'unknown' and outcome = 'sent')
  for no key update;
  if not found then
    return json_build_object('state', null);
  end if;
  wait := funding.digest_retry_wait(case when outcome = 'busy' then 1 else mail.attempts end);
  mail.state := case
    when outcome not in ('failed', 'busy') then outcome
    -- The mail of a digest that was ended meanwhile is not sent any more.
    when has_digest and present + wait < mail.first_tried_at + window_length then 'waiting'
    else 'failed'
  end;
  update funding.digest_mails as known
  set state = mail.state, claimed_until = null, result_at = case when outcome = 'busy' then known.result_at else present end, retry_at = case when mail.state = 'waiting' then present + wait end
  where known.saved_search_id = own_id and known.due_at = own_due_at;
  case mail.state
    when 'sent' then
      update funding.digests as known set last_sent_at = funding.latest_now(), refusals = 0 where known.saved_search_id = own_id;
    when 'unknown' then
      update funding.digests as known set last_failed_at = funding.latest_now() where known.saved_search_id = own_id;
    when 'waiting' then
      null;
    when 'refused' then
      perform funding.give_back_records(mail);
      update funding.digests as known
      set refusals = known.refusals + 1, paused_at = case when known.refusals + 1 >= most_refusals then funding.latest_now() end
      where known.saved_search_id = own_id;
    else
      perform funding.give_back_records(mail);
  end case;
  return json_build_object('state', mail.state);
end
$$;

-- supabase/schemas/saved_searches/digests.sql
-- Digests of saved searches, as their owner sets them: when they are due, and how they end.

-- First time after `after` at which a digest is due: once on each day of its time zone, or on each of its weekdays. An hour that a clock skips is an
-- hour later; of an hour that comes twice, one counts. Null where an argument is null or out of range. Days are in UTC where Postgres does not know
-- the time zone (any more: systems drop old names), so that such a digest delays no other.
create or replace function funding.next_digest_at(frequency text, weekday integer, hour integer, time_zone text, after timestamptz) returns timestamptz
language plpgsql stable as $$
declare
  first_day date;
  day date;
  due_at timestamptz;
begin
  first_day := (after at time zone time_zone)::date - 1;
  for days in 0..9 loop
    day := first_day + days;
    due_at := (day + make_interval(hours => hour)) at time zone time_zone;
    if due_at > after and (frequency = 'daily' or extract(isodow from day) = weekday) then
      return due_at;
    end if;
  end loop;
  return null;
exception when invalid_parameter_value then
  if time_zone = 'UTC' then
    raise;
  end if;
  return funding.next_digest_at(frequency, weekday, hour, 'UTC', after);
end
$$;

-- A saved search's digest as its owner sees it; null where there is none.
create or replace function funding.digest_body(saved_search_id uuid) returns json
language sql volatile as $$
  select json_build_object(
    'frequency', digest.frequency, 'weekday', (funding.weekday_names())[digest.weekday], 'hour', digest.hour, 'time_zone', digest.time_zone,
    'next_at', funding.moment(digest.next_at), 'last_sent_at', funding.moment(digest.last_sent_at),
    'last_failed_at', funding.moment(digest.last_failed_at), 'paused_at', funding.moment(digest.paused_at))
  from funding.digests as digest where digest.saved_search_id = digest_body.saved_search_id
$$;

-- Whether Postgres knows a time zone by this name.
create or replace function funding.is_time_zone(name text) returns boolean
language plpgsql stable as $$
begin
  perform now() at time zone name;
  return true;
exception when invalid_parameter_value then
  return false;
end
$$;

-- Sets or changes the digest of a saved search; the caller has locked the row of the search. `digest` is { frequency, weekday, hour, time_zone };
-- null ends the digest. A paused digest goes on. A new digest begins with the records that come from now on. PT409 without API access, PT400 for an
-- unknown time zone.
create or replace function funding.set_digest(search funding.saved_searches, digest jsonb) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  given record;
begin
  if digest = 'null' then
    perform funding.end_digest(search.id);
    return;
  end if;
  if not funding.has_webhooks(search.account_id) then
    raise sqlstate 'PT409' using message = 'the subscription does not include digests';
  end if;
  select item.frequency, array_position(funding.weekday_names(), item.weekday) as weekday, item.hour, item.time_zone into given
  from jsonb_to_record(digest) as item(frequency text, weekday text, hour integer, time_zone text);
  if not funding.is_time_zone(given.time_zone) then
    raise sqlstate 'PT400' using message = 'is not a time zone that the database knows: use a name such as America/New_York', hint = 'digest.time_zone';
  end if;
  insert into funding.digests as known (saved_search_id, frequency, weekday, hour, time_zone, next_at, reported_until)
  values (search.id, given.frequency, given.weekday, given.hour, given.time_zone,
    funding.next_digest_at(given.frequency, given.weekday, given.hour, given.time_zone, funding.latest_now()), funding.settled_mark())
  on conflict on constraint digests_pkey do update set
    frequency = excluded.frequency, weekday = excluded.weekday, hour = excluded.hour, time_zone = excluded.time_zone,
    next_at = excluded.next_at, tried_at = null, tries = 0, paused_at = null, refusals = 0
  -- A due digest stays due if nothing changes.
  where known.paused_at is not null or (known.frequency, known.weekday, known.hour, known.time_zone)
    is distinct from (excluded.frequency, excluded.weekday, excluded.hour, excluded.time_zone);
end
$$;

-- Ends the digest of a saved search. A mail that waits for another attempt is not sent any more.
create or replace function funding.end_digest(saved_search_id uuid) returns void
language sql as $$
  delete from funding.digests as digest where digest.saved_search_id = end_digest.saved_search_id;
  update funding.digest_mails as mail set state = 'failed', retry_at = null
  where mail.saved_search_id = end_digest.saved_search_id and mail.state = 'waiting'
$$;

-- Mail that contains a token, by the token's hash. PT404 where there is none.
create or replace function funding.digest_mail_of(token_hash text) returns funding.digest_mails
language plpgsql stable as $$
declare
  mail funding.digest_mails;
begin
  select * into mail from funding.digest_mails where digest_mails.token_hash = digest_mail_of.token_hash;
  if not found then
    raise sqlstate 'PT404' using message = 'no digest has this token';
  end if;
  return mail;
end
$$;

-- Ends the digest of the mail that contains a token, by the token's hash. Returns { name }, the name of the saved search. Ending it again is not an
-- error. PT404 where there is no such mail (any more).
create or replace function public.unsubscribe_digest(token_hash text) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' set lock_timeout = '3s' as $$
declare
  mail constant funding.digest_mails := funding.digest_mail_of(unsubscribe_digest.token_hash);
  search funding.saved_searches;
begin
  select * into search from funding.saved_searches where saved_searches.id = mail.saved_search_id for no key update;
  perform funding.end_digest(search.id);
  return json_build_object('name', search.name);
end
$$;

-- supabase/schemas/saved_searches/saved_search_feeds.sql
-- Feed and calendar of a saved search, for clients that have its secret address.

-- SQL condition that the deadline of `record` is in a saved search's calendar, with $2, today: deadlines of the last thirty days, and all future ones.
-- Archived records are left out, and so are records that their publisher closed before their deadline.
create or replace function funding.calendar_condition() returns text
language sql immutable parallel safe as $$
  select $c$record.deadline_date >= $2 - 30 and record.archived_at is null and (not funding.has_ended(coalesce(record.stated_status, record.status)) or record.deadline_date < $2)$c$
$$;

-- Records of a saved search's feed: the fifty that came or changed last, as a list with `sort_by=updated_at&order=desc` finds them.
create or replace function funding.saved_search_entries(search funding.saved_searches) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  listed constant json := funding.list(search.dataset,
    search.filter || '{"sort_by": "updated_at", "order": "desc", "limit": 50, "offset": 0}')->'results';
  entries json;
begin
  execute format('select coalesce(json_agg(%s order by record.updated_at desc, record.id desc), ''[]'') from funding.%I as record where record.id = any ($1)',
    funding.entry_expression(search.dataset), search.dataset)
  into entries using array(select (item->>'id')::uuid from json_array_elements(listed) as item);
  return entries;
end
$$;

-- Records of a saved search's calendar, by their deadlines: at most five hundred. The next deadlines go before the last ones that passed. Funders
-- have no deadlines.
create or replace function funding.saved_search_deadlines(search funding.saved_searches, today date) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := funding.filter_of(search.dataset, funding.with_days(search.filter, funding.wall_clock()));
  entries json;
begin
  if search.dataset = 'funders' then
    return '[]';
  end if;
  execute format($deadlines$
    with coming as materialized (
      select * from funding.%2$I as record where record.deadline_date >= $2 and %3$s and (%4$s)
      order by record.deadline_date, record.id limit 500
    ), past as (
      select * from funding.%2$I as record where record.deadline_date < $2 and %3$s and (%4$s)
      order by record.deadline_date desc, record.id limit 500 - (select count(*) from coming)
    )
    select coalesce(json_agg(%1$s order by record.deadline_date, record.id), '[]')
    from (select * from coming union all select * from past) as record
  $deadlines$, funding.entry_expression(search.dataset), search.dataset, funding.calendar_condition(), funding.predicate(search.dataset, filter))
  into entries using filter, today;
  return entries;
end
$$;

-- SQL for a record as a feed and a calendar show it, on the row `record`. Descriptions are cut after a thousand characters.
create or replace function funding.entry_expression(dataset text) returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then $f$json_build_object('id', record.id, 'title', record.name, 'description', left(record.summary, 1000), 'url', record.website,
      'funder_name', null, 'deadline_date', null, 'deadline_at', null, 'created_at', funding.moment(record.created_at), 'updated_at', funding.moment(record.updated_at))$f$
    else format($o$json_build_object('id', record.id, 'title', record.title, 'description', left(record.description, 1000), 'url', %s,
      'funder_name', (select funders.name from funding.funders where funders.id = record.funder_id),
      'deadline_date', funding.iso_date(record.deadline_date),
      'deadline_at', case when record.details->'deadline_assumed' is distinct from 'true' then record.details->>'deadline_at' end,
      'created_at', funding.moment(record.created_at), 'updated_at', funding.moment(record.updated_at))$o$,
      case dataset when 'contracts' then 'coalesce(record.listing_url, record.document_url)' else 'record.listing_url' end)
  end
$$;

-- Saved search at a secret address, by its token's hash. PT404 where there is none, PT403 where its account has no API access.
create or replace function funding.search_at_address(token_hash text) returns funding.saved_searches
language plpgsql stable as $$
declare
  search funding.saved_searches;
begin
  select * into search from funding.saved_searches where address_hash = token_hash;
  if not found then
    raise sqlstate 'PT404' using message = 'no saved search has this address';
  end if;
  if not funding.has_webhooks(search.account_id) then
    raise sqlstate 'PT403' using message = 'no api access';
  end if;
  return search;
end
$$;

-- Feed (`kind` = feed) or calendar (calendar) at a secret address, by its token's hash: { search: { id, name, dataset }, entries, tag, last_modified,
-- read_limit }. `entries` is null where the caller has the entries already: `known_tags` has the tag of the caller's copy, or `known_since` is not
-- before the last change. Every read counts against the address's limit of a day, and against no quota. Raises:
--   PT404  no saved search has this address
--   PT403  the account's subscription has no API access
--   PT429  the address was read too often on this UTC day
create or replace function public.read_saved_search(
  token_hash text, kind text, known_tags text[] default null, known_since timestamptz default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' set lock_timeout = '1s' as $$
declare
  search constant funding.saved_searches := funding.search_at_address(read_saved_search.token_hash);
  today constant date := funding.today_in(funding.default_time_zone());
  maximum constant integer := funding.setting('saved_search_reads')::integer;
  -- Read before the records.
  version bigint;
  last_modified timestamptz;
  tag text;
  is_known boolean;
  entries json;
  reads integer;
begin
  if kind is null or kind not in ('feed', 'calendar') then
    raise invalid_parameter_value using message = 'kind is feed or calendar';
  end if;
  if funding.saved_search_reads(search) >= maximum then
    perform funding.refuse_saved_search_read(maximum);
  end if;

  version := funding.page_version(search.dataset);
  select greatest(max(known.changed_at), search.updated_at, case when kind = 'calendar' then today::timestamp at time zone funding.default_time_zone() end)
  into last_modified
  from funding.data_versions as known where known.dataset in (search.dataset, 'funders', 'search');
  -- A calendar changes with the day.
  tag := concat_ws('.', kind, version, (extract(epoch from search.updated_at) * 1000000)::bigint, case when kind = 'calendar' then today end);
  is_known := coalesce(tag = any (known_tags), last_modified <= known_since, false);
  if not is_known then
    entries := case kind when 'feed' then funding.saved_search_entries(search) else funding.saved_search_deadlines(search, today) end;
  end if;

  -- No read waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  update funding.saved_searches as counted
  set reads_on_day = funding.saved_search_reads(counted) + 1, last_read_at = now()
  where counted.id = search.id and counted.address_hash = token_hash and funding.saved_search_reads(counted) < maximum
  returning reads_on_day into reads;
  if reads is null then
    perform funding.refuse_saved_search_read(maximum);
  end if;
  return json_build_object(
    'search', json_build_object('id', search.id, 'name', search.name, 'dataset', search.dataset),
    'entries', entries, 'tag', tag, 'last_modified', funding.moment(last_modified),
    'read_limit', json_build_object('limit', maximum, 'remaining', maximum - reads));
end
$$;

-- Refuses a read of an address that was read too often: PT429.
create or replace function funding.refuse_saved_search_read(maximum integer) returns void
language plpgsql stable as $$
begin
  raise sqlstate 'PT429' using message = 'read too often',
    detail = json_build_object('limit', maximum, 'remaining', 0, 'resets_at', funding.quota_resets_at());
end
$$;

-- supabase/schemas/saved_searches/saved_searches.sql
-- Saved searches of an account, as their owner manages them. Every function takes the account of the caller, and raises PT404 for
-- another account's search as for an unknown id.

-- An account's saved search, or PT404, for functions that only read.
create or replace function funding.saved_search_of(account_id uuid, saved_search_id uuid) returns funding.saved_searches
language plpgsql as $$
declare
  search funding.saved_searches;
begin
  select * into search from funding.saved_searches
  where saved_searches.id = saved_search_id and saved_searches.account_id = saved_search_of.account_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no saved search %s', saved_search_id);
  end if;
  return search;
end
$$;

-- An account's saved search, or PT404. No other transaction changes the search until this one ends. Waits for another transaction for two seconds, and
-- then fails with 55P03: a request that waits holds a connection, which other accounts need.
create or replace function funding.lock_saved_search(account_id uuid, saved_search_id uuid) returns funding.saved_searches
language plpgsql set lock_timeout = '2s' as $$
begin
  perform from funding.saved_searches as search
  where search.id = saved_search_id and search.account_id = lock_saved_search.account_id
  for no key update;
  return funding.saved_search_of(account_id, saved_search_id);
end
$$;

-- Number of records of a saved search that came from `since` to `until` (`funding.settled_until`, read before): { count, is_capped }. Looks at the
-- ten thousand records that came last, whether they match or not.
create or replace function funding.count_records(search funding.saved_searches, since timestamptz, until timestamptz) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  most_read constant integer := 10000;
  filter constant jsonb := funding.filter_of(search.dataset, funding.with_days(search.filter, funding.bounded_now()));
  read_records bigint;
  matching bigint;
begin
  execute format($count$
    select count(*), count(*) filter (where %2$s)
    from (
      select * from funding.%1$I where first_seen_at >= $2 and first_seen_at < $3 order by first_seen_at desc limit $4
    ) as record
  $count$, search.dataset, funding.predicate(search.dataset, filter))
  into read_records, matching using filter, since, until, most_read;
  return json_build_object('count', matching, 'is_capped', read_records >= most_read);
end
$$;

-- Number of records of a saved search that are new to its owner: { count, is_capped }. Null where the filter cannot be evaluated.
create or replace function funding.new_records(search funding.saved_searches, until timestamptz) returns json
language plpgsql as $$
begin
  return funding.count_records(search, search.seen_until, until);
exception when others then
  if funding.is_passing_failure(sqlstate) then
    raise;
  end if;
  return null;
end
$$;

-- A saved search as its owner sees it. Of its address, it shows only when the address was made and read.
create or replace function funding.saved_search_body(search funding.saved_searches, new_records json, counted_until timestamptz) returns json
language sql volatile as $$
  select json_build_object(
    'id', search.id, 'name', search.name, 'dataset', search.dataset, 'query', search.query, 'filter', search.filter_query,
    'new_records', new_records, 'counted_until', funding.moment(counted_until), 'seen_until', funding.moment(search.seen_until),
    'address', case when search.address_hash is not null then json_build_object(
      'created_at', funding.moment(search.address_created_at),
      'last_read_at', funding.moment(search.last_read_at),
      'reads_today', funding.saved_search_reads(search)) end,
    'digest', funding.digest_body(search.id),
    'created_at', funding.moment(search.created_at), 'updated_at', funding.moment(search.updated_at))
$$;

-- Number of reads of a saved search's address on this UTC day.
create or replace function funding.saved_search_reads(search funding.saved_searches) returns integer
language sql stable as $$
  select case when (search.last_read_at at time zone 'UTC')::date = funding.quota_day() then search.reads_on_day else 0 end
$$;

-- A saved search with its count. Without API access nothing is counted.
create or replace function funding.counted_saved_search(search funding.saved_searches) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  until constant timestamptz := funding.settled_until();
begin
  return funding.saved_search_body(search, case when funding.has_webhooks(search.account_id) then funding.new_records(search, until) end, until);
end
$$;

-- The account's saved searches, by name: { saved_searches }. A search that could not be counted within two seconds has no count.
create or replace function funding.list_saved_searches(account_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  most_time constant interval := interval '2 s';
  begun constant timestamptz := clock_timestamp();
  until constant timestamptz := funding.settled_until();
  has_access constant boolean := funding.has_webhooks(account_id);
  search funding.saved_searches;
  bodies json[] := '{}';
begin
  for search in
    select * from funding.saved_searches where saved_searches.account_id = list_saved_searches.account_id
    order by lower(name), id
  loop
    bodies := bodies || funding.saved_search_body(search,
      case when has_access and clock_timestamp() < begun + most_time then funding.new_records(search, until) end, until);
  end loop;
  return json_build_object('saved_searches', to_json(bodies));
end
$$;

-- Refuses a filter that Postgres cannot evaluate: PT400.
create or replace function funding.require_saved_filter(dataset text, filter jsonb) returns void
language plpgsql as $$
begin
  perform funding.require_filters(jsonb_build_object(dataset, jsonb_build_object('parameters', filter)));
exception when sqlstate 'PT400' then
  raise sqlstate 'PT400' using message = sqlerrm, hint = 'query';
end
$$;

-- Saves a search: { name, dataset, query, filter_query, filter }, as the account API makes it. Records that are there already are not new. PT409
-- without API access, and at the account's maximum. PT400 for a filter that cannot be evaluated.
create or replace function funding.create_saved_search(account_id uuid, saved_search jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  search funding.saved_searches;
  maximum constant integer := funding.setting('saved_searches_maximum')::integer;
begin
  -- Simultaneous creations take turns, so that two cannot both be the last that the limit allows.
  perform from funding.accounts where accounts.id = create_saved_search.account_id for no key update;
  if not funding.has_webhooks(account_id) then
    raise sqlstate 'PT409' using message = 'the subscription does not include saved searches';
  end if;
  if (select count(*) from funding.saved_searches where saved_searches.account_id = create_saved_search.account_id) >= maximum then
    raise sqlstate 'PT409' using message = format('an account has at most %s saved searches', maximum);
  end if;
  perform funding.require_saved_filter(saved_search->>'dataset', saved_search->'filter');
  insert into funding.saved_searches (account_id, name, dataset, query, filter_query, filter, seen_until)
  select create_saved_search.account_id, given.name, given.dataset, given.query, given.filter_query, given.filter, funding.settled_mark()
  from jsonb_to_record(saved_search) as given(name text, dataset text, query text, filter_query text, filter jsonb)
  returning * into search;
  return funding.counted_saved_search(search);
end
$$;

-- Changes the fields that `changes` has: name; dataset, query, filter_query and filter together; digest (`funding.set_digest`).
create or replace function funding.update_saved_search(account_id uuid, saved_search_id uuid, changes jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  given funding.saved_searches := jsonb_populate_record(funding.lock_saved_search(account_id, saved_search_id),
    changes - array(select key from jsonb_object_keys(changes) as key where key not in ('name', 'dataset', 'query', 'filter_query', 'filter')));
  search funding.saved_searches;
begin
  if changes ? 'filter' then
    perform funding.require_saved_filter(given.dataset, given.filter);
  end if;
  update funding.saved_searches as changed
  set name = given.name, dataset = given.dataset, query = given.query, filter_query = given.filter_query, filter = given.filter,
      updated_at = case when changes - 'digest' = '{}' then changed.updated_at else now() end
  where changed.id = saved_search_id
  returning * into search;
  if changes ? 'digest' then
    perform funding.set_digest(search, changes->'digest');
  end if;
  return funding.counted_saved_search(search);
end
$$;

-- Deletes a saved search, and ends its address and its digest.
create or replace function funding.delete_saved_search(account_id uuid, saved_search_id uuid) returns json
language plpgsql as $$
begin
  perform funding.lock_saved_search(account_id, saved_search_id);
  delete from funding.saved_searches where id = saved_search_id;
  return json_build_object('id', saved_search_id);
end
$$;

-- Marks the records that came before a moment as seen: by default all, and never records that may still come. The mark does not go back.
create or replace function funding.mark_saved_search_seen(account_id uuid, saved_search_id uuid, until timestamptz) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  settled constant timestamptz := funding.settled_mark();
  search funding.saved_searches := funding.lock_saved_search(account_id, saved_search_id);
begin
  update funding.saved_searches as changed set seen_until = greatest(changed.seen_until, least(coalesce(until, settled), settled))
  where changed.id = saved_search_id
  returning * into search;
  return funding.counted_saved_search(search);
end
$$;

-- Gives a saved search a secret address, by its token's hash. A former address ends at once.
create or replace function funding.issue_saved_search_address(account_id uuid, saved_search_id uuid, token_hash text) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  search funding.saved_searches := funding.lock_saved_search(account_id, saved_search_id);
begin
  update funding.saved_searches as changed
  set address_hash = token_hash, address_created_at = now(), last_read_at = null, reads_on_day = 0
  where changed.id = saved_search_id
  returning * into search;
  return funding.counted_saved_search(search);
end
$$;

-- Ends a saved search's address. Ending it again is not an error.
create or replace function funding.revoke_saved_search_address(account_id uuid, saved_search_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  search funding.saved_searches := funding.lock_saved_search(account_id, saved_search_id);
begin
  update funding.saved_searches as changed
  set address_hash = null, address_created_at = null, last_read_at = null, reads_on_day = 0
  where changed.id = saved_search_id
  returning * into search;
  return funding.counted_saved_search(search);
end
$$;

-- supabase/schemas/webhooks/deadlines.sql
-- Notices of deadlines that come near: one for each record, lead time and endpoint.

-- SQL condition that the deadline of `record` is within days, counted where its publisher is. `today` is today in UTC, which another day differs from by
-- one: these two conditions are for the index.
create or replace function funding.deadline_within(today text, days text) returns text
language sql immutable parallel safe as $$
  select format('record.deadline_date between %1$s - 1 and %1$s + 1 + %2$s and record.deadline_date - funding.announced_day(record.source) between 0 and %2$s', today, days)
$$;

-- SQL condition that `record` has a near deadline of which there is no notice yet, with $2 to $5: the endpoint's id, its lead times, today in UTC, the
-- longest lead time.
create or replace function funding.near_deadline() returns text
language sql immutable parallel safe as $$
  select funding.deadline_within('$4', '$5') || $condition$
    and record.archived_at is null and record.superseded_by is null and record.classification = 'opportunity' and not funding.has_ended(record.status)
    and exists (
      select from unnest($3) as lead(days)
      where record.deadline_date <= funding.announced_day(record.source) + lead.days and not exists (
        select from funding.deadline_notices as notice
        where notice.endpoint_id = $2 and notice.record_id = record.id and notice.days = lead.days))
  $condition$
$$;

-- Makes the deadline notices of one endpoint and one dataset that are due on a day, with their deliveries. A record that passed several lead times
-- since the last scan gets one event. Returns the number of records; when that is `maximum`, there may be more.
create or replace function funding.announce_deadlines_of(endpoint funding.webhook_endpoints, dataset text, today date, maximum integer)
returns integer
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter jsonb := funding.with_days(endpoint.filters->dataset->'parameters', funding.bounded_now());
  announced integer;
begin
  execute format($announce$
    with near as materialized (
      select record.* from funding.%1$I as record
      where %6$s
        -- Of two conditions Postgres may evaluate the filter first, also on records that were left out because the filter fails on them.
        and case when %4$s then (%2$s) else false end
      order by record.deadline_date
      limit $6
    ), noted as (
      insert into funding.deadline_notices (endpoint_id, record_id, days, noted_at)
      select $2, near.id, lead.days, funding.bounded_now()
      from near cross join unnest($3) as lead(days)
      where near.deadline_date <= funding.announced_day(near.source) + lead.days
      on conflict on constraint deadline_notices_pkey do nothing
      returning record_id
    ), event as (
      insert into funding.events (event, dataset, record_id, endpoint_id, fanned_out_at, data, details)
      select $7, %1$L, record.id, $2, funding.bounded_now(), rendered.body, case when $8 then %5$s end
      from near as record cross join lateral (%3$s) as rendered
      where record.id in (select record_id from noted)
      order by record.deadline_date, record.id
      returning id
    ), delivery as (
      insert into funding.webhook_deliveries (endpoint_id, event_id, has_details, due_at, created_at)
      select $2, id, $8, funding.dispatch_now(), funding.bounded_now() from event
    )
    select count(*) from event
  $announce$, dataset, case when filter is null then 'true' else funding.predicate(dataset, filter) end, funding.record_query(dataset),
    funding.near_deadline(), funding.details_expression(dataset), funding.deadline_within('$4', '$5'))
  into announced
  using filter, endpoint.id, endpoint.deadline_days, today, (select max(days) from unnest(endpoint.deadline_days) as days),
    maximum, funding.event_name(dataset, 'deadline_approaching'), endpoint.expand @> '{details}';
  return announced;
end
$$;

-- Counts the deadlines that an endpoint would be notified of at once: { deadlines, is_capped }. `webhook` has events, filters and deadline_days as
-- for `funding.create_webhook`. It also has the id of an endpoint that is to be changed: deadlines that this endpoint was notified of already do not
-- count. Counts at most ten thousand of a dataset. PT400 for a filter that cannot be evaluated.
create or replace function funding.preview_webhook(account_id uuid, webhook jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  maximum constant integer := 10000;
  today constant date := (funding.bounded_now() at time zone 'UTC')::date;
  events constant text[] := array(select jsonb_array_elements_text(webhook->'events'));
  days constant integer[] := array(select jsonb_array_elements_text(webhook->'deadline_days')::integer);
  endpoint_id constant uuid := webhook->>'id';
  dataset text;
  filter jsonb;
  counted integer;
  total integer := 0;
  is_capped boolean := false;
begin
  if endpoint_id is not null then
    perform funding.webhook_of(account_id, endpoint_id);
  end if;
  perform funding.require_filters(webhook->'filters');
  foreach dataset in array array['grants', 'contracts'] loop
    continue when not events @> array[funding.event_name(dataset, 'deadline_approaching')];
    filter := funding.with_days(webhook->'filters'->dataset->'parameters', funding.bounded_now());
    execute format($count$
      select count(*) from (
        select from funding.%I as record
        where %s and case when %s then (%s) else false end
        limit $6) as near
    $count$, dataset, funding.deadline_within('$4', '$5'), funding.near_deadline(), case when filter is null then 'true' else funding.predicate(dataset, filter) end)
    into counted
    using filter, endpoint_id, days, today, (select max(day) from unnest(days) as day), maximum;
    total := total + counted;
    is_capped := is_capped or counted >= maximum;
  end loop;
  return json_build_object('deadlines', total, 'is_capped', is_capped);
end
$$;

-- Sets aside the records with near deadlines on which an endpoint's filter fails, or which cannot be rendered, each alone. A notice is stored for
-- such a record, with a delivery that has failed with the reason. Raises when the filter itself is at fault.
create or replace function funding.set_aside_deadlines(endpoint funding.webhook_endpoints, dataset text, today date) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := endpoint.filters->dataset->'parameters';
  faults jsonb;
  fault record;
  event_id uuid;
begin
  execute format('select funding.find_faults($6, $1, (select array_agg(record) from funding.%I as record where %s))', dataset, funding.near_deadline())
  into faults
  using filter, endpoint.id, endpoint.deadline_days, today, (select max(days) from unnest(endpoint.deadline_days) as days), dataset;
  for fault in select item.key::uuid as record_id, item.value as reason from jsonb_each_text(faults) as item loop
    execute format($noted$
      insert into funding.deadline_notices (endpoint_id, record_id, days, noted_at)
      select $1, record.id, lead.days, funding.bounded_now()
      from funding.%I as record cross join unnest($2) as lead(days)
      where record.id = $3 and record.deadline_date <= funding.announced_day(record.source) + lead.days
      on conflict on constraint deadline_notices_pkey do nothing
    $noted$, dataset) using endpoint.id, endpoint.deadline_days, fault.record_id;
    insert into funding.events (event, dataset, record_id, endpoint_id, fanned_out_at, undeliverable)
    values (funding.event_name(set_aside_deadlines.dataset, 'deadline_approaching'), set_aside_deadlines.dataset, fault.record_id, endpoint.id,
      funding.bounded_now(), fault.reason)
    returning id into event_id;
    perform funding.fail_deliveries(array[endpoint.id], event_id, fault.reason);
  end loop;
end
$$;

-- Records on which a filter fails, and records that match it and cannot be rendered: { record id: reason }. Raises when the filter or the
-- rendering fails for all.
create or replace function funding.find_faults(dataset text, filter jsonb, records anyarray) returns jsonb
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  found record;
begin
  select * into found from funding.match_records(dataset, filter, coalesce(records, records[1:0]));
  return (
    select coalesce(jsonb_object_agg(item.key, format('the filter of %s cannot be evaluated on this record: %s', dataset, item.value)), '{}')
    from jsonb_each_text(found.faults) as item
  ) || funding.unshowable_records(dataset, (
    select array_agg(record) from unnest(records) as record where (to_jsonb(record)->>'id')::uuid = any (found.matched)));
end
$$;

-- Version of the data that an endpoint's deadlines are of: it moves with each change of a dataset whose deadlines the endpoint is told of.
create or replace function funding.deadlines_version(events text[]) returns bigint
language plpgsql stable as $$
begin
  return (
    select coalesce(sum(data_versions.version), 0) from funding.data_versions
    where data_versions.dataset in ('grants', 'contracts') and events @> array[funding.event_name(data_versions.dataset, 'deadline_approaching')]);
end
$$;

-- Chooses the endpoint whose deadlines are scanned next: of the endpoints that are due, the one that has waited longest. Each is due once a day of each
-- time zone that records are in, and again when its data changed, a minute after its last scan at the earliest. An endpoint whose scan was begun and not finished waits ten seconds, and lets the others go first. Returns {
-- endpoint_id }, null when none is due.
create or replace function public.next_deadlines() returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  midnight constant timestamptz := funding.last_midnight();
  present constant timestamptz := funding.dispatch_now();
  chosen uuid;
begin
  update funding.webhook_endpoints set deadlines_tried_at = present
  where id = (
    select waiting.id from funding.webhook_endpoints as waiting
    where waiting.state <> 'disabled'
      and waiting.events && array['grant.deadline_approaching', 'contract.deadline_approaching']
      and (waiting.deadlines_scanned_since is distinct from midnight
        or waiting.deadlines_scanned_at < present - interval '1 minute'
          and waiting.deadlines_scanned_version <> funding.deadlines_version(waiting.events))
      and (waiting.deadlines_tried_at is null or waiting.deadlines_tried_at <= waiting.deadlines_scanned_at
        or waiting.deadlines_tried_at < present - interval '10 seconds')
      and funding.has_webhooks(waiting.account_id)
    order by greatest(waiting.deadlines_scanned_at, waiting.deadlines_tried_at) nulls first, waiting.id
    limit 1
    for no key update skip locked)
  returning id into chosen;
  return json_build_object('endpoint_id', chosen);
end
$$;

-- Scans the deadlines of an endpoint, at most `maximum` records of a dataset at a time. The endpoint's row is locked at the end alone, so that results
-- of attempts need not wait for a scan. Without an endpoint it scans the next one (`next_deadlines`):
-- dispatchers of earlier versions rely on that. Returns { endpoints, events }.
create or replace function public.announce_deadlines(maximum integer, only_endpoint uuid default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  -- Chosen before the time is read: the beginning of a scan must not seem later than its end.
  chosen constant uuid := coalesce(only_endpoint, (public.next_deadlines()->>'endpoint_id')::uuid);
  today date := (funding.bounded_now() at time zone 'UTC')::date;
  midnight timestamptz := funding.last_midnight();
  present timestamptz := funding.dispatch_now();
  endpoint funding.webhook_endpoints;
  after funding.webhook_endpoints;
  version bigint;
  dataset text;
  announced integer;
  total integer := 0;
  is_complete boolean := true;
begin
  -- One scan of an endpoint at a time.
  if chosen is null or not pg_try_advisory_xact_lock(hashtextextended('deadlines ' || chosen, 0)) then
    return json_build_object('endpoints', 0, 'events', 0);
  end if;
  select * into endpoint from funding.webhook_endpoints as waiting where waiting.id = chosen and waiting.state <> 'disabled';
  if not found then
    return json_build_object('endpoints', 0, 'events', 0);
  end if;
  version := funding.deadlines_version(endpoint.events);

  foreach dataset in array array['grants', 'contracts'] loop
    continue when not endpoint.events @> array[funding.event_name(dataset, 'deadline_approaching')];
    begin
      announced := funding.announce_deadlines_of(endpoint, dataset, today, maximum);
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      begin
        perform funding.set_aside_deadlines(endpoint, dataset, today);
        announced := funding.announce_deadlines_of(endpoint, dataset, today, maximum);
      exception when others then
        if funding.is_passing_failure(sqlstate) then
          raise;
        end if;
        -- Its owner may have mended the filter meanwhile: the endpoint is scanned again then.
        select * into after from funding.webhook_endpoints as scanned where scanned.id = endpoint.id for no key update;
        if after.filters is distinct from endpoint.filters then
          return json_build_object('endpoints', 1, 'events', total);
        end if;
        perform funding.disable_endpoints(array[endpoint.id], funding.filter_fault(dataset, sqlerrm));
        return json_build_object('endpoints', 1, 'events', total);
      end;
    end;
    total := total + announced;
    is_complete := is_complete and announced < maximum;
  end loop;
  -- An endpoint that its owner has changed meanwhile is scanned again.
  select * into after from funding.webhook_endpoints as scanned where scanned.id = endpoint.id for no key update;
  is_complete := is_complete
    and (after.events, after.filters, after.deadline_days) is not distinct from (endpoint.events, endpoint.filters, endpoint.deadline_days);
  update funding.webhook_endpoints
  set deadlines_scanned_at = present,
      deadlines_scanned_since = case when is_complete then midnight else deadlines_scanned_since end,
      deadlines_scanned_version = case when is_complete then version else deadlines_scanned_version end,
      work_timeouts = 0
  where id = endpoint.id;
  return json_build_object('endpoints', 1, 'events', total);
end
$$;

-- supabase/schemas/webhooks/deliveries.sql
-- Deliveries: the choice of those that a dispatcher attempts next, and the effects of an attempt on the delivery and on its endpoint. A claim is a
-- lease: when its dispatcher dies, the claim ends by itself.

-- Ends the claims of dispatchers that did not report in time. Their attempts are logged as lost, and count as failures of the delivery, but not of
-- its endpoint. So a delivery that crashes its dispatcher is retried as seldom as one that fails, and in the end not at all.
create or replace function funding.release_lost_claims(present timestamptz) returns void
language plpgsql as $$
begin
  -- The usual case: each poll of each dispatcher asks.
  if not exists (select from funding.webhook_deliveries as delivery where delivery.claimed_until <= present) then
    return;
  end if;
  with lost as (
    select delivery.endpoint_id, delivery.event_id, funding.retry_wait(delivery.failures, null, null) as wait_seconds
    from funding.webhook_deliveries as delivery
    where delivery.claimed_until <= present
    order by delivery.claimed_until limit 1000
    for update skip locked
  ), released as (
    update funding.webhook_deliveries as delivery
    set claimed_at = null, claimed_until = null, failures = delivery.failures + 1,
        state = case when lost.wait_seconds is null then 'failed' else 'pending' end,
        due_at = coalesce(present + lost.wait_seconds * interval '1 second', delivery.due_at),
        finished_at = case when lost.wait_seconds is null then funding.latest_now() end
    from lost where delivery.endpoint_id = lost.endpoint_id and delivery.event_id = lost.event_id
    returning delivery.endpoint_id, delivery.event_id, delivery.attempts
  ), counted as (
    insert into funding.webhook_attempt_totals as known (outcome, attempts)
    select 'lost', count(*) from released having count(*) > 0
    on conflict (outcome) do update set attempts = known.attempts + excluded.attempts
  )
  insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at, error, message)
  select released.endpoint_id, released.event_id, released.attempts, endpoint.url, funding.latest_now(), 'lost',
         'The dispatcher ended before it could tell how this attempt did.'
  from released join funding.webhook_endpoints as endpoint on endpoint.id = released.endpoint_id
  on conflict on constraint webhook_attempts_pkey do nothing;
end
$$;

-- Former secrets of an endpoint that still sign, the latest first; null when there is none.
create or replace function funding.former_secrets(endpoint_id uuid) returns text[]
language plpgsql volatile as $$
begin
  return (
    select array_agg(former.secret order by former.id desc) from funding.webhook_former_secrets as former
    where former.endpoint_id = former_secrets.endpoint_id and former.expires_at > funding.latest_now());
end
$$;

-- Endpoints with deliveries that wait for an attempt now, whatever the endpoint's own state. Goes from endpoint to endpoint in the index of pending
-- deliveries (a loose index scan), so that its time does not grow with the endpoints for which nothing waits, nor with the deliveries of each. (With
-- 2,000 endpoints and one delivery, a claim took 21 ms when it asked each endpoint, and 2 since; embedded, by hand.)
create or replace function funding.awaited_endpoints(present timestamptz) returns setof uuid
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  next_id uuid;
begin
  select delivery.endpoint_id into next_id from funding.webhook_deliveries as delivery
  where delivery.state = 'pending' and delivery.claimed_until is null
  order by delivery.endpoint_id, delivery.due_at limit 1;
  while next_id is not null loop
    if exists (
      select from funding.webhook_deliveries as delivery
      where delivery.endpoint_id = next_id and delivery.state = 'pending' and delivery.claimed_until is null and delivery.due_at <= present)
    then
      return next next_id;
    end if;
    next_id := (
      select delivery.endpoint_id from funding.webhook_deliveries as delivery
      where delivery.state = 'pending' and delivery.claimed_until is null and delivery.endpoint_id > next_id
      order by delivery.endpoint_id, delivery.due_at limit 1);
  end loop;
end
$$;

-- Claims due deliveries for one attempt each: at most `maximum` of endpoints that do well, and at most `failing_maximum` of endpoints whose last
-- attempt failed, which have slots of their own. Endpoints take turns: the first delivery of each, then the second of each. Two dispatchers never get
-- the same attempt.
--
-- Returns { signature_header, timeout_ms, deliveries: [{ endpoint_id, event_id, attempt, url, secret, previous_secrets,
-- previous_secret, event, created_at, data, changes, is_failing }] }. The previous secrets come the latest first. `previous_secret` is the oldest of
-- them, for dispatchers of versions that knew only one.
create or replace function public.claim_deliveries(maximum integer, failing_maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  present timestamptz := funding.tick();
  lease interval := (funding.setting('webhook_lease_seconds')::text || ' seconds')::interval;
  most_in_flight integer := funding.setting('webhook_in_flight_maximum')::integer;
  awaited uuid[];
  claimed json;
begin
  perform funding.release_lost_claims(present);
  awaited := array(select funding.awaited_endpoints(present));
  -- Nearly always nothing is due. The statement below would make an idle poll take twice as long (embedded, by hand: 2.1 ms in place of 0.9).
  if exists (
    select from funding.webhook_endpoints as endpoint
    where endpoint.id = any (awaited) and endpoint.state = 'active' and (endpoint.retry_at is null or endpoint.retry_at <= present))
  then
    with in_flight as (
      select delivery.endpoint_id, count(*) as attempts from funding.webhook_deliveries as delivery
      where delivery.claimed_until is not null group by 1
    ), due as (
      select next.*, endpoint.failures_in_a_row > 0 as is_failing
      from funding.webhook_endpoints as endpoint
      left join in_flight on in_flight.endpoint_id = endpoint.id
      cross join lateral (
        select delivery.endpoint_id, delivery.event_id, delivery.due_at,
               coalesce(in_flight.attempts, 0) + row_number() over (order by delivery.due_at) as position
        from funding.webhook_deliveries as delivery
        where delivery.endpoint_id = endpoint.id and delivery.state = 'pending' and delivery.claimed_until is null
          and delivery.due_at <= present
        order by delivery.due_at
        limit greatest(0, case when endpoint.failures_in_a_row > 0 then 1 else most_in_flight end - coalesce(in_flight.attempts, 0))
      ) as next
      where endpoint.id = any (awaited) and endpoint.state = 'active' and (endpoint.retry_at is null or endpoint.retry_at <= present)
        and funding.has_webhooks(endpoint.account_id)
    ), chosen as (
      (select endpoint_id, event_id from due where not is_failing order by position, due_at limit maximum)
      union all
      (select endpoint_id, event_id from due where is_failing order by position, due_at limit failing_maximum)
    ), locked as (
      select delivery.endpoint_id, delivery.event_id from funding.webhook_deliveries as delivery
      join chosen on chosen.endpoint_id = delivery.endpoint_id and chosen.event_id = delivery.event_id
      where delivery.state = 'pending' and delivery.claimed_until is null
      for update of delivery skip locked
    ), taken as (
      update funding.webhook_deliveries as delivery
      set attempts = delivery.attempts + 1, claimed_at = present, claimed_until = present + lease
      from locked where delivery.endpoint_id = locked.endpoint_id and delivery.event_id = locked.event_id
      returning delivery.endpoint_id, delivery.event_id, delivery.attempts, delivery.has_details
    )
    select json_agg(json_build_object(
      'endpoint_id', taken.endpoint_id, 'event_id', taken.event_id, 'attempt', taken.attempts, 'url', endpoint.url,
      'secret', endpoint.secret,
      'previous_secrets', coalesce(former.secrets, '{}'), 'previous_secret', former.secrets[cardinality(former.secrets)],
      'event', happened.event, 'created_at', funding.moment(happened.created_at), 'data', funding.event_data(happened, taken.has_details),
      'changes', funding.event_changes(happened),
      'is_failing', endpoint.failures_in_a_row > 0)
      order by happened.created_at, happened.id)
    into claimed
    from taken
    join funding.webhook_endpoints as endpoint on endpoint.id = taken.endpoint_id
    join funding.events as happened on happened.id = taken.event_id
    cross join lateral (select funding.former_secrets(endpoint.id) as secrets) as former;
  end if;
  return json_build_object(
    'signature_header', funding.setting('webhook_signature_header'),
    'timeout_ms', funding.setting('webhook_timeout_seconds')::double precision * 1000,
    'deliveries', coalesce(claimed, '[]'));
end
$$;

-- A wait with jitter, give or take a fifth, so that deliveries that failed together do not come back together.
create or replace function funding.jittered(seconds double precision) returns double precision
language sql volatile as $$
  select seconds * (0.8 + 0.4 * random())
$$;

-- Wait in seconds between a failed attempt and the next, or null when there is no next. A receiver's Retry-After lengthens the wait, to twice the
-- scheduled one at most.
create or replace function funding.retry_wait(failures integer, status integer, retry_after_seconds double precision) returns double precision
language plpgsql volatile as $$
declare
  scheduled constant double precision := (funding.setting('webhook_retry_seconds')->failures)::double precision;
begin
  -- `least` and `greatest` ignore nulls: without a next attempt there is no wait, whatever the receiver asks for.
  return case when scheduled is not null and status is distinct from 410 then
    least(greatest(funding.jittered(scheduled), retry_after_seconds), 2 * scheduled)
  end;
end
$$;

-- Reason to disable an endpoint after a failure, or null.
create or replace function funding.disabling_reason(failures_in_a_row integer, failing_for interval, is_gone boolean) returns text
language plpgsql stable as $$
declare
  setting constant jsonb := funding.setting('webhook_disable_after');
begin
  return case
    when is_gone then 'the receiver answered 410 Gone'
    when failures_in_a_row >= (setting->'failures')::integer then format('%s attempts in a row failed', failures_in_a_row)
    when failing_for >= ((setting->'days')::text || ' days')::interval then format('every attempt has failed for %s days', setting->'days')
  end;
end
$$;

-- Backoff of an endpoint after a number of failures in a row, in seconds; null for none. (After 1,024 failures, the power of two would exceed the
-- range of a number.)
create or replace function funding.backoff_seconds(failures_in_a_row integer) returns double precision
language plpgsql volatile as $$
declare
  first constant integer := funding.setting('webhook_backoff_after')::integer;
  setting constant jsonb := funding.setting('webhook_backoff_seconds');
begin
  return case when failures_in_a_row >= first then
    funding.jittered(least((setting->1)::double precision, (setting->0)::double precision * 2 ^ least(failures_in_a_row - first, 100)))
  end;
end
$$;

-- Records the results of attempts. `results` is [{ endpoint_id, event_id, attempt, url, started_at, duration_ms, status, error, message,
-- retry_after_seconds, request_headers, response_headers, response_body }]; a status from 200 to 299 without an error is a success.
--
-- A result that comes after its claim has ended is logged all the same. It decides nothing any more, unless it is a success: then the event has
-- arrived.
--
-- For the endpoint, only the results of its receiver count: not a secret that we cannot read, nor a result of the URL that the endpoint had before.
--
-- Returns { warnings: [{ endpoint_id, state, failures_in_a_row, disabled_reason }] }, for an operator.
create or replace function public.finish_deliveries(results jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  present timestamptz := funding.dispatch_now();
  endpoint_results jsonb;
  warnings json;
begin
  -- Endpoints are locked first and in the order of their ids, so that two batches cannot deadlock.
  perform from funding.webhook_endpoints as endpoint
  where endpoint.id in (select (item->>'endpoint_id')::uuid from jsonb_array_elements(results) as item)
  order by endpoint.id for no key update;

  with result as (
    select given.*, given.error is null and given.status between 200 and 299 as is_success
    from jsonb_to_recordset(results) as given(
      endpoint_id uuid, event_id uuid, attempt integer, url text, started_at timestamptz, duration_ms integer, status integer,
      error text, message text, retry_after_seconds double precision, request_headers jsonb, response_headers jsonb,
      response_body text)
    join funding.webhook_deliveries as known on known.endpoint_id = given.endpoint_id and known.event_id = given.event_id
  ), before as (
    select delivery.endpoint_id, delivery.event_id, delivery.claimed_at, delivery.failures, result.attempt, result.status,
           result.is_success, result.retry_after_seconds, result.error is distinct from 'secret' as is_receivers, result.url,
           case when not result.is_success
             then funding.retry_wait(delivery.failures, result.status, result.retry_after_seconds) end as wait_seconds
    from funding.webhook_deliveries as delivery
    join result on result.endpoint_id = delivery.endpoint_id and result.event_id = delivery.event_id
    where delivery.state = 'pending' and (result.is_success or delivery.attempts = result.attempt and delivery.claimed_until is not null)
      or delivery.state = 'failed' and result.is_success
    order by delivery.endpoint_id, delivery.event_id
    for update of delivery
  ), logged as (
    insert into funding.webhook_attempts as known (endpoint_id, event_id, number, url, started_at, duration_ms, status, error,
      message, request_headers, response_headers, response_body)
    select endpoint_id, event_id, attempt, url, started_at, duration_ms, status, error, message, request_headers,
           response_headers, response_body
    from result order by endpoint_id, event_id, attempt
    on conflict on constraint webhook_attempts_pkey do update set
      started_at = excluded.started_at, duration_ms = excluded.duration_ms, status = excluded.status, error = excluded.error,
      message = excluded.message, request_headers = excluded.request_headers, response_headers = excluded.response_headers,
      response_body = excluded.response_body
  ), settled as (
    update funding.webhook_deliveries as delivery set
      state = case when before.is_success then 'succeeded' when before.wait_seconds is null then 'failed' else 'pending' end,
      failures = delivery.failures + case when before.is_success then 0 else 1 end,
      due_at = coalesce(present + before.wait_seconds * interval '1 second', delivery.due_at),
      finished_at = case when before.wait_seconds is null then funding.latest_now() end,
      claimed_at = null, claimed_until = null
    from (select distinct on (endpoint_id, event_id) * from before order by endpoint_id, event_id, is_success desc, attempt desc) as before
    where delivery.endpoint_id = before.endpoint_id and delivery.event_id = before.event_id
  )
  select jsonb_object_agg(endpoint_id, counted) into endpoint_results from (
    select before.endpoint_id, jsonb_build_object(
      'has_success', bool_or(is_success), 'is_gone', bool_or(status = 410 and not is_success),
      'failed_after', max(claimed_at) filter (where not is_success),
      -- The wait is at most twice the scheduled one. After the last attempt of a delivery there is no wait, and other deliveries of the endpoint do
      -- not wait.
      'retry_after', max(least(retry_after_seconds, wait_seconds)) filter (where status in (429, 503) and wait_seconds is not null)) as counted
    from before join funding.webhook_endpoints as endpoint on endpoint.id = before.endpoint_id and endpoint.url = before.url
    where before.is_receivers group by 1
  ) as by_endpoint;

  -- Endpoints that did well before and do well now are not written.
  with changed as (
    select endpoint.id,
           coalesce((counted->>'has_success')::boolean, false) and not (counted->>'is_gone')::boolean as is_well,
           coalesce((counted->>'is_gone')::boolean, false) as is_gone,
           (counted->>'failed_after')::timestamptz as failed_after,
           (counted->>'retry_after')::double precision as retry_after
    from jsonb_each(endpoint_results) as item(endpoint_id, counted)
    join funding.webhook_endpoints as endpoint on endpoint.id = item.endpoint_id::uuid
  ), counted as (
    select changed.*, endpoint.failures_in_a_row + 1 as failures,
           coalesce(endpoint.failing_since, present) as since
    from changed join funding.webhook_endpoints as endpoint on endpoint.id = changed.id
    where not changed.is_well
      -- A failure is part of the last one if its attempt was claimed before the last one was known.
      and (changed.is_gone or endpoint.last_failure_at is null or changed.failed_after > endpoint.last_failure_at)
  ), failed as (
    update funding.webhook_endpoints as endpoint set
      failures_in_a_row = counted.failures, failing_since = counted.since, last_failure_at = present,
      retry_at = present + greatest(funding.backoff_seconds(counted.failures), counted.retry_after) * interval '1 second',
      state = case when reason.text is not null then 'disabled' else endpoint.state end,
      disabled_reason = coalesce(reason.text, endpoint.disabled_reason)
    from counted cross join lateral (
      select funding.disabling_reason(counted.failures, present - counted.since, counted.is_gone) as text) as reason
    where endpoint.id = counted.id
    returning endpoint.id as endpoint_id, endpoint.state, endpoint.failures_in_a_row, endpoint.disabled_reason
  ), recovered as (
    update funding.webhook_endpoints as endpoint
    set failures_in_a_row = 0, failing_since = null, last_failure_at = null, retry_at = null
    from changed where endpoint.id = changed.id and changed.is_well and endpoint.failures_in_a_row > 0
  )
  select json_agg(failed) into warnings from failed
  where failed.state = 'disabled' or funding.setting('webhook_warn_at') @> to_jsonb(failed.failures_in_a_row);

  -- Last, since all dispatchers write these rows.
  insert into funding.webhook_attempt_totals as known (outcome, attempts)
  select coalesce(given.error, case when given.status between 200 and 299 then 'succeeded' else 'status' end), count(*)
  from jsonb_to_recordset(results) as given(status integer, error text)
  group by 1 order by 1
  on conflict (outcome) do update set attempts = known.attempts + excluded.attempts;
  return json_build_object('warnings', coalesce(warnings, '[]'));
end
$$;

-- supabase/schemas/webhooks/events.sql
-- Events of records that somebody subscribes to, written in the transaction of the change. The dispatcher makes deliveries of the events later
-- (fan_out.sql).

-- Name of an event: the kind of the record, and what happened to it.
create or replace function funding.event_name(dataset text, what text) returns text
language sql immutable parallel safe as $$
  select rtrim(dataset, 's') || '.' || what
$$;

-- Trigger of new records: fires once a statement, however many records are new.
create or replace function funding.note_created() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  event_name text := funding.event_name(tg_table_name, 'created');
begin
  if exists (select from funding.webhook_endpoints where events @> array[event_name]) then
    insert into funding.events (event, dataset, record_id)
    select event_name, tg_table_name, id from new_records;
  end if;
  return null;
end
$$;

-- Whether an endpoint is to be sent an event, where its filter matches. The endpoint has to be subscribed to the event. Of an update, one of the
-- fields that the endpoint asks for has to have changed. A change of details alone is for endpoints that ask for details, or for a changed field
-- among them. A new version of a known opportunity is created for filters that include versions, and updated for the others. (An expression without a subquery, so that queries inline it: it is evaluated for each event and endpoint.)
create or replace function funding.wants_event(endpoint funding.webhook_endpoints, event funding.events) returns boolean
language sql immutable parallel safe as $$
  select endpoint.events @> array[event.event]
    and (event.version_of is null
      or (event.event like '%.created') = coalesce((endpoint.filters->event.dataset->'parameters'->>'include_versions')::boolean, false))
    and case
    when event.changed_fields is null then true
    when endpoint.updated_fields <> '{}' then endpoint.updated_fields && event.changed_fields
    else not event.details_only or endpoint.expand @> array['details']
  end
$$;

-- Trigger of a record whose content changed; with the argument `details`, of a record whose details alone changed. Its condition is checked on each
-- row before anything is queued. So a refit, which updates every record and the content of none, pays nothing; a transition table would be a copy of
-- all records.
create or replace function funding.note_updated() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  event funding.events;
  before jsonb;
  after jsonb;
begin
  event.event := funding.event_name(tg_table_name, 'updated');
  event.details_only := coalesce(tg_argv[0] = 'details', false);
  if not exists (select from funding.webhook_endpoints where events @> array[event.event]) then
    return null;
  end if;
  before := to_jsonb(old);
  after := to_jsonb(new);
  -- Details that are known for the first time have not changed.
  if before->'details' = 'null' then
    before := before || jsonb_build_object('details', after->'details');
  end if;
  event.changes := funding.changes_between(funding.flat_record(before), funding.flat_record(after));
  event.changed_fields := array(select change->>'field' from json_array_elements(event.changes) as change);
  if not event.details_only
    or exists (select from funding.webhook_endpoints as endpoint where funding.wants_event(endpoint, event))
  then
    insert into funding.events (event, dataset, record_id, changes, changed_fields, details_only)
    values (event.event, tg_table_name, new.id, event.changes, event.changed_fields, event.details_only);
  end if;
  return null;
end
$$;

-- Record of an event as a delivery has it.
create or replace function funding.event_data(event funding.events, has_details boolean) returns json
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
  return case when has_details and event.details is not null then funding.with_member(event.data, 'details', event.details) else event.data end;
end
$$;

-- Changes of an event as a delivery has them: the stored changes of an update; null for other events.
create or replace function funding.event_changes(event funding.events) returns json
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
  return case when event.event like '%.updated' then coalesce(event.changes, '[]') end;
end
$$;

-- Trigger of a record in whose place lists show another one from now on. Where either came with the same write, the subscribers know of the opportunity:
-- the event that a record was created is for those alone whose filter includes versions (`wants_event`). The others get an update of the opportunity with
-- the new record, whose changes are those since the former one; they begin with the id.
create or replace function funding.note_version() returns trigger
language plpgsql security definer set search_path = funding, pg_catalog, pg_temp as $$
declare
  created constant text := funding.event_name(tg_table_name, 'created');
  updated constant text := funding.event_name(tg_table_name, 'updated');
  -- Of the version that came: this record, where it was superseded at once.
  later jsonb := to_jsonb(new);
  changes jsonb;
begin
  if not exists (select from funding.webhook_endpoints as endpoint where endpoint.events && array[created, updated]) then
    return null;
  end if;
  if new.first_seen_at is distinct from new.updated_at then
    execute format('select to_jsonb(record) from funding.%I as record where record.id = $1 and record.first_seen_at = $2', tg_table_name)
    into later using new.superseded_by, new.updated_at;
    if later is null then
      return null;
    end if;
  end if;
  update funding.events as known set version_of = case when new.id = known.record_id then new.superseded_by else new.id end
  where known.fanned_out_at is null and known.record_id = (later->>'id')::uuid and known.event = created and known.version_of is null;
  if later->>'id' <> new.id::text and not exists (
    select from funding.events as known
    where known.fanned_out_at is null and known.record_id = (later->>'id')::uuid and known.event = updated and known.version_of is not null)
  then
    changes := jsonb_build_array(jsonb_build_object('field', 'id', 'from', new.id, 'to', later->>'id'))
      || funding.changes_between(funding.flat_record(to_jsonb(new)), funding.flat_record(later))::jsonb;
    insert into funding.events (event, dataset, record_id, changes, changed_fields, version_of)
    values (updated, tg_table_name, (later->>'id')::uuid, changes,
      array(select change->>'field' from jsonb_array_elements(changes) as change), new.id);
  end if;
  return null;
end
$$;

-- supabase/schemas/webhooks/fan_out.sql
-- Fan-out: the deliveries of an event, one for each endpoint whose filter matches.
--
-- An error in a filter is caught where the filter is evaluated, and disables only that endpoint. A time limit cannot be caught: it ends the whole
-- statement. The dispatcher then takes one endpoint after the other, each in a call of its own, and reports the endpoint that fails
-- (`report_endpoint_failure`).

-- Reason that an endpoint's owner reads when a filter fails.
create or replace function funding.filter_fault(dataset text, message text) returns text
language sql immutable parallel safe as $$
  select format('the filter of %s cannot be evaluated: %s', dataset, left(message, 200))
$$;

-- Disables endpoints whose deliveries cannot be made. Their recoveries end: the owner starts them again.
create or replace function funding.disable_endpoints(endpoints uuid[], reason text) returns void
language sql as $$
  update funding.webhook_endpoints
  set state = 'disabled', disabled_reason = reason, set_aside_at = funding.latest_now(), work_timeouts = 0
  where id = any (endpoints) and state <> 'disabled';
  delete from funding.webhook_recoveries where endpoint_id = any (endpoints);
$$;

-- Finds the records on which a query fails, one by one: { id: message }. `query` reads $1, a filter, and $2, the records. The query is tried on
-- halves, so that a few such records among thousands are soon found.
create or replace function funding.failing_records(query text, filter jsonb, records anyarray) returns jsonb
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  half constant integer := cardinality(records) / 2;
begin
  execute query using filter, records;
  return '{}';
exception when others then
  if funding.is_passing_failure(sqlstate) then
    raise;
  end if;
  if half = 0 then
    return jsonb_build_object(to_jsonb(records[1])->>'id', left(sqlerrm, 200));
  end if;
  return funding.failing_records(query, filter, records[:half]) || funding.failing_records(query, filter, records[half + 1:]);
end
$$;

-- Ids of the records that match a filter, of some records of a dataset. Where the filter fails on some of the records, but not on an empty record,
-- the other records are matched all the same: `faults` is then { record id: message }. Raises when the filter itself is at fault.
create or replace function funding.match_records(dataset text, filter jsonb, records anyarray, out matched uuid[], out faults jsonb)
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := funding.with_agencies(dataset, funding.with_days(match_records.filter, funding.bounded_now()));
  query constant text := format('select array_agg(record.id) from unnest($2) as record where %s',
    case when filter is null then 'true' else funding.predicate(dataset, filter) end);
begin
  faults := '{}';
  execute query into matched using filter, records;
exception when others then
  if funding.is_passing_failure(sqlstate) or filter is null then
    raise;
  end if;
  perform funding.try_filter(dataset, filter);
  faults := funding.failing_records(query, filter, records);
  execute query into matched
  using filter, funding.records_without(records, array(select key::uuid from jsonb_object_keys(faults) as key));
end
$$;

-- Records without those that have one of some ids.
create or replace function funding.records_without(records anyarray, without uuid[]) returns anyarray
language sql stable as $$
  select coalesce(array_agg(record), records[1:0]) from unnest(records) as record where (to_jsonb(record)->>'id')::uuid <> all (without)
$$;

-- Records that cannot be shown, one by one: { id: reason }. Raises when an empty record cannot be shown either: the fault is not the records'.
create or replace function funding.unshowable_records(dataset text, records anyarray) returns jsonb
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  rendering constant text := format('cross join lateral (%s) as rendered', funding.record_query(dataset));
begin
  execute format('select count(rendered.body) from jsonb_populate_record(null::funding.%I, $1) as record %s', dataset, rendering) using '{}'::jsonb;
  return (
    select coalesce(jsonb_object_agg(item.key, format('the record cannot be shown: %s', item.value)), '{}')
    from jsonb_each_text(
      funding.failing_records('select count(rendered.body) from unnest($2) as record ' || rendering, null, coalesce(records, records[1:0]))) as item);
end
$$;

-- Fails the deliveries of an event to some endpoints before any attempt; makes the missing ones as failed. The endpoints' owners see the reason as the
-- message of an attempt.
create or replace function funding.fail_deliveries(endpoints uuid[], event_id uuid, reason text) returns void
language sql as $$
  with failed as (
    insert into funding.webhook_deliveries as known (endpoint_id, event_id, has_details, state, attempts, due_at, created_at, finished_at)
    select endpoint.id, fail_deliveries.event_id, endpoint.expand @> '{details}', 'failed', 1, funding.dispatch_now(), funding.latest_now(),
           funding.latest_now()
    from funding.webhook_endpoints as endpoint where endpoint.id = any (endpoints)
    on conflict on constraint webhook_deliveries_pkey do update
      set state = 'failed', attempts = known.attempts + 1, finished_at = excluded.finished_at
      where known.state = 'pending' and known.claimed_until is null
    returning known.endpoint_id, known.attempts
  )
  insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at, error, message)
  select failed.endpoint_id, fail_deliveries.event_id, failed.attempts, endpoint.url, funding.latest_now(), 'record',
         format('Not sent: %s', fail_deliveries.reason)
  from failed join funding.webhook_endpoints as endpoint on endpoint.id = failed.endpoint_id
$$;

-- Stores records, as the API shows them, as the data of their events, where an event has deliveries and no data yet. Stores their details, too, where
-- a delivery has details. A record that cannot be shown is left out alone: its events stay without data, and their deliveries fail with the reason.
create or replace function funding.render_events(dataset text, records anyarray, batch uuid[]) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  statement constant text := format($render$
    update funding.events as event
    set data = coalesce(event.data, rendered.body), undeliverable = null,
        details = coalesce(event.details, case when wanted.has_details then detailed.details end)
    from unnest($1) as record cross join lateral (%s) as rendered cross join lateral (select %s as details) as detailed
    join (
      select delivery.event_id, bool_or(delivery.has_details) as has_details from funding.webhook_deliveries as delivery
      where delivery.event_id = any ($2) group by 1
    ) as wanted on true
    where event.id = wanted.event_id and event.record_id = record.id
      and (event.data is null or event.details is null and wanted.has_details)
  $render$, funding.record_query(dataset), funding.details_expression(dataset));
  faults jsonb;
  event record;
begin
  execute statement using records, batch;
exception when others then
  if funding.is_passing_failure(sqlstate) then
    raise;
  end if;
  faults := funding.unshowable_records(dataset, records);
  execute statement using funding.records_without(records, array(select key::uuid from jsonb_object_keys(faults) as key)), batch;
  for event in
    update funding.events as known set undeliverable = faults->>known.record_id::text
    where known.id = any (batch) and faults ? known.record_id::text and known.data is null
      and exists (select from funding.webhook_deliveries as delivery where delivery.event_id = known.id)
    returning known.id, known.undeliverable
  loop
    perform funding.fail_deliveries(
      array(select delivery.endpoint_id from funding.webhook_deliveries as delivery where delivery.event_id = event.id),
      event.id, event.undeliverable);
  end loop;
end
$$;

-- Makes the deliveries of a batch of events about some records of a dataset, for every endpoint or for `only_endpoint`. Returns the number of
-- deliveries. The caller reads the records once, so that the delivered records are the ones that the filters see.
create or replace function funding.fan_out_records(dataset text, records anyarray, batch uuid[], only_endpoint uuid) returns bigint
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  audience record;
  found record;
  fault record;
  first_due_at timestamptz := funding.dispatch_now();
  present constant timestamptz := funding.latest_now();
  made bigint := 0;
  made_now bigint;
begin
  -- A filter that many endpoints share is evaluated once.
  for audience in
    select endpoint.filters->fan_out_records.dataset->'parameters' as filter, array_agg(endpoint.id) as endpoints
    from funding.webhook_endpoints as endpoint
    where case when only_endpoint is null then endpoint.state <> 'disabled' else endpoint.id = only_endpoint end
      and exists (select from funding.events as happened where happened.id = any (batch) and funding.wants_event(endpoint, happened))
      and funding.has_webhooks(endpoint.account_id)
    group by 1
  loop
    begin
      select * into found from funding.match_records(dataset, audience.filter, records);
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      perform funding.disable_endpoints(audience.endpoints, funding.filter_fault(dataset, sqlerrm));
      continue;
    end;
    insert into funding.webhook_deliveries (endpoint_id, event_id, has_details, due_at, created_at)
    select endpoint.id, happened.id, endpoint.expand @> '{details}', first_due_at, present
    from unnest(found.matched) as match(id)
    join funding.events as happened on happened.record_id = match.id and happened.id = any (batch)
    join funding.webhook_endpoints as endpoint
      on endpoint.id = any (audience.endpoints) and funding.wants_event(endpoint, happened)
    order by happened.created_at, happened.id, endpoint.id
    on conflict on constraint webhook_deliveries_pkey do nothing;
    get diagnostics made_now = row_count;
    made := made + made_now;
    -- Records on which the filter fails: whether the endpoint wants them is not known.
    for fault in
      select happened.id as event_id, array_agg(endpoint.id) as endpoints, item.value as message
      from jsonb_each_text(found.faults) as item
      join funding.events as happened on happened.record_id = item.key::uuid and happened.id = any (batch)
      join funding.webhook_endpoints as endpoint
        on endpoint.id = any (audience.endpoints) and funding.wants_event(endpoint, happened)
      -- An existing delivery has its payload, and the filter need not match any more.
      where not exists (
        select from funding.webhook_deliveries as known where known.endpoint_id = endpoint.id and known.event_id = happened.id)
      group by happened.id, item.value
    loop
      perform funding.fail_deliveries(fault.endpoints, fault.event_id,
        format('the filter of %s cannot be evaluated on this record: %s', dataset, fault.message));
    end loop;
  end loop;
  perform funding.render_events(dataset, records, batch);
  return made;
end
$$;

-- Makes the deliveries of a batch of events of any datasets. Returns their number.
create or replace function funding.fan_out(batch uuid[], only_endpoint uuid default null) returns bigint
language plpgsql as $$
declare
  part record;
  made bigint := 0;
  made_now bigint;
begin
  for part in
    select dataset, array_agg(id order by created_at, id) as ids, array_agg(distinct record_id) as records
    from funding.events where id = any (batch) group by 1
  loop
    execute format('select funding.fan_out_records($1, (select array_agg(record) from funding.%I as record where record.id = any ($2)), $3, $4)',
      part.dataset)
    into made_now using part.dataset, part.records, part.ids, only_endpoint;
    made := made + made_now;
  end loop;
  return made;
end
$$;

-- Batch size of the next fan-out: `maximum`, divided by eight for each failed fan-out of the oldest event. So an event that fails is soon isolated.
create or replace function funding.fan_out_size(maximum integer) returns integer
language plpgsql volatile as $$
begin
  return greatest(1, (maximum / 8 ^ coalesce((
    select least(event.fan_out_failures, 10) from funding.events as event
    where event.fanned_out_at is null and (event.fan_out_after is null or event.fan_out_after <= funding.dispatch_now())
    order by event.created_at limit 1), 0))::integer);
end
$$;

-- Whether an endpoint has a recovery, or an unfinished scan of deadlines.
create or replace function funding.has_unfinished_work(endpoint funding.webhook_endpoints) returns boolean
language plpgsql stable as $$
begin
  return endpoint.events && array['grant.deadline_approaching', 'contract.deadline_approaching']
      and coalesce(endpoint.deadlines_tried_at > coalesce(endpoint.deadlines_scanned_at, '-infinity'), false)
    or exists (select from funding.webhook_recoveries as recovery where recovery.endpoint_id = endpoint.id);
end
$$;

-- Makes deliveries of the oldest events that have none yet, at most `maximum` events; returns { events, deliveries }. It looks for events that are
-- not fanned out, so an event that commits late is not missed. Several dispatchers at once take different events.
create or replace function public.fan_out_events(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  batch uuid[];
  made bigint;
begin
  select array_agg(pending.id) into batch from (
    select event.id from funding.events as event
    where event.fanned_out_at is null and (event.fan_out_after is null or event.fan_out_after <= funding.dispatch_now())
    order by event.created_at limit funding.fan_out_size(maximum) for update skip locked
  ) as pending;
  if batch is null then
    return json_build_object('events', 0, 'deliveries', 0);
  end if;
  made := funding.fan_out(batch);
  update funding.events as event set fanned_out_at = funding.latest_now() where event.id = any (batch);
  -- No endpoint failed for these events. An endpoint with a recovery or a scan under way keeps its count: that work is counted by itself. An endpoint
  -- whose row is locked is left to the next call.
  update funding.webhook_endpoints set work_timeouts = 0
  where id = any (array(
    select waiting.id from funding.webhook_endpoints as waiting
    where waiting.work_timeouts > 0 and waiting.state <> 'disabled' and not funding.has_unfinished_work(waiting)
    for no key update skip locked));
  return json_build_object('events', cardinality(batch), 'deliveries', made);
end
$$;

-- Oldest events that have no deliveries yet, at most `maximum`, and the endpoints that may want them: for a dispatcher that takes one endpoint after
-- the other. Endpoints that took too long before come last, the others in random order, so that an endpoint that fails is not always the first.
-- Returns { events, endpoints }.
create or replace function public.pending_fan_out(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
begin
  return (
    with pending as materialized (
      select event.id, event.event from funding.events as event
      where event.fanned_out_at is null and (event.fan_out_after is null or event.fan_out_after <= funding.dispatch_now())
      order by event.created_at limit funding.fan_out_size(maximum)
    )
    select json_build_object(
      'events', (select coalesce(json_agg(pending.id), '[]') from pending),
      'endpoints', (
        select coalesce(json_agg(endpoint.id order by endpoint.work_timeouts, random()), '[]')
        from funding.webhook_endpoints as endpoint
        where endpoint.state <> 'disabled' and endpoint.events && array(select distinct pending.event from pending)
          and funding.has_webhooks(endpoint.account_id))));
end
$$;

-- Makes one endpoint's deliveries of some events. The time limit is one endpoint's part of the dispatcher's time.
create or replace function public.fan_out_to(endpoint_id uuid, events uuid[]) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '3s' as $$
declare
  made bigint := funding.fan_out(array(
    select event.id from funding.events as event where event.id = any (fan_out_to.events) and event.fanned_out_at is null), endpoint_id);
begin
  update funding.webhook_endpoints set work_timeouts = 0 where id = fan_out_to.endpoint_id and work_timeouts > 0;
  return json_build_object('deliveries', made);
end
$$;

-- Marks events as fanned out: the deliveries to every endpoint have been made.
create or replace function public.finish_fan_out(events uuid[]) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  finished bigint;
begin
  update funding.events as event set fanned_out_at = funding.latest_now()
  where event.id = any (finish_fan_out.events) and event.fanned_out_at is null;
  get diagnostics finished = row_count;
  return json_build_object('events', finished);
end
$$;

-- Records that the fan-out of `events` failed for `endpoints`, out of `tried` endpoints that were attempted. Of several events, fewer are tried
-- together the next time, and no endpoint is blamed. A single event waits for a minute, then for twice as long each time, and other events go before
-- it. If it failed for some of several endpoints, or for the only one, the failure counts as theirs as well (`report_endpoint_failure`): an endpoint
-- for which other events fail as well is disabled. The tenth time, after some nine hours, the event is parked, if other events went through
-- meanwhile: the deliveries to these endpoints fail. Returns { is_set_aside, disabled: [endpoint id] }; `is_set_aside`: the event is parked.
create or replace function public.report_fan_out_failure(events uuid[], endpoints uuid[], tried integer, code text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  most_failures constant integer := 10;
  present constant timestamptz := funding.dispatch_now();
  reason constant text := format('its deliveries could not be made (%s)', report_fan_out_failure.code);
  failed funding.events;
  disabled uuid[] := '{}';
begin
  if cardinality(events) > 1 then
    update funding.events as known set fan_out_failures = least(known.fan_out_failures + 1, 1000)
    where known.id = any (events) and known.fanned_out_at is null;
    return json_build_object('is_set_aside', false, 'disabled', disabled);
  end if;
  -- Another dispatcher may have reported the same failure.
  update funding.events as known
  set fan_out_failures = least(known.fan_out_failures + 1, 1000),
      fan_out_after = present + interval '1 minute' * 2 ^ least(known.fan_out_failures, 10)
  where known.id = events[1] and known.fanned_out_at is null and (known.fan_out_after is null or known.fan_out_after <= present)
  returning * into failed;
  if not found then
    return json_build_object('is_set_aside', false, 'disabled', disabled);
  end if;
  if cardinality(endpoints) < tried or tried = 1 then
    disabled := array(
      select endpoint.id from unnest(endpoints) as endpoint(id)
      where public.report_endpoint_failure(endpoint.id, '57014', null)->>'state' = 'disabled');
  end if;
  if disabled <> '{}' then
    -- Events that failed because of a disabled endpoint need not wait.
    update funding.events as known set fan_out_failures = 0, fan_out_after = null
    where known.fanned_out_at is null and known.fan_out_failures > 0;
    return json_build_object('is_set_aside', false, 'disabled', disabled);
  end if;
  if failed.fan_out_failures >= most_failures and exists (
    select from funding.events as other where other.fanned_out_at > failed.created_at and other.id <> failed.id and other.undeliverable is null)
  then
    update funding.events as known set fanned_out_at = funding.latest_now(), undeliverable = reason where known.id = failed.id;
    begin
      perform funding.fail_deliveries(endpoints, failed.id, reason);
    exception when query_canceled or others then
      -- The cause that prevents the deliveries may prevent this as well. The event has the reason.
      null;
    end;
  end if;
  return json_build_object('disabled', disabled,
    'is_set_aside', exists (select from funding.events as known where known.id = failed.id and known.fanned_out_at is not null));
end
$$;

-- Retries the dead letters, for an operator who has found the reason: parked events are fanned out again, and deliveries that failed
-- with them are sent. Returns the number of these events. Events whose deliveries failed, and whose records are gone since, do not count.
create or replace function funding.retry_undeliverable() returns bigint
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  retried constant uuid[] := array(select event.id from funding.events as event where event.undeliverable is not null for update);
begin
  update funding.events as event set undeliverable = null, fan_out_failures = 0, fan_out_after = null,
    -- An event for one endpoint alone has its delivery already.
    fanned_out_at = case when event.endpoint_id is not null then event.fanned_out_at end
  where event.id = any (retried);
  perform funding.render_again(retried);
  update funding.webhook_deliveries as delivery set state = 'pending', failures = 0, due_at = funding.dispatch_now(), finished_at = null
  from funding.events as event
  where event.id = any (retried) and event.data is not null and delivery.event_id = event.id and delivery.state = 'failed';
  return (
    select count(*) from funding.events as event
    where event.id = any (retried)
      and (event.data is not null or not exists (select from funding.webhook_deliveries as delivery where delivery.event_id = event.id)));
end
$$;

-- Stores the data, or the details, of events that have none, though their deliveries need them.
create or replace function funding.render_again(batch uuid[]) returns void
language plpgsql as $$
declare
  part record;
begin
  for part in
    select dataset, array_agg(id order by created_at, id) as ids, array_agg(distinct record_id) as records
    from funding.events as event
    where id = any (batch)
      and (data is null or details is null and exists (
        select from funding.webhook_deliveries as delivery where delivery.event_id = event.id and delivery.has_details))
    group by 1
  loop
    execute format('select funding.render_events($1, (select array_agg(record) from funding.%I as record where record.id = any ($2)), $3)', part.dataset)
    using part.dataset, part.records, part.ids;
  end loop;
end
$$;

-- Records a failure to make an endpoint's deliveries, with the error's code and message. The endpoint is disabled at once or, after a time limit, the
-- third time in a row: a server that is busy for a while must not disable a good endpoint. Returns { endpoint_id, state, disabled_reason }, or null
-- where there is no such endpoint.
create or replace function public.report_endpoint_failure(endpoint_id uuid, code text, message text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  most_timeouts constant integer := 3;
  failed funding.webhook_endpoints;
begin
  update funding.webhook_endpoints set work_timeouts = work_timeouts + 1
  where id = report_endpoint_failure.endpoint_id
  returning * into failed;
  if code <> '57014' then
    perform funding.disable_endpoints(array[endpoint_id], format('its deliveries cannot be made: %s', left(message, 200)));
  elsif failed.work_timeouts >= most_timeouts then
    perform funding.disable_endpoints(array[endpoint_id],
      format('making its deliveries took too long, %s times in a row: narrow its filters', most_timeouts));
  end if;
  return (
    select json_build_object('endpoint_id', endpoint.id, 'state', endpoint.state, 'disabled_reason', endpoint.disabled_reason)
    from funding.webhook_endpoints as endpoint where endpoint.id = report_endpoint_failure.endpoint_id);
end
$$;

-- supabase/schemas/webhooks/webhook_log.sql
-- Log of deliveries, and redelivery. Another account's ids are unknown ones, as in webhooks.sql.

-- A delivery as the owner of its endpoint sees it. Its record is named as in the event: later changes are not the event's. The latest attempt
-- distinguishes the rows of a list without a request for each row.
create or replace function funding.delivery_body(delivery funding.webhook_deliveries, event funding.events) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'event_id', event.id, 'event', event.event, 'record_id', event.record_id,
    'record_title', coalesce(event.data->>'title', event.data->>'name'), 'event_created_at', funding.moment(event.created_at),
    'state', delivery.state, 'attempts', delivery.attempts,
    'next_attempt_in_seconds', case when delivery.state = 'pending' and delivery.claimed_until is null
      then greatest(0, round(extract(epoch from delivery.due_at - funding.dispatch_now())))::integer end,
    'created_at', funding.moment(delivery.created_at), 'finished_at', funding.moment(delivery.finished_at),
    'last_attempt', (
      select jsonb_build_object('status', attempt.status, 'error', attempt.error, 'duration_ms', attempt.duration_ms,
        'started_at', funding.moment(attempt.started_at))
      from funding.webhook_attempts as attempt
      where attempt.endpoint_id = delivery.endpoint_id and attempt.event_id = delivery.event_id
      order by attempt.number desc limit 1))
$$;

-- An endpoint's deliveries, newest first: { deliveries, next }, with `next` as the `page` of the next call, or null.
-- `filter` may have state, event, page: { created_at, event_id } and limit. Planned for each filter: the plan for all filters, which a
-- session keeps after five calls, reads every delivery for those that failed.
create or replace function funding.list_webhook_deliveries(account_id uuid, webhook_id uuid, filter jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  page_size integer := least(coalesce((filter->>'limit')::integer, 50), 100);
  found_rows jsonb;
begin
  perform funding.webhook_of(account_id, webhook_id);
  select coalesce(jsonb_agg(jsonb_build_object('body', body, 'at', created_at) order by created_at desc, event_id desc), '[]')
  into found_rows
  from (
    select delivery.created_at, delivery.event_id, funding.delivery_body(delivery, happened) as body
    from funding.webhook_deliveries as delivery join funding.events as happened on happened.id = delivery.event_id
    where delivery.endpoint_id = webhook_id
      and (not filter ? 'state' or delivery.state = filter->>'state')
      and (not filter ? 'event' or happened.event = filter->>'event')
      and (not filter ? 'page' or (delivery.created_at, delivery.event_id)
        < ((filter->'page'->>'created_at')::timestamptz, (filter->'page'->>'event_id')::uuid))
    order by delivery.created_at desc, delivery.event_id desc
    limit page_size + 1
  ) as page;
  return json_build_object(
    'deliveries', coalesce((select jsonb_agg(item->'body' order by position)
      from jsonb_array_elements(found_rows) with ordinality as listed(item, position) where position <= page_size), '[]'),
    'next', case when jsonb_array_length(found_rows) > page_size then
      jsonb_build_object('created_at', funding.exact_moment((found_rows->(page_size - 1)->>'at')::timestamptz), 'event_id', found_rows->(page_size - 1)->'body'->'event_id') end);
end
$$;

-- A delivery of an account's endpoint, or PT404, for functions that only read.
create or replace function funding.delivery_of(account_id uuid, webhook_id uuid, event_id uuid) returns funding.webhook_deliveries
language plpgsql as $$
declare
  delivery funding.webhook_deliveries;
begin
  perform funding.webhook_of(account_id, webhook_id);
  select * into delivery from funding.webhook_deliveries as known
  where known.endpoint_id = webhook_id and known.event_id = delivery_of.event_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no delivery of %s', event_id);
  end if;
  return delivery;
end
$$;

-- A delivery of an account's endpoint, or PT404. No other transaction changes the delivery or the endpoint until this one ends.
create or replace function funding.lock_delivery(account_id uuid, webhook_id uuid, event_id uuid) returns funding.webhook_deliveries
language plpgsql as $$
begin
  perform funding.lock_webhook(account_id, webhook_id);
  perform from funding.webhook_deliveries as known
  where known.endpoint_id = webhook_id and known.event_id = lock_delivery.event_id for update;
  return funding.delivery_of(account_id, webhook_id, event_id);
end
$$;

-- One delivery with its payload and its latest attempts, at most 50: the request, the answer, the time it took, the error.
create or replace function funding.get_webhook_delivery(account_id uuid, webhook_id uuid, event_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  delivery funding.webhook_deliveries := funding.delivery_of(account_id, webhook_id, event_id);
  event funding.events;
begin
  select * into event from funding.events where events.id = delivery.event_id;
  return funding.delivery_body(delivery, event) || jsonb_build_object(
    'payload', jsonb_build_object('id', event.id, 'event', event.event, 'created_at', funding.moment(event.created_at),
        'data', coalesce(funding.event_data(event, delivery.has_details), json_build_object('id', event.record_id)))
      || case when event.event like '%.updated' then jsonb_build_object('changes', funding.event_changes(event)) else '{}' end,
    'log', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'attempt', attempt.number, 'url', attempt.url, 'started_at', funding.moment(attempt.started_at), 'duration_ms', attempt.duration_ms,
        'status', attempt.status, 'error', attempt.error, 'message', attempt.message,
        'request_headers', attempt.request_headers, 'response_headers', attempt.response_headers, 'response_body', attempt.response_body)
        order by attempt.number), '[]')
      from (
        select known.* from funding.webhook_attempts as known
        where known.endpoint_id = webhook_id and known.event_id = get_webhook_delivery.event_id
        order by known.number desc limit 50
      ) as attempt));
end
$$;

-- Delivers an event again, with the same id: now, and by a new schedule if that fails.
create or replace function funding.resend_webhook_delivery(account_id uuid, webhook_id uuid, event_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  delivery funding.webhook_deliveries := funding.lock_delivery(account_id, webhook_id, event_id);
  fault text;
begin
  -- An event without data has a record that could not be shown, or is gone.
  perform funding.render_again(array[delivery.event_id]);
  select events.undeliverable into fault from funding.events where events.id = delivery.event_id and events.data is null;
  if found then
    raise sqlstate 'PT409' using message = coalesce(fault, 'the record is no longer there');
  end if;
  -- A delivery that is under way is repeated if it fails, by the schedule from its beginning.
  update funding.webhook_deliveries as known
  set state = 'pending', failures = 0, finished_at = null,
      due_at = case when known.claimed_until is null then funding.dispatch_now() else known.due_at end
  where known.endpoint_id = webhook_id and known.event_id = delivery.event_id
  returning * into delivery;
  return funding.delivery_body(coalesce(delivery, funding.delivery_of(account_id, webhook_id, event_id)),
    (select events from funding.events where events.id = resend_webhook_delivery.event_id));
end
$$;

-- Delivers the events of a range of time that did not arrive: events whose delivery failed, and events that match the endpoint's filters now and were
-- never delivered, for example because the endpoint was disabled. Earlier events count where their fan-out came in the range: the cause that disabled
-- the endpoint, then or before, kept these events from it. At most 14 days back. Returns { events }, the number of events to look at.
create or replace function funding.recover_webhook(account_id uuid, webhook_id uuid, since timestamptz, until timestamptz) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  -- An event whose fan-out fails for nine hours is parked. There is no index by the time of the fan-out, so rows are read so far back.
  longest_fan_out constant interval := '12 hours';
  first_created_at timestamptz;
  counted bigint;
begin
  perform funding.webhook_of(account_id, webhook_id);
  if since < funding.latest_now() - interval '14 days' then
    raise sqlstate 'PT400' using message = 'must be within the last 14 days', hint = 'since';
  end if;
  if until <= since then
    raise sqlstate 'PT400' using message = 'must be after since', hint = 'until';
  end if;
  first_created_at := coalesce((
    select event.created_at from funding.events as event
    where event.created_at >= recover_webhook.since - longest_fan_out and event.created_at < recover_webhook.since
      and event.fanned_out_at >= recover_webhook.since and event.endpoint_id is null
    order by event.created_at limit 1), since);
  -- Before the lock: results of the endpoint's attempts wait for that, and with them those of other endpoints.
  counted := (
    select count(*) from funding.events as event
    where event.created_at >= first_created_at and event.created_at < recover_webhook.until
      and (event.endpoint_id is null or event.endpoint_id = webhook_id)
      and (event.created_at >= recover_webhook.since or event.fanned_out_at >= recover_webhook.since));
  perform funding.lock_webhook(account_id, webhook_id);
  if exists (select from funding.webhook_recoveries where endpoint_id = webhook_id) then
    raise sqlstate 'PT409' using message = 'a recovery of this webhook is under way';
  end if;
  insert into funding.webhook_recoveries (endpoint_id, since, after_time, after_id, until)
  values (webhook_id, since, first_created_at, '00000000-0000-0000-0000-000000000000', least(until, funding.latest_now()));
  return json_build_object('events', counted);
end
$$;

-- Chooses the recovery to work on next. They take turns, a batch each: first those without a batch, the oldest first. Recoveries that were begun and not
-- finished wait ten seconds, and come last. Returns { recovery_id, endpoint_id }, nulls when there is none.
create or replace function public.next_recovery() returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  present constant timestamptz := funding.dispatch_now();
  chosen funding.webhook_recoveries;
begin
  update funding.webhook_recoveries set tried_at = present
  where id = (
    select waiting.id from funding.webhook_recoveries as waiting
    where waiting.tried_at is null or waiting.tried_at <= present - interval '10 seconds'
    order by waiting.tried_at nulls first, waiting.id
    limit 1
    for update skip locked)
  returning * into chosen;
  return json_build_object('recovery_id', chosen.id, 'endpoint_id', chosen.endpoint_id);
end
$$;

-- Works on a recovery, on at most `maximum` events. Without a recovery, it works on the oldest: dispatchers of earlier versions rely on that. Returns
-- { events, deliveries }.
create or replace function public.continue_recoveries(maximum integer, recovery_id bigint default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  recovery funding.webhook_recoveries;
  batch uuid[];
  last_time timestamptz;
  last_id uuid;
  again bigint;
begin
  select * into recovery from funding.webhook_recoveries
  where recovery_id is null or webhook_recoveries.id = recovery_id
  order by tried_at nulls first, id limit 1 for update skip locked;
  if not found then
    return json_build_object('events', 0, 'deliveries', 0);
  end if;
  select array_agg(id order by created_at, id), (array_agg(created_at order by created_at desc, id desc))[1],
         (array_agg(id order by created_at desc, id desc))[1]
  into batch, last_time, last_id
  from (
    select id, created_at from funding.events
    where (created_at, id) > (recovery.after_time, recovery.after_id) and created_at < recovery.until
      and (endpoint_id is null or endpoint_id = recovery.endpoint_id)
      -- Recoveries that were asked for before the upgrade have no `since`.
      and (recovery.since is null or created_at >= recovery.since or fanned_out_at >= recovery.since)
    order by created_at, id limit maximum
  ) as range;
  if batch is null then
    delete from funding.webhook_recoveries where id = recovery.id;
    return json_build_object('events', 0, 'deliveries', 0);
  end if;
  perform funding.render_again(batch);
  update funding.webhook_deliveries as known set state = 'pending', failures = 0, due_at = funding.dispatch_now(), finished_at = null
  from funding.events as event
  where known.endpoint_id = recovery.endpoint_id and known.event_id = any (batch) and known.state = 'failed'
    and event.id = known.event_id and event.data is not null;
  get diagnostics again = row_count;
  -- It need not wait, but comes after the others.
  update funding.webhook_recoveries set after_time = last_time, after_id = last_id, tried_at = funding.dispatch_now() - interval '10 seconds'
  where id = recovery.id;
  update funding.webhook_endpoints set work_timeouts = 0 where id = recovery.endpoint_id and work_timeouts > 0;
  return json_build_object('events', cardinality(batch), 'deliveries', again + funding.fan_out(
    -- Events that wait for their fan-out come to the endpoint with the fan-out.
    array(
      select id from funding.events
      where id = any (batch) and endpoint_id is null and undeliverable is null and (fanned_out_at is not null or fan_out_failures = 0)),
    recovery.endpoint_id));
end
$$;

-- Sends an endpoint an event with a sample record, and with sample details and changes where it has them. Returns the delivery.
create or replace function funding.send_test_event(account_id uuid, webhook_id uuid, event text, data json, details json, changes json) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  sent funding.events;
  delivery funding.webhook_deliveries;
  endpoint constant funding.webhook_endpoints := funding.lock_webhook(account_id, webhook_id);
begin
  insert into funding.events (event, dataset, record_id, endpoint_id, fanned_out_at, data, details, changes)
  values (send_test_event.event, split_part(send_test_event.event, '.', 1) || 's', (send_test_event.data->>'id')::uuid, webhook_id,
    funding.latest_now(), send_test_event.data, send_test_event.details, send_test_event.changes)
  returning * into sent;
  insert into funding.webhook_deliveries (endpoint_id, event_id, has_details, due_at, created_at)
  values (webhook_id, sent.id, endpoint.expand @> '{details}', funding.dispatch_now(), funding.latest_now())
  returning * into delivery;
  return funding.delivery_body(delivery, sent);
end
$$;

-- supabase/schemas/webhooks/webhooks.sql
-- Webhooks of an account, as their owner manages them. Every function takes the account of the caller, and raises PT404 for
-- another account's endpoint as for an unknown id.

-- An account's endpoint, or PT404, for functions that only read. It is not locked: the dispatcher writes results of many endpoints at once, and would
-- wait for each.
create or replace function funding.webhook_of(account_id uuid, webhook_id uuid) returns funding.webhook_endpoints
language plpgsql as $$
declare
  endpoint funding.webhook_endpoints;
begin
  select * into endpoint from funding.webhook_endpoints
  where webhook_endpoints.id = webhook_id and webhook_endpoints.account_id = webhook_of.account_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no webhook %s', webhook_id);
  end if;
  return endpoint;
end
$$;

-- An account's endpoint, or PT404. No other transaction changes the endpoint until this one ends. Waits for another transaction for two seconds, and
-- then fails with 55P03: a request that waits holds a connection, which other accounts need.
create or replace function funding.lock_webhook(account_id uuid, webhook_id uuid) returns funding.webhook_endpoints
language plpgsql set lock_timeout = '2s' as $$
begin
  perform from funding.webhook_endpoints as endpoint
  where endpoint.id = webhook_id and endpoint.account_id = lock_webhook.account_id
  for no key update;
  return funding.webhook_of(account_id, webhook_id);
end
$$;

-- An endpoint as its owner sees it. Of its secrets, it shows only the time until which a former one still signs.
create or replace function funding.webhook_body(endpoint funding.webhook_endpoints) returns json
language sql volatile as $$
  select json_build_object(
    'id', endpoint.id, 'url', endpoint.url, 'description', endpoint.description, 'events', endpoint.events,
    'filters', (select coalesce(jsonb_object_agg(key, value->'query'), '{}') from jsonb_each(endpoint.filters)),
    'deadline_days', endpoint.deadline_days, 'expand', endpoint.expand, 'updated_fields', endpoint.updated_fields, 'state', endpoint.state, 'disabled_reason', endpoint.disabled_reason,
    'failures_in_a_row', endpoint.failures_in_a_row, 'failing_since', funding.moment(endpoint.failing_since),
    'previous_secret_expires_at', (
      select funding.moment(max(former.expires_at)) from funding.webhook_former_secrets as former
      where former.endpoint_id = endpoint.id and former.expires_at > funding.latest_now()),
    'created_at', funding.moment(endpoint.created_at), 'updated_at', funding.moment(endpoint.updated_at))
$$;

-- Adds an endpoint: { id, url, description, events, filters, deadline_days, expand, updated_fields, secret }, as the account API makes it.
-- PT409 without a subscription that has webhooks, and at the account's maximum. PT400 for a filter that cannot be evaluated.
create or replace function funding.create_webhook(account_id uuid, webhook jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  endpoint funding.webhook_endpoints;
  maximum integer := funding.setting('webhook_endpoints_maximum')::integer;
begin
  -- Simultaneous creations take turns, so that two cannot both be the last that the limit allows.
  perform from funding.accounts where accounts.id = create_webhook.account_id for no key update;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no account %s', account_id);
  end if;
  if not funding.has_webhooks(account_id) then
    raise sqlstate 'PT409' using message = 'the subscription does not include webhooks';
  end if;
  if (select count(*) from funding.webhook_endpoints where webhook_endpoints.account_id = create_webhook.account_id) >= maximum then
    raise sqlstate 'PT409' using message = format('an account has at most %s webhooks', maximum);
  end if;
  perform funding.require_filters(webhook->'filters');
  insert into funding.webhook_endpoints (id, account_id, url, description, events, filters, deadline_days, expand, updated_fields, secret)
  select given.id, create_webhook.account_id, given.url, given.description, given.events, given.filters, given.deadline_days,
         coalesce(given.expand, '{}'), coalesce(given.updated_fields, '{}'), given.secret
  from jsonb_to_record(webhook) as given(
    id uuid, url text, description text, events text[], filters jsonb, deadline_days integer[], expand text[], updated_fields text[], secret text)
  returning * into endpoint;
  return funding.webhook_body(endpoint);
end
$$;

-- The account's endpoints, oldest first: { webhooks }.
create or replace function funding.list_webhooks(account_id uuid) returns json
language sql set search_path = funding, extensions, pg_temp as $$
  select json_build_object('webhooks', coalesce(json_agg(funding.webhook_body(endpoint) order by endpoint.created_at, endpoint.id), '[]'))
  from funding.webhook_endpoints as endpoint where endpoint.account_id = list_webhooks.account_id
$$;

-- One endpoint, or PT404.
create or replace function funding.get_webhook(account_id uuid, webhook_id uuid) returns json
language sql set search_path = funding, extensions, pg_temp as $$
  select funding.webhook_body(funding.webhook_of(account_id, webhook_id))
$$;

-- Changes the fields that `changes` has: url, description, events, filters, deadline_days, expand, updated_fields, state (active or paused). An
-- endpoint that becomes active starts without its past failures. PT400 for a filter that cannot be evaluated. Failures belong to a URL: a new URL has
-- none.
create or replace function funding.update_webhook(account_id uuid, webhook_id uuid, changes jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  before funding.webhook_endpoints := funding.lock_webhook(account_id, webhook_id);
  given funding.webhook_endpoints := jsonb_populate_record(before,
    changes - array(select key from jsonb_object_keys(changes) as key
                    where key not in ('url', 'description', 'events', 'filters', 'deadline_days', 'expand', 'updated_fields', 'state')));
  is_started boolean := given.state = 'active' and before.state <> 'active';
  forgets_failures boolean := is_started or given.url <> before.url;
  is_new_scan boolean := given.deadline_days <> before.deadline_days or given.filters <> before.filters or given.events <> before.events;
  endpoint funding.webhook_endpoints;
begin
  if not coalesce(changes->>'state' in ('active', 'paused'), not changes ? 'state') then
    raise sqlstate 'PT400' using message = 'must be active or paused', hint = 'state';
  end if;
  if changes ? 'filters' or is_started then
    perform funding.require_filters(given.filters);
  end if;
  update funding.webhook_endpoints as changed set
    url = given.url, description = given.description, events = given.events, filters = given.filters,
    deadline_days = given.deadline_days, expand = given.expand, updated_fields = given.updated_fields, state = given.state,
    disabled_reason = case when given.state = 'disabled' then before.disabled_reason end,
    failures_in_a_row = case when forgets_failures then 0 else before.failures_in_a_row end,
    failing_since = case when forgets_failures then null else before.failing_since end,
    last_failure_at = case when forgets_failures then null else before.last_failure_at end,
    retry_at = case when forgets_failures then null else before.retry_at end,
    work_timeouts = case when is_started then 0 else before.work_timeouts end,
    set_aside_at = case when given.state = 'disabled' then before.set_aside_at end,
    deadlines_scanned_on = case when is_new_scan then null else before.deadlines_scanned_on end,
    updated_at = now()
  where changed.id = webhook_id
  returning * into endpoint;
  return funding.webhook_body(endpoint);
end
$$;

-- Removes an endpoint with its deliveries and their attempts: { id, is_deleted }. Where there are very many, it removes a part of them, and disables
-- the endpoint, so that no more come. `is_deleted` is then false, and the next call goes on.
--
-- Locks the endpoint as a deletion does, from the start: a scan of its deadlines refers to it, and locks it later for a change, so that a weaker lock
-- could end in a deadlock. Like `funding.lock_webhook`, it waits for two seconds at most.
create or replace function funding.delete_webhook(account_id uuid, webhook_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp set lock_timeout = '2s' as $$
declare
  -- An attempt may have 32 KB of headers and body, in pieces of 2 KB: 10,000 rows are 160,000 at most.
  most_rows constant integer := 10000;
  deleted integer;
  deleted_deliveries integer := 0;
begin
  perform from funding.webhook_endpoints as endpoint
  where endpoint.id = webhook_id and endpoint.account_id = delete_webhook.account_id
  for update;
  perform funding.webhook_of(account_id, webhook_id);
  delete from funding.webhook_attempts where ctid = any (array(
    select part.ctid from funding.webhook_attempts as part where part.endpoint_id = webhook_id limit most_rows for update));
  get diagnostics deleted = row_count;
  if deleted < most_rows then
    delete from funding.webhook_deliveries where ctid = any (array(
      select part.ctid from funding.webhook_deliveries as part where part.endpoint_id = webhook_id limit most_rows - deleted for update));
    get diagnostics deleted_deliveries = row_count;
  end if;
  if deleted + deleted_deliveries < most_rows then
    delete from funding.webhook_endpoints where id = webhook_id;
    return json_build_object('id', webhook_id, 'is_deleted', true);
  end if;
  update funding.webhook_endpoints set state = 'disabled', disabled_reason = 'You deleted it, and some of its deliveries are left: delete it again.'
  where id = webhook_id and state <> 'disabled';
  delete from funding.webhook_recoveries where endpoint_id = webhook_id;
  return json_build_object('id', webhook_id, 'is_deleted', false);
end
$$;

-- Gives an endpoint a new secret. The present secret signs beside it until the overlap ends, and former secrets sign until theirs end. An overlap of
-- 0 seconds ends all of these at once. PT409 where too many secrets would sign.
create or replace function funding.rotate_webhook_secret(account_id uuid, webhook_id uuid, secret text, overlap_seconds integer) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  endpoint funding.webhook_endpoints := funding.lock_webhook(account_id, webhook_id);
  -- Limit of secrets that sign at a time, the present one included: each adds a signature to a header.
  maximum constant integer := 5;
  former record;
begin
  delete from funding.webhook_former_secrets as gone
  where gone.endpoint_id = webhook_id and (overlap_seconds <= 0 or gone.expires_at <= funding.bounded_now());
  if overlap_seconds > 0 then
    select count(*) as number, min(expires_at) as first_end into former
    from funding.webhook_former_secrets as remaining where remaining.endpoint_id = webhook_id;
    if former.number + 2 > maximum then
      raise sqlstate 'PT409' using message = format(
        '%s secrets sign already, which is the most; rotate after %s, when the overlap of one has ended, or with overlap_seconds 0, which ends all but the new one at once',
        former.number + 1, funding.moment(former.first_end));
    end if;
    insert into funding.webhook_former_secrets (endpoint_id, secret, expires_at)
    values (webhook_id, endpoint.secret, funding.latest_now() + overlap_seconds * interval '1 second');
  end if;
  update funding.webhook_endpoints as changed set secret = rotate_webhook_secret.secret, updated_at = now()
  where changed.id = webhook_id
  returning * into endpoint;
  return funding.webhook_body(endpoint);
end
$$;

-- supabase/schemas/index/bitmaps/bitmap_filters.sql
-- Records that match a filter, from the bitmap index, without reading the records.

-- Conditions of a filter, the same as in `funding.predicate`. Null where the bitmaps cannot answer one of them. The legs of a ranked search match the
-- search's words: such a filter has conditions only for the words that the search excludes and the phrases that it requires.
create or replace function funding.bitmap_conditions(dataset text, filter jsonb) returns funding.bitmap_condition[]
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  rule record;
  found funding.bitmap_condition[];
  -- Every record of the segments.
  conditions funding.bitmap_condition[] := array[('', 'value', 'all', null)];
  wanted_fields text[] := '{}';
begin
  perform funding.require_rules(dataset, filter);
  for rule in
    select known.* from funding.filter_rules(bitmap_conditions.dataset) as known
    where (filter ? known.name or known.is_always) and known.kind <> 'modifier'
  loop
    found := case rule.kind
      when 'own' then funding.own_bitmaps(dataset, rule.name, filter)
      when 'value' then array(
        select (rule.name, case when rule.is_excluding then 'lacks' else 'value' end, wanted, null)::funding.bitmap_condition
        from unnest(funding.wanted_names(rule.field, rule.form, filter->rule.name)) as wanted)
      when 'within' then funding.range_bitmaps(rule.name, rule.field, rule.form, filter->rule.name)
      when 'condition' then null
      else funding.rank_bitmaps(rule.name, rule.kind, rule.field, rule.form, filter->rule.name)
    end;
    -- A filter that wants no value at all leaves no record, and has no bitmap.
    if found is null or not rule.is_ranked or found = '{}' and rule.kind = 'value' then
      return null;
    end if;
    conditions := conditions || found;
    if found <> '{}' and rule.field is not null then
      wanted_fields := array_append(wanted_fields, rule.field);
      if exists (select from funding.listed_values(filter->rule.name) as code where char_length(code) = any (rule.beginnings)) then
        wanted_fields := array_append(wanted_fields, rule.field || ' beginnings');
      end if;
    end if;
  end loop;
  -- A segment that an earlier version made lacks the fields that came since, until the next fit.
  return case when not exists (select from funding.blocks_of(bitmap_conditions.dataset) as known where not known.fields @> wanted_fields) then conditions end;
end
$$;

-- Bound of a measured field, as its ranks have it.
create or replace function funding.rank_bound(form text, bound text) returns double precision
language plpgsql immutable as $$
begin
  return case form when 'day' then extract(epoch from bound::date) when 'moment' then extract(epoch from bound::timestamptz) else bound::double precision end;
end
$$;

-- Condition of a bound. Null while sources' time zones have different days.
create or replace function funding.rank_bitmaps(name text, kind text, field text, form text, bound jsonb) returns funding.bitmap_condition[]
language plpgsql immutable as $$
begin
  return case when jsonb_typeof(bound) <> 'object' then array[(name, kind, field, funding.rank_bound(form, bound #>> '{}'))]::funding.bitmap_condition[] end;
end
$$;

-- Conditions of a range. Null for `outside`: ranks separate values above a bound from values below it, but do not separate records without a value from
-- either.
create or replace function funding.range_bitmaps(name text, field text, form text, bounds jsonb) returns funding.bitmap_condition[]
language plpgsql immutable as $$
begin
  return case when bounds->>'operator' <> 'outside' then array[
    (name || ' min', 'from', field, funding.rank_bound(form, bounds->>'min')),
    (name || ' max', 'upto', field, funding.rank_bound(form, bounds->>'max'))]::funding.bitmap_condition[] end;
end
$$;

-- Conditions of a filter that no rule of shared/catalogue expresses: those of `funding.own_condition`.
create or replace function funding.own_bitmaps(dataset text, name text, filter jsonb) returns funding.bitmap_condition[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  wanted text[];
begin
  case name
    when 'search' then
      return funding.search_bitmaps(dataset, filter);
    when 'opportunity_type' then
      wanted := case coalesce(filter->>'opportunity_type', 'open')
        when 'open' then array['classification=opportunity'] when 'awarded' then array['classification=awarded_project'] else '{}' end;
    when 'include_archived' then
      wanted := case when coalesce((filter->>'include_archived')::boolean, false) then '{}'
        when coalesce((filter->>'include_versions')::boolean, false) then array['current', 'current version'] else array['current'] end;
    -- `current` leaves them out already.
    when 'include_versions' then
      return case when coalesce((filter->>'include_archived')::boolean, false) and not coalesce((filter->>'include_versions')::boolean, false)
        then array[(own_bitmaps.name, 'lacks', 'version', null)]::funding.bitmap_condition[] else '{}' end;
    when 'states' then
      wanted := array(
        select funding.bitmap_name('state', state) from unnest(funding.text_array(filter->'states')) as state
        union
        select 'national' where (filter->>'include_national')::boolean);
    when 'closing_within' then
      if jsonb_typeof(filter->'closing_within'->'from') = 'object' or jsonb_typeof(filter->'closing_within'->'upto') = 'object' then
        return null;
      end if;
      return funding.rank_bitmaps('closing_within from', 'from', 'deadline_date', 'day', filter->'closing_within'->'from')
        || funding.rank_bitmaps('closing_within upto', 'upto', 'deadline_date', 'day', filter->'closing_within'->'upto')
        || array[('closing_within status', 'value', 'status=open', null), ('closing_within status', 'value', 'status=posted', null)]::funding.bitmap_condition[];
    when 'geography' then
      wanted := null;
    when 'applicant_type' then
      wanted := funding.wanted_applicant_types(filter);
  end case;
  return case when wanted is not null then array(
    select (own_bitmaps.name, 'value', wanted_name, null)::funding.bitmap_condition from unnest(wanted) as wanted_name) end;
end
$$;

-- Conditions of a filter's search. Null for phrases and alternatives, and where the search is an identifier: identifiers have no bitmaps.
create or replace function funding.search_bitmaps(dataset text, filter jsonb) returns funding.bitmap_condition[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- A word costs as much as ten values.
  most_words constant integer := 8;
  mode constant text := coalesce(filter->>'search_mode', 'keyword');
  words text;
  wanted text[];
begin
  if mode <> 'keyword' then
    return case when not (filter->>'search' like '%-%' and funding.excluded_words(filter->>'search') is not null
      or mode = 'ranked_keyword' and funding.required_phrases(filter->>'search') is not null) then '{}'::funding.bitmap_condition[] end;
  end if;
  if funding.identifier_condition(dataset, filter) is not null then
    return null;
  end if;
  words := funding.parse_query(filter->>'search')::text;
  if words !~ $c$\A!?'[^'\\]+'( & !?'[^'\\]+')*\Z$c$ then
    return null;
  end if;
  wanted := string_to_array(words, ' & ');
  if cardinality(wanted) > most_words then
    return null;
  end if;
  return array(
    select ('search ' || position, case when word like '!%' then 'without' else 'word' end, btrim(word, '!'''), null)::funding.bitmap_condition
    from unnest(wanted) with ordinality as item(word, position));
end
$$;

-- Records of a dataset's segments that meet the conditions.
create or replace function funding.bitmap_matches(dataset text, conditions funding.bitmap_condition[]) returns funding.slot_bitmaps
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  generation constant integer := (select fit.generation from funding.lexicon_fit as fit);
  first_block constant integer := funding.first_block(generation);
  last_block constant integer := funding.last_block(generation);
  parameters integer;
  are_values boolean;
begin
  select count(distinct parameter) filter (where kind not in ('without', 'lacks')), bool_and(kind in ('value', 'lacks')) into parameters, are_values
  from unnest(conditions);
  -- Most lists and searches have conditions without words and bounds: a special case of the query below, in half of its time.
  if are_values then
    return (
      -- Evaluated once, not for each block.
      with lacks as materialized (
        select block, bit_or(bits) as bits
        from (
          select retired.block, retired.bits from funding.retired_bits(bitmap_matches.dataset) as retired
          union all
          select bitmaps.block, bitmaps.bits
          from unnest(conditions) as item
          join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = item.name
            and bitmaps.block between first_block and last_block
          where item.kind = 'lacks'
        ) as excluded
        group by block
      )
      select (array_agg(met.block), array_agg(case when lacks.bits is null then met.bits else met.bits & ~ lacks.bits end))::funding.slot_bitmaps
      from (
        select has.block, bit_and(has.bits) as bits
        from (
          select item.parameter, bitmaps.block, bit_or(bitmaps.bits) as bits
          from unnest(conditions) as item
          join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = item.name
            and bitmaps.block between first_block and last_block
          where item.kind = 'value'
          group by item.parameter, bitmaps.block
        ) as has
        group by has.block
        having count(*) = parameters
      ) as met
      left join lacks using (block)
    );
  end if;
  return (
    with condition as materialized (
      -- A frequent word has a bitmap, as a value has.
      select item.parameter, item.bound, coalesce(frequent.name, item.name) as name,
             case when frequent.name is null and item.kind <> 'lacks' then item.kind else 'value' end as kind,
             item.kind in ('without', 'lacks') as is_excluded
      from unnest(conditions) as item
      left join lateral (
        select bitmaps.name from funding.bitmaps
        where item.kind in ('word', 'without') and bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = funding.bitmap_name('word', item.name)
          and bitmaps.block between first_block and last_block
        limit 1
      ) as frequent on true
    ), valued as materialized (
      -- Blocks that have values of each of these parameters: of the others, whose number may be ten times theirs, nothing is read below.
      select bitmaps.block
      from condition join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = condition.name
        and bitmaps.block between first_block and last_block
      where condition.kind = 'value' and not condition.is_excluded
      group by bitmaps.block
      having count(distinct condition.parameter) = (select count(distinct parameter) from condition where kind = 'value' and not is_excluded)
    ), bound as materialized (
      -- Rank that divides a field's values in a segment at the bound; 0 where all values are above it.
      select condition.parameter, condition.name, segment.segment, segment.size, condition.kind in ('above', 'from') as is_above, coalesce((
          select known.rank from funding.segment_values as known
          where known.dataset = bitmap_matches.dataset and known.field = condition.name and known.segment = segment.segment
            and known.value <= condition.bound and (condition.kind in ('above', 'upto') or known.value <> condition.bound)
          order by known.value desc
          limit 1), 0)::real as rank
      from condition
      cross join (select distinct blocks.segment, blocks.size from funding.blocks_of(bitmap_matches.dataset) as blocks) as segment
      where condition.bound is not null
    ), ranged as materialized (
      -- The lowest and highest rank of a block (a zone map) show whether all its values are on one side of the bound. If they are, the block's ranks
      -- (64 KB) are not read: this query has only the pointer to them.
      select bound.parameter, ranks.block, bound.is_above, bound.rank, bound.size, ranks.ranks, ranks.valued,
             coalesce(case when bound.is_above then ranks.lowest > bound.rank else ranks.highest <= bound.rank end, false) as is_all
      from bound
      join funding.blocks on blocks.dataset = bitmap_matches.dataset and blocks.segment = bound.segment and blocks.size = bound.size
      join funding.ranks on ranks.dataset = bitmap_matches.dataset and ranks.field = bound.name and ranks.block = blocks.block
      where not coalesce(case when bound.is_above then ranks.highest <= bound.rank else ranks.lowest > bound.rank end, false)
        and (not exists (select from condition where kind = 'value' and not is_excluded) or blocks.block in (select block from valued))
    ), has as (
      select parameter, block, bit_or(bits) as bits
      from (
        select condition.parameter, bitmaps.block, bitmaps.bits
        from condition join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = condition.name
          and bitmaps.block between first_block and last_block
        where condition.kind = 'value' and not condition.is_excluded and bitmaps.block in (select block from valued)
        union all
        select condition.parameter, postings.block, binary_quantize(postings.weights::vector)
        from condition join funding.postings on postings.dataset = bitmap_matches.dataset and postings.term = condition.name
          and postings.block between first_block and last_block
        where condition.kind = 'word'
          and (not exists (select from condition as other where other.kind = 'value' and not other.is_excluded) or postings.block in (select block from valued))
        union all
        select ranged.parameter, ranged.block, ranged.valued from ranged where ranged.is_all
        union all
        select ranged.parameter, ranged.block, case
            when ranged.is_above then binary_quantize(ranged.ranks - divided.ranks)
            else coalesce(ranged.valued, binary_quantize(ranged.ranks)) & ~ binary_quantize(ranged.ranks - divided.ranks)
          end
        from ranged
        -- Most blocks have one bound and one size.
        join (
          select given.rank, given.size, funding.filled_vector(given.rank, given.size) as ranks
          from (select distinct ranged.rank, ranged.size from ranged where not ranged.is_all) as given
        ) as divided using (rank, size)
        where not ranged.is_all
      ) as alternative
      group by parameter, block
    ), lacks as (
      select block, bit_or(bits) as bits
      from (
        select postings.block, binary_quantize(postings.weights::vector) as bits
        from condition join funding.postings on postings.dataset = bitmap_matches.dataset and postings.term = condition.name
          and postings.block between first_block and last_block
        where condition.kind = 'without'
        union all
        select bitmaps.block, bitmaps.bits
        from condition join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = condition.name
          and bitmaps.block between first_block and last_block
        where condition.kind = 'value' and condition.is_excluded
        union all
        select retired.block, retired.bits from funding.retired_bits(bitmap_matches.dataset) as retired
      ) as excluded
      group by block
    )
    select (array_agg(met.block), array_agg(case when lacks.bits is null then met.bits else met.bits & ~ lacks.bits end))::funding.slot_bitmaps
    from (
      select block, bit_and(bits) as bits from has group by block having count(*) = parameters
    ) as met left join lacks using (block)
  );
end
$$;

-- Number of ones among the bits of blocks.
create or replace function funding.count_of(found funding.slot_bitmaps) returns bigint
language plpgsql immutable as $$
begin
  return (select coalesce(sum(bit_count(bits)), 0) from unnest(found.bits) as bits);
end
$$;

-- Records that match a filter, by the bitmaps, and the number of records in no segment. Null where the bitmaps cannot answer the filter, or would not
-- be quicker. A stable caller has one snapshot, so both are of one moment.
create or replace function funding.match_by_bitmaps(dataset text, filters jsonb) returns funding.bitmap_matches
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- Counting more records than this is as slow as counting all.
  most_unsealed constant integer := 5000;
  conditions funding.bitmap_condition[];
  found funding.bitmap_matches;
begin
  found.sealed_end := funding.sealed_end(dataset);
  if found.sealed_end = 1 then
    return null;
  end if;
  found.unsealed := funding.count_unsealed(dataset, found.sealed_end, most_unsealed);
  if found.unsealed > most_unsealed then
    return null;
  end if;
  conditions := funding.bitmap_conditions(dataset, filters);
  if conditions is null then
    return null;
  end if;
  found.sealed := funding.bitmap_matches(dataset, conditions);
  return found;
end
$$;

-- supabase/schemas/index/bitmaps/bitmap_pages.sql
-- Page of a list from the bitmap index. It reads only the records of the page, and a few more, however many match the filter.

-- Top-k slots of a segment by a field, among the slots of `matching`, as bits: between `wanted` and `most` of them, or all where fewer match.
-- `matching` begins after the segment's first `before` slots, and may end before its last.
--
-- Each slice has one binary digit of every record's position in the order. It divides the undecided records into two halves. Where the first half and
-- the records selected so far are `wanted` or more, the second half is dropped. Where they are fewer, the first half is selected, and the next slice
-- divides the second. So ties and nulls need no special case, and each slice costs the same, however many records match.
create or replace function funding.first_in_order(
  dataset text, segment integer, field text, direction text, matching bit varying, before integer, wanted integer, most integer) returns bit varying
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  first_ones bit varying := matching # matching;
  how_many integer := 0;
  open_ones bit varying := matching;
  half bit varying;
  in_half integer;
  sliced record;
begin
  if bit_count(matching) <= most then
    return matching;
  end if;
  for sliced in
    select slice, case when before = 0 and length(bits) = length(matching) then bits else substring(bits from before + 1 for length(matching)) end as bits,
           slice = max(slice) over () as is_highest
    from funding.segment_slices as known
    where known.dataset = first_in_order.dataset and known.field = first_in_order.field and known.segment = first_in_order.segment
    order by slice desc
  loop
    half := open_ones & sliced.bits;
    -- The highest slice has the records with a value, which come before the records without one in both directions.
    if direction = 'asc' and not sliced.is_highest then
      half := open_ones # half;
    end if;
    in_half := bit_count(half);
    if how_many + in_half >= wanted then
      open_ones := half;
    else
      first_ones := first_ones | half;
      how_many := how_many + in_half;
      open_ones := open_ones # half;
      in_half := bit_count(open_ones);
    end if;
    exit when how_many + in_half <= most;
  end loop;
  return first_ones | open_ones;
end
$$;

-- Slots of the first `wanted` matching records of each segment, and up to 20 more, in no order. It leaves out the first `skipped` records of the
-- fit's segment.
create or replace function funding.first_slots(
  dataset text, field text, direction text, matches funding.slot_bitmaps, wanted integer, skipped integer)
returns integer[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  fitted constant integer := (select funding.first_block(fit.generation) from funding.lexicon_fit as fit);
  known record;
  matching bit varying;
  block_bits bit varying;
  first_ones bit varying;
  slots integer[] := '{}';
begin
  for known in
    -- An empty segment costs nothing, and neither do the blocks before and after those with matches: the awards of many years, for instance.
    select given.segment, min(given.segment_slot) as segment_slot, min(given.first_slot) as first_slot,
           array_agg(coalesce(given.bits, repeat('0', given.size)::bit varying) order by given.first_slot) as bits
    from (
      select blocks.segment, blocks.first_slot, blocks.size, matched.bits,
             min(blocks.first_slot) over (partition by blocks.segment) as segment_slot,
             min(blocks.first_slot) filter (where matched.bits is not null) over (partition by blocks.segment) as first_matched,
             max(blocks.first_slot) filter (where matched.bits is not null) over (partition by blocks.segment) as last_matched
      from funding.blocks_of(first_slots.dataset) as blocks left join unnest(matches.blocks, matches.bits) as matched(block, bits) using (block)
    ) as given
    where given.first_slot between given.first_matched and given.last_matched
    group by given.segment
  loop
    matching := '';
    foreach block_bits in array known.bits loop
      matching := matching || block_bits;
    end loop;
    -- A slice takes as long as reading about twenty records.
    first_ones := funding.first_in_order(dataset, known.segment, field, direction, matching, known.first_slot - known.segment_slot, wanted, wanted + 20);
    if skipped > 0 and known.segment = fitted then
      first_ones := first_ones # funding.first_in_order(dataset, fitted, field, direction, matching, known.first_slot - known.segment_slot, skipped, skipped);
    end if;
    slots := slots || array(select known.first_slot - 1 + position from unnest(funding.positions_of(first_ones)) as position);
  end loop;
  return slots;
end
$$;

-- Ids of one page of the records with these slots, in the order of a list.
create or replace function funding.slots_in_order(
  dataset text, slots integer[], sort_by text, direction text, page_size bigint, page_offset bigint) returns uuid[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return case dataset
    when 'grants' then array(
      select record.id
      from funding.grants as record
      cross join lateral (
        select case sort_by when 'amount_min' then record.amount_min when 'amount_max' then record.amount_max
          when 'deadline_date' then extract(epoch from record.deadline_date) else extract(epoch from record.created_at) end as value) as sorted
      where record.slot = any (slots)
      order by case direction when 'asc' then sorted.value else - sorted.value end nulls last, case direction when 'asc' then record.id end,
        record.id desc
      limit page_size offset page_offset)
    when 'contracts' then array(
      select record.id
      from funding.contracts as record
      cross join lateral (
        select case sort_by when 'amount_min' then record.amount_min when 'amount_max' then record.amount_max
          when 'deadline_date' then extract(epoch from record.deadline_date) else extract(epoch from record.created_at) end as value) as sorted
      where record.slot = any (slots)
      order by case direction when 'asc' then sorted.value else - sorted.value end nulls last, case direction when 'asc' then record.id end,
        record.id desc
      limit page_size offset page_offset)
  end;
end
$$;

-- Page and total of a list, by one evaluation of the bitmaps. Records in no segment are read one by one. The page has no ids where an index finds
-- them sooner, or no slices know the order. Null where the bitmaps cannot answer the filter.
create or replace function funding.bitmap_page(dataset text, request funding.list_request) returns funding.found_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := request.filter;
  sort_by constant text := (request.list_order).sort_by;
  direction constant text := (request.list_order).direction;
  found constant funding.bitmap_matches := funding.match_by_bitmaps(dataset, filter);
  -- One record more than the page, which shows whether another page follows.
  page_size constant bigint := (request.page).page_size + 1;
  page_offset constant bigint := (request.page).page_offset;
  last_position constant bigint := page_offset + page_size;
  skipped integer := 0;
  is_sliced boolean;
  sealed bigint;
  in_first_segment bigint;
  others bigint := 0;
  other_slots integer[] := '{}';
  slots integer[];
  page funding.found_page;
begin
  if found.sealed_end is null then
    return null;
  end if;
  sealed := funding.count_of(found.sealed);
  is_sliced := (request.page).after_cursor is null and not funding.is_soon_found(dataset, filter, sort_by, sealed, page_size, page_offset)
    and exists (select from funding.segment_slices as known where known.dataset = bitmap_page.dataset and known.field = sort_by);
  if found.unsealed > 0 then
    execute format('select count(*), %s from %s where %s',
      case when is_sliced then format('coalesce((array_agg(record.slot order by %s))[:$2], ''{}'')', funding.sort_order(sort_by, direction)) else 'null' end,
      funding.unsealed_records(dataset, '$3', found.unsealed), funding.predicate(dataset, filter))
    into others, other_slots using filter, last_position, found.sealed_end;
  end if;
  page.total := sealed + others;
  if is_sliced then
    if page_offset > 50 then
      in_first_segment := (
        select coalesce(sum(bit_count(matched.bits)), 0)
        from unnest((found.sealed).blocks, (found.sealed).bits) as matched(block, bits)
        join funding.blocks_of(bitmap_page.dataset) as blocks on blocks.block = matched.block
        join funding.lexicon_fit as fit on blocks.segment = funding.first_block(fit.generation));
      -- Number of the fit's records that precede the page even if all other records do. Skipping a few saves no time.
      if page_offset - (page.total - in_first_segment) > 50 then
        skipped := least(page_offset - (page.total - in_first_segment), in_first_segment);
      end if;
    end if;
    slots := funding.first_slots(dataset, sort_by, direction, found.sealed, last_position::integer, skipped) || other_slots;
    page.ids := funding.slots_in_order(dataset, slots, sort_by, direction, page_size, page_offset - skipped);
  end if;
  return page;
end
$$;

-- Whether an index in the order of a list finds a page as fast as the bitmaps. It does for a page among the first thousand records, where the filter
-- matches an eighth of the records of its type, which the index has apart, in the order of their posting time, which says little about other fields:
-- 0.2 ms at 79,700 grants, where the bitmaps take 0.5 to 1. (In the order of deadline or amount, the first records of an index may be just those that a
-- filter excludes, 10 to 100 ms; and for a page at 10,000 all records before it are read, 20 ms.) A page of thousands is read as a whole.
create or replace function funding.is_soon_found(
  dataset text, filter jsonb, sort_by text, matching bigint, page_size bigint, page_offset bigint) returns boolean
language plpgsql stable as $$
declare
  -- Funders have no types.
  types constant text[] := array(
    select own.name from unnest(funding.own_bitmaps(dataset, 'opportunity_type', filter)) as own where dataset <> 'funders');
begin
  return page_size > 1000 or sort_by = 'created_at' and page_offset + page_size <= 1000 and matching * 8 >= (
    select sum(blocks.size) from funding.blocks_of(is_soon_found.dataset) as blocks
    where types = '{}' or exists (
      select from funding.bitmaps where bitmaps.dataset = is_soon_found.dataset and bitmaps.name = any (types) and bitmaps.block = blocks.block));
end
$$;

-- supabase/schemas/index/fit/drift.sql
-- Drift of the records from the fit that they are searched by.

-- Share of records that came or changed since the fit, or were moved by the cleaning, once three quarters had changed: of the dataset where it is
-- largest. A dataset counts as at least a twenty-fifth of all records, so that a small one does not cause a fit of all. Null where there are no records.
create or replace function funding.lexicon_drift() returns double precision
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  records bigint;
  changed bigint;
  all_records bigint[];
  all_changed bigint[];
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('select count(*), count(*) filter (where slot >= $1) from funding.%I', dataset)
    into records, changed using funding.fitted_end(dataset);
    all_records := all_records || records;
    all_changed := all_changed || changed;
  end loop;
  return (
    select max(counted.changed / nullif(greatest(counted.records, counted.every / 25), 0)::double precision)
    from (select *, sum(known.records) over () as every from unnest(all_records, all_changed) as known(records, changed)) as counted);
end
$$;

-- supabase/schemas/index/fit/embedding_queue.sql
-- Queue of the records' texts that wait for a vector of an external model: a text's `passage` is 0 for the record itself, and the number of a passage of a
-- long text otherwise (passages.sql). A dispatcher claims some, has the model's provider embed them, and stores their
-- vectors. A claim is a lease: when its dispatcher dies, the claim ends by itself. Leases and pauses are in the dispatcher's time.

-- Trigger of the datasets: queues new records, and records whose text changed, in the transaction that writes them. Without an external model it does
-- nothing. A changed text ends the claim of the text before it.
create or replace function funding.queue_embeddings() returns trigger
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  if funding.embedded_model() is null then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from funding.embedding_queue where dataset = tg_table_name and record_id = old.id;
  elsif tg_op = 'INSERT' then
    execute format('insert into funding.embedding_queue (dataset, record_id, passage)
        select %L, record.id, passage.number
        from new_records as record cross join lateral generate_series(0, cardinality(%s) - 1) as passage(number)
        order by record.id, passage.number
        on conflict (dataset, record_id, passage)
          do update set queued_at = excluded.queued_at, claimed_until = null, attempts = 0, refusal = null',
      tg_table_name, funding.embedded_texts_of(tg_table_name));
  else
    delete from funding.embedding_queue where dataset = tg_table_name and record_id = new.id;
    insert into funding.embedding_queue (dataset, record_id, passage)
    select tg_table_name, new.id, passage.number
    from generate_series(0, cardinality(funding.texts_of_record(tg_table_name, new.id)) - 1) as passage(number)
    on conflict (dataset, record_id, passage)
      do update set queued_at = excluded.queued_at, claimed_until = null, attempts = 0, refusal = null;
  end if;
  return null;
end
$$;

-- Makes the queue anew: the records that lack a vector of the model by which dispatchers embed, without what providers said about their texts. Nobody
-- may write to the datasets meanwhile.
create or replace function funding.queue_lacking_vectors() returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  model constant text := funding.embedded_model();
  dataset text;
begin
  delete from funding.embedding_queue;
  update funding.embedding_state set failures_in_a_row = 0, paused_until = null, last_failure = null;
  if model is not null then
    foreach dataset in array array['funders', 'grants', 'contracts'] loop
      execute format('insert into funding.embedding_queue (dataset, record_id, passage) select %L, record.id, given.number - 1 from %s',
        dataset, funding.texts_to_embed(dataset)) using model;
    end loop;
  end if;
end
$$;

-- Texts by which a record is embedded, or null where there is no such record.
create or replace function funding.texts_of_record(dataset text, record_id uuid) returns text[]
language plpgsql stable as $$
begin
  return case dataset
    when 'grants' then (select funding.embedded_texts(record.title, record.description) from funding.grants as record where record.id = record_id)
    when 'contracts' then (select funding.embedded_texts(record.title, record.description) from funding.contracts as record where record.id = record_id)
    when 'funders' then (select funding.embedded_texts(record.name, record.summary) from funding.funders as record where record.id = record_id)
  end;
end
$$;

-- Claims up to `maximum` texts for two minutes, where the model is one of `providers`. Those whose claims ended without a result come after the
-- others; after a failure of the provider a claim has few. Reserves their tokens, at four characters each, of the day's, and some requests of the
-- minute's: `finish_embeddings` gives back what was not spent. Two dispatchers never get the same text.
--
-- Returns { model, claimed_until, tokens, requests, records: [{ dataset, id, passage, body, text_hash }] }; the model is null where it is the lexicon.
create or replace function public.claim_embeddings(providers text[], maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  model constant text := funding.embedded_model();
  today constant date := (funding.latest_now() at time zone 'UTC')::date;
  nothing constant json := json_build_object('model', model, 'records', '[]'::json);
  present timestamptz;
  state record;
  tokens_left bigint;
  requests_left integer;
  lease_end timestamptz;
  reserved bigint;
  claimed json;
begin
  -- Nearly always nothing waits.
  if model is null or split_part(model, '/', 1) <> all (providers) or not exists (select from funding.embedding_queue where refusal is null) then
    return nothing;
  end if;
  present := funding.tick();
  lease_end := present + interval '2 minutes';
  -- Locked, so that two dispatchers do not reserve the same tokens.
  select * into state from funding.embedding_state for update;
  tokens_left := funding.setting('embedding_daily_tokens')::bigint - case when state.day = today then state.tokens_today else 0 end;
  requests_left := least(24, funding.setting('embedding_requests_per_minute')::integer
    - case when state.minute = date_trunc('minute', present) then state.requests_in_minute else 0 end);
  if state.paused_until > present or tokens_left <= 0 or requests_left <= 0 then
    return nothing;
  end if;
  with due as materialized (
    select queued.dataset, queued.record_id, queued.passage, queued.attempts, queued.queued_at
    from funding.embedding_queue as queued
    where queued.refusal is null and (queued.claimed_until is null or queued.claimed_until <= present)
    order by queued.attempts, queued.queued_at
    -- After a failure the next request is a trial.
    limit least(maximum, case when state.failures_in_a_row > 0 then 8 end,
      -- Supabase runs the model in the function, whose processor time is 2 s.
      case when model like 'supabase/%' then 4 end)
    for update skip locked
  ), text as materialized (
    select due.*, known.texts[due.passage + 1] as body
    from due
    join (
      select record.dataset, record.record_id, funding.texts_of_record(record.dataset, record.record_id) as texts
      from (select distinct due.dataset, due.record_id from due) as record
    ) as known using (dataset, record_id)
  ), gone as (
    -- Their table was truncated, or passages have another length now.
    delete from funding.embedding_queue as queued using text
    where text.body is null and queued.dataset = text.dataset and queued.record_id = text.record_id and queued.passage = text.passage
  ), counted as (
    select text.*, ceil(length(text.body) / 4.0)::bigint as tokens,
           sum(ceil(length(text.body) / 4.0)) over (order by text.attempts, text.queued_at, text.record_id, text.passage) as total
    from text where text.body is not null
  ), taken as (
    update funding.embedding_queue as queued set claimed_until = lease_end, attempts = queued.attempts + 1
    from counted
    where counted.total <= tokens_left and queued.dataset = counted.dataset and queued.record_id = counted.record_id and queued.passage = counted.passage
    returning queued.dataset, queued.record_id, queued.passage, counted.body, counted.tokens
  )
  select sum(taken.tokens), json_agg(json_build_object('dataset', taken.dataset, 'id', taken.record_id, 'passage', taken.passage, 'body', taken.body,
    'text_hash', md5(taken.body)))
  into reserved, claimed from taken;
  if claimed is null then
    return nothing;
  end if;
  update funding.embedding_state as known set
    tokens = known.tokens + reserved,
    day = today, tokens_today = case when known.day = today then known.tokens_today else 0 end + reserved,
    minute = date_trunc('minute', present),
    requests_in_minute = case when known.minute = date_trunc('minute', present) then known.requests_in_minute else 0 end + requests_left;
  return json_build_object('model', model, 'claimed_until', lease_end, 'tokens', reserved, 'requests', requests_left, 'records', claimed);
end
$$;

-- Records the results of a claim. `batch` has its texts: [{ dataset, id, passage, text_hash, vector, refusal }], with a vector as pgvector's text, or the
-- reason why the provider refuses the text, which is set aside until it changes. Records with neither wait on. `spent` is { reserved_tokens, tokens,
-- reserved_requests, requests, failure, retry_after_seconds }: after a failure no dispatcher claims for 5 seconds, which double with each failure up
-- to 5 minutes, or for as long as the provider asks, up to an hour. Returns { stored }.
create or replace function public.finish_embeddings(model text, claimed_until timestamptz, batch jsonb, spent jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  today constant date := (funding.latest_now() at time zone 'UTC')::date;
  present constant timestamptz := funding.dispatch_now();
  given_tokens constant bigint := coalesce((spent->>'tokens')::bigint, 0) - coalesce((spent->>'reserved_tokens')::bigint, 0);
  dataset text;
  stored integer := 0;
begin
  if model = funding.embedded_model() then
    foreach dataset in array array['funders', 'grants', 'contracts'] loop
      stored := stored + funding.store_embeddings(dataset, model, (
        select coalesce(jsonb_agg(item), '[]') from jsonb_array_elements(batch) as item
        where item->>'dataset' = dataset and item->>'vector' is not null));
    end loop;
  end if;
  -- A claim that has ended, or whose record has changed, has another time.
  update funding.embedding_queue as queued
  set claimed_until = null, refusal = item.refusal, attempts = greatest(queued.attempts - 1, 0)
  from jsonb_to_recordset(batch) as item(dataset text, id uuid, passage integer, refusal text)
  where queued.dataset = item.dataset and queued.record_id = item.id and queued.passage = coalesce(item.passage, 0) and queued.claimed_until = finish_embeddings.claimed_until;
  -- Last, since all dispatchers write this row.
  update funding.embedding_state as known set
    tokens = known.tokens + given_tokens,
    requests = known.requests + coalesce((spent->>'requests')::integer, 0),
    records = known.records + stored,
    tokens_today = greatest(0, known.tokens_today + case when known.day = today then given_tokens else 0 end),
    requests_in_minute = greatest(0, known.requests_in_minute + case when known.minute = date_trunc('minute', present)
      then coalesce((spent->>'requests')::integer, 0) - coalesce((spent->>'reserved_requests')::integer, 0) else 0 end);
  if spent->>'failure' is not null then
    update funding.embedding_state as known set
      failures = known.failures + 1,
      last_failure = spent->>'failure',
      failures_in_a_row = next.failures,
      paused_until = greatest(known.paused_until, present + interval '1 second' * greatest(
        least(300, 5 * 2 ^ least(next.failures - 1, 10)),
        case when spent->>'retry_after_seconds' is not null then least(3600, (spent->>'retry_after_seconds')::double precision) end))
    from (
      -- A failure beside another one, which has made the pause, is a part of it.
      select case when stored > 0 then 1 when now.paused_until > present then now.failures_in_a_row else now.failures_in_a_row + 1 end as failures
      from funding.embedding_state as now) as next;
  elsif stored > 0 then
    update funding.embedding_state set failures_in_a_row = 0, paused_until = null, last_failure = null where failures_in_a_row > 0;
  end if;
  return json_build_object('stored', stored);
end
$$;

-- Keeps dispatchers from claiming records for five minutes, while a command embeds them; with `is_over`, lets them go on. Does nothing where search
-- does not use the model. Adds to the totals what the command has spent.
create or replace function funding.hold_embeddings(model text, tokens bigint, requests integer, is_over boolean default false) returns void
language plpgsql as $$
declare
  present constant timestamptz := funding.tick();
begin
  update funding.embedding_state as known set
    tokens = known.tokens + hold_embeddings.tokens, requests = known.requests + hold_embeddings.requests,
    paused_until = case when model is distinct from funding.embedded_model() then known.paused_until
      when not is_over then present + interval '5 minutes' end;
end
$$;

-- State of the queue, for the metrics. Numbers of records are counted to `most`.
create or replace function funding.embedding_metrics(most integer) returns json
language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'waiting', (select count(*) from (select from funding.embedding_queue where refusal is null limit most) as waiting),
      'oldest_seconds', (
        select extract(epoch from now() - oldest.queued_at)::double precision
        from (select queued_at from funding.embedding_queue where refusal is null order by queued_at limit 1) as oldest),
      'refused', (select count(*) from (select from funding.embedding_queue where refusal is not null limit most) as refused),
      'tokens', state.tokens, 'requests', state.requests, 'records', state.records, 'failures', state.failures,
      'tokens_today', case when state.day = (funding.latest_now() at time zone 'UTC')::date then state.tokens_today else 0 end,
      'daily_tokens', funding.setting('embedding_daily_tokens'))
    from funding.embedding_state as state);
end
$$;

-- supabase/schemas/index/fit/embeddings.sql
-- Records' vectors under an external model: records without a vector, and storing of new vectors.

-- SQL of the texts by which a dataset's records are embedded and that have no vector of the model $1: rows `record`, and `given` with `body` and
-- `number`, from 1. The table that is searched has none of that model, and none waits in `next_embeddings`. With `all_texts`, all of them, and
-- `given.is_lacking`.
create or replace function funding.texts_to_embed(dataset text, all_texts boolean default false) returns text
language sql stable as $$
  select format($texts$
    funding.%1$I as record
    cross join lateral (
      select text.body, text.number,
        not exists (
          select from funding.%2$I as known
          where known.slot = record.slot and known.passage = text.number - 1 and $1 = funding.setting('embedding_model')#>>'{}')
        and not exists (
          select from funding.next_embeddings as next
          where next.model = $1 and next.dataset = %1$L and next.record_id = record.id and next.passage = text.number - 1
            and next.text_hash = md5(text.body)) as is_lacking
      from unnest(%3$s) with ordinality as text(body, number)
    ) as given %4$s
  $texts$, dataset, funding.vectors_table(dataset, fit.vectors), funding.embedded_texts_of(dataset), case when not all_texts then 'where given.is_lacking' end)
  from funding.lexicon_fit as fit
$$;

-- For each dataset: the number of records, of texts that lack a vector of a model, and of characters in those.
create or replace function funding.embedding_backlog(model text)
returns table (dataset text, records bigint, lacking bigint, characters bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($backlog$
      select count(*) filter (where given.number = 1), count(*) filter (where given.is_lacking),
             coalesce(sum(length(given.body)) filter (where given.is_lacking), 0)
      from %s
    $backlog$, funding.texts_to_embed(dataset, true))
    into records, lacking, characters using model;
    return next;
  end loop;
end
$$;

-- Number of records of a dataset that a search by meaning cannot find yet, up to `most`. (By the lexicon, a record has no vector if all its words are
-- unknown.)
create or replace function funding.count_without_vector(dataset text, most integer) returns bigint
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  lacking bigint;
begin
  if fit.dimensions > 0 and funding.external_model() is null then
    return 0;
  end if;
  execute format('select count(*) from (
      select from funding.%I as record where not exists (
        select from funding.%I as known where known.slot = record.slot and known.passage = 0) limit $1) as waiting',
    dataset, funding.vectors_table(dataset, fit.vectors))
  into lacking using most;
  return lacking;
end
$$;

-- Next texts of records that lack a vector of a model, by the records' ids, after the id `after`: `maximum`, and the rest of the last record's. Those that
-- a dispatcher has claimed are left out.
create or replace function funding.texts_lacking_vectors(dataset text, model text, after uuid, maximum integer)
returns table (id uuid, passage integer, body text, text_hash text)
language plpgsql volatile
set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($records$
    select record.id, given.number::integer - 1, given.body, md5(given.body)
    from %1$s and record.id > $2 and not exists (
      select from funding.embedding_queue as queued
      where $1 = $4 and queued.dataset = %2$L and queued.record_id = record.id and queued.passage = given.number - 1 and queued.claimed_until > $5)
    order by record.id
    fetch first $3 rows with ties
  $records$, funding.texts_to_embed(dataset), dataset)
  using model, after, maximum, funding.embedded_model(), funding.dispatch_now();
end
$$;

-- Stores vectors of records' texts that an external model made: in the table that is searched when search uses the model, else in the table where they
-- wait. A text that has changed meanwhile is skipped, and stays in the queue; the others leave it, if it is of this model. Returns the number of
-- stored vectors. `batch` is [{ id, passage, text_hash, vector }], with vectors as pgvector's text; `passage` is 0 where it is missing.
create or replace function funding.store_embeddings(dataset text, model text, batch jsonb) returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  stored integer;
  vectors constant integer := (select fit.vectors from funding.lexicon_fit as fit);
begin
  perform funding.require_room();
  if model = 'lexicon' then
    raise exception 'the lexicon''s vectors are made in the database';
  end if;
  execute format($insert$
    with record as materialized (
      select record.id, record.slot, %2$s as is_usual, %3$s as texts
      from funding.%1$I as record
      where record.id = any (array(select (item->>'id')::uuid from jsonb_array_elements($2) as item))
        -- In this statement: the model may change between two.
        and ($1 is not distinct from funding.external_model()) = $3
        and (not $3 or exists (select from funding.lexicon_fit as fit where fit.vectors = $4))
      order by record.id
      -- Locked: a record that gets another slot meanwhile would leave this vector at its old slot, and a text that changes is queued again, and must
      -- stay so.
      for no key update of record
    ), made as materialized (
      select record.id, record.slot, record.is_usual, text.number - 1 as passage, given.text_hash, given.vector
      from record
      cross join lateral unnest(record.texts) with ordinality as text(body, number)
      join jsonb_to_recordset($2) as given(id uuid, passage integer, text_hash text, vector text)
        on given.id = record.id and coalesce(given.passage, 0) = text.number - 1 and given.text_hash = md5(text.body)
    ), done as (
      delete from funding.embedding_queue as queued using made
      where $1 = funding.embedded_model() and queued.dataset = %1$L and queued.record_id = made.id and queued.passage = made.passage
    )
  $insert$, dataset, funding.usual_condition(dataset), funding.embedded_texts_of(dataset)) || case
    when model = funding.external_model() then format($searched$
      insert into funding.%I (slot, passage, embedding, is_usual)
      select made.slot, made.passage, funding.vector_of($1, made.vector), made.is_usual from made
      on conflict (slot, passage) do update set embedding = excluded.embedding
    $searched$, funding.vectors_table(dataset, vectors))
    else format($waiting$
      insert into funding.next_embeddings (model, dataset, record_id, passage, text_hash, embedding)
      select $1, %L, made.id, made.passage, made.text_hash, funding.vector_of($1, made.vector) from made
      on conflict (model, dataset, record_id, passage)
        do update set text_hash = excluded.text_hash, embedding = excluded.embedding, kept_since = null
    $waiting$, dataset)
  end
  using model, batch, model is not distinct from funding.external_model(), vectors;
  get diagnostics stored = row_count;
  -- Pages in caches were ranked without these vectors.
  if model = funding.external_model() then
    update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where data_versions.dataset = 'search' and stored > 0;
  end if;
  return stored;
end
$$;

-- supabase/schemas/index/fit/model_change.sql
-- The change from one embedding model to another.

-- Fills the tables of vectors that are not searched: adds a model's vectors of the records that have none there yet. Without nested loops, which the
-- planner takes for an empty table: each row would read all that were added before it.
create or replace function funding.fill_vectors(model text) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set enable_nestloop = off as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($fill$
      insert into funding.%1$I (slot, passage, embedding, is_usual)
      select made.slot, made.passage, made.embedding, made.is_usual
      from (select record.slot, %3$s, %4$s as is_usual from funding.%2$I as record %5$s) as made
      where made.embedding is not null
        and not exists (select from funding.%1$I as known where known.slot = made.slot and known.passage = made.passage)
      on conflict do nothing
    $fill$, funding.vectors_table(dataset, 1 - fit.vectors), dataset,
      case when model = 'lexicon' then '0 as passage, funding.lexicon_embedding(record.lexemes, $2)::halfvec as embedding' else 'next.passage, next.embedding' end,
      funding.usual_condition(dataset),
      case when model <> 'lexicon' then format('cross join lateral unnest(%s) with ordinality as text(body, number)
        join funding.next_embeddings as next
          on next.model = $1 and next.dataset = %L and next.record_id = record.id and next.passage = text.number - 1 and next.text_hash = md5(text.body)',
        funding.embedded_texts_of(dataset), dataset) end)
    using model, fit.generation;
  end loop;
end
$$;

-- Keeps the vectors of the external model that search has used so far, and those of changes that were given up, for `former_vector_days`: they wait like
-- those of a model to come, so that going back costs what has changed since.
create or replace function funding.keep_former_vectors() returns void
language plpgsql
set search_path = funding, extensions, pg_temp set enable_nestloop = off as $$
declare
  model constant text := funding.external_model();
  vectors constant integer := (select fit.vectors from funding.lexicon_fit as fit);
  dataset text;
begin
  update funding.next_embeddings set kept_since = funding.bounded_now() where kept_since is null;
  if model is null then
    return;
  end if;
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($keep$
      insert into funding.next_embeddings (model, dataset, record_id, passage, text_hash, embedding, kept_since)
      select $1, %1$L, record.id, known.passage, md5(text.body), known.embedding, $2
      from funding.%1$I as record
      cross join lateral unnest(%2$s) with ordinality as text(body, number)
      join funding.%3$I as known on known.slot = record.slot and known.passage = text.number - 1
      on conflict (model, dataset, record_id, passage)
        do update set text_hash = excluded.text_hash, embedding = excluded.embedding, kept_since = excluded.kept_since
    $keep$, dataset, funding.embedded_texts_of(dataset), funding.vectors_table(dataset, vectors))
    using model, funding.bounded_now();
  end loop;
end
$$;

-- Makes search use a model and the vectors that are there, in the caller's transaction: searches use the old model until that commits. Writers wait at
-- the end, while the vectors of records that came meanwhile are stored; records without a vector of an external model are queued. Raises PT409 while a
-- fit is being made: `forget_fit` would give the fit up, and transactions that write vectors for it must end first.
create or replace function funding.swap_embedding_model(model text) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := funding.lock_fit();
  other constant integer := 1 - fit.vectors;
begin
  -- Writers would go on to store the fit's vectors until this transaction ends.
  if exists (select from funding.next_fit) then
    raise exception 'the lexicon is being fitted: try again' using errcode = 'PT409';
  end if;
  perform funding.forget_fit();
  perform funding.drop_vector_indexes(other);
  perform funding.resize_vectors(other, model);
  perform funding.fill_vectors(model);
  perform funding.refresh_vector_indexes(other);
  -- Before writers wait: what changes after it is embedded anew on the way back.
  perform funding.keep_former_vectors();
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  perform funding.fill_vectors(model);
  perform funding.prune_vectors(dataset, other) from unnest(array['funders', 'grants', 'contracts']) as dataset;
  delete from funding.next_embeddings as waiting where waiting.model = swap_embedding_model.model;
  update funding.settings set value = to_jsonb(model) where name = 'embedding_model';
  update funding.lexicon_fit set vectors = other;
  update funding.embedding_state set next_model = null, next_since = null;
  perform funding.queue_lacking_vectors();
end
$$;

-- Makes search use a model whose vectors all records have. Returns the number of records that lack one; when there are any, nothing has changed.
create or replace function funding.adopt_embedding_model(model text) returns bigint
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := funding.lock_fit();
  backlog bigint;
begin
  if model = 'lexicon' then
    if fit.dimensions = 0 then
      raise sqlstate 'PT400' using message = 'the lexicon has not been fitted: run npm run lexicon first';
    end if;
  else
    select sum(lacking) into backlog from funding.embedding_backlog(model);
    if backlog > 0 then
      return backlog;
    end if;
  end if;
  if funding.setting('embedding_model') = to_jsonb(model) then
    perform funding.begin_embedding_model();
    return 0;
  end if;

  perform funding.swap_embedding_model(model);
  return 0;
end
$$;

-- Begins the change to a model that only dispatchers can ask: all records without a vector of it are queued. Searches use the present model until
-- `adopt_next_model`; meanwhile records that come are embedded by the new one. Without a model, gives up a change that had begun.
create or replace function funding.begin_embedding_model(model text default null) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
begin
  if model = funding.setting('embedding_model')#>>'{}' then
    model := null;
  end if;
  if model is distinct from (select state.next_model from funding.embedding_state as state) then
    lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
    update funding.embedding_state set next_model = model, next_since = case when model is not null then funding.bounded_now() end;
    perform funding.queue_lacking_vectors();
  end if;
end
$$;

-- Where the change to a model has begun and no record waits for it, makes search use that model; with `most`, where no dataset has as many vectors of it.
-- Returns whether it did. While a fit is being made, it does not.
create or replace function funding.adopt_next_model(most bigint default null) returns boolean
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  new_model constant text := (select state.next_model from funding.embedding_state as state);
begin
  if new_model is null or exists (select from funding.embedding_queue where refusal is null) or exists (select from funding.next_fit)
    or exists (select from funding.next_embeddings as next where next.model = new_model group by next.dataset having count(*) >= most) then
    return false;
  end if;
  perform funding.lock_fit();
  perform funding.swap_embedding_model(new_model);
  return true;
end
$$;

-- supabase/schemas/index/fit/refit.sql
-- A fit is made beside the one in force, as another generation: its lexicon, each record's vector by that lexicon, with the vectors' indexes, and
-- segments of all records. It comes into force when `lexicon_fit` names its generation (`funding.adopt_fit`), so that a search is answered by one fit
-- or by the other. A fit changes no record, and nobody waits for it. While it fills its vectors, a transaction that writes a record writes the
-- record's vectors for both fits (`funding.store_vector`).

-- Locks the row that names the generation in force, and returns it: a transaction that changes the generation, or deletes the other one, relies on
-- this row. Searches do not wait.
create or replace function funding.lock_fit() returns funding.lexicon_fit
language plpgsql volatile as $$
declare
  fit funding.lexicon_fit;
begin
  select * into fit from funding.lexicon_fit for update;
  return fit;
end
$$;

-- Deletes the data of the generation that is not in force: of the former fit, or of a fit that is being made. A fit that is being made is given up,
-- unless `gives_up` is false: then nothing is deleted.
create or replace function funding.forget_fit(gives_up boolean default true) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := funding.lock_fit();
  known_dataset text;
begin
  if not gives_up and exists (select from funding.next_fit) then
    return;
  end if;
  delete from funding.next_fit;
  delete from funding.lexicon where generation = 1 - fit.generation;
  foreach known_dataset in array array['funders', 'grants', 'contracts'] loop
    perform funding.drop_segments(known_dataset, array(
      select distinct blocks.segment from funding.blocks
      where blocks.dataset = known_dataset
        and blocks.block between funding.first_block(1 - fit.generation) and funding.last_block(1 - fit.generation)));
    perform funding.delete_vectors(known_dataset, 1 - fit.vectors);
  end loop;
end
$$;

-- Whether the tables of vectors with a number have any vector. Looked up by their indexes: `exists` would read all deleted rows until a vacuum.
create or replace function funding.has_vectors(vectors integer) returns boolean
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  if vectors = 0 then
    return (select min(slot) from funding.grants_vectors_0) is not null
      or (select min(slot) from funding.contracts_vectors_0) is not null
      or (select min(slot) from funding.funders_vectors_0) is not null;
  end if;
  return (select min(slot) from funding.grants_vectors_1) is not null
    or (select min(slot) from funding.contracts_vectors_1) is not null
    or (select min(slot) from funding.funders_vectors_1) is not null;
end
$$;

-- Gives up a fit that was not continued for six hours, because the command that made it has ended. Then deletes what is left of the generation that is
-- not in force, and of a replaced embedding model: at most `most` rows of each table and one segment at a time. Returns whether it deleted any.
create or replace function funding.forget_lost_fit(most integer default 2000) returns boolean
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  known_dataset text;
  segment record;
  deleted integer;
  all_deleted integer := 0;
begin
  if not exists (select from funding.next_fit where prepared_at < funding.bounded_now() - interval '6 hours') and (
    exists (select from funding.next_fit) or not (
      -- By the index: `exists` would read every word of the generation in force to find none of the other.
      (select min(term) from funding.lexicon where generation = 1 - fit.generation) is not null
      or exists (select from funding.blocks where block between funding.first_block(1 - fit.generation) and funding.last_block(1 - fit.generation))
      or funding.has_vectors(1 - fit.vectors))) then
    return false;
  end if;
  -- Another transaction that has locked the row deletes the rest.
  select * into fit from funding.lexicon_fit for update skip locked;
  if not found then
    return false;
  end if;
  delete from funding.next_fit where prepared_at < funding.bounded_now() - interval '6 hours';
  if exists (select from funding.next_fit) then
    return false;
  end if;
  foreach known_dataset in array array['funders', 'grants', 'contracts'] loop
    select known.segment into segment from funding.blocks as known
    where known.dataset = known_dataset and known.block between funding.first_block(1 - fit.generation) and funding.last_block(1 - fit.generation) limit 1;
    if found then
      perform funding.drop_segments(known_dataset, array[segment.segment]);
      all_deleted := all_deleted + 1;
    end if;
    execute format('delete from funding.%1$I where ctid = any (array(select ctid from funding.%1$I limit $1))',
      funding.vectors_table(known_dataset, 1 - fit.vectors)) using most;
    get diagnostics deleted = row_count;
    all_deleted := all_deleted + deleted;
  end loop;
  -- The lexicon goes last: its rows show that something is left.
  if all_deleted = 0 then
    delete from funding.lexicon where ctid = any (array(select ctid from funding.lexicon where generation = 1 - fit.generation limit most));
    get diagnostics all_deleted = row_count;
  end if;
  return all_deleted > 0;
end
$$;

-- Begins a fit, in place of any other that is being made. Returns its id, which each further step has to name. Weights of BM25 that are
-- not given are those of the settings.
create or replace function funding.begin_fit(documents integer, average_length real, dimensions integer,
  bm25_k1 real default funding.setting('bm25_k1')::real, bm25_b real default funding.setting('bm25_b')::real,
  bm25_title_weight real default funding.setting('bm25_title_weight')::real, has_singular_order boolean default false) returns uuid
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  former constant funding.lexicon_fit := funding.lock_fit();
  fit constant uuid := gen_random_uuid();
  makes_vectors constant boolean := funding.setting('embedding_model') = '"lexicon"';
begin
  perform funding.require_room();
  perform funding.forget_fit();
  perform funding.renumber_slots(dataset) from unnest(array['funders', 'grants', 'contracts']) as dataset;
  if makes_vectors then
    perform funding.resize_vectors(1 - former.vectors, 'lexicon');
  end if;
  insert into funding.next_fit (
    id, documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight, has_singular_order, makes_vectors, generation, vectors)
  values (fit, begin_fit.documents, begin_fit.average_length, begin_fit.dimensions, begin_fit.bm25_k1, begin_fit.bm25_b, begin_fit.bm25_title_weight,
    begin_fit.has_singular_order, makes_vectors, 1 - former.generation, case when makes_vectors then 1 - former.vectors else former.vectors end);
  return fit;
end
$$;

-- Fit that is being made. Raises PT409 when the fit was given up, so that two fits cannot be mixed.
create or replace function funding.fit_in_preparation(fit uuid) returns funding.next_fit
language plpgsql as $$
declare
  found_fit funding.next_fit;
begin
  perform funding.require_room();
  update funding.next_fit set prepared_at = now() where id = fit returning * into found_fit;
  if not found then
    raise exception 'this fit was given up, because another was begun or the embedding model was changed: run npm run lexicon again' using errcode = 'PT409';
  end if;
  return found_fit;
end
$$;

-- Adds terms to the next lexicon. A vector is given as text, or null.
create or replace function funding.prepare_terms(fit uuid, terms text[], document_frequencies integer[], vectors text[]) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  insert into funding.lexicon (generation, term, document_frequency, vector)
  select next.generation, item.term, item.frequency, item.vector::vector
  from unnest(terms, document_frequencies, vectors) as item(term, frequency, vector);
end
$$;

-- Marks the next lexicon as complete. Transactions that begin to write to the datasets from now on also write vectors by this lexicon. Deletes
-- the vectors that writers stored for an earlier fit. Transactions that were writing when this fit began must have ended.
create or replace function funding.start_filling(fit uuid) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  if next.makes_vectors then
    perform funding.delete_vectors(dataset, next.vectors) from unnest(array['funders', 'grants', 'contracts']) as dataset;
  end if;
  update funding.next_fit set is_filling = true where id = next.id;
end
$$;

-- Makes the vectors, by the next lexicon, of up to `maximum` records of a dataset (null: all): those after a slot. Transactions that were writing
-- when the lexicon became complete must have ended. Returns the number of records that it read, and the slot of the last one.
create or replace function funding.prepare_vectors(
  fit uuid, dataset text, after integer, maximum integer, out prepared integer, out last_slot integer)
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  execute format($prepare$
    with record as materialized (
      select record.slot, record.lexemes, %3$s as is_usual
      from funding.%1$I as record where record.slot > $1 order by record.slot limit $2
    ), made as materialized (
      -- Not within `stored`, which would make each vector twice: once to see whether the vector is null.
      select record.slot, record.is_usual, case when $4 then funding.lexicon_embedding(record.lexemes, $3)::halfvec end as embedding
      from record
    ), stored as (
      insert into funding.%2$I (slot, embedding, is_usual)
      select made.slot, made.embedding, made.is_usual from made
      where made.embedding is not null
      on conflict do nothing
    )
    select count(*), max(record.slot) from record
  $prepare$, dataset, funding.vectors_table(dataset, next.vectors), funding.usual_condition(dataset))
  into prepared, last_slot using after, maximum, next.generation, next.makes_vectors;
end
$$;

-- Next fit as a row of `lexicon_fit`.
create or replace function funding.as_lexicon_fit(next funding.next_fit) returns funding.lexicon_fit
language sql immutable as $$
  select jsonb_populate_record(null::funding.lexicon_fit, to_jsonb(next))
$$;

-- Last slot that the next segment of a dataset can have: `funding.settled_slot`. Null where the slot is not known yet: then the caller calls again.
create or replace function funding.last_slot_to_prepare(dataset text) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  -- Sealing uses the same marks.
  perform pg_advisory_xact_lock(funding.segments_lock(dataset));
  return funding.settled_slot(dataset);
end
$$;

-- Makes the posting lists of the next segments of a dataset, by the next lexicon: of all records up to a slot. There is one segment for each run of
-- slots without a gap of 4,000, since a segment takes space and time for its gaps as well.
create or replace function funding.prepare_postings(fit uuid, dataset text, last_slot integer) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  block integer := funding.first_block(next.generation);
  run record;
begin
  for run in execute format($runs$
    select min(slot) as first_slot, max(slot) as last_slot
    from (
      select given.slot, sum(given.is_new) over (order by given.slot) as stretch
      from (
        select slot, case when slot - lag(slot) over (order by slot) > 4000 then 1 else 0 end as is_new
        from funding.%I where slot <= $1
      ) as given
    ) as stretches
    group by stretch order by 1
  $runs$, dataset) using last_slot
  loop
    perform funding.index_words(
      -- A dense vector holds no more than sixteen thousand values.
      (dataset, block, block, run.first_slot, run.last_slot - run.first_slot + 1, least(run.last_slot - run.first_slot + 1, 16000)),
      funding.slotted_records(dataset, run.first_slot, run.last_slot), funding.as_lexicon_fit(next));
    block := block + (run.last_slot - run.first_slot) / 16000 + 1;
  end loop;
  update funding.blocks as known set is_fitted = true
  where known.dataset = prepare_postings.dataset and known.block between funding.first_block(next.generation) and funding.last_block(next.generation);
end
$$;

-- Makes the bitmaps of the next segments of a dataset, after their posting lists.
create or replace function funding.prepare_bitmaps(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  segment funding.segment;
begin
  for segment in
    select known.dataset, known.segment, min(known.block), min(known.first_slot), sum(known.size)::integer, max(known.size)
    from funding.blocks as known
    where known.dataset = prepare_bitmaps.dataset
      and known.block between funding.first_block(next.generation) and funding.last_block(next.generation)
    group by 1, 2
  loop
    perform funding.index_fields(segment, funding.slotted_records(dataset, segment.first_slot, segment.first_slot + segment.slots - 1),
      funding.as_lexicon_fit(next));
  end loop;
end
$$;

-- Puts a fit in force: searches use the former one until this transaction ends. Writers do not wait for this transaction.
create or replace function funding.adopt_fit(fit uuid) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  former constant funding.lexicon_fit := funding.lock_fit();
  next funding.next_fit := funding.fit_in_preparation(fit);
  adopted text;
begin
  if next.makes_vectors <> (funding.setting('embedding_model') = '"lexicon"') then
    raise exception 'this fit was given up, because the embedding model was changed' using errcode = 'PT409';
  end if;
  foreach adopted in array array['funders', 'grants', 'contracts'] loop
    -- Slots that were retired while the segments were made are masked with the others. Other transactions take this lock before they mask slots.
    perform pg_advisory_xact_lock(funding.segments_lock(adopted));
    delete from funding.retired_slots where dataset = adopted;
    execute format($alive$
      update funding.bitmaps as known
      set bits = alive.bits
      from (
        select blocks.block, case when count(record.slot) > 0
            then funding.bits_at(array_agg(record.slot - blocks.first_slot + 1) filter (where record.slot is not null), blocks.size)
            else repeat('0', blocks.size)::bit varying
          end as bits
        from funding.blocks
        left join funding.%1$I as record on record.slot between blocks.first_slot and blocks.first_slot + blocks.size - 1
        where blocks.dataset = %1$L and blocks.block between $1 and $2
        group by blocks.block, blocks.size
      ) as alive
      where known.dataset = %1$L and known.name = 'all' and known.block = alive.block
    $alive$, adopted) using funding.first_block(next.generation), funding.last_block(next.generation);
  end loop;
  update funding.lexicon_fit
  set documents = next.documents, average_length = next.average_length, dimensions = next.dimensions, bm25_k1 = next.bm25_k1,
      bm25_b = next.bm25_b, bm25_title_weight = next.bm25_title_weight, has_singular_order = next.has_singular_order, generation = next.generation, vectors = next.vectors, fitted_at = now();
  delete from funding.next_fit;
  -- Pages in caches are of the former fit.
  update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where data_versions.dataset = 'search';
end
$$;

-- Indexes every record anew by the present lexicon and its weights, in the caller's transaction. Nobody else may write to the datasets meanwhile.
-- Returns the number of records.
create or replace function funding.reindex_records() returns bigint
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid;
  vectors integer;
  dataset text;
  total bigint := 0;
begin
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  select funding.begin_fit(former.documents, former.average_length, former.dimensions, former.bm25_k1, former.bm25_b, former.bm25_title_weight,
    former.has_singular_order)
  into fit from funding.lexicon_fit as former;
  vectors := (select next.vectors from funding.next_fit as next);
  perform funding.drop_vector_indexes(vectors);
  insert into funding.lexicon (generation, term, document_frequency, vector)
  select next.generation, known.term, known.document_frequency, known.vector
  from funding.next_fit as next join funding.lexicon as known on known.generation = 1 - next.generation;
  perform funding.start_filling(fit);
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    total := total + (funding.prepare_vectors(fit, dataset, 0, null)).prepared;
    perform funding.prepare_postings(fit, dataset, funding.last_slot_to_prepare(dataset));
    perform funding.prepare_bitmaps(fit, dataset);
  end loop;
  perform funding.refresh_vector_indexes(vectors);
  perform funding.adopt_fit(fit);
  perform funding.forget_fit();
  return total;
end
$$;

-- supabase/schemas/index/segments/bitmaps.sql
-- Bitmap index (O'Neil and Quass, 1997) over the fields that lists are filtered by: one bitmap for each value that a filter may ask for. A filter
-- combines bitmaps by `and` and `or`, and its total is the number of bits that are left.
--
-- Each version of a record has a slot, a number of its own: the column `slot`. Segments (segments.sql) cover ranges of slots, in blocks.
-- Each block has one bitmap for a name. Posting lists have the same blocks. They are bitmaps too, of the weights that are not zero; for frequent
-- words, these bitmaps are stored. Values that are compared by size are stored as ranks, one vector a block.

-- SQL for the names of the bitmaps that have the row named `record`: an array, in which some names are null or repeated. The bitmap `all` has every
-- record of a segment.
create or replace function funding.bitmap_names(dataset text) returns text
language sql immutable as $$
  select $c$array['all']$c$ || coalesce((select string_agg(' || ' || names, '') from funding.bitmap_fields(bitmap_names.dataset) as names), '')
    || case when dataset <> 'funders' then ' || funding.detail_bitmaps(record.details)' else '' end
$$;

-- Columns that the bitmaps are made of.
create or replace function funding.filtered_columns(dataset text) returns setof text
language sql immutable as $$
  select unnest(array['classification', 'status', 'archived_at', 'superseded_by', 'is_national', 'states', 'categories', 'amount_min', 'amount_max',
    'deadline_date', 'project_end_date', 'created_at', 'source', 'details'])
  union all
  select unnest(array['naics', 'set_aside_code']) where dataset = 'contracts'
$$;

-- Bits of a block with ones at these positions.
create or replace function funding.bits_at(positions integer[], size integer) returns bit varying
language sql immutable parallel safe
set search_path = funding, extensions, pg_temp as $$
  select binary_quantize(format('{%s:1}/%s', array_to_string(positions, ':1,'), size)::sparsevec::vector)
$$;

-- Makes the bitmaps, ranks and orders of a segment by a fit. The segment's posting lists are there already. `records` is SQL for its records, with
-- their `slot`. A word that a hundredth of the fit's records have gets a bitmap. (Making one from weights takes 50 microseconds in each block.)
create or replace function funding.index_fields(segment funding.segment, records text, fit funding.lexicon_fit) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  digits constant integer := length(ltrim(segment.slots::bit(32)::text, '0'));
  ranked record;
begin
  execute format($bitmaps$
    insert into funding.bitmaps (dataset, name, block, bits)
    select ($1).dataset, given.name, blocks.block, funding.bits_at(given.positions, blocks.size)
    from (
      select named.name, (record.slot - ($1).first_slot) / ($1).block_size as position,
             array_agg((record.slot - ($1).first_slot) %% ($1).block_size + 1) as positions
      from (%s) as record cross join lateral (select distinct unnest(%s) as name) as named
      where named.name is not null
      group by 1, 2
    ) as given
    join funding.blocks on blocks.dataset = ($1).dataset and blocks.block = ($1).first_block + given.position
  $bitmaps$, records, funding.bitmap_names(segment.dataset)) using segment;

  insert into funding.bitmaps (dataset, name, block, bits)
  select postings.dataset, funding.bitmap_name('word', postings.term), postings.block, binary_quantize(postings.weights::vector)
  from funding.blocks
  join funding.postings on postings.dataset = blocks.dataset and postings.block = blocks.block
  join funding.lexicon
    on lexicon.generation = fit.generation and lexicon.term = postings.term and lexicon.document_frequency >= fit.documents * 0.01
  where blocks.dataset = segment.dataset and blocks.segment = segment.number;

  for ranked in select * from funding.ranked_fields(segment.dataset) loop
    execute format($ranks$
      with ranked as materialized (
        select record.slot, %2$s as value, dense_rank() over (order by %2$s) as rank
        from (%1$s) as record where %2$s is not null
      ), noted as (
        insert into funding.segment_values (dataset, field, segment, value, rank)
        select distinct ($1).dataset, $2, ($1).number, ranked.value, ranked.rank from ranked
      )
      insert into funding.ranks (dataset, field, block, ranks, lowest, highest, valued)
      select ($1).dataset, $2, ($1).first_block + (slot - ($1).first_slot) / ($1).block_size, array_agg(rank order by slot)::vector,
             min(nullif(rank, 0)), max(rank), binary_quantize(array_agg(rank order by slot)::vector)
      from (
        -- Not a join: the planner knows the size of neither side, and may compare each row with each.
        select slot, max(rank)::real as rank
        from (
          select slot, rank from ranked
          union all
          select slot, 0 from generate_series(($1).first_slot, ($1).first_slot + $3 - 1) as slot
        ) as given
        group by slot
      ) as slotted
      group by 3
    $ranks$, records, ranked.value) using segment, ranked.field, segment.slots;

    continue when ranked.sort_column is null;
    execute format($slices$
      with placed as materialized (
        select array_agg(given.position order by given.slot) as positions
        from (
          select slot, sum(position)::integer as position
          from (
            select record.slot,
                   row_number() over (order by record.%2$I, record.id) + case when record.%2$I is null then 0 else 1 << $4 end as position
            from (%1$s) as record
            union all
            select slot, 0 from generate_series(($1).first_slot, ($1).first_slot + $3 - 1) as slot
          ) as slotted
          group by slot
        ) as given
      )
      insert into funding.segment_slices (dataset, field, segment, slice, bits)
      select ($1).dataset, $2, ($1).number, slice,
             (select string_agg((position >> slice & 1)::text, '') from unnest(placed.positions) as position)::bit varying
      from placed, generate_series(0, $4) as slice
    $slices$, records, ranked.sort_column) using segment, ranked.field, segment.slots, digits;
  end loop;
end
$$;

-- Trigger: gives a record another slot when the record comes, or changes in a column that filters read. (`index_record` causes a new slot for a
-- change of the record's text.)
create or replace function funding.take_slot() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.slot := nextval(format('funding.%I', tg_table_name || '_slots'));
  return new;
end
$$;

-- Trigger: retires the slot of a record that got another one or was deleted (its tombstone).
create or replace function funding.retire_slot() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into funding.retired_slots (dataset, slot) values (tg_table_name, old.slot) on conflict do nothing;
  return null;
end
$$;

-- supabase/schemas/index/segments/cleaning.sql
-- Cleaning of segments with few live records. Each change retires a slot, and a segment stays as long as one record has one of its slots. So the live
-- records of such a segment are moved: they get new slots, are sealed with new and changed records, and the segment is dropped.
--
-- Number of writes for it: only segments that no merge reaches any more are cleaned, so each slot is paid for once. At most a quarter of such a
-- segment's slots are live; the other three quarters were retired by changes. A segment with few records is all that is left of the last
-- `most_merged` slots. Together, these are at most two moves for three slots that changes took; where all records change at random, one for three. In
-- return a dataset has at most four slots for each record, and a segment for each `most_merged / 32` records, beside the newest `most_merged` slots
-- and a block; where all records change at random, 1.8 slots for each record.
--
-- Slots are given out only once. There are 2,147,000,000: at 20 changes a second and the moves for them, they last two and a half years (with
-- imports, which take two slots for a change, 15 months). After 1,000,000,000 the next fit begins with 1 again (`funding.renumber_slots`).

-- Gives new slots to up to `most` records of a range of slots. Nothing else of the records changes, so this is no change of the data: cached answers
-- stay right, and the age of the data stays the same. Records that other transactions have locked are left out, so it waits for nobody. A transaction
-- that writes one of the moved records waits for this one. Returns the number of moved records.
create or replace function funding.move_records(dataset text, first_slot integer, last_slot integer, most integer) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  moved integer;
begin
  begin
    execute format('lock table funding.%I in row exclusive mode nowait', dataset);
  exception when lock_not_available then
    return 0;
  end;
  perform set_config('funding.moves_records', 'on', true);
  -- The trigger `take_slot` sets another slot in place of null.
  execute format($move$
    update funding.%1$I set slot = null
    where id = any (array(
      select id from funding.%1$I where slot between $1 and $2 limit $3 for no key update skip locked))
  $move$, dataset) using first_slot, last_slot, most;
  get diagnostics moved = row_count;
  perform set_config('funding.moves_records', 'off', true);
  return moved;
end
$$;

-- Moves up to `most` records out of a segment with few live ones: less than a quarter of its slots, or so few that segments would become too many.
-- Moves none while more than `most` records (at least 64) wait to be sealed. Only segments that merges to `most_merged` slots do not reach any more
-- are cleaned: others may become part of a larger one. A segment of a fit is judged as a whole as well: its blocks are dropped only together. Returns
-- the number of moved records.
create or replace function funding.clean_segments(dataset text, most integer default 100, most_merged integer default 8000) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  sealed_end constant integer := funding.sealed_end(dataset);
  known record;
  moved integer := 0;
begin
  if not pg_try_advisory_xact_lock(funding.segments_lock(dataset)) or funding.count_unsealed(dataset, sealed_end, greatest(most, 64)) > greatest(most, 64) then
    return 0;
  end if;
  for known in
    select * from funding.segment_shares(dataset) as share
    where share.live > 0 and share.last_slot + 1 < sealed_end and sealed_end - share.first_slot >= most_merged
      and (share.live * 4 < share.slots or share.live <= most_merged / 32)
    order by share.live
  loop
    moved := funding.move_records(dataset, known.first_slot, known.last_slot, most);
    exit when moved > 0;
  end loop;
  return moved;
end
$$;

-- Gives the records of a dataset slots from 1 on, where more than `most` slots were given out, and makes one segment of them by the fit in force.
-- Transactions that write to the dataset wait. Returns whether it gave out new slots.
create or replace function funding.renumber_slots(dataset text, most integer default 1000000000) returns boolean
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  block constant integer := funding.first_block(fit.generation);
  vectors_table constant text := funding.vectors_table(dataset, fit.vectors);
  given_out integer;
  records integer;
  segment funding.segment;
begin
  execute format('select last_value from funding.%I', dataset || '_slots') into given_out;
  if given_out <= most then
    return false;
  end if;
  perform pg_advisory_xact_lock(funding.segments_lock(dataset));
  execute format('lock table funding.%I in share row exclusive mode', dataset);
  -- Vectors are moved first, by way of negative slots, which no record has. Otherwise a trigger would move each vector with its record, to a slot
  -- that another vector may still have.
  execute format('update funding.%2$I as known set slot = - moved.new_slot
    from (select slot, row_number() over (order by slot) as new_slot from funding.%1$I) as moved
    where known.slot = moved.slot', dataset, vectors_table);
  execute format('update funding.%I set slot = - slot', vectors_table);
  perform set_config('funding.moves_records', 'all', true);
  execute format('update funding.%1$I as record set slot = moved.new_slot
    from (select id, row_number() over (order by slot) as new_slot from funding.%1$I) as moved where record.id = moved.id', dataset);
  get diagnostics records = row_count;
  perform set_config('funding.moves_records', 'off', true);
  perform funding.drop_segments(dataset);
  delete from funding.slot_marks where slot_marks.dataset = renumber_slots.dataset;
  execute format('alter sequence funding.%I restart with %s', dataset || '_slots', records + 1);
  if records > 0 and fit.fitted_at is not null then
    segment := (dataset, block, block, 1, records, least(records, 16000));
    -- This segment stands for the segments of the fit.
    perform funding.index_words(segment, funding.slotted_records(dataset, 1, records), fit);
    perform funding.index_fields(segment, funding.slotted_records(dataset, 1, records), fit);
    update funding.blocks set is_fitted = true where blocks.dataset = renumber_slots.dataset;
  end if;
  return true;
end
$$;

-- supabase/schemas/index/segments/indexing.sql
-- Lexemes and vectors that records are found by.
--
-- BM25 (Robertson and Zaragoza, 2009) scores a record by its words. Latent semantic analysis (Deerwester et al., 1990) gives each term a
-- dense vector, fitted on the operator's own records; a record or a query is the weighted sum of its terms' vectors. Both are
-- computed here, in SQL, so that one definition serves imports, refits and queries.

-- Words of a record: those of the title labelled A, the rest B. Text past the first 200,000 characters is not indexed, since
-- Postgres refuses a tsvector over 1 MB.
create or replace function funding.record_lexemes(title text, body text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('funding.english', funding.with_acronyms(funding.separate_words(left(title, 20000)))), 'A')
      || setweight(to_tsvector('funding.english', funding.with_acronyms(funding.separate_words(left(coalesce(body, ''), 200000)))), 'B')
$$;

-- Each word of a record, and how often the record has it. A word of the title counts as `title_weight` words.
create or replace function funding.term_frequencies(lexemes tsvector, title_weight real)
returns table (term text, frequency double precision)
language sql immutable parallel safe as $$
  select word.lexeme, coalesce(cardinality(word.positions) + (title_weight - 1) * cardinality(array_positions(word.weights, 'A')), 1)
  from unnest(lexemes) as word
$$;

-- Number of words of a record, each counted as often as it occurs. Of the functions in C only `ts_rank` counts words: its option 2 divides
-- the rank by the number of words. It takes 2 microseconds, a sum over `unnest` 35. The ranked word is one that no record has; it is added here.
create or replace function funding.count_words(lexemes tsvector) returns double precision
language sql immutable parallel safe as $$
  select round(ts_rank($c$' ':1$c$::tsvector, $c$' '$c$::tsquery)::double precision
    / ts_rank(lexemes || $c$' ':1$c$::tsvector, $c$' '$c$::tsquery, 2)) - 1
$$;

-- Length of a record in words, where a word of the title counts as `title_weight` words.
create or replace function funding.record_length(lexemes tsvector, title_weight real) returns double precision
language sql immutable parallel safe as $$
  select funding.count_words(lexemes) + (title_weight - 1) * funding.count_words(ts_filter(lexemes, '{a}'))
$$;

-- Inverse document frequency in Lucene's form, which is never negative.
create or replace function funding.inverse_document_frequency(documents integer, document_frequency integer) returns real
language sql immutable parallel safe as $$
  select ln(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))::real
$$;

-- Weight of a term in a record: its frequency, saturated, and normalised by the record's length. Above zero.
create or replace function funding.bm25_weight(frequency double precision, length double precision, average_length real, k1 real, b real)
returns real
language sql immutable parallel safe as $$
  select case when frequency > 0
    then greatest((frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * length / average_length)))::real, funding.least_weight())
    else funding.least_weight()
  end
$$;

-- Least weight of a word in a record. A weight other than zero also means that the record has the word. So a word of the title at
-- `bm25_title_weight` 0 gets this weight, which is too small to change a sum.
create or replace function funding.least_weight() returns real
language sql immutable parallel safe as $$
  select real '1e-20'
$$;

-- Vector of a bag of words in the fitted space, normalised. Frequencies are damped logarithmically. Null when no word has a vector, or the vectors
-- cancel out.
create or replace function funding.lexicon_embedding(lexemes tsvector, generation integer) returns extensions.vector
language sql stable parallel safe
set search_path = funding, extensions, pg_temp as $$
  select case when vector_norm(total) > 0 then l2_normalize(total) end
  from (
    select sum(
      case when cardinality(word.positions) > 1
        then known.vector * array_fill((1 + ln(cardinality(word.positions)))::real, array[384])::vector
        else known.vector
      end) as total
    from unnest(lexemes) as word
    join funding.lexicon as known
      on known.generation = lexicon_embedding.generation and known.term = word.lexeme and known.vector is not null
  ) as summed
$$;

-- Trigger of the datasets: keeps the columns that search reads in step with the text, whoever writes the record.
create or replace function funding.index_record() returns trigger
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  if tg_table_name = 'funders' then
    new.lexemes := funding.record_lexemes(new.name, new.summary);
  else
    new.lexemes := funding.record_lexemes(new.title, new.description);
  end if;
  -- The trigger `take_slot` sets another slot in place of null.
  new.slot := null;
  return new;
end
$$;

-- Vector with the same value in each dimension, as for a block of a posting list. Made by doubling a short vector: `array_fill` sets each element
-- by itself, and takes ten times as long.
create or replace function funding.filled_vector(value real, size integer) returns extensions.vector
language plpgsql immutable parallel safe as $$
declare
  filled extensions.vector := array_fill(value, array[ceil(size / 128.0)::integer])::extensions.vector;
begin
  for doubling in 1..7 loop
    filled := filled operator(extensions.||) filled;
  end loop;
  return case when extensions.vector_dims(filled) = size then filled else extensions.subvector(filled, 1, size) end;
end
$$;

-- Positions of the ones among bits, counted from 1. (A loop takes half as long as the same in SQL.)
create or replace function funding.positions_of(bits bit varying) returns integer[]
language plpgsql immutable parallel safe as $$
declare
  -- Most parts of a large bitmap have no ones, and need not become text: for 800,000 bits with 40 ones, converting all parts takes 2 ms, and this
  -- 0.07. A block is one part.
  part_size constant integer := case when length(bits) > 16000 then 4096 else 16000 end;
  -- Decompressed once here, not once for each part.
  plain constant bit varying := bits || ''::bit varying;
  part bit varying;
  zeros text;
  position integer;
  ones integer := 0;
  positions integer[];
begin
  for start in 0..length(plain) - 1 by part_size loop
    part := substring(plain from start + 1 for part_size);
    continue when bit_count(part) = 0;
    position := start;
    -- In the text, each run of zeros ends with a one; the run after the last one does not count.
    foreach zeros in array (string_to_array(part::text, '1'))[1:bit_count(part)] loop
      -- Length in bytes, which Postgres need not count: it counts characters one by one.
      position := position + octet_length(zeros) + 1;
      ones := ones + 1;
      positions[ones] := position;
    end loop;
  end loop;
  return coalesce(positions, '{}');
end
$$;

-- supabase/schemas/index/segments/passages.sql
-- Passages: overlapping parts of a long text, each of which has a vector of its own under an external model. A search by meaning finds a record by the
-- nearest of its vectors, so that what a long notice says at its end is found as well as what it says first.

-- Passages of a text, 64 at most: where each begins, counted from 1, and its length, in characters. None of a text that is little longer than one
-- (`embedding_passage_characters`). Each overlaps the one before by about a sixth. They begin and end at sentences, or else at words.
create or replace function funding.passages(body text) returns table (start integer, length integer)
language plpgsql stable
set search_path = funding, pg_temp as $$
declare
  size constant integer := funding.setting('embedding_passage_characters')::integer;
  characters constant integer := coalesce(length(body), 0);
  piece text;
begin
  if size = 0 or characters <= size * 4 / 3 then
    return;
  end if;
  start := 1;
  for number in 1..64 loop
    piece := substr(body, start, size);
    if start + size > characters then
      length := length(piece);
      return next;
      return;
    end if;
    -- In the last third: after the last sentence, else after the last word.
    length := size - size / 3 + coalesce(
      length(substring(right(piece, size / 3) from '^.*[.!?](?=\s)')),
      length(substring(right(piece, size / 3) from '^.*(?=\s)')),
      size / 3);
    return next;
    -- In the last sixth of this passage: at the first sentence, else at the first word.
    start := start + length - size / 6;
    piece := substr(body, start, size / 6);
    start := start + coalesce(
      length(substring(piece from '^.*?[.!?]\s+(?=\S)')),
      length(substring(piece from '^\S*\s+(?=\S)')),
      0);
  end loop;
end
$$;

-- Texts by which a record is embedded: its title and text, cut at some 2,000 tokens, and, of a long text, the title with each passage. By the setting
-- `embedding_text`, its title alone. The number of a text, from 0, is the `passage` of its vector.
create or replace function funding.embedded_texts(title text, body text) returns text[]
language plpgsql stable as $$
begin
  if funding.setting('embedding_text') <> '"all"' or coalesce(body, '') = '' then
    return array[left(title, 8000)];
  end if;
  return left(title || E'\n\n' || body, 8000) || array(
    select title || E'\n\n' || substr(body, passage.start, passage.length) from funding.passages(body) as passage order by passage.start);
end
$$;

-- SQL for the `embedded_texts` of a row `record` of a dataset.
create or replace function funding.embedded_texts_of(dataset text) returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then 'funding.embedded_texts(record.name, record.summary)'
    else 'funding.embedded_texts(record.title, record.description)'
  end
$$;

-- supabase/schemas/index/segments/renewal.sql
-- Renewal of records' lexemes that an earlier version made, where this version reads texts differently. They are made anew once after the upgrade,
-- in small batches beside everything else, each in a transaction of its own. `funding.document_renewals` has the datasets that are not finished.

-- Makes the lexemes of up to `most` records of a dataset anew, in the order of the records' ids, after the last record that was looked at. Records
-- whose lexemes are those that this version makes are left alone; the function looks at five times as many records. The others get new slots with
-- their lexemes and vectors, and are sealed like records that changed. This is no change of the record: no event is written, and neither
-- `updated_at` nor the age of the data changes. Lists may find other records, so the dataset's version changes.
--
-- The function waits for nobody: it stops before the first record that another transaction has locked. A transaction that writes one of these records
-- waits for this one, some 0.1 s. Returns the number of records that it passed.
create or replace function funding.renew_documents(dataset text, most integer default 100) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  words constant text := case dataset
    when 'funders' then 'funding.record_lexemes(record.name, record.summary)' else 'funding.record_lexemes(record.title, record.description)' end;
  size constant text := case dataset
    when 'funders' then 'length(record.name) + coalesce(length(record.summary), 0)' else 'length(record.title) + coalesce(length(record.description), 0)' end;
  after_id uuid;
  ids uuid[];
  outdated uuid[];
  renewed uuid[];
  first_left uuid;
begin
  select renewal.after_id into after_id from funding.document_renewals as renewal where renewal.dataset = renew_documents.dataset for update skip locked;
  if not found then
    return 0;
  end if;
  execute format($look$
    select array_agg(looked.id order by looked.id), (array_agg(looked.id order by looked.id) filter (where looked.is_outdated))[:$3 + 1]
    from (
      select record.id, record.lexemes is distinct from %2$s as is_outdated
      from (
        -- No further than some 2 million characters, which take a second.
        select sized.*, sum(sized.size) over (order by sized.id) - sized.size as before
        from (
          select record.*, %3$s as size from funding.%1$I as record where record.id > $1 order by record.id limit $2
        ) as sized
      ) as record
      where record.before < 2000000
    ) as looked
  $look$, dataset, words, size) into ids, outdated using after_id, most * 5, most;
  if ids is null then
    delete from funding.document_renewals as renewal where renewal.dataset = renew_documents.dataset;
    -- Callers that ask for changes since a moment get a new answer. The age of the data does not depend on this row.
    update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where data_versions.dataset = 'search';
    return 0;
  end if;
  if outdated is not null then
    begin
      execute format('lock table funding.%I in row exclusive mode nowait', dataset);
    exception when lock_not_available then
      return 0;
    end;
    -- Locked before the records: a writer locks its records first, and then waits for this row.
    perform from funding.data_versions where data_versions.dataset = renew_documents.dataset for no key update skip locked;
    if not found then
      return 0;
    end if;
    perform set_config('funding.moves_records', 'on', true);
    execute format($renew$
      with renewed as (
        update funding.%1$I as record set lexemes = %2$s, slot = null
        where record.id = any (array(
          select locked.id from funding.%1$I as locked where locked.id = any ($1) for no key update skip locked))
        returning record.id
      )
      select array_agg(renewed.id) from renewed
    $renew$, dataset, words) into renewed using outdated[:most];
    perform set_config('funding.moves_records', 'off', true);
    update funding.data_versions set version = version + 1 where data_versions.dataset = renew_documents.dataset and renewed is not null;
    first_left := (select min(left_over.id::text)::uuid from unnest(outdated) as left_over(id) where renewed is null or left_over.id <> all (renewed));
    ids := array(select passed.id from unnest(ids) as passed(id) where first_left is null or passed.id < first_left order by passed.id);
  end if;
  if ids <> '{}' then
    update funding.document_renewals as renewal set after_id = ids[cardinality(ids)] where renewal.dataset = renew_documents.dataset;
  end if;
  return cardinality(ids);
end
$$;

-- Whether records of a dataset may have lexemes of an earlier version. Without a dataset, records of any.
create or replace function funding.has_outdated_documents(dataset text default null) returns boolean
language plpgsql stable security definer set search_path = funding, pg_temp as $$
begin
  return exists (
    select from funding.document_renewals as renewal where has_outdated_documents.dataset is null or renewal.dataset = has_outdated_documents.dataset);
end
$$;

-- supabase/schemas/index/segments/sealing.sql
-- Sealing: makes segments of records that came or changed, and merges them (segments.sql).

-- Makes the blocks and posting lists of a segment by a fit. `funding.index_fields` describes `records`. Merge joins are off: the planner
-- overestimates the number of words, and would sort all of them on disk.
create or replace function funding.index_words(segment funding.segment, records text, fit funding.lexicon_fit) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp set enable_mergejoin = off set work_mem = '64MB' as $$
begin
  insert into funding.blocks (dataset, block, segment, first_slot, size, fields)
  select segment.dataset, segment.first_block + position, segment.number, segment.first_slot + position * segment.block_size,
         least(segment.block_size, segment.slots - position * segment.block_size), funding.indexed_fields(segment.dataset)
  from generate_series(0, (segment.slots - 1) / segment.block_size) as position;
  execute format($postings$
    with lexicon as materialized (
      select known.term, funding.inverse_document_frequency(greatest(($2).documents, 1), known.document_frequency) as idf
      from funding.lexicon as known where known.generation = ($2).generation
    )
    insert into funding.postings (dataset, term, block, weights)
    select ($1).dataset, posting.term, blocks.block, ('{' || posting.weights || '}/' || blocks.size)::sparsevec
    from (
      select word.term, (record.slot - ($1).first_slot) / ($1).block_size as position,
             string_agg((record.slot - ($1).first_slot) %% ($1).block_size + 1 || ':'
               || funding.bm25_weight(word.frequency, record.length, ($2).average_length, ($2).bm25_k1, ($2).bm25_b)
                 -- A word that is not in the lexicon is as rare as a word can be.
                 * coalesce(lexicon.idf, $3), ',') as weights
      from (
        select slot, lexemes, funding.record_length(lexemes, ($2).bm25_title_weight) as length from (%s) as record offset 0
      ) as record
      -- Each frequency is computed once: a weight uses it three times.
      cross join lateral (select term, frequency from funding.term_frequencies(record.lexemes, ($2).bm25_title_weight) offset 0) as word
      left join lexicon on lexicon.term = word.term
      group by 1, 2
    ) as posting
    join funding.blocks on blocks.dataset = ($1).dataset and blocks.block = ($1).first_block + posting.position
  $postings$, records) using segment, fit, funding.inverse_document_frequency(greatest(fit.documents, 1), 0);
end
$$;

-- Other transactions that write to a dataset now.
create or replace function funding.writers_of(dataset text) returns text[]
language plpgsql volatile as $$
begin
  -- A writer locks the table before it takes a slot, and holds the lock until its records are visible.
  return (
    select coalesce(array_agg(distinct held.virtualtransaction), '{}')
    from pg_locks as held
    where held.locktype = 'relation' and held.granted and held.relation = to_regclass(format('funding.%I', dataset))
      and held.database = (select oid from pg_database where datname = current_database())
      and held.mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      -- A prepared transaction has no process.
      and held.pid is distinct from pg_backend_pid());
end
$$;

-- Highest settled slot of a dataset. A slot is settled when the transactions that were given it and all lower slots have ended: its record is
-- visible, or will never be. Null while that is unknown. Without other writers, every slot is settled. Otherwise a call stores the highest slot and
-- the present writers, and a later call returns that slot once these writers have ended.
create or replace function funding.settled_slot(dataset text) returns integer
language plpgsql as $$
declare
  highest integer;
  writing text[];
  mark funding.slot_marks;
  settled integer;
begin
  execute format('select case when is_called then last_value else last_value - 1 end from funding.%I', dataset || '_slots') into highest;
  -- Listed after `highest` was read, since a writer locks the table before it takes a slot.
  writing := funding.writers_of(dataset);
  if writing = '{}' then
    return highest;
  end if;
  select * into mark from funding.slot_marks where slot_marks.dataset = settled_slot.dataset;
  if mark.slot is not null and not mark.writers && writing then
    settled := mark.slot;
  end if;
  if mark.slot is null or settled is not null then
    insert into funding.slot_marks (dataset, slot, writers) values (settled_slot.dataset, highest, writing)
    on conflict on constraint slot_marks_pkey do update set slot = excluded.slot, writers = excluded.writers;
  end if;
  return settled;
end
$$;

-- Advances the sequences of slots past the highest slots, after records were loaded with their slots.
create or replace function funding.continue_slots() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  next_slot integer;
  is_behind boolean;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('select greatest(funding.sealed_end(%L), coalesce(max(slot), 0) + 1) from funding.%I', dataset, dataset) into next_slot;
    execute format('select last_value + case when is_called then 1 else 0 end < $1 from funding.%I', dataset || '_slots') into is_behind using next_slot;
    if is_behind then
      perform setval(format('funding.%I', dataset || '_slots'), next_slot, false);
    end if;
  end loop;
end
$$;

-- Makes a segment of a range of at most 16,000 slots, by the fit in force.
create or replace function funding.make_segment(dataset text, first_slot integer, last_slot integer) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  -- Not the first block, which is the fit's.
  block constant integer := (
    select coalesce(max(blocks.block), funding.first_block(fit.generation)) + 1 from funding.blocks_of(make_segment.dataset) as blocks);
  segment constant funding.segment := (dataset, block, block, first_slot, last_slot - first_slot + 1, last_slot - first_slot + 1);
  records constant text := funding.slotted_records(dataset, first_slot, last_slot);
begin
  perform funding.index_words(segment, records, fit);
  perform funding.index_fields(segment, records, fit);
end
$$;

-- Seals a dataset: makes a segment, of up to `most` slots, of the records that came or changed since the last segment, and masks retired slots.
-- Returns the number of records in the segment. Makes no segment, and returns 0, with fewer than `fewest` records, before the first fit, and while
-- another transaction makes segments or may still write such records.
create or replace function funding.seal(dataset text, fewest integer default 64, most integer default 2000) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  sealed_end integer;
  first_slot integer;
  last_slot integer;
  records integer;
begin
  if (select fitted_at is null from funding.lexicon_fit) or not pg_try_advisory_xact_lock(funding.segments_lock(dataset)) then
    return 0;
  end if;
  -- Masks even where there is nothing to seal: until then, each search leaves retired slots out itself.
  if exists (select from funding.retired_slots as retired where retired.dataset = seal.dataset) then
    perform funding.mask_retired(dataset);
  end if;
  sealed_end := funding.sealed_end(dataset);
  last_slot := funding.settled_slot(dataset);
  first_slot := case dataset
    when 'grants' then (select min(record.slot) from funding.grants as record where record.slot between sealed_end and last_slot)
    when 'contracts' then (select min(record.slot) from funding.contracts as record where record.slot between sealed_end and last_slot)
    else (select min(record.slot) from funding.funders as record where record.slot between sealed_end and last_slot)
  end;
  if first_slot is null then
    return 0;
  end if;
  execute format('select count(*) from (select from funding.%I where slot between $1 and $2 limit $3) as waiting', dataset)
  into records using first_slot, last_slot, fewest;
  if records < fewest then
    return 0;
  end if;
  -- A range of slots may have few records: slots of transactions that were rolled back have none.
  last_slot := least(last_slot, first_slot + greatest(least(most, 16000), 1) - 1);
  execute format('select count(*) from funding.%I where slot between $1 and $2', dataset) into records using first_slot, last_slot;
  perform funding.make_segment(dataset, first_slot, last_slot);
  perform funding.mask_retired(dataset);
  return records;
end
$$;

-- Removes retired slots from the bitmaps `all`. Until then each search leaves these slots out itself.
create or replace function funding.mask_retired(dataset text) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  with gone as (
    delete from funding.retired_slots as retired where retired.dataset = mask_retired.dataset returning retired.slot
  ), masked as (
    select blocks.block, funding.bits_at(array_agg(gone.slot - blocks.first_slot + 1), blocks.size) as bits
    from gone join funding.blocks_of(mask_retired.dataset) as blocks
      on gone.slot between blocks.first_slot and blocks.first_slot + blocks.size - 1
    group by blocks.block, blocks.size
  )
  update funding.bitmaps set bits = bitmaps.bits & ~ masked.bits
  from masked where bitmaps.dataset = mask_retired.dataset and bitmaps.name = 'all' and bitmaps.block = masked.block
$$;

-- Merges the newest run of segments, each no larger than all newer ones together, up to `most` slots in all. So there are few segments, each record
-- is copied few times, and a segment of about `most` slots is not merged again. First drops segments without a live record. Returns the number of
-- segments that it merged or dropped.
create or replace function funding.merge_segments(dataset text, most integer default 8000) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  known record;
  merged integer[] := '{}';
  first_slot integer;
  last_slot integer;
  dropped integer;
begin
  if not pg_try_advisory_xact_lock(funding.segments_lock(dataset)) then
    return 0;
  end if;
  dropped := funding.drop_dead_segments(dataset);
  for known in
    select blocks.segment, blocks.first_slot as first_one, blocks.first_slot + blocks.size - 1 as last_one
    from funding.blocks_of(merge_segments.dataset) as blocks
    where not blocks.is_fitted
    order by blocks.first_slot desc
  loop
    exit when last_slot - known.first_one + 1 > least(most, 16000)
      or known.last_one - known.first_one + 1 > last_slot - first_slot + 1;
    last_slot := coalesce(last_slot, known.last_one);
    first_slot := known.first_one;
    merged := merged || known.segment;
  end loop;
  if cardinality(merged) < 2 then
    return dropped;
  end if;
  perform funding.drop_segments(dataset, merged);
  perform funding.make_segment(dataset, first_slot, last_slot);
  return cardinality(merged) + dropped;
end
$$;

-- supabase/schemas/index/segments/segments.sql
-- Segments: the index of a dataset's records, one for each range of slots, as in a log-structured (LSM) inverted index. A fit makes the first ones,
-- of all records. `funding.seal` makes small segments of records that came or changed since, and `funding.merge_segments` merges several into one
-- (sealing.sql). Both leave records alone: a record gets a slot when it comes or changes (`funding.take_slot`), and keeps it until it changes or is
-- moved (cleaning.sql). A segment never changes, either. The slot of a record that is gone or changed is retired: listed in `retired_slots`, and
-- later masked in the segment's bitmap `all`.

-- First block of a generation, and the number of the fit's segment. While a fit is made, blocks of two generations exist; searches read one.
create or replace function funding.first_block(generation integer) returns integer
language sql immutable parallel safe as $$
  select generation * 1000000
$$;

-- Last block that a generation can have.
create or replace function funding.last_block(generation integer) returns integer
language sql immutable parallel safe as $$
  select generation * 1000000 + 999999
$$;

-- Blocks of a dataset in the generation in force. (In SQL, so that Postgres inlines it.)
create or replace function funding.blocks_of(dataset text) returns setof funding.blocks
language sql stable as $$
  select blocks.* from funding.blocks, funding.lexicon_fit as fit
  where blocks.dataset = blocks_of.dataset and blocks.block between funding.first_block(fit.generation) and funding.last_block(fit.generation)
$$;

-- First slot after the segments. Records from this slot on are read one by one.
create or replace function funding.sealed_end(dataset text) returns integer
language plpgsql stable as $$
begin
  return (select coalesce(max(blocks.first_slot + blocks.size), 1) from funding.blocks_of(dataset) as blocks);
end
$$;

-- First slot after the segments of the fit in force.
create or replace function funding.fitted_end(dataset text) returns integer
language plpgsql stable as $$
begin
  return (
    select coalesce(max(blocks.first_slot + blocks.size), 1) from funding.blocks_of(dataset) as blocks where blocks.is_fitted);
end
$$;

-- SQL for a table `record` of the records in no segment. `sealed_end` is SQL, too. `offset 0` isolates the subquery where there are few records: the
-- planner then considers only the index of slots, and none of twenty others.
create or replace function funding.unsealed_records(dataset text, sealed_end text, unsealed bigint) returns text
language sql immutable as $$
  select format('(select * from funding.%I where slot >= %s %s) as record', dataset, sealed_end, case when unsealed <= 5000 then 'offset 0' end)
$$;

-- SQL for the records of a dataset with these slots.
create or replace function funding.slotted_records(dataset text, first_slot integer, last_slot integer) returns text
language sql immutable as $$
  select format('select record.* from funding.%I as record where record.slot between %s and %s',
    dataset, first_slot, last_slot)
$$;

-- Deletes segments of a dataset by their numbers. Without numbers, deletes all, of both generations, and the dataset is searched without segments
-- until the next fit.
create or replace function funding.drop_segments(dataset text, segments integer[] default null) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  gone constant integer[] := array(
    select blocks.block from funding.blocks
    where blocks.dataset = drop_segments.dataset and (segments is null or blocks.segment = any (segments)));
begin
  delete from funding.bitmaps where bitmaps.dataset = drop_segments.dataset and (segments is null or block = any (gone));
  delete from funding.ranks where ranks.dataset = drop_segments.dataset and (segments is null or block = any (gone));
  delete from funding.postings where postings.dataset = drop_segments.dataset and (segments is null or block = any (gone));
  delete from funding.segment_values as known
  where known.dataset = drop_segments.dataset and (segments is null or known.segment = any (segments));
  delete from funding.segment_slices as known
  where known.dataset = drop_segments.dataset and (segments is null or known.segment = any (segments));
  delete from funding.blocks where blocks.dataset = drop_segments.dataset and (segments is null or block = any (gone));
  if segments is null then
    delete from funding.retired_slots where retired_slots.dataset = drop_segments.dataset;
  end if;
end
$$;

-- Key of the advisory lock for making or deleting segments of a dataset.
create or replace function funding.segments_lock(dataset text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended('segments of ' || dataset, 0)
$$;

-- Retired slots that are not masked yet, as bits of their blocks. (In SQL, so that Postgres inlines it.)
create or replace function funding.retired_bits(dataset text) returns table (block integer, bits bit varying)
language sql stable as $$
  select blocks.block, funding.bits_at(array_agg(retired.slot - blocks.first_slot + 1), blocks.size)
  from funding.retired_slots as retired
  join funding.blocks_of(retired_bits.dataset) as blocks on retired.slot between blocks.first_slot and blocks.first_slot + blocks.size - 1
  where retired.dataset = retired_bits.dataset
  group by blocks.block, blocks.size
$$;

-- Number of records in no segment, up to `most` + 1, by the index of slots. The plan is cached: planning took ten times as long as counting.
create or replace function funding.count_unsealed(dataset text, sealed_end integer, most integer) returns bigint
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return case dataset
    when 'grants' then (select count(*) from (select from funding.grants where slot >= sealed_end limit most + 1) as record)
    when 'contracts' then (select count(*) from (select from funding.contracts where slot >= sealed_end limit most + 1) as record)
    when 'funders' then (select count(*) from (select from funding.funders where slot >= sealed_end limit most + 1) as record)
  end;
end
$$;

-- Segments of a dataset, with their number of slots and of live slots, by the bitmaps `all`.
create or replace function funding.segment_shares(dataset text)
returns table (segment integer, first_slot integer, last_slot integer, slots bigint, live bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return query
  select blocks.segment, min(blocks.first_slot), max(blocks.first_slot + blocks.size - 1), sum(blocks.size),
         coalesce(sum(bit_count(case when retired.bits is null then bitmaps.bits else bitmaps.bits & ~ retired.bits end)), 0)::bigint
  from funding.blocks_of(segment_shares.dataset) as blocks
  left join funding.bitmaps on bitmaps.dataset = blocks.dataset and bitmaps.name = 'all' and bitmaps.block = blocks.block
  left join funding.retired_bits(segment_shares.dataset) as retired on retired.block = blocks.block
  group by blocks.segment;
end
$$;

-- Drops segments without a live record, and returns their number. The newest segment stays, so that sealed slots stay sealed. Settled slots are never
-- given out again, so no record comes back to a dropped segment.
create or replace function funding.drop_dead_segments(dataset text) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  sealed_end constant integer := funding.sealed_end(dataset);
  known record;
  has_records boolean;
  dead integer[] := '{}';
begin
  for known in
    select * from funding.segment_shares(dataset) as share where share.live = 0 and share.last_slot + 1 < sealed_end
  loop
    execute format('select exists (select from funding.%I where slot between $1 and $2)', dataset)
    into has_records using known.first_slot, known.last_slot;
    if not has_records then
      dead := dead || known.segment;
    end if;
  end loop;
  if dead <> '{}' then
    perform funding.drop_segments(dataset, dead);
  end if;
  return cardinality(dead);
end
$$;

-- Trigger of a truncated dataset.
create or replace function funding.drop_bitmaps_of_table() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform funding.drop_segments(tg_table_name);
  perform funding.delete_vectors(tg_table_name);
  return null;
end
$$;

-- supabase/schemas/index/segments/vectors.sql
-- Records' vectors, in tables of their own by slot: two for each dataset, 0 and 1. `lexicon_fit.vectors` says which one is searched. A fit, or
-- a change of the embedding model, fills the other one.

-- Name of a table of vectors.
create or replace function funding.vectors_table(dataset text, vectors integer) returns text
language plpgsql immutable parallel safe as $$
begin
  return format('%s_vectors_%s', dataset, vectors);
end
$$;

-- Size of a model's vectors: the number after the last @ of its name, or 384.
create or replace function funding.vector_size(model text) returns integer
language sql immutable parallel safe as $$
  select coalesce(substring(model from '@([0-9]+)$')::integer, 384)
$$;

-- A model's vector, from pgvector's text.
create or replace function funding.vector_of(model text, vector text) returns extensions.halfvec
language plpgsql immutable parallel safe
set search_path = funding, extensions, pg_temp as $$
declare
  given constant halfvec := vector::halfvec;
begin
  if vector_dims(given) <> funding.vector_size(model) then
    raise exception 'a vector of % has % numbers, and not %', model, funding.vector_size(model), vector_dims(given);
  end if;
  return given;
end
$$;

-- Gives the tables of vectors with a number the size of a model's vectors. Where they have another size, they must be empty. Whoever reads or writes
-- these tables waits from then on, until the caller's transaction ends; nobody searches them.
create or replace function funding.resize_vectors(vectors integer, model text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  target record;
begin
  for target in
    select column_of.attrelid::regclass as name
    from unnest(array['funders', 'grants', 'contracts']) as dataset
    join pg_attribute as column_of on column_of.attrelid = to_regclass(format('funding.%I', funding.vectors_table(dataset, vectors)))
    where column_of.attname = 'embedding' and column_of.atttypmod <> funding.vector_size(model)
  loop
    -- Inline, as before: a change of the type would give the column its type's own storage.
    execute format('alter table %1$s alter column embedding type extensions.halfvec(%2$s), alter column embedding set storage plain',
      target.name, funding.vector_size(model));
  end loop;
end
$$;

-- Lets the tables of vectors have any size, for a restore: a backup's vectors have the size of its model. `resize_vectors` ends it.
create or replace function funding.loosen_vectors() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    for vectors in 0..1 loop
      execute format('alter table funding.%I alter column embedding type extensions.halfvec, alter column embedding set storage plain',
        funding.vectors_table(dataset, vectors));
    end loop;
  end loop;
end
$$;

-- Vectors of a dataset's records by slot, with those of their passages (passages.sql), from one of its two tables: a slot without a vector has no row. Each table has a statement of its own, so
-- that Postgres keeps its plan: it plans a statement made from text at each call.
create or replace function funding.vectors_of_slots(dataset text, vectors integer, slots integer[])
returns table (slot integer, passage integer, embedding extensions.halfvec)
language plpgsql stable rows 100
set search_path = funding, extensions, pg_temp as $$
begin
  case funding.vectors_table(dataset, vectors)
    when 'grants_vectors_0' then
      return query select known.slot, known.passage, known.embedding from funding.grants_vectors_0 as known where known.slot = any (slots);
    when 'grants_vectors_1' then
      return query select known.slot, known.passage, known.embedding from funding.grants_vectors_1 as known where known.slot = any (slots);
    when 'contracts_vectors_0' then
      return query select known.slot, known.passage, known.embedding from funding.contracts_vectors_0 as known where known.slot = any (slots);
    when 'contracts_vectors_1' then
      return query select known.slot, known.passage, known.embedding from funding.contracts_vectors_1 as known where known.slot = any (slots);
    when 'funders_vectors_0' then
      return query select known.slot, known.passage, known.embedding from funding.funders_vectors_0 as known where known.slot = any (slots);
    when 'funders_vectors_1' then
      return query select known.slot, known.passage, known.embedding from funding.funders_vectors_1 as known where known.slot = any (slots);
  end case;
end
$$;

-- Trigger: keeps the table of vectors in step with a record that came, got another slot or was deleted. While a fit fills the other table, keeps that
-- one in step as well. A record whose text has not changed keeps its vector. A record with a changed text gets a vector by the lexicon, or waits for
-- one of an external model. Where only its lexemes are made anew (renewal.sql), a record gets a vector by the lexicon, or keeps the one of the
-- external model.
create or replace function funding.store_vector() returns trigger
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  is_usual boolean := true;
  target record;
  vector halfvec;
  moved integer;
begin
  -- `renumber_slots` has moved all vectors.
  if current_setting('funding.moves_records', true) = 'all' then
    return null;
  end if;
  if tg_op <> 'DELETE' and tg_table_name <> 'funders' then
    is_usual := new.classification = 'opportunity' and new.archived_at is null and new.superseded_by is null;
  end if;
  -- In one statement: a fit may come into force between two statements.
  for target in
    select funding.vectors_table(tg_table_name, fit.vectors) as name, fit.generation,
           fit.dimensions > 0 and funding.setting('embedding_model') = '"lexicon"' as has_lexicon
    from funding.lexicon_fit as fit
    union all
    select funding.vectors_table(tg_table_name, next.vectors), next.generation, true from funding.next_fit as next where next.is_filling and next.makes_vectors
  loop
    if tg_op = 'UPDATE' and (old.lexemes = new.lexemes or not target.has_lexicon and current_setting('funding.moves_records', true) = 'on') then
      execute format('update funding.%I set slot = $1, is_usual = $2 where slot = $3', target.name) using new.slot, is_usual, old.slot;
      get diagnostics moved = row_count;
      continue when moved > 0;
    elsif tg_op <> 'INSERT' then
      execute format('delete from funding.%I where slot = $1', target.name) using old.slot;
    end if;
    if tg_op <> 'DELETE' and target.has_lexicon then
      vector := funding.lexicon_embedding(new.lexemes, target.generation)::halfvec;
      if vector is not null then
        execute format('insert into funding.%I (slot, embedding, is_usual) values ($1, $2, $3) on conflict do nothing', target.name)
        using new.slot, vector, is_usual;
      end if;
    end if;
  end loop;
  return null;
end
$$;

-- Deletes a dataset's vectors: of one table, or of both.
create or replace function funding.delete_vectors(dataset text, vectors integer default null) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  for table_number in coalesce(vectors, 0)..coalesce(vectors, 1) loop
    execute format('delete from funding.%I', funding.vectors_table(dataset, table_number));
  end loop;
end
$$;

-- Deletes the vectors of one table whose records changed or were deleted while the vectors were being made.
create or replace function funding.prune_vectors(dataset text, vectors integer) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  execute format('delete from funding.%I as known where not exists (select from funding.%I as record where record.slot = known.slot)',
    funding.vectors_table(dataset, vectors), dataset);
end
$$;

-- Approximate vector indexes: inverted files (IVFFlat), whose vectors are in lists around centres. A search reads the nearest
-- lists.
--
-- They are not graphs (HNSW). Notices repeat each other, and a graph of near copies falls apart into islands that a search does not reach: on 79,700
-- grants, 16 of 93 queries found none of the records that they should have found, recall@10 was 0.81, and the graph took ten times as long to build.

-- Whether the vectors of a dataset that are searched have an approximate index. Small datasets have none.
create or replace function funding.has_vector_index(dataset text) returns boolean
language plpgsql stable as $$
begin
  return coalesce((
    select indisvalid from pg_index
    where indexrelid = to_regclass(format('funding.%I', funding.vectors_table(dataset, (select fit.vectors from funding.lexicon_fit as fit)) || '_all'))
  ), false);
end
$$;

-- About how many vectors the index of the usual scope has. Funders have no such index: the usual scope is all of them.
create or replace function funding.usual_vectors(dataset text) returns double precision
language plpgsql stable as $$
begin
  return (
    select greatest(reltuples, 0) from pg_class
    where oid = to_regclass(format('funding.%I', funding.vectors_table(dataset, (select fit.vectors from funding.lexicon_fit as fit))
      || case when dataset = 'funders' then '_all' else '_usual' end)));
end
$$;

-- About how many vectors a record has, by Postgres's estimates: more than 1 where some have passages, up to 16. Null without an external model.
create or replace function funding.vectors_per_record(dataset text) returns integer
language plpgsql stable as $$
begin
  return (
    select greatest(1, least(16, ceil(vectors.reltuples / nullif(records.reltuples, 0) - 0.05)))
    from pg_class as vectors, pg_class as records
    where vectors.oid = to_regclass(format('funding.%I', funding.vectors_table(dataset, (select fit.vectors from funding.lexicon_fit as fit))))
      and records.oid = to_regclass(format('funding.%I', dataset)) and funding.external_model() is not null);
end
$$;

-- Vector indexes of a table of vectors: one of all records, and one of the records in the usual scope, in which nearly every search looks. The second
-- index is a quarter smaller and has shorter lists: of seventy records, up to a number of lists that can be built. `lists` is null for a dataset so
-- small that comparing each record is as fast. `statement` builds the index.
create or replace function funding.vector_indexes(dataset text, vectors integer) returns table (name text, lists integer, memory text, statement text)
language plpgsql stable as $$
declare
  minimum bigint := funding.setting('vector_index_minimum')::bigint;
  table_name constant text := funding.vectors_table(dataset, vectors);
  size constant integer := (select atttypmod from pg_attribute where attrelid = to_regclass(format('funding.%I', table_name)) and attname = 'embedding');
  all_records bigint;
  records bigint;
  is_usual boolean;
begin
  foreach is_usual in array array[false, true] loop
    -- The usual scope of funders is all of them.
    continue when is_usual and dataset = 'funders';
    execute format('select count(*) from funding.%I %s', table_name, case when is_usual then 'where is_usual' end) into records;
    all_records := coalesce(all_records, records);
    name := table_name || case when is_usual then '_usual' else '_all' end;
    lists := case when all_records >= minimum then
      greatest(round(case when is_usual then least(records / 70.0, 3.4 * sqrt(records)) else 2 * sqrt(records) end), 1)
    end;
    memory := funding.vector_index_memory(lists, size);
    statement := format('create index if not exists %I on funding.%I using ivfflat (embedding extensions.halfvec_cosine_ops) with (lists = %s) %s',
      name, table_name, lists, case when is_usual then 'where is_usual' end);
    return next;
  end loop;
end
$$;

-- The `maintenance_work_mem` for building an index of so many lists: fifty vectors for each list are sorted into the lists, and the distance between
-- each two centres is stored. Never less than the present setting.
create or replace function funding.vector_index_memory(lists integer, size integer) returns text
language sql stable as $$
  select greatest(
    pg_size_bytes(current_setting('maintenance_work_mem')),
    ceil(1.05 * (50.0 * lists * lists * 4 + 50.0 * lists * (2 * size + 132)))::bigint) / 1024 || 'kB'
$$;

-- Builds the vector indexes of each dataset's table of vectors that has grown large enough to need them; without a number, those of the table that is
-- searched. Nobody may write to the table meanwhile. (A fit builds the indexes of its own tables while others write.)
create or replace function funding.refresh_vector_indexes(vectors integer default null) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  index record;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    for index in
      select * from funding.vector_indexes(dataset, coalesce(vectors, (select fit.vectors from funding.lexicon_fit as fit)))
    loop
      if index.lists is null then
        execute format('drop index if exists funding.%I', index.name);
      else
        perform set_config('maintenance_work_mem', index.memory, true);
        execute index.statement;
      end if;
    end loop;
  end loop;
end
$$;

-- Drops the vector indexes of one table of vectors of each dataset, or of the tables that are searched. Searches then compare every vector: the results are the same,
-- and take longer.
create or replace function funding.drop_vector_indexes(vectors integer default null) returns void
language plpgsql as $$
declare
  dataset text;
begin
  vectors := coalesce(vectors, (select fit.vectors from funding.lexicon_fit as fit));
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('drop index if exists funding.%I, funding.%I',
      funding.vectors_table(dataset, vectors) || '_all', funding.vectors_table(dataset, vectors) || '_usual');
  end loop;
end
$$;

-- External model by which dispatchers embed records: the one that search is to use, where a change to it has begun, else the one that it uses. Null for
-- the lexicon.
create or replace function funding.embedded_model() returns text
language sql stable as $$
  select coalesce((select state.next_model from funding.embedding_state as state), nullif(funding.setting('embedding_model')#>>'{}', 'lexicon'))
$$;

-- External model that search uses, or null when search uses the lexicon, whose vectors are made in the database.
create or replace function funding.external_model() returns text
language sql stable as $$
  select nullif(funding.setting('embedding_model')#>>'{}', 'lexicon')
$$;

-- supabase/schemas/search/fusion/explain.sql
-- Explanations of a ranked list (`explain=true`): how the search was understood, and the parts of each result's score.

-- Lexemes of a tsquery, in alphabetical order.
create or replace function funding.lexemes_of(words tsquery) returns text[]
language sql immutable parallel safe as $$
  select array(
    select replace(replace(lexeme[1], '''''', ''''), '\\', '\')
    from regexp_matches(words::text, '''((?:[^'']|'''')*)''', 'g') as lexeme order by 1)
$$;

-- Interpretation of a ranked search: { words: [{ word, matches, weight, is_known }], known_share, excluded, phrases, places, agencies }. `word` is
-- written as in the search; with `similar_to`, the words are those by which the record is compared. `matches` are the stems that count as the word:
-- its own, synonyms' and a correction's. `weight` is the inverse document frequency. `is_known`: the lexicon, as of the last fit, has one of the
-- stems. `known_share` is the share of the search that has a meaning here, from 0 to 1; null where the search has no embedding.
create or replace function funding.understood(dataset text, filter jsonb, mode text, query_vector extensions.halfvec) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  analysis funding.query_analysis := funding.query_of(dataset, filter, query_vector);
  search_text constant text := case when filter ? 'similar_to' then null else filter->>'search' end;
begin
  return json_build_object(
    'words', (
      select coalesce(json_agg(json_build_object(
          'word', funding.shown_word(coalesce(query_word.word, word.lexemes[1])),
          'matches', array(select funding.shown_word(lexeme) from unnest(word.lexemes) as lexeme), 'weight', round(word.idf::numeric, 3), 'is_known', word.is_known)
        order by query_word.position, word.position), '[]')
      from (
        select given.position, given.idf, funding.lexemes_of(given.terms) as lexemes,
               exists (
                 select from funding.lexicon
                 where lexicon.generation = (select fit.generation from funding.lexicon_fit as fit) and lexicon.term = any (funding.lexemes_of(given.terms))
               ) as is_known
        from unnest(analysis.words, analysis.word_idfs) with ordinality as given(terms, idf, position)
      ) as word
      left join lateral (
        select token.token as word, token.position
        from ts_parse('default', funding.with_asked_acronyms(funding.separate_words(funding.wanted_words(search_text)))) with ordinality as token(kind, token, position)
        where funding.stem(token.token) = any (word.lexemes)
        order by token.position limit 1
      ) as query_word on true),
    'known_share', case when analysis.embedding is not null then round(analysis.known_share::numeric, 3) end,
    'excluded', array(select btrim(excluded, '"') from funding.excluded_texts(search_text) as excluded),
    'phrases', case when filter->>'search_mode' = 'ranked_keyword' and funding.required_phrases(search_text) is not null then array(
      select btrim(quoted[1], '"') from regexp_matches(search_text, '(?:^|\s)("[^"]+")', 'g') as quoted) else '{}'::text[] end,
    'places', '{}'::text[],
    'agencies', '{}'::text[]);
end
$$;

-- Page of a ranked list with the parts of each result's score as its member `explanation`: { identifier, keyword: { rank, score }, semantic: { rank,
-- similarity }, sum: { rank, score }, mentions }. A part is null where its leg has not found the record. `mentions` is always 0, since no search
-- weighs places and agencies any more. The search is made again, which takes as long.
create or replace function funding.with_explanations(dataset text, filter jsonb, mode text, query_vector extensions.halfvec, page json) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
declare
  maximum integer := funding.candidates_of(dataset, mode);
  analysis funding.query_analysis := funding.query_of(dataset, filter, query_vector);
  scope funding.search_scope := funding.scope_of(dataset, filter);
  by_meaning funding.ranked_slots;
  identifier_matches uuid[] := case when filter ? 'similar_to' then '{}' else funding.identifier_matches(scope, maximum) end;
  explained json;
begin
  if mode = 'semantic' then
    by_meaning := funding.semantic_candidates(scope, funding.with_feedback(scope, analysis), maximum);
  end if;
  select coalesce(json_agg(funding.with_member(item.body, 'explanation', json_build_object(
      'identifier', (item.body->>'id')::uuid = any (identifier_matches),
      'keyword', case when part.keyword_rank is not null then
        json_build_object('rank', part.keyword_rank, 'score', round(part.keyword_score::numeric, 4)) end,
      'semantic', case when part.semantic_rank is not null then
        json_build_object('rank', part.semantic_rank, 'similarity', round(part.semantic_score::numeric, 4)) end,
      'sum', case when mode = 'hybrid' and part.sum_rank is not null then
        json_build_object('rank', part.sum_rank, 'score', round(part.total::numeric, 4)) end,
      'mentions', 0)) order by item.position), '[]')
  into explained
  from json_array_elements(page) with ordinality as item(body, position)
  left join (
    select scored.slot, scored.keyword_rank, scored.keyword_score, scored.semantic_rank, scored.semantic_score, scored.total, scored.sum_rank
    from funding.hybrid_scores(scope, analysis, maximum, mode = 'hybrid') as scored
    where mode <> 'semantic'
    union all
    select neighbour.slot, null, null, neighbour.rank, neighbour.score, null, null
    from unnest(by_meaning.slots, by_meaning.scores) with ordinality as neighbour(slot, score, rank)
  ) as part on part.slot = funding.slot_of(dataset, (item.body->>'id')::uuid);
  return explained;
end
$$;

-- supabase/schemas/search/fusion/marks.sql
-- Highlights (`highlight=true`): what to mark in the results of a search. The edge function cuts the passages of the texts that are in the answer.

-- Marks for a page of a search: { words, phrases, near, passages, identifiers }. `words` has stems with their weights. In the mode null and in `keyword`, words
-- that have to follow each other are in `phrases`, as [[{ stem, gap }]], instead. A ranked search also marks synonyms and corrections, as
-- `funding.analyze_query` takes them. `near` has, for each record of the page whose texts have none of the words, those of its own that are nearest to the
-- query's vector, the nearest first. `passages` has, for each record whose nearest vector is that of a passage, where that begins and ends in its text, in
-- characters from 0; and `identifiers`, where the search is an identifier, those of each record that it is.
create or replace function funding.marks(dataset text, filter jsonb, mode text, query_vector extensions.halfvec, page json) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  wanted constant tsquery := funding.parse_query(funding.wanted_words(filter->>'search'));
  -- Lexemes in quotes with `follows` between them: 'clean' <-> 'water'. No lexeme has a line break.
  phrase_pattern constant text := $c$'(?:[^']|'')*'(?: <(?:-|\d+)> '(?:[^']|'')*')+$c$;
  stem_pattern constant text := $c$(?:<(-|\d+)> )?'((?:[^']|'')*)'$c$;
  written text := wanted::text;
  phrases json := '[]';
  stems text[];
  ids uuid[];
  without_words uuid[];
  beginnings text;
  weights json;
  near json;
  passages json;
  identifiers json;
  forms constant text[] := funding.query_identifiers(filter->>'search');
  fit_generation integer;
  documents integer;
  embedding extensions.vector;
  has_space constant boolean := mode in ('semantic', 'hybrid') and funding.external_model() is null;
  has_passages constant boolean := mode in ('semantic', 'hybrid') and query_vector is not null;
begin
  select fit.generation, greatest(fit.documents, 1) into fit_generation, documents from funding.lexicon_fit as fit;
  if mode is null or mode = 'keyword' then
    select coalesce(json_agg(phrase.stems), '[]') into phrases
    from regexp_matches(written, '(' || phrase_pattern || ')', 'g') as matched
    cross join lateral (
      select json_agg(json_build_object('stem', replace(part[2], '''''', ''''), 'gap', coalesce(nullif(part[1], '-'), '1')::integer)) as stems
      from regexp_matches(matched[1], stem_pattern, 'g') as part
    ) as phrase;
    written := regexp_replace(written, phrase_pattern, '', 'g');
  end if;
  stems := array(select distinct replace(matched[2], '''''', '''') from regexp_matches(written, stem_pattern, 'g') as matched);
  if mode is not null then
    with word as materialized (
      select word.stem, coalesce(lexicon.document_frequency, 0) as document_frequency,
             exists (select from funding.synonyms where synonyms.term = word.stem) as has_synonyms
      from unnest(stems) as word(stem)
      left join funding.lexicon on lexicon.generation = fit_generation and lexicon.term = word.stem
    )
    select stems || coalesce(array_agg(other.stem), '{}') into stems
    from (
      select known.term as stem
      from word
      join funding.synonyms on synonyms.term = word.stem
      cross join lateral unnest(tsvector_to_array(to_tsvector('funding.english', funding.separate_words(synonyms.means)))) as meant
      join funding.lexicon as known on known.generation = fit_generation and known.term = meant
      where word.has_synonyms and known.document_frequency > word.document_frequency and funding.setting('synonym_weight')::real > 0
      union
      select funding.respelled(word.stem) from word
      where word.document_frequency = 0 and not word.has_synonyms and funding.setting('spelling_weight')::real > 0
    ) as other
    where other.stem is not null;
  end if;
  select coalesce(json_object_agg(word.stem, round(funding.inverse_document_frequency(documents, coalesce(lexicon.document_frequency, 0))::numeric, 2)), '{}')
  into weights
  from unnest(stems) as word(stem)
  left join funding.lexicon on lexicon.generation = fit_generation and lexicon.term = word.stem;

  if forms <> '{}' or has_passages then
    ids := array(select (item->>'id')::uuid from json_array_elements(page) as item);
  end if;
  if has_space then
    -- By the texts of the page, which are at hand: to read the records' lexemes for it took two thirds of the time of this function. A word begins as
    -- its stem does, but for the stem's last letter.
    beginnings := (
      select '\m(?:' || string_agg(regexp_replace(left(stem, greatest(2, length(stem) - 1)), '([^[:alnum:]])', '\\\1', 'g'), '|') || ')'
      from unnest(stems) as stem);
    without_words := array(
      select (item->>'id')::uuid from json_array_elements(page) as item
      where concat_ws(' ', item->>'title', item->>'name', item->>'description', item->>'summary') !~* beginnings);
  end if;
  if without_words <> '{}' then
    embedding := (funding.query_of(dataset, filter, query_vector)).embedding::extensions.vector;
    execute format($c$
      select json_object_agg(record.id, nearest.stems)
      from funding.%I as record
      cross join lateral (
        select json_agg(term.term order by term.distance) as stems
        from (
          select lexicon.term, lexicon.vector <=> $2 as distance
          from unnest(tsvector_to_array(record.lexemes)) as lexeme join funding.lexicon on lexicon.generation = $3 and lexicon.term = lexeme
          where lexicon.vector is not null
          order by distance
          limit 5
        ) as term
      ) as nearest
      where record.id = any ($1) and nearest.stems is not null
    $c$, dataset)
    into near using without_words, embedding, fit_generation;
  end if;
  if has_passages then
    embedding := (funding.query_of(dataset, filter, query_vector)).embedding::extensions.vector;
    execute format($c$
      select json_object_agg(record.id, json_build_array(passage.start - 1, passage.start - 1 + passage.length))
      from funding.%1$I as record
      cross join lateral (
        select known.passage from funding.vectors_of_slots(%1$L, $3, array[record.slot]) as known order by known.embedding <=> $2::halfvec, known.passage limit 1
      ) as nearest
      cross join lateral (
        select known.start, known.length from funding.passages(record.%2$I) with ordinality as known(start, length, number)
        where known.number = nearest.passage
      ) as passage
      where record.id = any ($1) and nearest.passage > 0
    $c$, dataset, case when dataset = 'funders' then 'summary' else 'description' end)
    into passages using ids, embedding, (select fit.vectors from funding.lexicon_fit as fit);
  end if;
  if forms <> '{}' then
    execute format($c$
      select json_object_agg(record.id, named.identifiers)
      from funding.%I as record
      cross join lateral (
        select json_agg(identifier) as identifiers from unnest(%s) as identifier where funding.identifier_forms(array[identifier]) && $2
      ) as named
      where record.id = any ($1) and named.identifiers is not null
    $c$, dataset, funding.identifiers_of(dataset)) into identifiers using ids, forms;
  end if;
  return json_build_object('words', weights, 'phrases', phrases, 'near', coalesce(near, '{}'), 'passages', coalesce(passages, '{}'),
    'identifiers', coalesce(identifiers, '{}'));
end
$$;

-- supabase/schemas/search/fusion/ranking.sql
-- Ranked search: fusion of the keyword leg and the semantic leg. Each leg returns its best `search_candidates` records, and applies every filter
-- while it looks for them. The legs do not depend on the page, so pages neither repeat nor skip a record. In return, a ranked search lists no more
-- records than the legs return.

-- Records that at least one leg finds, in no order: rank and score in each leg, null where that leg has not found the record, and the similarity to
-- the query. Only the first 100 records of each leg are compared with the query; the similarity of the others is 0. (Comparing all would take longer
-- than finding them.) Without `with_meaning`, only the keyword leg runs.
create or replace function funding.hybrid_legs(
  scope funding.search_scope, analysis funding.query_analysis, maximum integer, with_meaning boolean)
returns table (slot integer, keyword_rank bigint, keyword_score double precision, semantic_rank bigint, semantic_score double precision,
  similarity double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  by_words constant funding.ranked_slots := funding.keyword_candidates(scope, analysis, maximum);
  by_meaning funding.ranked_slots;
  compared constant integer := 100;
  slots integer[];
  similarities double precision[];
begin
  if with_meaning then
    analysis := funding.with_feedback(scope, analysis, by_words);
    by_meaning := funding.semantic_candidates(scope, analysis, maximum);
    slots := array(select unnest(by_words.slots[:compared]) union select unnest(by_meaning.slots[:compared]));
    similarities := funding.similarities(scope.dataset, analysis, slots);
  end if;
  return query
  select coalesce(word.slot, neighbour.slot), word.rank, word.score, neighbour.rank, neighbour.score, coalesce(known.similarity, 0)
  from unnest(by_words.slots, by_words.scores) with ordinality as word(slot, score, rank)
  full join unnest(by_meaning.slots, by_meaning.scores) with ordinality as neighbour(slot, score, rank) on neighbour.slot = word.slot
  left join unnest(slots, similarities) as known(slot, similarity) on known.slot = coalesce(word.slot, neighbour.slot);
end
$$;

-- BM25 score that the five heaviest words of a query could give: the rest of a long query is context. 0 for a query of one word, which every record with
-- it answers, and for `similar_to`.
create or replace function funding.possible_keyword_score(scope funding.search_scope, analysis funding.query_analysis) returns double precision
language plpgsql stable as $$
begin
  if scope.parameters ? 'similar_to' or coalesce(cardinality(analysis.word_weights), 0) < 2 then
    return 0;
  end if;
  return (select sum(heaviest.weight) from (select weight from unnest(analysis.word_weights) as weight order by weight desc limit 5) as heaviest)
    * (select fit.bm25_k1 + 1 from funding.lexicon_fit as fit);
end
$$;

-- Fusion of both legs: a reciprocal rank fusion (RRF; Cormack, Clarke and Buettcher, 2009) of three rankings, by keywords, by meaning, and by the sum
-- of both scores. In the sum, a keyword score counts as its share of the best. Scores are divided by the greatest sum possible: 1 is first in all
-- rankings. Two rankings alone would give a weak leg the same voice as a strong one. Under the setting `fusion` = `sum`, only the sum of scores counts.
--
-- A record that only its words find needs the share `floor_keyword` of the possible score: a word in common is noise where neither the other words nor
-- the meaning agree.
--
-- Without meaning, only the keyword leg counts, whatever its weight. A record that only a leg of weight 0 finds has the score 0, and comes last. In
-- no order.
create or replace function funding.hybrid_scores(
  scope funding.search_scope, analysis funding.query_analysis, maximum integer, with_meaning boolean)
returns table (slot integer, keyword_rank bigint, keyword_score double precision, semantic_rank bigint, semantic_score double precision,
  similarity double precision, total double precision, sum_rank bigint, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  k double precision := funding.setting('fusion_k')::double precision;
  keyword_weight double precision := funding.setting('fusion_keyword_weight')::double precision;
  semantic_weight double precision := case when with_meaning then funding.setting('fusion_semantic_weight')::double precision else 0 end;
  sum_weight double precision := case when with_meaning then funding.setting('fusion_sum_weight')::double precision else 0 end;
  -- Weight of the similarity, beside a keyword score of 1.
  similarity_weight double precision := case when semantic_weight > 0 then funding.model_setting('fusion_similarity_weight') else 0 end;
  is_sum boolean := with_meaning and funding.setting('fusion') = '"sum"';
  least_keyword_score double precision := 0;
begin
  with_meaning := with_meaning and analysis.embedding is not null;
  if with_meaning and semantic_weight > 0 then
    least_keyword_score := funding.setting('floor_keyword')::double precision * funding.possible_keyword_score(scope, analysis);
  end if;
  if keyword_weight = 0 and (semantic_weight = 0 or not with_meaning) then
    keyword_weight := 1;
  end if;
  return query
  with scored as materialized (
    select leg.*,
           case when keyword_weight > 0 then coalesce(leg.keyword_score / nullif(max(leg.keyword_score) over (), 0), 0) else 0 end as keyword_share,
           -- Where the keyword leg does not count, a record that only this leg has found must not come before others.
           case when keyword_weight > 0 or leg.semantic_rank is not null then similarity_weight * leg.similarity else 0 end as meaning
    from funding.hybrid_legs(scope, analysis, maximum, with_meaning) as leg
  ), summed as materialized (
    select scored.*, scored.keyword_share + scored.meaning as total,
           row_number() over (order by scored.keyword_share + scored.meaning desc, scored.slot) as sum_rank,
           1 + max(scored.meaning) over () as most
    from scored
  )
  select summed.slot, summed.keyword_rank, summed.keyword_score, summed.semantic_rank, summed.semantic_score, summed.similarity, summed.total,
         summed.sum_rank,
         least(case
           when is_sum then summed.total / summed.most
           else (
             coalesce(keyword_weight / (k + summed.keyword_rank), 0) + coalesce(semantic_weight / (k + summed.semantic_rank), 0)
               + case when summed.total > 0 then sum_weight / (k + summed.sum_rank) else 0 end
           ) / ((keyword_weight + semantic_weight + sum_weight) / (k + 1))
         end, 1)
  from summed
  where summed.semantic_rank is not null or summed.keyword_score >= least_keyword_score;
end
$$;

-- Slots and scores of `funding.hybrid_scores`.
create or replace function funding.hybrid_candidates(
  scope funding.search_scope, analysis funding.query_analysis, maximum integer, with_meaning boolean)
returns funding.ranked_slots
-- A function in SQL would be planned at each call.
language plpgsql stable as $$
begin
  return (
    select (array_agg(found.slot), array_agg(found.score))::funding.ranked_slots
    from funding.hybrid_scores(scope, analysis, maximum, with_meaning) as found);
end
$$;

-- Mode in which a ranked search can run: the given one, or a mode without vectors. There are no vectors before the lexicon's first fit, which matters
-- only if the dataset has records.
create or replace function funding.available_mode(dataset text, mode text) returns text
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  has_records boolean;
begin
  if mode = 'keyword' or funding.setting('embedding_model') <> '"lexicon"' or (select dimensions > 0 from funding.lexicon_fit) then
    return mode;
  end if;
  execute format('select exists (select from funding.%I)', dataset) into has_records;
  if not has_records then
    return mode;
  end if;
  return funding.mode_without_vectors(mode, 'semantic search has no vectors yet');
end
$$;

-- Mode that ranks a list, or null for a list in the order of a field.
create or replace function funding.ranking_mode(dataset text, asked_mode text, vector_is_missing boolean default false) returns text
language plpgsql stable as $$
begin
  if asked_mode is null then
    return null;
  elsif vector_is_missing then
    return funding.mode_without_vectors(asked_mode, 'the query has no vector');
  end if;
  return funding.available_mode(dataset, asked_mode);
end
$$;

-- Ids of the records of a dataset with these slots, in the order of the slots. The plan is cached: it is the same for any slots.
create or replace function funding.ids_of(dataset text, slots integer[]) returns uuid[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return case dataset
    when 'grants' then array(
      select record.id
      from unnest(slots) with ordinality as wanted(slot, position) left join funding.grants as record on record.slot = wanted.slot
      order by wanted.position)
    when 'contracts' then array(
      select record.id
      from unnest(slots) with ordinality as wanted(slot, position) left join funding.contracts as record on record.slot = wanted.slot
      order by wanted.position)
    else array(
      select record.id
      from unnest(slots) with ordinality as wanted(slot, position) left join funding.funders as record on record.slot = wanted.slot
      order by wanted.position)
  end;
end
$$;

-- Row limit of each leg of a ranked search.
create or replace function funding.candidates_of(dataset text, mode text) returns integer
language plpgsql stable as $$
begin
  return least(
    funding.setting('search_candidates')::integer,
    case when mode <> 'keyword' and funding.has_vector_index(dataset) then funding.setting('search_candidates_indexed')::integer end);
end
$$;

-- Query of a ranked search: a record (`similar_to`), or the words of the search. A vector of another size is of the model of a moment ago, and is left
-- out.
create or replace function funding.query_of(dataset text, filter jsonb, query_vector extensions.halfvec) returns funding.query_analysis
language plpgsql stable as $$
begin
  if filter ? 'similar_to' then
    return funding.query_like(dataset, (filter->>'similar_to')::uuid);
  end if;
  if extensions.vector_dims(query_vector) <> funding.vector_size(funding.setting('embedding_model')#>>'{}') then
    query_vector := null;
  end if;
  return funding.read_query(filter->>'search', query_vector);
end
$$;

-- Records of a ranked search with their scores, best first, ties by id; at most `most`, or all. `total` counts all. Records whose identifier is the
-- query come first. The mode `keyword` is a hybrid search with the keyword leg alone. It uses no vector index, which alone makes a longer leg
-- expensive, so its limit is `search_candidates`. With `similar_to` in the filter, a record is the query (similar.sql). `query_vector` is the query's
-- vector under an external model.
--
-- `jit` is off: nothing here runs long enough for compiling to pay, and Postgres would compile where it overestimates how many rows a function
-- returns.
create or replace function funding.ranked(
  dataset text, filter jsonb, mode text, query_vector extensions.halfvec default null, most bigint default null)
returns table (id uuid, score double precision, total bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
declare
  maximum integer := funding.candidates_of(dataset, mode);
  is_similar boolean := filter ? 'similar_to';
  analysis funding.query_analysis := funding.query_of(dataset, filter, query_vector);
  scope funding.search_scope := funding.scope_of(dataset, filter);
  -- With `similar_to`, a search is a filter.
  identifier_matches uuid[] := case when is_similar then '{}' else funding.identifier_matches(scope, maximum) end;
  -- Scales the scores of the legs so that exact identifiers rank first. 1 where no identifier matches.
  score_scale double precision := case when identifier_matches = '{}' then 1 else 0.999 end;
  ranking funding.ranked_slots := case
    -- The record of `similar_to` may have no vector yet: then its words are compared.
    when mode = 'semantic' and not (is_similar and analysis.embedding is null) then funding.semantic_candidates(scope, funding.with_feedback(scope, analysis), maximum)
    else funding.hybrid_candidates(scope, analysis, maximum, mode = 'hybrid')
  end;
  found_records bigint := coalesce(cardinality(ranking.slots), 0);
begin
  -- Keeps all records that tie for the last position. Their ids are read later, and decide the order.
  select array_agg(first.slot), array_agg(first.displayed_score) into ranking
  from (
    -- Rounded to six digits, as in a cursor.
    select found.slot, round(found.score * score_scale * 1000000) / 1000000 as displayed_score
    from unnest(ranking.slots, ranking.scores) as found(slot, score)
    order by displayed_score desc
    fetch first case when most is null or identifier_matches <> '{}' then found_records else most end rows with ties
  ) as first;

  return query
  select listed.id, listed.displayed_score, case when identifier_matches = '{}' then found_records else count(*) over () end
  from (
    select found.id, found.displayed_score
    from unnest(funding.ids_of(dataset, ranking.slots), ranking.scores) as found(id, displayed_score)
    where found.id is not null and found.id <> all (identifier_matches)
    union all
    select unnest(identifier_matches), 1
  ) as listed
  order by listed.displayed_score desc, listed.id
  limit most;
end
$$;

-- supabase/schemas/search/keyword/coverage.sql
-- Coverage: keywords find a record when the query's words in it are together worth at least a floor. The floor is a share of the worth of the query's
-- rarest words.

-- A tsquery for the records that cover enough of a query: their words are together worth at least `coverage_floor`. It is the union of the smallest
-- such sets of words; the text index answers it directly. Null when no set of at most `longest` words is worth as much.
create or replace function funding.covering_sets(words tsquery[], idfs real[], coverage_floor real, longest integer) returns tsquery
language sql immutable parallel safe as $$
  with recursive word as (
    select terms, idf, row_number() over (order by idf desc, terms::text) as position
    from unnest(words, idfs) as given(terms, idf)
  ), chosen as (
    select position, idf, terms as together, 1 as size from word
    union all
    -- Words come by falling idf, and a set that is worth enough does not grow. So the sets are minimal.
    select word.position, chosen.idf + word.idf, chosen.together && word.terms, chosen.size + 1
    from chosen join word on word.position > chosen.position
    where chosen.idf < coverage_floor and chosen.size < longest
  )
  select string_agg('(' || together::text || ')', ' | ')::tsquery from chosen where idf >= coverage_floor
$$;

-- A tsquery for the words of a query, alone or together, that a record must have: worth at least `coverage_floor`. Beyond twelve words the sets are
-- too many to list: then any word matches, and only the score decides.
create or replace function funding.covering_words(analysis funding.query_analysis, coverage_floor real) returns tsquery
language plpgsql immutable parallel safe as $$
begin
  return case when cardinality(analysis.words) > 12 then analysis.any_term else funding.covering_sets(analysis.words, analysis.word_idfs, coverage_floor, 12) end;
end
$$;

-- Score that proves that a record covers enough of a query: the highest score of the words that are not enough alone (a term's weight in a record is
-- at most k1 + 1), and a little more, since sums are rounded. Zero where every word is enough alone. Beyond twelve words it is `coverage_floor` itself,
-- about the score of words of that worth in a record of average length that has each of them once.
create or replace function funding.covering_score(analysis funding.query_analysis, coverage_floor real) returns real
language plpgsql stable as $$
begin
  if cardinality(analysis.words) > 12 then
    return coverage_floor;
  end if;
  return (
    select coalesce(least(sum(word.weight), coverage_floor * max(word.weight / word.idf)) * ((select fit.bm25_k1 from funding.lexicon_fit as fit) + 1) * 1.0001, 0)
    from unnest(analysis.word_idfs, analysis.word_weights) as word(idf, weight)
    where word.idf < coverage_floor);
end
$$;

-- Whether a record covers enough of a query exactly when it has one of the words that are enough alone: the other words are not enough together.
-- False for a long query: there the score decides.
create or replace function funding.needs_a_strong_word(analysis funding.query_analysis, coverage_floor real) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return cardinality(analysis.words) <= 12
    and coalesce((select sum(idf) < coverage_floor from unnest(analysis.word_idfs) as idf where idf < coverage_floor), false);
end
$$;

-- A tsquery for the records that have every word of a query, or a synonym or correction of it.
create or replace function funding.every_word(analysis funding.query_analysis) returns tsquery
language plpgsql immutable parallel safe as $$
begin
  return (select string_agg('(' || word.terms::text || ')', ' & ')::tsquery from unnest(analysis.words) as word(terms));
end
$$;

-- supabase/schemas/search/keyword/keyword.sql
-- Keyword leg of a search: the best records by BM25. Sealed records are scored from the posting lists (inverted index), records in no segment from
-- their own words.

-- BM25 score of a record by its own words. Returns one row, so that Postgres inlines the function. It takes 12 to 16 microseconds: functions of text
-- search first drop all words but the query's, which get the label D, and only these become rows. A word of the title counts as `bm25_title_weight`
-- words, as in `funding.term_frequencies`.
create or replace function funding.bm25_scores(lexemes tsvector, analysis funding.query_analysis, fit funding.lexicon_fit)
returns table (score double precision)
language sql immutable parallel safe as $$
  select sum(analysis.term_weights[array_position(analysis.terms, word.term)] * funding.bm25_weight(
    word.frequency, record.length, fit.average_length, fit.bm25_k1, fit.bm25_b))
  -- `offset 0`, so that the length is computed once.
  from (select funding.record_length(lexemes, fit.bm25_title_weight) as length offset 0) as record
  cross join (
    select counted.term, sum(counted.frequency) as frequency
    from (
      select word.lexeme as term, cardinality(word.positions)::double precision as frequency
      from unnest(ts_filter(setweight(lexemes, 'D', analysis.terms), '{d}')) as word
      union all
      select word.lexeme, (fit.bm25_title_weight - 1) * cardinality(word.positions)
      from unnest(ts_filter(setweight(ts_filter(lexemes, '{a}'), 'D', analysis.terms), '{d}')) as word
    ) as counted
    group by counted.term
  ) as word
$$;

-- Best records among those in no segment.
create or replace function funding.keyword_unsealed(
  scope funding.search_scope, analysis funding.query_analysis, coverage_floor real, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  best funding.ranked_slots;
begin
  execute format($search$
    select array_agg(best.slot), array_agg(best.score)
    from (
      select record.slot, scored.score
      from funding.lexicon_fit as fit
      cross join (
        select record.slot, record.lexemes
        from %s
        where record.lexemes @@ $3 and (%s)
        %s
      ) as record
      cross join lateral funding.bm25_scores(record.lexemes, $2, fit) as scored
      where %s
      order by score desc, slot
      limit $4
    ) as best
  $search$, funding.unsealed_records(scope.dataset, '$6', scope.unsealed), scope.condition,
    -- More than 5,000 are unsealed only before the first fit, or where nothing seals. Then `ts_rank`, ten times as fast, picks the candidates.
    case when scope.unsealed > 5000 then 'order by ts_rank(record.lexemes, $8) desc limit greatest(2 * $4, 2000)' end,
    case when cardinality(analysis.words) > 12 then '(scored.score >= $5 or record.lexemes @@ $7)' else 'true' end)
  into best
  using scope.parameters, analysis, funding.covering_words(analysis, coverage_floor), maximum, funding.covering_score(analysis, coverage_floor),
        scope.sealed_end, funding.every_word(analysis), analysis.any_term;
  return best;
end
$$;

-- Records of segments that have certain words, within the scope of a search, by the text index.
create or replace function funding.text_matches(scope funding.search_scope, words tsquery) returns funding.slot_bitmaps
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  found funding.slot_bitmaps;
begin
  execute format($matches$
    with match as materialized (
      select record.slot from funding.%I as record where record.lexemes @@ $2 and record.slot < $3 and (%s)
    )
    select coalesce(array_agg(block.block), '{}'), coalesce(array_agg(block.bits), '{}')
    from (
      select blocks.block, funding.bits_at(array_agg(match.slot - blocks.first_slot + 1), blocks.size) as bits
      from match
      join funding.blocks_of($4) as blocks on match.slot between blocks.first_slot and blocks.first_slot + blocks.size - 1
      group by blocks.block, blocks.size
    ) as block
  $matches$, scope.dataset, scope.condition)
  into found using scope.parameters, words, scope.sealed_end, scope.dataset;
  return found;
end
$$;

-- Positions of the elements above a cutoff, as bits; with a `mask`, only those in the mask. `threshold` is a vector filled with the cutoff; null
-- means 0.
create or replace function funding.positions_above(scores extensions.vector, mask bit varying, threshold extensions.vector) returns bit varying
language plpgsql immutable parallel safe as $$
declare
  above bit varying := extensions.binary_quantize(case when threshold is null then scores else scores operator(extensions.-) threshold end);
begin
  return case when mask is null then above else above & mask end;
end
$$;

-- Cutoff that at least `wanted` elements of a vector exceed, but not many more. 0 where no more elements than that have a score. The number of
-- elements above a score falls about exponentially as the score rises, so each guess interpolates that curve. In 80 searches this took 5.5 guesses on
-- average, and bisection 6.6.
create or replace function funding.score_of_best(scores extensions.vector, mask bit varying, wanted integer, highest real) returns real
language plpgsql immutable parallel safe as $$
declare
  enough constant double precision := wanted * 1.25;
  low real := 0;
  above_low double precision := bit_count(funding.positions_above(scores, mask, null));
  high real := highest;
  above_high double precision := 0.5;
  middle real;
  above bigint;
begin
  for guess in 1..10 loop
    exit when above_low <= enough;
    middle := low + (high - low) * least(greatest(ln(above_low / (wanted * 1.12)) / ln(above_low / above_high), 0.1), 0.9);
    above := bit_count(funding.positions_above(scores, mask, funding.filled_vector(middle, extensions.vector_dims(scores))));
    if above >= wanted then
      low := middle;
      above_low := above;
    else
      high := middle;
      above_high := greatest(above, 0.5);
    end if;
  end loop;
  return low;
end
$$;

-- Block whose mask has the most ones, counted from 1, and its share of all ones: the best sample of the other blocks. A null mask stands for ones
-- alone.
create or replace function funding.fullest_block(masks bit varying[], sizes integer[], out block_position integer, out share double precision)
language plpgsql immutable parallel safe as $$
begin
  select given.position, coalesce(given.ones / nullif(sum(given.ones) over (), 0), 1.0 / cardinality(masks))
  into block_position, share
  from (
    select position, coalesce(bit_count(mask), size)::double precision as ones
    from unnest(masks, sizes) with ordinality as item(mask, size, position)
  ) as given
  order by given.ones desc, given.position
  limit 1;
end
$$;

-- Filters a list of records, best first: returns the first `maximum` that are in the scope and meet `further_condition`, which may bind `least_score`
-- as $5 and `words` as $6. Where the scope has bits, all records of the list are in the scope already.
create or replace function funding.best_in_scope(
  scope funding.search_scope, slots integer[], scores real[], maximum integer, further_condition text, least_score real, words tsquery)
returns funding.ranked_slots
language plpgsql stable as $$
declare
  best funding.ranked_slots;
begin
  if scope.bits is not null and further_condition = 'true' then
    if slots is not null then
      best := (slots[1:maximum], scores[1:maximum]);
    end if;
    return best;
  end if;
  execute format($passing$
    select array_agg(passing.slot), array_agg(passing.score)
    from (
      -- Keeps the list's order, so that the join stops when enough records have passed.
      select best.slot, best.score::double precision
      from unnest($2, $3) with ordinality as best(slot, score, position)
      join funding.%I as record on record.slot = best.slot
      where %s and (%s)
      order by best.position
      limit $4
    ) as passing
  $passing$, scope.dataset, further_condition, case when scope.bits is null then scope.condition else 'true' end)
  into best using scope.parameters, slots, scores, maximum, least_score, words;
  return best;
end
$$;

-- Best records by BM25, from the posting lists. The scores of a block are a sum of vectors, and a cutoff turns them into bits. One block, the sample,
-- gives a cutoff that slightly more records pass than are wanted.
--
-- Filters: the scope's bits are a mask of the scores. A scope without bits is checked record by record, best first, until `maximum` have passed.
-- Coverage: bits answer it for strong words, by a second sum of these words alone, and for long queries, by the score. Otherwise it is checked record
-- by record, too.
create or replace function funding.keyword_postings(scope funding.search_scope, analysis funding.query_analysis, coverage_floor real, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  is_masked boolean := funding.needs_a_strong_word(analysis, coverage_floor);
  is_long boolean := cardinality(analysis.words) > 12;
  covering_score real := funding.covering_score(analysis, coverage_floor);
  -- 'true' where any word is enough, or where the masks answer the coverage.
  further_condition text := case when covering_score = 0 or is_masked or is_long then 'true' else '(best.score >= $5 or record.lexemes @@ $6)' end;
  complete funding.slot_bitmaps := case when is_long then funding.text_matches(scope, funding.every_word(analysis)) end;
  -- Of each block: the slot before its first one, its size, its scores, and the mask of the records that may be found (null: all).
  before_blocks integer[];
  sizes integer[];
  scores vector[];
  masks bit varying[];
  -- Number of best records to pick, so that about 1.15 * `maximum` of them pass.
  wanted double precision := maximum * 1.15
    * case when scope.bits is null then greatest(scope.records, 1) / greatest(scope.matching_records, scope.records * 0.01, 1) else 1 end;
  sample record;
  -- Whether the sample was chosen by its number of records with a score. At first it is chosen by its number of records in scope.
  is_counted boolean := false;
  threshold real;
  highest real := (select sum(weight) from unnest(analysis.term_weights) as weight) * (fit.bm25_k1 + 1);
  slots integer[];
  slot_scores real[];
  best funding.ranked_slots;
begin
  select array_agg(blocks.first_slot - 1), array_agg(blocks.size), array_agg(summed.scores),
         array_agg(case when covering.bits is null then scope_block.bits when scope_block.bits is null then covering.bits else covering.bits & scope_block.bits end)
  into before_blocks, sizes, scores, masks
  from (
    -- Sums in a fixed order: another order can change the last digit.
    select ordered.block, sum(case
             when ordered.factor = 1 then ordered.weights::vector
             else ordered.weights::vector * funding.filled_vector(ordered.factor, vector_dims(ordered.weights::vector))
           end) as scores,
           binary_quantize(sum(ordered.weights::vector) filter (where ordered.is_strong)) as strong
    from (
      select postings.block, postings.weights, term.factor, is_masked and term.word_idf >= coverage_floor as is_strong
      from unnest(analysis.terms, analysis.term_factors, analysis.term_word_idfs) as term(name, factor, word_idf)
      join funding.postings on postings.dataset = scope.dataset and postings.term = term.name
        and postings.block between funding.first_block(fit.generation) and funding.last_block(fit.generation)
      -- Before the sums: blocks of awards alone have nothing of what most searches look for.
      where scope.blocks is null or postings.block = any (scope.blocks)
      order by postings.block, term.name
    ) as ordered
    group by ordered.block
    having not is_masked or bool_or(ordered.is_strong)
    order by ordered.block
  ) as summed
  join funding.blocks on blocks.dataset = scope.dataset and blocks.block = summed.block
  left join unnest(scope.blocks, scope.bits) as scope_block(block, bits) on scope_block.block = summed.block
  left join unnest(complete.blocks, complete.bits) as complete_block(block, bits) on complete_block.block = summed.block
  cross join lateral (
    select case
        when not is_long then summed.strong
        when complete_block.bits is null then above.bits
        else above.bits | complete_block.bits
      end as bits
    from (select funding.positions_above(summed.scores, null, funding.filled_vector(covering_score, blocks.size)) as bits) as above
  ) as covering
  where scope.bits is null or scope_block.bits is not null;
  if scores is null then
    return null;
  end if;
  sample := funding.fullest_block(masks, sizes);

  loop
    -- At least eight records of the sample: for fewer, the guesses do not converge. For one, 9,200 of 797,000 records passed where ten were wanted.
    wanted := greatest(wanted, 8 / sample.share);
    threshold := funding.score_of_best(scores[sample.block_position], masks[sample.block_position], ceil(wanted * sample.share)::integer, highest);
    -- The sample may have few records with these words and another block many: records of one year are neighbours. Another sample is taken then. With
    -- five such records in the first sample, and 14,000 in the last of four blocks, this takes 1.0 ms instead of 7.5.
    if threshold = 0 and not is_counted and cardinality(sizes) > 1 then
      sample := funding.fullest_block(array(
        select funding.positions_above(given.scores, given.mask, null) from unnest(scores, masks) with ordinality as given(scores, mask, position) order by given.position), sizes);
      is_counted := true;
      continue;
    end if;

    select array_agg(above.slot), array_agg(above.score) into slots, slot_scores
    from (
      select block.slots_before + position as slot, (subvector(block.scores, position, 1)::real[])[1] as score
      from (
        select given.*, case when threshold > 0 then size.thresholds end as thresholds
        from unnest(before_blocks, sizes, scores, masks) as given(slots_before, size, scores, mask)
        -- Most blocks have one size.
        join (select distinct item as size, funding.filled_vector(threshold, item) as thresholds from unnest(sizes) as item) as size using (size)
      ) as block
      cross join lateral unnest(funding.positions_of(funding.positions_above(block.scores, block.mask, block.thresholds))) as position
      order by score desc, slot
    ) as above;

    best := funding.best_in_scope(scope, slots, slot_scores, maximum, further_condition, covering_score,
      case when further_condition like '%$6%' then funding.covering_words(analysis, coverage_floor) end);
    exit when cardinality(best.slots) >= maximum or threshold = 0;
    -- Fewer than half of the wanted records passed: the filter is more selective among records with these words than among all.
    if (scope.bits is null or further_condition <> 'true') and coalesce(cardinality(best.slots), 0) * 2 < maximum then
      return funding.keyword_matches(scope, analysis, coverage_floor, maximum);
    end if;
    wanted := wanted * 3;
  end loop;
  return best;
end
$$;

-- Best records by BM25 for a selective filter: the text index finds the records with the query's words that match it, and only these are scored.
create or replace function funding.keyword_matches(scope funding.search_scope, analysis funding.query_analysis, coverage_floor real, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  select matches.blocks, matches.bits into scope.blocks, scope.bits
  from funding.text_matches(scope, funding.covering_words(analysis, coverage_floor)) as matches;
  return funding.keyword_postings(scope, analysis, case when cardinality(analysis.words) > 12 then coverage_floor else 0 end, maximum);
end
$$;

-- Best records by BM25, best first. A candidate has words of the query, or their synonyms, worth at least the share `floor_coverage` of the query's
-- `floor_words` rarest words. (Not of all words: relevant records rarely have a quarter of fifty words.) For a query of more than twelve words the
-- score decides instead. Weights and length can make a score small, so a record with all words is a candidate at any score.
create or replace function funding.keyword_candidates(scope funding.search_scope, analysis funding.query_analysis, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  coverage_floor real := (
    select sum(word.idf) * funding.setting('floor_coverage')::real * 0.9999
    from (
      select idf from unnest(analysis.word_idfs) as idf order by idf desc limit funding.setting('floor_words')::integer
    ) as word);
  found funding.ranked_slots;
  unsealed funding.ranked_slots;
begin
  if analysis.any_term is null then
    return null;
  end if;
  if scope.sealed_end > 1 then
    -- Without bits, the filter is checked on the best of all records. Where it matches few records with any of the words, finding these is cheaper.
    if scope.bits is null and scope.is_filtered and scope.matching_records * analysis.matching_share < 1500 then
      found := funding.keyword_matches(scope, analysis, coverage_floor, maximum);
    else
      found := funding.keyword_postings(scope, analysis, coverage_floor, maximum);
    end if;
  end if;
  if scope.unsealed > 0 then
    unsealed := funding.keyword_unsealed(scope, analysis, coverage_floor, maximum);
  end if;
  if unsealed.slots is null and scope.except_slot is null then
    return found;
  end if;
  return (
    select (array_agg(best.slot), array_agg(best.score))::funding.ranked_slots
    from (
      select every.slot, every.score
      from unnest(found.slots || unsealed.slots, found.scores || unsealed.scores) as every(slot, score)
      where every.slot is distinct from scope.except_slot
      order by score desc, every.slot
      limit maximum
    ) as best);
end
$$;

-- supabase/schemas/search/query/query_vectors.sql
-- Queries' vectors. Under the model `lexicon` a query's vector is computed in the database. Any other model is external: the edge gets the vector
-- from the model's provider, and the vector is cached here, so that no query is paid for twice.

-- Value of a setting that has a value for each embedding model: the model's own, or the default for a model that the setting does not name.
create or replace function funding.model_setting(setting_name text, model text default null) returns double precision
language plpgsql stable as $$
declare
  values_by_model jsonb := funding.setting(setting_name);
begin
  return coalesce(values_by_model->>coalesce(model, funding.setting('embedding_model')#>>'{}'), values_by_model->>'default', '0')::double precision;
end
$$;

-- Mode of a ranked search without vectors: hybrid runs its keyword leg alone; semantic raises PT503.
create or replace function funding.mode_without_vectors(mode text, reason text) returns text
language plpgsql immutable as $$
begin
  if mode = 'semantic' then
    raise sqlstate 'PT503' using message = reason, detail = '{}';
  end if;
  return 'keyword';
end
$$;

-- Text that a query is embedded by: without the words that the query excludes, and with single spaces.
create or replace function funding.embedded_query(query text) returns text
language sql immutable parallel safe as $$
  select btrim(regexp_replace(normalize(funding.wanted_words(query), NFC), '\s+', ' ', 'g'))
$$;

-- Whether this is the second call of an RPC, with the vector that the first call asked the edge for. The first call has admitted and counted the
-- caller.
create or replace function funding.is_second_call(query_vector jsonb) returns boolean
language sql immutable parallel safe as $$
  select coalesce((query_vector->>'is_second_call')::boolean, false)
$$;

-- Cached vector of a text, or null. Marks it as used, once a day.
create or replace function funding.cached_query_vector(model text, text_hash bytea) returns extensions.halfvec
language plpgsql as $$
declare
  today date := (funding.bounded_now() at time zone 'UTC')::date;
  cached funding.query_embeddings;
begin
  select * into cached from funding.query_embeddings as known
  where known.model = cached_query_vector.model and known.text_hash = cached_query_vector.text_hash;
  if cached.used_on < today and funding.may_write() then
    update funding.query_embeddings as known set used_on = today
    where known.model = cached_query_vector.model and known.text_hash = cached_query_vector.text_hash
      and known.used_on < today;
  end if;
  return cached.embedding;
end
$$;

-- Caches the vector of a text. Each new vector evicts at most two others: vectors unused for long and, where there are too many, the least recently
-- used.
create or replace function funding.cache_query_vector(model text, text_hash bytea, vector extensions.halfvec) returns void
language plpgsql as $$
declare
  today date := (funding.bounded_now() at time zone 'UTC')::date;
  most bigint := funding.setting('query_vectors_kept')::bigint;
  days integer := funding.setting('query_vector_days')::integer;
begin
  insert into funding.query_embeddings (model, text_hash, embedding, used_on)
  values (model, text_hash, vector, today)
  on conflict on constraint query_embeddings_pkey do nothing;
  delete from funding.query_embeddings
  where ctid = any (array(
    select old.ctid from funding.query_embeddings as old
    where (old.used_on < today - days or (select count(*) from funding.query_embeddings) > most)
      and (old.model, old.text_hash) <> (cache_query_vector.model, cache_query_vector.text_hash)
    order by old.used_on
    limit 2
    for update skip locked));
end
$$;

-- Vector of a query under the current model, or what the edge is to do for it.
--
-- `given` is the edge's knowledge of the query: { model, vector, is_second_call }, where `vector` is pgvector's text, or null when the provider
-- failed. `given` is null on a first call by an edge that knows nothing.
create or replace function funding.meaning_of(query text, given jsonb) returns funding.query_meaning
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  model text := funding.external_model();
  meaning funding.query_meaning := (null, null, false);
  embedded text;
  text_hash bytea;
begin
  if model is null then
    return meaning;
  end if;
  embedded := funding.embedded_query(query);
  -- A query that has only excluded words has no meaning.
  if embedded = '' then
    return meaning;
  end if;
  text_hash := sha256(convert_to(embedded, 'UTF8'));
  if given->>'model' = model and given->>'vector' is not null then
    meaning.vector := funding.vector_of(model, given->>'vector');
    if funding.is_second_call(given) and funding.may_write() then
      perform funding.cache_query_vector(model, text_hash, meaning.vector);
    end if;
    return meaning;
  end if;

  meaning.vector := funding.cached_query_vector(model, text_hash);
  if meaning.vector is null then
    if funding.is_second_call(given) then
      meaning.is_missing := true;
    else
      meaning.wanted := json_build_object('model', model, 'text', embedded);
    end if;
  end if;
  return meaning;
end
$$;

-- supabase/schemas/search/query/selectivity.sql
-- Scope of a search: the records that it may find, and an estimate of their number.

-- Estimated number of records of a dataset. Zero before the dataset is first analyzed.
create or replace function funding.estimated_records(dataset text) returns double precision
language plpgsql stable as $$
begin
  return (select greatest(reltuples, 0) from pg_class where oid = to_regclass(format('funding.%I', dataset)));
end
$$;

-- Estimated number of records that meet a condition on the row named `record`: the planner's estimate, which reads no record.
create or replace function funding.estimated_matches(dataset text, parameters jsonb, condition text) returns double precision
-- Volatile, because Postgres lets no other function explain.
language plpgsql volatile
set search_path = funding, extensions, pg_temp as $$
declare
  plan json;
begin
  execute format('explain (format json) select from funding.%I as record where %s', dataset,
    replace(condition, '$1', quote_literal(parameters) || '::jsonb'))
  into plan;
  return (plan->0->'Plan'->>'Plan Rows')::double precision;
end
$$;

-- Scope of a search's filter, read once for every leg. It must be read in the legs' snapshot: a new fit may come into force at any
-- time.
create or replace function funding.scope_of(dataset text, filter jsonb) returns funding.search_scope
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  conditions funding.bitmap_condition[];
  matches funding.slot_bitmaps;
  scope funding.search_scope;
begin
  scope.dataset := dataset;
  scope.parameters := filter;
  scope.condition := funding.predicate(dataset, filter);
  scope.is_usual := scope.condition = funding.usual_condition(dataset);
  scope.is_filtered := coalesce(filter->>'opportunity_type', 'open') = 'awarded'
    or exists (
      select from funding.filter_rules(scope_of.dataset) as rule
      where filter ? rule.name and rule.kind <> 'modifier' and not rule.is_always and rule.name <> 'search')
    -- With `similar_to` the record is the query, and a search text is a filter, too.
    or filter ?& array['similar_to', 'search'];
  if filter ? 'similar_to' then
    scope.except_slot := funding.slot_of(dataset, (filter->>'similar_to')::uuid);
  end if;
  scope.records := funding.estimated_records(dataset);
  scope.sealed_end := funding.sealed_end(dataset);
  scope.unsealed := funding.count_unsealed(dataset, scope.sealed_end, 5000);
  if scope.sealed_end > 1 then
    conditions := funding.bitmap_conditions(dataset, filter);
  end if;
  if conditions is not null then
    matches := funding.bitmap_matches(dataset, conditions);
    scope.blocks := coalesce(matches.blocks, '{}');
    scope.bits := coalesce(matches.bits, '{}');
    scope.matching_records := funding.count_of(matches);
  else
    scope.matching_records := funding.estimated_matches(dataset, filter, scope.condition);
  end if;
  return scope;
end
$$;

-- Whether a scope has only records that every list has unless it says otherwise, so that the vectors of these alone have to be compared.
create or replace function funding.is_within_usual(scope funding.search_scope) returns boolean
language plpgsql immutable
set search_path = funding, extensions, pg_temp as $$
declare
  condition text;
begin
  foreach condition in array regexp_split_to_array(funding.usual_condition(scope.dataset), ' and ') loop
    if strpos(' and ' || scope.condition || ' and ', ' and ' || condition || ' and ') = 0 then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- supabase/schemas/search/query/similar.sql
-- More like this: a search whose query is a record (`similar_to`).

-- Dataset and slot of the record with an id, in the searched dataset or another. Raises PT400, which names the parameter, for an id that no record
-- has.
create or replace function funding.find_record(dataset text, record_id uuid, out found_dataset text, out slot integer)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  foreach found_dataset in array array[dataset] || array_remove(array['grants', 'contracts', 'funders'], dataset) loop
    slot := funding.slot_of(found_dataset, record_id);
    if slot is not null then
      return;
    end if;
  end loop;
  raise sqlstate 'PT400' using message = 'must be the id of a grant, contract or funder; no record has this one', hint = 'similar_to';
end
$$;

-- Slot of the record of a dataset with an id; null where the dataset has no such record.
create or replace function funding.slot_of(dataset text, record_id uuid) returns integer
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  slot integer;
begin
  execute format('select record.slot from funding.%I as record where record.id = $1', dataset) into slot using record_id;
  return slot;
end
$$;

-- Query made of a record: its stored vector, and its eight most telling words: those with the highest inverse document frequency times weight
-- in the record. (Each further word costs a millisecond.)
create or replace function funding.query_like(dataset text, record_id uuid) returns funding.query_analysis
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  most_words constant integer := 8;
  likeness constant record := funding.find_record(dataset, record_id);
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  documents constant integer := greatest(fit.documents, 1);
  lexemes tsvector;
  analysis funding.query_analysis;
begin
  execute format('select record.lexemes from funding.%I as record where record.slot = $1', likeness.found_dataset)
  into lexemes using likeness.slot;
  select string_agg(funding.quoted_lexeme(best.term), ' | ')::tsquery as any_term,
         array_agg(best.term order by best.term) as terms,
         array_agg(best.idf * best.weight order by best.term) as term_weights,
         array_agg(best.weight order by best.term) as term_factors,
         array_agg(best.idf order by best.term) as term_word_idfs,
         1 - exp(sum(ln(1 - least(best.document_frequency / documents::double precision, 0.999)))) as matching_share,
         array_agg(funding.quoted_lexeme(best.term)::tsquery order by best.term) as words,
         array_agg(best.idf order by best.term) as word_idfs,
         array_agg(best.idf * best.weight order by best.term) as word_weights
  into analysis.any_term, analysis.terms, analysis.term_weights, analysis.term_factors, analysis.term_word_idfs, analysis.matching_share,
       analysis.words, analysis.word_idfs, analysis.word_weights
  from (
    select word.term, coalesce(lexicon.document_frequency, 0) as document_frequency,
           funding.inverse_document_frequency(documents, coalesce(lexicon.document_frequency, 0)) as idf,
           funding.bm25_weight(word.frequency, funding.record_length(lexemes, fit.bm25_title_weight), fit.average_length, fit.bm25_k1, fit.bm25_b) as weight
    from funding.term_frequencies(lexemes, fit.bm25_title_weight) as word
    left join funding.lexicon on lexicon.generation = fit.generation and lexicon.term = word.term
    -- A word that only this record has finds no other record.
    where coalesce(lexicon.document_frequency, 2) > 1
    order by funding.inverse_document_frequency(documents, coalesce(lexicon.document_frequency, 0))
      * funding.bm25_weight(word.frequency, 1, 1, fit.bm25_k1, 0) desc, word.term
    limit most_words
  ) as best;
  execute format('select known.embedding from funding.%I as known where known.slot = $1 and known.passage = 0', funding.vectors_table(likeness.found_dataset, fit.vectors))
  into analysis.embedding using likeness.slot;
  analysis.known_share := 1;
  return analysis;
end
$$;

-- supabase/schemas/search/semantic/semantic.sql
-- Semantic leg of a search: the records whose vectors are nearest to the query's.

-- Bitmap of a scope's sealed records, from the slot `first` on: one bit shows whether a record is in the scope. Null where the blocks lie far apart:
-- filling the gaps would take longer than looking records up.
create or replace function funding.sealed_bits(scope funding.search_scope, out first integer, out bits bit varying)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  span bigint;
  size bigint;
  block record;
begin
  select coalesce(min(blocks.first_slot), 1), max(blocks.first_slot::bigint + blocks.size) - min(blocks.first_slot), sum(blocks.size)
  into first, span, size
  from funding.blocks where blocks.dataset = scope.dataset and blocks.block = any (scope.blocks);
  if span > greatest(8 * size, 1000000) then
    return;
  end if;
  bits := '';
  for block in
    select blocks.first_slot, scope_block.bits
    from unnest(scope.blocks, scope.bits) as scope_block(block, bits)
    join funding.blocks on blocks.dataset = scope.dataset and blocks.block = scope_block.block
    order by blocks.first_slot
  loop
    bits := bits || repeat('0', block.first_slot - first - length(bits))::bit varying || block.bits;
  end loop;
end
$$;

-- Records of a scope nearest to a vector: by the vector index, or with `is_exact` by comparing every record. Where records have passages, the nearest
-- vector of each counts. `most_vectors` is how many the index gives at most, and `vectors` how many it gave.
create or replace function funding.nearest_records(
  scope funding.search_scope, query_vector extensions.halfvec, maximum integer, known_share real, is_exact boolean, most_vectors integer default null,
  out slots integer[], out scores double precision[], out vectors integer)
language plpgsql stable
set search_path = funding, extensions, pg_temp set enable_sort = on set enable_hashjoin = on set enable_mergejoin = on as $$
declare
  table_name constant text := funding.vectors_table(scope.dataset, (select fit.vectors from funding.lexicon_fit as fit));
  listed integer[];
  first_sealed integer;
  sealed bit varying;
  near text;
  meets_filter text;
begin
  if is_exact and scope.is_filtered and scope.bits is not null then
    listed := array(
      select blocks.first_slot - 1 + position
      from unnest(scope.blocks, scope.bits) as scope_block(block, bits)
      join funding.blocks on blocks.dataset = scope.dataset and blocks.block = scope_block.block
      cross join lateral unnest(funding.positions_of(scope_block.bits)) as position);
    if scope.unsealed > 0 then
      execute format('select $3 || array(select record.slot from %s where %s)',
        funding.unsealed_records(scope.dataset, '$2', scope.unsealed), scope.condition)
      into listed using scope.parameters, scope.sealed_end, listed;
    end if;
    near := format('select wanted.slot, known.embedding <=> $2 as distance
      from unnest($5) as wanted(slot) join funding.%I as known on known.slot = wanted.slot', table_name);
  else
    near := format('select known.slot, %s as distance from funding.%I as known %s %s',
      -- `+ 0`: the planner uses the index only for the index's own expression.
      case when is_exact then '(known.embedding <=> $2) + 0' else 'known.embedding <=> $2' end, table_name,
      case when funding.is_within_usual(scope) then 'where known.is_usual' end,
      -- Index order: the scan stops when enough records have passed.
      case when not is_exact then 'order by known.embedding <=> $2 offset 0' end);
    if not is_exact then
      -- Keeps the plan that reads vectors in index order and looks up the record of each. Soon after a fit, the planner's estimates favour comparing
      -- and sorting all of them, which takes five times as long. (The function's definition sets these settings too, so they end with the call.)
      perform set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true);
    end if;
    if not scope.is_usual then
      -- `offset 0` makes Postgres look up single records: otherwise it reads the whole table.
      meets_filter := format('exists (select from funding.%I as record where record.slot = near.slot and %s offset 0)',
        scope.dataset, scope.condition);
      if scope.bits is not null then
        select found.first, found.bits into first_sealed, sealed from funding.sealed_bits(scope) as found;
      end if;
      if sealed is not null then
        -- Reading a bit takes a fiftieth of the time of looking up the record.
        meets_filter := format('case when near.slot >= $6 then %s when near.slot - $8 between 0 and length($7) - 1 then get_bit($7, near.slot - $8) = 1 end',
          meets_filter);
      end if;
      near := format('select near.slot, near.distance from (%s) as near where %s', near, meets_filter);
    end if;
  end if;
  if most_vectors is not null then
    near := format('select near.slot, min(near.distance) as distance, sum(count(*)) over () as vectors from (%s %s) as near group by near.slot',
      near, case when not is_exact then 'limit $9' end);
  end if;
  execute format('select array_agg(found.slot), array_agg((1 - found.distance) * $4), %s from (select * from (%s) as near %s limit $3) as found',
    case when most_vectors is null then 'count(*)' else 'max(found.vectors)' end, near,
    case when is_exact or most_vectors is not null then 'order by distance' end)
  into slots, scores, vectors
  using scope.parameters, query_vector, maximum, known_share, listed, scope.sealed_end, sealed, first_sealed, most_vectors;
end
$$;

-- Loads pgvector, so that Postgres knows its settings, which the definition of the next function sets.
select '[0]'::extensions.vector;

-- Similarities of a sample of a dataset's records to a query, greatest first. The sample is the first 256 records by id. Ids are hashes, so these are as
-- good as drawn at random, and stay the same whatever the filter, however often they change, and whichever segments they are in.
create or replace function funding.sampled_similarities(scope funding.search_scope, query_vector extensions.halfvec) returns double precision[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  slots integer[];
begin
  execute format('select array(select record.slot from funding.%I as record order by record.id limit 256)', scope.dataset) into slots;
  return (
    select array_agg(sampled.similarity order by sampled.similarity desc)
    from (
      -- The distance of a zero vector is NaN.
      select max(nullif(1 - (known.embedding <=> query_vector), 'NaN')) as similarity
      from funding.vectors_of_slots(scope.dataset, (select fit.vectors from funding.lexicon_fit as fit), slots) as known
      group by known.slot
    ) as sampled
    where sampled.similarity is not null);
end
$$;

-- Similarity of the last record that a query may find by meaning: the share `semantic_share` of a dataset, at least 25 of the sample. Null where it has
-- fewer. In a catalogue of one subject every record is similar to every query, and only what stands out from the others is about it.
create or replace function funding.outstanding_similarity(scope funding.search_scope, query_vector extensions.halfvec) returns double precision
language plpgsql stable as $$
declare
  similarities constant double precision[] := funding.sampled_similarities(scope, query_vector);
begin
  return similarities[greatest(ceil(cardinality(similarities) * funding.setting('semantic_share')::double precision), 25)];
end
$$;

-- Records nearest in meaning, nearest first. The score is the cosine similarity, 0 to 1, times the share of the query that was understood. It has two
-- floors: `floor_similarity`, and what stands out from the dataset. A zero vector has no direction: the cosine is NaN, which Postgres
-- sorts above every number, so such records are left out.
--
-- A search of the usual scope reads 48 lists of the index. If too few of their records pass the filter, it reads up to 192 lists, and at last
-- compares every record.
create or replace function funding.semantic_candidates(scope funding.search_scope, analysis funding.query_analysis, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp
set ivfflat.probes = 48 set ivfflat.iterative_scan = relaxed_order set ivfflat.max_probes = 192 as $$
declare
  least_score double precision := funding.model_setting('floor_similarity');
  -- About how many vectors the index has that a search in this scope reads.
  indexed double precision;
  is_exact boolean;
  most_vectors integer := maximum * funding.vectors_per_record(scope.dataset);
  vectors integer;
  found funding.ranked_slots;
begin
  if analysis.embedding is null or l2_norm(analysis.embedding) = 0 then
    return null;
  end if;
  indexed := case when funding.is_within_usual(scope) then funding.usual_vectors(scope.dataset) else scope.records end;
  -- Comparing few records costs less than reading lists, which grow with the number of all records.
  is_exact := not funding.has_vector_index(scope.dataset)
    or scope.is_filtered and scope.matching_records < case when scope.bits is null then 5000 else greatest(5000, indexed / 20) end;
  if not is_exact and not scope.is_usual then
    -- A more selective filter reads more lists: the fewer records match, the further away the best of them are.
    perform set_config('ivfflat.probes', least(greatest(round(50 * sqrt(indexed / greatest(scope.matching_records, 1))), 60), 140)::text, true);
  end if;
  -- Without a filter, a share of the nearest as small as this one stands out by itself: reading the sample takes as long as the rest of the leg.
  if scope.is_filtered or maximum > scope.matching_records * funding.setting('semantic_share')::double precision then
    -- A little less, since the index may compute the last digit otherwise.
    least_score := greatest(least_score, (funding.outstanding_similarity(scope, analysis.embedding) - 0.000001) * analysis.known_share);
  end if;
  loop
    select near.slots, near.scores, near.vectors into found.slots, found.scores, vectors
    from funding.nearest_records(scope, analysis.embedding, maximum, analysis.known_share, is_exact, most_vectors) as near;
    -- Passages of the same records may have taken the places of other records.
    exit when is_exact or most_vectors is null or vectors < most_vectors or cardinality(found.slots) = maximum or most_vectors >= 64 * maximum;
    most_vectors := most_vectors * 4;
  end loop;
  -- The index stops at `max_probes`. Where it found too few records that pass the filter, every record is compared.
  if not is_exact and coalesce(cardinality(found.slots), 0) < maximum then
    select near.slots, near.scores into found
    from funding.nearest_records(scope, analysis.embedding, maximum, analysis.known_share, true, most_vectors) as near;
  end if;
  return (
    -- Sorts again: the index returns records in order only within each round of lists.
    select (array_agg(best.slot), array_agg(best.score))::funding.ranked_slots
    from (
      select candidate.slot, greatest(least(candidate.score, 1), 0) as score
      from unnest(found.slots, found.scores) as candidate(slot, score)
      -- `< 'infinity'` leaves out NaN, the score of a zero vector.
      where candidate.score >= least_score and candidate.score < 'infinity' and candidate.slot is distinct from scope.except_slot
      order by score desc, slot
    ) as best);
end
$$;

-- Query's vector, moved towards the direction of `centroid`, a sum of records' vectors; half-way at weight 1. Unchanged where either vector is zero.
create or replace function funding.moved_towards(embedding extensions.halfvec, centroid extensions.vector, weight real) returns extensions.halfvec
language plpgsql immutable parallel safe
set search_path = extensions, pg_temp as $$
begin
  if vector_norm(centroid) > 0 and l2_norm(embedding) > 0 then
    return l2_normalize(l2_normalize(embedding::vector) + l2_normalize(centroid) * array_fill(weight, array[vector_dims(embedding)])::vector)::halfvec;
  end if;
  return embedding;
end
$$;

-- Query whose vector has moved towards the records that its words find best: Rocchio's feedback (1971), without anybody's judgement (pseudo-relevance
-- feedback). In a mixed catalogue only a few dimensions concern the topic of a query, and the records that its words find show which. A record's
-- weight is the eighth power of its score as a share of the best: near copies of the first record count like it, others hardly.
--
-- Feedback ignores filters: it comes from the records that the search alone finds. So a query means the same under every filter, and a facet counts
-- the records that a filter by it would find. The vector of a record (`similar_to`) stays as it is. `by_words` is the keyword leg's result in the
-- scope, used where the scope has no filter.
create or replace function funding.with_feedback(scope funding.search_scope, analysis funding.query_analysis, by_words funding.ranked_slots default null)
returns funding.query_analysis
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  weight real := funding.model_setting('feedback_weight');
  centroid vector;
begin
  if weight = 0 or scope.parameters ? 'similar_to' or analysis.embedding is null or l2_norm(analysis.embedding) = 0 then
    return analysis;
  end if;
  if not scope.is_usual then
    by_words := funding.keyword_candidates(funding.scope_of(scope.dataset, (
      select jsonb_object_agg(given.key, given.value) from jsonb_each(scope.parameters) as given where given.key in ('search', 'search_mode'))), analysis, 10);
  elsif by_words is null then
    by_words := funding.keyword_candidates(scope, analysis, 10);
  end if;
  if by_words.slots is null then
    return analysis;
  end if;
  select sum(known.embedding::vector * array_fill(best.weight, array[vector_dims(known.embedding)])::vector order by best.position)
  into centroid
  from (
    -- At least 0.2: a product with a smaller weight could underflow, which is an error.
    select found.slot, found.position, power(greatest(found.score / nullif(by_words.scores[1], 0), 0.2), 8)::real as weight
    from unnest(by_words.slots[1:10], by_words.scores[1:10]) with ordinality as found(slot, score, position)
  ) as best
  join funding.vectors_of_slots(scope.dataset, (select fit.vectors from funding.lexicon_fit as fit), by_words.slots[1:10]) as known
    on known.slot = best.slot and known.passage = 0;
  analysis.embedding := funding.moved_towards(analysis.embedding, centroid, weight);
  return analysis;
end
$$;

-- Similarity of records to a query, 0 to 1, in the order of their slots: that of the nearest passage; null for a record that has no vector. Under a lexicon with its dimensions in
-- the order of singular values, it is the mean of the cosines over the first 48 and the first 192. Beside keywords, few dimensions rank better in a
-- catalogue of one subject, and many in a mixed catalogue.
create or replace function funding.similarities(dataset text, analysis funding.query_analysis, slots integer[]) returns double precision[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  has_prefixes constant boolean := fit.has_singular_order and funding.external_model() is null;
  first_48 constant halfvec := subvector(analysis.embedding, 1, 48);
  first_192 constant halfvec := subvector(analysis.embedding, 1, 192);
begin
  return (
    select array_agg(near.score * analysis.known_share order by wanted.position)
    from unnest(slots) with ordinality as wanted(slot, position)
    left join (
      select known.slot,
             -- The distance of a zero vector is NaN.
             max(greatest(case when has_prefixes then
               (coalesce(nullif(1 - (subvector(known.embedding, 1, 48) <=> first_48), 'NaN'), 0)
                 + coalesce(nullif(1 - (subvector(known.embedding, 1, 192) <=> first_192), 'NaN'), 0)) / 2
             else coalesce(nullif(1 - (known.embedding <=> analysis.embedding), 'NaN'), 0) end, 0)) as score
      from funding.vectors_of_slots(dataset, fit.vectors, slots) as known
      group by known.slot
    ) as near using (slot)
  );
end
$$;


reset check_function_bodies;

-- The functions of `public` are the edge's, those of `funding` nobody's but their owner's.
revoke execute on all functions in schema funding from public;
revoke execute on function
  public.admit_request(key_hash text, datasets text[]),
  public.identify_key(key_hash text),
  public.withdraw_request(key_hash text, counted_on date),
  public.list_audit_log(user_id uuid, session_id uuid, filter jsonb),
  public.record_billing_event(event jsonb),
  public.list_account_requests(user_id uuid, session_id uuid, filter jsonb),
  public.get_account_request(user_id uuid, session_id uuid, request_id text),
  public.record_usage(events jsonb, writer uuid, batch bigint),
  public.get_account_usage( user_id uuid, session_id uuid, first_day date, last_day date, key_id uuid, include text[]),
  public.get_readiness(),
  public.get_schema_faults(),
  public.get_metrics(),
  public.list_overdue_tables(),
  public.prune_table(table_name text, maximum integer),
  public.seal_records(most integer, most_merged integer),
  public.apply_due_dates(maximum integer),
  public.get_account(user_id uuid, session_id uuid),
  public.update_account(user_id uuid, session_id uuid, changes jsonb),
  public.list_account_keys(user_id uuid, session_id uuid),
  public.create_account_key( user_id uuid, session_id uuid, name text, key_hash text, display text, expires_at timestamptz, limits jsonb),
  public.limit_account_key(user_id uuid, session_id uuid, key_id uuid, limits jsonb),
  public.create_explorer_key(user_id uuid, session_id uuid, key_hash text, display text),
  public.rotate_account_key( user_id uuid, session_id uuid, key_id uuid, key_hash text, display text, overlap_hours double precision),
  public.revoke_account_key(user_id uuid, session_id uuid, key_id uuid),
  public.list_addresses(key_hash text, dataset text, part text),
  public.list_awards(key_hash text, id uuid, parameters jsonb),
  public.list_tiers(user_id uuid, session_id uuid),
  public.prepare_checkout(user_id uuid, session_id uuid, tier text),
  public.prepare_portal(user_id uuid, session_id uuid),
  public.list_offered_customers(user_id uuid, session_id uuid),
  public.decide_offered_customer(user_id uuid, session_id uuid, offer_id uuid, accepted boolean),
  public.get_funder_statistics(key_hash text, id uuid),
  public.write_once( user_id uuid, session_id uuid, key_hash text, request_hash text, rpc text, arguments json, sealed_secret text),
  public.get_latest_records(user_id uuid, session_id uuid, since timestamptz),
  public.list_grants( key_hash text, parameters jsonb, query_vector jsonb, known_tag text, if_none_match text),
  public.list_contracts( key_hash text, parameters jsonb, query_vector jsonb, known_tag text, if_none_match text),
  public.list_funders( key_hash text, parameters jsonb, query_vector jsonb, known_tag text, if_none_match text),
  public.get_grant(key_hash text, id uuid, expand jsonb),
  public.get_contract(key_hash text, id uuid, expand jsonb),
  public.get_funder(key_hash text, id uuid, expand jsonb),
  public.get_changes(key_hash text, dataset text, id uuid, maximum integer, before bigint),
  public.semantic_search( key_hash text, query text, datasets text[], maximum integer, query_vector jsonb, similar_to uuid, explain boolean, highlight boolean),
  public.list_memberships(user_id uuid, session_id uuid, page jsonb),
  public.list_members(user_id uuid, session_id uuid),
  public.update_member(user_id uuid, session_id uuid, member_id uuid, changes jsonb),
  public.remove_member(user_id uuid, session_id uuid, member_id uuid),
  public.list_invitations(user_id uuid, session_id uuid),
  public.create_invitation(user_id uuid, session_id uuid, email text, role text),
  public.withdraw_invitation(user_id uuid, session_id uuid, invitation_id uuid),
  public.accept_invitation(user_id uuid, session_id uuid, invitation_id uuid),
  public.decline_invitation(user_id uuid, session_id uuid, invitation_id uuid),
  public.decline_invitations(user_id uuid, session_id uuid),
  public.get_organization(key_hash text, id uuid, at timestamptz),
  public.read_data(rpc text, arguments text),
  public.list_saved_searches(user_id uuid, session_id uuid),
  public.get_saved_search(user_id uuid, session_id uuid, saved_search_id uuid),
  public.create_saved_search(user_id uuid, session_id uuid, saved_search jsonb),
  public.update_saved_search(user_id uuid, session_id uuid, saved_search_id uuid, changes jsonb),
  public.delete_saved_search(user_id uuid, session_id uuid, saved_search_id uuid),
  public.mark_saved_search_seen(user_id uuid, session_id uuid, saved_search_id uuid, until timestamptz),
  public.issue_saved_search_address(user_id uuid, session_id uuid, saved_search_id uuid, token_hash text),
  public.revoke_saved_search_address(user_id uuid, session_id uuid, saved_search_id uuid),
  public.list_snapshots(key_hash text, store text, id text),
  public.suggest(key_hash text, typed text, kinds text[], maximum integer),
  public.create_webhook(user_id uuid, session_id uuid, webhook jsonb),
  public.preview_webhook(user_id uuid, session_id uuid, webhook jsonb),
  public.list_webhooks(user_id uuid, session_id uuid),
  public.get_webhook(user_id uuid, session_id uuid, webhook_id uuid),
  public.update_webhook(user_id uuid, session_id uuid, webhook_id uuid, changes jsonb),
  public.delete_webhook(user_id uuid, session_id uuid, webhook_id uuid),
  public.rotate_webhook_secret(user_id uuid, session_id uuid, webhook_id uuid, secret text, overlap_seconds integer),
  public.list_webhook_deliveries(user_id uuid, session_id uuid, webhook_id uuid, filter jsonb),
  public.get_webhook_delivery(user_id uuid, session_id uuid, webhook_id uuid, event_id uuid),
  public.resend_webhook_delivery(user_id uuid, session_id uuid, webhook_id uuid, event_id uuid),
  public.recover_webhook(user_id uuid, session_id uuid, webhook_id uuid, since timestamptz, until timestamptz),
  public.send_test_event(user_id uuid, session_id uuid, webhook_id uuid, event text, data json, details json, changes json),
  public.next_digest(),
  public.claim_digest(saved_search_id uuid, token_hash text),
  public.finish_digest(saved_search_id uuid, due_at timestamptz, attempt integer, outcome text),
  public.unsubscribe_digest(token_hash text),
  public.read_saved_search( token_hash text, kind text, known_tags text[], known_since timestamptz),
  public.next_deadlines(),
  public.announce_deadlines(maximum integer, only_endpoint uuid),
  public.claim_deliveries(maximum integer, failing_maximum integer),
  public.finish_deliveries(results jsonb),
  public.fan_out_events(maximum integer),
  public.pending_fan_out(maximum integer),
  public.fan_out_to(endpoint_id uuid, events uuid[]),
  public.finish_fan_out(events uuid[]),
  public.report_fan_out_failure(events uuid[], endpoints uuid[], tried integer, code text),
  public.report_endpoint_failure(endpoint_id uuid, code text, message text),
  public.next_recovery(),
  public.continue_recoveries(maximum integer, recovery_id bigint),
  public.claim_embeddings(providers text[], maximum integer),
  public.finish_embeddings(model text, claimed_until timestamptz, batch jsonb, spent jsonb)
from public, anon, authenticated;
grant execute on function
  public.admit_request(key_hash text, datasets text[]),
  public.identify_key(key_hash text),
  public.withdraw_request(key_hash text, counted_on date),
  public.list_audit_log(user_id uuid, session_id uuid, filter jsonb),
  public.record_billing_event(event jsonb),
  public.list_account_requests(user_id uuid, session_id uuid, filter jsonb),
  public.get_account_request(user_id uuid, session_id uuid, request_id text),
  public.record_usage(events jsonb, writer uuid, batch bigint),
  public.get_account_usage( user_id uuid, session_id uuid, first_day date, last_day date, key_id uuid, include text[]),
  public.get_readiness(),
  public.get_schema_faults(),
  public.get_metrics(),
  public.list_overdue_tables(),
  public.prune_table(table_name text, maximum integer),
  public.seal_records(most integer, most_merged integer),
  public.apply_due_dates(maximum integer),
  public.get_account(user_id uuid, session_id uuid),
  public.update_account(user_id uuid, session_id uuid, changes jsonb),
  public.list_account_keys(user_id uuid, session_id uuid),
  public.create_account_key( user_id uuid, session_id uuid, name text, key_hash text, display text, expires_at timestamptz, limits jsonb),
  public.limit_account_key(user_id uuid, session_id uuid, key_id uuid, limits jsonb),
  public.create_explorer_key(user_id uuid, session_id uuid, key_hash text, display text),
  public.rotate_account_key( user_id uuid, session_id uuid, key_id uuid, key_hash text, display text, overlap_hours double precision),
  public.revoke_account_key(user_id uuid, session_id uuid, key_id uuid),
  public.list_addresses(key_hash text, dataset text, part text),
  public.list_awards(key_hash text, id uuid, parameters jsonb),
  public.list_tiers(user_id uuid, session_id uuid),
  public.prepare_checkout(user_id uuid, session_id uuid, tier text),
  public.prepare_portal(user_id uuid, session_id uuid),
  public.list_offered_customers(user_id uuid, session_id uuid),
  public.decide_offered_customer(user_id uuid, session_id uuid, offer_id uuid, accepted boolean),
  public.get_funder_statistics(key_hash text, id uuid),
  public.write_once( user_id uuid, session_id uuid, key_hash text, request_hash text, rpc text, arguments json, sealed_secret text),
  public.get_latest_records(user_id uuid, session_id uuid, since timestamptz),
  public.list_grants( key_hash text, parameters jsonb, query_vector jsonb, known_tag text, if_none_match text),
  public.list_contracts( key_hash text, parameters jsonb, query_vector jsonb, known_tag text, if_none_match text),
  public.list_funders( key_hash text, parameters jsonb, query_vector jsonb, known_tag text, if_none_match text),
  public.get_grant(key_hash text, id uuid, expand jsonb),
  public.get_contract(key_hash text, id uuid, expand jsonb),
  public.get_funder(key_hash text, id uuid, expand jsonb),
  public.get_changes(key_hash text, dataset text, id uuid, maximum integer, before bigint),
  public.semantic_search( key_hash text, query text, datasets text[], maximum integer, query_vector jsonb, similar_to uuid, explain boolean, highlight boolean),
  public.list_memberships(user_id uuid, session_id uuid, page jsonb),
  public.list_members(user_id uuid, session_id uuid),
  public.update_member(user_id uuid, session_id uuid, member_id uuid, changes jsonb),
  public.remove_member(user_id uuid, session_id uuid, member_id uuid),
  public.list_invitations(user_id uuid, session_id uuid),
  public.create_invitation(user_id uuid, session_id uuid, email text, role text),
  public.withdraw_invitation(user_id uuid, session_id uuid, invitation_id uuid),
  public.accept_invitation(user_id uuid, session_id uuid, invitation_id uuid),
  public.decline_invitation(user_id uuid, session_id uuid, invitation_id uuid),
  public.decline_invitations(user_id uuid, session_id uuid),
  public.get_organization(key_hash text, id uuid, at timestamptz),
  public.read_data(rpc text, arguments text),
  public.list_saved_searches(user_id uuid, session_id uuid),
  public.get_saved_search(user_id uuid, session_id uuid, saved_search_id uuid),
  public.create_saved_search(user_id uuid, session_id uuid, saved_search jsonb),
  public.update_saved_search(user_id uuid, session_id uuid, saved_search_id uuid, changes jsonb),
  public.delete_saved_search(user_id uuid, session_id uuid, saved_search_id uuid),
  public.mark_saved_search_seen(user_id uuid, session_id uuid, saved_search_id uuid, until timestamptz),
  public.issue_saved_search_address(user_id uuid, session_id uuid, saved_search_id uuid, token_hash text),
  public.revoke_saved_search_address(user_id uuid, session_id uuid, saved_search_id uuid),
  public.list_snapshots(key_hash text, store text, id text),
  public.suggest(key_hash text, typed text, kinds text[], maximum integer),
  public.create_webhook(user_id uuid, session_id uuid, webhook jsonb),
  public.preview_webhook(user_id uuid, session_id uuid, webhook jsonb),
  public.list_webhooks(user_id uuid, session_id uuid),
  public.get_webhook(user_id uuid, session_id uuid, webhook_id uuid),
  public.update_webhook(user_id uuid, session_id uuid, webhook_id uuid, changes jsonb),
  public.delete_webhook(user_id uuid, session_id uuid, webhook_id uuid),
  public.rotate_webhook_secret(user_id uuid, session_id uuid, webhook_id uuid, secret text, overlap_seconds integer),
  public.list_webhook_deliveries(user_id uuid, session_id uuid, webhook_id uuid, filter jsonb),
  public.get_webhook_delivery(user_id uuid, session_id uuid, webhook_id uuid, event_id uuid),
  public.resend_webhook_delivery(user_id uuid, session_id uuid, webhook_id uuid, event_id uuid),
  public.recover_webhook(user_id uuid, session_id uuid, webhook_id uuid, since timestamptz, until timestamptz),
  public.send_test_event(user_id uuid, session_id uuid, webhook_id uuid, event text, data json, details json, changes json),
  public.next_digest(),
  public.claim_digest(saved_search_id uuid, token_hash text),
  public.finish_digest(saved_search_id uuid, due_at timestamptz, attempt integer, outcome text),
  public.unsubscribe_digest(token_hash text),
  public.read_saved_search( token_hash text, kind text, known_tags text[], known_since timestamptz),
  public.next_deadlines(),
  public.announce_deadlines(maximum integer, only_endpoint uuid),
  public.claim_deliveries(maximum integer, failing_maximum integer),
  public.finish_deliveries(results jsonb),
  public.fan_out_events(maximum integer),
  public.pending_fan_out(maximum integer),
  public.fan_out_to(endpoint_id uuid, events uuid[]),
  public.finish_fan_out(events uuid[]),
  public.report_fan_out_failure(events uuid[], endpoints uuid[], tried integer, code text),
  public.report_endpoint_failure(endpoint_id uuid, code text, message text),
  public.next_recovery(),
  public.continue_recoveries(maximum integer, recovery_id bigint),
  public.claim_embeddings(providers text[], maximum integer),
  public.finish_embeddings(model text, claimed_until timestamptz, batch jsonb, spent jsonb)
to service_role;

-- Whoever applies this says what all migrations made.
delete from funding.schema_objects;

-- A request that is under way goes on with the functions with which it began; others wait until these are committed. Else it would call functions of
-- both versions. (Each request reads one of these tables first.)
select funding.lock_tables(array['stripe_events', 'stripe_subscriptions', 'usage_writers', 'api_keys', 'accounts', 'subscriptions', 'tiers', 'pages', 'lexicon_fit', 'lexicon', 'funders', 'grants', 'contracts', 'daily_quota', 'usage', 'events', 'dispatch_clock', 'record_changes', 'webhook_endpoints', 'webhook_deliveries', 'webhook_recoveries']);

insert into funding.schema_objects (kind, name, digest) values
  ('constraint', 'funding.account_writes.account_writes_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.account_writes.account_writes_pkey', '011fe90ee695'),
  ('constraint', 'funding.accounts.accounts_auth_user_unique', '3b847c846779'),
  ('constraint', 'funding.accounts.accounts_email_folded', 'e71ed33c502b'),
  ('constraint', 'funding.accounts.accounts_email_unique', 'f8155001030c'),
  ('constraint', 'funding.accounts.accounts_pkey', '96b39889dad0'),
  ('constraint', 'funding.agency_abbreviations.agency_abbreviations_abbreviation_check', 'e473ff07eb96'),
  ('constraint', 'funding.agency_abbreviations.agency_abbreviations_pkey', '18f950ca7fe0'),
  ('constraint', 'funding.api_keys.api_keys_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.api_keys.api_keys_addresses_counted', '2de62eaa4887'),
  ('constraint', 'funding.api_keys.api_keys_datasets_known', 'd7a949859231'),
  ('constraint', 'funding.api_keys.api_keys_explorer_user_of_explorer', '716c1ab8f994'),
  ('constraint', 'funding.api_keys.api_keys_hash_is_sha256', '3bdae290020a'),
  ('constraint', 'funding.api_keys.api_keys_hash_unique', '114f9165d8a2'),
  ('constraint', 'funding.api_keys.api_keys_name_length', '2cd89990cf4b'),
  ('constraint', 'funding.api_keys.api_keys_pkey', '96b39889dad0'),
  ('constraint', 'funding.api_keys.api_keys_quota_positive', '42f61d09f1a6'),
  ('constraint', 'funding.api_keys.api_keys_rotated_from_fkey', '812618f3900e'),
  ('constraint', 'funding.audit_log.audit_log_actor_known', 'e0822510a651'),
  ('constraint', 'funding.audit_log.audit_log_email_of_user', 'e651b891e2fa'),
  ('constraint', 'funding.audit_log.audit_log_kind_known', 'f0912bf05ae2'),
  ('constraint', 'funding.audit_log.audit_log_pkey', '9fc58d17f26e'),
  ('constraint', 'funding.bitmaps.bitmaps_pkey', '71e86c3d9e79'),
  ('constraint', 'funding.blocks.blocks_pkey', '36133cac75d9'),
  ('constraint', 'funding.contracts.contracts_amounts_finite', 'ffdb2d1d84c9'),
  ('constraint', 'funding.contracts.contracts_amounts_in_order', '2e9c5f463bae'),
  ('constraint', 'funding.contracts.contracts_amounts_not_negative', '7b7f3ae3cbd5'),
  ('constraint', 'funding.contracts.contracts_awarded_has_no_deadline', '0b0050a0ae04'),
  ('constraint', 'funding.contracts.contracts_classification_known', 'f5eab39ff867'),
  ('constraint', 'funding.contracts.contracts_funder_id_fkey', '3e66dd8bd0ce'),
  ('constraint', 'funding.contracts.contracts_naics_six_digits', 'c8e9ccf95a77'),
  ('constraint', 'funding.contracts.contracts_national_names_no_state', 'c9d92979a46f'),
  ('constraint', 'funding.contracts.contracts_opportunity_has_no_project_end', '58e23e0e466e'),
  ('constraint', 'funding.contracts.contracts_pkey', '96b39889dad0'),
  ('constraint', 'funding.contracts.contracts_source_unique', '239ce6d595ce'),
  ('constraint', 'funding.contracts.contracts_status_lower_case', '87f53166dab1'),
  ('constraint', 'funding.contracts.contracts_title_present', 'fddf5ef42f74'),
  ('constraint', 'funding.contracts_vectors_0.contracts_vectors_0_pkey', '1238d55f2919'),
  ('constraint', 'funding.contracts_vectors_1.contracts_vectors_1_pkey', '1238d55f2919'),
  ('constraint', 'funding.daily_key_quota.daily_key_quota_api_key_id_fkey', '639c6535cadb'),
  ('constraint', 'funding.daily_key_quota.daily_key_quota_pkey', 'e4d4d7e85fb0'),
  ('constraint', 'funding.daily_quota.daily_quota_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.daily_quota.daily_quota_pkey', '87d3e1bb6221'),
  ('constraint', 'funding.data_versions.data_versions_pkey', 'cbff763517f7'),
  ('constraint', 'funding.deadline_notices.deadline_notices_endpoint_id_fkey', 'af2813c36c4d'),
  ('constraint', 'funding.deadline_notices.deadline_notices_pkey', '5001c45b2903'),
  ('constraint', 'funding.digest_mails.digest_mails_claim_complete', '8bae12931e32'),
  ('constraint', 'funding.digest_mails.digest_mails_pkey', '0e1451c1aaed'),
  ('constraint', 'funding.digest_mails.digest_mails_retry_complete', '6e088d48e3ec'),
  ('constraint', 'funding.digest_mails.digest_mails_saved_search_id_fkey', '283f024c2010'),
  ('constraint', 'funding.digest_mails.digest_mails_state_known', '97d6d81f3e35'),
  ('constraint', 'funding.digest_mails.digest_mails_token_unique', 'c0ac0ee4e70f'),
  ('constraint', 'funding.digests.digests_frequency_known', '78362c906fe6'),
  ('constraint', 'funding.digests.digests_hour_valid', '04627d5492d1'),
  ('constraint', 'funding.digests.digests_pkey', '3de8f997e4d0'),
  ('constraint', 'funding.digests.digests_saved_search_id_fkey', '283f024c2010'),
  ('constraint', 'funding.digests.digests_weekday_of_weekly', 'ddb5b492c57d'),
  ('constraint', 'funding.digests.digests_weekday_valid', '384fe89fa1e6'),
  ('constraint', 'funding.dispatch_clock.dispatch_clock_has_one_row', 'eb1079a957e6'),
  ('constraint', 'funding.dispatch_clock.dispatch_clock_pkey', 'f511734d7902'),
  ('constraint', 'funding.document_renewals.document_renewals_dataset_known', '711a137884c3'),
  ('constraint', 'funding.document_renewals.document_renewals_pkey', 'cbff763517f7'),
  ('constraint', 'funding.embedding_queue.embedding_queue_pkey', '7886beaff8b3'),
  ('constraint', 'funding.embedding_queue.embedding_queue_refused_is_not_claimed', '973ec5d1e22c'),
  ('constraint', 'funding.embedding_state.embedding_state_is_only', '81d97ef8e2fc'),
  ('constraint', 'funding.embedding_state.embedding_state_pkey', '86349ae88c0c'),
  ('constraint', 'funding.events.events_dataset_is_the_events', '6fe03349cb4c'),
  ('constraint', 'funding.events.events_endpoint_exists', 'af2813c36c4d'),
  ('constraint', 'funding.events.events_event_known', 'ff0911f3e47d'),
  ('constraint', 'funding.events.events_pkey', '96b39889dad0'),
  ('constraint', 'funding.full_lists.full_lists_pkey', '86963f20799d'),
  ('constraint', 'funding.funder_codes.funder_codes_pkey', '5374d7f8b44a'),
  ('constraint', 'funding.funder_locks.funder_locks_pkey', 'e275d4ac3152'),
  ('constraint', 'funding.funder_names.funder_names_pkey', '7673a802f126'),
  ('constraint', 'funding.funder_statistics.funder_statistics_pkey', '816db6a64f80'),
  ('constraint', 'funding.funder_statistics_due.funder_statistics_due_pkey', '96b39889dad0'),
  ('constraint', 'funding.funders.funders_name_present', '4a2b193cb7ca'),
  ('constraint', 'funding.funders.funders_pkey', '96b39889dad0'),
  ('constraint', 'funding.funders.funders_source_unique', '239ce6d595ce'),
  ('constraint', 'funding.funders_vectors_0.funders_vectors_0_pkey', '1238d55f2919'),
  ('constraint', 'funding.funders_vectors_1.funders_vectors_1_pkey', '1238d55f2919'),
  ('constraint', 'funding.grants.grants_amounts_finite', 'ffdb2d1d84c9'),
  ('constraint', 'funding.grants.grants_amounts_in_order', '2e9c5f463bae'),
  ('constraint', 'funding.grants.grants_amounts_not_negative', '7b7f3ae3cbd5'),
  ('constraint', 'funding.grants.grants_awarded_has_no_deadline', '0b0050a0ae04'),
  ('constraint', 'funding.grants.grants_classification_known', 'f5eab39ff867'),
  ('constraint', 'funding.grants.grants_funder_id_fkey', '3e66dd8bd0ce'),
  ('constraint', 'funding.grants.grants_national_names_no_state', 'c9d92979a46f'),
  ('constraint', 'funding.grants.grants_opportunity_has_no_project_end', '58e23e0e466e'),
  ('constraint', 'funding.grants.grants_pkey', '96b39889dad0'),
  ('constraint', 'funding.grants.grants_source_unique', '239ce6d595ce'),
  ('constraint', 'funding.grants.grants_status_known', 'f138501d7f9c'),
  ('constraint', 'funding.grants.grants_title_present', 'fddf5ef42f74'),
  ('constraint', 'funding.grants_vectors_0.grants_vectors_0_pkey', '1238d55f2919'),
  ('constraint', 'funding.grants_vectors_1.grants_vectors_1_pkey', '1238d55f2919'),
  ('constraint', 'funding.idempotency_keys.idempotency_keys_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.idempotency_keys.idempotency_keys_pkey', '45167dc3fbfe'),
  ('constraint', 'funding.import_cursors.import_cursors_pkey', '0651114fd6b7'),
  ('constraint', 'funding.imports.imports_finished_has_time', '28e128df761c'),
  ('constraint', 'funding.imports.imports_outcome_known', 'a4a9f9af0184'),
  ('constraint', 'funding.imports.imports_pkey', '96b39889dad0'),
  ('constraint', 'funding.invitations.invitations_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.invitations.invitations_email_folded', 'e71ed33c502b'),
  ('constraint', 'funding.invitations.invitations_inviter_known', 'b38f50135c41'),
  ('constraint', 'funding.invitations.invitations_once', 'fbeb73cc2c82'),
  ('constraint', 'funding.invitations.invitations_outcome_known', '0b9759e75351'),
  ('constraint', 'funding.invitations.invitations_pkey', '96b39889dad0'),
  ('constraint', 'funding.invitations.invitations_role_known', '8db2bcdb0fe5'),
  ('constraint', 'funding.lexicon.lexicon_frequency_positive', '9f3467a5bc29'),
  ('constraint', 'funding.lexicon.lexicon_pkey', 'a89d9a488184'),
  ('constraint', 'funding.lexicon_fit.lexicon_fit_pkey', '0a3a385c4ca5'),
  ('constraint', 'funding.lexicon_fit.lexicon_fit_single_row', 'bcbed5a928b4'),
  ('constraint', 'funding.links.links_pkey', '72d96a475d86'),
  ('constraint', 'funding.links.links_status_known', '638ef1f8d1f5'),
  ('constraint', 'funding.members.members_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.members.members_once', '2a84b9af0752'),
  ('constraint', 'funding.members.members_pkey', '96b39889dad0'),
  ('constraint', 'funding.members.members_role_known', '8db2bcdb0fe5'),
  ('constraint', 'funding.next_embeddings.next_embeddings_pkey', '41e5dac5e943'),
  ('constraint', 'funding.next_fit.next_fit_pkey', '96b39889dad0'),
  ('constraint', 'funding.offered_customers.offered_customers_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.offered_customers.offered_customers_customer', '37f42513ff91'),
  ('constraint', 'funding.offered_customers.offered_customers_pkey', '96b39889dad0'),
  ('constraint', 'funding.pages.pages_pkey', 'f68520f124b8'),
  ('constraint', 'funding.postings.postings_pkey', '5035c143fad5'),
  ('constraint', 'funding.query_embeddings.query_embeddings_pkey', 'a29a3e3d5c5f'),
  ('constraint', 'funding.ranks.ranks_pkey', '1b3257372f50'),
  ('constraint', 'funding.record_aliases.record_aliases_pkey', 'ded413249ef5'),
  ('constraint', 'funding.record_changes.record_changes_pkey', '96b39889dad0'),
  ('constraint', 'funding.replication_heartbeat.replication_heartbeat_pkey', '0a3a385c4ca5'),
  ('constraint', 'funding.replication_heartbeat.replication_heartbeat_singleton', 'bcbed5a928b4'),
  ('constraint', 'funding.request_log.request_log_pkey', '9fc58d17f26e'),
  ('constraint', 'funding.request_log_counts.request_log_counts_pkey', 'd61854abba56'),
  ('constraint', 'funding.retired_slots.retired_slots_pkey', 'bf9972ef07fb'),
  ('constraint', 'funding.saved_searches.saved_searches_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.saved_searches.saved_searches_address_complete', '7ebb023cacb6'),
  ('constraint', 'funding.saved_searches.saved_searches_address_unique', 'a5af7d34594c'),
  ('constraint', 'funding.saved_searches.saved_searches_dataset_known', '711a137884c3'),
  ('constraint', 'funding.saved_searches.saved_searches_pkey', '96b39889dad0'),
  ('constraint', 'funding.schema_objects.schema_objects_kind_check', 'dbdf5edb45f1'),
  ('constraint', 'funding.schema_objects.schema_objects_pkey', 'e7f8d6feb0c5'),
  ('constraint', 'funding.segment_slices.segment_slices_pkey', '72bba7040667'),
  ('constraint', 'funding.segment_values.segment_values_pkey', '094a54b5e20e'),
  ('constraint', 'funding.set_aside_names.set_aside_names_pkey', '7d8a3dce8be5'),
  ('constraint', 'funding.settings.settings_pkey', '52884b5a1af9'),
  ('constraint', 'funding.sightings.sightings_pkey', '02dcfdbb4996'),
  ('constraint', 'funding.slot_marks.slot_marks_pkey', 'cbff763517f7'),
  ('constraint', 'funding.snapshots.snapshots_location_known', '26265e424d16'),
  ('constraint', 'funding.snapshots.snapshots_pkey', '36b653c8fdf2'),
  ('constraint', 'funding.source_time_zones.source_time_zones_pkey', 'b72898f22c35'),
  ('constraint', 'funding.stripe_customers.stripe_customers_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.stripe_customers.stripe_customers_pkey', '96b39889dad0'),
  ('constraint', 'funding.stripe_events.stripe_events_pkey', '96b39889dad0'),
  ('constraint', 'funding.stripe_subscriptions.stripe_subscriptions_pkey', '96b39889dad0'),
  ('constraint', 'funding.subscriptions.subscriptions_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.subscriptions.subscriptions_grace_valid', '84e4994eb4e1'),
  ('constraint', 'funding.subscriptions.subscriptions_pkey', '14a19ebdb7f1'),
  ('constraint', 'funding.subscriptions.subscriptions_status_known', '256e65383e6b'),
  ('constraint', 'funding.subscriptions.subscriptions_tier_fkey', '85aaffef5b83'),
  ('constraint', 'funding.suggestion_parts.suggestion_parts_pkey', '0ca26440add4'),
  ('constraint', 'funding.suggestion_progress.suggestion_progress_is_only', '81d97ef8e2fc'),
  ('constraint', 'funding.suggestion_progress.suggestion_progress_pkey', '86349ae88c0c'),
  ('constraint', 'funding.suggestion_renewal.suggestion_renewal_is_only', '81d97ef8e2fc'),
  ('constraint', 'funding.suggestion_renewal.suggestion_renewal_pkey', '86349ae88c0c'),
  ('constraint', 'funding.suggestion_words.suggestion_words_pkey', '844d53f98f35'),
  ('constraint', 'funding.suggestions.suggestions_pkey', '5a27f20118f1'),
  ('constraint', 'funding.synonyms.synonyms_means_present', 'caf8c36e9aed'),
  ('constraint', 'funding.synonyms.synonyms_pkey', '844d53f98f35'),
  ('constraint', 'funding.synonyms.synonyms_word_is_one_word', 'c8295d47eba4'),
  ('constraint', 'funding.tier_prices.tier_prices_form', 'b2dd2d7ed1f2'),
  ('constraint', 'funding.tier_prices.tier_prices_pkey', '26e35b990338'),
  ('constraint', 'funding.tier_prices.tier_prices_tier_fkey', '85aaffef5b83'),
  ('constraint', 'funding.tiers.tiers_pkey', '52884b5a1af9'),
  ('constraint', 'funding.tiers.tiers_quota_valid', '257abf1d27f0'),
  ('constraint', 'funding.usage.usage_api_key_id_fkey', '639c6535cadb'),
  ('constraint', 'funding.usage.usage_pkey', 'c29baf4690ef'),
  ('constraint', 'funding.usage_hours.usage_hours_api_key_id_fkey', '639c6535cadb'),
  ('constraint', 'funding.usage_hours.usage_hours_pkey', '9db9b6af98d9'),
  ('constraint', 'funding.usage_months.usage_months_api_key_id_fkey', '639c6535cadb'),
  ('constraint', 'funding.usage_months.usage_months_month_is_first_day', '863dab867eab'),
  ('constraint', 'funding.usage_months.usage_months_pkey', '651b4771f5c3'),
  ('constraint', 'funding.usage_totals.usage_totals_pkey', 'd7380cef945f'),
  ('constraint', 'funding.usage_writers.usage_writers_pkey', '96b39889dad0'),
  ('constraint', 'funding.version_links_due.version_links_due_pkey', '96b39889dad0'),
  ('constraint', 'funding.webhook_attempt_totals.webhook_attempt_totals_pkey', 'a3ab5ef18aa5'),
  ('constraint', 'funding.webhook_attempts.webhook_attempts_delivery', '3ad6a34db740'),
  ('constraint', 'funding.webhook_attempts.webhook_attempts_pkey', 'cc4092de1d35'),
  ('constraint', 'funding.webhook_deliveries.webhook_deliveries_claim_is_whole', 'bccb054f111b'),
  ('constraint', 'funding.webhook_deliveries.webhook_deliveries_endpoint_id_fkey', 'af2813c36c4d'),
  ('constraint', 'funding.webhook_deliveries.webhook_deliveries_event_id_fkey', 'a943026c8140'),
  ('constraint', 'funding.webhook_deliveries.webhook_deliveries_finished_has_time', 'a6e1063d92a9'),
  ('constraint', 'funding.webhook_deliveries.webhook_deliveries_only_pending_is_claimed', 'ff93c4d132d3'),
  ('constraint', 'funding.webhook_deliveries.webhook_deliveries_pkey', 'd6ccec6da964'),
  ('constraint', 'funding.webhook_deliveries.webhook_deliveries_state_known', '315b32aa35e3'),
  ('constraint', 'funding.webhook_endpoints.webhook_endpoints_account_id_fkey', '9b70a20e49b4'),
  ('constraint', 'funding.webhook_endpoints.webhook_endpoints_days_valid', '306b669b73e9'),
  ('constraint', 'funding.webhook_endpoints.webhook_endpoints_disabled_has_reason', '46873bf893af'),
  ('constraint', 'funding.webhook_endpoints.webhook_endpoints_events_present', '0ca479f5f74a'),
  ('constraint', 'funding.webhook_endpoints.webhook_endpoints_expand_known', '6c83fd21ed51'),
  ('constraint', 'funding.webhook_endpoints.webhook_endpoints_pkey', '96b39889dad0'),
  ('constraint', 'funding.webhook_endpoints.webhook_endpoints_state_known', '44d6d7af2944'),
  ('constraint', 'funding.webhook_former_secrets.webhook_former_secrets_endpoint_id_fkey', 'af2813c36c4d'),
  ('constraint', 'funding.webhook_former_secrets.webhook_former_secrets_pkey', '96b39889dad0'),
  ('constraint', 'funding.webhook_recoveries.webhook_recoveries_endpoint_id_fkey', 'af2813c36c4d'),
  ('constraint', 'funding.webhook_recoveries.webhook_recoveries_pkey', '96b39889dad0'),
  ('function', 'funding.abandon_renewal(timestamp with time zone)', '0ca23fa374a3'),
  ('function', 'funding.abbreviations_of(text[])', '7df178d55ad9'),
  ('function', 'funding.account_email(funding.accounts)', 'c9bd0fe7dc73'),
  ('function', 'funding.account_id(text)', '2e9d4f020c69'),
  ('function', 'funding.account_of(uuid, uuid)', 'f60b3ad66a1b'),
  ('function', 'funding.actor()', '42517b1ec6cb'),
  ('function', 'funding.actor_user_id()', 'a5e14b3af18a'),
  ('function', 'funding.add_tier(text, boolean, bigint, boolean, boolean)', '0fd102a61be2'),
  ('function', 'funding.added_counts(jsonb, jsonb)', '2136b4542556'),
  ('function', 'funding.addresses_of(text, text)', '40c371f7236c'),
  ('function', 'funding.admit(text, boolean, text[])', '5a9c64d1c9af'),
  ('function', 'funding.admit_list(text, text, jsonb, jsonb)', '3235d978772f'),
  ('function', 'funding.adopt_embedding_model(text)', '76656ec17e16'),
  ('function', 'funding.adopt_fit(uuid)', '0c567fd8e181'),
  ('function', 'funding.adopt_next_model(bigint)', 'da0c6ac157b2'),
  ('function', 'funding.after_cursor(jsonb)', 'fea9437a0b95'),
  ('function', 'funding.after_cursor_of_keys(jsonb)', '04f2b39d5dcc'),
  ('function', 'funding.agency_name(text, text)', 'b4fa4fc3d801'),
  ('function', 'funding.agency_spellings(text)', 'cbb67053d5a7'),
  ('function', 'funding.analyze_query(text)', 'bb945f1219af'),
  ('function', 'funding.announce_deadlines_of(funding.webhook_endpoints, text, date, integer)', '2fc7631deb71'),
  ('function', 'funding.announced_day(text)', '99c8c2fc53e7'),
  ('function', 'funding.api_fields()', '407bf35d1ab5'),
  ('function', 'funding.api_value(text, jsonb)', 'e64cf68983c0'),
  ('function', 'funding.archive_records(text, text, text[])', '86720ca1416b'),
  ('function', 'funding.are_alike(text[], text[], text[], text[])', '606bab4a83c8'),
  ('function', 'funding.as_lexicon_fit(funding.next_fit)', 'fe285ed57c13'),
  ('function', 'funding.asked_facets(text, jsonb, jsonb, text, extensions.halfvec, boolean)', '65d341ba65ee'),
  ('function', 'funding.asked_ranking(jsonb)', '4a4fba30da32'),
  ('function', 'funding.attach_customer(text, text)', '31c7939fdf5d'),
  ('function', 'funding.attach_user(text, uuid)', 'd9a4db886c29'),
  ('function', 'funding.audit(uuid, text, text, uuid, text, jsonb)', '9f07350eaa96'),
  ('function', 'funding.audit_account()', '1bf29673d98e'),
  ('function', 'funding.audit_body(funding.audit_log)', '8cd655e28b7e'),
  ('function', 'funding.audit_digest()', 'a43dfa9ba452'),
  ('function', 'funding.audit_invitation()', '1622470bd3e2'),
  ('function', 'funding.audit_key()', '99feeb35d05a'),
  ('function', 'funding.audit_member()', '1803e6b574fe'),
  ('function', 'funding.audit_recovery()', 'a9584f34c8cb'),
  ('function', 'funding.audit_saved_search()', 'b3d09878fe78'),
  ('function', 'funding.audit_subscription()', 'f5125cd817be'),
  ('function', 'funding.audit_webhook()', '0eb9d40d30d2'),
  ('function', 'funding.audited_changes(jsonb, jsonb)', 'b734bc274895'),
  ('function', 'funding.audited_fields(funding.accounts)', 'f17664ff965b'),
  ('function', 'funding.audited_fields(funding.api_keys)', 'd341306998bd'),
  ('function', 'funding.audited_fields(funding.digests)', 'b1a07f967012'),
  ('function', 'funding.audited_fields(funding.invitations)', '94d5a14d32bf'),
  ('function', 'funding.audited_fields(funding.members)', 'c8d816c0d103'),
  ('function', 'funding.audited_fields(funding.saved_searches)', '183ed7e73e7e'),
  ('function', 'funding.audited_fields(funding.subscriptions)', 'bb97b8505736'),
  ('function', 'funding.audited_fields(funding.webhook_endpoints)', 'fae056413dd7'),
  ('function', 'funding.audited_value(jsonb)', '0edaf3177423'),
  ('function', 'funding.available_mode(text, text)', '300b9c792205'),
  ('function', 'funding.awaited_endpoints(timestamp with time zone)', '657b8cd04a86'),
  ('function', 'funding.award_numbers(jsonb)', '4a3aa752cfa9'),
  ('function', 'funding.awards_by_number(text, jsonb, bigint)', '8dee93dae766'),
  ('function', 'funding.awards_of(uuid, jsonb)', '523cce79e41e'),
  ('function', 'funding.backoff_seconds(integer)', '71c103ddec1d'),
  ('function', 'funding.beat()', '2e1c0bc1051e'),
  ('function', 'funding.begin_embedding_model(text)', 'ade8070df0d9'),
  ('function', 'funding.begin_fit(integer, real, integer, real, real, real, boolean)', 'b7f99d5951b8'),
  ('function', 'funding.beginning_of(timestamp with time zone, text)', '07ce31ec7136'),
  ('function', 'funding.beginnings_of(text, integer[])', '252645390baf'),
  ('function', 'funding.best_in_scope(funding.search_scope, integer[], real[], integer, text, real, tsquery)', 'c70d2e29fe58'),
  ('function', 'funding.bitmap_conditions(text, jsonb)', '3e0a3474e893'),
  ('function', 'funding.bitmap_fields(text)', 'b067c6f1ead4'),
  ('function', 'funding.bitmap_matches(text, funding.bitmap_condition[])', '1dfb7e1f4b7f'),
  ('function', 'funding.bitmap_name(text, text)', '6e695ee835a7'),
  ('function', 'funding.bitmap_names(text)', '6439a8d69740'),
  ('function', 'funding.bitmap_page(text, funding.list_request)', '1f859ea55723'),
  ('function', 'funding.bitmap_total(text, jsonb)', 'e9b9e239b520'),
  ('function', 'funding.bits_at(integer[], integer)', 'c627635ed170'),
  ('function', 'funding.blocks_of(text)', '0be3e762acbb'),
  ('function', 'funding.bm25_scores(tsvector, funding.query_analysis, funding.lexicon_fit)', 'aedabc4e14dc'),
  ('function', 'funding.bm25_weight(double precision, double precision, real, real, real)', '7d60315860f0'),
  ('function', 'funding.bought_subscriptions(uuid)', '53008f7c4855'),
  ('function', 'funding.bounded_now()', 'eca31fc1c118'),
  ('function', 'funding.bounded_time(funding.dispatch_clock, timestamp with time zone)', 'cdb3a0e940b7'),
  ('function', 'funding.broken_links()', 'b9a1a805dfaf'),
  ('function', 'funding.cache_page(text, text, bigint, boolean, funding.listed_page, boolean)', '2005e91003b1'),
  ('function', 'funding.cache_query_vector(text, bytea, extensions.halfvec)', 'c8ff0d411d1f'),
  ('function', 'funding.cached_page(text, funding.list_request, text, extensions.halfvec, bigint)', '355e578e526d'),
  ('function', 'funding.cached_query_vector(text, bytea)', '231db6c6ada2'),
  ('function', 'funding.calendar_condition()', '478a3a525845'),
  ('function', 'funding.call_dispatch()', '3edb34ef08e1'),
  ('function', 'funding.candidates_of(text, text)', '40405bc9ac86'),
  ('function', 'funding.change_lock_class()', 'e19dc4fcc37a'),
  ('function', 'funding.change_moment()', '59de68a5bfd7'),
  ('function', 'funding.change_role(uuid, uuid, text)', '99ffca5b0cdb'),
  ('function', 'funding.change_subscription(text, text, text, timestamp with time zone)', '9f53feac19f3'),
  ('function', 'funding.change_tier(text, boolean, bigint, boolean, boolean)', '0578c66db502'),
  ('function', 'funding.changes_between(jsonb, jsonb)', '5b1b10b9bf05'),
  ('function', 'funding.changes_of(text, uuid, integer, bigint)', '0b5d906d16cf'),
  ('function', 'funding.check_setting()', '45f0668d06a0'),
  ('function', 'funding.checks_expression(text)', '742952ac8281'),
  ('function', 'funding.chosen_account()', '47628cc8dcd1'),
  ('function', 'funding.clean_segments(text, integer, integer)', '26314b642ddf'),
  ('function', 'funding.client_address()', '24c0318e8314'),
  ('function', 'funding.clock_catch_up()', 'bd70ede0219d'),
  ('function', 'funding.clock_offset_seconds()', 'a92c9e580068'),
  ('function', 'funding.clock_patience()', '0208ea111476'),
  ('function', 'funding.clock_step()', '956aa2286e57'),
  ('function', 'funding.compared_value(text, text)', 'e9781e2f6771'),
  ('function', 'funding.confirm_clock()', '592c69835115'),
  ('function', 'funding.containing(text)', 'eee225aef7ea'),
  ('function', 'funding.content_columns(text)', '8e75275d3315'),
  ('function', 'funding.continue_slots()', 'ae74125e6d38'),
  ('function', 'funding.contracts_listed(uuid[], bigint, text, text)', '7a881fde0066'),
  ('function', 'funding.contracts_scored(uuid[], double precision[])', 'fa490e8b4dd6'),
  ('function', 'funding.count_of(funding.slot_bitmaps)', 'e5e9d27bf433'),
  ('function', 'funding.count_records(funding.saved_searches, timestamp with time zone, timestamp with time zone)', '83dacc22341e'),
  ('function', 'funding.count_request(funding.admission)', '1094d4def20c'),
  ('function', 'funding.count_unsealed(text, integer, integer)', '2ae0996053eb'),
  ('function', 'funding.count_without_vector(text, integer)', 'e7f815680aa6'),
  ('function', 'funding.count_words(tsvector)', '186d1ac169d3'),
  ('function', 'funding.count_write(uuid, text, json)', 'b3ef0dfa6a35'),
  ('function', 'funding.counted_saved_search(funding.saved_searches)', 'c426ea38a6ab'),
  ('function', 'funding.covering_score(funding.query_analysis, real)', '1b89eeada60a'),
  ('function', 'funding.covering_sets(tsquery[], real[], real, integer)', 'd1397ec5bb26'),
  ('function', 'funding.covering_words(funding.query_analysis, real)', 'afbac8a26e29'),
  ('function', 'funding.create_account(text, text)', 'bb20cccf086e'),
  ('function', 'funding.create_key(text, text, text, text, timestamp with time zone, jsonb)', 'fd0d7108e989'),
  ('function', 'funding.create_key(uuid, text, text, text, timestamp with time zone, jsonb)', '5f619310df18'),
  ('function', 'funding.create_saved_search(uuid, jsonb)', '2291a42d73fc'),
  ('function', 'funding.create_webhook(uuid, jsonb)', 'f63ccc95b18e'),
  ('function', 'funding.current_documents()', 'a8ce4ad6a0bb'),
  ('function', 'funding.current_links()', 'e4defde8aa92'),
  ('function', 'funding.current_source_ids(text, text, text, integer, timestamp with time zone)', 'fe3e25cf81ec'),
  ('function', 'funding.cursor_key(text)', '22027bf1c147'),
  ('function', 'funding.data_as_of(text)', 'a8b47f32a241'),
  ('function', 'funding.day_expression(text, jsonb)', '6e31dc9bc2e7'),
  ('function', 'funding.days_from_today(text)', 'c0c25baaf13b'),
  ('function', 'funding.deadline_end(date, jsonb, text)', '35f497051d9b'),
  ('function', 'funding.deadline_within(text, text)', '0ab439a1ffb3'),
  ('function', 'funding.deadlines_version(text[])', 'ecc112712b54'),
  ('function', 'funding.default_time_zone()', '34daaae66271'),
  ('function', 'funding.delete_audit_log()', '9b4e9d29790f'),
  ('function', 'funding.delete_saved_search(uuid, uuid)', '155c3fb4706d'),
  ('function', 'funding.delete_vectors(text, integer)', 'c375ef5cecea'),
  ('function', 'funding.delete_webhook(uuid, uuid)', 'f5c2d876e62c'),
  ('function', 'funding.delivery_body(funding.webhook_deliveries, funding.events)', '5d84b0be71c3'),
  ('function', 'funding.delivery_of(uuid, uuid, uuid)', 'efb1c82b3506'),
  ('function', 'funding.detail_bitmaps(jsonb)', '66b123281629'),
  ('function', 'funding.detail_fields()', 'eee71a9d7296'),
  ('function', 'funding.detail_keys(jsonb)', '8fd6e524adc1'),
  ('function', 'funding.detail_members()', 'dcf1e188c060'),
  ('function', 'funding.details_expression(text)', 'bf38dec3f598'),
  ('function', 'funding.details_without_bitmaps()', 'f72f99ee0bd7'),
  ('function', 'funding.digest_body(uuid)', '9844b0e97447'),
  ('function', 'funding.digest_expression(text)', 'decb46c6158c'),
  ('function', 'funding.digest_lease()', '87cec4ea667f'),
  ('function', 'funding.digest_mail_of(text)', 'a70605969006'),
  ('function', 'funding.digest_recipient(uuid)', 'cdd07598ac75'),
  ('function', 'funding.digest_records(funding.saved_searches, timestamp with time zone, timestamp with time zone)', 'f591ac1ba4b0'),
  ('function', 'funding.digest_retry_wait(integer)', '5a66f9d5ade7'),
  ('function', 'funding.disable_endpoints(uuid[], text)', 'b6c2118a8d13'),
  ('function', 'funding.disabling_reason(integer, interval, boolean)', 'c9df7672bbc0'),
  ('function', 'funding.dispatch_now()', '2ca19d4c209f'),
  ('function', 'funding.drop_bitmaps_of_table()', '91159165fdd5'),
  ('function', 'funding.drop_dead_segments(text)', '964790ca9cdc'),
  ('function', 'funding.drop_segments(text, integer[])', '4f6105cffeae'),
  ('function', 'funding.drop_suggestion_parts()', '7c2ebb072ba2'),
  ('function', 'funding.drop_vector_indexes(integer)', 'a583a29b3353'),
  ('function', 'funding.due_links(double precision, integer)', '24c0c49fedaf'),
  ('function', 'funding.ein_of(text, text)', '16cf1fe5c5f7'),
  ('function', 'funding.embedded_model()', '7cd5792b4637'),
  ('function', 'funding.embedded_query(text)', '6f4335fc2356'),
  ('function', 'funding.embedded_texts(text, text)', 'daa78879b6bf'),
  ('function', 'funding.embedded_texts_of(text)', 'f37b67e9c84b'),
  ('function', 'funding.embedding_backlog(text)', '3735373ca25e'),
  ('function', 'funding.embedding_metrics(integer)', 'f8918f493674'),
  ('function', 'funding.end_digest(uuid)', '514d3aa96715'),
  ('function', 'funding.end_invitation(funding.invitations, text)', '1fbb986091c5'),
  ('function', 'funding.entry_expression(text)', '22f115b12969'),
  ('function', 'funding.estimated_matches(text, jsonb, text)', '15b3bb7153b4'),
  ('function', 'funding.estimated_records(text)', 'cfbdd64a1b51'),
  ('function', 'funding.event_changes(funding.events)', '1a694697f2ab'),
  ('function', 'funding.event_data(funding.events, boolean)', 'a8918202e192'),
  ('function', 'funding.event_name(text, text)', '98a4de206568'),
  ('function', 'funding.every_word(funding.query_analysis)', 'a5761598fa27'),
  ('function', 'funding.evict_stale(text, bigint)', '4bfd0b4cb16a'),
  ('function', 'funding.exact_moment(timestamp with time zone)', '85f3124d4ae0'),
  ('function', 'funding.excluded_texts(text)', 'ff8521fcabfa'),
  ('function', 'funding.excluded_words(text)', '123fa8e2f2ec'),
  ('function', 'funding.expiry_of(funding.invitations)', '9cf8a838bc23'),
  ('function', 'funding.external_model()', '901bf0f6dabc'),
  ('function', 'funding.facet_amounts(text, text, jsonb)', 'f3ab0230e47a'),
  ('function', 'funding.facet_counts(text, text, jsonb)', '2332bb899b0c'),
  ('function', 'funding.facet_fields(text)', 'd602c6412e5d'),
  ('function', 'funding.facet_values(text, text, jsonb)', 'aa83d2470baa'),
  ('function', 'funding.facets(text, jsonb, jsonb, boolean, text, extensions.halfvec, boolean)', '62b6c3064e46'),
  ('function', 'funding.fail_deliveries(uuid[], uuid, text)', 'c5248092f632'),
  ('function', 'funding.failing_records(text, jsonb, anyarray)', 'b9ced0d1c752'),
  ('function', 'funding.fan_out(uuid[], uuid)', '4ab3b2b7ae03'),
  ('function', 'funding.fan_out_records(text, anyarray, uuid[], uuid)', '8e444b5524b9'),
  ('function', 'funding.fan_out_size(integer)', '38a8df8f7829'),
  ('function', 'funding.feed_page(text, funding.list_request, timestamp with time zone, jsonb, boolean)', '01b76062f782'),
  ('function', 'funding.field_page(text, funding.list_request)', '6400d00782ab'),
  ('function', 'funding.fill_vectors(text)', 'f0af146b7f66'),
  ('function', 'funding.filled_vector(real, integer)', '58bc025ae41e'),
  ('function', 'funding.filter_fault(text, text)', '9dd8744f6ec5'),
  ('function', 'funding.filter_of(text, jsonb)', '090d7722bedf'),
  ('function', 'funding.filter_rules(text)', '9db39f01d19a'),
  ('function', 'funding.filtered_columns(text)', 'a985d3b22966'),
  ('function', 'funding.find_faults(text, jsonb, anyarray)', 'fc398b339517'),
  ('function', 'funding.find_record(text, uuid)', 'd6d368635ac5'),
  ('function', 'funding.finish_import(bigint, text, jsonb, text, boolean)', 'dcf3b1364f24'),
  ('function', 'funding.first_block(integer)', 'ed9725063e5e'),
  ('function', 'funding.first_in_order(text, integer, text, text, bit varying, integer, integer, integer)', '16e382a7f978'),
  ('function', 'funding.first_slots(text, text, text, funding.slot_bitmaps, integer, integer)', '051f71bee820'),
  ('function', 'funding.fit_in_preparation(uuid)', '817ba64225de'),
  ('function', 'funding.fits_schema(jsonb, jsonb)', 'e9a9d980fc2c'),
  ('function', 'funding.fitted_end(text)', 'fa2771941829'),
  ('function', 'funding.flat_record(jsonb)', '536d722d0634'),
  ('function', 'funding.folded_address(text)', '39b824f9cd22'),
  ('function', 'funding.follow_stripe(uuid, boolean)', '0df512bbf1ce'),
  ('function', 'funding.follow_unwatched_clock()', 'b47a5a1413d0'),
  ('function', 'funding.forget_fit(boolean)', '6328a312d6bf'),
  ('function', 'funding.forget_funder_names()', 'a1a4cd2fd879'),
  ('function', 'funding.forget_links()', 'a7bbfd821dfc'),
  ('function', 'funding.forget_lost_fit(integer)', '39683cda3ac4'),
  ('function', 'funding.former_secrets(uuid)', '0d13170759c0'),
  ('function', 'funding.found_in(text[], integer, integer, integer)', '6704518c6591'),
  ('function', 'funding.fullest_block(bit varying[], integer[])', '0b532948397a'),
  ('function', 'funding.funder_at(uuid, timestamp with time zone)', 'c757d0bcb4c9'),
  ('function', 'funding.funder_mentions(jsonb)', 'b58b2ba67659'),
  ('function', 'funding.funder_record_ids(jsonb)', 'f89bc29ffc81'),
  ('function', 'funding.funders_listed(uuid[], bigint, text, text)', '919c5b3b54e0'),
  ('function', 'funding.funders_scored(uuid[], double precision[])', '7169249d8601'),
  ('function', 'funding.get_webhook(uuid, uuid)', '4910ff29e63b'),
  ('function', 'funding.get_webhook_delivery(uuid, uuid, uuid)', 'd9261ab53b2b'),
  ('function', 'funding.give_back_records(funding.digest_mails)', 'ea81ec6d6e64'),
  ('function', 'funding.grants_listed(uuid[], bigint, text, text)', '73d075bf3714'),
  ('function', 'funding.grants_scored(uuid[], double precision[])', 'ed1e41b70079'),
  ('function', 'funding.had_final_line_break(text, text)', '4653be886ec0'),
  ('function', 'funding.has_address(text)', '40de5c32aa71'),
  ('function', 'funding.has_caches()', 'ce7a97e30e27'),
  ('function', 'funding.has_ended(text)', 'ba00c105f218'),
  ('function', 'funding.has_outdated_documents(text)', '5726c7e1e22d'),
  ('function', 'funding.has_stripe_subscription(uuid)', 'a7d693cfb265'),
  ('function', 'funding.has_unfinished_work(funding.webhook_endpoints)', 'e3cff78334df'),
  ('function', 'funding.has_user(funding.members)', 'f7383c41099f'),
  ('function', 'funding.has_vector_index(text)', '5e28f949f5f6'),
  ('function', 'funding.has_vectors(integer)', '8ef383c24804'),
  ('function', 'funding.has_webhooks(uuid)', '51cc284eb335'),
  ('function', 'funding.hold_embeddings(text, bigint, integer, boolean)', '159a7e78a118'),
  ('function', 'funding.hybrid_candidates(funding.search_scope, funding.query_analysis, integer, boolean)', 'd28523fbc363'),
  ('function', 'funding.hybrid_legs(funding.search_scope, funding.query_analysis, integer, boolean)', 'e75d3513fe8e'),
  ('function', 'funding.hybrid_scores(funding.search_scope, funding.query_analysis, integer, boolean)', '380c1219042c'),
  ('function', 'funding.identified_ids(text, text)', 'ff104d057698'),
  ('function', 'funding.identifier_condition(text, jsonb)', '2a3866ba2feb'),
  ('function', 'funding.identifier_form(text)', '6123b8f2c806'),
  ('function', 'funding.identifier_forms(text[])', 'ff4a74136d14'),
  ('function', 'funding.identifier_matches(funding.search_scope, integer)', 'bbe122312b4a'),
  ('function', 'funding.identifiers_of(text)', 'adcb026c9c38'),
  ('function', 'funding.ids_of(text, integer[])', '6b356cc9349e'),
  ('function', 'funding.index_fields(funding.segment, text, funding.lexicon_fit)', '646a51488dc8'),
  ('function', 'funding.index_record()', 'ae2833e1f580'),
  ('function', 'funding.index_words(funding.segment, text, funding.lexicon_fit)', '696d0657b14b'),
  ('function', 'funding.indexed_fields(text)', 'b269439f9715'),
  ('function', 'funding.inverse_document_frequency(integer, integer)', '8d50fec44ef9'),
  ('function', 'funding.invitation_body(funding.invitations)', '860526a4c696'),
  ('function', 'funding.invite(uuid, text, text, text, uuid)', 'cebe3e2cbab2'),
  ('function', 'funding.inviter_email(funding.invitations)', 'fb84fb5beea4'),
  ('function', 'funding.is_alias(text, text)', '416f81e8ca83'),
  ('function', 'funding.is_assistance_listing(text)', 'b1e3da1d1dfe'),
  ('function', 'funding.is_authorized(funding.invitations)', 'e6b6d824dd5a'),
  ('function', 'funding.is_behind()', '52e1037f8886'),
  ('function', 'funding.is_digest_busy(uuid)', 'c8dfa90fde6c'),
  ('function', 'funding.is_in_force(funding.subscriptions)', '5bc19fbb2d60'),
  ('function', 'funding.is_in_force_at(funding.subscriptions, timestamp with time zone)', '61b8179ecfef'),
  ('function', 'funding.is_kept_unsent(funding.events)', '9e745ab9a120'),
  ('function', 'funding.is_mailer_failing(timestamp with time zone)', 'bba6329dc32c'),
  ('function', 'funding.is_one_edit(text, text)', '415c08217d08'),
  ('function', 'funding.is_ongoing(text)', '8d57ad4852ee'),
  ('function', 'funding.is_passing_failure(text)', '7b73637a74e2'),
  ('function', 'funding.is_relative(jsonb)', 'e95bbc5ad8d2'),
  ('function', 'funding.is_second_call(jsonb)', '14c10ab803a5'),
  ('function', 'funding.is_soon_found(text, jsonb, text, bigint, bigint, bigint)', 'ad2aac05924d'),
  ('function', 'funding.is_superseded(funding.imports)', 'cae3ef74b79a'),
  ('function', 'funding.is_time_zone(text)', '8605c1ae2159'),
  ('function', 'funding.is_valid(funding.api_keys)', '12261b4ed53a'),
  ('function', 'funding.is_within_usual(funding.search_scope)', '80f56ac5a27c'),
  ('function', 'funding.iso_date(date)', 'e0119dad8a95'),
  ('function', 'funding.issue_explorer_key(uuid, text, text, uuid)', '06d4692bc6f4'),
  ('function', 'funding.issue_saved_search_address(uuid, uuid, text)', '2261ec2c2ff1'),
  ('function', 'funding.jittered(double precision)', 'a70c3ab0dd94'),
  ('function', 'funding.joined_as_phrases(text)', 'b202f3723856'),
  ('function', 'funding.keep_former_vectors()', '73f9c3ec2377'),
  ('function', 'funding.keep_own_member()', 'a51629832a78'),
  ('function', 'funding.key_body(funding.api_keys)', '8c01919cfc11'),
  ('function', 'funding.keys_told()', '20d330259678'),
  ('function', 'funding.keyword_candidates(funding.search_scope, funding.query_analysis, integer)', '0d0f3afaa72c'),
  ('function', 'funding.keyword_matches(funding.search_scope, funding.query_analysis, real, integer)', '37147481921c'),
  ('function', 'funding.keyword_postings(funding.search_scope, funding.query_analysis, real, integer)', '256f577f65e1'),
  ('function', 'funding.keyword_unsealed(funding.search_scope, funding.query_analysis, real, integer)', '372a1491d750'),
  ('function', 'funding.known_statistics(uuid)', '67f94384e98e'),
  ('function', 'funding.last_block(integer)', '1bd68e83a807'),
  ('function', 'funding.last_midnight()', '02c781b4460b'),
  ('function', 'funding.last_seen(text, uuid, text)', '6239ceb3e39a'),
  ('function', 'funding.last_slot_to_prepare(text)', '028c8104c1ef'),
  ('function', 'funding.latency_at(jsonb, double precision)', 'd6fe54e771c2'),
  ('function', 'funding.latency_bounds()', 'b29409b83592'),
  ('function', 'funding.latest_now()', 'b6542387d769'),
  ('function', 'funding.latest_of(text, timestamp with time zone, timestamp with time zone, integer)', 'a6d0af6bead3'),
  ('function', 'funding.latest_record_expression(text)', '0a30dc8b30db'),
  ('function', 'funding.least_record()', 'ed34f44c3863'),
  ('function', 'funding.least_weight()', 'bc6eb397e1ab'),
  ('function', 'funding.lexemes_of(tsquery)', 'cad0cc2a3e5b'),
  ('function', 'funding.lexicon_drift()', '1609c41832db'),
  ('function', 'funding.lexicon_embedding(tsvector, integer)', 'a918b155ad35'),
  ('function', 'funding.limit_key(uuid, jsonb, uuid)', '6790556127ed'),
  ('function', 'funding.link_hash(text)', 'b99dff24e3b4'),
  ('function', 'funding.link_numbers(text, text[], uuid[], timestamp with time zone)', 'bed109d03681'),
  ('function', 'funding.link_versions(text, uuid[], timestamp with time zone)', 'd423754e7d53'),
  ('function', 'funding.list(text, jsonb, jsonb, text)', '6646945d5147'),
  ('function', 'funding.list_of_ids(text, jsonb, text)', '0d96e16c9db4'),
  ('function', 'funding.list_order(text)', '9633e5db6531'),
  ('function', 'funding.list_orders()', '6b10a24b690d'),
  ('function', 'funding.list_request_of(text, jsonb)', '2f44a5290aae'),
  ('function', 'funding.list_saved_searches(uuid)', '067f489e720c'),
  ('function', 'funding.list_version(text, bigint, jsonb)', 'c79b65fa86a2'),
  ('function', 'funding.list_webhook_deliveries(uuid, uuid, jsonb)', '6cb211dc15fc'),
  ('function', 'funding.list_webhooks(uuid)', '993681ee5e09'),
  ('function', 'funding.listed_values(jsonb)', '4db2577835a2'),
  ('function', 'funding.lock_delivery(uuid, uuid, uuid)', 'cf61887b6c88'),
  ('function', 'funding.lock_fit()', '3e104db3ee3c'),
  ('function', 'funding.lock_funders(uuid[])', '1952c90eb1f9'),
  ('function', 'funding.lock_members(uuid, boolean)', '5dbf1c425e1d'),
  ('function', 'funding.lock_saved_search(uuid, uuid)', '09f4f779a312'),
  ('function', 'funding.lock_source(text)', '4b32b44a88cb'),
  ('function', 'funding.lock_stripe_customer(text)', '21e7aa6bfac3'),
  ('function', 'funding.lock_tables(text[])', '6a49d0dd0e3d'),
  ('function', 'funding.lock_webhook(uuid, uuid)', 'c997ee498f84'),
  ('function', 'funding.log_requests(jsonb)', 'cd3f7e55816a'),
  ('function', 'funding.loosen_vectors()', '813016900782'),
  ('function', 'funding.lowercased(text[])', '76e2141889d3'),
  ('function', 'funding.make_segment(text, integer, integer)', 'a0e507892afd'),
  ('function', 'funding.mark_saved_search_seen(uuid, uuid, timestamp with time zone)', '0471fbb26515'),
  ('function', 'funding.marks(text, jsonb, text, extensions.halfvec, json)', 'ab815b1b646f'),
  ('function', 'funding.mask_retired(text)', '074d45a443da'),
  ('function', 'funding.match_by_bitmaps(text, jsonb)', 'e36069f379db'),
  ('function', 'funding.match_funders(jsonb)', '22fcbae9e9c2'),
  ('function', 'funding.match_records(text, jsonb, anyarray)', '6473f6536ee3'),
  ('function', 'funding.may_cache(text, text)', '1b4bbf4d25e2'),
  ('function', 'funding.may_repeat_secret(funding.idempotency_keys)', '51830d05e502'),
  ('function', 'funding.may_write()', '6864e0dcd25e'),
  ('function', 'funding.meaning_of(text, jsonb)', 'd70333dc8ebc'),
  ('function', 'funding.member_body(funding.members, uuid)', 'a32a025d2e1c'),
  ('function', 'funding.member_email(funding.members)', 'db7356995a19'),
  ('function', 'funding.membership_body(funding.members)', 'b9a0d7dbf493'),
  ('function', 'funding.mentioned_id(text, text, text)', 'cf0fb97a0390'),
  ('function', 'funding.merge_segments(text, integer)', '4f9a9064fb46'),
  ('function', 'funding.merge_suggested_values(text, integer)', '45354b841450'),
  ('function', 'funding.merge_suggested_words(text)', '7fe306902df4'),
  ('function', 'funding.merged_column(text)', '423e98b8ef8c'),
  ('function', 'funding.merged_columns(text[])', 'f63d9bca1c2c'),
  ('function', 'funding.merged_details(jsonb, jsonb, boolean)', '0b1f9f8a51fc'),
  ('function', 'funding.mode_without_vectors(text, text)', '853b6b233f93'),
  ('function', 'funding.model_setting(text, text)', '2dc6c5a7b28c'),
  ('function', 'funding.moment(timestamp with time zone)', 'd3001ff3853d'),
  ('function', 'funding.moment_of_ms(bigint)', 'd155453fd22f'),
  ('function', 'funding.month_counter(smallint, integer, text)', 'b83fcaac0968'),
  ('function', 'funding.month_counters(jsonb)', '96082a80d58a'),
  ('function', 'funding.move_records(text, integer, integer, integer)', '100a69a2ed8f'),
  ('function', 'funding.moved_towards(extensions.halfvec, extensions.vector, real)', '86cba7524559'),
  ('function', 'funding.name_hash(text)', '8a233aa4f507'),
  ('function', 'funding.name_key(text)', '04f554923e7c'),
  ('function', 'funding.named_records(text, uuid[], jsonb)', '9bf5d223ba7f'),
  ('function', 'funding.near_deadline()', '48ae73383c3c'),
  ('function', 'funding.nearest_records(funding.search_scope, extensions.halfvec, integer, real, boolean, integer)', '0d7891d66af3'),
  ('function', 'funding.needs_a_strong_word(funding.query_analysis, real)', '952c919c07f3'),
  ('function', 'funding.new_records(funding.saved_searches, timestamp with time zone)', '986c6717ff9a'),
  ('function', 'funding.newer_runs(bigint)', 'b72efab4f832'),
  ('function', 'funding.next_bucket(text)', '5226afb6a51d'),
  ('function', 'funding.next_change_ms()', '54727d431d2c'),
  ('function', 'funding.next_digest_at(text, integer, integer, text, timestamp with time zone)', '014c7c5d7f53'),
  ('function', 'funding.note_aliases(text, jsonb, uuid[])', '924da074513c'),
  ('function', 'funding.note_created()', '44d57cd449d1'),
  ('function', 'funding.note_data_change()', 'ac9ac819c62d'),
  ('function', 'funding.note_full_list(text, text, timestamp with time zone)', 'c6a7cd6e5215'),
  ('function', 'funding.note_funder_rename()', '410cac7d5306'),
  ('function', 'funding.note_funder_statistics_due()', 'afaeb616d274'),
  ('function', 'funding.note_links(jsonb)', '8ca89d60bd4b'),
  ('function', 'funding.note_missing(text, text, text[], boolean)', '4929d224d33b'),
  ('function', 'funding.note_new_funder_names()', '41a81dbf9a5d'),
  ('function', 'funding.note_renewal(bigint, interval)', '62dab084a081'),
  ('function', 'funding.note_seen(text, text[], text[], timestamp with time zone)', '767abd80d806'),
  ('function', 'funding.note_updated()', 'ce69457183bc'),
  ('function', 'funding.note_version()', '3363f7dbcfdc'),
  ('function', 'funding.number_keys(text)', '76e52211b85d'),
  ('function', 'funding.numbers_meant(text)', 'a984bfd857de'),
  ('function', 'funding.numbers_of_awards(text)', 'dea3cb2cee79'),
  ('function', 'funding.offer_body(funding.offered_customers)', '7ed8fa61a11e'),
  ('function', 'funding.order_of(text, jsonb)', '7ddef5d481de'),
  ('function', 'funding.outstanding_similarity(funding.search_scope, extensions.halfvec)', 'cd89e87f6db3'),
  ('function', 'funding.overdue()', '61ba4e0c3a3d'),
  ('function', 'funding.own_bitmaps(text, text, jsonb)', 'f029b7923fb7'),
  ('function', 'funding.own_condition(text, text, jsonb)', '6fe4e17017d4'),
  ('function', 'funding.owned_account_of(uuid, uuid)', '63c96034abd3'),
  ('function', 'funding.page_by_index(text, funding.list_request)', '7f2b43511e3d'),
  ('function', 'funding.page_of(jsonb)', '9e1392d5e224'),
  ('function', 'funding.page_version(text, boolean)', '10e01ce20f82'),
  ('function', 'funding.parse_query(text)', 'df234b2afeda'),
  ('function', 'funding.passages(text)', 'df9d32e69626'),
  ('function', 'funding.positions_above(extensions.vector, bit varying, extensions.vector)', '070e99891abf'),
  ('function', 'funding.positions_of(bit varying)', 'fd0db96ee4d6'),
  ('function', 'funding.possible_keyword_score(funding.search_scope, funding.query_analysis)', 'a60cbb16a1ff'),
  ('function', 'funding.predicate(text, jsonb)', '51e8d4fcf3c1'),
  ('function', 'funding.prepare_bitmaps(uuid, text)', 'dc5cdbb0e6f9'),
  ('function', 'funding.prepare_postings(uuid, text, integer)', 'c72cbef9cd95'),
  ('function', 'funding.prepare_terms(uuid, text[], integer[], text[])', '2ad3a248ae3b'),
  ('function', 'funding.prepare_vectors(uuid, text, integer, integer)', 'bbac2354d43a'),
  ('function', 'funding.present_objects()', 'a2d2750b7ae8'),
  ('function', 'funding.presentation_parameters()', '4aef05c29a14'),
  ('function', 'funding.preview_webhook(uuid, jsonb)', '634db9c1c47d'),
  ('function', 'funding.programme_filter(jsonb, timestamp with time zone)', '760f209534b8'),
  ('function', 'funding.prune_dispatch_runs()', 'e3531b887e01'),
  ('function', 'funding.prune_events_before(timestamp with time zone, integer)', '3167b35aeb2f'),
  ('function', 'funding.prune_vectors(text, integer)', '916d155a4269'),
  ('function', 'funding.publishers_day(integer, timestamp with time zone)', '658aa02ddd5c'),
  ('function', 'funding.query_identifiers(text)', 'e6c663227aa9'),
  ('function', 'funding.query_ids(text)', '647a658ddb16'),
  ('function', 'funding.query_like(text, uuid)', 'd08018aef55d'),
  ('function', 'funding.query_of(text, jsonb, extensions.halfvec)', 'e4cc76e4ced0'),
  ('function', 'funding.queue_embeddings()', '61ae0f545578'),
  ('function', 'funding.queue_lacking_vectors()', 'f847c2a81e7f'),
  ('function', 'funding.quota_day()', 'a8ad44f4af58'),
  ('function', 'funding.quota_resets_at()', '1a2f2840f2bd'),
  ('function', 'funding.quoted_lexeme(text)', '6ec493f4a079'),
  ('function', 'funding.range_bitmaps(text, text, text, jsonb)', 'c113a5489088'),
  ('function', 'funding.range_condition(jsonb, text, text, text)', 'd239ef4f4c8e'),
  ('function', 'funding.rank_bitmaps(text, text, text, text, jsonb)', '5b6cf729bf44'),
  ('function', 'funding.rank_bound(text, text)', '8954a248c549'),
  ('function', 'funding.ranked(text, jsonb, text, extensions.halfvec, bigint)', 'be5c1ef9f887'),
  ('function', 'funding.ranked_fields(text)', '16e27a6994c8'),
  ('function', 'funding.ranked_page(text, funding.list_request, text, extensions.halfvec)', 'a934c9003856'),
  ('function', 'funding.ranking_mode(text, text, boolean)', '0ab0ce6ae865'),
  ('function', 'funding.read_for_suggestions(text, uuid, integer, integer)', '9397522ae573'),
  ('function', 'funding.read_query(text, extensions.halfvec)', 'fb272fcaebb8'),
  ('function', 'funding.received_body(funding.invitations)', 'f7b01490a10b'),
  ('function', 'funding.received_invitation(uuid, text)', '1ae0f8724455'),
  ('function', 'funding.record_id(text, text, text)', '7e5123a0173f'),
  ('function', 'funding.record_ids(text, jsonb)', '833134e42678'),
  ('function', 'funding.record_length(tsvector, real)', '7b1d9bcb620d'),
  ('function', 'funding.record_lexemes(text, text)', '503bf8e18c17'),
  ('function', 'funding.record_query(text, text)', '23df78688e5c'),
  ('function', 'funding.records_due(text, timestamp with time zone, integer)', 'dfb0ab6c7c64'),
  ('function', 'funding.records_without(anyarray, uuid[])', '151fe32dde23'),
  ('function', 'funding.recover_webhook(uuid, uuid, timestamp with time zone, timestamp with time zone)', 'be413f652381'),
  ('function', 'funding.refresh_vector_indexes(integer)', '2cd871ecc92c'),
  ('function', 'funding.refuse_datasets(funding.admission, text[])', '67eeb1ad9f57'),
  ('function', 'funding.refuse_key_quota(funding.admission)', '64c9abc96c9b'),
  ('function', 'funding.refuse_quota(funding.admission)', '47947b942f98'),
  ('function', 'funding.refuse_saved_search_read(integer)', '9e24a042cf77'),
  ('function', 'funding.reindex_records()', '669333784d3e'),
  ('function', 'funding.release_account()', '347a1d78f2f3'),
  ('function', 'funding.release_lost_claims(timestamp with time zone)', '988f25267866'),
  ('function', 'funding.remove_from_account(uuid, uuid)', '2e3718e56a8f'),
  ('function', 'funding.remove_member_by_email(text, text)', 'b06f50153829'),
  ('function', 'funding.remove_tier(text)', 'e8adf4a7268b'),
  ('function', 'funding.render_again(uuid[])', 'a997010676e9'),
  ('function', 'funding.render_events(text, anyarray, uuid[])', '435211e994d2'),
  ('function', 'funding.renew_documents(text, integer)', '4f150b6d8495'),
  ('function', 'funding.renew_funder_statistics()', 'b9559defd59a'),
  ('function', 'funding.renew_suggestions(integer)', '6292b6fc2513'),
  ('function', 'funding.renew_version_links()', '250114042bdc'),
  ('function', 'funding.renumber_slots(text, integer)', '86d625067599'),
  ('function', 'funding.replacement_of(uuid)', '00ed4fe08d48'),
  ('function', 'funding.request_body(funding.request_log)', '1e26eed161de'),
  ('function', 'funding.require_address(uuid, cidr[])', 'bf3dd1ffe5b4'),
  ('function', 'funding.require_bounds(text, bigint, bigint)', '82e65131d753'),
  ('function', 'funding.require_filters(jsonb)', 'ba3c7b9dc6cb'),
  ('function', 'funding.require_member(uuid, uuid)', 'a7ea84f0c710'),
  ('function', 'funding.require_other_owner(funding.members)', '257e7c14c79a'),
  ('function', 'funding.require_owner(uuid, uuid)', '8976feb7c84d'),
  ('function', 'funding.require_readable(funding.admission, uuid)', '4116934a6f7f'),
  ('function', 'funding.require_role(text)', '21d7d04e6792'),
  ('function', 'funding.require_room()', 'b71efe5c5b2e'),
  ('function', 'funding.require_room_for_key(uuid, bigint)', 'ad94b3f3f8c2'),
  ('function', 'funding.require_rules(text, jsonb)', '0a7002567fc8'),
  ('function', 'funding.require_saved_filter(text, jsonb)', 'a0c6b950c520'),
  ('function', 'funding.require_write(uuid, text)', '8c7dd123e240'),
  ('function', 'funding.required_phrases(text)', '1706d5cdc60d'),
  ('function', 'funding.resend_webhook_delivery(uuid, uuid, uuid)', '2484837c980b'),
  ('function', 'funding.resize_vectors(integer, text)', '45b60094758a'),
  ('function', 'funding.respelled(text)', '2d86265552b7'),
  ('function', 'funding.respelled_beginnings(text)', 'ffb8062192bc'),
  ('function', 'funding.retention()', 'cf16c5454e16'),
  ('function', 'funding.retire_slot()', 'fc9129c3f000'),
  ('function', 'funding.retired_bits(text)', '70b1c95f02db'),
  ('function', 'funding.retry_undeliverable()', 'cbd21be8387e'),
  ('function', 'funding.retry_wait(integer, integer, double precision)', 'b0d91c835ed4'),
  ('function', 'funding.revoke_key(uuid, uuid)', 'd99d13e9b7f5'),
  ('function', 'funding.revoke_saved_search_address(uuid, uuid)', 'daf80b41a420'),
  ('function', 'funding.role_of(uuid, uuid)', '3baa1284da35'),
  ('function', 'funding.roll_up_usage(date, integer)', '03bec4f795ff'),
  ('function', 'funding.rotate_key(uuid, text, text, interval, uuid)', 'd3465eb6a598'),
  ('function', 'funding.rotate_webhook_secret(uuid, uuid, text, integer)', '7f9e59197498'),
  ('function', 'funding.rpc_result(funding.admission, json)', '6a052292729b'),
  ('function', 'funding.same_as_expression(text)', 'ca58b98d0d0f'),
  ('function', 'funding.sampled_similarities(funding.search_scope, extensions.halfvec)', 'e2a1e4766c5e'),
  ('function', 'funding.saved_search_body(funding.saved_searches, json, timestamp with time zone)', '967f0b0b2de1'),
  ('function', 'funding.saved_search_deadlines(funding.saved_searches, date)', 'e89c6c2e475e'),
  ('function', 'funding.saved_search_entries(funding.saved_searches)', 'cefa89de2da9'),
  ('function', 'funding.saved_search_of(uuid, uuid)', '4107b148223d'),
  ('function', 'funding.saved_search_reads(funding.saved_searches)', 'fa019b9d25aa'),
  ('function', 'funding.schedule_dispatch()', 'b629f4271156'),
  ('function', 'funding.schema_faults()', '11c04ebe5c7c'),
  ('function', 'funding.schema_words(jsonb)', '165714528327'),
  ('function', 'funding.scope_of(text, jsonb)', '0c87bfe984d1'),
  ('function', 'funding.score_of_best(extensions.vector, bit varying, integer, real)', '11cbc6c418a6'),
  ('function', 'funding.seal(text, integer, integer)', 'c9a1cceaad0e'),
  ('function', 'funding.sealed_bits(funding.search_scope)', '8e6a69819a98'),
  ('function', 'funding.sealed_end(text)', '71c780c6efbd'),
  ('function', 'funding.search_at_address(text)', '5039dd406cf8'),
  ('function', 'funding.search_bitmaps(text, jsonb)', 'b370f7ad720b'),
  ('function', 'funding.search_condition(text, jsonb)', '334fcab3efda'),
  ('function', 'funding.search_lengths(jsonb)', '18885540e048'),
  ('function', 'funding.seconds_since(timestamp with time zone)', 'e0afef98cc1e'),
  ('function', 'funding.segment_shares(text)', '36714d1fdf11'),
  ('function', 'funding.segments_lock(text)', 'fe3af8a7984c'),
  ('function', 'funding.semantic_candidates(funding.search_scope, funding.query_analysis, integer)', 'b80ba8aff943'),
  ('function', 'funding.send_test_event(uuid, uuid, text, json, json, json)', 'e885395245dd'),
  ('function', 'funding.separate_words(text)', '2680623d4e82'),
  ('function', 'funding.set_aside_deadlines(funding.webhook_endpoints, text, date)', 'b7c1cb626a17'),
  ('function', 'funding.set_digest(funding.saved_searches, jsonb)', 'dfb473d7cd51'),
  ('function', 'funding.set_price(text, text)', 'a51d7c740d58'),
  ('function', 'funding.set_tier(text, text)', '97cc41d7d1d4'),
  ('function', 'funding.set_time_zone(text, text)', 'e6604d5d366a'),
  ('function', 'funding.setting(text)', '300d0c36fe60'),
  ('function', 'funding.settle_digest_mails(timestamp with time zone)', '037a8c9b2475'),
  ('function', 'funding.settled_mark()', '9212b837e80f'),
  ('function', 'funding.settled_slot(text)', 'ee87a4856651'),
  ('function', 'funding.settled_until()', 'a64dcc4e4953'),
  ('function', 'funding.shown_word(text)', '7c41c3a0e3a2'),
  ('function', 'funding.sighted_ids(text, text, text, integer)', 'a68deff86a45'),
  ('function', 'funding.signed_in_email(uuid, uuid)', '22b531b5409f'),
  ('function', 'funding.similarities(text, funding.query_analysis, integer[])', '69db1631a9bc'),
  ('function', 'funding.single(text, uuid, jsonb)', 'c9032f38f19d'),
  ('function', 'funding.slot_of(text, uuid)', 'bb50bf69e4bd'),
  ('function', 'funding.slots_in_order(text, integer[], text, text, bigint, bigint)', '368d1eebad24'),
  ('function', 'funding.slotted_records(text, integer, integer)', 'c6c6ca7a83f7'),
  ('function', 'funding.sold_price(text)', '67a804b2a417'),
  ('function', 'funding.sort_keys(text, text)', '663c8d63fdc6'),
  ('function', 'funding.sort_order(text, text)', '676fc7aa4bf6'),
  ('function', 'funding.start_filling(uuid)', '432dfac76c5a'),
  ('function', 'funding.start_import(text, text, text[], text, boolean, timestamp with time zone)', '45c3d4729d34'),
  ('function', 'funding.state_at(text, text, text, timestamp with time zone, date, jsonb, timestamp with time zone, timestamp with time zone, timestamp with time zone)', '4155689d3f4c'),
  ('function', 'funding.statistics_of_funder(uuid)', '34e2a3903ef4'),
  ('function', 'funding.statuses_meant(text)', 'e3ed7859aae0'),
  ('function', 'funding.stem(text)', '79dd0c4bf616'),
  ('function', 'funding.store_embeddings(text, text, jsonb)', 'c3a2ecd1fc69'),
  ('function', 'funding.store_vector()', '4f864925e6c1'),
  ('function', 'funding.stripe_customer_of(uuid)', '4ba41ef29454'),
  ('function', 'funding.stripe_status_rank(text)', '65e5f31cc2fd'),
  ('function', 'funding.subscriptions_of_customer(text)', '9cd68e90d286'),
  ('function', 'funding.suggested(text, text[], text[], integer)', 'b28929008433'),
  ('function', 'funding.suggested_values(text)', 'a4d2f2f44fa9'),
  ('function', 'funding.suggestions_with(tsquery, text[], text[], integer, bigint)', '4d5a9d567939'),
  ('function', 'funding.swap_embedding_model(text)', '5f798d7413b5'),
  ('function', 'funding.take_slot()', '378f438808c0'),
  ('function', 'funding.term_frequencies(tsvector, real)', '2260910e0cee'),
  ('function', 'funding.text_array(jsonb)', '8de95625f94b'),
  ('function', 'funding.text_matches(funding.search_scope, tsquery)', 'a3a3bc05cc6e'),
  ('function', 'funding.texts_lacking_vectors(text, text, uuid, integer)', '33ae3b21c9cc'),
  ('function', 'funding.texts_of_record(text, uuid)', 'c519add24fa5'),
  ('function', 'funding.texts_to_embed(text, boolean)', '3f0d0f7058c2'),
  ('function', 'funding.tick()', '36123a941ee4'),
  ('function', 'funding.tier_of(uuid)', '35595f0d5748'),
  ('function', 'funding.tier_rank(text)', '0a4c543f16ab'),
  ('function', 'funding.time_zone_of(text)', 'bf0e6b7e9bd4'),
  ('function', 'funding.title_key(text)', 'c71b56e0892c'),
  ('function', 'funding.title_parts(text, text)', '2ffe05951220'),
  ('function', 'funding.today_in(text)', '4942f34d8171'),
  ('function', 'funding.today_of(text)', '472132caaedd'),
  ('function', 'funding.total(text, jsonb, boolean)', '445a9a8b8306'),
  ('function', 'funding.touch_opportunities_of(uuid)', 'e45dd4e33f0c'),
  ('function', 'funding.try_filter(text, jsonb)', '74c268a05c94'),
  ('function', 'funding.understood(text, jsonb, text, extensions.halfvec)', 'd5a69e5083fd'),
  ('function', 'funding.unsealed_records(text, text, bigint)', '49843e77c00c'),
  ('function', 'funding.unshowable_records(text, anyarray)', 'fd1e7a240f97'),
  ('function', 'funding.update_saved_search(uuid, uuid, jsonb)', '732d7931070b'),
  ('function', 'funding.update_webhook(uuid, uuid, jsonb)', '96799240739d'),
  ('function', 'funding.upsert_records(text, jsonb, timestamp with time zone)', '4b21a3c8617c'),
  ('function', 'funding.usage_body(bigint, bigint, bigint, jsonb)', 'a092e0bd3b86'),
  ('function', 'funding.usage_by_hour(uuid[], date, date)', '1a9d12963736'),
  ('function', 'funding.usage_page_rows()', '9b45bdf8dbe2'),
  ('function', 'funding.used_by_key(funding.admission)', 'e894ed5555ab'),
  ('function', 'funding.usual_condition(text)', '9df5ba81a647'),
  ('function', 'funding.usual_vectors(text)', 'd8859a8e41c0'),
  ('function', 'funding.uuid_array(jsonb)', 'ab006fdb9f98'),
  ('function', 'funding.value_condition(text, jsonb, text, text, text, text, integer[])', '7a24048afd3a'),
  ('function', 'funding.vector_index_memory(integer, integer)', 'd3f5548a5364'),
  ('function', 'funding.vector_indexes(text, integer)', 'c21138bb3378'),
  ('function', 'funding.vector_of(text, text)', 'd59dc6838080'),
  ('function', 'funding.vector_size(text)', '603b0ee2fd58'),
  ('function', 'funding.vectors_of_slots(text, integer, integer[])', '12a39494872c'),
  ('function', 'funding.vectors_per_record(text)', '83ce8eb3554c'),
  ('function', 'funding.vectors_table(text, integer)', '9f7af069f989'),
  ('function', 'funding.version_agencies(jsonb, text)', '5fabeee56fe0'),
  ('function', 'funding.version_key(jsonb)', 'c6909e3bde87'),
  ('function', 'funding.versions_under(text, text[])', '44bc27351a60'),
  ('function', 'funding.wall_clock()', '83c557c1b53e'),
  ('function', 'funding.wanted_applicant_types(jsonb)', 'bc14f5350a66'),
  ('function', 'funding.wanted_names(text, text, jsonb)', 'd8bce146f1d8'),
  ('function', 'funding.wanted_values(text, jsonb)', '47b7e6c0a148'),
  ('function', 'funding.wanted_words(text)', '57423e1acdcb'),
  ('function', 'funding.wants_event(funding.webhook_endpoints, funding.events)', '34ad358ec9ab'),
  ('function', 'funding.webhook_body(funding.webhook_endpoints)', '5d143652ef36'),
  ('function', 'funding.webhook_name(funding.webhook_endpoints)', '6cc04921bc38'),
  ('function', 'funding.webhook_of(uuid, uuid)', 'f9a60daecc91'),
  ('function', 'funding.weekday_names()', '73d292b1b1ed'),
  ('function', 'funding.with_acronyms(text)', 'e98e686d6ec7'),
  ('function', 'funding.with_agencies(text, jsonb)', '44390367e167'),
  ('function', 'funding.with_asked_acronyms(text)', '0197d27fee1a'),
  ('function', 'funding.with_days(jsonb, timestamp with time zone)', 'd41e86915b6d'),
  ('function', 'funding.with_details(text, json, boolean)', '542049ed1668'),
  ('function', 'funding.with_explanations(text, jsonb, text, extensions.halfvec, json)', 'acdfc09a096b'),
  ('function', 'funding.with_feedback(funding.search_scope, funding.query_analysis, funding.ranked_slots)', '6f7f6cd67143'),
  ('function', 'funding.with_limits(funding.api_keys, jsonb)', 'fd631225dee0'),
  ('function', 'funding.with_member(json, text, json)', 'ba2fdbd53c65'),
  ('function', 'funding.with_members(json, json)', '9677b4a3e6de'),
  ('function', 'funding.with_remaining(funding.admission, bigint, bigint)', '218e15582065'),
  ('function', 'funding.with_write_limit(uuid, text, json)', '4ddbf15c9a6f'),
  ('function', 'funding.withdraw_invitations()', '4559eecc62da'),
  ('function', 'funding.without_archived(text, json)', '522e1a46dc15'),
  ('function', 'funding.without_dashes(text)', '4e4577b2c0fe'),
  ('function', 'funding.without_label(text)', 'cc6a5b59d83d'),
  ('function', 'funding.without_repeats(text)', '878b5862e93e'),
  ('function', 'funding.without_stray_dashes(text)', '8449c1bab633'),
  ('function', 'funding.word_bucket(text)', 'b320e97d44ed'),
  ('function', 'funding.words_of_name(text)', 'fd3761b20ca8'),
  ('function', 'funding.write_limit(uuid, text)', '5f8bed77eb85'),
  ('function', 'funding.writers_of(text)', 'e9252fc4b46a'),
  ('function', 'public.accept_invitation(uuid, uuid, uuid)', '85f5ff8b1ae2'),
  ('function', 'public.admit_request(text, text[])', '849850db96d6'),
  ('function', 'public.announce_deadlines(integer, uuid)', 'dbbfde914fef'),
  ('function', 'public.apply_due_dates(integer)', 'aafad8dbbb02'),
  ('function', 'public.claim_deliveries(integer, integer)', 'cf6a6d5e4c9c'),
  ('function', 'public.claim_digest(uuid, text)', '23110971baf2'),
  ('function', 'public.claim_embeddings(text[], integer)', '0295d4de97c0'),
  ('function', 'public.continue_recoveries(integer, bigint)', '37008e6aaf73'),
  ('function', 'public.create_account_key(uuid, uuid, text, text, text, timestamp with time zone, jsonb)', 'ff213605ca06'),
  ('function', 'public.create_explorer_key(uuid, uuid, text, text)', '9d517610e21e'),
  ('function', 'public.create_invitation(uuid, uuid, text, text)', 'ebae78a7492d'),
  ('function', 'public.create_saved_search(uuid, uuid, jsonb)', 'caa236143a2c'),
  ('function', 'public.create_webhook(uuid, uuid, jsonb)', 'a579cfaffa59'),
  ('function', 'public.decide_offered_customer(uuid, uuid, uuid, boolean)', '48cd270fb22d'),
  ('function', 'public.decline_invitation(uuid, uuid, uuid)', '49b3fb631e0e'),
  ('function', 'public.decline_invitations(uuid, uuid)', 'db72c1d9f4fd'),
  ('function', 'public.delete_saved_search(uuid, uuid, uuid)', '961efdc0aa5c'),
  ('function', 'public.delete_webhook(uuid, uuid, uuid)', 'fc4ecb67cb8a'),
  ('function', 'public.fan_out_events(integer)', 'e67e3a1161b1'),
  ('function', 'public.fan_out_to(uuid, uuid[])', '000c40b94e3d'),
  ('function', 'public.finish_deliveries(jsonb)', 'f3cdab536a64'),
  ('function', 'public.finish_digest(uuid, timestamp with time zone, integer, text)', '6a23e37db262'),
  ('function', 'public.finish_embeddings(text, timestamp with time zone, jsonb, jsonb)', 'ddcd7c65f96b'),
  ('function', 'public.finish_fan_out(uuid[])', '58571c71550c'),
  ('function', 'public.get_account(uuid, uuid)', '50e0502fb30b'),
  ('function', 'public.get_account_request(uuid, uuid, text)', 'a155f165bfd0'),
  ('function', 'public.get_account_usage(uuid, uuid, date, date, uuid, text[])', '3489a54cce86'),
  ('function', 'public.get_changes(text, text, uuid, integer, bigint)', '78737ffe57ef'),
  ('function', 'public.get_contract(text, uuid, jsonb)', 'b7fbea420430'),
  ('function', 'public.get_funder(text, uuid, jsonb)', 'c2c0d80a7214'),
  ('function', 'public.get_funder_statistics(text, uuid)', 'bda1d90fdfb9'),
  ('function', 'public.get_grant(text, uuid, jsonb)', 'a359beee562c'),
  ('function', 'public.get_latest_records(uuid, uuid, timestamp with time zone)', 'f1dbe3512292'),
  ('function', 'public.get_metrics()', '3a53ad198f54'),
  ('function', 'public.get_organization(text, uuid, timestamp with time zone)', 'b4df20e8b818'),
  ('function', 'public.get_readiness()', 'c5ff78fa0f72'),
  ('function', 'public.get_saved_search(uuid, uuid, uuid)', 'bcf50aa34385'),
  ('function', 'public.get_schema_faults()', '5381c8cf4e88'),
  ('function', 'public.get_webhook(uuid, uuid, uuid)', 'dffd9128e0ef'),
  ('function', 'public.get_webhook_delivery(uuid, uuid, uuid, uuid)', '94ee6043c3d8'),
  ('function', 'public.identify_key(text)', '11405af067e2'),
  ('function', 'public.issue_saved_search_address(uuid, uuid, uuid, text)', '8dffeaa71868'),
  ('function', 'public.limit_account_key(uuid, uuid, uuid, jsonb)', 'dbe07be47af7'),
  ('function', 'public.list_account_keys(uuid, uuid)', 'b26f72fe0f4d'),
  ('function', 'public.list_account_requests(uuid, uuid, jsonb)', 'c6dcc2fe7b4d'),
  ('function', 'public.list_addresses(text, text, text)', '6f8d84de98b9'),
  ('function', 'public.list_audit_log(uuid, uuid, jsonb)', 'bcd5f5490d86'),
  ('function', 'public.list_awards(text, uuid, jsonb)', '31a0b1dedb19'),
  ('function', 'public.list_contracts(text, jsonb, jsonb, text, text)', '9445a676a626'),
  ('function', 'public.list_funders(text, jsonb, jsonb, text, text)', 'a0c3635c10bd'),
  ('function', 'public.list_grants(text, jsonb, jsonb, text, text)', 'fa5e5274eea4'),
  ('function', 'public.list_invitations(uuid, uuid)', 'cb99fddf2399'),
  ('function', 'public.list_members(uuid, uuid)', 'afdfc46c9568'),
  ('function', 'public.list_memberships(uuid, uuid, jsonb)', 'e2f7e83694ae'),
  ('function', 'public.list_offered_customers(uuid, uuid)', 'ccc3c2a952a8'),
  ('function', 'public.list_overdue_tables()', '3ef042c7b7bb'),
  ('function', 'public.list_saved_searches(uuid, uuid)', '71a708423c6e'),
  ('function', 'public.list_snapshots(text, text, text)', '24352259b880'),
  ('function', 'public.list_tiers(uuid, uuid)', '73be7fa05c4a'),
  ('function', 'public.list_webhook_deliveries(uuid, uuid, uuid, jsonb)', 'a144e5cb4adf'),
  ('function', 'public.list_webhooks(uuid, uuid)', '5548e16143b4'),
  ('function', 'public.mark_saved_search_seen(uuid, uuid, uuid, timestamp with time zone)', '7043cc5cfd49'),
  ('function', 'public.next_deadlines()', '6d3a82c1faa6'),
  ('function', 'public.next_digest()', 'd25c767451d8'),
  ('function', 'public.next_recovery()', 'd24b014969d9'),
  ('function', 'public.pending_fan_out(integer)', '841ad55b8236'),
  ('function', 'public.prepare_checkout(uuid, uuid, text)', '16a0bc9ff94f'),
  ('function', 'public.prepare_portal(uuid, uuid)', 'e755f90e84ac'),
  ('function', 'public.preview_webhook(uuid, uuid, jsonb)', 'a04314ab7fa8'),
  ('function', 'public.prune_table(text, integer)', '3d78f9a3699e'),
  ('function', 'public.read_data(text, text)', 'd89b9cf8336d'),
  ('function', 'public.read_saved_search(text, text, text[], timestamp with time zone)', 'cb6042cf6856'),
  ('function', 'public.record_billing_event(jsonb)', 'f185b8e6644c'),
  ('function', 'public.record_usage(jsonb, uuid, bigint)', 'c5690f81ba04'),
  ('function', 'public.recover_webhook(uuid, uuid, uuid, timestamp with time zone, timestamp with time zone)', '6da0e4c1c652'),
  ('function', 'public.remove_member(uuid, uuid, uuid)', '7388302d96e0'),
  ('function', 'public.report_endpoint_failure(uuid, text, text)', '0487cf5128c9'),
  ('function', 'public.report_fan_out_failure(uuid[], uuid[], integer, text)', '589e55ce77c2'),
  ('function', 'public.resend_webhook_delivery(uuid, uuid, uuid, uuid)', '015e29b7375b'),
  ('function', 'public.revoke_account_key(uuid, uuid, uuid)', 'a22392f4a8d5'),
  ('function', 'public.revoke_saved_search_address(uuid, uuid, uuid)', 'c7b715469eb3'),
  ('function', 'public.rotate_account_key(uuid, uuid, uuid, text, text, double precision)', 'ad609befe8b8'),
  ('function', 'public.rotate_webhook_secret(uuid, uuid, uuid, text, integer)', 'ffdcf03735c3'),
  ('function', 'public.seal_records(integer, integer)', 'c6cfed34d372'),
  ('function', 'public.semantic_search(text, text, text[], integer, jsonb, uuid, boolean, boolean)', '920a8943994a'),
  ('function', 'public.send_test_event(uuid, uuid, uuid, text, json, json, json)', '6ec115b302ab'),
  ('function', 'public.suggest(text, text, text[], integer)', '8ffaa33c3acb'),
  ('function', 'public.unsubscribe_digest(text)', '23d3ce763461'),
  ('function', 'public.update_account(uuid, uuid, jsonb)', 'a12349761b09'),
  ('function', 'public.update_member(uuid, uuid, uuid, jsonb)', '922620158f58'),
  ('function', 'public.update_saved_search(uuid, uuid, uuid, jsonb)', 'af70949abbc5'),
  ('function', 'public.update_webhook(uuid, uuid, uuid, jsonb)', '99d505436353'),
  ('function', 'public.withdraw_invitation(uuid, uuid, uuid)', '5dcdc2298632'),
  ('function', 'public.withdraw_request(text, date)', 'f54d2d69963b'),
  ('function', 'public.write_once(uuid, uuid, text, text, text, json, text)', '86478a31ee76'),
  ('index', 'funding.account_writes_pkey', '537c4edddb96'),
  ('index', 'funding.accounts_auth_user_unique', 'f34d04f2b87a'),
  ('index', 'funding.accounts_email_unique', 'f9f8afed235e'),
  ('index', 'funding.accounts_pkey', '6a7276ce8959'),
  ('index', 'funding.agency_abbreviations_pkey', 'b871030ea077'),
  ('index', 'funding.api_keys_account', 'ae4730fd757f'),
  ('index', 'funding.api_keys_hash_unique', 'ce8c7ff6cba0'),
  ('index', 'funding.api_keys_pkey', '6fd0e5a2eb6a'),
  ('index', 'funding.api_keys_rotated_from', '81ada276bf42'),
  ('index', 'funding.audit_log_at', '98c3d2a48040'),
  ('index', 'funding.audit_log_pkey', 'efabcf0f0bcf'),
  ('index', 'funding.bitmaps_pkey', '52f789340230'),
  ('index', 'funding.blocks_pkey', '087cff3ece93'),
  ('index', 'funding.contracts_amount_max_ascending', '54cd8e99af8a'),
  ('index', 'funding.contracts_amount_max_descending', '61b0adb8e73b'),
  ('index', 'funding.contracts_amount_min_ascending', '1ef1aa3face5'),
  ('index', 'funding.contracts_amount_min_descending', '59f98f3e2c5e'),
  ('index', 'funding.contracts_categories', '3ce1df066089'),
  ('index', 'funding.contracts_closing', '41895c29fc68'),
  ('index', 'funding.contracts_created_at', '7518e9dbbbb0'),
  ('index', 'funding.contracts_deadline_ascending', 'd4f628dfaa8e'),
  ('index', 'funding.contracts_deadline_descending', '36da46addb36'),
  ('index', 'funding.contracts_deadline_listed', '9e5a1fa10d03'),
  ('index', 'funding.contracts_detail_keys', 'e6b598da5c54'),
  ('index', 'funding.contracts_first_seen_at', '2e15aa962e50'),
  ('index', 'funding.contracts_funder', 'b0bbfacd2c0d'),
  ('index', 'funding.contracts_geography', '8f77070474e7'),
  ('index', 'funding.contracts_identifier_forms', '5206c8795802'),
  ('index', 'funding.contracts_lexemes', 'cbdbe1e02999'),
  ('index', 'funding.contracts_listed', '9b074222025d'),
  ('index', 'funding.contracts_naics', '7ef57488a22f'),
  ('index', 'funding.contracts_national', 'f17b3e9ceeec'),
  ('index', 'funding.contracts_pkey', 'afe67cd4509c'),
  ('index', 'funding.contracts_planned', 'a25f821bccb0'),
  ('index', 'funding.contracts_set_aside', '3064bf613877'),
  ('index', 'funding.contracts_slot', 'f1f5713c86f1'),
  ('index', 'funding.contracts_source_unique', 'a8409966d5e5'),
  ('index', 'funding.contracts_states', '3449f29714d1'),
  ('index', 'funding.contracts_status', '81e8baa00150'),
  ('index', 'funding.contracts_superseded_by', 'daf54b94eb73'),
  ('index', 'funding.contracts_title', '7ac1d189fa80'),
  ('index', 'funding.contracts_unposted', '25d79aaa3dc9'),
  ('index', 'funding.contracts_updated_at', '0646654c554b'),
  ('index', 'funding.contracts_vectors_0_pkey', '25f445063404'),
  ('index', 'funding.contracts_vectors_1_pkey', '4dfa7de86202'),
  ('index', 'funding.contracts_version_key', '3f51f039700d'),
  ('index', 'funding.daily_key_quota_day', 'f6b93ee7f379'),
  ('index', 'funding.daily_key_quota_pkey', '5fc8e3e5a912'),
  ('index', 'funding.daily_quota_day', '080b3470aee9'),
  ('index', 'funding.daily_quota_pkey', 'f7dc886c31f5'),
  ('index', 'funding.data_versions_pkey', '5dea2260afb6'),
  ('index', 'funding.deadline_notices_noted_at', '20089c2de1f3'),
  ('index', 'funding.deadline_notices_pkey', '2034860d5cde'),
  ('index', 'funding.digest_mails_created_at', 'dfaf3c537263'),
  ('index', 'funding.digest_mails_open', 'd5ad920a407a'),
  ('index', 'funding.digest_mails_pkey', 'afb2bdc6f4e7'),
  ('index', 'funding.digest_mails_result_at', '6255c18304ec'),
  ('index', 'funding.digest_mails_token_unique', 'e46d21655cdb'),
  ('index', 'funding.digests_next_at', '9c5ff82c75ca'),
  ('index', 'funding.digests_pkey', '678d67bba09a'),
  ('index', 'funding.dispatch_clock_pkey', 'ccc735808817'),
  ('index', 'funding.document_renewals_pkey', '6d31c040d163'),
  ('index', 'funding.embedding_queue_oldest', '054357195eb0'),
  ('index', 'funding.embedding_queue_pkey', '54eaade40975'),
  ('index', 'funding.embedding_queue_refused', '9693cc68875e'),
  ('index', 'funding.embedding_queue_waiting', 'ed413a79632b'),
  ('index', 'funding.embedding_state_pkey', 'a8b5bfa8b0ec'),
  ('index', 'funding.events_created_at', '8115d2a32125'),
  ('index', 'funding.events_endpoint', 'f2dd9d65d85d'),
  ('index', 'funding.events_pending', 'bcf077d7d229'),
  ('index', 'funding.events_pkey', '3ccaeeccef36'),
  ('index', 'funding.events_undeliverable', '9a0b754480c1'),
  ('index', 'funding.full_lists_pkey', '16d48b85479e'),
  ('index', 'funding.funder_codes_pkey', '517f9fb154d7'),
  ('index', 'funding.funder_locks_pkey', '7219d1a6442c'),
  ('index', 'funding.funder_names_hash', 'c20641c8611c'),
  ('index', 'funding.funder_names_pkey', 'f46c4d3a6311'),
  ('index', 'funding.funder_statistics_due_funder', '5568c71fa85f'),
  ('index', 'funding.funder_statistics_due_pkey', '8f950ad11225'),
  ('index', 'funding.funder_statistics_pkey', 'a023d6953f33'),
  ('index', 'funding.funders_created_at', '69060ec54518'),
  ('index', 'funding.funders_first_seen_at', 'a19532f6dfed'),
  ('index', 'funding.funders_identifier_forms', '7e101a7d8abf'),
  ('index', 'funding.funders_lexemes', '801e30635ea4'),
  ('index', 'funding.funders_name', 'e235e7ea0c7a'),
  ('index', 'funding.funders_pkey', 'b027e410916b'),
  ('index', 'funding.funders_slot', '228e7625d7f3'),
  ('index', 'funding.funders_source_unique', 'fa5e53736c8f'),
  ('index', 'funding.funders_unposted', '17a7b880316b'),
  ('index', 'funding.funders_updated_at', '29eeb082f610'),
  ('index', 'funding.funders_vectors_0_pkey', '962f8e311aaa'),
  ('index', 'funding.funders_vectors_1_pkey', '00ae6bfb84da'),
  ('index', 'funding.grants_amount_max_ascending', 'c04103e3197a'),
  ('index', 'funding.grants_amount_max_descending', 'e681314dfecd'),
  ('index', 'funding.grants_amount_min_ascending', 'f3798037db04'),
  ('index', 'funding.grants_amount_min_descending', '42c4d677d601'),
  ('index', 'funding.grants_categories', '82776cfce90f'),
  ('index', 'funding.grants_closing', '7ad8dd243dc2'),
  ('index', 'funding.grants_created_at', 'efae938d09b6'),
  ('index', 'funding.grants_deadline_ascending', '5d1cdd401b1e'),
  ('index', 'funding.grants_deadline_descending', 'b1627190e6b9'),
  ('index', 'funding.grants_deadline_listed', '508df1837cc9'),
  ('index', 'funding.grants_detail_keys', '62c4c732e61f'),
  ('index', 'funding.grants_first_seen_at', 'f8440d365930'),
  ('index', 'funding.grants_funder', 'bc350bb3fb96'),
  ('index', 'funding.grants_geography', '21df3ec8aa6a'),
  ('index', 'funding.grants_identifier_forms', 'd2a4cf34f262'),
  ('index', 'funding.grants_lexemes', '95a3a7d6c691'),
  ('index', 'funding.grants_listed', '2e5382c4714d'),
  ('index', 'funding.grants_national', '8e1818a2d1f5'),
  ('index', 'funding.grants_number_keys', '8b60c7a32be5'),
  ('index', 'funding.grants_opportunity_number', '82736b1dbd4c'),
  ('index', 'funding.grants_pkey', 'b89c14831ddd'),
  ('index', 'funding.grants_planned', '217fe48d8c36'),
  ('index', 'funding.grants_slot', '6461306217f3'),
  ('index', 'funding.grants_source_unique', 'fe8722de6c0f'),
  ('index', 'funding.grants_states', '35d359807fe4'),
  ('index', 'funding.grants_status', '2948d3b1dde1'),
  ('index', 'funding.grants_superseded_by', 'f043d6bee861'),
  ('index', 'funding.grants_title', '022f6bc6253e'),
  ('index', 'funding.grants_unposted', 'c15678e9f966'),
  ('index', 'funding.grants_updated_at', '66c97a396e85'),
  ('index', 'funding.grants_vectors_0_pkey', 'deb76843a081'),
  ('index', 'funding.grants_vectors_1_pkey', '16cf57cce0df'),
  ('index', 'funding.grants_version_key', 'c13e175375e5'),
  ('index', 'funding.idempotency_keys_created_at', '9207b031b85c'),
  ('index', 'funding.idempotency_keys_pkey', '9b1645bb0a63'),
  ('index', 'funding.import_cursors_pkey', '3384b4d38437'),
  ('index', 'funding.imports_of_contracts', 'b9fd779511c9'),
  ('index', 'funding.imports_of_funders', '2d7a6e5b0ae3'),
  ('index', 'funding.imports_of_grants', '5987e118ffcd'),
  ('index', 'funding.imports_pkey', 'b2726fd305db'),
  ('index', 'funding.imports_source', '3032edb8ea40'),
  ('index', 'funding.invitations_created', 'ed2999c1f81f'),
  ('index', 'funding.invitations_email', 'a4b84d31df2c'),
  ('index', 'funding.invitations_once', 'f4917e35ac56'),
  ('index', 'funding.invitations_pkey', '97e199d03858'),
  ('index', 'funding.lexicon_fit_pkey', '40d83005199d'),
  ('index', 'funding.lexicon_pkey', 'b1a919bfc509'),
  ('index', 'funding.lexicon_term_trigrams', '7988f6453567'),
  ('index', 'funding.links_pkey', '913ddac09956'),
  ('index', 'funding.members_once', '03c76eba686b'),
  ('index', 'funding.members_pkey', 'ae7a4ec4f5c8'),
  ('index', 'funding.members_user', '238c83b65a99'),
  ('index', 'funding.next_embeddings_kept_since', '8e97aa94d715'),
  ('index', 'funding.next_embeddings_pkey', '34c281e65c8d'),
  ('index', 'funding.next_fit_pkey', '18c6512fb0f3'),
  ('index', 'funding.offered_customers_account', 'db34375a4d55'),
  ('index', 'funding.offered_customers_customer', '3a20edfade83'),
  ('index', 'funding.offered_customers_pkey', 'd6654a471cf1'),
  ('index', 'funding.pages_pkey', 'dc548cd15973'),
  ('index', 'funding.postings_pkey', '24878dd57358'),
  ('index', 'funding.query_embeddings_pkey', '35c8887396dc'),
  ('index', 'funding.query_embeddings_used_on', '787ef83d8b55'),
  ('index', 'funding.ranks_pkey', '9b5f8617fcbc'),
  ('index', 'funding.record_aliases_pkey', '1e3a3eafd69e'),
  ('index', 'funding.record_aliases_record', '1514273b8481'),
  ('index', 'funding.record_changes_changed_at', '7bbf3309eb61'),
  ('index', 'funding.record_changes_pkey', '7b84ebefa125'),
  ('index', 'funding.record_changes_record', '09641ccd76d3'),
  ('index', 'funding.replication_heartbeat_pkey', 'd033df14e10c'),
  ('index', 'funding.request_log_at', 'ab0ae8d27073'),
  ('index', 'funding.request_log_counts_pkey', '9a94739b5b30'),
  ('index', 'funding.request_log_pkey', '3cb5736301af'),
  ('index', 'funding.request_log_request_id', 'b5bcd890f5a1'),
  ('index', 'funding.retired_slots_pkey', '296c2ba0e4ba'),
  ('index', 'funding.saved_searches_account', '343c24f10f9e'),
  ('index', 'funding.saved_searches_address_unique', 'c67d82558f1e'),
  ('index', 'funding.saved_searches_pkey', '842ff8978b3f'),
  ('index', 'funding.schema_objects_pkey', 'ee5219288c10'),
  ('index', 'funding.segment_slices_pkey', '4d4e70f8806f'),
  ('index', 'funding.segment_values_pkey', '7fff7a1b64ee'),
  ('index', 'funding.set_aside_names_pkey', '2c5a6021dfdb'),
  ('index', 'funding.settings_pkey', 'be11afb7f2a7'),
  ('index', 'funding.sightings_pkey', '51fdd8cc2936'),
  ('index', 'funding.slot_marks_pkey', '53dc3c1b188f'),
  ('index', 'funding.snapshots_pkey', '699221504a5b'),
  ('index', 'funding.source_time_zones_pkey', '76d5e45c24ab'),
  ('index', 'funding.stripe_customers_account', 'f3e6f6465d98'),
  ('index', 'funding.stripe_customers_pkey', 'dbd0250db68f'),
  ('index', 'funding.stripe_events_pkey', 'c48844f75f5b'),
  ('index', 'funding.stripe_events_received', '4249e57174e7'),
  ('index', 'funding.stripe_subscriptions_customer', '135499a771d8'),
  ('index', 'funding.stripe_subscriptions_pkey', '31d6539e7fbe'),
  ('index', 'funding.subscriptions_pkey', '88f1054a3465'),
  ('index', 'funding.subscriptions_tier', '1f2e77330d14'),
  ('index', 'funding.suggestion_parts_pkey', '7fdbefae58b9'),
  ('index', 'funding.suggestion_progress_pkey', '5395ac80c686'),
  ('index', 'funding.suggestion_renewal_pkey', 'eca783c6c26d'),
  ('index', 'funding.suggestion_words_pkey', '71ea37d3430d'),
  ('index', 'funding.suggestions_pkey', '733be4e367f1'),
  ('index', 'funding.suggestions_weight', 'e69fba1007a9'),
  ('index', 'funding.suggestions_words', '9c127b9286a0'),
  ('index', 'funding.synonyms_pkey', '3a9f4bcbafbe'),
  ('index', 'funding.synonyms_term', '0bddfe72cc74'),
  ('index', 'funding.tier_prices_pkey', 'cdf7d2c81af7'),
  ('index', 'funding.tier_prices_tier', '225458a649b1'),
  ('index', 'funding.tiers_pkey', '332f3c0168f3'),
  ('index', 'funding.usage_day', '2e56ab2a065d'),
  ('index', 'funding.usage_hours_hour', '72a667d0af7b'),
  ('index', 'funding.usage_hours_pkey', '8ad5c0384c45'),
  ('index', 'funding.usage_months_pkey', 'd0578b26ad52'),
  ('index', 'funding.usage_pkey', '15aca8540d2f'),
  ('index', 'funding.usage_totals_pkey', '03b6d81b7300'),
  ('index', 'funding.usage_writers_created_at', '88a9d6d5c15f'),
  ('index', 'funding.usage_writers_pkey', '50137d26fbe7'),
  ('index', 'funding.version_links_due_key', '281f8f5a0319'),
  ('index', 'funding.version_links_due_pkey', 'b6176da52128'),
  ('index', 'funding.webhook_attempt_totals_pkey', '3e9cc5c56b54'),
  ('index', 'funding.webhook_attempts_pkey', 'd0af6762b51c'),
  ('index', 'funding.webhook_deliveries_claimed', 'e263df7e83cb'),
  ('index', 'funding.webhook_deliveries_due', 'afc1ce086b73'),
  ('index', 'funding.webhook_deliveries_event', '0faed0905c9f'),
  ('index', 'funding.webhook_deliveries_log', 'de2142f7aa8c'),
  ('index', 'funding.webhook_deliveries_pkey', 'd451fe8bf4ef'),
  ('index', 'funding.webhook_deliveries_unsettled', 'c382a4849661'),
  ('index', 'funding.webhook_endpoints_account', 'e01b0031809d'),
  ('index', 'funding.webhook_endpoints_pkey', '16e3c7be9f78'),
  ('index', 'funding.webhook_former_secrets_endpoint', 'e758c46f6a92'),
  ('index', 'funding.webhook_former_secrets_pkey', '94c4089f300a'),
  ('index', 'funding.webhook_recoveries_endpoint', '98f8b2114923'),
  ('index', 'funding.webhook_recoveries_pkey', 'e3b4875734c4'),
  ('sequence', 'funding.audit_log_id_seq', '8fa14cdd754f'),
  ('sequence', 'funding.change_moments', '8fa14cdd754f'),
  ('sequence', 'funding.contracts_slots', '8fa14cdd754f'),
  ('sequence', 'funding.funder_name_order', '8fa14cdd754f'),
  ('sequence', 'funding.funder_statistics_due_id_seq', '8fa14cdd754f'),
  ('sequence', 'funding.funders_slots', '8fa14cdd754f'),
  ('sequence', 'funding.grants_slots', '8fa14cdd754f'),
  ('sequence', 'funding.imports_id_seq', '8fa14cdd754f'),
  ('sequence', 'funding.record_changes_id_seq', '8fa14cdd754f'),
  ('sequence', 'funding.request_log_id_seq', '8fa14cdd754f'),
  ('sequence', 'funding.version_links_due_id_seq', '8fa14cdd754f'),
  ('sequence', 'funding.webhook_former_secrets_id_seq', '8fa14cdd754f'),
  ('sequence', 'funding.webhook_recoveries_id_seq', '8fa14cdd754f'),
  ('table', 'funding.account_writes', '8b24416487f7'),
  ('table', 'funding.accounts', '672c743d5b9a'),
  ('table', 'funding.agency_abbreviations', 'b4376ce968a7'),
  ('table', 'funding.api_keys', '16cb581e5468'),
  ('table', 'funding.audit_log', 'a72d5f6ea025'),
  ('table', 'funding.bitmaps', '8a67b7a5d47c'),
  ('table', 'funding.blocks', '4536272aea47'),
  ('table', 'funding.contracts', '72185961eeb6'),
  ('table', 'funding.contracts_vectors_0', 'c53be5a29cb9'),
  ('table', 'funding.contracts_vectors_1', 'c53be5a29cb9'),
  ('table', 'funding.daily_key_quota', '628f042b23c0'),
  ('table', 'funding.daily_quota', 'b1e49bef23b5'),
  ('table', 'funding.data_versions', '98d6896a8a7c'),
  ('table', 'funding.deadline_notices', 'f5e6101000c3'),
  ('table', 'funding.digest_mails', '86d65fff2348'),
  ('table', 'funding.digests', '8a3a03366bca'),
  ('table', 'funding.dispatch_clock', 'aa4eb3651a2e'),
  ('table', 'funding.document_renewals', '2d711204aa0f'),
  ('table', 'funding.embedding_queue', '14a7e586860e'),
  ('table', 'funding.embedding_state', 'a799a648aefd'),
  ('table', 'funding.events', '8ca02285cc70'),
  ('table', 'funding.full_lists', 'b709041d1ed1'),
  ('table', 'funding.funder_codes', 'f196c6b85e63'),
  ('table', 'funding.funder_locks', '644fc091b4d3'),
  ('table', 'funding.funder_names', '61a7cbb123b8'),
  ('table', 'funding.funder_statistics', 'b71b6a34e960'),
  ('table', 'funding.funder_statistics_due', '89ef93b0adf3'),
  ('table', 'funding.funders', 'e5e6eff1d6ad'),
  ('table', 'funding.funders_vectors_0', 'c53be5a29cb9'),
  ('table', 'funding.funders_vectors_1', 'c53be5a29cb9'),
  ('table', 'funding.grants', 'e57f1cc829ce'),
  ('table', 'funding.grants_vectors_0', 'c53be5a29cb9'),
  ('table', 'funding.grants_vectors_1', 'c53be5a29cb9'),
  ('table', 'funding.idempotency_keys', 'd90f4708910f'),
  ('table', 'funding.import_cursors', 'b6c373af4abb'),
  ('table', 'funding.imports', 'ae22141cad6e'),
  ('table', 'funding.invitations', 'e5f1a6d73537'),
  ('table', 'funding.lexicon', 'e233b669cc28'),
  ('table', 'funding.lexicon_fit', '826fec79ffa7'),
  ('table', 'funding.links', '47c72eb5e4ae'),
  ('table', 'funding.members', 'ce3be37c63e1'),
  ('table', 'funding.next_embeddings', '5058c93d0e29'),
  ('table', 'funding.next_fit', '6aca9e30c6f0'),
  ('table', 'funding.offered_customers', 'd0c1b0a5ea23'),
  ('table', 'funding.pages', 'f5f2a8ea0ede'),
  ('table', 'funding.postings', '7f13e62e8269'),
  ('table', 'funding.query_embeddings', '4caa2ebbd945'),
  ('table', 'funding.ranks', '05bd783fce25'),
  ('table', 'funding.record_aliases', '54d43ecbf722'),
  ('table', 'funding.record_changes', '2c8aed1a2049'),
  ('table', 'funding.replication_heartbeat', '6a49f0b5fb4d'),
  ('table', 'funding.request_log', 'c21646dcfc2c'),
  ('table', 'funding.request_log_counts', '46c6e7dbe241'),
  ('table', 'funding.retired_slots', '6ecad1230b43'),
  ('table', 'funding.saved_searches', '37e52b3ab0b5'),
  ('table', 'funding.schema_objects', '2a602ec4cdcb'),
  ('table', 'funding.segment_slices', '13d351355c7b'),
  ('table', 'funding.segment_values', '65a84b09b9e2'),
  ('table', 'funding.set_aside_names', '99bfd86164c3'),
  ('table', 'funding.settings', 'a51bf5d0b567'),
  ('table', 'funding.sightings', 'd42cc4fa0171'),
  ('table', 'funding.slot_marks', 'eac8009ac34f'),
  ('table', 'funding.snapshots', 'be2148088a8e'),
  ('table', 'funding.source_time_zones', 'f4dcc6daaff8'),
  ('table', 'funding.stripe_customers', 'f9ced61b5cab'),
  ('table', 'funding.stripe_events', 'fa5fcf75be93'),
  ('table', 'funding.stripe_subscriptions', '8a13f2108e20'),
  ('table', 'funding.subscriptions', '7f2ef79d0b18'),
  ('table', 'funding.suggestion_parts', '93ddbd02daaa'),
  ('table', 'funding.suggestion_progress', '1f4ed15b6dd3'),
  ('table', 'funding.suggestion_renewal', '51bf69d9fc86'),
  ('table', 'funding.suggestion_words', 'fee8d73fd94b'),
  ('table', 'funding.suggestions', 'd5a1864d89e5'),
  ('table', 'funding.synonyms', '05ca24c81871'),
  ('table', 'funding.tier_prices', '793ba7df42b6'),
  ('table', 'funding.tiers', '9823679e1bfc'),
  ('table', 'funding.usage', '7b9c46606d23'),
  ('table', 'funding.usage_hours', '501dbd2b3dea'),
  ('table', 'funding.usage_months', 'f27f126753df'),
  ('table', 'funding.usage_totals', '1c704c658a86'),
  ('table', 'funding.usage_writers', '4993308d2ae8'),
  ('table', 'funding.version_links_due', 'ee4663d9adfb'),
  ('table', 'funding.webhook_attempt_totals', 'b6e0380c883c'),
  ('table', 'funding.webhook_attempts', '51ba62fe1243'),
  ('table', 'funding.webhook_deliveries', '34f2f9075519'),
  ('table', 'funding.webhook_endpoints', '347d6526f68b'),
  ('table', 'funding.webhook_former_secrets', 'ef6cd195c45f'),
  ('table', 'funding.webhook_recoveries', 'f261f310f428'),
  ('trigger', 'funding.accounts.accounts_audit_created', '0b633e28a84d'),
  ('trigger', 'funding.accounts.accounts_audit_deleted', 'b30cc78a85f5'),
  ('trigger', 'funding.accounts.accounts_audit_updated', '6b0559d57642'),
  ('trigger', 'funding.accounts.accounts_member_created', 'a295265e5240'),
  ('trigger', 'funding.accounts.accounts_member_updated', '8be8df119e01'),
  ('trigger', 'funding.agency_abbreviations.agency_abbreviations_changed', 'c4bf1f798aa0'),
  ('trigger', 'funding.api_keys.api_keys_audit_created', '16837c61a19d'),
  ('trigger', 'funding.api_keys.api_keys_audit_deleted', 'c834989bc91e'),
  ('trigger', 'funding.api_keys.api_keys_audit_updated', '8f352e8a7e20'),
  ('trigger', 'funding.contracts.contracts_changed', 'cbd01cea9ded'),
  ('trigger', 'funding.contracts.contracts_created', '3058f7b2060c'),
  ('trigger', 'funding.contracts.contracts_details_updated', 'c6ef1bd3d3a6'),
  ('trigger', 'funding.contracts.contracts_drop_bitmaps', 'ecc69cbf2e04'),
  ('trigger', 'funding.contracts.contracts_embedding_of_changed', 'fc7d1a4af43d'),
  ('trigger', 'funding.contracts.contracts_embedding_of_deleted', '464ab0d756db'),
  ('trigger', 'funding.contracts.contracts_embedding_of_new', '0df9d26a4a7e'),
  ('trigger', 'funding.contracts.contracts_index_insert', 'dba4e5378a08'),
  ('trigger', 'funding.contracts.contracts_index_update', '0d28a867e23b'),
  ('trigger', 'funding.contracts.contracts_new_slot', '66a2d22db80c'),
  ('trigger', 'funding.contracts.contracts_retire_slot', 'd0ea8f2a5327'),
  ('trigger', 'funding.contracts.contracts_retire_slot_of_deleted', 'ca09053532b3'),
  ('trigger', 'funding.contracts.contracts_statistics_delete', '8ccf3a9a2f18'),
  ('trigger', 'funding.contracts.contracts_statistics_insert', '53eaedff9747'),
  ('trigger', 'funding.contracts.contracts_statistics_update', 'b5b6c1fd1bdb'),
  ('trigger', 'funding.contracts.contracts_take_slot', '55ad418a72e3'),
  ('trigger', 'funding.contracts.contracts_updated', 'e7fdb1e7c3ef'),
  ('trigger', 'funding.contracts.contracts_vector', '4b696da9526d'),
  ('trigger', 'funding.contracts.contracts_vector_of_changed', 'b5dffc968f1a'),
  ('trigger', 'funding.contracts.contracts_vector_of_deleted', '8a1fd4c61646'),
  ('trigger', 'funding.contracts.contracts_version', '42672806cea5'),
  ('trigger', 'funding.digests.digests_audit_created', '87099fa88674'),
  ('trigger', 'funding.digests.digests_audit_deleted', 'ad5914a90889'),
  ('trigger', 'funding.digests.digests_audit_updated', 'ea52310cce0a'),
  ('trigger', 'funding.funders.funders_changed', '70ba292a3663'),
  ('trigger', 'funding.funders.funders_created', '2020f389ce84'),
  ('trigger', 'funding.funders.funders_drop_bitmaps', '30b1fe3a8b3b'),
  ('trigger', 'funding.funders.funders_embedding_of_changed', '4a549c8f9131'),
  ('trigger', 'funding.funders.funders_embedding_of_deleted', 'b37e3c2591c0'),
  ('trigger', 'funding.funders.funders_embedding_of_new', 'e8d5a12cbf84'),
  ('trigger', 'funding.funders.funders_index_insert', '9707c846b406'),
  ('trigger', 'funding.funders.funders_index_update', 'd3505e8428fb'),
  ('trigger', 'funding.funders.funders_names_delete', 'b73114a725d7'),
  ('trigger', 'funding.funders.funders_names_insert', 'f49924ab447f'),
  ('trigger', 'funding.funders.funders_names_truncate', '2049eb96e922'),
  ('trigger', 'funding.funders.funders_names_update', '1b309508fcc1'),
  ('trigger', 'funding.funders.funders_new_slot', '431dc2d09d85'),
  ('trigger', 'funding.funders.funders_retire_slot', 'b3c39aa98f0b'),
  ('trigger', 'funding.funders.funders_retire_slot_of_deleted', 'a9a14ebbccaf'),
  ('trigger', 'funding.funders.funders_take_slot', '947415def593'),
  ('trigger', 'funding.funders.funders_updated', '1c40cb942145'),
  ('trigger', 'funding.funders.funders_vector', 'ec05b6be9ac4'),
  ('trigger', 'funding.funders.funders_vector_of_changed', 'ac5f8c5e06f2'),
  ('trigger', 'funding.funders.funders_vector_of_deleted', 'daf4b4645024'),
  ('trigger', 'funding.grants.grants_changed', 'a63e0cd44087'),
  ('trigger', 'funding.grants.grants_created', '38be08563d38'),
  ('trigger', 'funding.grants.grants_details_updated', 'e22c1ddaade3'),
  ('trigger', 'funding.grants.grants_drop_bitmaps', '007ec82643b9'),
  ('trigger', 'funding.grants.grants_embedding_of_changed', '4d5a45aed9c2'),
  ('trigger', 'funding.grants.grants_embedding_of_deleted', '08c3cb0cb233'),
  ('trigger', 'funding.grants.grants_embedding_of_new', '2ff82b0883d0'),
  ('trigger', 'funding.grants.grants_index_insert', '35744429073b'),
  ('trigger', 'funding.grants.grants_index_update', '853de88b4c4d'),
  ('trigger', 'funding.grants.grants_new_slot', '39d51d6bdbe2'),
  ('trigger', 'funding.grants.grants_retire_slot', 'a2a5ecec9907'),
  ('trigger', 'funding.grants.grants_retire_slot_of_deleted', '3fad9bc2a004'),
  ('trigger', 'funding.grants.grants_statistics_delete', 'be08248f74e4'),
  ('trigger', 'funding.grants.grants_statistics_insert', '1b972d927d16'),
  ('trigger', 'funding.grants.grants_statistics_update', 'd35d3d9de98e'),
  ('trigger', 'funding.grants.grants_take_slot', '63311e524423'),
  ('trigger', 'funding.grants.grants_updated', '21ab09afa57a'),
  ('trigger', 'funding.grants.grants_vector', '7273c1c3d143'),
  ('trigger', 'funding.grants.grants_vector_of_changed', '6a62c9607623'),
  ('trigger', 'funding.grants.grants_vector_of_deleted', '13086161e610'),
  ('trigger', 'funding.grants.grants_version', '56da1deae48d'),
  ('trigger', 'funding.invitations.invitations_audit_created', '1816057f39ec'),
  ('trigger', 'funding.invitations.invitations_audit_deleted', 'abcd9d542b92'),
  ('trigger', 'funding.members.members_audit_created', '4dfbd460dd04'),
  ('trigger', 'funding.members.members_audit_deleted', '98a0021bc864'),
  ('trigger', 'funding.members.members_audit_updated', '15cca60378cf'),
  ('trigger', 'funding.members.members_released', 'b71c2c5ea13e'),
  ('trigger', 'funding.members.members_withdraw_invitations_of_former_owner', 'd787c271e196'),
  ('trigger', 'funding.members.members_withdraw_invitations_of_removed', '78f832f258c1'),
  ('trigger', 'funding.saved_searches.saved_searches_audit_created', 'ce9649438ffa'),
  ('trigger', 'funding.saved_searches.saved_searches_audit_deleted', '1fffccc9c58a'),
  ('trigger', 'funding.saved_searches.saved_searches_audit_updated', 'ae9516675beb'),
  ('trigger', 'funding.settings.settings_changed', '756654e29019'),
  ('trigger', 'funding.settings.settings_check', 'f9eab1ddcfbd'),
  ('trigger', 'funding.subscriptions.subscriptions_audit_created', '9cf29e2480e2'),
  ('trigger', 'funding.subscriptions.subscriptions_audit_deleted', 'cc9519795d94'),
  ('trigger', 'funding.subscriptions.subscriptions_audit_updated', '521d26d14e4c'),
  ('trigger', 'funding.synonyms.synonyms_changed', '2debf9f9ac86'),
  ('trigger', 'funding.webhook_endpoints.webhook_endpoints_audit_created', '195075ce060c'),
  ('trigger', 'funding.webhook_endpoints.webhook_endpoints_audit_deleted', '60220da3dd04'),
  ('trigger', 'funding.webhook_endpoints.webhook_endpoints_audit_updated', 'e9b1a78f72bc'),
  ('trigger', 'funding.webhook_recoveries.webhook_recoveries_audit_created', '90d3a668e87a'),
  ('type', 'funding.admission', '0954104cdc97'),
  ('type', 'funding.bitmap_condition', 'a2ec5280b1e1'),
  ('type', 'funding.bitmap_matches', '15ec8ca3ad3c'),
  ('type', 'funding.found_page', 'd0c7a9006a2c'),
  ('type', 'funding.list_order', '187f43b7534f'),
  ('type', 'funding.list_page', '3f6728be2a9c'),
  ('type', 'funding.list_request', 'f2c10536cfdc'),
  ('type', 'funding.listed_page', '9078246437fd'),
  ('type', 'funding.query_analysis', '60a145cd9b94'),
  ('type', 'funding.query_meaning', '51f1c0c0d24e'),
  ('type', 'funding.ranked_slots', '04885856bf4f'),
  ('type', 'funding.search_scope', '1c6d44f46418'),
  ('type', 'funding.segment', '6db7c11bc7e9'),
  ('type', 'funding.slot_bitmaps', '100505692474');
