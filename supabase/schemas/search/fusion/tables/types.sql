-- Types. Written by npm run schema from the migrations; comments are kept.

create type funding.ranked_slots as (
  slots integer[],
  scores double precision[]
);

create type funding.ranking as (
  numbers integer[],
  ids uuid[],
  scores double precision[]
);
