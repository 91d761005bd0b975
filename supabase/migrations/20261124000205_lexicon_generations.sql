-- The words of two generations. (Those of 1.1 are found by the former key until 20261124000920.)
create unique index lexicon_of_generation on funding.lexicon (generation, term);

alter table funding.next_fit add column has_singular_order boolean not null default false;
