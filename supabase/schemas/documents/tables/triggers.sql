-- Foreign keys and triggers of the tables here.

alter table funding.document_passages add constraint document_passages_document_id_fkey foreign key (document_id) references funding.documents(id) on delete cascade;

alter table funding.document_records add constraint document_records_document_id_fkey foreign key (document_id) references funding.documents(id) on delete cascade;
create trigger document_records_added after insert on funding.document_records referencing new table as changed for each statement execute function funding.note_documents_changed();
create trigger document_records_data_change after insert or delete on funding.document_records for each statement execute function funding.note_data_change('search');
create trigger document_records_removed after delete on funding.document_records referencing old table as changed for each statement execute function funding.note_documents_changed();

alter table funding.document_parts add constraint document_parts_document_id_fkey foreign key (document_id) references funding.documents(id) on delete cascade;
create trigger document_parts_added after insert on funding.document_parts referencing new table as changed for each statement execute function funding.note_documents_changed();
create trigger document_parts_data_change after insert or delete on funding.document_parts for each statement execute function funding.note_data_change('search');
create trigger document_parts_removed after delete on funding.document_parts referencing old table as changed for each statement execute function funding.note_documents_changed();
