-- Written by npm run schema from shared/catalogue: change those.

-- Details that filters look for values in, with the JSON path of the values.
create or replace function funding.detail_fields() returns table (field text, path jsonpath, form text)
language sql immutable parallel safe as $rules$
  values
    ('applicant_type', '$.applicant_types[*]'::jsonpath, 'exact'),
    ('agency', '$.agency[*]'::jsonpath, 'agency'),
    ('assistance_listing', '$.assistance_listings[*].number'::jsonpath, 'exact'),
    ('funding_instrument', '$.funding_instrument[*]'::jsonpath, 'exact'),
    ('cost_sharing', '$.cost_sharing'::jsonpath, 'exact')
$rules$;
