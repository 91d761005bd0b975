-- Types. Written by npm run schema from the migrations; comments are kept.

-- Records by the best passage of their documents, best first.
create type funding.ranked_passages as (
  slots integer[],
  scores double precision[],
  documents uuid[],
  numbers integer[]
);
