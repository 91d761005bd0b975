-- Begins a transaction (database/migrate.ts).
-- Filters of contracts that were saved with a publisher's word for a status ("canceled", "active") get the API's name for it, which
-- `shared/validation/contract-status.ts` reads in the word today. Records have the name alone, so these filters found nothing. The query that their
-- owner wrote stays.
do $$
declare
  names constant jsonb := '{"forecast": "forecasted", "planned": "upcoming", "comingsoon": "upcoming", "inactive": "closed", "expired": "closed",
    "ended": "closed", "no": "closed", "false": "closed", "active": "open", "current": "open", "yes": "open", "true": "open", "canceled": "cancelled",
    "award": "awarded"}';
begin
  update funding.webhook_endpoints as endpoint
  set filters = jsonb_set(endpoint.filters, '{contracts,parameters,status}', to_jsonb(name.value))
  from jsonb_each_text(names) as name
  where name.key = regexp_replace(lower(endpoint.filters #>> '{contracts,parameters,status}'), '[^a-z0-9]', '', 'g');

  update funding.saved_searches as search
  set filter = jsonb_set(search.filter, '{status}', to_jsonb(name.value))
  from jsonb_each_text(names) as name
  where search.dataset = 'contracts' and name.key = regexp_replace(lower(search.filter->>'status'), '[^a-z0-9]', '', 'g');
end
$$;
