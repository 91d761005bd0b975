import { Link } from "wouter";
import type { Usage } from "../api/account.ts";
import { Card } from "../components/card.tsx";
import { formatCount, formatShare } from "../format/numbers.ts";

/** Number and share of requests by status; each leads to the latest requests of its class. */
export function StatusList({
  statuses,
  total,
  linkOf,
}: {
  statuses: Usage["statuses"];
  total: number;
  linkOf: (status: number) => string;
}) {
  return (
    <Card title="Statuses">
      <ul className="status-list">
        {statuses.map(({ status, requests }) => (
          <li key={status}>
            <Link href={linkOf(status)} aria-label={`Requests answered with ${status}`}>
              <code>{status}</code>
            </Link>
            <svg className="status-bar" aria-hidden="true">
              <rect width="100%" height="100%" rx="4" fill="var(--hover)" />
              <rect width={`${(100 * requests) / total}%`} height="100%" rx="4" fill={colourOf(status)} />
            </svg>
            <span className="number">
              {formatCount(requests)} <span className="muted">({formatShare(requests, total)})</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function colourOf(status: number): string {
  if (status >= 500) return "var(--chart-server-error)";
  return status >= 400 ? "var(--chart-client-error)" : "var(--chart-answered)";
}
