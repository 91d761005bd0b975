import { Link } from "wouter";
import type { LoggedRequest } from "../api/requests.ts";
import { Badge } from "../components/badge.tsx";
import { inline } from "../components/inline.tsx";
import { Table } from "../components/table.tsx";
import { formatDate, formatExactTime } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";
import { parameterTexts } from "./texts.ts";
import "./page.css";

/** Status of an answer: green below 400, yellow for the caller's errors, red for ours. */
export function Status({ status }: { status: number }) {
  return <Badge tone={status >= 500 ? "bad" : status >= 400 ? "warning" : "good"}>{status}</Badge>;
}

/** Requests, one a row; each links to its own page. */
export function RequestTable({ requests }: { requests: readonly LoggedRequest[] }) {
  return (
    <Table caption="Requests" columns={["Request", "Status", ["Milliseconds", "number"], "Key", "Time"]}>
      {requests.map(({ request_id, at, method, endpoint, status, duration_ms, key, problem, ...request }) => (
        <tr key={`${at} ${request_id}`}>
          <th scope="row">
            <span className="request-name">
              <Link href={`/requests/${encodeURIComponent(request_id)}`} className="request-link">
                {method} /{endpoint}
              </Link>
              <Parameters texts={parameterTexts(request)} />
              {problem !== null && <span className="muted small request-problem">{inline(problem.detail)}</span>}
            </span>
          </th>
          <td data-label="Status">
            <Status status={status} />
          </td>
          <td data-label="Milliseconds" className="number">
            {formatCount(Math.round(duration_ms))}
          </td>
          <td data-label="Key" className="request-key">
            {key.name}
          </td>
          <td data-label="Time" className="request-time">
            <time dateTime={at} title={at}>
              <span className="muted small">{formatDate(at)}</span> {formatExactTime(at)}
            </time>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Parameters({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <span className="muted request-parameters" title={texts.join("\n")}>
      {texts.join(" ")}
    </span>
  );
}
