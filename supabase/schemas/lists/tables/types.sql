-- Types. Written by npm run schema from the migrations; comments are kept.

create type funding.listed_page as (
  page json,
  next json,
  total bigint
);
