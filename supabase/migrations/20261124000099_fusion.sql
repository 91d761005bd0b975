-- Begins a transaction (database/migrate.ts).
-- Settings of hybrid search: it fuses a third ranking, by the sum of both scores, and a query's vector moves towards the records that its words
-- find best.

insert into funding.settings (name, value, default_value, unit, schema, description)
select name, value::jsonb, value::jsonb, unit, schema::jsonb, description
from (values
  ('fusion', '"reciprocal_rank"', 'form', '{"type": "string", "pattern": "^(reciprocal_rank|sum)$", "description": "reciprocal_rank or sum"}',
   'How hybrid search combines keywords and meaning: by the reciprocal ranks of both and of their sum, or by the sum of their scores alone.'),
  ('fusion_sum_weight', '4', 'none', '{"type": "number", "minimum": 0, "maximum": 100}',
   'Weight of the ranking by the sum of both scores in hybrid search, beside those of the two legs.'),
  ('fusion_similarity_weight', '{"lexicon": 2.5, "default": 1}', 'none', '{"type": "object", "additionalProperties": {"type": "number", "minimum": 0, "maximum": 100}}',
   'How much the similarity of meaning counts in that sum beside the keyword score, which is 1 for the best record, by embedding model; default for one that is not named.'),
  ('feedback_weight', '{"lexicon": 0.8, "default": 0}', 'share', '{"type": "object", "additionalProperties": {"type": "number", "minimum": 0, "maximum": 10}}',
   'How far a query''s vector moves towards the records that its words find best, by embedding model; default for one that is not named. 0: not at all.')
) as item(name, value, unit, schema, description);

-- Where an operator has not chosen another.
update funding.settings set value = case when value = default_value then '10' else value end, default_value = '10' where name = 'fusion_k';
