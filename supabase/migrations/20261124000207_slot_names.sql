-- Names of slots. What the functions of 1.1 read while this release is applied keeps its own until the next: the old type and the old
-- attributes stay beside the new ones, and `posting_number` and `retired_numbers` are named as they were (docs/database.md).

-- Slots of a dataset as bits: for each block, those of its slots. It was `numbered_records`.
create type funding.slot_bitmaps as (blocks integer[], bits bit varying[]);
alter type funding.bitmap_matches alter attribute sealed type funding.slot_bitmaps;

-- About how many records of a scope its filter matches. It was `kept`.
alter type funding.search_scope add attribute matching_records double precision;

-- `term_word_idfs`: inverse document frequency of the word that a term stands for; the highest, where it stands for several. `word_idfs`: of each
-- word, its own, or that of what stands for it when no record has the word. They were `term_worths` and `worths`.
alter type funding.query_analysis add attribute term_word_idfs real[], add attribute word_idfs real[];

alter function funding.take_number() rename to take_slot;
alter function funding.retire_number() rename to retire_slot;

alter table funding.idempotency_keys rename column answer to response;
