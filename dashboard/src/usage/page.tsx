import { useLocation, useSearch } from "wouter";
import { useKeys, useUsage } from "../api/account.ts";
import { LatencyChart, RequestsChart } from "../charts/lazy.tsx";
import { Card } from "../components/card.tsx";
import { Choice } from "../components/choice.tsx";
import { SelectField } from "../components/field.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Stat, Stats } from "../components/stat.tsx";
import { EmptyState, Skeleton } from "../components/states.tsx";
import { formatCount, formatLatency, formatShare } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { CountsTable } from "./counts-table.tsx";
import { StatusList } from "./status-list.tsx";
import "./page.css";

const ranges = [
  { value: "7", name: "7 days" },
  { value: "30", name: "30 days" },
  { value: "90", name: "90 days" },
] as const;

/** Requests, errors and response times, by day, key, endpoint and status. */
export default function UsagePage() {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const range = ranges.find(({ value }) => value === search.get("range"))?.value ?? "30";
  const keyId = search.get("key") ?? "";
  /** Writes the choice to the address, so that a reload, a bookmark and a link have it. */
  const choose = (name: "range" | "key", value: string) => {
    if (value === "") search.delete(name);
    else search.set(name, value);
    navigate(`/usage?${search}`, { replace: true });
  };
  const keys = useKeys();
  const usage = useUsage({ from: dateBefore(Number(range) - 1), key_id: keyId || undefined });
  const options = (keys.data ?? []).map(({ id, name, display }) => [id, `${name} (${display})`] as const);
  return (
    <Page title="Usage" description="Days are in UTC. Requests appear moments after they are answered.">
      <div className="usage-controls">
        <Choice label="Range" value={range} options={ranges} onChange={(chosen) => choose("range", chosen)} />
        <SelectField
          label="Key"
          options={[["", "All keys"], ...options]}
          value={keyId}
          onChange={({ target }) => choose("key", target.value)}
        />
      </div>
      <Loaded
        query={usage}
        outline={
          <Card>
            <Skeleton lines={1} tall />
          </Card>
        }
      >
        {({ totals, days, keys, endpoints, statuses }) => (
          <>
            <Stats of={6}>
              <Stat label="Requests" value={formatCount(totals.requests)} note={`in ${range} days`} />
              <Stat
                label="Client errors"
                value={formatShare(totals.client_errors, totals.requests)}
                note={`${formatCount(totals.client_errors)} answered 4xx`}
              />
              <Stat
                label="Server errors"
                value={formatShare(totals.server_errors, totals.requests)}
                note={`${formatCount(totals.server_errors)} answered 5xx`}
              />
              <Stat label="p50" value={formatLatency(totals.latency_ms.p50)} note="half are faster" />
              <Stat label="p95" value={formatLatency(totals.latency_ms.p95)} note="95 of 100 are faster" />
              <Stat label="p99" value={formatLatency(totals.latency_ms.p99)} note="99 of 100 are faster" />
            </Stats>
            {totals.requests === 0 ? (
              <Card>
                <EmptyState icon="usage" title="No requests on these days">
                  Choose a longer range or another key, or send a request from the explorer.
                </EmptyState>
              </Card>
            ) : (
              <>
                <Card title="Requests">
                  <RequestsChart days={days} />
                </Card>
                <Card
                  title="Response times"
                  description="The time within which 50, 95 and 99 of 100 requests were answered."
                >
                  <LatencyChart days={days} />
                </Card>
                {keyId === "" && (
                  <CountsTable
                    title="Keys"
                    rows={keys.map(({ id, name, display, ...counts }) => ({ id, name, code: display, ...counts }))}
                  />
                )}
                <CountsTable
                  title="Endpoints"
                  rows={endpoints.map(({ endpoint, ...counts }) => ({ id: endpoint, code: endpoint, ...counts }))}
                />
                <StatusList statuses={statuses} total={totals.requests} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The UTC date `days` days before today: 2026-11-20. */
function dateBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
