import { Link } from "wouter";
import { useRequests } from "../api/requests.ts";
import { Card } from "../components/card.tsx";
import { formatRelative } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";
import { Status } from "./table.tsx";

/** The last five requests; nothing where there are none. */
export function LatestRequests() {
  const requests = useRequests("", { limit: 5 }).data?.pages[0]?.requests ?? [];
  if (requests.length === 0) return null;
  return (
    <Card title="Latest requests" isFlush actions={<Link href="/requests">All requests</Link>}>
      <ul className="latest-requests">
        {requests.map(({ request_id, at, method, endpoint, status, duration_ms }) => (
          <li key={`${at} ${request_id}`}>
            <Status status={status} />
            <Link href={`/requests/${encodeURIComponent(request_id)}`} className="request-link">
              {method} /{endpoint}
            </Link>
            <span className="muted small numeric">{formatCount(Math.round(duration_ms))} ms</span>
            <time className="muted small" dateTime={at} title={at}>
              {formatRelative(at)}
            </time>
          </li>
        ))}
      </ul>
    </Card>
  );
}
