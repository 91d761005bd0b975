-- Digests: when they are due, that each period has one mail at most, and what becomes of one that was not sent.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(68);

-- When a digest is due. Clocks of New York are put on at 02:00 on 14 March 2027, and back at 02:00 on 7 November.
create function pg_temp.due(frequency text, weekday integer, hour integer, time_zone text, after timestamptz, times integer) returns text[]
language plpgsql as $$
declare
  moments text[] := '{}';
begin
  for number in 1..times loop
    after := funding.next_digest_at(frequency, weekday, hour, time_zone, after);
    moments := moments || to_char(after at time zone 'UTC', 'MM-DD HH24:MI');
  end loop;
  return moments;
end
$$;
select is(pg_temp.due('daily', null, 8, 'America/New_York', '2027-03-13 00:00Z', 3), '{03-13 13:00,03-14 12:00,03-15 12:00}',
  'eight o''clock stays eight o''clock when clocks are put on');
select is(pg_temp.due('daily', null, 8, 'America/New_York', '2027-11-06 00:00Z', 3), '{11-06 12:00,11-07 13:00,11-08 13:00}', 'and back');
select is(pg_temp.due('daily', null, 2, 'America/New_York', '2027-03-13 00:00Z', 3), '{03-13 07:00,03-14 07:00,03-15 06:00}',
  'an hour that clocks skip is an hour later');
select is(pg_temp.due('daily', null, 1, 'America/New_York', '2027-11-06 00:00Z', 3), '{11-06 05:00,11-07 06:00,11-08 06:00}',
  'one that comes twice counts once');
select is(pg_temp.due('weekly', 7, 2, 'America/New_York', '2027-03-07 12:00Z', 2), '{03-14 07:00,03-21 06:00}', 'a weekly one on the day of a change');
select is(pg_temp.due('weekly', 1, 0, 'Pacific/Auckland', '2027-06-01 00:00Z', 2), '{06-06 12:00,06-13 12:00}', 'a weekday is one of the time zone');
select is(pg_temp.due('daily', null, 0, 'Pacific/Kiritimati', '2027-06-01 09:59Z', 2), '{06-01 10:00,06-02 10:00}', 'fourteen hours ahead');
select is(pg_temp.due('daily', null, 23, 'Pacific/Pago_Pago', '2027-06-01 10:00Z', 2), '{06-02 10:00,06-03 10:00}', 'eleven hours behind, after the moment itself');
select is(pg_temp.due('weekly', 3, 8, 'UTC', '2027-06-02 07:59:59Z', 2), '{06-02 08:00,06-09 08:00}', 'on the same day if it is still to come');
select is(pg_temp.due('daily', null, 12, 'Pacific/Apia', '2011-12-29 00:00Z', 3), '{12-29 22:00,12-30 22:00,12-31 22:00}',
  'a day that a time zone leaves out has none');
select is(funding.next_digest_at('weekly', null, 8, 'UTC', now()), null, 'a weekly one without its day is never due');

select is(pg_temp.due('daily', null, 8, 'Europe/Kelp', '2027-06-01 00:00Z', 1), '{06-01 08:00}', 'one in a time zone that is not known any more is due in UTC');

-- Times of changes follow the clock that is moved below. A sequence that is restarted here has its former value again after the rollback.
alter sequence funding.change_moments restart;
-- The server's clock and the dispatcher's show this moment.
create function pg_temp.at(moment timestamptz) returns void language plpgsql as $$
begin
  perform set_config('test.now', moment::text, true);
  update funding.dispatch_clock set wall = moment, dispatch_time = moment, bounded = moment;
end
$$;
create or replace function funding.wall_clock() returns timestamptz language sql volatile as $$ select coalesce(nullif(current_setting('test.now', true), '')::timestamptz, now()) $$;
-- In one transaction nothing would be settled.
create or replace function funding.settled_until() returns timestamptz language sql volatile as $$ select funding.wall_clock() $$;
do $$
begin
  if to_regclass('auth.users') is null then
    create schema if not exists auth;
    create table auth.users (id uuid primary key, email varchar(255), email_confirmed_at timestamptz, banned_until timestamptz,
      deleted_at timestamptz);
  end if;
end
$$;

