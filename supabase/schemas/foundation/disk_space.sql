-- Room on the disk: what only grows the database is refused before the disk is full, while there is room for what reading writes.

-- Raises 53100 (disk full) where the server has said that the disk is nearly full, by the setting `funding.has_no_room` of the session. The embedded
-- server says it. Elsewhere nobody does, and Postgres raises the same code once its disk is full.
create or replace function funding.require_room() returns void
language plpgsql stable as $$
begin
  if current_setting('funding.has_no_room', true) = 'on' then
    raise sqlstate '53100' using message = 'little room is left on the disk of the data folder, so nothing new is stored until there is more';
  end if;
end
$$;
