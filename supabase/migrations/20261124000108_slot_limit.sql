-- Slots end before integers do, so that the slot after the last one of a segment is an integer as well: where none is left, records can not be
-- written until a fit gives them anew, but they are found.
alter sequence funding.funders_slots maxvalue 2147000000;
alter sequence funding.grants_slots maxvalue 2147000000;
alter sequence funding.contracts_slots maxvalue 2147000000;
