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
  filter constant jsonb := funding.saved_filter(search, funding.bounded_now());
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
