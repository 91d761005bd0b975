-- Written by npm run schema from shared/catalogue: change that. Rows about fields and filters, over which other functions loop.

-- Filters of a dataset, in their order. `condition` is SQL over the row `record` and the filter $1; it is null where a function makes it:
-- `funding.own_condition` for the kind `own`, `funding.range_condition` for `within`. `field` and `form` name the bitmaps or ranks, and `value` is SQL
-- for what is compared by size. `is_always`: also where the filter lacks it.
create or replace function funding.filter_rules(dataset text)
returns table (name text, kind text, condition text, field text, form text, value text, is_ranked boolean, is_always boolean)
language sql immutable parallel safe as $rules$
  select rule.name, rule.kind, rule.condition, rule.field, rule.form, rule.value, rule.is_ranked, rule.is_always
  from (values
    ('{grants,contracts,funders}', 'search', 'own', null, null, null, null, true, false),
    ('{grants,contracts,funders}', 'search_mode', 'modifier', null, null, null, null, true, false),
    ('{grants,contracts,funders}', 'identifier_matches', 'modifier', null, null, null, null, true, false),
    ('{grants,contracts,funders}', 'similar_to', 'modifier', null, null, null, null, true, false),
    ('{grants,contracts}', 'opportunity_type', 'own', null, 'opportunity_type', null, null, true, true),
    ('{grants,contracts}', 'status', 'own', null, 'status', null, null, true, false),
    ('{grants,contracts}', 'states', 'own', null, 'states', null, null, true, false),
    ('{grants,contracts}', 'include_national', 'modifier', null, null, null, null, true, false),
    ('{grants,contracts}', 'geography', 'own', null, null, null, null, true, false),
    ('{grants,contracts}', 'geography_states', 'modifier', null, null, null, null, true, false),
    ('{grants,contracts}', 'category', 'value', 'record.category_keys @> array[lower($1->>''category'')]', 'category', 'lower', null, true, false),
    ('{grants,contracts}', 'min_amount', 'from', 'record.amount_max >= ($1->>''min_amount'')::double precision', 'amount_max', 'number', 'record.amount_max', true, false),
    ('{grants,contracts}', 'max_amount', 'upto', 'record.amount_min <= ($1->>''max_amount'')::double precision', 'amount_min', 'number', 'record.amount_min', true, false),
    ('{grants,contracts}', 'deadline_after', 'above', 'record.deadline_date > ($1->>''deadline_after'')::date', 'deadline_date', 'day', 'record.deadline_date', true, false),
    ('{grants,contracts}', 'deadline_before', 'below', 'record.deadline_date < ($1->>''deadline_before'')::date', 'deadline_date', 'day', 'record.deadline_date', true, false),
    ('{grants,contracts}', 'posted_after', 'above', 'record.created_at > ($1->>''posted_after'')::timestamptz', 'created_at', 'moment', 'record.created_at', true, false),
    ('{grants,contracts}', 'applicant_type', 'own', null, 'applicant_type', null, null, true, false),
    ('{grants,contracts}', 'include_unrestricted', 'modifier', null, null, null, null, true, false),
    ('{grants,contracts}', 'agency', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''agency'', ''agency'', $1->''agency'')', 'agency', 'agency', null, true, false),
    ('{grants,contracts}', 'funder_id', 'condition', 'record.funder_id = ($1->>''funder_id'')::uuid', null, null, null, true, false),
    ('{grants,contracts}', 'assistance_listing', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''assistance_listing'', ''exact'', $1->''assistance_listing'')', 'assistance_listing', 'exact', null, true, false),
    ('{grants,contracts}', 'funding_instrument', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''funding_instrument'', ''exact'', $1->''funding_instrument'')', 'funding_instrument', 'exact', null, true, false),
    ('{grants,contracts}', 'cost_sharing', 'value', 'funding.detail_keys(record.details) && funding.wanted_names(''cost_sharing'', ''exact'', $1->''cost_sharing'')', 'cost_sharing', 'exact', null, true, false),
    ('{grants,contracts}', 'source', 'value', 'record.source = $1->>''source''', 'source', 'exact', null, true, false),
    ('{grants,contracts,funders}', 'updated_after', 'condition', 'record.updated_at >= ($1->>''updated_after'')::timestamptz + interval ''1 ms''', null, null, null, true, false),
    ('{grants,contracts}', 'min_expected_awards', 'from', '(record.details->>''expected_awards'')::double precision >= ($1->>''min_expected_awards'')::double precision', 'expected_awards', 'number', '(record.details->>''expected_awards'')::double precision', true, false),
    ('{grants,contracts}', 'include_archived', 'own', null, 'include_archived', null, null, true, true),
    ('{contracts}', 'naics', 'value', 'record.naics = $1->>''naics''', 'naics', 'exact', null, true, false),
    ('{contracts}', 'set_aside', 'value', 'upper(record.set_aside_code) = upper($1->>''set_aside'')', 'set_aside', 'upper', null, true, false),
    ('{grants}', 'statuses', 'own', null, null, null, null, true, false),
    ('{grants}', 'deadline_range', 'within', null, 'deadline_date', 'day', 'record.deadline_date', true, false),
    ('{grants}', 'amount_min_range', 'within', null, 'amount_min', 'number', 'record.amount_min', true, false),
    ('{grants}', 'amount_max_range', 'within', null, 'amount_max', 'number', 'record.amount_max', true, false),
    ('{grants}', 'total_funding_range', 'within', null, 'total_funding', 'number', '(record.details->>''total_funding'')::double precision', false, false)
  ) as rule(datasets, name, kind, condition, field, form, value, is_ranked, is_always)
  where dataset = any (rule.datasets::text[])
