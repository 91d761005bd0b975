import { Link, useLocation, useSearch } from "wouter";
import { useAuditLog } from "../api/audit-log.ts";
import { Card } from "../components/card.tsx";
import { SelectField } from "../components/field.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { EmptyState } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { AuditTable } from "./table.tsx";
import "./page.css";

const path = "/account/audit-log";

const kinds = [
  ["", "All changes"],
  ["key", "Keys"],
  ["webhook", "Webhooks"],
  ["saved_search", "Saved searches and their e-mails"],
  ["member", "Members"],
  ["invitation", "Invitations"],
  ["subscription", "Tier and subscription"],
  ["account", "Account settings and sign-in"],
] as const;

/** Changes of the account. The filters are in the address: `kind`, and `subject`, the id of one thing. */
export default function AuditLogPage() {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const choose = (kind: string) => navigate(kind === "" ? path : `${path}?kind=${kind}`, { replace: true });
  const [kind, subject] = [search.get("kind") ?? "", search.get("subject") ?? ""];
  const filter = new URLSearchParams({ ...(kind && { kind }), ...(subject && { subject }) });
  const log = useAuditLog(filter.toString());
  return (
    <Page
      title="Audit log"
      description="What was changed in the account, when and by whom, the newest first."
      actions={<Link href="/account">Account</Link>}
    >
      <div className="audit-filters">
        <SelectField label="Show" options={kinds} value={kind} onChange={({ target }) => choose(target.value)} />
        {subject !== "" && (
          <p>
            Only changes of <code>{subject}</code>. <Link href={path}>Show all</Link>
          </p>
        )}
      </div>
      <Card isFlush>
        <PagedList
          query={log}
          rowsOf={(page) => page.entries}
          empty={
            <EmptyState icon="account" title={filter.size > 0 ? "No such changes" : "No changes yet"}>
              {filter.size > 0
                ? "Choose others, or show all."
                : "Keys, webhooks, saved searches and settings are here from their next change on."}
            </EmptyState>
          }
        >
          {(entries) => <AuditTable entries={entries} hasDetails />}
        </PagedList>
      </Card>
    </Page>
  );
}
