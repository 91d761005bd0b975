-- Digests whose address the mail server refuses again and again are paused, in place of being tried each day.

alter table funding.digests
  -- Mails in a row that the mail server refused, and when the digest was paused for them.
  add column refusals smallint not null default 0,
  add column paused_at timestamptz;
