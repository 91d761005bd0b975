import { Link } from "wouter";
import { useAuditLog } from "../api/audit-log.ts";
import { Card } from "../components/card.tsx";
import { AuditTable } from "./table.tsx";

/** The last five changes; nothing where there are none. */
export function LatestChanges() {
  const entries = useAuditLog("", { limit: 5 }).data?.pages[0]?.entries ?? [];
  if (entries.length === 0) return null;
  return (
    <Card title="Latest changes" isFlush actions={<Link href="/account/audit-log">Audit log</Link>}>
      <AuditTable entries={entries} />
    </Card>
  );
}
