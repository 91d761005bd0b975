-- What searches read of a fit: its generation and its words.

-- Generation of the lexicon and of the segments, and vectors that are searched: 0 or 1 each. (A model outside the database has vectors and
-- no lexicon, so they change by themselves.)
alter table funding.lexicon_fit add column generation integer not null default 0, add column vectors integer not null default 0;

-- The words of two generations.
alter table funding.lexicon add column generation integer not null default 0;
create unique index lexicon_of_generation on funding.lexicon (generation, term);
alter table funding.lexicon drop constraint lexicon_pkey;
alter table funding.lexicon add constraint lexicon_pkey primary key using index lexicon_of_generation, alter column generation drop default;

-- Whether the first dimensions of a fit's vectors say most, so that the cosine of a prefix means something. Fits of 1.1 have no such order.
alter table funding.lexicon_fit add column has_singular_order boolean not null default false;
alter table funding.next_fit add column has_singular_order boolean not null default false;

-- First slot of no segment, and how many records have such a slot, up to 5,001.
alter type funding.search_scope add attribute sealed_end integer, add attribute unsealed bigint;
