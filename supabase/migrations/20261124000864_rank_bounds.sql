-- What a block of ranks says without being read (supabase/schemas/bitmap_filters.sql). Null for a segment of an earlier version, until its next fit.

-- Least and greatest rank of a record of the block that has a value; null and 0 where none has.
alter table funding.ranks add column lowest real, add column highest real;
-- Records of the block that have a value.
alter table funding.ranks add column valued bit varying;
