-- Begins a transaction (database/migrate.ts).
-- What functions of 1.1 and 1.2 used, and those of this version do not.
select funding.lock_tables(array['totals', 'order_slices', 'ranked_values', 'next_fit', 'grants', 'contracts', 'funders']);
delete from funding.settings where name in ('fusion_feedback_weight', 'fusion_field_weight');
drop table funding.totals, funding.order_slices, funding.ranked_values, funding.next_bitmaps, funding.next_lexicon,
  funding.next_order_slices, funding.next_postings, funding.next_ranked_values, funding.next_ranks, funding.next_vectors;
alter table funding.grants drop column bm25, drop column embedding, drop column embedding_model;
alter table funding.contracts drop column bm25, drop column embedding, drop column embedding_model;
alter table funding.funders drop column bm25, drop column embedding, drop column embedding_model;
alter table funding.next_fit drop column keeps_numbers;
drop type funding.numbered_records, funding.bitmap_answer, funding.ranking;
