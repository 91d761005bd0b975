-- The oldest changes, for retention (20261124000013). Importers wait for this until the upgrade is committed, and requests do not.
create index record_changes_changed_at on funding.record_changes (changed_at);
