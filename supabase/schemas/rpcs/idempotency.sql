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
  -- Rows that another request of the account holds are left to it: requests that wait for each other's rows may deadlock.
  delete from funding.idempotency_keys as old where old.ctid = any (array(
    select own.ctid from funding.idempotency_keys as own
    where own.account_id = own_id and own.key_hash = any (array(
      select every.key_hash from funding.idempotency_keys as every
      where every.account_id = own_id order by every.created_at desc offset most_rows))
    for update skip locked));
  update funding.idempotency_keys as old set sealed_secret = null
  where old.ctid = any (array(
    select own.ctid from funding.idempotency_keys as own
    where own.account_id = own_id and own.sealed_secret is not null and not funding.may_repeat_secret(own)
    for no key update skip locked));
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