-- Somebody who saved the search for kelp.
create function pg_temp.uuid(label text) returns uuid language sql immutable as $$ select md5(label)::uuid $$;
create function pg_temp.subscriber(label text) returns void language sql as $$
  insert into auth.users (id, email, email_confirmed_at) values (pg_temp.uuid(label), initcap(label) || '@digests.test', now());
  insert into funding.accounts (id, email, auth_user_id) values (pg_temp.uuid(label), label || '@digests.test', pg_temp.uuid(label));
  select funding.set_tier(label || '@digests.test', 'developer');
  insert into funding.saved_searches (id, account_id, name, dataset, query, filter_query, filter, seen_until)
  values (pg_temp.uuid(label), pg_temp.uuid(label), 'Kelp', 'grants', 'search=kelp', 'search=kelp', '{"search": "kelp"}', funding.wall_clock());
$$;
create function pg_temp.set_digest(label text, frequency text, weekday text default null, hour integer default 8, time_zone text default 'UTC') returns void
language sql as $$
  select funding.update_saved_search(pg_temp.uuid(label), pg_temp.uuid(label), jsonb_build_object('digest',
    jsonb_build_object('frequency', frequency, 'weekday', weekday, 'hour', hour, 'time_zone', time_zone)))
$$;
-- A record that comes at this moment.
create function pg_temp.record(title text, moment timestamptz) returns void language sql as $$
  select funding.upsert_records('grants', jsonb_build_array(jsonb_build_object('source', 'digests', 'source_id', title, 'title', title,
    'description', '', 'status', 'open', 'classification', 'opportunity', 'funder_name', 'Office of Kelp')));
  update funding.grants set first_seen_at = record.moment where source_id = record.title;
$$;
-- What a dispatcher is given: outcome, attempt and titles.
create function pg_temp.claim(label text) returns text language plpgsql as $$
declare
  claimed jsonb;
begin
  perform public.next_digest();
  claimed := public.claim_digest(pg_temp.uuid(label), md5(random()::text));
  return concat_ws(' ', claimed->>'outcome', claimed->>'attempt', claimed->>'count',
    (select string_agg(record->>'title', ', ') from jsonb_array_elements(claimed->'records') as record));
end
$$;
create function pg_temp.finish(label text, attempt integer, outcome text) returns text language sql as $$
  select public.finish_digest(pg_temp.uuid(label),
    (select max(due_at) from funding.digest_mails where saved_search_id = pg_temp.uuid(label)), attempt, outcome)->>'state'
$$;
create function pg_temp.chosen() returns text language plpgsql as $$
declare
  chosen_id constant uuid := public.next_digest()->>'saved_search_id';
begin
  return coalesce((select email from funding.accounts where id = chosen_id), 'none');
end
$$;

-- Others are not looked at, where this runs on a database in use.
delete from funding.digests;
delete from funding.digest_mails;

-- One mail for a period.
select pg_temp.at('2027-06-01 07:00Z');
select pg_temp.subscriber('ada');
select pg_temp.record('kelp before', '2027-06-01 06:00Z');
select pg_temp.set_digest('ada', 'daily');
select is(pg_temp.chosen(), 'none', 'before its moment a digest is not due');
select is(pg_temp.claim('ada'), 'none', 'and cannot be claimed');
select pg_temp.record('kelp one', '2027-06-01 07:10Z'), pg_temp.record('roads', '2027-06-01 07:11Z'), pg_temp.record('kelp two', '2027-06-01 07:12Z');
select pg_temp.at('2027-06-01 08:00Z');
select is(pg_temp.chosen(), 'ada@digests.test', 'at its moment it is');
select is(pg_temp.chosen(), 'none', 'a second dispatcher is given another, or none');
select is((public.claim_digest(pg_temp.uuid('ada'), 'first')::jsonb) - 'records', jsonb_build_object(
  'outcome', 'claimed', 'due_at', '2027-06-01T08:00:00.000Z', 'attempt', 1, 'recipient', 'ada@digests.test',
  'search', jsonb_build_object('id', pg_temp.uuid('ada'), 'name', 'Kelp', 'dataset', 'grants', 'query', 'search=kelp'),
  'frequency', 'daily', 'weekday', null, 'hour', 8, 'time_zone', 'UTC', 'count', 2, 'is_capped', false), 'its claim has all that a mail says');
select is(pg_temp.claim('ada'), 'none', 'it is claimed once');
select is(pg_temp.finish('ada', 1, 'sent'), 'sent', 'and sent');
select is(pg_temp.claim('ada'), 'none', 'and not again');
select is((select array[next_at, last_sent_at] from funding.digests), array[timestamptz '2027-06-02 08:00Z', '2027-06-01 08:00Z'], 'the next is due on the next day');
select pg_temp.record('kelp late', '2027-06-01 11:00Z');
select pg_temp.at('2027-06-01 12:00Z');
-- The clock was ahead for a moment, and is set back.
update funding.digests set next_at = '2027-07-30 08:00Z';
select public.next_digest();
select is((select next_at from funding.digests), timestamptz '2027-06-02 08:00Z', 'one that is further away than any can be is due on its next day again');
update funding.digests set next_at = '2027-06-01 08:00Z';
select is(pg_temp.claim('ada'), 'none', 'a period that had its mail has no other, as after a clock was set back');
select is((select array[next_at, reported_until] from funding.digests), array[timestamptz '2027-06-02 08:00Z', '2027-06-01 08:00Z'], 'and what is new is left for the next');
delete from funding.grants where title = 'kelp late';

