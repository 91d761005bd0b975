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
