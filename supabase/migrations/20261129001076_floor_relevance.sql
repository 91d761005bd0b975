insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('floor_relevance', '0.15', '0.15', 'share', '{"type": "number", "minimum": 0, "maximum": 1}',
   'Least share of the best result''s sum of scores that a result of hybrid search must have, or twice that share of the best keyword score. 0 is off.');
