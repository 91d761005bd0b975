-- Numbers are looked up by `funding.identifier_forms`; what was made for looking them up as they are written goes. In a
-- migration of its own: it locks the tables, for no longer than it takes to say so.
drop index funding.grants_identifiers;
drop index funding.contracts_identifiers;
alter table funding.grants drop column identifier_keys;
alter table funding.contracts drop column identifier_keys;
