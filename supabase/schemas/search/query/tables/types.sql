-- Types. Written by npm run schema from the migrations; comments are kept.

-- What a query asks for, read once and used by every leg.
create type funding.query_analysis as (
  -- Any word of the query or its synonyms; null when the query has no words.
  any_term tsquery,
  -- The query side of BM25: inverse document frequency by how often the query says it, saturated. As a vector
  -- for the records' vectors, and as lists for the inverted index.
  bm25 extensions.sparsevec,
  terms text[],
  term_weights real[],
  -- The same without what the inverted index has in it already, a term's inverse document frequency: 1 for a word that
  -- the query says once.
  term_factors real[],
  -- What the word is worth that a term stands for; the most, where it stands for several.
  term_worths real[],
  -- About what share of the records has any of the terms.
  matching_share double precision,
  -- Each word of the query, as itself or what stands for it, and what it is worth: its inverse document
  -- frequency, or that of what stands for it when no record has the word.
  words tsquery[],
  worths real[],
  -- What its terms weigh together.
  word_weights real[],
  -- The query in the fitted space, or null when no word of it is known.
  embedding extensions.halfvec,
  -- How much of the query the vector speaks for: an unknown word is a direction that no record has.
  known_share real,
  term_word_idfs real[],
  word_idfs real[]
);

-- What a ranked search needs to know of its query's meaning.
create type funding.query_meaning as (
  -- The query's vector under the external model, or null.
  vector extensions.halfvec,
  -- { model, text } when the edge has to get the vector first, or null.
  wanted json,
  -- Whether the vector is needed and could not be had.
  is_missing boolean
);