$rules$;

-- Parameters of a list's order, pages and format, which do not filter.
create or replace function funding.presentation_parameters() returns text[]
language sql immutable parallel safe as $rules$
  select array['sort_by', 'order', 'count_only', 'limit', 'offset', 'cursor', 'format', 'facets', 'expand', 'archived_as_ids', 'explain', 'highlight']
$rules$;

-- Facets of a dataset. Each member is SQL over the row `record`, the text `value` or the filter $1:
--
-- `values_of` is a record's values, each once. `key` is the same for values that the parameter takes together, or null where the parameter takes each
-- by itself. `chosen` has the keys that the parameter has in a filter. `found_by_all` is whether every value finds the record.
create or replace function funding.facet_fields(dataset text)
returns table (name text, values_of text, key text, chosen text, found_by_all text)
language sql immutable parallel safe as $rules$
  select facet.name, facet.values_of, facet.key, facet.chosen, facet.found_by_all
  from (values
    ('{grants,contracts}', 'status', 'array[record.status]', '(funding.statuses_meant(value))[1]', 'array[(funding.statuses_meant($1->>''status''))[1]]', null),
    ('{grants,contracts}', 'states', 'record.states', null, 'funding.text_array($1->''states'')', 'record.is_national and coalesce(($1->>''include_national'')::boolean, false)'),
    ('{grants,contracts}', 'category', 'record.categories', 'lower(value)', 'funding.wanted_values(''lower'', $1->''category'')', null),
    ('{grants,contracts}', 'applicant_type', 'array(select jsonb_array_elements_text(record.details->''applicant_types''))', null, 'funding.text_array($1->''applicant_type'')', 'coalesce(record.details->''applicant_types'' ? ''unrestricted'', false) and coalesce(($1->>''include_unrestricted'')::boolean, true)'),
    ('{grants,contracts}', 'agency', 'array(select distinct jsonb_array_elements_text(record.details->''agency''))', 'funding.name_key(value)', 'funding.wanted_values(''agency'', $1->''agency'')', null),
    ('{grants,contracts}', 'assistance_listing', 'array(select item->>''number'' from jsonb_array_elements(record.details->''assistance_listings'') as item)', null, 'funding.wanted_values(''exact'', $1->''assistance_listing'')', null),
    ('{grants,contracts}', 'funding_instrument', 'array(select jsonb_array_elements_text(record.details->''funding_instrument''))', null, 'funding.wanted_values(''exact'', $1->''funding_instrument'')', null),
    ('{grants,contracts}', 'cost_sharing', 'array[record.details->>''cost_sharing'']', null, 'funding.wanted_values(''exact'', $1->''cost_sharing'')', null),
    ('{grants,contracts}', 'source', 'array[record.source]', null, 'funding.wanted_values(''exact'', $1->''source'')', null),
    ('{contracts}', 'naics', 'array[record.naics]', null, 'funding.wanted_values(''exact'', $1->''naics'')', null),
    ('{contracts}', 'set_aside', 'array[record.set_aside_code]', 'upper(value)', 'funding.wanted_values(''upper'', $1->''set_aside'')', null)
  ) as facet(datasets, name, values_of, key, chosen, found_by_all)
  where dataset = any (facet.datasets::text[])
$rules$;

-- Names of a record's bitmaps, as SQL over the row `record`: arrays, in which some names are null or repeated.
create or replace function funding.bitmap_fields(dataset text) returns setof text
language sql immutable parallel safe as $rules$
  select field.names
  from (values
    ('{grants,contracts}', 'array[''classification='' || record.classification]'),
    ('{grants,contracts}', 'array[''status='' || record.status]'),
    ('{grants,contracts}', 'array(select funding.bitmap_name(''state'', state) from unnest(record.states) as state) || case when record.is_national then ''national'' end'),
    ('{grants,contracts}', 'array(select funding.bitmap_name(''category'', value) from unnest(record.category_keys) as value)'),
    ('{grants,contracts}', 'array[funding.bitmap_name(''source'', record.source)]'),
    ('{grants,contracts}', 'array[case when record.archived_at is null then ''current'' end]'),
    ('{contracts}', 'array[funding.bitmap_name(''naics'', record.naics)]'),
    ('{contracts}', 'array[funding.bitmap_name(''set_aside'', upper(record.set_aside_code))]')
  ) as field(datasets, names)
  where dataset = any (field.datasets::text[])
$rules$;

-- Fields of a dataset that its segments have bitmaps or ranks of.
create or replace function funding.indexed_fields(dataset text) returns text[]
language sql immutable parallel safe as $rules$
  select coalesce(array_agg(indexed.field), '{}')
  from (values
    ('{grants,contracts}', 'opportunity_type'),
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
    ('{grants,contracts}', 'funding_instrument'),
    ('{grants,contracts}', 'cost_sharing'),
    ('{grants,contracts}', 'source'),
    ('{grants,contracts}', 'expected_awards'),
    ('{grants,contracts}', 'include_archived'),
    ('{contracts}', 'naics'),
    ('{contracts}', 'set_aside')
  ) as indexed(datasets, field)
  where dataset = any (indexed.datasets::text[])
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
    ('expected_awards', '(record.details->>''expected_awards'')::double precision', null)
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
    ('expected_awards', '(record.details->>''expected_awards'')::double precision', '(record.details->>''expected_awards'')::double precision', 'double precision', true)
$rules$;
