-- Foreign keys and triggers of the tables here.

alter table funding.saved_searches add constraint saved_searches_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;
create trigger saved_searches_audit_created after insert on funding.saved_searches for each row execute function funding.audit_saved_search();
create trigger saved_searches_audit_deleted after delete on funding.saved_searches for each row execute function funding.audit_saved_search();
create trigger saved_searches_audit_updated after update of name, dataset, query, address_hash on funding.saved_searches for each row when ((old.name is distinct from new.name) or (old.dataset is distinct from new.dataset) or (old.query is distinct from new.query) or (old.address_hash is distinct from new.address_hash)) execute function funding.audit_saved_search();

alter table funding.digests add constraint digests_saved_search_id_fkey foreign key (saved_search_id) references funding.saved_searches(id) on delete cascade;
create trigger digests_audit_created after insert on funding.digests for each row execute function funding.audit_digest();
create trigger digests_audit_deleted after delete on funding.digests for each row execute function funding.audit_digest();
create trigger digests_audit_updated after update of frequency, weekday, hour, time_zone, paused_at on funding.digests for each row when ((old.frequency is distinct from new.frequency) or (old.weekday is distinct from new.weekday) or (old.hour is distinct from new.hour) or (old.time_zone is distinct from new.time_zone) or ((old.paused_at is null) is distinct from (new.paused_at is null))) execute function funding.audit_digest();

alter table funding.digest_mails add constraint digest_mails_saved_search_id_fkey foreign key (saved_search_id) references funding.saved_searches(id) on delete cascade;
