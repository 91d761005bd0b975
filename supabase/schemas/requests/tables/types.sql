-- Types. Written by npm run schema from the migrations; comments are kept.

-- A filter of shared/catalogue (`funding.filter_rules`).
create type funding.filter_rule as (
  datasets text[],
  name text,
  kind text,
  -- SQL over the row `record` and the filter $1; null where a function makes it: `funding.own_condition` for the kind `own`, `funding.range_condition` for
  -- `within`.
  condition text,
  -- The same for a filter that wants several values, where that is another.
  several text,
  -- The same for the beginning %1$s of a code.
  beginning text,
  -- Names of the bitmaps or ranks.
  field text,
  form text,
  -- SQL for what is compared by size.
  value text,
  is_ranked boolean,
  -- Whether it holds also where the filter lacks it.
  is_always boolean,
  -- Whether it leaves out what meets the condition.
  is_excluding boolean,
  -- Lengths of a code's beginnings that are wanted, too.
  beginnings integer[]
);

create type funding.list_order as (
  sort_by text,
  direction text
);

create type funding.list_page as (
  page_size bigint,
  page_offset bigint,
  after_cursor jsonb
);

create type funding.list_request as (
  -- Which records: what `funding.predicate` reads. Whatever lists, counts or ranks them has the same.
  filter jsonb,
  list_order funding.list_order,
  page funding.list_page
);

-- Which records a search may find.
create type funding.search_scope as (
  dataset text,
  parameters jsonb,
  -- What the parameters ask of the row named `record`, as SQL.
  condition text,
  -- Which of the numbered records those are, by the bitmaps; null where these cannot tell.
  blocks integer[],
  bits bit varying[],
  -- Whether it is what every list has unless it says otherwise.
  is_usual boolean,
  -- Whether there is a filter of its own. What every request has keeps most records.
  is_filtered boolean,
  -- About how many records there are, and how many of them are kept.
  records double precision,
  kept double precision,
  sealed_end integer,
  unsealed bigint,
  matching_records double precision,
  except_slot integer
);
