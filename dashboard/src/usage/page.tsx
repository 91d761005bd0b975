import { useLocation, useSearch } from "wouter";
import { type Usage, useKeys, useUsage } from "../api/account.ts";
import { LatencyChart, RequestsChart } from "../charts/lazy.tsx";
import { pointsOfDays, pointsOfHours, type Step, type UsagePoint } from "../charts/steps.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Choice } from "../components/choice.tsx";
import { SelectField, TextField } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Stat, Stats } from "../components/stat.tsx";
import { EmptyState, Skeleton } from "../components/states.tsx";
import { formatDay } from "../format/dates.ts";
import { formatCount, formatLatency, formatShare } from "../format/numbers.ts";
import { saveCsv } from "../format/save-csv.ts";
import { Page } from "../layout/page.tsx";
import { CountsTable } from "./counts-table.tsx";
import { usageCsv } from "./csv.ts";
import {
  compareCounts,
  maximumDays,
  maximumHourlyDays,
  rangeBefore,
  rangeOf,
  recentRanges,
  type UsageRange,
} from "./range.ts";
import { StatusList } from "./status-list.tsx";
import "./page.css";

const stepOptions = [
  { value: "day", name: "Days" },
  { value: "hour", name: "Hours" },
] as const;

const rangeOptions = [
  ...recentRanges.map((days) => ({ value: String(days), name: `${days} days` })),
  { value: "custom", name: "Custom" },
];

