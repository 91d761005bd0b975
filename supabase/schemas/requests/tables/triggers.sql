-- Foreign keys and triggers of the tables here.

create trigger agency_abbreviations_changed after insert or delete or update or truncate on funding.agency_abbreviations for each statement execute function funding.note_data_change('search');
