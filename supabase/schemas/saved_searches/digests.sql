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
