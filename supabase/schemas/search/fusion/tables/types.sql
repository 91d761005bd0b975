-- Types. Written by npm run schema from the migrations; comments are kept.

create type funding.ranked_slots as (
  slots integer[],
  scores double precision[]
);
