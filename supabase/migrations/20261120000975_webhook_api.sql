-- What the account API asks about webhooks: each function of webhook management and of the log, for the account of the
-- user and session.
do $$
declare
  rpc record;
begin
  for rpc in
    select * from (values
      ('create_webhook', 'webhook jsonb'),
      ('list_webhooks', ''),
      ('get_webhook', 'webhook_id uuid'),
      ('update_webhook', 'webhook_id uuid, changes jsonb'),
      ('delete_webhook', 'webhook_id uuid'),
      ('rotate_webhook_secret', 'webhook_id uuid, secret text, overlap_seconds integer'),
      ('list_webhook_deliveries', 'webhook_id uuid, filter jsonb'),
      ('get_webhook_delivery', 'webhook_id uuid, event_id uuid'),
      ('resend_webhook_delivery', 'webhook_id uuid, event_id uuid'),
      ('recover_webhook', 'webhook_id uuid, since timestamptz, until timestamptz'),
      ('send_test_event', 'webhook_id uuid, event text, data json')
    ) as listed(name, arguments)
  loop
    execute format($create$
      create function public.%1$I(%2$s) returns json
      language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $body$
      declare
        own_id constant uuid := funding.account_of(%1$s.user_id, %1$s.session_id);
      begin
        return funding.%1$I(%3$s);
      end
      $body$;
      revoke execute on function public.%1$I from public, anon, authenticated;
      grant execute on function public.%1$I to service_role;
    $create$, rpc.name, concat_ws(', ', 'user_id uuid, session_id uuid', nullif(rpc.arguments, '')),
      concat_ws(', ', 'own_id', (
        select string_agg(format('%s.%s', rpc.name, split_part(argument, ' ', 1)), ', ' order by place)
        from unnest(string_to_array(nullif(rpc.arguments, ''), ', ')) with ordinality as listed(argument, place))));
  end loop;
end
$$;
