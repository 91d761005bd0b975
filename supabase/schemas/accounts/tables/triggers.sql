-- Foreign keys and triggers of the tables here.

alter table funding.tier_prices add constraint tier_prices_tier_fkey foreign key (tier) references funding.tiers(name) on update cascade;

create trigger accounts_audit_created after insert on funding.accounts for each row execute function funding.audit_account();
create trigger accounts_audit_deleted after delete on funding.accounts for each row execute function funding.delete_audit_log();
create trigger accounts_audit_updated after update of email, auth_user_id, keeps_search_text on funding.accounts for each row when ((old.email is distinct from new.email) or (old.auth_user_id is distinct from new.auth_user_id) or (old.keeps_search_text is distinct from new.keeps_search_text)) execute function funding.audit_account();
create trigger accounts_member_created after insert on funding.accounts for each row execute function funding.keep_own_member();
create trigger accounts_member_updated after update of auth_user_id on funding.accounts for each row when (old.auth_user_id is distinct from new.auth_user_id) execute function funding.keep_own_member();

alter table funding.members add constraint members_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;
create trigger members_audit_created after insert on funding.members for each row execute function funding.audit_member();
create trigger members_audit_deleted after delete on funding.members for each row execute function funding.audit_member();
create trigger members_audit_updated after update of role on funding.members for each row when (old.role is distinct from new.role) execute function funding.audit_member();
create trigger members_released after delete on funding.members for each row execute function funding.release_account();
create trigger members_withdraw_invitations_of_former_owner after update of role, user_id, account_id on funding.members for each row when ((old.role = 'owner') and ((new.role <> 'owner') or (new.user_id <> old.user_id) or (new.account_id <> old.account_id))) execute function funding.withdraw_invitations();
create trigger members_withdraw_invitations_of_removed after delete on funding.members for each row when (old.role = 'owner') execute function funding.withdraw_invitations();

alter table funding.invitations add constraint invitations_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;
create trigger invitations_audit_created after insert on funding.invitations for each row execute function funding.audit_invitation();
create trigger invitations_audit_deleted after delete on funding.invitations for each row execute function funding.audit_invitation();

alter table funding.subscriptions add constraint subscriptions_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;
alter table funding.subscriptions add constraint subscriptions_tier_fkey foreign key (tier) references funding.tiers(name) on update cascade;
create trigger subscriptions_audit_created after insert on funding.subscriptions for each row execute function funding.audit_subscription();
create trigger subscriptions_audit_deleted after delete on funding.subscriptions for each row execute function funding.audit_subscription();
create trigger subscriptions_audit_updated after update of tier, status, current_period_end on funding.subscriptions for each row when ((old.tier is distinct from new.tier) or (old.status is distinct from new.status) or (old.current_period_end is distinct from new.current_period_end)) execute function funding.audit_subscription();

alter table funding.api_keys add constraint api_keys_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;
alter table funding.api_keys add constraint api_keys_rotated_from_fkey foreign key (rotated_from) references funding.api_keys(id);
create trigger api_keys_audit_created after insert on funding.api_keys for each row when ((not new.is_explorer) and (new.rotated_from is null)) execute function funding.audit_key();
create trigger api_keys_audit_deleted after delete on funding.api_keys for each row when (not old.is_explorer) execute function funding.audit_key();
create trigger api_keys_audit_updated after update of name, display, expires_at, revoked_at, datasets, daily_quota, addresses on funding.api_keys for each row when (not new.is_explorer) execute function funding.audit_key();

alter table funding.usage add constraint usage_api_key_id_fkey foreign key (api_key_id) references funding.api_keys(id) on delete cascade;

alter table funding.usage_hours add constraint usage_hours_api_key_id_fkey foreign key (api_key_id) references funding.api_keys(id) on delete cascade;

alter table funding.usage_months add constraint usage_months_api_key_id_fkey foreign key (api_key_id) references funding.api_keys(id) on delete cascade;

alter table funding.daily_quota add constraint daily_quota_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;

alter table funding.daily_key_quota add constraint daily_key_quota_api_key_id_fkey foreign key (api_key_id) references funding.api_keys(id) on delete cascade;

alter table funding.account_writes add constraint account_writes_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;

alter table funding.idempotency_keys add constraint idempotency_keys_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;

alter table funding.stripe_customers add constraint stripe_customers_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;

alter table funding.offered_customers add constraint offered_customers_account_id_fkey foreign key (account_id) references funding.accounts(id) on delete cascade;