/** Requests, errors and response times, by day or hour, key, endpoint and status. Range, step and key are in the address. */
export default function UsagePage() {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const range = rangeOf(search);
  const keyId = search.get("key") ?? "";
  const step: Step = search.get("by") === "hour" && range.days <= maximumHourlyDays ? "hour" : "day";
  const addressWith = (changes: Record<string, string | undefined>) => {
    const changed = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) changed.delete(name);
      else changed.set(name, value);
    }
    return changed.size === 0 ? "/usage" : `/usage?${changed}`;
  };
  const choose = (changes: Record<string, string | undefined>) => navigate(addressWith(changes), { replace: true });
  const chooseRange = (value: string) =>
    choose(
      value === "custom"
        ? { range: undefined, from: range.from, to: range.to }
        : { range: value, from: undefined, to: undefined },
    );
  // Of the last hours that the API gives where the range is longer.
  const chooseStep = (value: Step) =>
    choose({
      by: value === "hour" ? "hour" : undefined,
      ...(value === "hour" &&
        range.days > maximumHourlyDays && { range: String(maximumHourlyDays), from: undefined, to: undefined }),
    });
  const linkOfDay = (day: string) => addressWith({ range: undefined, from: day, to: day, by: "hour" });
  const ofKey = { key_id: keyId || undefined };
  const keys = useKeys();
  const usage = useUsage({
    ...{ from: range.from, to: range.to, ...ofKey },
    include: step === "hour" ? "hours" : undefined,
  });
  const before = useUsage({ ...rangeBefore(range), ...ofKey });
  const chart = usage.data && chartOf(usage.data);
  const options = (keys.data ?? []).map(({ id, name, display }) => [id, `${name} (${display})`] as const);
  return (
    <Page
      title="Usage"
      description="Days and hours are in UTC. Requests appear moments after they are answered."
      actions={
        chart !== undefined &&
        chart.points.length > 0 && (
          <Button onClick={() => saveCsv(usageCsv(chart.step, chart.points), `usage-${range.from}-${range.to}.csv`)}>
            <Icon name="download" />
            CSV
          </Button>
        )
      }
    >
      <div className="usage-controls">
        <Choice
          label="Range"
          value={range.isCustom ? "custom" : String(range.days)}
          options={rangeOptions}
          onChange={chooseRange}
        />
        <Choice label="Step" value={step} options={stepOptions} onChange={chooseStep} />
        {range.isCustom && <Days search={search} range={range} onChoose={choose} />}
        <SelectField
          label="Key"
          options={[["", "All keys"], ...options]}
          value={keyId}
          onChange={({ target }) => choose({ key: target.value || undefined })}
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
        {({ totals, months, keys, endpoints, statuses }) => (
          <>
            <Figures
              totals={totals}
              // While another range is being read, the figures shown are of two ranges.
              before={usage.isPlaceholderData || before.isPlaceholderData ? undefined : before.data?.totals}
              days={range.days}
            />
            {totals.requests === 0 ? (
              <Card>
                <EmptyState icon="usage" title="No requests on these days">
                  Choose a longer range{keyId !== "" && " or all keys"}, or send a request from the explorer.
                </EmptyState>
              </Card>
            ) : (
              <>
                {chart !== undefined && chart.points.length > 0 && (
                  <>
                    <Card title="Requests" description={chart.note}>
                      <RequestsChart
                        step={chart.step}
                        points={chart.points}
                        {...(chart.step === "day" && { linkOf: linkOfDay })}
                      />
                    </Card>
                    <Card
                      title="Response times"
                      description="The time within which 50, 95 and 99 of 100 requests were answered."
                    >
                      <LatencyChart step={chart.step} points={chart.points} />
                    </Card>
                  </>
                )}
                {months.length > 0 && (
                  <CountsTable
                    title="Months"
                    rows={months.map(({ month, ...counts }) => ({ id: month, code: month, ...counts }))}
                  />
                )}
                {keyId === "" && (
                  <CountsTable
                    title="Keys"
                    rows={keys.map(({ id, name, display, ...counts }) => ({
                      ...{ id, name, code: display, link: addressWith({ key: id }) },
                      ...counts,
                    }))}
                  />
                )}
                <CountsTable
                  title="Endpoints"
                  rows={endpoints.map(({ endpoint, ...counts }) => ({
                    ...{ id: endpoint, code: endpoint, link: requestsWith("endpoint", endpoint, keyId) },
                    ...counts,
                  }))}
                />
                <StatusList
                  statuses={statuses}
                  total={totals.requests}
                  linkOf={(status) => requestsWith("status", `${Math.floor(status / 100)}xx`, keyId)}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Chart {
  step: Step;
  points: readonly UsagePoint[];
  note: string;
}

/** Usage by hour where the API gives hours, as far as it does; by day otherwise, also of days whose hours are not kept. */
function chartOf({ days, hours }: Usage): Chart {
  const byDay = { step: "day", points: pointsOfDays(days) } as const;
  if (hours === undefined) return { ...byDay, note: "Choose a day to see its hours." };
  const unkept = days.filter(({ day, requests }) => requests > 0 && !hours.some(({ hour }) => hour.startsWith(day)));
  if (unkept.length > 0 && !hours.some(({ requests }) => requests > 0)) {
    return { ...byDay, note: "The hours of these days are not kept. Choose later days." };
  }
  const note =
    unkept.length === 0
      ? "By hour."
      : `Without ${unkept.map(({ day }) => formatDay(day)).join(", ")}, whose hours are not kept.`;
  return { step: "hour", points: pointsOfHours(hours), note };
}

/** The first and the last day of a range of one's own. */
function Days({
  search,
  range,
  onChoose,
}: {
  search: URLSearchParams;
  range: UsageRange;
  onChoose: (changes: Record<string, string | undefined>) => void;
}) {
  const today = new Date().toISOString().slice(0, 10);
  return (
    <div className="usage-days">
      {(["from", "to"] as const).map((name) => (
        <TextField
          key={name}
          type="date"
          label={name === "from" ? "First day" : "Last day"}
          max={today}
          value={search.get(name) ?? range[name]}
          onChange={({ target }) => onChoose({ [name]: target.value })}
          error={name === "from" ? range.error : undefined}
          title={`At most ${maximumDays} days at a time`}
        />
      ))}
    </div>
  );
}

/** Requests, errors and response times of the range, beside those of as many days before it. */
function Figures({
  totals,
  before,
  days,
}: {
  totals: Usage["totals"];
  before: Usage["totals"] | undefined;
  days: number;
}) {
  const inDays = days === 1 ? "on this day" : `in ${days} days`;
  const ago = days === 1 ? "the day before" : `the ${days} days before`;
  const requests = before && compareCounts(totals.requests, before.requests, ago);
  const former = (text: string) => `${text} before`;
  const share = (name: "client_errors" | "server_errors") =>
    before && before.requests > 0 ? former(formatShare(before[name], before.requests)) : undefined;
  const time = (name: "p50" | "p95" | "p99") => {
    const value = before?.latency_ms[name];
    return value == null ? undefined : former(formatLatency(value));
  };
  return (
    <Stats of={6}>
      <Stat label="Requests" value={formatCount(totals.requests)} note={requests ?? inDays} />
      <Stat
        label="Client errors"
        value={formatShare(totals.client_errors, totals.requests)}
        note={share("client_errors") ?? `${formatCount(totals.client_errors)} answered 4xx`}
      />
      <Stat
        label="Server errors"
        value={formatShare(totals.server_errors, totals.requests)}
        note={share("server_errors") ?? `${formatCount(totals.server_errors)} answered 5xx`}
      />
      <Stat label="p50" value={formatLatency(totals.latency_ms.p50)} note={time("p50") ?? "half are faster"} />
      <Stat label="p95" value={formatLatency(totals.latency_ms.p95)} note={time("p95") ?? "95 of 100 are faster"} />
      <Stat label="p99" value={formatLatency(totals.latency_ms.p99)} note={time("p99") ?? "99 of 100 are faster"} />
    </Stats>
  );
}

/** Address of the latest requests of one kind. */
function requestsWith(name: "endpoint" | "status", value: string, keyId: string): string {
  return `/requests?${new URLSearchParams({ [name]: value, ...(keyId !== "" && { key_id: keyId }) })}`;
}