select pg_temp.record('kelp by hand', '2027-06-01 12:10Z');
select pg_temp.at('2027-06-01 13:00Z');
update funding.digests set next_at = '2027-06-01 12:59:59.123456Z';
select is(pg_temp.claim('ada'), 'claimed 1 1 kelp by hand', 'a moment that an operator wrote is due');
select is(public.finish_digest(pg_temp.uuid('ada'), '2027-06-01 12:59:59.123Z', 1, 'sent')->>'state', 'sent', 'and is named by its milliseconds');

-- Never empty.
select pg_temp.at('2027-06-02 08:00Z');
select is(pg_temp.claim('ada'), 'empty', 'without new records there is no mail');
select is((select count(*) from funding.digest_mails), 2::bigint, 'nor a row of one');
select is((select next_at from funding.digests), timestamptz '2027-06-03 08:00Z', 'and the next is due on the next day');

-- One that was certainly not sent is tried again. 
select pg_temp.record('kelp three', '2027-06-02 09:00Z');
select pg_temp.at('2027-06-03 08:00Z');
select is(pg_temp.claim('ada'), 'claimed 1 1 kelp three', 'it has what came since the last one');
select is(pg_temp.finish('ada', 1, 'failed'), 'waiting', 'a mail that was certainly not sent waits');
select is(pg_temp.claim('ada'), 'none', 'for its time');
select pg_temp.record('kelp four', '2027-06-03 08:00:30Z');
select pg_temp.at('2027-06-03 08:01Z');
select is(pg_temp.claim('ada'), 'claimed 2 1 kelp three', 'then it is tried again, with the same records');
select is(pg_temp.finish('ada', 1, 'sent'), null, 'a result of an earlier attempt decides nothing');
select is(pg_temp.finish('ada', 2, 'unknown'), 'unknown', 'one that may have been sent');
select is((select last_failed_at from funding.digests), timestamptz '2027-06-03 08:01Z', 'is shown to its owner');
select pg_temp.at('2027-06-03 20:00Z');
select is(pg_temp.claim('ada'), 'none', 'and is not sent again');
select pg_temp.at('2027-06-04 08:00Z');
select is(pg_temp.claim('ada'), 'claimed 1 1 kelp four', 'nor are its records in the next one');
select pg_temp.at('2027-06-04 08:03Z');
select is(pg_temp.claim('ada'), 'none', 'one whose dispatcher never said how it did is not claimed again');
select is((select state from funding.digest_mails where due_at = '2027-06-04 08:00Z'), 'unknown', 'it may have been sent');
select is(pg_temp.finish('ada', 1, 'sent'), 'sent', 'until the dispatcher says so late');

-- One that is never sent gives its records to the next.
select pg_temp.record('kelp five', '2027-06-04 09:00Z');
select pg_temp.at('2027-06-05 08:00Z');
select is(pg_temp.claim('ada'), 'claimed 1 1 kelp five', 'a mail that is refused');
select is(pg_temp.finish('ada', 1, 'refused'), 'refused', 'is not tried again');
select pg_temp.at('2027-06-06 08:00Z');
select is(pg_temp.claim('ada'), 'claimed 1 1 kelp five', 'its records are in the next');
select is(pg_temp.finish('ada', 1, 'failed'), 'waiting', 'a mail that waits');
select pg_temp.at('2027-06-06 14:00Z');
select is(pg_temp.claim('ada'), 'none', 'is not claimed any more after the setting''s hours');
select is((select state from funding.digest_mails where due_at = '2027-06-06 08:00Z'), 'failed', 'but given up');
update auth.users set email_confirmed_at = null;
select pg_temp.at('2027-06-07 08:00Z');
select is(pg_temp.claim('ada'), 'unreachable', 'without a confirmed address none is sent');
update auth.users set email_confirmed_at = now();
update funding.saved_searches set filter = '{"search": 5, "states": "no list"}';
select pg_temp.at('2027-06-08 08:00Z');
select matches(pg_temp.claim('ada'), '^failed', 'nor where the search cannot be evaluated');
update funding.saved_searches set filter = '{"search": "kelp"}';
select pg_temp.at('2027-06-09 08:00Z');
select is(pg_temp.claim('ada'), 'claimed 1 1 kelp five', 'and the records are in the first that is');

