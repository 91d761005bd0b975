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
