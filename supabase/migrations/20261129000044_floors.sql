insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('semantic_share', '0.16', '0.16', 'share', '{"type": "number", "minimum": 0, "maximum": 1}',
   'Largest share of a dataset that a query finds by meaning.'),
  ('floor_keyword', '0.1', '0.1', 'share', '{"type": "number", "minimum": 0, "maximum": 1}',
   'Least BM25 score of a record that hybrid search finds by its words alone, as a share of what the five heaviest words of the query could give.');
