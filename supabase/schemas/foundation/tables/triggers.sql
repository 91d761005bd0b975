-- Foreign keys and triggers of the tables here.

create trigger settings_changed after insert or delete or update or truncate on funding.settings for each statement execute function funding.note_data_change('search');
create trigger settings_check before insert or update on funding.settings for each row execute function funding.check_setting();
