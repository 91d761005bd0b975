-- Setting of hybrid search: similarity is compared anew with what both legs found best (supabase/schemas/ranking.sql).

insert into funding.settings (name, value, default_value, unit, schema, description)
select name, value::jsonb, value::jsonb, unit, schema::jsonb, description
from (values
  ('fusion_feedback_weight', '{"lexicon": 0.3, "default": 0}', 'share', '{"type": "object", "additionalProperties": {"type": "number", "minimum": 0, "maximum": 10}}',
   'How far a query''s vector moves, for the sum of both scores in hybrid search, towards the five records with the greatest sum, by embedding model; default for one that is not named. 0: not at all.')
) as item(name, value, unit, schema, description);
