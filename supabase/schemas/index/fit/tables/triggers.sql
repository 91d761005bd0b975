-- Foreign keys and triggers of the tables here.

create trigger synonyms_changed after insert or delete or update or truncate on funding.synonyms for each statement execute function funding.note_data_change('search');
