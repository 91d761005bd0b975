-- Foreign keys and triggers of the tables here.

alter table funding.document_passages add constraint document_passages_document_id_fkey foreign key (document_id) references funding.documents(id) on delete cascade;

alter table funding.document_records add constraint document_records_document_id_fkey foreign key (document_id) references funding.documents(id) on delete cascade;

alter table funding.document_parts add constraint document_parts_document_id_fkey foreign key (document_id) references funding.documents(id) on delete cascade;
