-- A recovery has events of before its range, too, whose fan-out came in it: it begins before the moment that its owner gave.
alter table funding.webhook_recoveries add column since timestamptz;

comment on column funding.webhook_recoveries.since is
  'The moment that its owner gave. Of events of before it, those are looked at whose fan-out came after it. Null where it was asked for before there was this column.';
