import type { AccountKey } from "../api/account.ts";
import { Badge } from "../components/badge.tsx";
import { formatRelative } from "../format/dates.ts";
import { isExpiringSoon } from "./expiry.ts";

/** Status of a key, and a change that is due soon. */
export function KeyStatus({ subject }: { subject: AccountKey }) {
  const { status, expires_at, replaced_by, revoked_at } = subject;
  if (status === "revoked") {
    return (
      <span className="key-status">
        <Badge tone="bad">Revoked</Badge>
        {revoked_at !== null && <span className="muted small">{formatRelative(revoked_at)}</span>}
      </span>
    );
  }
  if (status === "expired") return <Badge tone="plain">{replaced_by === null ? "Expired" : "Replaced"}</Badge>;
  if (replaced_by !== null && expires_at !== null) {
    return (
      <span className="key-status">
        <Badge tone="warning">Being replaced</Badge>
        <span className="muted small">ends {formatRelative(expires_at)}</span>
      </span>
    );
  }
  if (expires_at !== null && isExpiringSoon(subject)) {
    return <Badge tone="warning">Expires {formatRelative(expires_at)}</Badge>;
  }
  return <Badge tone="good">Active</Badge>;
}
