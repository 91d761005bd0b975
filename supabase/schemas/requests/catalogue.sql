-- Written by npm run schema from shared/catalogue: change that. Rows about fields and filters, over which other functions loop.

-- Filters of a dataset, in their order. All of it is one constant, which is made once for each plan: rows of `values` take 34 us at each call, these 8.
create or replace function funding.filter_rules(dataset text) returns setof funding.filter_rule
language sql immutable parallel safe as $rules$
  select rule.*
  from unnest(array[
    row('{grants,contracts,funders}', 'search', 'own', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts,funders}', 'search_mode', 'modifier', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts}', 'search_in', 'modifier', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts}', 'passage_search', 'modifier', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts,funders}', 'identifier_matches', 'modifier', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts,funders}', 'similar_to', 'modifier', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts}', 'opportunity_type', 'own', null, null, null, 'opportunity_type', null, null, true, true, false, null),
    row('{grants,contracts}', 'status', 'value', 'record.status = lower($1->>''status'')', 'record.status = any (funding.wanted_values(''status'', $1->''status''))', null, 'status', 'status', null, true, false, false, null),
    row('{grants,contracts}', 'exclude_status', 'value', 'record.status = lower($1->>''exclude_status'')', 'record.status = any (funding.wanted_values(''status'', $1->''exclude_status''))', null, 'status', 'status', null, true, false, true, null),
    row('{grants,contracts}', 'states', 'own', null, null, null, 'states', null, null, true, false, false, null),
    row('{grants,contracts}', 'include_national', 'modifier', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts}', 'geography', 'own', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts}', 'geography_states', 'modifier', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts}', 'category', 'value', 'record.category_keys @> array[lower($1->>''category'')]', 'record.category_keys && funding.wanted_values(''lower'', $1->''category'')', null, 'category', 'lower', null, true, false, false, null),
    row('{grants,contracts}', 'exclude_category', 'value', 'record.category_keys @> array[lower($1->>''exclude_category'')]', 'record.category_keys && funding.wanted_values(''lower'', $1->''exclude_category'')', null, 'category', 'lower', null, true, false, true, null),
    row('{grants,contracts}', 'min_amount', 'from', 'record.amount_max >= ($1->>''min_amount'')::double precision', null, null, 'amount_max', 'number', 'record.amount_max', true, false, false, null),
    row('{grants,contracts}', 'max_amount', 'upto', 'record.amount_min <= ($1->>''max_amount'')::double precision', null, null, 'amount_min', 'number', 'record.amount_min', true, false, false, null),
    row('{grants,contracts}', 'deadline_after', 'above', 'record.deadline_date > ($1->>''deadline_after'')::date', null, null, 'deadline_date', 'day', 'record.deadline_date', true, false, false, null),
    row('{grants,contracts}', 'deadline_before', 'below', 'record.deadline_date < ($1->>''deadline_before'')::date', null, null, 'deadline_date', 'day', 'record.deadline_date', true, false, false, null),
    row('{grants,contracts}', 'closing_within', 'own', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts}', 'posted_after', 'above', 'record.created_at > ($1->>''posted_after'')::timestamptz', null, null, 'created_at', 'moment', 'record.created_at', true, false, false, null),
    row('{grants,contracts}', 'posted_before', 'below', 'record.created_at < ($1->>''posted_before'')::timestamptz', null, null, 'created_at', 'moment', 'record.created_at', true, false, false, null),
    row('{grants,contracts}', 'applicant_type', 'own', null, null, null, 'applicant_type', null, null, true, false, false, null),
    row('{grants,contracts}', 'include_unrestricted', 'modifier', null, null, null, null, null, null, true, false, false, null),
    row('{grants,contracts}', 'agency', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''agency'', ''agency'', $1->''agency'')', null, null, 'agency', 'agency', null, true, false, false, null),
    row('{grants,contracts}', 'exclude_agency', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''agency'', ''agency'', $1->''exclude_agency'')', null, null, 'agency', 'agency', null, true, false, true, null),
    row('{grants,contracts}', 'funder_id', 'value', 'record.funder_id = ($1->>''funder_id'')::uuid', 'record.funder_id = any (funding.wanted_values(''uuid'', $1->''funder_id'')::uuid[])', null, null, 'uuid', null, false, false, false, null),
    row('{grants,contracts}', 'exclude_funder_id', 'value', 'record.funder_id = ($1->>''exclude_funder_id'')::uuid', 'record.funder_id = any (funding.wanted_values(''uuid'', $1->''exclude_funder_id'')::uuid[])', null, null, 'uuid', null, false, false, true, null),
    row('{grants,contracts}', 'assistance_listing', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''assistance_listing'', ''exact'', $1->''assistance_listing'')', null, null, 'assistance_listing', 'exact', null, true, false, false, '{3}'),
    row('{grants,contracts}', 'exclude_assistance_listing', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''assistance_listing'', ''exact'', $1->''exclude_assistance_listing'')', null, null, 'assistance_listing', 'exact', null, true, false, true, '{3}'),
    row('{grants,contracts}', 'funding_instrument', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''funding_instrument'', ''exact'', $1->''funding_instrument'')', null, null, 'funding_instrument', 'exact', null, true, false, false, null),
    row('{grants,contracts}', 'cost_sharing', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''cost_sharing'', ''exact'', $1->''cost_sharing'')', null, null, 'cost_sharing', 'exact', null, true, false, false, null),
    row('{grants,contracts}', 'source', 'value', 'record.source = $1->>''source''', 'record.source = any (funding.wanted_values(''exact'', $1->''source''))', null, 'source', 'exact', null, true, false, false, null),
    row('{grants,contracts}', 'exclude_source', 'value', 'record.source = $1->>''exclude_source''', 'record.source = any (funding.wanted_values(''exact'', $1->''exclude_source''))', null, 'source', 'exact', null, true, false, true, null),
    row('{grants,contracts,funders}', 'updated_after', 'condition', 'record.updated_at >= ($1->>''updated_after'')::timestamptz + interval ''1 ms''', null, null, null, null, null, true, false, false, null),
    row('{grants,contracts,funders}', 'updated_before', 'condition', 'record.updated_at < ($1->>''updated_before'')::timestamptz', null, null, null, null, null, true, false, false, null),
    row('{grants,contracts,funders}', 'first_seen_after', 'condition', 'record.first_seen_at >= ($1->>''first_seen_after'')::timestamptz + interval ''1 ms''', null, null, null, null, null, true, false, false, null),
    row('{grants,contracts,funders}', 'first_seen_before', 'condition', 'record.first_seen_at < ($1->>''first_seen_before'')::timestamptz', null, null, null, null, null, true, false, false, null),
    row('{grants,contracts}', 'min_expected_awards', 'from', '(record.details->>''expected_awards'')::double precision >= ($1->>''min_expected_awards'')::double precision', null, null, 'expected_awards', 'number', '(record.details->>''expected_awards'')::double precision', true, false, false, null),
    row('{grants,contracts}', 'max_expected_awards', 'upto', '(record.details->>''expected_awards'')::double precision <= ($1->>''max_expected_awards'')::double precision', null, null, 'expected_awards', 'number', '(record.details->>''expected_awards'')::double precision', true, false, false, null),
    row('{grants,contracts}', 'min_total_funding', 'from', '(record.details->>''total_funding'')::double precision >= ($1->>''min_total_funding'')::double precision', null, null, 'total_funding', 'number', '(record.details->>''total_funding'')::double precision', true, false, false, null),
    row('{grants,contracts}', 'max_total_funding', 'upto', '(record.details->>''total_funding'')::double precision <= ($1->>''max_total_funding'')::double precision', null, null, 'total_funding', 'number', '(record.details->>''total_funding'')::double precision', true, false, false, null),
    row('{grants,contracts}', 'project_start_after', 'above', '(record.details->>''project_start_date'')::date > ($1->>''project_start_after'')::date', null, null, 'project_start_date', 'day', '(record.details->>''project_start_date'')::date', true, false, false, null),
    row('{grants,contracts}', 'project_start_before', 'below', '(record.details->>''project_start_date'')::date < ($1->>''project_start_before'')::date', null, null, 'project_start_date', 'day', '(record.details->>''project_start_date'')::date', true, false, false, null),
    row('{grants,contracts}', 'project_end_after', 'above', 'record.project_end_date > ($1->>''project_end_after'')::date', null, null, 'project_end_date', 'day', 'record.project_end_date', true, false, false, null),
    row('{grants,contracts}', 'project_end_before', 'below', 'record.project_end_date < ($1->>''project_end_before'')::date', null, null, 'project_end_date', 'day', 'record.project_end_date', true, false, false, null),
    row('{grants,contracts}', 'recipient', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''recipient'', ''agency'', $1->''recipient'')', null, null, null, 'agency', null, false, false, false, null),
    row('{grants,contracts}', 'exclude_recipient', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''recipient'', ''agency'', $1->''exclude_recipient'')', null, null, null, 'agency', null, false, false, true, null),
    row('{grants,contracts}', 'uei', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''uei'', ''exact'', $1->''uei'')', null, null, null, 'exact', null, false, false, false, null),
    row('{grants,contracts}', 'exclude_uei', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''uei'', ''exact'', $1->''exclude_uei'')', null, null, null, 'exact', null, false, false, true, null),
    row('{grants,contracts}', 'recipient_state', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''recipient_state'', ''upper'', $1->''recipient_state'')', null, null, 'recipient_state', 'upper', null, true, false, false, null),
    row('{grants,contracts}', 'exclude_recipient_state', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''recipient_state'', ''upper'', $1->''exclude_recipient_state'')', null, null, 'recipient_state', 'upper', null, true, false, true, null),
    row('{grants,contracts}', 'include_archived', 'own', null, null, null, 'include_archived', null, null, true, true, false, null),
    row('{grants,contracts}', 'include_versions', 'own', null, null, null, null, null, null, true, true, false, null),
    row('{contracts}', 'naics', 'value', 'record.naics = $1->>''naics''', 'record.naics = any (funding.wanted_values(''exact'', $1->''naics''))', 'record.naics between rpad(%1$s, 6, ''0'') and rpad(%1$s, 6, ''9'')', 'naics', 'exact', null, true, false, false, '{2,3,4,5}'),
    row('{contracts}', 'exclude_naics', 'value', 'record.naics = $1->>''exclude_naics''', 'record.naics = any (funding.wanted_values(''exact'', $1->''exclude_naics''))', 'record.naics between rpad(%1$s, 6, ''0'') and rpad(%1$s, 6, ''9'')', 'naics', 'exact', null, true, false, true, '{2,3,4,5}'),
    row('{contracts}', 'psc', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''psc'', ''exact'', $1->''psc'')', null, null, 'psc', 'exact', null, true, false, false, '{1,2,3}'),
    row('{contracts}', 'exclude_psc', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''psc'', ''exact'', $1->''exclude_psc'')', null, null, 'psc', 'exact', null, true, false, true, '{1,2,3}'),
    row('{contracts}', 'set_aside', 'value', 'upper(record.set_aside_code) = upper($1->>''set_aside'')', 'upper(record.set_aside_code) = any (funding.wanted_values(''upper'', $1->''set_aside''))', null, 'set_aside', 'upper', null, true, false, false, null),
    row('{contracts}', 'exclude_set_aside', 'value', 'upper(record.set_aside_code) = upper($1->>''exclude_set_aside'')', 'upper(record.set_aside_code) = any (funding.wanted_values(''upper'', $1->''exclude_set_aside''))', null, 'set_aside', 'upper', null, true, false, true, null),
    row('{grants}', 'statuses', 'value', 'record.status = lower($1->>''statuses'')', 'record.status = any (funding.wanted_values(''status'', $1->''statuses''))', null, 'status', 'status', null, true, false, false, null),
    row('{grants}', 'deadline_range', 'within', null, null, null, 'deadline_date', 'day', 'record.deadline_date', true, false, false, null),
    row('{grants}', 'amount_min_range', 'within', null, null, null, 'amount_min', 'number', 'record.amount_min', true, false, false, null),
    row('{grants}', 'amount_max_range', 'within', null, null, null, 'amount_max', 'number', 'record.amount_max', true, false, false, null),
    row('{grants}', 'total_funding_range', 'within', null, null, null, 'total_funding', 'number', '(record.details->>''total_funding'')::double precision', true, false, false, null),
    row('{grants}', 'awarded_amount_range', 'condition', '(coalesce((record.details->>''obligated_amount'')::double precision, record.amount_max) between ($1->''awarded_amount_range''->>''min'')::double precision and ($1->''awarded_amount_range''->>''max'')::double precision) = ($1->''awarded_amount_range''->>''operator'' is distinct from ''outside'')', null, null, null, null, null, true, false, false, null),
    row('{grants}', 'runs_on', 'condition', 'coalesce(record.project_end_date >= ($1->>''runs_on'')::date, true)', null, null, null, null, null, true, false, false, null),
    row('{grants}', 'awarded_under', 'condition', '(record.details ? ''opportunity_number'' and upper(record.details->>''opportunity_number'') = any ((select funding.award_numbers($1->''awarded_under''->''ids''))::text[])) is not distinct from ($1->''awarded_under''->>''operator'' = ''in'')', null, null, null, null, null, true, false, false, null),
    row('{funders}', 'ein', 'condition', '(record.source = ''irs-990pf'' and record.source_id = $1->>''ein'')', null, null, null, null, null, true, false, false, null),
    row('{funders}', 'has_ein', 'condition', 'record.source = ''irs-990pf''', null, null, null, null, null, true, false, false, null),
    row('{grants}', 'posted_range', 'within', null, null, null, 'created_at', 'moment', 'record.created_at', true, false, false, null)
  ]::funding.filter_rule[]) as rule
  where dataset = any (rule.datasets)
$rules$;

-- Parameters of a list's order, pages and format, which do not filter.
create or replace function funding.presentation_parameters() returns text[]
language sql immutable parallel safe as $rules$
  select array['sort_by', 'order', 'count_only', 'limit', 'offset', 'cursor', 'format', 'facets', 'facets_mode', 'facets_sort_by', 'ids', 'expand', 'fields', 'archived_as_ids', 'explain', 'highlight', 'passages']
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
