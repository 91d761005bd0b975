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
    ('psc', '$.psc'::jsonpath, 'exact', '{1,2,3}'::integer[])
$rules$;
