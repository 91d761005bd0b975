import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Usage } from "../api/account.ts";
import { Card } from "../components/card.tsx";
import { Table } from "../components/table.tsx";
import { formatCount, formatLatency } from "../format/numbers.ts";
import "./counts-table.css";

type Row = Usage["totals"] & {
  id: string;
  name?: string;
  code: string;
  /** Address that the row's name leads to. */
  link?: string;
};

/** Table of requests, errors and response times, by key, endpoint or month. */
export function CountsTable({ title, rows }: { title: string; rows: readonly Row[] }) {
  const columns = ["Requests", "4xx", "5xx", "p50", "p95", "p99"];
  return (
    <Card title={title} isFlush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={`${title}, as a table`}>
        <Table
          className="table-cards table-grid"
          columns={[title.slice(0, -1), ...columns.map((column) => [column, "number"] as const)]}
        >
          {rows.map(({ id, name, code, link, requests, client_errors, server_errors, latency_ms }) => (
            <tr key={id}>
              <th scope="row">
                <Named link={link}>
                  {name !== undefined && <span>{name} </span>}
                  <code className="muted">{code}</code>
                </Named>
              </th>
              {[
                formatCount(requests),
                formatCount(client_errors),
                formatCount(server_errors),
                formatLatency(latency_ms.p50),
                formatLatency(latency_ms.p95),
                formatLatency(latency_ms.p99),
              ].map((value, index) => (
                <td key={columns[index]} className="number" data-label={columns[index]}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </section>
    </Card>
  );
}

function Named({ link, children }: { link: string | undefined; children: ReactNode }) {
  return link === undefined ? <span>{children}</span> : <Link href={link}>{children}</Link>;
}