-- A mailer in trouble.
select pg_temp.finish('ada', 1, 'failed');
select pg_temp.subscriber(label), pg_temp.set_digest(label, 'weekly', 'thursday', 9) from unnest(array['ben', 'cleo', 'dora']) as label;
select pg_temp.record('kelp six', '2027-06-09 08:30Z');
select is((select array_agg(next_at) from funding.digests where frequency = 'weekly'), array_fill(timestamptz '2027-06-10 09:00Z', array[3]), 'a weekly digest is due on its day');
select pg_temp.at('2027-06-10 09:00Z');
select pg_temp.claim(label), pg_temp.finish(label, 1, 'failed') from unnest(array['ben', 'cleo', 'dora']) as label;
select pg_temp.at('2027-06-10 09:02Z');
select is(pg_temp.chosen(), 'none', 'after three failures in a row nothing is given out');
select pg_temp.at('2027-06-10 09:06Z');
select isnt(pg_temp.chosen(), 'none', 'for five minutes');

select pg_temp.at('2027-06-17 09:00Z');
select pg_temp.record('kelp seven', '2027-06-17 08:30Z');
select pg_temp.claim(label), pg_temp.finish(label, 1, 'busy') from unnest(array['ben', 'cleo', 'dora']) as label;
select is((select count(*) from funding.digest_mails where due_at = '2027-06-17 09:00Z' and state = 'waiting'), 3::bigint, 'a service that is busy is asked again');
select pg_temp.at('2027-06-17 09:01Z');
select isnt(pg_temp.chosen(), 'none', 'and is not in trouble');
select pg_temp.claim(label), pg_temp.finish(label, 2, 'sent') from unnest(array['ben', 'cleo', 'dora']) as label;
select is((select count(*) from funding.digest_mails where due_at = '2027-06-17 09:00Z' and state = 'sent'), 3::bigint, 'so that each is sent');

-- An address that refuses mail.
create function pg_temp.refused_on(day date) returns text language plpgsql as $$
declare
  outcome text;
begin
  perform pg_temp.at((day || ' 09:00Z')::timestamptz);
  outcome := pg_temp.claim('ben') || ', ' || coalesce(pg_temp.finish('ben', 1, 'refused'), '-');
  return outcome || coalesce(', ' || (select paused_at::date from funding.digests where saved_search_id = pg_temp.uuid('ben')), '');
end
$$;
select pg_temp.record('kelp eight', '2027-06-24 08:30Z');
select is(pg_temp.refused_on('2027-06-24'), 'claimed 1 1 kelp eight, refused', 'a first refusal');
select is(pg_temp.refused_on('2027-07-01'), 'claimed 1 1 kelp eight, refused', 'and a second pause nothing');
select is(pg_temp.refused_on('2027-07-08'), 'claimed 1 1 kelp eight, refused, 2027-07-08', 'the third does');
select ok(not funding.is_mailer_failing(funding.dispatch_now()), 'and is that account''s alone');
select pg_temp.at('2027-07-15 09:00Z');
update funding.digests set next_at = '2027-07-22 09:00Z' where saved_search_id <> pg_temp.uuid('ben');
select is(pg_temp.chosen(), 'none', 'one that is paused is not sent');
select pg_temp.set_digest('ben', 'weekly', 'thursday', 9);
select is((select paused_at from funding.digests where saved_search_id = pg_temp.uuid('ben')), null, 'until it is set again');

-- One that ends while its mail is under way.
select pg_temp.at('2027-07-22 09:00Z');
select is(pg_temp.claim('ben'), 'claimed 1 1 kelp eight', 'a mail under way');
delete from funding.digests where saved_search_id = pg_temp.uuid('ben');
select is(pg_temp.finish('ben', 1, 'failed'), 'failed', 'whose digest has ended is not sent again');

-- Unsubscribing.
select is((select public.unsubscribe_digest('first')->>'name'), 'Kelp', 'the token of a mail unsubscribes');
select is((select public.unsubscribe_digest('first')->>'name'), 'Kelp', 'and once more');
select is_empty($$select from funding.digests where saved_search_id = pg_temp.uuid('ada')$$, 'the digest is gone, and none is sent');
select throws_ok($$select public.unsubscribe_digest('another')$$, 'PT404', null, 'an unknown token is refused');

select * from finish();
rollback;
