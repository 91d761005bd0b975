-- Tables. Written by npm run schema from the migrations; comments are kept.

-- Pages that were asked for more than once, remembered like totals: per request and data version, the funders' too,
-- since records show their names. A page that is asked for once leaves only a note that it was. Losing this table
-- loses nothing, hence unlogged.
create unlogged table funding.pages (
  dataset text,
  request_key text,
  version bigint not null,
  -- Null until the request comes a second time.
  page json,
  next json,
  total bigint,
  remembered_at timestamptz not null default now(),
  constraint pages_pkey primary key (dataset, request_key)
);
alter table funding.pages enable row level security;
alter table funding.pages alter column page set storage external;
