-- Foreign keys and triggers of the tables here.

alter table funding.events add constraint events_endpoint_exists foreign key (endpoint_id) references funding.webhook_endpoints(id) on delete cascade;

alter table funding.webhook_endpoints add constraint webhook_endpoints_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;
create trigger webhook_endpoints_audit_created after insert on funding.webhook_endpoints for each row execute function funding.audit_webhook();
create trigger webhook_endpoints_audit_deleted after delete on funding.webhook_endpoints for each row execute function funding.audit_webhook();
create trigger webhook_endpoints_audit_updated after update of url, description, events, filters, deadline_days, expand, updated_fields, secret, state, disabled_reason on funding.webhook_endpoints for each row when ((old.url is distinct from new.url) or (old.description is distinct from new.description) or (old.events is distinct from new.events) or (old.filters is distinct from new.filters) or (old.deadline_days is distinct from new.deadline_days) or (old.expand is distinct from new.expand) or (old.updated_fields is distinct from new.updated_fields) or (old.secret is distinct from new.secret) or (old.state is distinct from new.state) or (old.disabled_reason is distinct from new.disabled_reason)) execute function funding.audit_webhook();

alter table funding.webhook_former_secrets add constraint webhook_former_secrets_endpoint_id_fkey foreign key (endpoint_id) references funding.webhook_endpoints(id) on delete cascade;

alter table funding.webhook_deliveries add constraint webhook_deliveries_endpoint_id_fkey foreign key (endpoint_id) references funding.webhook_endpoints(id) on delete cascade;
alter table funding.webhook_deliveries add constraint webhook_deliveries_event_id_fkey foreign key (event_id) references funding.events(id) on delete cascade;

alter table funding.webhook_attempts add constraint webhook_attempts_delivery foreign key (endpoint_id, event_id) references funding.webhook_deliveries(endpoint_id, event_id) on delete cascade;

alter table funding.webhook_recoveries add constraint webhook_recoveries_endpoint_id_fkey foreign key (endpoint_id) references funding.webhook_endpoints(id) on delete cascade;
create trigger webhook_recoveries_audit_created after insert on funding.webhook_recoveries for each row execute function funding.audit_recovery();

alter table funding.deadline_notices add constraint deadline_notices_endpoint_id_fkey foreign key (endpoint_id) references funding.webhook_endpoints(id) on delete cascade;
