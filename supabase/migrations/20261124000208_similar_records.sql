-- Slot of the record that those of a search are to be like (`similar_to`): it is not found itself.
alter type funding.search_scope add attribute except_slot integer;
